/* Clocks that never go back. */

#ifndef TAICHI_AOT_CLOCK_H
#define TAICHI_AOT_CLOCK_H

#include <stdint.h>

/* For C alone. */

int64_t taichi_aot_now(void);          /* ns */
int64_t taichi_aot_milliseconds(void); /* coarse, but read in a few ns: another clock may take a launch's budget */

#endif
