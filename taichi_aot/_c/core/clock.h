/* Clocks that never go back. */

#pragma once

#include <stdint.h>

/* For C only. */

int64_t taichi_aot_now(void);          /* ns */
int64_t taichi_aot_milliseconds(void); /* coarse, but takes a few ns: other clocks may cost as much as a launch */
