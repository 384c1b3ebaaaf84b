/* On CUDA, sequences that end when a number says so: the device checks it, by graphs with a WHILE node, which drivers have from
 * CUDA 12.4 on. A graph is
 *
 *     gate; while (it goes on) { the iterations from one check to the next; check }
 *
 * The gate and the check are kernels of our own. A launch makes so many checks at most that it takes the device some
 * milliseconds, so that Python looks after signals, and other threads get their turn. Another one may be queued behind it:
 * once the number is met, its gate lets nothing pass. Behind each launch, a copy brings the answer to the host.
 *
 * A recording has one run at a time that the device ends: Python takes it for the run. What a run has under way is noted in its
 * `taichi_aot_until`, what the next one can use again in the recording. */

#include "cuda/until.h"

#include "core/checks.h"
#include "core/clock.h"
#include "cuda/device.h"
#include "cuda/recorder.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { CUDA_OK = 0, CONDITIONAL_NODE = 13, WHILE_NODE = 1, HAS_DEFAULT = 1 };
enum { PAGE = 4096, MOST_CHECKS = 1 << 20 }; /* bytes; of a launch */

/* What `cuGraphAddNode` takes: 256 bytes, whatever the node is. */
typedef struct conditional_node {
  int type;
  int reserved[3];
  unsigned long long handle;
  int kind;
  unsigned int size; /* number of bodies */
  void **bodies;     /* of the driver */
  void *context;
  char unused[208];
} conditional_node;

_Static_assert(sizeof(conditional_node) == 256 || sizeof(void *) != 8, "the size of CUgraphNodeParams");

#define FUNCTIONS(F)                                                                                                  \
  F(cuGraphAddNode, (void **node, void *graph, void *const *before, size_t count, conditional_node *info))            \
  F(cuGraphConditionalHandleCreate,                                                                                   \
    (unsigned long long *handle, void *graph, void *context, unsigned int value, unsigned int flags))                 \
  F(cuGraphCreate, (void **graph, unsigned int flags))                                                                \
  F(cuGraphDestroy, (void *graph))                                                                                    \
  F(cuGraphExecDestroy, (void *graph))                                                                                \
  F(cuGraphInstantiateWithFlags, (void **result, void *graph, unsigned long long flags))                              \
  F(cuGraphLaunch, (void *graph, void *stream))                                                                       \
  F(cuMemAllocHost_v2, (void **memory, size_t size))                                                                  \
  F(cuMemcpyDtoHAsync_v2, (void *target, uint64_t source, size_t size, void *stream))                                 \
  F(cuMemcpyHtoDAsync_v2, (uint64_t target, const void *source, size_t size, void *stream))                           \
  F(cuModuleGetFunction, (void **function, void *module, const char *name))                                           \
  F(cuModuleLoadDataEx, (void **module, const void *image, unsigned int count, int *options, void **values))          \
  F(cuStreamSynchronize, (void *stream))

/* The first driver that has them is that of CUDA 12.4: they make conditional nodes. */
TAICHI_AOT_CUDA_FUNCTIONS(FUNCTIONS)

/* What a run has on the device. The code below has the offsets of its members. */
typedef struct answer {
  uint64_t made; /* checks in the run so far */
  double value;  /* at the last of them */
  uint32_t is_met;
  uint32_t unused;
} answer;

typedef struct question {
  uint64_t address; /* of the number */
  double bound;
  uint32_t kind; /* of the number: KIND_... */
  uint32_t is_above;
  uint32_t most; /* checks of a launch */
  uint32_t left; /* of them */
  answer answer;
} question;

_Static_assert(sizeof(((taichi_aot_until *)0)->slots) == TAICHI_AOT_CHUNKS * sizeof(uint32_t), "a slot for each chunk");
_Static_assert(offsetof(question, answer) == 32 && sizeof(question) == 56, "the layout that the kernels use");

enum { KIND_F64, KIND_F32, KIND_I64, KIND_U64, KIND_I32, KIND_U32, KIND_I16, KIND_U16, KIND_I8, KIND_U8 };

static uint32_t kind_of(int32_t dtype) {
  switch (dtype) {
  case TI_DATA_TYPE_F64: return KIND_F64;
  case TI_DATA_TYPE_F32: return KIND_F32;
  case TI_DATA_TYPE_I64: return KIND_I64;
  case TI_DATA_TYPE_U64: return KIND_U64;
  case TI_DATA_TYPE_I32: return KIND_I32;
  case TI_DATA_TYPE_U32: return KIND_U32;
  case TI_DATA_TYPE_I16: return KIND_I16;
  case TI_DATA_TYPE_U16: return KIND_U16;
  case TI_DATA_TYPE_I8: return KIND_I8;
  default: return KIND_U8;
  }
}

/* Both kernels run in one thread. The gate begins the checks of a launch, and lets it pass unless the number is met. The check
 * reads the number, compares it as f64 (NaN is on neither side), and goes on while it is not met and checks are left. The
 * driver has the function that sets the condition of a WHILE node. */
static const char code[] =
  ".version 6.0\n"
  ".target sm_50\n"
  ".address_size 64\n"
  ".extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);\n"
  ".visible .entry taichi_aot_gate(.param .u64 handle, .param .u64 state) {\n"
  "  .reg .pred %p;\n"
  "  .reg .b32 %left, %met, %goes;\n"
  "  .reg .b64 %h, %s;\n"
  "  ld.param.u64 %h, [handle];\n"
  "  ld.param.u64 %s, [state];\n"
  "  ld.global.u32 %left, [%s+24];\n"
  "  ld.global.u32 %met, [%s+48];\n"
  "  st.global.u32 [%s+28], %left;\n"
  "  setp.ne.u32 %p, %left, 0;\n"
  "  setp.eq.and.u32 %p, %met, 0, %p;\n"
  "  selp.u32 %goes, 1, 0, %p;\n"
  "  {\n"
  "    .param .b64 a;\n"
  "    .param .b32 b;\n"
  "    st.param.b64 [a], %h;\n"
  "    st.param.b32 [b], %goes;\n"
  "    call.uni cudaGraphSetConditional, (a, b);\n"
  "  }\n"
  "  ret;\n"
  "}\n"
  ".visible .entry taichi_aot_check(.param .u64 handle, .param .u64 state) {\n"
  "  .reg .pred %p, %q;\n"
  "  .reg .b32 %kind, %above, %left, %w, %met, %goes;\n"
  "  .reg .f32 %f;\n"
  "  .reg .b64 %h, %s, %at, %made, %d;\n"
  "  .reg .f64 %x, %bound;\n"
  "  ld.param.u64 %h, [handle];\n"
  "  ld.param.u64 %s, [state];\n"
  "  ld.global.u64 %at, [%s];\n"
  "  ld.global.f64 %bound, [%s+8];\n"
  "  ld.global.u32 %kind, [%s+16];\n"
  "  ld.global.u32 %above, [%s+20];\n"
  "  ld.global.u32 %left, [%s+28];\n"
  "  ld.global.u64 %made, [%s+32];\n"
  "  setp.eq.u32 %p, %kind, 0;\n"
  "  @%p bra F64;\n"
  "  setp.eq.u32 %p, %kind, 1;\n"
  "  @%p bra F32;\n"
  "  setp.eq.u32 %p, %kind, 2;\n"
  "  @%p bra I64;\n"
  "  setp.eq.u32 %p, %kind, 3;\n"
  "  @%p bra U64;\n"
  "  setp.eq.u32 %p, %kind, 4;\n"
  "  @%p bra I32;\n"
  "  setp.eq.u32 %p, %kind, 5;\n"
  "  @%p bra U32;\n"
  "  setp.eq.u32 %p, %kind, 6;\n"
  "  @%p bra I16;\n"
  "  setp.eq.u32 %p, %kind, 7;\n"
  "  @%p bra U16;\n"
  "  setp.eq.u32 %p, %kind, 8;\n"
  "  @%p bra I8;\n"
  "  ld.global.u8 %w, [%at];\n"
  "  cvt.rn.f64.u32 %x, %w;\n"
  "  bra.uni COMPARE;\n"
  "I8:\n"
  "  ld.global.s8 %w, [%at];\n"
  "  cvt.rn.f64.s32 %x, %w;\n"
  "  bra.uni COMPARE;\n"
  "U16:\n"
  "  ld.global.u16 %w, [%at];\n"
  "  cvt.rn.f64.u32 %x, %w;\n"
  "  bra.uni COMPARE;\n"
  "I16:\n"
  "  ld.global.s16 %w, [%at];\n"
  "  cvt.rn.f64.s32 %x, %w;\n"
  "  bra.uni COMPARE;\n"
  "U32:\n"
  "  ld.global.u32 %w, [%at];\n"
  "  cvt.rn.f64.u32 %x, %w;\n"
  "  bra.uni COMPARE;\n"
  "I32:\n"
  "  ld.global.u32 %w, [%at];\n"
  "  cvt.rn.f64.s32 %x, %w;\n"
  "  bra.uni COMPARE;\n"
  "U64:\n"
  "  ld.global.u64 %d, [%at];\n"
  "  cvt.rn.f64.u64 %x, %d;\n"
  "  bra.uni COMPARE;\n"
  "I64:\n"
  "  ld.global.u64 %d, [%at];\n"
  "  cvt.rn.f64.s64 %x, %d;\n"
  "  bra.uni COMPARE;\n"
  "F32:\n"
  "  ld.global.f32 %f, [%at];\n"
  "  cvt.f64.f32 %x, %f;\n"
  "  bra.uni COMPARE;\n"
  "F64:\n"
  "  ld.global.f64 %x, [%at];\n"
  "COMPARE:\n"
  "  setp.gt.f64 %p, %x, %bound;\n"
  "  setp.lt.f64 %q, %x, %bound;\n"
  "  selp.u32 %met, 1, 0, %p;\n"
  "  selp.u32 %w, 1, 0, %q;\n"
  "  setp.ne.u32 %p, %above, 0;\n"
  "  selp.u32 %met, %met, %w, %p;\n"
  "  sub.u32 %left, %left, 1;\n"
  "  add.u64 %made, %made, 1;\n"
  "  st.global.u32 [%s+28], %left;\n"
  "  st.global.u64 [%s+32], %made;\n"
  "  st.global.f64 [%s+40], %x;\n"
  "  st.global.u32 [%s+48], %met;\n"
  "  setp.ne.u32 %p, %left, 0;\n"
  "  setp.eq.and.u32 %p, %met, 0, %p;\n"
  "  selp.u32 %goes, 1, 0, %p;\n"
  "  {\n"
  "    .param .b64 a;\n"
  "    .param .b32 b;\n"
  "    st.param.b64 [a], %h;\n"
  "    st.param.b32 [b], %goes;\n"
  "    call.uni cudaGraphSetConditional, (a, b);\n"
  "  }\n"
  "  ret;\n"
  "}\n";

/* What the runs of a context share: the code, and page-locked memory for answers, which is never freed. */
typedef struct place {
  answer answers[TAICHI_AOT_CHUNKS]; /* of the launches in these slots */
  struct place *next;
} place;

typedef struct taichi_aot_cuda_checks {
  int is_usable;
  void *gate;
  void *check;
  place *free;
} checks;

/* What a recording keeps for its runs. */
typedef struct taichi_aot_checker {
  int is_refused;   /* the host has to check the number: that is not tried again */
  void *graph;      /* that can be launched, or NULL */
  int64_t every;    /* iterations from one check to the next in it */
  uint32_t *changes; /* of each launch when it was made */
  void *stream;     /* of the last launch */
  void *block;      /* of the device, for the question */
  uint64_t address; /* of the question */
  place *place;
  taichi_aot_recording pace; /* how many checks a launch makes; nothing else of it is used */
} checker;

/* Loads the code. */
static int load(checks *own) {
  void *module = NULL;
  if (!find_functions()) return 0;
  return cuda.cuModuleLoadDataEx(&module, code, 0, NULL, NULL) == CUDA_OK &&
         cuda.cuModuleGetFunction(&own->gate, module, "taichi_aot_gate") == CUDA_OK &&
         cuda.cuModuleGetFunction(&own->check, module, "taichi_aot_check") == CUDA_OK;
}

/* What runs share; the first one tries whether the device can check a number. NULL without memory. */
static checks *checks_of(taichi_aot_context *context) {
  taichi_aot_cuda *own = taichi_aot_cuda_of(context);
  if (own->checks != NULL) return own->checks;
  own->checks = (checks *)calloc(1, sizeof *own->checks);
  if (own->checks != NULL) own->checks->is_usable = load(own->checks);
  return own->checks;
}

/* Memory of the host that the device can write to, or NULL. */
static place *take_place(checks *own) {
  place *taken = own->free;
  if (taken == NULL) {
    void *page = NULL;
    size_t i;
    if (cuda.cuMemAllocHost_v2(&page, PAGE) != CUDA_OK) return NULL;
    for (i = 0; i < PAGE / sizeof *taken; ++i) {
      taken = (place *)page + i;
      taken->next = own->free;
      own->free = taken;
    }
  }
  own->free = taken->next;
  return taken;
}

/* Whether it has what runs need. */
static int fill(taichi_aot_context *context, checker *own, uint32_t count) {
  checks *shared = checks_of(context);
  if (shared == NULL || !shared->is_usable) return 0;
  own->changes = (uint32_t *)calloc(count, sizeof *own->changes);
  if (own->changes == NULL) return 0;
  own->block = taichi_aot_cuda_take_block(context, sizeof(question), &own->address);
  if (own->block == NULL) return 0;
  own->place = take_place(shared);
  return own->place != NULL;
}

/* What a recording keeps; NULL if the host has to check. */
static checker *checker_of(taichi_aot_runtime *runtime, taichi_aot_recording *recording, uint32_t count) {
  checker *own = recording->checker;
  if (own == NULL) {
    own = recording->checker = (checker *)calloc(1, sizeof *own);
    if (own == NULL) return NULL;
    if (recording->previous == NULL) taichi_aot_keep_recording(runtime, recording);
    own->is_refused = !fill(runtime->context, own, count);
    own->pace.size = 1;
  }
  return own->is_refused ? NULL : own;
}

/* A graph is freed after it has run. */
static int free_graph(checker *own) {
  const int result = own->graph != NULL ? cuda.cuGraphExecDestroy(own->graph) : CUDA_OK;
  own->graph = NULL;
  return taichi_aot_cuda_error("cuGraphExecDestroy", result);
}

/* What launches still write to is used again in the order of launches. */
void taichi_aot_cuda_free_until(taichi_aot_context *context, taichi_aot_recording *recording) {
  checker *own = recording->checker;
  if (own == NULL) return;
  recording->checker = NULL;
  taichi_aot_cuda_note(context, free_graph(own));
  if (own->block != NULL) taichi_aot_cuda_give_block(context, own->block);
  if (own->place != NULL) {
    checks *shared = checks_of(context);
    own->place->next = shared->free;
    shared->free = own->place;
  }
  free(own->changes);
  free(own);
}

/* Graphs. */

/* Adds the WHILE node behind `last`; its body, or NULL. */
static void *add_loop(taichi_aot_context *context, void *graph, void **last, unsigned long long handle) {
  conditional_node info;
  void *node = NULL;
  memset(&info, 0, sizeof info);
  info.type = CONDITIONAL_NODE;
  info.handle = handle;
  info.kind = WHILE_NODE;
  info.size = 1;
  info.context = taichi_aot_cuda_of(context)->handle;
  if (cuda.cuGraphAddNode(&node, graph, last, 1, &info) != CUDA_OK || info.bodies == NULL) return NULL;
  *last = node;
  return info.bodies[0];
}

/* Adds all nodes to a graph; whether it could. */
static int fill_graph(taichi_aot_context *context, void *graph, const taichi_aot_sequence_item *items, uint32_t count,
                      checker *own) {
  const checks *shared = checks_of(context);
  unsigned long long handle = 0;
  void *parameters[2] = {&handle, &own->address};
  void *last = NULL, *body;
  void *const device = taichi_aot_cuda_of(context)->handle;
  if (cuda.cuGraphConditionalHandleCreate(&handle, graph, device, 0, HAS_DEFAULT) != CUDA_OK) return 0;
  if (taichi_aot_cuda_add_kernel(graph, &last, shared->gate, parameters) != CUDA_OK) return 0;
  body = add_loop(context, graph, &last, handle);
  last = NULL;
  return body != NULL && taichi_aot_cuda_add_iterations(body, &last, items, count, (uint32_t)own->every) == CUDA_OK &&
         taichi_aot_cuda_add_kernel(body, &last, shared->check, parameters) == CUDA_OK;
}

static void *make_graph(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count, checker *own) {
  void *graph = NULL, *result = NULL;
  if (cuda.cuGraphCreate(&graph, 0) != CUDA_OK) return NULL;
  if (!fill_graph(context, graph, items, count, own) || cuda.cuGraphInstantiateWithFlags(&result, graph, 0) != CUDA_OK)
    result = NULL;
  cuda.cuGraphDestroy(graph);
  return result;
}

/* Makes the graph anew if it is out of date; whether there is one. */
static int check_graph(taichi_aot_context *context, const taichi_aot_sequence_item *items, uint32_t count, int64_t every,
                       checker *own) {
  uint32_t i;
  int is_current = own->graph != NULL && own->every == every;
  for (i = 0; i < count; ++i) {
    const uint32_t changes = taichi_aot_cuda_changes_of(taichi_aot_recorded_of(&items[i]));
    if (own->changes[i] != changes) is_current = 0;
    own->changes[i] = changes;
  }
  if (is_current) return 1;
  free_graph(own);
  own->every = every;
  own->graph = make_graph(context, items, count, own);
  own->is_refused = own->graph == NULL;
  return own->graph != NULL;
}

/* Runs. */

/* Whether a run may leave its checks to the device, as far as its arguments say. */
static int is_for_device(const taichi_aot_sequence_item *items, uint32_t count, const taichi_aot_until *until) {
  uint32_t i;
  if (until->is_by_host || until->memory->address == 0 || until->every > TAICHI_AOT_LARGEST_CHUNK) return 0;
  for (i = 0; i < count; ++i)
    if (items[i].scratch != NULL) return 0; /* its arguments differ from one iteration to the next */
  return until->every * taichi_aot_tasks_of(items, count) <= TAICHI_AOT_LARGEST_CHUNK;
}

/* Puts the question of a run, or says how many checks the next launch makes; whether it could. */
static int ask(const checker *own, const taichi_aot_until *until, uint64_t number, uint32_t most, void *stream) {
  question asked;
  if (until->given > 0 && until->most == most) return 1;
  memset(&asked, 0, sizeof asked);
  asked.address = number;
  asked.bound = until->bound;
  asked.kind = kind_of(until->dtype);
  asked.is_above = until->is_above != 0;
  asked.most = most;
  if (until->given == 0) return cuda.cuMemcpyHtoDAsync_v2(own->address, &asked, sizeof asked, stream) == CUDA_OK;
  return cuda.cuMemcpyHtoDAsync_v2(own->address + offsetof(question, most), &most, sizeof most, stream) == CUDA_OK;
}

static void take_answer(const answer *from, taichi_aot_position *position, taichi_aot_until *until) {
  until->checked = until->begin + (int64_t)from->made * until->every;
  until->value = from->value;
  until->is_met = from->is_met != 0;
  position->iteration = until->checked;
}

/* Behind a launch: fetches its answer, now if it cannot be marked. */
static int fetch(taichi_aot_context *context, checker *own, void *stream, uint32_t most, taichi_aot_position *position,
                 taichi_aot_until *until) {
  const uint32_t slot = context->chunks.next;
  answer *target = &own->place->answers[slot];
  const uint64_t source = own->address + offsetof(question, answer);
  int code, is_fetched = cuda.cuMemcpyDtoHAsync_v2(target, source, sizeof *target, stream) == CUDA_OK;
  if (is_fetched) is_fetched = taichi_aot_cuda_mark_chunk(context, stream, &own->pace, most);
  if (is_fetched) {
    until->slots[until->open++] = slot;
    return 0;
  }
  code = taichi_aot_cuda_error("cuStreamSynchronize", cuda.cuStreamSynchronize(stream));
  if (code == 0) code = taichi_aot_cuda_copy((uint64_t)(uintptr_t)target, source, sizeof *target);
  if (code == 0) take_answer(target, position, until);
  until->open = 0; /* earlier answers say less */
  return code;
}

/* After a failure: waits for all launches, so that `position` says how many iterations were made. The code of the failure; 0 if
 * the number is met, because nothing has to be done any more. */
static int take_all(const checker *own, int code, taichi_aot_position *position, taichi_aot_until *until) {
  if (until->open > 0 && cuda.cuStreamSynchronize(own->stream) == CUDA_OK)
    take_answer(&own->place->answers[until->slots[until->open - 1]], position, until);
  until->open = 0;
  return until->is_met ? 0 : code;
}

/* Gives the device a launch of so many checks at most: 0, NOT_MINE, ARRAY_CLOSED or an error code. */
static int submit(const taichi_aot_sequence_item *items, uint32_t count, int64_t left, checker *own,
                  taichi_aot_position *position, taichi_aot_until *until) {
  taichi_aot_runtime *runtime = items[0].launch->runtime;
  taichi_aot_context *context = runtime->context;
  const uint32_t most = left < (int64_t)own->pace.size ? (uint32_t)left : own->pace.size;
  uint64_t number = until->offset;
  void *stream;
  uint32_t i;
  int code = taichi_aot_locate(until->memory, until->generation, &number);
  if (code == 0) code = taichi_aot_prepare_items(runtime, items, count, 1);
  if (code != 0) return code;
  if (!taichi_aot_cuda_begin_launch(context, &stream) || !check_graph(context, items, count, until->every, own) ||
      !ask(own, until, number, most, stream))
    return TAICHI_AOT_NOT_MINE;
  code = taichi_aot_cuda_error("cuGraphLaunch", cuda.cuGraphLaunch(own->graph, stream));
  if (code == 0) {
    own->stream = stream;
    until->most = most;
    until->given += most;
    for (i = 0; i < count; ++i)
      if (items[i].launch->result != NULL) items[i].launch->result->is_written = 1;
    code = fetch(context, own, stream, most, position, until);
  } else {
    code = take_all(own, code, position, until);
  }
  taichi_aot_cuda_end_launch(context);
  return code;
}

/* Launches that the number has ended do not tell how long others take. */
static void keep_pace(taichi_aot_context *context, checker *own, uint32_t most) {
  uint32_t i;
  if (own->pace.size > most) own->pace.size = most;
  for (i = 0; i < TAICHI_AOT_CHUNKS; ++i)
    if (context->chunks.recordings[i] == &own->pace) context->chunks.begun[i] = 0;
}

/* Takes the answers of launches that are done, after a little wait. A slot that another recording has since then was free. */
static int collect(taichi_aot_context *context, checker *own, taichi_aot_position *position, taichi_aot_until *until) {
  int code = 0;
  while (until->open > 0) {
    const uint32_t slot = until->slots[0];
    if (context->chunks.recordings[slot] == &own->pace &&
        !taichi_aot_chunk_is_done(context, slot, &own->pace, MOST_CHECKS, &code))
      return 0;
    if (code != 0) return take_all(own, code, position, until);
    take_answer(&own->place->answers[slot], position, until);
    if (until->is_met) keep_pace(context, own, until->most);
    until->slots[0] = until->slots[1];
    until->open -= 1;
    code = taichi_aot_report_failure(context);
    if (code != 0) return code;
  }
  return 0;
}

/* One step of a run: answers, and a launch if there is room. A launch that cannot be made ends the run when all before it are
 * answered, with a status that has no message: the next call would lose it. */
static int step(const taichi_aot_sequence_item *items, uint32_t count, int64_t checks_of_run, checker *own,
                taichi_aot_position *position, taichi_aot_until *until) {
  taichi_aot_context *context = items[0].launch->runtime->context;
  const int64_t left = checks_of_run - until->given;
  int code = collect(context, own, position, until);
  if (code != 0 || until->is_met) return code;
  if (until->ending != 0 || left == 0 || until->open == TAICHI_AOT_CHUNKS) return until->open == 0 ? until->ending : 0;
  if (taichi_aot_has_room(context, &own->pace, MOST_CHECKS, &code)) {
    code = code == 0 ? submit(items, count, left, own, position, until) : take_all(own, code, position, until);
    until->ending = code;
  }
  return until->open == 0 ? until->ending : 0;
}

/* As `taichi_aot_run_until`, for whole spans from check to check, with the device's checks: NOT_MINE if the host has to go on
 * from `position`. */
int taichi_aot_cuda_run_until(const taichi_aot_sequence_item *items, uint32_t count, int64_t repeat,
                              taichi_aot_recording *recording, taichi_aot_position *position, taichi_aot_until *until) {
  taichi_aot_runtime *runtime = items[0].launch->runtime;
  taichi_aot_context *context = runtime->context;
  const int flags = TAICHI_AOT_ENTER_MAY_WAIT | TAICHI_AOT_ENTER_ON_DEVICE | TAICHI_AOT_ENTER_TO_LAUNCH;
  const int64_t end = taichi_aot_milliseconds() + TAICHI_AOT_TURN;
  int64_t most;
  checker *own = NULL;
  int result = taichi_aot_enter_with(runtime, flags);
  if (result != 0) return result;
  result = context->backend->recorder->open(context);
  if (until->given == 0) until->begin = until->checked;
  most = (repeat - until->begin) / until->every;
  if (result == 0 && (until->given > 0 || (most > 0 && is_for_device(items, count, until))))
    own = checker_of(runtime, recording, count);
  if (result == 0 && own == NULL) result = TAICHI_AOT_NOT_MINE;
  while (result == 0 && !until->is_met && until->checked < until->begin + most * until->every) {
    result = step(items, count, most, own, position, until);
    if (result != 0 || taichi_aot_milliseconds() >= end) break;
    if (taichi_aot_waiting(&context->lock) > 0) {
      taichi_aot_leave_with(runtime, 0);
      taichi_aot_let_one_pass(&context->lock);
      result = taichi_aot_enter_with(runtime, flags);
      if (result != 0) return result;
    }
  }
  until->is_reading = result == TAICHI_AOT_ARRAY_CLOSED || result == TAICHI_AOT_CHECK_FAILED; /* for what to say of it */
  if (result == TAICHI_AOT_NOT_MINE) {
    until->is_by_host = 1;
    taichi_aot_clear_error();
  }
  return taichi_aot_leave_after(runtime, "cuGraphLaunch", result);
}
