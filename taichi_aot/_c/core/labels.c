/* A client of NVTX, without its headers: what NVTX 3 and the tools have agreed on.
 *
 * The tool's library is called with a function that finds tables. A table has the addresses of function pointers, which the
 * library sets. There are several modules of functions; the ranges of a domain are in one of them. A tool may set functions of
 * all modules, and those that are never called are set too. */

#include "core/labels.h"

#include "core/library.h"

#include <string.h>

enum { VERSION = 3, CALLBACKS = 1, VERSION_INFO = 3 };       /* of NVTX; tables that it exports */
enum { MODULES = 7, MOST_FUNCTIONS = 16, DOMAINS = 5 };      /* modules of functions */
enum { PUSH_RANGE = 4, POP_RANGE = 5, CREATE_DOMAIN = 12 };  /* in the module of domains */
enum { NO_PAYLOAD = 0, PAYLOAD_U64 = 1, TEXT = 1 };

typedef void(TAICHI_AOT_DRIVER_CALL *function)(void);

typedef struct event {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type;
  int32_t reserved;
  uint64_t payload;
  int32_t message_type;
  const char *message;
} event;

typedef void *(TAICHI_AOT_DRIVER_CALL *create_function)(const char *name);
typedef int(TAICHI_AOT_DRIVER_CALL *push_function)(void *domain, const event *attributes);
typedef int(TAICHI_AOT_DRIVER_CALL *pop_function)(void *domain);

_Static_assert(sizeof(event) == 48 || sizeof(void *) != 8, "the layout of NVTX");

static const unsigned int sizes[MODULES] = {0, 16, 9, 15, 7, 16, 7}; /* the number 0 is no function */
static function set[MODULES][MOST_FUNCTIONS];                        /* by the tool */
static function *tables[MODULES][MOST_FUNCTIONS + 1];

int32_t taichi_aot_has_listener;
static void *domain;
static push_function push_range;
static pop_function pop_range;

static int TAICHI_AOT_DRIVER_CALL find_table(int module, function ***table, unsigned int *size) {
  unsigned int i;
  if (module < 1 || module >= MODULES) return 0;
  for (i = 1; i < sizes[module]; ++i) tables[module][i] = &set[module][i];
  if (table != NULL) *table = tables[module];
  if (size != NULL) *size = sizes[module];
  return 1;
}

static void TAICHI_AOT_DRIVER_CALL set_tool_version(uint32_t version) { (void)version; }

static const struct {
  size_t size;
  int(TAICHI_AOT_DRIVER_CALL *find_table)(int module, function ***table, unsigned int *size);
} callbacks = {sizeof callbacks, find_table};

static const struct {
  size_t size;
  uint32_t version;
  uint32_t reserved;
  void(TAICHI_AOT_DRIVER_CALL *set_tool_version)(uint32_t version);
} version_info = {sizeof version_info, VERSION, 0, set_tool_version};

static const void *TAICHI_AOT_DRIVER_CALL find_export(uint32_t id) {
  if (id == CALLBACKS) return &callbacks;
  return id == VERSION_INFO ? &version_info : NULL;
}

/* Loads the library of a tool, which stays loaded. There is no listener if it cannot be loaded, or wants no ranges. */
void taichi_aot_labels_open(const char *path) {
  void *library = taichi_aot_has_listener ? NULL : taichi_aot_open(path);
  int(TAICHI_AOT_DRIVER_CALL *initialize)(const void *(TAICHI_AOT_DRIVER_CALL *find_export)(uint32_t id));
  create_function create_domain;
  if (library == NULL) return;
  *(void **)&initialize = taichi_aot_symbol(library, "InitializeInjectionNvtx2");
  if (initialize == NULL || !initialize(find_export)) return;
  create_domain = (create_function)set[DOMAINS][CREATE_DOMAIN];
  push_range = (push_function)set[DOMAINS][PUSH_RANGE];
  pop_range = (pop_function)set[DOMAINS][POP_RANGE];
  if (push_range == NULL || pop_range == NULL) return;
  if (create_domain != NULL) domain = create_domain("taichi_aot");
  taichi_aot_has_listener = 1;
}

int32_t taichi_aot_labels_listener(void) { return taichi_aot_has_listener; }

/* Begins a range of this thread; with a size in bytes, or 0. The tool copies the name. */
void taichi_aot_push_range(const char *name, uint64_t size) {
  event attributes;
  if (!taichi_aot_has_listener) return;
  memset(&attributes, 0, sizeof attributes);
  attributes.version = VERSION;
  attributes.size = sizeof attributes;
  attributes.payload_type = size > 0 ? PAYLOAD_U64 : NO_PAYLOAD;
  attributes.payload = size;
  attributes.message_type = TEXT;
  attributes.message = name;
  push_range(domain, &attributes);
}

void taichi_aot_pop_range(void) {
  if (taichi_aot_has_listener) pop_range(domain);
}
