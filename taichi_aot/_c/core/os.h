/* Differences between Windows and other systems. */

#pragma once

/* For C only. */

#include <stdint.h>

#ifdef _WIN32
#include <windows.h>
#define TAICHI_AOT_THREAD_LOCAL __declspec(thread)
#define TAICHI_AOT_DRIVER_CALL __stdcall /* of the functions of drivers and tools */
/* On x64, accesses of volatile words are atomic, and MSVC makes them acquire and release. */
#define taichi_aot_load32(word) (*(const volatile int32_t *)(word))
#define taichi_aot_load64(word) (*(const volatile int64_t *)(word))
#define taichi_aot_store64(word, value) ((void)(*(volatile int64_t *)(word) = (int64_t)(value)))
#define taichi_aot_add32(word, n) ((int32_t)InterlockedExchangeAdd((volatile LONG *)(word), n))
#define taichi_aot_take_pointer(slot) InterlockedExchangePointer((void *volatile *)(slot), NULL)
#define taichi_aot_sleep(ns) Sleep((DWORD)((ns) / 1000000)) /* under a millisecond: yields */
#else
#include <time.h>
#define TAICHI_AOT_THREAD_LOCAL __thread
#define TAICHI_AOT_DRIVER_CALL
#define taichi_aot_load32(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define taichi_aot_load64(word) __atomic_load_n(word, __ATOMIC_ACQUIRE)
#define taichi_aot_store64(word, value) __atomic_store_n(word, value, __ATOMIC_RELEASE)
#define taichi_aot_add32(word, n) __atomic_fetch_add(word, n, __ATOMIC_ACQ_REL) /* returns what was there */
#define taichi_aot_take_pointer(slot) __atomic_exchange_n(slot, NULL, __ATOMIC_ACQ_REL)
static inline void taichi_aot_sleep(int64_t ns) {
  const struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
  nanosleep(&time, NULL);
}
#endif
