/* Mutexes of contexts and of the process. Threads. */

#pragma once

#include "core/base.h"

typedef struct taichi_aot_lock {
  uint64_t mutex[8];
  uint64_t turn[8]; /* a second mutex, held by the next thread in line; others wait for this one */
  uint64_t owner;   /* the thread that is inside a call, 0 for none */
  int32_t has_next;
} taichi_aot_lock;

void taichi_aot_process_init(void);
int taichi_aot_can_start_threads(uint32_t count);

/* For C only. */

void taichi_aot_lock_init(taichi_aot_lock *lock);
int taichi_aot_lock_take(taichi_aot_lock *lock, int may_wait);
int taichi_aot_lock_take_for(taichi_aot_lock *lock, int64_t ns);
void taichi_aot_lock_give(taichi_aot_lock *lock);
int taichi_aot_is_awaited(const taichi_aot_lock *lock);
void taichi_aot_let_one_pass(taichi_aot_lock *lock);
uint64_t taichi_aot_this_thread(void);

/* Serializes creating, destroying, loading and fetching in a process. Taken before the mutex of a context. */
int taichi_aot_enter_process(void);
void taichi_aot_leave_process(void);
int taichi_aot_process_is_free(void);
