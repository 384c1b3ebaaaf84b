/* The Taichi C-API as a library that can fail, for tests. It forwards each function to the real library (REAL_LIBRARY),
 * and hands out Vulkan functions that forward to the driver. It counts the calls of each function and the objects that
 * are alive, and makes one call fail where a test wants it to.
 *
 * `forwarders.h` is made from the headers by fault_library.py: functions of the C-API and of Vulkan in one table. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TI_WITH_VULKAN 1
#define TI_WITH_CPU 1
#define TI_WITH_CUDA 1
#define TI_WITH_OPENGL 1
#include "taichi/taichi.h"
#include "drivers/vulkan_devices.h"
#include "drivers/vulkan_labels.h"

typedef void (*any_function)(void);

typedef struct function {
  const char *name;
  any_function forwarder;
  any_function original;
  const char *kind; /* of objects that it makes or releases, or NULL */
  long calls;       /* since `faults_arm` */
  long balance;     /* objects made less objects released, since the beginning */
} function;

static struct {
  char name[64]; /* the function that fails, or "" */
  long index;    /* of the failing call */
  int code;
  long fired;
} fault;

static function functions[];

static void die(const char *what) {
  fprintf(stderr, "fault library: %s\n", what);
  abort();
}

/* Counts a call; true if it must fail. */
static bool counts_to_failure(function *called) {
  const long index = called->calls++;
  if (index != fault.index || strcmp(called->name, fault.name) != 0) return false;
  fault.fired += 1;
  return true;
}

static void *real_library(void) {
  static void *library;
  if (library == NULL) library = dlopen(REAL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) die(dlerror());
  return library;
}

/* Functions of the C-API are found when they are first called, those of Vulkan when the package asks for them. */
static any_function original_of(function *called) {
  if (called->original == NULL) called->original = (any_function)dlsym(real_library(), called->name);
  if (called->original == NULL) die(called->name);
  return called->original;
}

#define ORIGINAL(name, type) ((type)original_of(&functions[NUMBER_##name]))

/* The error of a call that was made to fail. The real library keeps the others, and prints each. */
static _Thread_local struct {
  TiError code;
  char message[128];
} error;

static void report_failure(const char *name) {
  error.code = (TiError)fault.code;
  snprintf(error.message, sizeof error.message, "%s was made to fail", name);
}

/* Fences that a submission will signal: the device uses them until they or the queue have been waited for, or it is lost. */
enum { NOT_READY = 1, DEVICE_LOST = -4, MOST_FENCES = 1024 };
static VkFence fences_in_use[MOST_FENCES];
static unsigned long submitted[MOST_FENCES]; /* the numbers of their submissions, which signal in that order */
static unsigned long submissions;
static long misused;
static long wide_barriers; /* since `faults_arm` */

static VkFence *find_fence(VkFence fence) {
  for (size_t i = 0; i < MOST_FENCES; ++i)
    if (fences_in_use[i] == fence) return &fences_in_use[i];
  return NULL;
}

static void begin_use(VkFence fence) {
  VkFence *free_place = find_fence(NULL);
  if (free_place == NULL) die("too many fences");
  *free_place = fence;
  submitted[free_place - fences_in_use] = ++submissions;
}

/* It has been signalled, and so have those of the submissions before. */
static void end_use(VkFence fence) {
  const VkFence *place = find_fence(fence);
  if (place == NULL) return;
  const unsigned long number = submitted[place - fences_in_use];
  for (size_t i = 0; i < MOST_FENCES; ++i)
    if (submitted[i] <= number) fences_in_use[i] = NULL;
}

static void check_unused(VkFence fence) {
  VkFence *place = find_fence(fence);
  misused += place != NULL;
  if (place != NULL) *place = NULL;
}

/* Where a wait fails, the device finishes all the same, so that what it uses can be released. */
static void await(VkDevice device, VkFence fence);

static PFN_vkGetInstanceProcAddr instance_functions;
static PFN_vkGetDeviceProcAddr device_functions;

#include "forwarders.h"

static void await(VkDevice device, VkFence fence) {
  ORIGINAL(vkWaitForFences, PFN_vkWaitForFences)(device, 1, &fence, 1, UINT64_MAX);
}

TI_DLL_EXPORT uint32_t ti_get_version(void) { return ORIGINAL(ti_get_version, uint32_t (*)(void))(); }

TI_DLL_EXPORT TiError ti_get_last_error(uint64_t *size, char *message) {
  if (error.code == TI_ERROR_SUCCESS)
    return ORIGINAL(ti_get_last_error, TiError (*)(uint64_t *, char *))(size, message);
  if (size != NULL && message != NULL) snprintf(message, (size_t)*size, "%s", error.message);
  return error.code;
}

TI_DLL_EXPORT void ti_set_last_error(TiError code, const char *message) {
  error.code = TI_ERROR_SUCCESS;
  ORIGINAL(ti_set_last_error, void (*)(TiError, const char *))(code, message);
}

static PFN_vkVoidFunction find_device_function(VkDevice device, const char *name) {
  if (counts_to_failure(&functions[NUMBER_vkGetDeviceProcAddr])) return NULL;
  for (size_t i = 0; i < COUNT; ++i) {
    if (functions[i].forwarder == NULL || strcmp(functions[i].name, name) != 0) continue;
    functions[i].original = (any_function)device_functions(device, name);
    return (PFN_vkVoidFunction)functions[i].forwarder;
  }
  return device_functions(device, name);
}

/* The loader's, as the package finds it in this library, which stands in for the loader. */
TI_DLL_EXPORT PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name) {
  PFN_vkVoidFunction found;
  if (instance_functions == NULL)
    instance_functions =
        (PFN_vkGetInstanceProcAddr)dlsym(dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL), "vkGetInstanceProcAddr");
  if (counts_to_failure(&functions[NUMBER_vkGetInstanceProcAddr])) return NULL;
  found = instance_functions(instance, name);
  for (size_t i = 0; i < COUNT; ++i) {
    if (functions[i].forwarder == NULL || strcmp(functions[i].name, name) != 0) continue;
    functions[i].original = (any_function)found;
    return (PFN_vkVoidFunction)functions[i].forwarder;
  }
  if (strcmp(name, "vkGetDeviceProcAddr") != 0) return found;
  device_functions = (PFN_vkGetDeviceProcAddr)found;
  return (PFN_vkVoidFunction)find_device_function;
}

/* --- Interface for tests --- */

#define EXPORT __attribute__((visibility("default")))

/* Counts calls from 0 again. The call of this number of the function will fail with this code; none if `name` is "".
 * Before a failure it forgets the fences of earlier ones. */
EXPORT void faults_arm(const char *name, long index, int code) {
  snprintf(fault.name, sizeof fault.name, "%s", name);
  fault.index = index;
  fault.code = code;
  fault.fired = 0;
  wide_barriers = 0;
  if (*name != '\0') memset(fences_in_use, 0, sizeof fences_in_use);
  for (size_t i = 0; i < COUNT; ++i) functions[i].calls = 0;
}

EXPORT long faults_fired(void) { return fault.fired; }

/* Fences that were reset or destroyed while the device used them. */
EXPORT long faults_misused(void) { return misused; }

/* Barriers that wait for all stages, since `faults_arm`. */
EXPORT long faults_wide_barriers(void) { return wide_barriers; }

/* The name, calls and objects of a function; NULL behind the last one. */
EXPORT const char *faults_function(size_t i, long *calls, const char **kind, long *balance) {
  if (i >= COUNT) return NULL;
  *calls = functions[i].calls;
  *kind = functions[i].kind;
  *balance = functions[i].balance;
  return functions[i].name;
}
