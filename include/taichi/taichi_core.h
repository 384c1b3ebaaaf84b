/* Core of the public C ABI of Taichi 1.7.
 *
 * Declarations only. build_ffi.py derives the Python bindings and the table of function pointers from
 * this text, so each prototype is only here: one per statement, with all parameters named. */
#ifndef TAICHI_CORE_H
#define TAICHI_CORE_H

#include "taichi_platform.h"

#ifndef TI_C_API_VERSION
#define TI_C_API_VERSION 1007000
#endif

#define TI_FALSE 0
#define TI_TRUE 1
#define TI_NULL_HANDLE 0

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t TiBool;
typedef uint32_t TiFlags;

/* Handles are opaque; 0 is the null handle. */
typedef struct TiRuntime_t *TiRuntime;
typedef struct TiAotModule_t *TiAotModule;
typedef struct TiMemory_t *TiMemory;
typedef struct TiImage_t *TiImage;
typedef struct TiSampler_t *TiSampler;
typedef struct TiKernel_t *TiKernel;
typedef struct TiComputeGraph_t *TiComputeGraph;

/* Every MAX_ENUM stays: without it a compiler or cffi may choose another width. */
typedef enum TiError {
  TI_ERROR_SUCCESS = 0,
  TI_ERROR_NOT_SUPPORTED = -1,
  TI_ERROR_CORRUPTED_DATA = -2,
  TI_ERROR_NAME_NOT_FOUND = -3,
  TI_ERROR_INVALID_ARGUMENT = -4,
  TI_ERROR_ARGUMENT_NULL = -5,
  TI_ERROR_ARGUMENT_OUT_OF_RANGE = -6,
  TI_ERROR_ARGUMENT_NOT_FOUND = -7,
  TI_ERROR_INVALID_INTEROP = -8,
  TI_ERROR_INVALID_STATE = -9,
  TI_ERROR_INCOMPATIBLE_MODULE = -10,
  TI_ERROR_OUT_OF_MEMORY = -11,
  TI_ERROR_MAX_ENUM = 0xffffffff
} TiError;

typedef enum TiArch {
  TI_ARCH_RESERVED = 0,
  TI_ARCH_VULKAN = 1,
  TI_ARCH_METAL = 2,
  TI_ARCH_CUDA = 3,
  TI_ARCH_X64 = 4,
  TI_ARCH_ARM64 = 5,
  TI_ARCH_OPENGL = 6,
  TI_ARCH_GLES = 7,
  TI_ARCH_MAX_ENUM = 0xffffffff
} TiArch;

typedef enum TiCapability {
  TI_CAPABILITY_RESERVED = 0,
  TI_CAPABILITY_SPIRV_VERSION = 1,
  TI_CAPABILITY_SPIRV_HAS_INT8 = 2,
  TI_CAPABILITY_SPIRV_HAS_INT16 = 3,
  TI_CAPABILITY_SPIRV_HAS_INT64 = 4,
  TI_CAPABILITY_SPIRV_HAS_FLOAT16 = 5,
  TI_CAPABILITY_SPIRV_HAS_FLOAT64 = 6,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_INT64 = 7,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT16 = 8,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT16_ADD = 9,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT16_MINMAX = 10,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT = 11,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT_ADD = 12,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT_MINMAX = 13,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT64 = 14,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT64_ADD = 15,
  TI_CAPABILITY_SPIRV_HAS_ATOMIC_FLOAT64_MINMAX = 16,
  TI_CAPABILITY_SPIRV_HAS_VARIABLE_PTR = 17,
  TI_CAPABILITY_SPIRV_HAS_PHYSICAL_STORAGE_BUFFER = 18,
  TI_CAPABILITY_SPIRV_HAS_SUBGROUP_BASIC = 19,
  TI_CAPABILITY_SPIRV_HAS_SUBGROUP_VOTE = 20,
  TI_CAPABILITY_SPIRV_HAS_SUBGROUP_ARITHMETIC = 21,
  TI_CAPABILITY_SPIRV_HAS_SUBGROUP_BALLOT = 22,
  TI_CAPABILITY_SPIRV_HAS_NON_SEMANTIC_INFO = 23,
  TI_CAPABILITY_SPIRV_HAS_NO_INTEGER_WRAP_DECORATION = 24,
  TI_CAPABILITY_MAX_ENUM = 0xffffffff
} TiCapability;

typedef struct TiCapabilityLevelInfo {
  TiCapability capability;
  uint32_t level;
} TiCapabilityLevelInfo;

typedef enum TiDataType {
  TI_DATA_TYPE_F16 = 0,
  TI_DATA_TYPE_F32 = 1,
  TI_DATA_TYPE_F64 = 2,
  TI_DATA_TYPE_I8 = 3,
  TI_DATA_TYPE_I16 = 4,
  TI_DATA_TYPE_I32 = 5,
  TI_DATA_TYPE_I64 = 6,
  TI_DATA_TYPE_U1 = 7,
  TI_DATA_TYPE_U8 = 8,
  TI_DATA_TYPE_U16 = 9,
  TI_DATA_TYPE_U32 = 10,
  TI_DATA_TYPE_U64 = 11,
  TI_DATA_TYPE_GEN = 12,
  TI_DATA_TYPE_UNKNOWN = 13,
  TI_DATA_TYPE_MAX_ENUM = 0xffffffff
} TiDataType;

typedef enum TiArgumentType {
  TI_ARGUMENT_TYPE_I32 = 0,
  TI_ARGUMENT_TYPE_F32 = 1,
  TI_ARGUMENT_TYPE_NDARRAY = 2,
  TI_ARGUMENT_TYPE_TEXTURE = 3,
  TI_ARGUMENT_TYPE_SCALAR = 4,
  TI_ARGUMENT_TYPE_TENSOR = 5,
  TI_ARGUMENT_TYPE_MAX_ENUM = 0xffffffff
} TiArgumentType;

/* Memory. */

typedef enum TiMemoryUsageFlagBits {
  TI_MEMORY_USAGE_STORAGE_BIT = 1 << 0,
  TI_MEMORY_USAGE_UNIFORM_BIT = 1 << 1,
  TI_MEMORY_USAGE_VERTEX_BIT = 1 << 2,
  TI_MEMORY_USAGE_INDEX_BIT = 1 << 3
} TiMemoryUsageFlagBits;
typedef TiFlags TiMemoryUsageFlags;

typedef struct TiMemoryAllocateInfo {
  uint64_t size;
  TiBool host_write;
  TiBool host_read;
  TiBool export_sharing;
  TiMemoryUsageFlags usage;
} TiMemoryAllocateInfo;

typedef struct TiMemorySlice {
  TiMemory memory;
  uint64_t offset;
  uint64_t size;
} TiMemorySlice;

typedef struct TiNdShape {
  uint32_t dim_count;
  uint32_t dims[16];
} TiNdShape;

typedef struct TiNdArray {
  TiMemory memory;
  TiNdShape shape;
  TiNdShape elem_shape;
  TiDataType elem_type;
} TiNdArray;

/* Images. */

typedef enum TiImageUsageFlagBits {
  TI_IMAGE_USAGE_STORAGE_BIT = 1 << 0,
  TI_IMAGE_USAGE_SAMPLED_BIT = 1 << 1,
  TI_IMAGE_USAGE_ATTACHMENT_BIT = 1 << 2
} TiImageUsageFlagBits;
typedef TiFlags TiImageUsageFlags;

typedef enum TiImageDimension {
  TI_IMAGE_DIMENSION_1D = 0,
  TI_IMAGE_DIMENSION_2D = 1,
  TI_IMAGE_DIMENSION_3D = 2,
  TI_IMAGE_DIMENSION_1D_ARRAY = 3,
  TI_IMAGE_DIMENSION_2D_ARRAY = 4,
  TI_IMAGE_DIMENSION_CUBE = 5,
  TI_IMAGE_DIMENSION_MAX_ENUM = 0xffffffff
} TiImageDimension;

typedef enum TiImageLayout {
  TI_IMAGE_LAYOUT_UNDEFINED = 0,
  TI_IMAGE_LAYOUT_SHADER_READ = 1,
  TI_IMAGE_LAYOUT_SHADER_WRITE = 2,
  TI_IMAGE_LAYOUT_SHADER_READ_WRITE = 3,
  TI_IMAGE_LAYOUT_COLOR_ATTACHMENT = 4,
  TI_IMAGE_LAYOUT_COLOR_ATTACHMENT_READ = 5,
  TI_IMAGE_LAYOUT_DEPTH_ATTACHMENT = 6,
  TI_IMAGE_LAYOUT_DEPTH_ATTACHMENT_READ = 7,
  TI_IMAGE_LAYOUT_TRANSFER_DST = 8,
  TI_IMAGE_LAYOUT_TRANSFER_SRC = 9,
  TI_IMAGE_LAYOUT_PRESENT_SRC = 10,
  TI_IMAGE_LAYOUT_MAX_ENUM = 0xffffffff
} TiImageLayout;

typedef enum TiFormat {
  TI_FORMAT_UNKNOWN = 0,
  TI_FORMAT_R8 = 1,
  TI_FORMAT_RG8 = 2,
  TI_FORMAT_RGBA8 = 3,
  TI_FORMAT_RGBA8SRGB = 4,
  TI_FORMAT_BGRA8 = 5,
  TI_FORMAT_BGRA8SRGB = 6,
  TI_FORMAT_R8U = 7,
  TI_FORMAT_RG8U = 8,
  TI_FORMAT_RGBA8U = 9,
  TI_FORMAT_R8I = 10,
  TI_FORMAT_RG8I = 11,
  TI_FORMAT_RGBA8I = 12,
  TI_FORMAT_R16 = 13,
  TI_FORMAT_RG16 = 14,
  TI_FORMAT_RGB16 = 15,
  TI_FORMAT_RGBA16 = 16,
  TI_FORMAT_R16U = 17,
  TI_FORMAT_RG16U = 18,
  TI_FORMAT_RGB16U = 19,
  TI_FORMAT_RGBA16U = 20,
  TI_FORMAT_R16I = 21,
  TI_FORMAT_RG16I = 22,
  TI_FORMAT_RGB16I = 23,
  TI_FORMAT_RGBA16I = 24,
  TI_FORMAT_R16F = 25,
  TI_FORMAT_RG16F = 26,
  TI_FORMAT_RGB16F = 27,
  TI_FORMAT_RGBA16F = 28,
  TI_FORMAT_R32U = 29,
  TI_FORMAT_RG32U = 30,
  TI_FORMAT_RGB32U = 31,
  TI_FORMAT_RGBA32U = 32,
  TI_FORMAT_R32I = 33,
  TI_FORMAT_RG32I = 34,
  TI_FORMAT_RGB32I = 35,
  TI_FORMAT_RGBA32I = 36,
  TI_FORMAT_R32F = 37,
  TI_FORMAT_RG32F = 38,
  TI_FORMAT_RGB32F = 39,
  TI_FORMAT_RGBA32F = 40,
  TI_FORMAT_DEPTH16 = 41,
  TI_FORMAT_DEPTH24STENCIL8 = 42,
  TI_FORMAT_DEPTH32F = 43,
  TI_FORMAT_MAX_ENUM = 0xffffffff
} TiFormat;

typedef struct TiImageOffset {
  uint32_t x;
  uint32_t y;
  uint32_t z;
  uint32_t array_layer_offset;
} TiImageOffset;

typedef struct TiImageExtent {
  uint32_t width;
  uint32_t height;
  uint32_t depth;
  uint32_t array_layer_count;
} TiImageExtent;

typedef struct TiImageAllocateInfo {
  TiImageDimension dimension;
  TiImageExtent extent;
  uint32_t mip_level_count;
  TiFormat format;
  TiBool export_sharing;
  TiImageUsageFlags usage;
} TiImageAllocateInfo;

typedef struct TiImageSlice {
  TiImage image;
  TiImageOffset offset;
  TiImageExtent extent;
  uint32_t mip_level;
} TiImageSlice;

typedef enum TiFilter {
  TI_FILTER_NEAREST = 0,
  TI_FILTER_LINEAR = 1,
  TI_FILTER_MAX_ENUM = 0xffffffff
} TiFilter;

typedef enum TiAddressMode {
  TI_ADDRESS_MODE_REPEAT = 0,
  TI_ADDRESS_MODE_MIRRORED_REPEAT = 1,
  TI_ADDRESS_MODE_CLAMP_TO_EDGE = 2,
  TI_ADDRESS_MODE_MAX_ENUM = 0xffffffff
} TiAddressMode;

typedef struct TiSamplerCreateInfo {
  TiFilter mag_filter;
  TiFilter min_filter;
  TiAddressMode address_mode;
  float max_anisotropy;
} TiSamplerCreateInfo;

typedef struct TiTexture {
  TiImage image;
  TiSampler sampler;
  TiImageDimension dimension;
  TiImageExtent extent;
  TiFormat format;
} TiTexture;

/* Arguments. */

typedef union TiScalarValue {
  uint8_t x8;
  uint16_t x16;
  uint32_t x32;
  uint64_t x64;
} TiScalarValue;

typedef struct TiScalar {
  TiDataType type;
  TiScalarValue value;
} TiScalar;

typedef union TiTensorValue {
  uint8_t x8[128];
  uint16_t x16[64];
  uint32_t x32[32];
  uint64_t x64[16];
} TiTensorValue;

typedef struct TiTensorValueWithLength {
  uint32_t length;
  TiTensorValue data;
} TiTensorValueWithLength;

typedef struct TiTensor {
  TiDataType type;
  TiTensorValueWithLength contents;
} TiTensor;

typedef union TiArgumentValue {
  int32_t i32;
  float f32;
  TiNdArray ndarray;
  TiTexture texture;
  TiScalar scalar;
  TiTensor tensor;
} TiArgumentValue;

typedef struct TiArgument {
  TiArgumentType type;
  TiArgumentValue value;
} TiArgument;

typedef struct TiNamedArgument {
  const char *name;
  TiArgument argument;
} TiNamedArgument;

/* The library and its errors. */

TI_DLL_EXPORT uint32_t TI_API_CALL ti_get_version(void);
TI_DLL_EXPORT void TI_API_CALL ti_get_available_archs(uint32_t *arch_count, TiArch *archs);
TI_DLL_EXPORT TiError TI_API_CALL ti_get_last_error(uint64_t *message_size, char *message);
TI_DLL_EXPORT void TI_API_CALL ti_set_last_error(TiError error, const char *message);

/* Runtimes. */

TI_DLL_EXPORT TiRuntime TI_API_CALL ti_create_runtime(TiArch arch, uint32_t device_index);
TI_DLL_EXPORT void TI_API_CALL ti_destroy_runtime(TiRuntime runtime);
TI_DLL_EXPORT void TI_API_CALL ti_set_runtime_capabilities_ext(TiRuntime runtime, uint32_t capability_count,
                                                               const TiCapabilityLevelInfo *capabilities);
TI_DLL_EXPORT void TI_API_CALL ti_get_runtime_capabilities(TiRuntime runtime, uint32_t *capability_count,
                                                           TiCapabilityLevelInfo *capabilities);
TI_DLL_EXPORT void TI_API_CALL ti_flush(TiRuntime runtime);
TI_DLL_EXPORT void TI_API_CALL ti_wait(TiRuntime runtime);

/* Memory and images. */

TI_DLL_EXPORT TiMemory TI_API_CALL ti_allocate_memory(TiRuntime runtime, const TiMemoryAllocateInfo *allocate_info);
TI_DLL_EXPORT void TI_API_CALL ti_free_memory(TiRuntime runtime, TiMemory memory);
TI_DLL_EXPORT void *TI_API_CALL ti_map_memory(TiRuntime runtime, TiMemory memory);
TI_DLL_EXPORT void TI_API_CALL ti_unmap_memory(TiRuntime runtime, TiMemory memory);
TI_DLL_EXPORT TiImage TI_API_CALL ti_allocate_image(TiRuntime runtime, const TiImageAllocateInfo *allocate_info);
TI_DLL_EXPORT void TI_API_CALL ti_free_image(TiRuntime runtime, TiImage image);
TI_DLL_EXPORT TiSampler TI_API_CALL ti_create_sampler(TiRuntime runtime, const TiSamplerCreateInfo *create_info);
TI_DLL_EXPORT void TI_API_CALL ti_destroy_sampler(TiRuntime runtime, TiSampler sampler);
TI_DLL_EXPORT void TI_API_CALL ti_copy_memory_device_to_device(TiRuntime runtime, const TiMemorySlice *dst_memory,
                                                               const TiMemorySlice *src_memory);
TI_DLL_EXPORT void TI_API_CALL ti_copy_image_device_to_device(TiRuntime runtime, const TiImageSlice *dst_image,
                                                              const TiImageSlice *src_image);
TI_DLL_EXPORT void TI_API_CALL ti_track_image_ext(TiRuntime runtime, TiImage image, TiImageLayout layout);
TI_DLL_EXPORT void TI_API_CALL ti_transition_image(TiRuntime runtime, TiImage image, TiImageLayout layout);

/* Modules and launches. */

TI_DLL_EXPORT TiAotModule TI_API_CALL ti_load_aot_module(TiRuntime runtime, const char *module_path);
TI_DLL_EXPORT TiAotModule TI_API_CALL ti_create_aot_module(TiRuntime runtime, const void *tcm, uint64_t size);
TI_DLL_EXPORT void TI_API_CALL ti_destroy_aot_module(TiAotModule aot_module);
TI_DLL_EXPORT TiKernel TI_API_CALL ti_get_aot_module_kernel(TiAotModule aot_module, const char *name);
TI_DLL_EXPORT TiComputeGraph TI_API_CALL ti_get_aot_module_compute_graph(TiAotModule aot_module, const char *name);
TI_DLL_EXPORT void TI_API_CALL ti_launch_kernel(TiRuntime runtime, TiKernel kernel, uint32_t arg_count,
                                                const TiArgument *args);
TI_DLL_EXPORT void TI_API_CALL ti_launch_compute_graph(TiRuntime runtime, TiComputeGraph compute_graph,
                                                       uint32_t arg_count, const TiNamedArgument *args);

#ifdef __cplusplus
}
#endif

#endif
