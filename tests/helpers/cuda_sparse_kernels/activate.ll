; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%0 = type { [16 x i64], [16 x i8*] }
%1 = type { [1 x i32], [16 x %S9_ch.498] }
%2 = type { { i32, i32 }, i8* }
%3 = type { [1048576 x i64], [1048576 x i8*] }
%4 = type { [4 x i64], [4 x i8*] }
%5 = type { [4 x %S2_ch.519] }
%6 = type { %struct.ListManager.490*, i32* }
%7 = type { %class.anon.32*, i8**, %6* }
%8 = type { %struct.PreallocatedMemoryChunk.488*, i64*, i64*, i8**, i8* }
%9 = type { %class.anon.32*, i8**, %8* }
%10 = type { %struct.LLVMRuntime.493**, i8**, i32*, i64** }
%11 = type { %class.anon.32*, i8**, %10* }
%12 = type { %struct.StructMeta.496**, i8*** }
%13 = type { %class.anon.5*, i8**, %12* }
%struct.RuntimeContext.494 = type { i8*, %struct.LLVMRuntime.493*, i32, i64* }
%struct.LLVMRuntime.493 = type { %struct.PreallocatedMemoryChunk.488, %struct.PreallocatedMemoryChunk.488, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.489*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.490*], [1024 x %struct.NodeManager.491*], [1024 x i8*], i8*, %struct.RandState.492*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.488 = type { i8*, i8*, i64 }
%struct.__va_list_tag.489 = type { i32, i32, i8*, i8* }
%struct.ListManager.490 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.493* }
%struct.NodeManager.491 = type <{ %struct.LLVMRuntime.493*, i32, i32, i32, i32, %struct.ListManager.490*, %struct.ListManager.490*, %struct.ListManager.490*, i32, [4 x i8] }>
%struct.RandState.492 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.497 = type <{ %struct.StructMeta.496, i32, [4 x i8] }>
%struct.StructMeta.496 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)*, %struct.RuntimeContext.494* }
%struct.PhysicalCoordinates.1.495 = type { [12 x i32] }
%S0_ch.502 = type { %0, %4, %1, [3 x %S11_ch.499], %3, [7 x %S17_ch.500], [4 x %S23_ch.501], %4 }
%S9_ch.498 = type { i1 }
%S11_ch.499 = type { %2 }
%S17_ch.500 = type { i64 }
%S23_ch.501 = type { i32 }
%struct.PointerMeta.513 = type <{ %struct.StructMeta.496, i8, [7 x i8] }>
%S2_ch.519 = type { float }
%S29_ch.521 = type { [6 x %S23_ch.501] }
%struct.DynamicNode = type { i32, i32, i8* }
%class.anon.3 = type { i8***, %struct.DenseMeta.497** }
%class.anon.32 = type { i8 }
%class.anon.36 = type { %class.anon.32*, i8**, %class.anon.3* }
%class.anon.5 = type { i8*** }

@.str = private unnamed_addr constant [144 x i8] c"Out of CUDA pre-allocated memory.\0AConsider using ti.init(device_memory_fraction=0.9) or ti.init(device_memory_GB=4) to allocate more GPU memory\00", align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"Taichi JIT\00", align 1
@.str.2 = private unnamed_addr constant [30 x i8] c"allocate_from_reserved_memory\00", align 1
@.str.3 = private unnamed_addr constant [28 x i8] c"Out of pre-allocated memory\00", align 1
@.str.5 = private unnamed_addr constant [28 x i8] c"List manager out of chunks.\00", align 1

define void @activate_c82_0_kernel_0_range_for(%struct.RuntimeContext.494* byval(%struct.RuntimeContext.494) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.494* %context, i32 0, i32 3, void (%struct.RuntimeContext.494*, i8*)* null, void (%struct.RuntimeContext.494*, i8*, i32)* @function_body, void (%struct.RuntimeContext.494*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.494* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca %struct.DenseMeta.497, align 8
  %7 = alloca %struct.DenseMeta.497, align 8
  br label %entry

final:                                            ; preds = %after_for
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = shl i32 %8, 1
  %10 = mul i32 %8, 10
  store i32 0, i32* %4, align 4
  br label %for_loop_test

for_loop_body:                                    ; preds = %for_loop_test
  %11 = load i32, i32* %4, align 4
  store i32 0, i32* %5, align 4
  %12 = call %struct.LLVMRuntime.493* @RuntimeContext_get_runtime(%struct.RuntimeContext.494* %0)
  %13 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.493* %12, i32 1)
  %14 = bitcast i8* %13 to %S0_ch.502*
  %15 = getelementptr %S0_ch.502, %S0_ch.502* %14, i32 0
  %16 = bitcast %S0_ch.502* %15 to i8*
  %17 = call i8* @get_ch_S0_to_S11(i8* %16)
  %18 = bitcast i8* %17 to [3 x %S11_ch.499]*
  %19 = bitcast %struct.DenseMeta.497* %6 to %struct.StructMeta.496*
  call void @StructMeta_set_snode_id(%struct.StructMeta.496* %19, i32 11)
  call void @StructMeta_set_element_size(%struct.StructMeta.496* %19, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.496* %19, i64 3)
  call void @StructMeta_set_context(%struct.StructMeta.496* %19, %struct.RuntimeContext.494* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.496* %19, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.496* %19, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.496* %19, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.496* %19, i8* (i8*)* @get_ch_S0_to_S11)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.496* %19, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* @S11_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.497* %6, i32 0)
  %20 = bitcast %struct.DenseMeta.497* %6 to i8*
  %21 = bitcast [3 x %S11_ch.499]* %18 to i8*
  %22 = call i8* @Dense_lookup_element(i8* %20, i8* %21, i32 %8)
  %23 = call i8* @get_ch_S11_to_S12(i8* %22)
  %24 = bitcast i8* %23 to %2*
  %25 = bitcast %struct.DenseMeta.497* %7 to %struct.StructMeta.496*
  call void @StructMeta_set_snode_id(%struct.StructMeta.496* %25, i32 12)
  call void @StructMeta_set_element_size(%struct.StructMeta.496* %25, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.496* %25, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.496* %25, %struct.RuntimeContext.494* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.496* %25, i8* (i8*, i8*, i32)* @Dynamic_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.496* %25, i1 (i8*, i8*, i32)* @Dynamic_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.496* %25, i32 (i8*, i8*)* @Dynamic_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.496* %25, i8* (i8*)* @get_ch_S11_to_S12)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.496* %25, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* @S12_refine_coordinates)
  call void @DynamicMeta_set_chunk_size(%struct.DenseMeta.497* %7, i32 4)
  %26 = bitcast %struct.DenseMeta.497* %7 to i8*
  %27 = bitcast %2* %24 to i8*
  %28 = call i8* @Dynamic_allocate(i8* %26, i8* %27, i32* %5)
  %29 = add i32 %10, %11
  %30 = call i8* @get_ch_S12_to_S13(i8* %28)
  %31 = bitcast i8* %30 to i32*
  store i32 %29, i32* %31, align 4
  br label %for_loop_inc

for_loop_inc:                                     ; preds = %for_loop_body
  %32 = load i32, i32* %4, align 4
  %33 = add i32 %32, 1
  store i32 %33, i32* %4, align 4
  br label %for_loop_test

after_for:                                        ; preds = %for_loop_test
  br label %final

for_loop_test:                                    ; preds = %for_loop_inc, %function_body
  %34 = load i32, i32* %4, align 4
  %35 = icmp slt i32 %34, %9
  br i1 %35, label %for_loop_body, label %after_for
}

define void @activate_c82_0_kernel_1_serial(%struct.RuntimeContext.494* byval(%struct.RuntimeContext.494) %context) {
entry:
  %0 = alloca %struct.PointerMeta.513, align 8
  %1 = alloca %struct.PointerMeta.513, align 8
  %2 = alloca %struct.DenseMeta.497, align 8
  %3 = alloca %struct.DenseMeta.497, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %4 = call %struct.LLVMRuntime.493* @RuntimeContext_get_runtime(%struct.RuntimeContext.494* %context)
  %5 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.493* %4, i32 1)
  %6 = bitcast i8* %5 to %S0_ch.502*
  %7 = getelementptr %S0_ch.502, %S0_ch.502* %6, i32 0
  %8 = bitcast %S0_ch.502* %7 to i8*
  %9 = call i8* @get_ch_S0_to_S1(i8* %8)
  %10 = bitcast i8* %9 to %0*
  %11 = bitcast %struct.PointerMeta.513* %0 to %struct.StructMeta.496*
  call void @StructMeta_set_snode_id(%struct.StructMeta.496* %11, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.496* %11, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.496* %11, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.496* %11, %struct.RuntimeContext.494* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.496* %11, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.496* %11, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.496* %11, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.496* %11, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.496* %11, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* @S1_refine_coordinates)
  %12 = bitcast %struct.PointerMeta.513* %0 to i8*
  %13 = bitcast %0* %10 to i8*
  call void @Pointer_activate(i8* %12, i8* %13, i32 3)
  %14 = bitcast %struct.PointerMeta.513* %1 to %struct.StructMeta.496*
  call void @StructMeta_set_snode_id(%struct.StructMeta.496* %14, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.496* %14, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.496* %14, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.496* %14, %struct.RuntimeContext.494* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.496* %14, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.496* %14, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.496* %14, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.496* %14, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.496* %14, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* @S1_refine_coordinates)
  %15 = bitcast %struct.PointerMeta.513* %1 to i8*
  %16 = bitcast %0* %10 to i8*
  %17 = call i8* @Pointer_lookup_element(i8* %15, i8* %16, i32 3)
  %18 = call i8* @get_ch_S1_to_S2(i8* %17)
  %19 = bitcast i8* %18 to [4 x %S2_ch.519]*
  %20 = bitcast %struct.DenseMeta.497* %2 to %struct.StructMeta.496*
  call void @StructMeta_set_snode_id(%struct.StructMeta.496* %20, i32 2)
  call void @StructMeta_set_element_size(%struct.StructMeta.496* %20, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.496* %20, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.496* %20, %struct.RuntimeContext.494* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.496* %20, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.496* %20, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.496* %20, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.496* %20, i8* (i8*)* @get_ch_S1_to_S2)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.496* %20, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* @S2_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.497* %2, i32 0)
  %21 = bitcast %struct.DenseMeta.497* %2 to i8*
  %22 = bitcast [4 x %S2_ch.519]* %19 to i8*
  %23 = call i8* @Dense_lookup_element(i8* %21, i8* %22, i32 1)
  %24 = call i8* @get_ch_S2_to_S3(i8* %23)
  %25 = bitcast i8* %24 to float*
  store float 3.000000e+00, float* %25, align 4
  %26 = call %struct.LLVMRuntime.493* @RuntimeContext_get_runtime(%struct.RuntimeContext.494* %context)
  %27 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.493* %26, i32 0)
  %28 = bitcast i8* %27 to %S29_ch.521*
  %29 = getelementptr %S29_ch.521, %S29_ch.521* %28, i32 0
  %30 = bitcast %S29_ch.521* %29 to i8*
  %31 = call i8* @get_ch_S29_to_S30(i8* %30)
  %32 = bitcast i8* %31 to [6 x %S23_ch.501]*
  %33 = bitcast %struct.DenseMeta.497* %3 to %struct.StructMeta.496*
  call void @StructMeta_set_snode_id(%struct.StructMeta.496* %33, i32 30)
  call void @StructMeta_set_element_size(%struct.StructMeta.496* %33, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.496* %33, i64 6)
  call void @StructMeta_set_context(%struct.StructMeta.496* %33, %struct.RuntimeContext.494* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.496* %33, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.496* %33, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.496* %33, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.496* %33, i8* (i8*)* @get_ch_S29_to_S30)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.496* %33, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* @S30_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.497* %3, i32 0)
  %34 = bitcast %struct.DenseMeta.497* %3 to i8*
  %35 = bitcast [6 x %S23_ch.501]* %32 to i8*
  %36 = call i8* @Dense_lookup_element(i8* %34, i8* %35, i32 5)
  %37 = call i8* @get_ch_S30_to_S31(i8* %36)
  %38 = bitcast i8* %37 to i32*
  store i32 5, i32* %38, align 4
  br label %final
}

define internal void @S30_refine_coordinates(%struct.PhysicalCoordinates.1.495* %0, %struct.PhysicalCoordinates.1.495* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 6
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 0)
  %6 = mul i32 %5, 6
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S29_to_S30(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S29_ch.521*
  %getch = getelementptr %S29_ch.521, %S29_ch.521* %1, i32 0, i32 0
  %2 = bitcast [6 x %S23_ch.501]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S30_to_S31(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S23_ch.501*
  %getch = getelementptr %S23_ch.501, %S23_ch.501* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

define internal void @S1_refine_coordinates(%struct.PhysicalCoordinates.1.495* %0, %struct.PhysicalCoordinates.1.495* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 16
  %4 = udiv i32 %3, 4
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 4
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 1)
  %11 = mul i32 %10, 4
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S1(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.502*
  %getch = getelementptr %S0_ch.502, %S0_ch.502* %1, i32 0, i32 0
  %2 = bitcast %0* %getch to i8*
  ret i8* %2
}

define internal void @S2_refine_coordinates(%struct.PhysicalCoordinates.1.495* %0, %struct.PhysicalCoordinates.1.495* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 0)
  %6 = mul i32 %5, 2
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S1_to_S2(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %5*
  %getch = getelementptr %5, %5* %1, i32 0, i32 0
  %2 = bitcast [4 x %S2_ch.519]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S2_to_S3(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S2_ch.519*
  %getch = getelementptr %S2_ch.519, %S2_ch.519* %1, i32 0, i32 0
  %2 = bitcast float* %getch to i8*
  ret i8* %2
}

define internal void @S11_refine_coordinates(%struct.PhysicalCoordinates.1.495* %0, %struct.PhysicalCoordinates.1.495* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 3
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 0)
  %6 = mul i32 %5, 3
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S11(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.502*
  %getch = getelementptr %S0_ch.502, %S0_ch.502* %1, i32 0, i32 3
  %2 = bitcast [3 x %S11_ch.499]* %getch to i8*
  ret i8* %2
}

define internal void @S12_refine_coordinates(%struct.PhysicalCoordinates.1.495* %0, %struct.PhysicalCoordinates.1.495* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 0, i32 %5)
  %6 = urem i32 %2, 16
  %7 = udiv i32 %6, 1
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 1)
  %9 = mul i32 %8, 16
  %10 = add i32 %9, %7
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S11_to_S12(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S11_ch.499*
  %getch = getelementptr %S11_ch.499, %S11_ch.499* %1, i32 0, i32 0
  %2 = bitcast %2* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S12_to_S13(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S23_ch.501*
  %getch = getelementptr %S23_ch.501, %S23_ch.501* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.495* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.1.495*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.495* %0, %struct.PhysicalCoordinates.1.495** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.1.495, %struct.PhysicalCoordinates.1.495* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.495* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.1.495*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.495* %0, %struct.PhysicalCoordinates.1.495** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.1.495, %struct.PhysicalCoordinates.1.495* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.493* @RuntimeContext_get_runtime(%struct.RuntimeContext.494* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.494*, align 8
  store %struct.RuntimeContext.494* %0, %struct.RuntimeContext.494** %2, align 8
  %3 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.494, %struct.RuntimeContext.494* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %4, align 8
  ret %struct.LLVMRuntime.493* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.496* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.496* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.496* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.496* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.496* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.496* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.496* noundef %0, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)*, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* %1, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)*, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)** %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)* %5, void (%struct.PhysicalCoordinates.1.495*, %struct.PhysicalCoordinates.1.495*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.496* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.496* noundef %0, %struct.RuntimeContext.494* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.496*, align 8
  %4 = alloca %struct.RuntimeContext.494*, align 8
  store %struct.StructMeta.496* %0, %struct.StructMeta.496** %3, align 8
  store %struct.RuntimeContext.494* %1, %struct.RuntimeContext.494** %4, align 8
  %5 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %4, align 8
  %6 = load %struct.StructMeta.496*, %struct.StructMeta.496** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 8
  store %struct.RuntimeContext.494* %5, %struct.RuntimeContext.494** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.493* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.493*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.493* %0, %struct.LLVMRuntime.493** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.494* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.494*, i8*)* noundef %3, void (%struct.RuntimeContext.494*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.494*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext.494*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.494*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.494*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.494*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.494* %0, %struct.RuntimeContext.494** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.494*, i8*)* %3, void (%struct.RuntimeContext.494*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.494*, i8*, i32)* %4, void (%struct.RuntimeContext.494*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.494*, i8*)* %5, void (%struct.RuntimeContext.494*, i8*)** %13, align 8
  store i64 %6, i64* %14, align 8
  %19 = call i32 @thread_idx()
  %20 = call i32 @block_dim()
  %21 = call i32 @block_idx()
  %22 = mul nsw i32 %20, %21
  %23 = add nsw i32 %19, %22
  %24 = load i32, i32* %9, align 4
  %25 = add nsw i32 %23, %24
  store i32 %25, i32* %15, align 4
  %26 = load i64, i64* %14, align 8
  %27 = call i8* @llvm.stacksave()
  store i8* %27, i8** %16, align 8
  %28 = alloca i8, i64 %26, align 8
  store i64 %26, i64* %17, align 8
  %29 = getelementptr inbounds i8, i8* %28, i64 0
  store i8* %29, i8** %18, align 8
  %30 = load void (%struct.RuntimeContext.494*, i8*)*, void (%struct.RuntimeContext.494*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.494*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.494*, i8*)*, void (%struct.RuntimeContext.494*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.494* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.494*, i8*, i32)*, void (%struct.RuntimeContext.494*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.494* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !17

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.494*, i8*)*, void (%struct.RuntimeContext.494*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.494*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.494*, i8*)*, void (%struct.RuntimeContext.494*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.494* noundef %56, i8* noundef %57)
  br label %58

58:                                               ; preds = %54, %51
  %59 = load i8*, i8** %16, align 8
  call void @llvm.stackrestore(i8* %59)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @thread_idx() #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @block_dim() #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @block_idx() #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare i8* @llvm.stacksave() #1

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @grid_dim() #0 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  ret i32 %0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore(i8*) #1

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.497* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.497*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.497* %0, %struct.DenseMeta.497** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.497, %struct.DenseMeta.497* %6, i32 0, i32 1
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Dense_get_num_elements(i8* noundef %0, i8* noundef %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.496*
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Dense_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Dense_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %7 = load i8*, i8** %5, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = bitcast i8* %8 to %struct.StructMeta.496*
  %10 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DynamicMeta_set_chunk_size(%struct.DenseMeta.497* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.497*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.497* %0, %struct.DenseMeta.497** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.497, %struct.DenseMeta.497* %6, i32 0, i32 1
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Dynamic_allocate(i8* noundef %0, i8* noundef %1, i32* noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32*, align 8
  %7 = alloca %struct.DenseMeta.497*, align 8
  %8 = alloca %struct.DynamicNode*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i8**, align 8
  %13 = alloca %class.anon.3, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32* %2, i32** %6, align 8
  %14 = load i8*, i8** %4, align 8
  %15 = bitcast i8* %14 to %struct.DenseMeta.497*
  store %struct.DenseMeta.497* %15, %struct.DenseMeta.497** %7, align 8
  %16 = load i8*, i8** %5, align 8
  %17 = bitcast i8* %16 to %struct.DynamicNode*
  store %struct.DynamicNode* %17, %struct.DynamicNode** %8, align 8
  %18 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %7, align 8
  %19 = getelementptr inbounds %struct.DenseMeta.497, %struct.DenseMeta.497* %18, i32 0, i32 1
  %20 = load i32, i32* %19, align 8
  store i32 %20, i32* %9, align 4
  %21 = load %struct.DynamicNode*, %struct.DynamicNode** %8, align 8
  %22 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %21, i32 0, i32 1
  %23 = call i32 @atomic_add_i32(i32* noundef %22, i32 noundef 1)
  store i32 %23, i32* %10, align 4
  %24 = load i32, i32* %10, align 4
  %25 = load i32*, i32** %6, align 8
  store i32 %24, i32* %25, align 4
  store i32 0, i32* %11, align 4
  %26 = load %struct.DynamicNode*, %struct.DynamicNode** %8, align 8
  %27 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %26, i32 0, i32 2
  store i8** %27, i8*** %12, align 8
  br label %28

28:                                               ; preds = %58, %3
  %29 = load i8**, i8*** %12, align 8
  %30 = load i8*, i8** %29, align 8
  %31 = icmp eq i8* %30, null
  br i1 %31, label %32, label %38

32:                                               ; preds = %28
  %33 = load %struct.DynamicNode*, %struct.DynamicNode** %8, align 8
  %34 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %33, i32 0, i32 0
  %35 = bitcast i32* %34 to i8*
  %36 = getelementptr inbounds %class.anon.3, %class.anon.3* %13, i32 0, i32 0
  store i8*** %12, i8**** %36, align 8
  %37 = getelementptr inbounds %class.anon.3, %class.anon.3* %13, i32 0, i32 1
  store %struct.DenseMeta.497** %7, %struct.DenseMeta.497*** %37, align 8
  call void @"_Z11locked_taskIZ16Dynamic_allocateE3$_4EvPvRKT_"(i8* noundef %35, %class.anon.3* noundef nonnull align 8 dereferenceable(16) %13)
  br label %38

38:                                               ; preds = %32, %28
  %39 = load i32, i32* %10, align 4
  %40 = load i32, i32* %11, align 4
  %41 = load i32, i32* %9, align 4
  %42 = add nsw i32 %40, %41
  %43 = icmp slt i32 %39, %42
  br i1 %43, label %44, label %58

44:                                               ; preds = %38
  %45 = load i8**, i8*** %12, align 8
  %46 = load i8*, i8** %45, align 8
  %47 = getelementptr inbounds i8, i8* %46, i64 8
  %48 = load i32, i32* %10, align 4
  %49 = load i32, i32* %11, align 4
  %50 = sub nsw i32 %48, %49
  %51 = sext i32 %50 to i64
  %52 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %7, align 8
  %53 = bitcast %struct.DenseMeta.497* %52 to %struct.StructMeta.496*
  %54 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %53, i32 0, i32 1
  %55 = load i64, i64* %54, align 8
  %56 = mul i64 %51, %55
  %57 = getelementptr inbounds i8, i8* %47, i64 %56
  ret i8* %57

58:                                               ; preds = %38
  %59 = load i8**, i8*** %12, align 8
  %60 = load i8*, i8** %59, align 8
  %61 = bitcast i8* %60 to i8**
  store i8** %61, i8*** %12, align 8
  %62 = load i32, i32* %9, align 4
  %63 = load i32, i32* %11, align 4
  %64 = add nsw i32 %63, %62
  store i32 %64, i32* %11, align 4
  br label %28, !llvm.loop !19
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_add_i32(i32* noundef %0, i32 noundef %1) #0 {
entry:
  %2 = atomicrmw add i32* %0, i32 %1 seq_cst, align 4
  ret i32 %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ16Dynamic_allocateE3$_4EvPvRKT_"(i8* noundef %0, %class.anon.3* noundef nonnull align 8 dereferenceable(16) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %class.anon.3*, align 8
  %5 = alloca %class.anon.32, align 1
  store i8* %0, i8** %3, align 8
  store %class.anon.3* %1, %class.anon.3** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %class.anon.3*, %class.anon.3** %4, align 8
  call void @"_Z11locked_taskIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %6, %class.anon.3* noundef nonnull align 8 dereferenceable(16) %7, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %0, %class.anon.3* noundef nonnull align 8 dereferenceable(16) %1, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %class.anon.3*, align 8
  %6 = alloca %class.anon.32*, align 8
  %7 = alloca %class.anon.32, align 1
  store i8* %0, i8** %4, align 8
  store %class.anon.3* %1, %class.anon.3** %5, align 8
  store %class.anon.32* %2, %class.anon.32** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %class.anon.3*, %class.anon.3** %5, align 8
  %10 = load %class.anon.32*, %class.anon.32** %6, align 8
  call void @"_ZN10lock_guardIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %class.anon.3* noundef nonnull align 8 dereferenceable(16) %9, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %class.anon.3* noundef nonnull align 8 dereferenceable(16) %2, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.32*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %class.anon.3*, align 8
  %8 = alloca %class.anon.32*, align 8
  %9 = alloca %class.anon.36, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.32* %0, %class.anon.32** %5, align 8
  store i8* %1, i8** %6, align 8
  store %class.anon.3* %2, %class.anon.3** %7, align 8
  store %class.anon.32* %3, %class.anon.32** %8, align 8
  %15 = load %class.anon.32*, %class.anon.32** %5, align 8
  %16 = getelementptr inbounds %class.anon.36, %class.anon.36* %9, i32 0, i32 0
  %17 = load %class.anon.32*, %class.anon.32** %8, align 8
  store %class.anon.32* %17, %class.anon.32** %16, align 8
  %18 = getelementptr inbounds %class.anon.36, %class.anon.36* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %class.anon.36, %class.anon.36* %9, i32 0, i32 2
  %20 = load %class.anon.3*, %class.anon.3** %7, align 8
  store %class.anon.3* %20, %class.anon.3** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.36* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !20

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.36* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !21

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.36* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_compute_capability() #0 {
entry:
  ret i32 75
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_active_mask() #0 {
  %1 = alloca i32, align 4
  %2 = call i32 asm sideeffect "activemask.b32 $0;", "=r,~{dirflag},~{fpsr},~{flags}"() #11, !srcloc !22
  store i32 %2, i32* %1, align 4
  %3 = load i32, i32* %1, align 4
  ret i32 %3
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cttz_i32(i32 noundef %0) #0 {
entry:
  %1 = call i32 @llvm.cttz.i32(i32 %0, i1 false)
  ret i32 %1
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @warp_idx() #0 {
  %1 = call i32 @thread_idx()
  %2 = call i32 @warp_size()
  %3 = srem i32 %1, %2
  ret i32 %3
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ16Dynamic_allocateE3$_4Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.36* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %class.anon.36*, align 8
  store %class.anon.36* %0, %class.anon.36** %2, align 8
  %3 = load %class.anon.36*, %class.anon.36** %2, align 8
  %4 = getelementptr inbounds %class.anon.36, %class.anon.36* %3, i32 0, i32 0
  %5 = load %class.anon.32*, %class.anon.32** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZ16Dynamic_allocateE3$_4EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %class.anon.36, %class.anon.36* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %class.anon.36, %class.anon.36* %3, i32 0, i32 0
  %12 = load %class.anon.32*, %class.anon.32** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZ16Dynamic_allocateE3$_4EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %class.anon.36, %class.anon.36* %3, i32 0, i32 2
  %16 = load %class.anon.3*, %class.anon.3** %15, align 8
  call void @"_ZZ16Dynamic_allocateENK3$_4clEv"(%class.anon.3* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %class.anon.36, %class.anon.36* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @warp_size() #0 {
  ret i32 32
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZ16Dynamic_allocateE3$_4EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.32*, align 8
  store %class.anon.32* %0, %class.anon.32** %2, align 8
  %3 = load %class.anon.32*, %class.anon.32** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mutex_lock_i32(i8* noundef %0) #0 {
  %2 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  br label %3

3:                                                ; preds = %8, %1
  %4 = load i8*, i8** %2, align 8
  %5 = bitcast i8* %4 to i32*
  %6 = call i32 @atomic_exchange_i32(i32* noundef %5, i32 noundef 1)
  %7 = icmp eq i32 %6, 1
  br i1 %7, label %8, label %9

8:                                                ; preds = %3
  br label %3, !llvm.loop !23

9:                                                ; preds = %3
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @grid_memfence() #0 {
entry:
  call void @llvm.nvvm.membar.gl()
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ16Dynamic_allocateENK3$_4clEv"(%class.anon.3* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %class.anon.3*, align 8
  %3 = alloca %struct.LLVMRuntime.493*, align 8
  %4 = alloca %struct.NodeManager.491*, align 8
  store %class.anon.3* %0, %class.anon.3** %2, align 8
  %5 = load %class.anon.3*, %class.anon.3** %2, align 8
  %6 = getelementptr inbounds %class.anon.3, %class.anon.3* %5, i32 0, i32 0
  %7 = load i8***, i8**** %6, align 8
  %8 = load i8**, i8*** %7, align 8
  %9 = load i8*, i8** %8, align 8
  %10 = icmp eq i8* %9, null
  br i1 %10, label %11, label %36

11:                                               ; preds = %1
  %12 = getelementptr inbounds %class.anon.3, %class.anon.3* %5, i32 0, i32 1
  %13 = load %struct.DenseMeta.497**, %struct.DenseMeta.497*** %12, align 8
  %14 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %13, align 8
  %15 = bitcast %struct.DenseMeta.497* %14 to %struct.StructMeta.496*
  %16 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %15, i32 0, i32 8
  %17 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %16, align 8
  %18 = getelementptr inbounds %struct.RuntimeContext.494, %struct.RuntimeContext.494* %17, i32 0, i32 1
  %19 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %18, align 8
  store %struct.LLVMRuntime.493* %19, %struct.LLVMRuntime.493** %3, align 8
  %20 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %3, align 8
  %21 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %20, i32 0, i32 12
  %22 = getelementptr inbounds %class.anon.3, %class.anon.3* %5, i32 0, i32 1
  %23 = load %struct.DenseMeta.497**, %struct.DenseMeta.497*** %22, align 8
  %24 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %23, align 8
  %25 = bitcast %struct.DenseMeta.497* %24 to %struct.StructMeta.496*
  %26 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %25, i32 0, i32 0
  %27 = load i32, i32* %26, align 8
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [1024 x %struct.NodeManager.491*], [1024 x %struct.NodeManager.491*]* %21, i64 0, i64 %28
  %30 = load %struct.NodeManager.491*, %struct.NodeManager.491** %29, align 8
  store %struct.NodeManager.491* %30, %struct.NodeManager.491** %4, align 8
  %31 = load %struct.NodeManager.491*, %struct.NodeManager.491** %4, align 8
  %32 = call noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager.491* noundef nonnull align 8 dereferenceable(52) %31)
  %33 = getelementptr inbounds %class.anon.3, %class.anon.3* %5, i32 0, i32 0
  %34 = load i8***, i8**** %33, align 8
  %35 = load i8**, i8*** %34, align 8
  store i8* %32, i8** %35, align 8
  br label %36

36:                                               ; preds = %11, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mutex_unlock_i32(i8* noundef %0) #0 {
  %2 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  %3 = load i8*, i8** %2, align 8
  %4 = bitcast i8* %3 to i32*
  %5 = call i32 @atomic_exchange_i32(i32* noundef %4, i32 noundef 0)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_exchange_i32(i32* noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32*, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32* %0, i32** %3, align 8
  store i32 %1, i32* %4, align 4
  %6 = load i32*, i32** %3, align 8
  %7 = load i32, i32* %4, align 4
  %8 = atomicrmw volatile xchg i32* %6, i32 %7 seq_cst, align 4
  store i32 %8, i32* %5, align 4
  %9 = load i32, i32* %5, align 4
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager.491* noundef nonnull align 8 dereferenceable(52) %0) #0 align 2 {
  %2 = alloca %struct.NodeManager.491*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.NodeManager.491* %0, %struct.NodeManager.491** %2, align 8
  %5 = load %struct.NodeManager.491*, %struct.NodeManager.491** %2, align 8
  %6 = getelementptr inbounds %struct.NodeManager.491, %struct.NodeManager.491* %5, i32 0, i32 4
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.NodeManager.491, %struct.NodeManager.491* %5, i32 0, i32 5
  %10 = load %struct.ListManager.490*, %struct.ListManager.490** %9, align 8
  %11 = call noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %10)
  %12 = icmp sge i32 %8, %11
  br i1 %12, label %13, label %17

13:                                               ; preds = %1
  %14 = getelementptr inbounds %struct.NodeManager.491, %struct.NodeManager.491* %5, i32 0, i32 7
  %15 = load %struct.ListManager.490*, %struct.ListManager.490** %14, align 8
  %16 = call noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %15)
  store i32 %16, i32* %4, align 4
  br label %23

17:                                               ; preds = %1
  %18 = getelementptr inbounds %struct.NodeManager.491, %struct.NodeManager.491* %5, i32 0, i32 5
  %19 = load %struct.ListManager.490*, %struct.ListManager.490** %18, align 8
  %20 = load i32, i32* %3, align 4
  %21 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %19, i32 noundef %20)
  %22 = load i32, i32* %21, align 4
  store i32 %22, i32* %4, align 4
  br label %23

23:                                               ; preds = %17, %13
  %24 = getelementptr inbounds %struct.NodeManager.491, %struct.NodeManager.491* %5, i32 0, i32 7
  %25 = load %struct.ListManager.490*, %struct.ListManager.490** %24, align 8
  %26 = load i32, i32* %4, align 4
  %27 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %25, i32 noundef %26)
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager.490*, align 8
  store %struct.ListManager.490* %0, %struct.ListManager.490** %2, align 8
  %3 = load %struct.ListManager.490*, %struct.ListManager.490** %2, align 8
  %4 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %3, i32 0, i32 5
  %5 = load i32, i32* %4, align 8
  ret i32 %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager.490*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.ListManager.490* %0, %struct.ListManager.490** %2, align 8
  %5 = load %struct.ListManager.490*, %struct.ListManager.490** %2, align 8
  %6 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %5, i32 0, i32 5
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %5, i32 0, i32 3
  %10 = load i32, i32* %9, align 8
  %11 = ashr i32 %8, %10
  store i32 %11, i32* %4, align 4
  %12 = load i32, i32* %4, align 4
  call void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %12)
  %13 = load i32, i32* %3, align 4
  ret i32 %13
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.490*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.490* %0, %struct.ListManager.490** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.490*, %struct.ListManager.490** %3, align 8
  %6 = load i32, i32* %4, align 4
  %7 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %6)
  %8 = bitcast i8* %7 to i32*
  ret i32* %8
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.490*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.490* %0, %struct.ListManager.490** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.490*, %struct.ListManager.490** %3, align 8
  %6 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %5, i32 0, i32 3
  %9 = load i32, i32* %8, align 8
  %10 = ashr i32 %7, %9
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %6, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %5, i32 0, i32 1
  %15 = load i64, i64* %14, align 8
  %16 = load i32, i32* %4, align 4
  %17 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %5, i32 0, i32 3
  %18 = load i32, i32* %17, align 8
  %19 = shl i32 1, %18
  %20 = sub nsw i32 %19, 1
  %21 = and i32 %16, %20
  %22 = sext i32 %21 to i64
  %23 = mul i64 %15, %22
  %24 = getelementptr inbounds i8, i8* %13, i64 %23
  ret i8* %24
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.490* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.490*, align 8
  %4 = alloca i32, align 4
  %5 = alloca %6, align 8
  store %struct.ListManager.490* %0, %struct.ListManager.490** %3, align 8
  store i32 %1, i32* %4, align 4
  %6 = load %struct.ListManager.490*, %struct.ListManager.490** %3, align 8
  %7 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 6
  %8 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %7, align 8
  %9 = load i32, i32* %4, align 4
  %10 = sext i32 %9 to i64
  %11 = icmp ult i64 %10, 131072
  call void @taichi_assert_runtime(%struct.LLVMRuntime.493* noundef %8, i1 noundef zeroext %11, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.5, i64 0, i64 0))
  %12 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 0
  %13 = load i32, i32* %4, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %12, i64 0, i64 %14
  %16 = load i8*, i8** %15, align 8
  %17 = icmp ne i8* %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %2
  %19 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 4
  %20 = bitcast i32* %19 to i8*
  %21 = getelementptr inbounds %6, %6* %5, i32 0, i32 0
  store %struct.ListManager.490* %6, %struct.ListManager.490** %21, align 8
  %22 = getelementptr inbounds %6, %6* %5, i32 0, i32 1
  store i32* %4, i32** %22, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %20, %6* noundef nonnull align 8 dereferenceable(16) %5)
  br label %23

23:                                               ; preds = %18, %2
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @taichi_assert_runtime(%struct.LLVMRuntime.493* noundef %0, i1 noundef zeroext %1, i8* noundef %2) #0 {
  %4 = alloca %struct.LLVMRuntime.493*, align 8
  %5 = alloca i8, align 1
  %6 = alloca i8*, align 8
  store %struct.LLVMRuntime.493* %0, %struct.LLVMRuntime.493** %4, align 8
  %7 = zext i1 %1 to i8
  store i8 %7, i8* %5, align 1
  store i8* %2, i8** %6, align 8
  %8 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %4, align 8
  %9 = load i8, i8* %5, align 1
  %10 = trunc i8 %9 to i1
  %11 = load i8*, i8** %6, align 8
  call void @taichi_assert_format(%struct.LLVMRuntime.493* noundef %8, i1 noundef zeroext %10, i8* noundef %11, i32 noundef 0, i64* noundef null)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %0, %6* noundef nonnull align 8 dereferenceable(16) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %6*, align 8
  %5 = alloca %class.anon.32, align 1
  store i8* %0, i8** %3, align 8
  store %6* %1, %6** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %6*, %6** %4, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %6, %6* noundef nonnull align 8 dereferenceable(16) %7, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %0, %6* noundef nonnull align 8 dereferenceable(16) %1, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %6*, align 8
  %6 = alloca %class.anon.32*, align 8
  %7 = alloca %class.anon.32, align 1
  store i8* %0, i8** %4, align 8
  store %6* %1, %6** %5, align 8
  store %class.anon.32* %2, %class.anon.32** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %6*, %6** %5, align 8
  %10 = load %class.anon.32*, %class.anon.32** %6, align 8
  call void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %6* noundef nonnull align 8 dereferenceable(16) %9, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %6* noundef nonnull align 8 dereferenceable(16) %2, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.32*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %6*, align 8
  %8 = alloca %class.anon.32*, align 8
  %9 = alloca %7, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.32* %0, %class.anon.32** %5, align 8
  store i8* %1, i8** %6, align 8
  store %6* %2, %6** %7, align 8
  store %class.anon.32* %3, %class.anon.32** %8, align 8
  %15 = load %class.anon.32*, %class.anon.32** %5, align 8
  %16 = getelementptr inbounds %7, %7* %9, i32 0, i32 0
  %17 = load %class.anon.32*, %class.anon.32** %8, align 8
  store %class.anon.32* %17, %class.anon.32** %16, align 8
  %18 = getelementptr inbounds %7, %7* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %7, %7* %9, i32 0, i32 2
  %20 = load %6*, %6** %7, align 8
  store %6* %20, %6** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%7* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !24

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%7* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !25

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%7* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%7* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %7*, align 8
  store %7* %0, %7** %2, align 8
  %3 = load %7*, %7** %2, align 8
  %4 = getelementptr inbounds %7, %7* %3, i32 0, i32 0
  %5 = load %class.anon.32*, %class.anon.32** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %7, %7* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %7, %7* %3, i32 0, i32 0
  %12 = load %class.anon.32*, %class.anon.32** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %7, %7* %3, i32 0, i32 2
  %16 = load %6*, %6** %15, align 8
  call void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%6* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %7, %7* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.32*, align 8
  store %class.anon.32* %0, %class.anon.32** %2, align 8
  %3 = load %class.anon.32*, %class.anon.32** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%6* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %6*, align 8
  %3 = alloca i8*, align 8
  store %6* %0, %6** %2, align 8
  %4 = load %6*, %6** %2, align 8
  %5 = getelementptr inbounds %6, %6* %4, i32 0, i32 0
  %6 = load %struct.ListManager.490*, %struct.ListManager.490** %5, align 8
  %7 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 0
  %8 = getelementptr inbounds %6, %6* %4, i32 0, i32 1
  %9 = load i32*, i32** %8, align 8
  %10 = load i32, i32* %9, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %7, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = icmp ne i8* %13, null
  br i1 %14, label %37, label %15

15:                                               ; preds = %1
  call void @grid_memfence()
  %16 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 6
  %17 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %16, align 8
  %18 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 6
  %19 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %18, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %19, i32 0, i32 1
  %21 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 2
  %22 = load i64, i64* %21, align 8
  %23 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 1
  %24 = load i64, i64* %23, align 8
  %25 = mul i64 %22, %24
  %26 = call noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.493* noundef nonnull align 8 dereferenceable(35256) %17, %struct.PreallocatedMemoryChunk.488* noundef nonnull align 8 dereferenceable(24) %20, i64 noundef %25, i64 noundef 4096, i1 noundef zeroext true)
  store i8* %26, i8** %3, align 8
  %27 = getelementptr inbounds %struct.ListManager.490, %struct.ListManager.490* %6, i32 0, i32 0
  %28 = getelementptr inbounds %6, %6* %4, i32 0, i32 1
  %29 = load i32*, i32** %28, align 8
  %30 = load i32, i32* %29, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %27, i64 0, i64 %31
  %33 = bitcast i8** %32 to i64*
  %34 = load i8*, i8** %3, align 8
  %35 = ptrtoint i8* %34 to i64
  %36 = call i64 @atomic_exchange_u64(i64* noundef %33, i64 noundef %35)
  br label %37

37:                                               ; preds = %15, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.493* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.488* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3, i1 noundef zeroext %4) #0 align 2 {
  %6 = alloca i8*, align 8
  %7 = alloca %struct.LLVMRuntime.493*, align 8
  %8 = alloca %struct.PreallocatedMemoryChunk.488*, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i8, align 1
  store %struct.LLVMRuntime.493* %0, %struct.LLVMRuntime.493** %7, align 8
  store %struct.PreallocatedMemoryChunk.488* %1, %struct.PreallocatedMemoryChunk.488** %8, align 8
  store i64 %2, i64* %9, align 8
  store i64 %3, i64* %10, align 8
  %12 = zext i1 %4 to i8
  store i8 %12, i8* %11, align 1
  %13 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %7, align 8
  %14 = load i8, i8* %11, align 1
  %15 = trunc i8 %14 to i1
  br i1 %15, label %16, label %20

16:                                               ; preds = %5
  %17 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %13, i32 0, i32 26
  %18 = load i64, i64* %9, align 8
  %19 = call i64 @atomic_add_i64(i64* noundef %17, i64 noundef %18)
  br label %20

20:                                               ; preds = %16, %5
  %21 = load %struct.PreallocatedMemoryChunk.488*, %struct.PreallocatedMemoryChunk.488** %8, align 8
  %22 = getelementptr inbounds %struct.PreallocatedMemoryChunk.488, %struct.PreallocatedMemoryChunk.488* %21, i32 0, i32 2
  %23 = load i64, i64* %22, align 8
  %24 = icmp ugt i64 %23, 0
  br i1 %24, label %25, label %30

25:                                               ; preds = %20
  %26 = load %struct.PreallocatedMemoryChunk.488*, %struct.PreallocatedMemoryChunk.488** %8, align 8
  %27 = load i64, i64* %9, align 8
  %28 = load i64, i64* %10, align 8
  %29 = call noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.493* noundef nonnull align 8 dereferenceable(35256) %13, %struct.PreallocatedMemoryChunk.488* noundef nonnull align 8 dereferenceable(24) %26, i64 noundef %27, i64 noundef %28)
  store i8* %29, i8** %6, align 8
  br label %38

30:                                               ; preds = %20
  %31 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %13, i32 0, i32 2
  %32 = load i8* (i8*, i64, i64)*, i8* (i8*, i64, i64)** %31, align 8
  %33 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %13, i32 0, i32 6
  %34 = load i8*, i8** %33, align 8
  %35 = load i64, i64* %9, align 8
  %36 = load i64, i64* %10, align 8
  %37 = call noundef i8* %32(i8* noundef %34, i64 noundef %35, i64 noundef %36)
  store i8* %37, i8** %6, align 8
  br label %38

38:                                               ; preds = %30, %25
  %39 = load i8*, i8** %6, align 8
  ret i8* %39
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @atomic_exchange_u64(i64* noundef %0, i64 noundef %1) #0 {
  %3 = alloca i64*, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store i64* %0, i64** %3, align 8
  store i64 %1, i64* %4, align 8
  %6 = load i64*, i64** %3, align 8
  %7 = load i64, i64* %4, align 8
  %8 = atomicrmw volatile xchg i64* %6, i64 %7 seq_cst, align 8
  store i64 %8, i64* %5, align 8
  %9 = load i64, i64* %5, align 8
  ret i64 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @atomic_add_i64(i64* noundef %0, i64 noundef %1) #0 {
entry:
  %2 = atomicrmw add i64* %0, i64 %1 seq_cst, align 8
  ret i64 %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.493* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.488* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3) #0 align 2 {
  %5 = alloca %struct.LLVMRuntime.493*, align 8
  %6 = alloca %struct.PreallocatedMemoryChunk.488*, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i8*, align 8
  %10 = alloca i8, align 1
  %11 = alloca %8, align 8
  store %struct.LLVMRuntime.493* %0, %struct.LLVMRuntime.493** %5, align 8
  store %struct.PreallocatedMemoryChunk.488* %1, %struct.PreallocatedMemoryChunk.488** %6, align 8
  store i64 %2, i64* %7, align 8
  store i64 %3, i64* %8, align 8
  %12 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %5, align 8
  store i8* null, i8** %9, align 8
  store i8 0, i8* %10, align 1
  %13 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %12, i32 0, i32 24
  %14 = bitcast i32* %13 to i8*
  %15 = getelementptr inbounds %8, %8* %11, i32 0, i32 0
  %16 = load %struct.PreallocatedMemoryChunk.488*, %struct.PreallocatedMemoryChunk.488** %6, align 8
  store %struct.PreallocatedMemoryChunk.488* %16, %struct.PreallocatedMemoryChunk.488** %15, align 8
  %17 = getelementptr inbounds %8, %8* %11, i32 0, i32 1
  store i64* %8, i64** %17, align 8
  %18 = getelementptr inbounds %8, %8* %11, i32 0, i32 2
  store i64* %7, i64** %18, align 8
  %19 = getelementptr inbounds %8, %8* %11, i32 0, i32 3
  store i8** %9, i8*** %19, align 8
  %20 = getelementptr inbounds %8, %8* %11, i32 0, i32 4
  store i8* %10, i8** %20, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %14, %8* noundef nonnull align 8 dereferenceable(40) %11)
  %21 = load i8, i8* %10, align 1
  %22 = trunc i8 %21 to i1
  br i1 %22, label %24, label %23

23:                                               ; preds = %4
  call void @__assertfail(i8* noundef getelementptr inbounds ([144 x i8], [144 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([11 x i8], [11 x i8]* @.str.1, i64 0, i64 0), i32 noundef 0, i8* noundef getelementptr inbounds ([30 x i8], [30 x i8]* @.str.2, i64 0, i64 0), i64 noundef 1)
  br label %24

24:                                               ; preds = %23, %4
  %25 = load i8, i8* %10, align 1
  %26 = trunc i8 %25 to i1
  call void @taichi_assert_runtime(%struct.LLVMRuntime.493* noundef %12, i1 noundef zeroext %26, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.3, i64 0, i64 0))
  %27 = load i8*, i8** %9, align 8
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %0, %8* noundef nonnull align 8 dereferenceable(40) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %8*, align 8
  %5 = alloca %class.anon.32, align 1
  store i8* %0, i8** %3, align 8
  store %8* %1, %8** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %8*, %8** %4, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %6, %8* noundef nonnull align 8 dereferenceable(40) %7, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline
declare void @__assertfail(i8* noundef, i8* noundef, i32 noundef, i8* noundef, i64 noundef) #4

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %0, %8* noundef nonnull align 8 dereferenceable(40) %1, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %8*, align 8
  %6 = alloca %class.anon.32*, align 8
  %7 = alloca %class.anon.32, align 1
  store i8* %0, i8** %4, align 8
  store %8* %1, %8** %5, align 8
  store %class.anon.32* %2, %class.anon.32** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %8*, %8** %5, align 8
  %10 = load %class.anon.32*, %class.anon.32** %6, align 8
  call void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %8* noundef nonnull align 8 dereferenceable(40) %9, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %8* noundef nonnull align 8 dereferenceable(40) %2, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.32*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %8*, align 8
  %8 = alloca %class.anon.32*, align 8
  %9 = alloca %9, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.32* %0, %class.anon.32** %5, align 8
  store i8* %1, i8** %6, align 8
  store %8* %2, %8** %7, align 8
  store %class.anon.32* %3, %class.anon.32** %8, align 8
  %15 = load %class.anon.32*, %class.anon.32** %5, align 8
  %16 = getelementptr inbounds %9, %9* %9, i32 0, i32 0
  %17 = load %class.anon.32*, %class.anon.32** %8, align 8
  store %class.anon.32* %17, %class.anon.32** %16, align 8
  %18 = getelementptr inbounds %9, %9* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %9, %9* %9, i32 0, i32 2
  %20 = load %8*, %8** %7, align 8
  store %8* %20, %8** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !26

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !27

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %9*, align 8
  store %9* %0, %9** %2, align 8
  %3 = load %9*, %9** %2, align 8
  %4 = getelementptr inbounds %9, %9* %3, i32 0, i32 0
  %5 = load %class.anon.32*, %class.anon.32** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %9, %9* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %9, %9* %3, i32 0, i32 0
  %12 = load %class.anon.32*, %class.anon.32** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %9, %9* %3, i32 0, i32 2
  %16 = load %8*, %8** %15, align 8
  call void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%8* noundef nonnull align 8 dereferenceable(40) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %9, %9* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.32*, align 8
  store %class.anon.32* %0, %class.anon.32** %2, align 8
  %3 = load %class.anon.32*, %class.anon.32** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%8* noundef nonnull align 8 dereferenceable(40) %0) #0 align 2 {
  %2 = alloca %8*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store %8* %0, %8** %2, align 8
  %6 = load %8*, %8** %2, align 8
  %7 = getelementptr inbounds %8, %8* %6, i32 0, i32 0
  %8 = load %struct.PreallocatedMemoryChunk.488*, %struct.PreallocatedMemoryChunk.488** %7, align 8
  %9 = getelementptr inbounds %struct.PreallocatedMemoryChunk.488, %struct.PreallocatedMemoryChunk.488* %8, i32 0, i32 0
  %10 = load i8*, i8** %9, align 8
  %11 = ptrtoint i8* %10 to i64
  store i64 %11, i64* %3, align 8
  %12 = getelementptr inbounds %8, %8* %6, i32 0, i32 0
  %13 = load %struct.PreallocatedMemoryChunk.488*, %struct.PreallocatedMemoryChunk.488** %12, align 8
  %14 = getelementptr inbounds %struct.PreallocatedMemoryChunk.488, %struct.PreallocatedMemoryChunk.488* %13, i32 0, i32 1
  %15 = load i8*, i8** %14, align 8
  %16 = ptrtoint i8* %15 to i64
  store i64 %16, i64* %4, align 8
  %17 = getelementptr inbounds %8, %8* %6, i32 0, i32 1
  %18 = load i64*, i64** %17, align 8
  %19 = load i64, i64* %18, align 8
  %20 = sub i64 %19, 1
  %21 = load i64, i64* %3, align 8
  %22 = getelementptr inbounds %8, %8* %6, i32 0, i32 1
  %23 = load i64*, i64** %22, align 8
  %24 = load i64, i64* %23, align 8
  %25 = add i64 %21, %24
  %26 = sub i64 %25, 1
  %27 = getelementptr inbounds %8, %8* %6, i32 0, i32 1
  %28 = load i64*, i64** %27, align 8
  %29 = load i64, i64* %28, align 8
  %30 = urem i64 %26, %29
  %31 = sub i64 %20, %30
  store i64 %31, i64* %5, align 8
  %32 = load i64, i64* %5, align 8
  %33 = getelementptr inbounds %8, %8* %6, i32 0, i32 2
  %34 = load i64*, i64** %33, align 8
  %35 = load i64, i64* %34, align 8
  %36 = add i64 %35, %32
  store i64 %36, i64* %34, align 8
  %37 = load i64, i64* %3, align 8
  %38 = getelementptr inbounds %8, %8* %6, i32 0, i32 2
  %39 = load i64*, i64** %38, align 8
  %40 = load i64, i64* %39, align 8
  %41 = add i64 %37, %40
  %42 = load i64, i64* %4, align 8
  %43 = icmp ule i64 %41, %42
  br i1 %43, label %44, label %61

44:                                               ; preds = %1
  %45 = load i64, i64* %3, align 8
  %46 = load i64, i64* %5, align 8
  %47 = add i64 %45, %46
  %48 = inttoptr i64 %47 to i8*
  %49 = getelementptr inbounds %8, %8* %6, i32 0, i32 3
  %50 = load i8**, i8*** %49, align 8
  store i8* %48, i8** %50, align 8
  %51 = getelementptr inbounds %8, %8* %6, i32 0, i32 2
  %52 = load i64*, i64** %51, align 8
  %53 = load i64, i64* %52, align 8
  %54 = getelementptr inbounds %8, %8* %6, i32 0, i32 0
  %55 = load %struct.PreallocatedMemoryChunk.488*, %struct.PreallocatedMemoryChunk.488** %54, align 8
  %56 = getelementptr inbounds %struct.PreallocatedMemoryChunk.488, %struct.PreallocatedMemoryChunk.488* %55, i32 0, i32 0
  %57 = load i8*, i8** %56, align 8
  %58 = getelementptr inbounds i8, i8* %57, i64 %53
  store i8* %58, i8** %56, align 8
  %59 = getelementptr inbounds %8, %8* %6, i32 0, i32 4
  %60 = load i8*, i8** %59, align 8
  store i8 1, i8* %60, align 1
  br label %64

61:                                               ; preds = %1
  %62 = getelementptr inbounds %8, %8* %6, i32 0, i32 4
  %63 = load i8*, i8** %62, align 8
  store i8 0, i8* %63, align 1
  br label %64

64:                                               ; preds = %61, %44
  ret void
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal void @taichi_assert_format(%struct.LLVMRuntime.493* noundef %0, i1 noundef zeroext %1, i8* noundef %2, i32 noundef %3, i64* noundef %4) #5 {
  %6 = alloca %struct.LLVMRuntime.493*, align 8
  %7 = alloca i8, align 1
  %8 = alloca i8*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64*, align 8
  %11 = alloca %10, align 8
  store %struct.LLVMRuntime.493* %0, %struct.LLVMRuntime.493** %6, align 8
  %12 = zext i1 %1 to i8
  store i8 %12, i8* %7, align 1
  store i8* %2, i8** %8, align 8
  store i32 %3, i32* %9, align 4
  store i64* %4, i64** %10, align 8
  call void @mark_force_no_inline()
  %13 = load i8, i8* %7, align 1
  %14 = trunc i8 %13 to i1
  %15 = zext i1 %14 to i32
  %16 = icmp ne i32 %15, 0
  br i1 %16, label %17, label %18

17:                                               ; preds = %5
  br label %32

18:                                               ; preds = %5
  %19 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %6, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %19, i32 0, i32 22
  %21 = load i64, i64* %20, align 8
  %22 = icmp ne i64 %21, 0
  br i1 %22, label %31, label %23

23:                                               ; preds = %18
  %24 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %6, align 8
  %25 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %24, i32 0, i32 21
  %26 = bitcast i32* %25 to i8*
  %27 = getelementptr inbounds %10, %10* %11, i32 0, i32 0
  store %struct.LLVMRuntime.493** %6, %struct.LLVMRuntime.493*** %27, align 8
  %28 = getelementptr inbounds %10, %10* %11, i32 0, i32 1
  store i8** %8, i8*** %28, align 8
  %29 = getelementptr inbounds %10, %10* %11, i32 0, i32 2
  store i32* %9, i32** %29, align 8
  %30 = getelementptr inbounds %10, %10* %11, i32 0, i32 3
  store i64** %10, i64*** %30, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %26, %10* noundef nonnull align 8 dereferenceable(32) %11)
  br label %31

31:                                               ; preds = %23, %18
  call void asm sideeffect "exit;", "~{dirflag},~{fpsr},~{flags}"() #11, !srcloc !28
  br label %32

32:                                               ; preds = %31, %17
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mark_force_no_inline() #0 {
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %0, %10* noundef nonnull align 8 dereferenceable(32) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %10*, align 8
  %5 = alloca %class.anon.32, align 1
  store i8* %0, i8** %3, align 8
  store %10* %1, %10** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %10*, %10** %4, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %6, %10* noundef nonnull align 8 dereferenceable(32) %7, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %0, %10* noundef nonnull align 8 dereferenceable(32) %1, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %10*, align 8
  %6 = alloca %class.anon.32*, align 8
  %7 = alloca %class.anon.32, align 1
  store i8* %0, i8** %4, align 8
  store %10* %1, %10** %5, align 8
  store %class.anon.32* %2, %class.anon.32** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %10*, %10** %5, align 8
  %10 = load %class.anon.32*, %class.anon.32** %6, align 8
  call void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %10* noundef nonnull align 8 dereferenceable(32) %9, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %10* noundef nonnull align 8 dereferenceable(32) %2, %class.anon.32* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.32*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %10*, align 8
  %8 = alloca %class.anon.32*, align 8
  %9 = alloca %11, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.32* %0, %class.anon.32** %5, align 8
  store i8* %1, i8** %6, align 8
  store %10* %2, %10** %7, align 8
  store %class.anon.32* %3, %class.anon.32** %8, align 8
  %15 = load %class.anon.32*, %class.anon.32** %5, align 8
  %16 = getelementptr inbounds %11, %11* %9, i32 0, i32 0
  %17 = load %class.anon.32*, %class.anon.32** %8, align 8
  store %class.anon.32* %17, %class.anon.32** %16, align 8
  %18 = getelementptr inbounds %11, %11* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %11, %11* %9, i32 0, i32 2
  %20 = load %10*, %10** %7, align 8
  store %10* %20, %10** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !29

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !30

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %11*, align 8
  store %11* %0, %11** %2, align 8
  %3 = load %11*, %11** %2, align 8
  %4 = getelementptr inbounds %11, %11* %3, i32 0, i32 0
  %5 = load %class.anon.32*, %class.anon.32** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %11, %11* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %11, %11* %3, i32 0, i32 0
  %12 = load %class.anon.32*, %class.anon.32** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %11, %11* %3, i32 0, i32 2
  %16 = load %10*, %10** %15, align 8
  call void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%10* noundef nonnull align 8 dereferenceable(32) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %11, %11* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.32*, align 8
  store %class.anon.32* %0, %class.anon.32** %2, align 8
  %3 = load %class.anon.32*, %class.anon.32** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%10* noundef nonnull align 8 dereferenceable(32) %0) #0 align 2 {
  %2 = alloca %10*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store %10* %0, %10** %2, align 8
  %6 = load %10*, %10** %2, align 8
  %7 = getelementptr inbounds %10, %10* %6, i32 0, i32 0
  %8 = load %struct.LLVMRuntime.493**, %struct.LLVMRuntime.493*** %7, align 8
  %9 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %8, align 8
  %10 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %9, i32 0, i32 22
  %11 = load i64, i64* %10, align 8
  %12 = icmp ne i64 %11, 0
  br i1 %12, label %62, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds %10, %10* %6, i32 0, i32 0
  %15 = load %struct.LLVMRuntime.493**, %struct.LLVMRuntime.493*** %14, align 8
  %16 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %15, align 8
  %17 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %16, i32 0, i32 22
  store i64 1, i64* %17, align 8
  %18 = getelementptr inbounds %10, %10* %6, i32 0, i32 0
  %19 = load %struct.LLVMRuntime.493**, %struct.LLVMRuntime.493*** %18, align 8
  %20 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %19, align 8
  %21 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %20, i32 0, i32 19
  %22 = getelementptr inbounds [2048 x i8], [2048 x i8]* %21, i64 0, i64 0
  call void @llvm.memset.p0i8.i64(i8* align 8 %22, i8 0, i64 2048, i1 false)
  %23 = getelementptr inbounds %10, %10* %6, i32 0, i32 0
  %24 = load %struct.LLVMRuntime.493**, %struct.LLVMRuntime.493*** %23, align 8
  %25 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %24, align 8
  %26 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %25, i32 0, i32 19
  %27 = getelementptr inbounds [2048 x i8], [2048 x i8]* %26, i64 0, i64 0
  %28 = getelementptr inbounds %10, %10* %6, i32 0, i32 1
  %29 = load i8**, i8*** %28, align 8
  %30 = load i8*, i8** %29, align 8
  %31 = getelementptr inbounds %10, %10* %6, i32 0, i32 1
  %32 = load i8**, i8*** %31, align 8
  %33 = load i8*, i8** %32, align 8
  %34 = call i64 @taichi_strlen(i8* noundef %33)
  store i64 %34, i64* %3, align 8
  store i64 2047, i64* %4, align 8
  %35 = call noundef nonnull align 8 dereferenceable(8) i64* @_ZSt3minImERKT_S2_S2_(i64* noundef nonnull align 8 dereferenceable(8) %3, i64* noundef nonnull align 8 dereferenceable(8) %4)
  %36 = load i64, i64* %35, align 8
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %27, i8* align 1 %30, i64 %36, i1 false)
  store i32 0, i32* %5, align 4
  br label %37

37:                                               ; preds = %58, %13
  %38 = load i32, i32* %5, align 4
  %39 = getelementptr inbounds %10, %10* %6, i32 0, i32 2
  %40 = load i32*, i32** %39, align 8
  %41 = load i32, i32* %40, align 4
  %42 = icmp slt i32 %38, %41
  br i1 %42, label %43, label %61

43:                                               ; preds = %37
  %44 = getelementptr inbounds %10, %10* %6, i32 0, i32 3
  %45 = load i64**, i64*** %44, align 8
  %46 = load i64*, i64** %45, align 8
  %47 = load i32, i32* %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i64, i64* %46, i64 %48
  %50 = load i64, i64* %49, align 8
  %51 = getelementptr inbounds %10, %10* %6, i32 0, i32 0
  %52 = load %struct.LLVMRuntime.493**, %struct.LLVMRuntime.493*** %51, align 8
  %53 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %52, align 8
  %54 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %53, i32 0, i32 20
  %55 = load i32, i32* %5, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [32 x i64], [32 x i64]* %54, i64 0, i64 %56
  store i64 %50, i64* %57, align 8
  br label %58

58:                                               ; preds = %43
  %59 = load i32, i32* %5, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, i32* %5, align 4
  br label %37, !llvm.loop !31

61:                                               ; preds = %37
  br label %62

62:                                               ; preds = %61, %1
  ret void
}

; Function Attrs: argmemonly nocallback nofree nounwind willreturn writeonly
declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #6

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @taichi_strlen(i8* noundef %0) #0 {
  %2 = alloca i8*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  store i64 0, i64* %3, align 8
  %5 = load i8*, i8** %2, align 8
  store i8* %5, i8** %4, align 8
  br label %6

6:                                                ; preds = %13, %1
  %7 = load i8*, i8** %4, align 8
  %8 = load i8, i8* %7, align 1
  %9 = icmp ne i8 %8, 0
  br i1 %9, label %10, label %16

10:                                               ; preds = %6
  %11 = load i64, i64* %3, align 8
  %12 = add i64 %11, 1
  store i64 %12, i64* %3, align 8
  br label %13

13:                                               ; preds = %10
  %14 = load i8*, i8** %4, align 8
  %15 = getelementptr inbounds i8, i8* %14, i32 1
  store i8* %15, i8** %4, align 8
  br label %6, !llvm.loop !32

16:                                               ; preds = %6
  %17 = load i64, i64* %3, align 8
  ret i64 %17
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 8 dereferenceable(8) i64* @_ZSt3minImERKT_S2_S2_(i64* noundef nonnull align 8 dereferenceable(8) %0, i64* noundef nonnull align 8 dereferenceable(8) %1) #0 {
  %3 = alloca i64*, align 8
  %4 = alloca i64*, align 8
  %5 = alloca i64*, align 8
  store i64* %0, i64** %4, align 8
  store i64* %1, i64** %5, align 8
  %6 = load i64*, i64** %5, align 8
  %7 = load i64, i64* %6, align 8
  %8 = load i64*, i64** %4, align 8
  %9 = load i64, i64* %8, align 8
  %10 = icmp ult i64 %7, %9
  br i1 %10, label %11, label %13

11:                                               ; preds = %2
  %12 = load i64*, i64** %5, align 8
  store i64* %12, i64** %3, align 8
  br label %15

13:                                               ; preds = %2
  %14 = load i64*, i64** %4, align 8
  store i64* %14, i64** %3, align 8
  br label %15

15:                                               ; preds = %13, %11
  %16 = load i64*, i64** %3, align 8
  ret i64* %16
}

; Function Attrs: argmemonly nocallback nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #7

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #8

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.cttz.i32(i32, i1 immarg) #2

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Dynamic_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.DynamicNode*, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %8 = load i8*, i8** %5, align 8
  %9 = bitcast i8* %8 to %struct.DynamicNode*
  store %struct.DynamicNode* %9, %struct.DynamicNode** %7, align 8
  %10 = load i32, i32* %6, align 4
  %11 = load %struct.DynamicNode*, %struct.DynamicNode** %7, align 8
  %12 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %11, i32 0, i32 1
  %13 = load i32, i32* %12, align 4
  %14 = icmp slt i32 %10, %13
  ret i1 %14
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Dynamic_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca i32, align 4
  %8 = alloca %struct.DenseMeta.497*, align 8
  %9 = alloca %struct.DynamicNode*, align 8
  %10 = alloca i32, align 4
  %11 = alloca i8*, align 8
  %12 = alloca i32, align 4
  %13 = alloca i8*, align 8
  store i8* %0, i8** %5, align 8
  store i8* %1, i8** %6, align 8
  store i32 %2, i32* %7, align 4
  %14 = load i8*, i8** %5, align 8
  %15 = bitcast i8* %14 to %struct.DenseMeta.497*
  store %struct.DenseMeta.497* %15, %struct.DenseMeta.497** %8, align 8
  %16 = load i8*, i8** %6, align 8
  %17 = bitcast i8* %16 to %struct.DynamicNode*
  store %struct.DynamicNode* %17, %struct.DynamicNode** %9, align 8
  %18 = load i8*, i8** %5, align 8
  %19 = load i8*, i8** %6, align 8
  %20 = load i32, i32* %7, align 4
  %21 = call zeroext i1 @Dynamic_is_active(i8* noundef %18, i8* noundef %19, i32 noundef %20)
  br i1 %21, label %22, label %56

22:                                               ; preds = %3
  store i32 0, i32* %10, align 4
  %23 = load %struct.DynamicNode*, %struct.DynamicNode** %9, align 8
  %24 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %23, i32 0, i32 2
  %25 = load i8*, i8** %24, align 8
  store i8* %25, i8** %11, align 8
  %26 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %8, align 8
  %27 = getelementptr inbounds %struct.DenseMeta.497, %struct.DenseMeta.497* %26, i32 0, i32 1
  %28 = load i32, i32* %27, align 8
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %49, %22
  %30 = load i32, i32* %7, align 4
  %31 = load i32, i32* %10, align 4
  %32 = load i32, i32* %12, align 4
  %33 = add nsw i32 %31, %32
  %34 = icmp slt i32 %30, %33
  br i1 %34, label %35, label %49

35:                                               ; preds = %29
  %36 = load i8*, i8** %11, align 8
  %37 = getelementptr inbounds i8, i8* %36, i64 8
  %38 = load i32, i32* %7, align 4
  %39 = load i32, i32* %10, align 4
  %40 = sub nsw i32 %38, %39
  %41 = sext i32 %40 to i64
  %42 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %8, align 8
  %43 = bitcast %struct.DenseMeta.497* %42 to %struct.StructMeta.496*
  %44 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %43, i32 0, i32 1
  %45 = load i64, i64* %44, align 8
  %46 = mul i64 %41, %45
  %47 = getelementptr inbounds i8, i8* %37, i64 %46
  store i8* %47, i8** %13, align 8
  %48 = load i8*, i8** %13, align 8
  store i8* %48, i8** %4, align 8
  br label %71

49:                                               ; preds = %29
  %50 = load i8*, i8** %11, align 8
  %51 = bitcast i8* %50 to i8**
  %52 = load i8*, i8** %51, align 8
  store i8* %52, i8** %11, align 8
  %53 = load i32, i32* %12, align 4
  %54 = load i32, i32* %10, align 4
  %55 = add nsw i32 %54, %53
  store i32 %55, i32* %10, align 4
  br label %29, !llvm.loop !33

56:                                               ; preds = %3
  %57 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %8, align 8
  %58 = bitcast %struct.DenseMeta.497* %57 to %struct.StructMeta.496*
  %59 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %58, i32 0, i32 8
  %60 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %59, align 8
  %61 = getelementptr inbounds %struct.RuntimeContext.494, %struct.RuntimeContext.494* %60, i32 0, i32 1
  %62 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %61, align 8
  %63 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %62, i32 0, i32 13
  %64 = load %struct.DenseMeta.497*, %struct.DenseMeta.497** %8, align 8
  %65 = bitcast %struct.DenseMeta.497* %64 to %struct.StructMeta.496*
  %66 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %65, i32 0, i32 0
  %67 = load i32, i32* %66, align 8
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [1024 x i8*], [1024 x i8*]* %63, i64 0, i64 %68
  %70 = load i8*, i8** %69, align 8
  store i8* %70, i8** %4, align 8
  br label %71

71:                                               ; preds = %56, %35
  %72 = load i8*, i8** %4, align 8
  ret i8* %72
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Dynamic_get_num_elements(i8* noundef %0, i8* noundef %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  %5 = alloca %struct.DynamicNode*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %6 = load i8*, i8** %4, align 8
  %7 = bitcast i8* %6 to %struct.DynamicNode*
  store %struct.DynamicNode* %7, %struct.DynamicNode** %5, align 8
  %8 = load %struct.DynamicNode*, %struct.DynamicNode** %5, align 8
  %9 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %8, i32 0, i32 1
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Pointer_get_num_elements(i8* noundef %0, i8* noundef %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.496*
  %7 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @Pointer_activate(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.StructMeta.496*, align 8
  %8 = alloca i32, align 4
  %9 = alloca i8*, align 8
  %10 = alloca i8**, align 8
  %11 = alloca i32, align 4
  %12 = alloca %12, align 8
  %13 = alloca %class.anon.5, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %14 = load i8*, i8** %4, align 8
  %15 = bitcast i8* %14 to %struct.StructMeta.496*
  store %struct.StructMeta.496* %15, %struct.StructMeta.496** %7, align 8
  %16 = load i8*, i8** %4, align 8
  %17 = load i8*, i8** %5, align 8
  %18 = call i32 @Pointer_get_num_elements(i8* noundef %16, i8* noundef %17)
  store i32 %18, i32* %8, align 4
  %19 = load i8*, i8** %5, align 8
  %20 = load i32, i32* %6, align 4
  %21 = mul nsw i32 8, %20
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i8, i8* %19, i64 %22
  store volatile i8* %23, i8** %9, align 8
  %24 = load i8*, i8** %5, align 8
  %25 = load i32, i32* %8, align 4
  %26 = load i32, i32* %6, align 4
  %27 = add nsw i32 %25, %26
  %28 = mul nsw i32 8, %27
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i8, i8* %24, i64 %29
  %31 = bitcast i8* %30 to i8**
  store i8** %31, i8*** %10, align 8
  %32 = load i8**, i8*** %10, align 8
  %33 = load volatile i8*, i8** %32, align 8
  %34 = icmp eq i8* %33, null
  br i1 %34, label %35, label %48

35:                                               ; preds = %3
  %36 = call i32 @cuda_active_mask()
  store i32 %36, i32* %11, align 4
  %37 = load i32, i32* %11, align 4
  %38 = load volatile i8*, i8** %9, align 8
  %39 = ptrtoint i8* %38 to i64
  %40 = call zeroext i1 @is_representative(i32 noundef %37, i64 noundef %39)
  br i1 %40, label %41, label %46

41:                                               ; preds = %35
  %42 = load volatile i8*, i8** %9, align 8
  %43 = getelementptr inbounds %12, %12* %12, i32 0, i32 0
  store %struct.StructMeta.496** %7, %struct.StructMeta.496*** %43, align 8
  %44 = getelementptr inbounds %12, %12* %12, i32 0, i32 1
  store i8*** %10, i8**** %44, align 8
  %45 = getelementptr inbounds %class.anon.5, %class.anon.5* %13, i32 0, i32 0
  store i8*** %10, i8**** %45, align 8
  call void @"_Z11locked_taskIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EvPvRKT_RKT0_"(i8* noundef %42, %12* noundef nonnull align 8 dereferenceable(16) %12, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %13)
  br label %46

46:                                               ; preds = %41, %35
  %47 = load i32, i32* %11, align 4
  call void @warp_barrier(i32 noundef %47)
  br label %48

48:                                               ; preds = %46, %3
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @is_representative(i32 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i1, align 1
  %4 = alloca i32, align 4
  %5 = alloca i64, align 8
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  %8 = alloca i8, align 1
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store i32 %0, i32* %4, align 4
  store i64 %1, i64* %5, align 8
  %12 = call i32 @cuda_compute_capability()
  %13 = icmp slt i32 %12, 70
  br i1 %13, label %14, label %74

14:                                               ; preds = %2
  store i8 0, i8* %6, align 1
  store i32 1, i32* %7, align 4
  br label %15

15:                                               ; preds = %67, %14
  %16 = load i32, i32* %7, align 4
  %17 = icmp slt i32 %16, 32
  br i1 %17, label %18, label %70

18:                                               ; preds = %15
  %19 = call i32 @warp_idx()
  %20 = load i32, i32* %7, align 4
  %21 = add nsw i32 %19, %20
  %22 = icmp slt i32 %21, 32
  br i1 %22, label %23, label %31

23:                                               ; preds = %18
  %24 = load i32, i32* %4, align 4
  %25 = call i32 @warp_idx()
  %26 = load i32, i32* %7, align 4
  %27 = add nsw i32 %25, %26
  %28 = lshr i32 %24, %27
  %29 = and i32 %28, 1
  %30 = icmp ne i32 %29, 0
  br label %31

31:                                               ; preds = %23, %18
  %32 = phi i1 [ false, %18 ], [ %30, %23 ]
  %33 = zext i1 %32 to i8
  store i8 %33, i8* %8, align 1
  %34 = load i8, i8* %8, align 1
  %35 = trunc i8 %34 to i1
  br i1 %35, label %36, label %56

36:                                               ; preds = %31
  %37 = load i64, i64* %5, align 8
  %38 = trunc i64 %37 to i32
  %39 = load i32, i32* %4, align 4
  %40 = load i64, i64* %5, align 8
  %41 = trunc i64 %40 to i32
  %42 = load i32, i32* %7, align 4
  %43 = call i32 @cuda_shfl_down_sync_i32(i32 noundef %39, i32 noundef %41, i32 noundef %42, i32 noundef 31)
  %44 = icmp eq i32 %38, %43
  br i1 %44, label %45, label %56

45:                                               ; preds = %36
  %46 = load i64, i64* %5, align 8
  %47 = lshr i64 %46, 32
  %48 = trunc i64 %47 to i32
  %49 = load i32, i32* %4, align 4
  %50 = load i64, i64* %5, align 8
  %51 = lshr i64 %50, 32
  %52 = trunc i64 %51 to i32
  %53 = load i32, i32* %7, align 4
  %54 = call i32 @cuda_shfl_down_sync_i32(i32 noundef %49, i32 noundef %52, i32 noundef %53, i32 noundef 31)
  %55 = icmp eq i32 %48, %54
  br label %56

56:                                               ; preds = %45, %36, %31
  %57 = phi i1 [ false, %36 ], [ false, %31 ], [ %55, %45 ]
  %58 = zext i1 %57 to i8
  store i8 %58, i8* %9, align 1
  %59 = load i8, i8* %6, align 1
  %60 = trunc i8 %59 to i1
  br i1 %60, label %64, label %61

61:                                               ; preds = %56
  %62 = load i8, i8* %9, align 1
  %63 = trunc i8 %62 to i1
  br label %64

64:                                               ; preds = %61, %56
  %65 = phi i1 [ true, %56 ], [ %63, %61 ]
  %66 = zext i1 %65 to i8
  store i8 %66, i8* %6, align 1
  br label %67

67:                                               ; preds = %64
  %68 = load i32, i32* %7, align 4
  %69 = add nsw i32 %68, 1
  store i32 %69, i32* %7, align 4
  br label %15, !llvm.loop !34

70:                                               ; preds = %15
  %71 = load i8, i8* %6, align 1
  %72 = trunc i8 %71 to i1
  %73 = xor i1 %72, true
  store i1 %73, i1* %3, align 1
  br label %83

74:                                               ; preds = %2
  %75 = load i32, i32* %4, align 4
  %76 = load i64, i64* %5, align 8
  %77 = call i32 @cuda_match_any_sync_i64(i32 noundef %75, i64 noundef %76)
  store i32 %77, i32* %10, align 4
  %78 = load i32, i32* %10, align 4
  %79 = call i32 @cttz_i32(i32 noundef %78)
  store i32 %79, i32* %11, align 4
  %80 = call i32 @warp_idx()
  %81 = load i32, i32* %11, align 4
  %82 = icmp eq i32 %80, %81
  store i1 %82, i1* %3, align 1
  br label %83

83:                                               ; preds = %74, %70
  %84 = load i1, i1* %3, align 1
  ret i1 %84
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EvPvRKT_RKT0_"(i8* noundef %0, %12* noundef nonnull align 8 dereferenceable(16) %1, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %12*, align 8
  %6 = alloca %class.anon.5*, align 8
  %7 = alloca %class.anon.32, align 1
  store i8* %0, i8** %4, align 8
  store %12* %1, %12** %5, align 8
  store %class.anon.5* %2, %class.anon.5** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %12*, %12** %5, align 8
  %10 = load %class.anon.5*, %class.anon.5** %6, align 8
  call void @"_ZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC2EPhRKS0_RKS1_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %12* noundef nonnull align 8 dereferenceable(16) %9, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %10)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @warp_barrier(i32 noundef %0) #0 {
entry:
  call void @llvm.nvvm.bar.warp.sync(i32 %0)
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #9

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC2EPhRKS0_RKS1_"(%class.anon.32* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %12* noundef nonnull align 8 dereferenceable(16) %2, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.32*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %12*, align 8
  %8 = alloca %class.anon.5*, align 8
  %9 = alloca %13, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.32* %0, %class.anon.32** %5, align 8
  store i8* %1, i8** %6, align 8
  store %12* %2, %12** %7, align 8
  store %class.anon.5* %3, %class.anon.5** %8, align 8
  %15 = load %class.anon.32*, %class.anon.32** %5, align 8
  %16 = getelementptr inbounds %13, %13* %9, i32 0, i32 0
  %17 = load %class.anon.5*, %class.anon.5** %8, align 8
  store %class.anon.5* %17, %class.anon.5** %16, align 8
  %18 = getelementptr inbounds %13, %13* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %13, %13* %9, i32 0, i32 2
  %20 = load %12*, %12** %7, align 8
  store %12* %20, %12** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !35

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !36

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %13*, align 8
  store %13* %0, %13** %2, align 8
  %3 = load %13*, %13** %2, align 8
  %4 = getelementptr inbounds %13, %13* %3, i32 0, i32 0
  %5 = load %class.anon.5*, %class.anon.5** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %13, %13* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %13, %13* %3, i32 0, i32 0
  %12 = load %class.anon.5*, %class.anon.5** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %13, %13* %3, i32 0, i32 2
  %16 = load %12*, %12** %15, align 8
  call void @"_ZZ16Pointer_activateENK3$_5clEv"(%12* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %13, %13* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %0) #0 align 2 {
  %2 = alloca %class.anon.5*, align 8
  store %class.anon.5* %0, %class.anon.5** %2, align 8
  %3 = load %class.anon.5*, %class.anon.5** %2, align 8
  %4 = getelementptr inbounds %class.anon.5, %class.anon.5* %3, i32 0, i32 0
  %5 = load i8***, i8**** %4, align 8
  %6 = load i8**, i8*** %5, align 8
  %7 = load volatile i8*, i8** %6, align 8
  %8 = icmp eq i8* %7, null
  ret i1 %8
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ16Pointer_activateENK3$_5clEv"(%12* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %12*, align 8
  %3 = alloca %struct.LLVMRuntime.493*, align 8
  %4 = alloca %struct.NodeManager.491*, align 8
  %5 = alloca i64, align 8
  store %12* %0, %12** %2, align 8
  %6 = load %12*, %12** %2, align 8
  %7 = getelementptr inbounds %12, %12* %6, i32 0, i32 0
  %8 = load %struct.StructMeta.496**, %struct.StructMeta.496*** %7, align 8
  %9 = load %struct.StructMeta.496*, %struct.StructMeta.496** %8, align 8
  %10 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %9, i32 0, i32 8
  %11 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %10, align 8
  %12 = getelementptr inbounds %struct.RuntimeContext.494, %struct.RuntimeContext.494* %11, i32 0, i32 1
  %13 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %12, align 8
  store %struct.LLVMRuntime.493* %13, %struct.LLVMRuntime.493** %3, align 8
  %14 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %3, align 8
  %15 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %14, i32 0, i32 12
  %16 = getelementptr inbounds %12, %12* %6, i32 0, i32 0
  %17 = load %struct.StructMeta.496**, %struct.StructMeta.496*** %16, align 8
  %18 = load %struct.StructMeta.496*, %struct.StructMeta.496** %17, align 8
  %19 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %18, i32 0, i32 0
  %20 = load i32, i32* %19, align 8
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [1024 x %struct.NodeManager.491*], [1024 x %struct.NodeManager.491*]* %15, i64 0, i64 %21
  %23 = load %struct.NodeManager.491*, %struct.NodeManager.491** %22, align 8
  store %struct.NodeManager.491* %23, %struct.NodeManager.491** %4, align 8
  %24 = load %struct.NodeManager.491*, %struct.NodeManager.491** %4, align 8
  %25 = call noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager.491* noundef nonnull align 8 dereferenceable(52) %24)
  %26 = ptrtoint i8* %25 to i64
  store i64 %26, i64* %5, align 8
  %27 = getelementptr inbounds %12, %12* %6, i32 0, i32 1
  %28 = load i8***, i8**** %27, align 8
  %29 = load i8**, i8*** %28, align 8
  %30 = bitcast i8** %29 to i64*
  %31 = load i64, i64* %5, align 8
  %32 = call i64 @atomic_exchange_u64(i64* noundef %30, i64 noundef %31)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_shfl_down_sync_i32(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #0 {
entry:
  %4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %0, i32 %1, i32 %2, i32 %3)
  ret i32 %4
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_match_any_sync_i64(i32 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store i32 %0, i32* %3, align 4
  store i64 %1, i64* %4, align 8
  %6 = load i64, i64* %4, align 8
  %7 = load i32, i32* %3, align 4
  %8 = call i32 asm sideeffect "match.any.sync.b64  $0, $1, $2;", "=r,l,r,~{dirflag},~{fpsr},~{flags}"(i64 %6, i32 %7) #11, !srcloc !37
  store i32 %8, i32* %5, align 4
  %9 = load i32, i32* %5, align 4
  ret i32 %9
}

; Function Attrs: convergent inaccessiblememonly nocallback nounwind
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #10

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Pointer_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i8*, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %9 = load i8*, i8** %4, align 8
  %10 = load i8*, i8** %5, align 8
  %11 = call i32 @Pointer_get_num_elements(i8* noundef %9, i8* noundef %10)
  store i32 %11, i32* %7, align 4
  %12 = load i8*, i8** %5, align 8
  %13 = load i32, i32* %7, align 4
  %14 = load i32, i32* %6, align 4
  %15 = add nsw i32 %13, %14
  %16 = mul nsw i32 8, %15
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds i8, i8* %12, i64 %17
  %19 = bitcast i8* %18 to i8**
  %20 = load i8*, i8** %19, align 8
  store i8* %20, i8** %8, align 8
  %21 = load i8*, i8** %8, align 8
  %22 = icmp ne i8* %21, null
  ret i1 %22
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Pointer_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i8*, align 8
  %9 = alloca %struct.StructMeta.496*, align 8
  %10 = alloca %struct.RuntimeContext.494*, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %11 = load i8*, i8** %4, align 8
  %12 = load i8*, i8** %5, align 8
  %13 = call i32 @Pointer_get_num_elements(i8* noundef %11, i8* noundef %12)
  store i32 %13, i32* %7, align 4
  %14 = load i8*, i8** %5, align 8
  %15 = load i32, i32* %7, align 4
  %16 = load i32, i32* %6, align 4
  %17 = add nsw i32 %15, %16
  %18 = mul nsw i32 8, %17
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i8, i8* %14, i64 %19
  %21 = bitcast i8* %20 to i8**
  %22 = load i8*, i8** %21, align 8
  store i8* %22, i8** %8, align 8
  %23 = load i8*, i8** %8, align 8
  %24 = icmp eq i8* %23, null
  br i1 %24, label %25, label %41

25:                                               ; preds = %3
  %26 = load i8*, i8** %4, align 8
  %27 = bitcast i8* %26 to %struct.StructMeta.496*
  store %struct.StructMeta.496* %27, %struct.StructMeta.496** %9, align 8
  %28 = load %struct.StructMeta.496*, %struct.StructMeta.496** %9, align 8
  %29 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %28, i32 0, i32 8
  %30 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %29, align 8
  store %struct.RuntimeContext.494* %30, %struct.RuntimeContext.494** %10, align 8
  %31 = load %struct.RuntimeContext.494*, %struct.RuntimeContext.494** %10, align 8
  %32 = getelementptr inbounds %struct.RuntimeContext.494, %struct.RuntimeContext.494* %31, i32 0, i32 1
  %33 = load %struct.LLVMRuntime.493*, %struct.LLVMRuntime.493** %32, align 8
  %34 = getelementptr inbounds %struct.LLVMRuntime.493, %struct.LLVMRuntime.493* %33, i32 0, i32 13
  %35 = load %struct.StructMeta.496*, %struct.StructMeta.496** %9, align 8
  %36 = getelementptr inbounds %struct.StructMeta.496, %struct.StructMeta.496* %35, i32 0, i32 0
  %37 = load i32, i32* %36, align 8
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [1024 x i8*], [1024 x i8*]* %34, i64 0, i64 %38
  %40 = load i8*, i8** %39, align 8
  store i8* %40, i8** %8, align 8
  br label %41

41:                                               ; preds = %25, %3
  %42 = load i8*, i8** %8, align 8
  ret i8* %42
}

attributes #0 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn }
attributes #2 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { alwaysinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { alwaysinline "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { argmemonly nocallback nofree nounwind willreturn writeonly }
attributes #7 = { argmemonly nocallback nofree nounwind willreturn }
attributes #8 = { nocallback nounwind }
attributes #9 = { convergent nocallback nounwind }
attributes #10 = { convergent inaccessiblememonly nocallback nounwind }
attributes #11 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !6, !8, !8, !8, !8, !9, !9, !8}
!llvm.ident = !{!10}
!nvvmir.version = !{!11}
!llvm.module.flags = !{!12, !13, !14, !15, !16}

!0 = !{void (%struct.RuntimeContext.494*)* @activate_c82_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.494*)* @activate_c82_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.494*)* @activate_c82_0_kernel_0_range_for, !"minctasm", i32 2}
!3 = !{void (%struct.RuntimeContext.494*)* @activate_c82_0_kernel_1_serial, !"kernel", i32 1}
!4 = !{void (%struct.RuntimeContext.494*)* @activate_c82_0_kernel_1_serial, !"maxntidx", i32 1}
!5 = !{void (%struct.RuntimeContext.494*)* @activate_c82_0_kernel_1_serial, !"minctasm", i32 2}
!6 = !{null, !"align", i32 8}
!7 = !{null, !"align", i32 8, !"align", i32 65544, !"align", i32 131080}
!8 = !{null, !"align", i32 16}
!9 = !{null, !"align", i32 16, !"align", i32 65552, !"align", i32 131088}
!10 = !{!"Ubuntu clang version 14.0.6"}
!11 = !{i32 1, i32 4}
!12 = !{i32 1, !"wchar_size", i32 4}
!13 = !{i32 7, !"PIC Level", i32 2}
!14 = !{i32 7, !"PIE Level", i32 2}
!15 = !{i32 7, !"uwtable", i32 1}
!16 = !{i32 7, !"frame-pointer", i32 2}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.mustprogress"}
!19 = distinct !{!19, !18}
!20 = distinct !{!20, !18}
!21 = distinct !{!21, !18}
!22 = !{i64 33607}
!23 = distinct !{!23, !18}
!24 = distinct !{!24, !18}
!25 = distinct !{!25, !18}
!26 = distinct !{!26, !18}
!27 = distinct !{!27, !18}
!28 = !{i64 22228}
!29 = distinct !{!29, !18}
!30 = distinct !{!30, !18}
!31 = distinct !{!31, !18}
!32 = distinct !{!32, !18}
!33 = distinct !{!33, !18}
!34 = distinct !{!34, !18}
!35 = distinct !{!35, !18}
!36 = distinct !{!36, !18}
!37 = !{i64 33385}
