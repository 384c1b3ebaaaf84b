/* The part of EGL 1.5 and OpenGL that finds an OpenGL device, declared for the C compiler and for cffi alike.
 *
 * Names and types are those of <EGL/egl.h> and <GL/glcorearb.h>; tests/drivers/test_headers.py compares them. */
#ifndef TAICHI_AOT_EGL_SUBSET_H
#define TAICHI_AOT_EGL_SUBSET_H

#include "taichi/taichi_opengl.h" /* GLenum */

typedef void *EGLNativeDisplayType; /* a pointer on every platform with EGL */
typedef void *EGLDisplay;
typedef void *EGLConfig;
typedef void *EGLContext;
typedef void *EGLSurface;
typedef unsigned int EGLBoolean;
typedef unsigned int EGLenum;
typedef int32_t EGLint;
typedef unsigned char GLubyte;
typedef void (*__eglMustCastToProperFunctionPointerType)(void);

enum {
  EGL_PBUFFER_BIT = 0x0001,
  EGL_OPENGL_BIT = 0x0008,
  EGL_BLUE_SIZE = 0x3022,
  EGL_GREEN_SIZE = 0x3023,
  EGL_RED_SIZE = 0x3024,
  EGL_DEPTH_SIZE = 0x3025,
  EGL_SURFACE_TYPE = 0x3033,
  EGL_NONE = 0x3038,
  EGL_RENDERABLE_TYPE = 0x3040,
  EGL_CONTEXT_MAJOR_VERSION = 0x3098,
  EGL_OPENGL_API = 0x30A2,
  EGL_CONTEXT_MINOR_VERSION = 0x30FB,
  GL_RENDERER = 0x1F01,
  GL_VERSION = 0x1F02
};

typedef EGLDisplay (*PFNEGLGETDISPLAYPROC)(EGLNativeDisplayType);
typedef EGLBoolean (*PFNEGLINITIALIZEPROC)(EGLDisplay, EGLint *, EGLint *);
typedef EGLBoolean (*PFNEGLBINDAPIPROC)(EGLenum);
typedef EGLBoolean (*PFNEGLCHOOSECONFIGPROC)(EGLDisplay, const EGLint *, EGLConfig *, EGLint, EGLint *);
typedef EGLContext (*PFNEGLCREATECONTEXTPROC)(EGLDisplay, EGLConfig, EGLContext, const EGLint *);
typedef EGLBoolean (*PFNEGLMAKECURRENTPROC)(EGLDisplay, EGLSurface, EGLSurface, EGLContext);
typedef EGLBoolean (*PFNEGLDESTROYCONTEXTPROC)(EGLDisplay, EGLContext);
typedef EGLContext (*PFNEGLGETCURRENTCONTEXTPROC)(void);
typedef __eglMustCastToProperFunctionPointerType (*PFNEGLGETPROCADDRESSPROC)(const char *);
typedef const GLubyte *(*PFNGLGETSTRINGPROC)(GLenum);

#endif
