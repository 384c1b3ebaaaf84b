/* What a profiler loads into the process to listen to NVTX: it writes the ranges of each domain into the file PROFILER_LOG. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

enum { CALLBACKS = 1, VERSION_INFO = 3, DOMAINS = 5, CREATE_DOMAIN = 12, PUSH = 4, POP = 5 };

typedef void (*function)(void);

typedef struct event {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const char *message;
} event;

typedef struct callbacks {
  size_t size;
  int (*find_table)(int module, function ***table, unsigned int *size);
} callbacks;

typedef struct version_info {
  size_t size;
  uint32_t version, reserved;
  void (*set_tool_version)(uint32_t version);
} version_info;

#if defined(__has_include) && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define SAME_PLACE(ours, theirs) \
  _Static_assert(offsetof(event, ours) == offsetof(nvtxEventAttributes_t, theirs), #ours)
_Static_assert(sizeof(event) == sizeof(nvtxEventAttributes_t), "event");
SAME_PLACE(version, version);
SAME_PLACE(size, size);
SAME_PLACE(payload_type, payloadType);
SAME_PLACE(payload, payload);
SAME_PLACE(message_type, messageType);
SAME_PLACE(message, message);
_Static_assert(sizeof(callbacks) == sizeof(NvtxExportTableCallbacks), "callbacks");
_Static_assert(sizeof(version_info) == sizeof(NvtxExportTableVersionInfo), "version_info");
#define SAME_NUMBER(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs)
SAME_NUMBER(CALLBACKS, NVTX_ETID_CALLBACKS);
SAME_NUMBER(VERSION_INFO, NVTX_ETID_VERSIONINFO);
SAME_NUMBER(DOMAINS, NVTX_CB_MODULE_CORE2);
SAME_NUMBER(CREATE_DOMAIN, NVTX_CBID_CORE2_DomainCreateA);
SAME_NUMBER(PUSH, NVTX_CBID_CORE2_DomainRangePushEx);
SAME_NUMBER(POP, NVTX_CBID_CORE2_DomainRangePop);
SAME_NUMBER(7, NVTX_CB_MODULE_SIZE);
_Static_assert(NVTX_CBID_CORE_SIZE == 16 && NVTX_CBID_CUDA_SIZE == 9 && NVTX_CBID_OPENCL_SIZE == 15, "sizes");
_Static_assert(NVTX_CBID_CUDART_SIZE == 7 && NVTX_CBID_CORE2_SIZE == 16 && NVTX_CBID_SYNC_SIZE == 7, "sizes");
_Static_assert(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 == 1 && NVTX_MESSAGE_TYPE_ASCII == 1, "types");
#endif

static FILE *log_file;
static _Thread_local int depth;

static void *create_domain(const char *name) {
  static char copy[64];
  snprintf(copy, sizeof copy, "%s", name);
  return copy;
}

static int push_range(void *domain, const event *attributes) {
  if (attributes->version != 3 || attributes->size != sizeof *attributes || attributes->message_type != 1) abort();
  fprintf(log_file, "%*s%s: %s", 2 * depth, "", (const char *)domain, attributes->message);
  if (attributes->payload_type == 1) fprintf(log_file, ", %llu bytes", (unsigned long long)attributes->payload);
  fputc('\n', log_file);
  fflush(log_file);
  return depth++;
}

static int pop_range(void *domain) {
  (void)domain;
  if (depth == 0) fprintf(log_file, "a range ended twice\n");
  return --depth;
}

static void do_nothing(void) {}

/* Sets all functions of all modules, as some tools do. */
EXPORT int InitializeInjectionNvtx2(const void *(*find_export)(uint32_t id)) {
  const callbacks *found = (const callbacks *)find_export(CALLBACKS);
  const version_info *info = (const version_info *)find_export(VERSION_INFO);
  const char *path = getenv("PROFILER_LOG");
  function **table;
  unsigned int size, i;
  int module;
  if (path == NULL || found == NULL || found->size != sizeof *found || info == NULL || info->version != 3) return 0;
  log_file = fopen(path, "w");
  if (log_file == NULL) return 0;
  info->set_tool_version(3);
  for (module = 1; found->find_table(module, &table, &size); ++module)
    for (i = 1; i < size; ++i) *table[i] = do_nothing;
  if (module != 7 || !found->find_table(DOMAINS, &table, &size)) return 0;
  *table[CREATE_DOMAIN] = (function)create_domain;
  *table[PUSH] = (function)push_range;
  *table[POP] = (function)pop_range;
  return 1;
}
