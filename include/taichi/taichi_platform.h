/* Types and macros of the platform for the declarations of the Taichi C-API. */
#ifndef TAICHI_PLATFORM_H
#define TAICHI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A build that supplies the functions itself (build_ffi.py) defines this first. */
#ifndef TI_DLL_EXPORT
#if defined(_WIN32)
#define TI_DLL_EXPORT __declspec(dllimport)
#else
#define TI_DLL_EXPORT __attribute__((visibility("default")))
#endif
#endif

#ifndef TI_API_CALL
#if defined(_WIN32)
#define TI_API_CALL __stdcall
#else
#define TI_API_CALL
#endif
#endif

#endif
