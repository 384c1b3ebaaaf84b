/* Sharing of a context, buffers and textures with OpenGL. */
#ifndef TAICHI_OPENGL_H
#define TAICHI_OPENGL_H

#include "taichi_core.h"

/* OpenGL's headers have their own names for these. A C program includes those headers first. */
#ifndef __gl_h_
typedef unsigned int GLuint;
typedef unsigned int GLenum;
typedef int GLsizei;
typedef ptrdiff_t GLsizeiptr;
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TiOpenglRuntimeInteropInfo {
  void *get_proc_addr;
} TiOpenglRuntimeInteropInfo;

typedef struct TiOpenglMemoryInteropInfo {
  GLuint buffer;
  GLsizeiptr size;
} TiOpenglMemoryInteropInfo;

typedef struct TiOpenglImageInteropInfo {
  GLuint texture;
  GLenum target;
  GLsizei levels;
  GLenum format;
  GLsizei width;
  GLsizei height;
  GLsizei depth;
} TiOpenglImageInteropInfo;

TI_DLL_EXPORT TiRuntime TI_API_CALL ti_import_opengl_runtime(TiOpenglRuntimeInteropInfo *interop_info, bool use_gles);
TI_DLL_EXPORT void TI_API_CALL ti_export_opengl_runtime(TiRuntime runtime, TiOpenglRuntimeInteropInfo *interop_info);
TI_DLL_EXPORT TiMemory TI_API_CALL ti_import_opengl_memory(TiRuntime runtime,
                                                           const TiOpenglMemoryInteropInfo *interop_info);
TI_DLL_EXPORT void TI_API_CALL ti_export_opengl_memory(TiRuntime runtime, TiMemory memory,
                                                       TiOpenglMemoryInteropInfo *interop_info);
TI_DLL_EXPORT TiImage TI_API_CALL ti_import_opengl_image(TiRuntime runtime,
                                                         const TiOpenglImageInteropInfo *interop_info);
TI_DLL_EXPORT void TI_API_CALL ti_export_opengl_image(TiRuntime runtime, TiImage image,
                                                      TiOpenglImageInteropInfo *interop_info);

#ifdef __cplusplus
}
#endif

#endif
