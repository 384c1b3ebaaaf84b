/* Clocks that never go back. */

#include "core/clock.h"

#ifdef _WIN32
#include <windows.h>

int64_t taichi_aot_now(void) {
  LARGE_INTEGER ticks, frequency;
  QueryPerformanceCounter(&ticks);
  QueryPerformanceFrequency(&frequency);
  return ticks.QuadPart / frequency.QuadPart * 1000000000 + ticks.QuadPart % frequency.QuadPart * 1000000000 / frequency.QuadPart;
}

int64_t taichi_aot_milliseconds(void) { return (int64_t)GetTickCount64(); }
#else
#include <time.h>

#ifndef CLOCK_MONOTONIC_COARSE
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC
#endif

int64_t taichi_aot_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t taichi_aot_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
#endif
