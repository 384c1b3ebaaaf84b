; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%0 = type { [16 x i64], [16 x i8*] }
%1 = type { [1 x i32], [16 x %S9_ch.483] }
%2 = type { { i32, i32 }, i8* }
%3 = type { [1048576 x i64], [1048576 x i8*] }
%4 = type { [4 x i64], [4 x i8*] }
%5 = type { [4 x %6] }
%6 = type { float }
%7 = type { %8 }
%8 = type { [1 x i32], [4 x %9] }
%9 = type { i16, i16, i16 }
%10 = type { %struct.ListManager.320*, i32* }
%11 = type { i8 }
%12 = type { %11*, i8**, %10* }
%13 = type { %struct.PreallocatedMemoryChunk.318*, i64*, i64*, i8**, i8* }
%14 = type { %11*, i8**, %13* }
%15 = type { %struct.LLVMRuntime.323**, i8**, i32*, i64** }
%16 = type { %11*, i8**, %15* }
%struct.RuntimeContext.324 = type { i8*, %struct.LLVMRuntime.323*, i32, i64* }
%struct.LLVMRuntime.323 = type { %struct.PreallocatedMemoryChunk.318, %struct.PreallocatedMemoryChunk.318, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.319*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.320*], [1024 x %struct.NodeManager.321*], [1024 x i8*], i8*, %struct.RandState.322*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.318 = type { i8*, i8*, i64 }
%struct.__va_list_tag.319 = type { i32, i32, i8*, i8* }
%struct.ListManager.320 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.323* }
%struct.NodeManager.321 = type <{ %struct.LLVMRuntime.323*, i32, i32, i32, i32, %struct.ListManager.320*, %struct.ListManager.320*, %struct.ListManager.320*, i32, [4 x i8] }>
%struct.RandState.322 = type { i32, i32, i32, i32, i32 }
%struct.PointerMeta.341 = type <{ %struct.StructMeta.340, i8, [7 x i8] }>
%struct.StructMeta.340 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)*, %struct.RuntimeContext.324* }
%struct.PhysicalCoordinates.1.339 = type { [12 x i32] }
%struct.RootMeta.342 = type <{ %struct.StructMeta.340, i32, [4 x i8] }>
%struct.RuntimeContext.382 = type { i8*, %struct.LLVMRuntime.381*, i32, i64* }
%struct.LLVMRuntime.381 = type { %struct.PreallocatedMemoryChunk.318, %struct.PreallocatedMemoryChunk.318, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.319*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.378*], [1024 x %struct.NodeManager.379*], [1024 x i8*], i8*, %struct.RandState.322*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.ListManager.378 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.381* }
%struct.NodeManager.379 = type <{ %struct.LLVMRuntime.381*, i32, i32, i32, i32, %struct.ListManager.378*, %struct.ListManager.378*, %struct.ListManager.378*, i32, [4 x i8] }>
%struct.Element.384 = type { i8*, [2 x i32], %struct.PhysicalCoordinates.1.339 }
%S0_ch.487 = type { %0, %4, %1, [3 x %S11_ch.484], %3, [7 x %S17_ch.485], [4 x %S23_ch.486], %4 }
%S9_ch.483 = type { i1 }
%S11_ch.484 = type { %2 }
%S17_ch.485 = type { i64 }
%S23_ch.486 = type { i32 }
%struct.DynamicNode = type { i32, i32, i8* }

@.str = private unnamed_addr constant [144 x i8] c"Out of CUDA pre-allocated memory.\0AConsider using ti.init(device_memory_fraction=0.9) or ti.init(device_memory_GB=4) to allocate more GPU memory\00", align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"Taichi JIT\00", align 1
@.str.2 = private unnamed_addr constant [30 x i8] c"allocate_from_reserved_memory\00", align 1
@.str.3 = private unnamed_addr constant [28 x i8] c"Out of pre-allocated memory\00", align 1
@_ZL31taichi_listgen_max_element_size = internal constant i32 1024, align 4
@.str.5 = private unnamed_addr constant [28 x i8] c"List manager out of chunks.\00", align 1

define void @count_cells_c80_0_kernel_0_serial(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %0 = getelementptr %struct.RuntimeContext.324, %struct.RuntimeContext.324* %context, i32 0, i32 0
  %1 = bitcast i8** %0 to { { { i32 }, i32* } }**
  %2 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %1, align 8
  %3 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %2, i32 0, i32 0, i32 0, i32 0
  %4 = load i32, i32* %3, align 4
  %5 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  %6 = call i8* @get_temporary_pointer(%struct.LLVMRuntime.323* %5, i64 0)
  %7 = bitcast i8* %6 to i32*
  store i32 %4, i32* %7, align 4
  br label %final
}

define void @count_cells_c80_0_kernel_1_range_for(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %0 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  %1 = call i8* @get_temporary_pointer(%struct.LLVMRuntime.323* %0, i64 0)
  %2 = bitcast i8* %1 to i32*
  %3 = load i32, i32* %2, align 4
  call void @gpu_parallel_range_for(%struct.RuntimeContext.324* %context, i32 0, i32 %3, void (%struct.RuntimeContext.324*, i8*)* null, void (%struct.RuntimeContext.324*, i8*, i32)* @function_body, void (%struct.RuntimeContext.324*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.324* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %4 = load i32, i32* %3, align 4
  %5 = getelementptr %struct.RuntimeContext.324, %struct.RuntimeContext.324* %0, i32 0, i32 0
  %6 = bitcast i8** %5 to { { { i32 }, i32* } }**
  %7 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %6, align 8
  %8 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %7, i32 0, i32 0
  %9 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %8, i32 0, i32 1
  %10 = load i32*, i32** %9, align 8
  %11 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %8, i32 0, i32 0, i32 0
  %12 = load i32, i32* %11, align 4
  %13 = mul i32 0, %12
  %14 = add i32 %13, %4
  %15 = getelementptr i32, i32* %10, i32 %14
  store i32 0, i32* %15, align 4
  br label %final
}

define void @count_cells_c80_0_kernel_2_serial(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.RootMeta.342, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S1_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 0)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16777744)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Root_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Root_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Root_get_num_elements)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S0_refine_coordinates)
  %5 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @clear_list(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_3_listgen_S1pointer(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.RootMeta.342, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S1_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 0)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16777744)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Root_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Root_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Root_get_num_elements)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S0_refine_coordinates)
  %5 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @element_listgen_root(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_4_serial(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.RootMeta.342, align 8
  %1 = alloca %struct.PointerMeta.341, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.RootMeta.342* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 2)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S1_to_S2)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S2_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.RootMeta.342* %0, i32 0)
  %3 = bitcast %struct.RootMeta.342* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %4, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S1_refine_coordinates)
  %5 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @clear_list(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_5_listgen_S2dense(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.RootMeta.342, align 8
  %1 = alloca %struct.PointerMeta.341, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.RootMeta.342* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 2)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S1_to_S2)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S2_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.RootMeta.342* %0, i32 0)
  %3 = bitcast %struct.RootMeta.342* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %4, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S1_refine_coordinates)
  %5 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @element_listgen_nonroot(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_6_struct_for(%struct.RuntimeContext.382* byval(%struct.RuntimeContext.382) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void bitcast (void (%struct.RuntimeContext.324*, i32, i32, i32, void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)*, i64, i32)* @parallel_struct_for_1 to void (%struct.RuntimeContext.382*, i32, i32, i32, void (%struct.RuntimeContext.382*, i8*, %struct.Element.384*, i32, i32)*, i64, i32)*)(%struct.RuntimeContext.382* %context, i32 2, i32 4, i32 1, void (%struct.RuntimeContext.382*, i8*, %struct.Element.384*, i32, i32)* @function_body.1, i64 1, i32 1)
  br label %final
}

define internal void @function_body.1(%struct.RuntimeContext.382* %0, i8* %1, %struct.Element.384* %2, i32 %3, i32 %4) {
allocs:
  %5 = alloca i32, align 4
  %6 = alloca %struct.PhysicalCoordinates.1.339, align 8
  %7 = alloca %struct.PhysicalCoordinates.1.339, align 8
  br label %entry

final:                                            ; preds = %func_exit
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  %8 = call %struct.PhysicalCoordinates.1.339* @Element_get_ptr_pcoord(%struct.Element.384* %2)
  %9 = bitcast %struct.PhysicalCoordinates.1.339* %8 to %struct.PhysicalCoordinates.1.339*
  call void @S2_refine_coordinates(%struct.PhysicalCoordinates.1.339* %9, %struct.PhysicalCoordinates.1.339* %6, i32 0)
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %12 = add i32 %10, %3
  store i32 %12, i32* %5, align 4
  br label %loop_test

loop_test:                                        ; preds = %loop_body_tail, %function_body
  %13 = load i32, i32* %5, align 4
  %14 = icmp slt i32 %13, %4
  br i1 %14, label %loop_body, label %func_exit

loop_body:                                        ; preds = %loop_test
  %15 = load i32, i32* %5, align 4
  %16 = bitcast %struct.PhysicalCoordinates.1.339* %8 to %struct.PhysicalCoordinates.1.339*
  call void @S2_refine_coordinates(%struct.PhysicalCoordinates.1.339* %16, %struct.PhysicalCoordinates.1.339* %7, i32 %15)
  br i1 true, label %struct_for_body_body, label %loop_body_tail

loop_body_tail:                                   ; preds = %struct_for_body_body, %loop_body
  %17 = load i32, i32* %5, align 4
  %18 = add i32 %17, %11
  store i32 %18, i32* %5, align 4
  br label %loop_test

func_exit:                                        ; preds = %loop_test
  br label %final

struct_for_body_body:                             ; preds = %loop_body
  %19 = getelementptr %struct.RuntimeContext.382, %struct.RuntimeContext.382* %0, i32 0, i32 0
  %20 = bitcast i8** %19 to { { { i32 }, i32* } }**
  %21 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %20, align 8
  %22 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %21, i32 0, i32 0
  %23 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %22, i32 0, i32 1
  %24 = load i32*, i32** %23, align 8
  %25 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %22, i32 0, i32 0, i32 0
  %26 = load i32, i32* %25, align 4
  %27 = mul i32 0, %26
  %28 = add i32 %27, 0
  %29 = getelementptr i32, i32* %24, i32 %28
  %30 = atomicrmw add i32* %29, i32 1 seq_cst, align 4
  br label %loop_body_tail
}

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #0

define void @count_cells_c80_0_kernel_7_serial(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.RootMeta.342, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 4)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 28)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S0_to_S4)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S4_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 0)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16777744)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Root_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Root_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Root_get_num_elements)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S0_refine_coordinates)
  %5 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @clear_list(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_8_listgen_S4pointer(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.RootMeta.342, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 4)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 28)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S0_to_S4)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S4_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 0)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16777744)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Root_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Root_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Root_get_num_elements)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S0_refine_coordinates)
  %5 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @element_listgen_root(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_9_serial(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.PointerMeta.341, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 6)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S4_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S5_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 4)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 28)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %4, i8* (i8*)* @get_ch_S0_to_S4)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S4_refine_coordinates)
  %5 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @clear_list(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_10_listgen_S5bitmasked(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.PointerMeta.341, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 6)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S4_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S5_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 4)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 28)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %4, i8* (i8*)* @get_ch_S0_to_S4)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S4_refine_coordinates)
  %5 = bitcast %struct.PointerMeta.341* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @element_listgen_nonroot(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_11_struct_for(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @parallel_struct_for_1(%struct.RuntimeContext.324* %context, i32 5, i32 4, i32 1, void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)* @function_body.2, i64 1, i32 1)
  br label %final
}

define internal void @function_body.2(%struct.RuntimeContext.324* %0, i8* %1, %struct.Element.384* %2, i32 %3, i32 %4) {
allocs:
  %5 = alloca i32, align 4
  %6 = alloca %struct.PhysicalCoordinates.1.339, align 8
  %7 = alloca %struct.PhysicalCoordinates.1.339, align 8
  %8 = alloca %struct.PointerMeta.341, align 8
  br label %entry

final:                                            ; preds = %func_exit
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  %9 = call %struct.PhysicalCoordinates.1.339* @Element_get_ptr_pcoord(%struct.Element.384* %2)
  %10 = bitcast %struct.PhysicalCoordinates.1.339* %9 to %struct.PhysicalCoordinates.1.339*
  call void @S5_refine_coordinates(%struct.PhysicalCoordinates.1.339* %10, %struct.PhysicalCoordinates.1.339* %6, i32 0)
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = add i32 %11, %3
  store i32 %13, i32* %5, align 4
  br label %loop_test

loop_test:                                        ; preds = %loop_body_tail, %function_body
  %14 = load i32, i32* %5, align 4
  %15 = icmp slt i32 %14, %4
  br i1 %15, label %loop_body, label %func_exit

loop_body:                                        ; preds = %loop_test
  %16 = load i32, i32* %5, align 4
  %17 = bitcast %struct.PhysicalCoordinates.1.339* %9 to %struct.PhysicalCoordinates.1.339*
  call void @S5_refine_coordinates(%struct.PhysicalCoordinates.1.339* %17, %struct.PhysicalCoordinates.1.339* %7, i32 %16)
  %18 = call i8* @Element_get_element(%struct.Element.384* %2)
  %19 = load i32, i32* %5, align 4
  %20 = bitcast %struct.PointerMeta.341* %8 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %20, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %20, i64 6)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %20, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.340* %20, %struct.RuntimeContext.324* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %20, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %20, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %20, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %20, i8* (i8*)* @get_ch_S4_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %20, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S5_refine_coordinates)
  %21 = bitcast %struct.PointerMeta.341* %8 to i8*
  %22 = call i1 @Bitmasked_is_active(i8* %21, i8* %18, i32 %19)
  %23 = icmp ne i1 %22, false
  %24 = and i1 true, %23
  br i1 %24, label %struct_for_body_body, label %loop_body_tail

loop_body_tail:                                   ; preds = %struct_for_body_body, %loop_body
  %25 = load i32, i32* %5, align 4
  %26 = add i32 %25, %12
  store i32 %26, i32* %5, align 4
  br label %loop_test

func_exit:                                        ; preds = %loop_test
  br label %final

struct_for_body_body:                             ; preds = %loop_body
  %27 = getelementptr %struct.RuntimeContext.324, %struct.RuntimeContext.324* %0, i32 0, i32 0
  %28 = bitcast i8** %27 to { { { i32 }, i32* } }**
  %29 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %28, align 8
  %30 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %29, i32 0, i32 0
  %31 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %30, i32 0, i32 1
  %32 = load i32*, i32** %31, align 8
  %33 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %30, i32 0, i32 0, i32 0
  %34 = load i32, i32* %33, align 4
  %35 = mul i32 0, %34
  %36 = add i32 %35, 1
  %37 = getelementptr i32, i32* %32, i32 %36
  %38 = atomicrmw add i32* %37, i32 1 seq_cst, align 4
  br label %loop_body_tail
}

define void @count_cells_c80_0_kernel_12_serial(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.RootMeta.342, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 9)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 1)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S0_to_S9)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S9_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 0)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16777744)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Root_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Root_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Root_get_num_elements)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S0_refine_coordinates)
  %5 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @clear_list(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_13_listgen_S9bitmasked(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  %0 = alloca %struct.PointerMeta.341, align 8
  %1 = alloca %struct.RootMeta.342, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %2 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %2, i32 9)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %2, i64 1)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %2, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %2, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %2, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %2, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %2, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %2, i8* (i8*)* @get_ch_S0_to_S9)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %2, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S9_refine_coordinates)
  %3 = bitcast %struct.PointerMeta.341* %0 to %struct.StructMeta.340*
  %4 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %4, i32 0)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %4, i64 16777744)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %4, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.340* %4, %struct.RuntimeContext.324* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %4, i8* (i8*, i8*, i32)* @Root_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %4, i1 (i8*, i8*, i32)* @Root_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %4, i32 (i8*, i8*)* @Root_get_num_elements)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %4, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S0_refine_coordinates)
  %5 = bitcast %struct.RootMeta.342* %1 to %struct.StructMeta.340*
  %6 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %context)
  call void @element_listgen_root(%struct.LLVMRuntime.323* %6, %struct.StructMeta.340* %5, %struct.StructMeta.340* %3)
  br label %final
}

define void @count_cells_c80_0_kernel_14_struct_for(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @parallel_struct_for_1(%struct.RuntimeContext.324* %context, i32 9, i32 16, i32 1, void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)* @function_body.3, i64 1, i32 1)
  br label %final
}

define internal void @function_body.3(%struct.RuntimeContext.324* %0, i8* %1, %struct.Element.384* %2, i32 %3, i32 %4) {
allocs:
  %5 = alloca i32, align 4
  %6 = alloca %struct.PhysicalCoordinates.1.339, align 8
  %7 = alloca %struct.PhysicalCoordinates.1.339, align 8
  %8 = alloca %struct.PointerMeta.341, align 8
  br label %entry

final:                                            ; preds = %func_exit
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  %9 = call %struct.PhysicalCoordinates.1.339* @Element_get_ptr_pcoord(%struct.Element.384* %2)
  %10 = bitcast %struct.PhysicalCoordinates.1.339* %9 to %struct.PhysicalCoordinates.1.339*
  call void @S9_refine_coordinates(%struct.PhysicalCoordinates.1.339* %10, %struct.PhysicalCoordinates.1.339* %6, i32 0)
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = add i32 %11, %3
  store i32 %13, i32* %5, align 4
  br label %loop_test

loop_test:                                        ; preds = %loop_body_tail, %function_body
  %14 = load i32, i32* %5, align 4
  %15 = icmp slt i32 %14, %4
  br i1 %15, label %loop_body, label %func_exit

loop_body:                                        ; preds = %loop_test
  %16 = load i32, i32* %5, align 4
  %17 = bitcast %struct.PhysicalCoordinates.1.339* %9 to %struct.PhysicalCoordinates.1.339*
  call void @S9_refine_coordinates(%struct.PhysicalCoordinates.1.339* %17, %struct.PhysicalCoordinates.1.339* %7, i32 %16)
  %18 = call i8* @Element_get_element(%struct.Element.384* %2)
  %19 = load i32, i32* %5, align 4
  %20 = bitcast %struct.PointerMeta.341* %8 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %20, i32 9)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %20, i64 1)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %20, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %20, %struct.RuntimeContext.324* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %20, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %20, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %20, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %20, i8* (i8*)* @get_ch_S0_to_S9)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %20, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S9_refine_coordinates)
  %21 = bitcast %struct.PointerMeta.341* %8 to i8*
  %22 = call i1 @Bitmasked_is_active(i8* %21, i8* %18, i32 %19)
  %23 = icmp ne i1 %22, false
  %24 = and i1 true, %23
  br i1 %24, label %struct_for_body_body, label %loop_body_tail

loop_body_tail:                                   ; preds = %struct_for_body_body, %loop_body
  %25 = load i32, i32* %5, align 4
  %26 = add i32 %25, %12
  store i32 %26, i32* %5, align 4
  br label %loop_test

func_exit:                                        ; preds = %loop_test
  br label %final

struct_for_body_body:                             ; preds = %loop_body
  %27 = getelementptr %struct.RuntimeContext.324, %struct.RuntimeContext.324* %0, i32 0, i32 0
  %28 = bitcast i8** %27 to { { { i32 }, i32* } }**
  %29 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %28, align 8
  %30 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %29, i32 0, i32 0
  %31 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %30, i32 0, i32 1
  %32 = load i32*, i32** %31, align 8
  %33 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %30, i32 0, i32 0, i32 0
  %34 = load i32, i32* %33, align 4
  %35 = mul i32 0, %34
  %36 = add i32 %35, 2
  %37 = getelementptr i32, i32* %32, i32 %36
  %38 = atomicrmw add i32* %37, i32 1 seq_cst, align 4
  br label %loop_body_tail
}

define void @count_cells_c80_0_kernel_15_range_for(%struct.RuntimeContext.324* byval(%struct.RuntimeContext.324) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.324* %context, i32 0, i32 3, void (%struct.RuntimeContext.324*, i8*)* null, void (%struct.RuntimeContext.324*, i8*, i32)* @function_body.4, void (%struct.RuntimeContext.324*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body.4(%struct.RuntimeContext.324* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.RootMeta.342, align 8
  %5 = alloca %struct.RootMeta.342, align 8
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %6 = load i32, i32* %3, align 4
  %7 = call %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* %0)
  %8 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.323* %7, i32 1)
  %9 = bitcast i8* %8 to %S0_ch.487*
  %10 = getelementptr %S0_ch.487, %S0_ch.487* %9, i32 0
  %11 = bitcast %S0_ch.487* %10 to i8*
  %12 = call i8* @get_ch_S0_to_S11(i8* %11)
  %13 = bitcast i8* %12 to [3 x %S11_ch.484]*
  %14 = bitcast %struct.RootMeta.342* %4 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %14, i32 11)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %14, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %14, i64 3)
  call void @StructMeta_set_context(%struct.StructMeta.340* %14, %struct.RuntimeContext.324* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %14, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %14, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %14, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %14, i8* (i8*)* @get_ch_S0_to_S11)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %14, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S11_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.RootMeta.342* %4, i32 0)
  %15 = bitcast %struct.RootMeta.342* %4 to i8*
  %16 = bitcast [3 x %S11_ch.484]* %13 to i8*
  %17 = call i8* @Dense_lookup_element(i8* %15, i8* %16, i32 %6)
  %18 = call i8* @get_ch_S11_to_S12(i8* %17)
  %19 = bitcast i8* %18 to %2*
  %20 = bitcast %struct.RootMeta.342* %5 to %struct.StructMeta.340*
  call void @StructMeta_set_snode_id(%struct.StructMeta.340* %20, i32 12)
  call void @StructMeta_set_element_size(%struct.StructMeta.340* %20, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.340* %20, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.340* %20, %struct.RuntimeContext.324* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.340* %20, i8* (i8*, i8*, i32)* @Dynamic_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.340* %20, i1 (i8*, i8*, i32)* @Dynamic_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.340* %20, i32 (i8*, i8*)* @Dynamic_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.340* %20, i8* (i8*)* @get_ch_S11_to_S12)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* %20, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* @S12_refine_coordinates)
  call void @DynamicMeta_set_chunk_size(%struct.RootMeta.342* %5, i32 4)
  %21 = bitcast %struct.RootMeta.342* %5 to i8*
  %22 = bitcast %2* %19 to i8*
  %23 = call i32 @Dynamic_get_num_elements(i8* %21, i8* %22)
  %24 = add i32 %6, 3
  %25 = getelementptr %struct.RuntimeContext.324, %struct.RuntimeContext.324* %0, i32 0, i32 0
  %26 = bitcast i8** %25 to { { { i32 }, i32* } }**
  %27 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %26, align 8
  %28 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %27, i32 0, i32 0
  %29 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %28, i32 0, i32 1
  %30 = load i32*, i32** %29, align 8
  %31 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %28, i32 0, i32 0, i32 0
  %32 = load i32, i32* %31, align 4
  %33 = mul i32 0, %32
  %34 = add i32 %33, %24
  %35 = getelementptr i32, i32* %30, i32 %34
  store i32 %23, i32* %35, align 4
  br label %final
}

define internal void @S0_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %5)
  %6 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %7 = mul i32 %6, 1
  %8 = add i32 %7, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %8)
  %9 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %10 = mul i32 %9, 1
  %11 = add i32 %10, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %11)
  %12 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %13 = mul i32 %12, 1
  %14 = add i32 %13, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %14)
  %15 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %16 = mul i32 %15, 1
  %17 = add i32 %16, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %17)
  %18 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %19 = mul i32 %18, 1
  %20 = add i32 %19, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %20)
  %21 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %22 = mul i32 %21, 1
  %23 = add i32 %22, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %23)
  %24 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %25 = mul i32 %24, 1
  %26 = add i32 %25, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %26)
  %27 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %28 = mul i32 %27, 1
  %29 = add i32 %28, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %29)
  %30 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %31 = mul i32 %30, 1
  %32 = add i32 %31, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %32)
  %33 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %34 = mul i32 %33, 1
  %35 = add i32 %34, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %35)
  %36 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %37 = mul i32 %36, 1
  %38 = add i32 %37, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %38)
  ret void
}

define internal void @S1_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 16
  %4 = udiv i32 %3, 4
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 4
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %11 = mul i32 %10, 4
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S1(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.487*
  %getch = getelementptr %S0_ch.487, %S0_ch.487* %1, i32 0, i32 0
  %2 = bitcast %0* %getch to i8*
  ret i8* %2
}

define internal void @S2_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %6 = mul i32 %5, 2
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S1_to_S2(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %5*
  %getch = getelementptr %5, %5* %1, i32 0, i32 0
  %2 = bitcast [4 x %6]* %getch to i8*
  ret i8* %2
}

define internal void @S4_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S4(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.487*
  %getch = getelementptr %S0_ch.487, %S0_ch.487* %1, i32 0, i32 1
  %2 = bitcast %4* %getch to i8*
  ret i8* %2
}

define internal void @S5_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S4_to_S5(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %7*
  %getch = getelementptr %7, %7* %1, i32 0, i32 0
  %2 = bitcast %8* %getch to i8*
  ret i8* %2
}

define internal void @S9_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 16
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %6 = mul i32 %5, 16
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S9(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.487*
  %getch = getelementptr %S0_ch.487, %S0_ch.487* %1, i32 0, i32 2
  %2 = bitcast %1* %getch to i8*
  ret i8* %2
}

define internal void @S11_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 3
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %6 = mul i32 %5, 3
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S11(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.487*
  %getch = getelementptr %S0_ch.487, %S0_ch.487* %1, i32 0, i32 3
  %2 = bitcast [3 x %S11_ch.484]* %getch to i8*
  ret i8* %2
}

define internal void @S12_refine_coordinates(%struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 0, i32 %5)
  %6 = urem i32 %2, 16
  %7 = udiv i32 %6, 1
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 1)
  %9 = mul i32 %8, 16
  %10 = add i32 %9, %7
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S11_to_S12(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S11_ch.484*
  %getch = getelementptr %S11_ch.484, %S11_ch.484* %1, i32 0, i32 0
  %2 = bitcast %2* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.339* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.1.339*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.1.339, %struct.PhysicalCoordinates.1.339* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.339* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.1.339*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.339* %0, %struct.PhysicalCoordinates.1.339** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.1.339, %struct.PhysicalCoordinates.1.339* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.323* @RuntimeContext_get_runtime(%struct.RuntimeContext.324* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.324*, align 8
  store %struct.RuntimeContext.324* %0, %struct.RuntimeContext.324** %2, align 8
  %3 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.324, %struct.RuntimeContext.324* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %4, align 8
  ret %struct.LLVMRuntime.323* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.340* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.340* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.340* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.340* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.340* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.340* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.340* noundef %0, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)*, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* %1, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)*, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)** %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* %5, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.340* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.340* noundef %0, %struct.RuntimeContext.324* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.340*, align 8
  %4 = alloca %struct.RuntimeContext.324*, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %3, align 8
  store %struct.RuntimeContext.324* %1, %struct.RuntimeContext.324** %4, align 8
  %5 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %4, align 8
  %6 = load %struct.StructMeta.340*, %struct.StructMeta.340** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 8
  store %struct.RuntimeContext.324* %5, %struct.RuntimeContext.324** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Element_get_element(%struct.Element.384* noundef %0) #1 {
  %2 = alloca %struct.Element.384*, align 8
  store %struct.Element.384* %0, %struct.Element.384** %2, align 8
  %3 = load %struct.Element.384*, %struct.Element.384** %2, align 8
  %4 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %3, i32 0, i32 0
  %5 = load i8*, i8** %4, align 8
  ret i8* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.PhysicalCoordinates.1.339* @Element_get_ptr_pcoord(%struct.Element.384* noundef %0) #1 {
  %2 = alloca %struct.Element.384*, align 8
  store %struct.Element.384* %0, %struct.Element.384** %2, align 8
  %3 = load %struct.Element.384*, %struct.Element.384** %2, align 8
  %4 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %3, i32 0, i32 2
  ret %struct.PhysicalCoordinates.1.339* %4
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.323* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.323*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @get_temporary_pointer(%struct.LLVMRuntime.323* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.323*, align 8
  %4 = alloca i64, align 8
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %5, i32 0, i32 14
  %7 = load i8*, i8** %6, align 8
  %8 = load i64, i64* %4, align 8
  %9 = getelementptr inbounds i8, i8* %7, i64 %8
  ret i8* %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @clear_list(%struct.LLVMRuntime.323* noundef %0, %struct.StructMeta.340* noundef %1, %struct.StructMeta.340* noundef %2) #1 {
  %4 = alloca %struct.LLVMRuntime.323*, align 8
  %5 = alloca %struct.StructMeta.340*, align 8
  %6 = alloca %struct.StructMeta.340*, align 8
  %7 = alloca %struct.ListManager.320*, align 8
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %4, align 8
  store %struct.StructMeta.340* %1, %struct.StructMeta.340** %5, align 8
  store %struct.StructMeta.340* %2, %struct.StructMeta.340** %6, align 8
  %8 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %4, align 8
  %9 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %8, i32 0, i32 11
  %10 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %11 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %10, i32 0, i32 0
  %12 = load i32, i32* %11, align 8
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [1024 x %struct.ListManager.320*], [1024 x %struct.ListManager.320*]* %9, i64 0, i64 %13
  %15 = load %struct.ListManager.320*, %struct.ListManager.320** %14, align 8
  store %struct.ListManager.320* %15, %struct.ListManager.320** %7, align 8
  %16 = load %struct.ListManager.320*, %struct.ListManager.320** %7, align 8
  call void @_ZN11ListManager5clearEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %16)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @_ZN11ListManager5clearEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0) #1 align 2 {
  %2 = alloca %struct.ListManager.320*, align 8
  store %struct.ListManager.320* %0, %struct.ListManager.320** %2, align 8
  %3 = load %struct.ListManager.320*, %struct.ListManager.320** %2, align 8
  %4 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %3, i32 0, i32 5
  store i32 0, i32* %4, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @element_listgen_root(%struct.LLVMRuntime.323* noundef %0, %struct.StructMeta.340* noundef %1, %struct.StructMeta.340* noundef %2) #1 {
  %4 = alloca %struct.LLVMRuntime.323*, align 8
  %5 = alloca %struct.StructMeta.340*, align 8
  %6 = alloca %struct.StructMeta.340*, align 8
  %7 = alloca %struct.ListManager.320*, align 8
  %8 = alloca %struct.ListManager.320*, align 8
  %9 = alloca i8* (i8*, i8*, i32)*, align 8
  %10 = alloca i32 (i8*, i8*)*, align 8
  %11 = alloca i8* (i8*)*, align 8
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca %struct.Element.384, align 8
  %15 = alloca i8*, align 8
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca %struct.Element.384, align 8
  %20 = alloca i32, align 4
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %4, align 8
  store %struct.StructMeta.340* %1, %struct.StructMeta.340** %5, align 8
  store %struct.StructMeta.340* %2, %struct.StructMeta.340** %6, align 8
  %21 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %4, align 8
  %22 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %21, i32 0, i32 11
  %23 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %24 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %23, i32 0, i32 0
  %25 = load i32, i32* %24, align 8
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [1024 x %struct.ListManager.320*], [1024 x %struct.ListManager.320*]* %22, i64 0, i64 %26
  %28 = load %struct.ListManager.320*, %struct.ListManager.320** %27, align 8
  store %struct.ListManager.320* %28, %struct.ListManager.320** %7, align 8
  %29 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %4, align 8
  %30 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %29, i32 0, i32 11
  %31 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %32 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %31, i32 0, i32 0
  %33 = load i32, i32* %32, align 8
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [1024 x %struct.ListManager.320*], [1024 x %struct.ListManager.320*]* %30, i64 0, i64 %34
  %36 = load %struct.ListManager.320*, %struct.ListManager.320** %35, align 8
  store %struct.ListManager.320* %36, %struct.ListManager.320** %8, align 8
  %37 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %38 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %37, i32 0, i32 3
  %39 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %38, align 8
  store i8* (i8*, i8*, i32)* %39, i8* (i8*, i8*, i32)** %9, align 8
  %40 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %41 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %40, i32 0, i32 6
  %42 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %41, align 8
  store i32 (i8*, i8*)* %42, i32 (i8*, i8*)** %10, align 8
  %43 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %44 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %43, i32 0, i32 4
  %45 = load i8* (i8*)*, i8* (i8*)** %44, align 8
  store i8* (i8*)* %45, i8* (i8*)** %11, align 8
  %46 = call i32 @block_dim()
  %47 = call i32 @block_idx()
  %48 = mul nsw i32 %46, %47
  %49 = call i32 @thread_idx()
  %50 = add nsw i32 %48, %49
  store i32 %50, i32* %12, align 4
  %51 = call i32 @grid_dim()
  %52 = call i32 @block_dim()
  %53 = mul nsw i32 %51, %52
  store i32 %53, i32* %13, align 4
  %54 = load %struct.ListManager.320*, %struct.ListManager.320** %7, align 8
  %55 = call noundef nonnull align 8 dereferenceable(64) %struct.Element.384* @_ZN11ListManager3getI7ElementEERT_i(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %54, i32 noundef 0)
  %56 = bitcast %struct.Element.384* %14 to i8*
  %57 = bitcast %struct.Element.384* %55 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %56, i8* align 8 %57, i64 64, i1 false)
  %58 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %9, align 8
  %59 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %60 = bitcast %struct.StructMeta.340* %59 to i8*
  %61 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %14, i32 0, i32 0
  %62 = load i8*, i8** %61, align 8
  %63 = call noundef i8* %58(i8* noundef %60, i8* noundef %62, i32 noundef 0)
  store i8* %63, i8** %15, align 8
  %64 = load i8* (i8*)*, i8* (i8*)** %11, align 8
  %65 = load i8*, i8** %15, align 8
  %66 = call noundef i8* %64(i8* noundef %65)
  store i8* %66, i8** %15, align 8
  %67 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %10, align 8
  %68 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %69 = bitcast %struct.StructMeta.340* %68 to i8*
  %70 = load i8*, i8** %15, align 8
  %71 = call noundef i32 %67(i8* noundef %69, i8* noundef %70)
  store i32 %71, i32* %16, align 4
  %72 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZSt3minIiERKT_S2_S2_(i32* noundef nonnull align 4 dereferenceable(4) %16, i32* noundef nonnull align 4 dereferenceable(4) @_ZL31taichi_listgen_max_element_size)
  %73 = load i32, i32* %72, align 4
  store i32 %73, i32* %17, align 4
  %74 = load i32, i32* %12, align 4
  store i32 %74, i32* %18, align 4
  br label %75

75:                                               ; preds = %103, %3
  %76 = load i32, i32* %18, align 4
  %77 = load i32, i32* %17, align 4
  %78 = mul nsw i32 %76, %77
  %79 = load i32, i32* %16, align 4
  %80 = icmp slt i32 %78, %79
  br i1 %80, label %81, label %107

81:                                               ; preds = %75
  %82 = load i8*, i8** %15, align 8
  %83 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %19, i32 0, i32 0
  store i8* %82, i8** %83, align 8
  %84 = load i32, i32* %18, align 4
  %85 = load i32, i32* %17, align 4
  %86 = mul nsw i32 %84, %85
  %87 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %19, i32 0, i32 1
  %88 = getelementptr inbounds [2 x i32], [2 x i32]* %87, i64 0, i64 0
  store i32 %86, i32* %88, align 8
  %89 = load i32, i32* %18, align 4
  %90 = add nsw i32 %89, 1
  %91 = load i32, i32* %17, align 4
  %92 = mul nsw i32 %90, %91
  store i32 %92, i32* %20, align 4
  %93 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZSt3minIiERKT_S2_S2_(i32* noundef nonnull align 4 dereferenceable(4) %20, i32* noundef nonnull align 4 dereferenceable(4) %16)
  %94 = load i32, i32* %93, align 4
  %95 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %19, i32 0, i32 1
  %96 = getelementptr inbounds [2 x i32], [2 x i32]* %95, i64 0, i64 1
  store i32 %94, i32* %96, align 4
  %97 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %14, i32 0, i32 2
  %98 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %19, i32 0, i32 2
  %99 = bitcast %struct.PhysicalCoordinates.1.339* %98 to i8*
  %100 = bitcast %struct.PhysicalCoordinates.1.339* %97 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %99, i8* align 8 %100, i64 48, i1 false)
  %101 = load %struct.ListManager.320*, %struct.ListManager.320** %8, align 8
  %102 = bitcast %struct.Element.384* %19 to i8*
  call void @_ZN11ListManager6appendEPv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %101, i8* noundef %102)
  br label %103

103:                                              ; preds = %81
  %104 = load i32, i32* %13, align 4
  %105 = load i32, i32* %18, align 4
  %106 = add nsw i32 %105, %104
  store i32 %106, i32* %18, align 4
  br label %75, !llvm.loop !59

107:                                              ; preds = %75
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @block_dim() #1 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @block_idx() #1 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @thread_idx() #1 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @grid_dim() #1 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  ret i32 %0
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 8 dereferenceable(64) %struct.Element.384* @_ZN11ListManager3getI7ElementEERT_i(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #1 align 2 {
  %3 = alloca %struct.ListManager.320*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.320* %0, %struct.ListManager.320** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.320*, %struct.ListManager.320** %3, align 8
  %6 = load i32, i32* %4, align 4
  %7 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %6)
  %8 = bitcast i8* %7 to %struct.Element.384*
  ret %struct.Element.384* %8
}

; Function Attrs: argmemonly nocallback nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 4 dereferenceable(4) i32* @_ZSt3minIiERKT_S2_S2_(i32* noundef nonnull align 4 dereferenceable(4) %0, i32* noundef nonnull align 4 dereferenceable(4) %1) #1 {
  %3 = alloca i32*, align 8
  %4 = alloca i32*, align 8
  %5 = alloca i32*, align 8
  store i32* %0, i32** %4, align 8
  store i32* %1, i32** %5, align 8
  %6 = load i32*, i32** %5, align 8
  %7 = load i32, i32* %6, align 4
  %8 = load i32*, i32** %4, align 8
  %9 = load i32, i32* %8, align 4
  %10 = icmp slt i32 %7, %9
  br i1 %10, label %11, label %13

11:                                               ; preds = %2
  %12 = load i32*, i32** %5, align 8
  store i32* %12, i32** %3, align 8
  br label %15

13:                                               ; preds = %2
  %14 = load i32*, i32** %4, align 8
  store i32* %14, i32** %3, align 8
  br label %15

15:                                               ; preds = %13, %11
  %16 = load i32*, i32** %3, align 8
  ret i32* %16
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @_ZN11ListManager6appendEPv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0, i8* noundef %1) #1 align 2 {
  %3 = alloca %struct.ListManager.320*, align 8
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  store %struct.ListManager.320* %0, %struct.ListManager.320** %3, align 8
  store i8* %1, i8** %4, align 8
  %6 = load %struct.ListManager.320*, %struct.ListManager.320** %3, align 8
  %7 = call noundef i8* @_ZN11ListManager8allocateEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %6)
  store i8* %7, i8** %5, align 8
  %8 = load i8*, i8** %5, align 8
  %9 = load i8*, i8** %4, align 8
  %10 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 1 %8, i8* align 1 %9, i64 %11, i1 false)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11ListManager8allocateEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0) #1 align 2 {
  %2 = alloca %struct.ListManager.320*, align 8
  %3 = alloca i32, align 4
  store %struct.ListManager.320* %0, %struct.ListManager.320** %2, align 8
  %4 = load %struct.ListManager.320*, %struct.ListManager.320** %2, align 8
  %5 = call noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %4)
  store i32 %5, i32* %3, align 4
  %6 = load i32, i32* %3, align 4
  %7 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %4, i32 noundef %6)
  ret i8* %7
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0) #1 align 2 {
  %2 = alloca %struct.ListManager.320*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.ListManager.320* %0, %struct.ListManager.320** %2, align 8
  %5 = load %struct.ListManager.320*, %struct.ListManager.320** %2, align 8
  %6 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %5, i32 0, i32 5
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %5, i32 0, i32 3
  %10 = load i32, i32* %9, align 8
  %11 = ashr i32 %8, %10
  store i32 %11, i32* %4, align 4
  %12 = load i32, i32* %4, align 4
  call void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %12)
  %13 = load i32, i32* %3, align 4
  ret i32 %13
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #1 align 2 {
  %3 = alloca %struct.ListManager.320*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.320* %0, %struct.ListManager.320** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.320*, %struct.ListManager.320** %3, align 8
  %6 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %5, i32 0, i32 3
  %9 = load i32, i32* %8, align 8
  %10 = ashr i32 %7, %9
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %6, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %5, i32 0, i32 1
  %15 = load i64, i64* %14, align 8
  %16 = load i32, i32* %4, align 4
  %17 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %5, i32 0, i32 3
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
define internal i32 @atomic_add_i32(i32* noundef %0, i32 noundef %1) #1 {
entry:
  %2 = atomicrmw add i32* %0, i32 %1 seq_cst, align 4
  ret i32 %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #1 align 2 {
  %3 = alloca %struct.ListManager.320*, align 8
  %4 = alloca i32, align 4
  %5 = alloca %10, align 8
  store %struct.ListManager.320* %0, %struct.ListManager.320** %3, align 8
  store i32 %1, i32* %4, align 4
  %6 = load %struct.ListManager.320*, %struct.ListManager.320** %3, align 8
  %7 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 6
  %8 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %7, align 8
  %9 = load i32, i32* %4, align 4
  %10 = sext i32 %9 to i64
  %11 = icmp ult i64 %10, 131072
  call void @taichi_assert_runtime(%struct.LLVMRuntime.323* noundef %8, i1 noundef zeroext %11, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.5, i64 0, i64 0))
  %12 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 0
  %13 = load i32, i32* %4, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %12, i64 0, i64 %14
  %16 = load i8*, i8** %15, align 8
  %17 = icmp ne i8* %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %2
  %19 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 4
  %20 = bitcast i32* %19 to i8*
  %21 = getelementptr inbounds %10, %10* %5, i32 0, i32 0
  store %struct.ListManager.320* %6, %struct.ListManager.320** %21, align 8
  %22 = getelementptr inbounds %10, %10* %5, i32 0, i32 1
  store i32* %4, i32** %22, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %20, %10* noundef nonnull align 8 dereferenceable(16) %5)
  br label %23

23:                                               ; preds = %18, %2
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @taichi_assert_runtime(%struct.LLVMRuntime.323* noundef %0, i1 noundef zeroext %1, i8* noundef %2) #1 {
  %4 = alloca %struct.LLVMRuntime.323*, align 8
  %5 = alloca i8, align 1
  %6 = alloca i8*, align 8
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %4, align 8
  %7 = zext i1 %1 to i8
  store i8 %7, i8* %5, align 1
  store i8* %2, i8** %6, align 8
  %8 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %4, align 8
  %9 = load i8, i8* %5, align 1
  %10 = trunc i8 %9 to i1
  %11 = load i8*, i8** %6, align 8
  call void @taichi_assert_format(%struct.LLVMRuntime.323* noundef %8, i1 noundef zeroext %10, i8* noundef %11, i32 noundef 0, i64* noundef null)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %0, %10* noundef nonnull align 8 dereferenceable(16) %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca %10*, align 8
  %5 = alloca %11, align 1
  store i8* %0, i8** %3, align 8
  store %10* %1, %10** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %10*, %10** %4, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %6, %10* noundef nonnull align 8 dereferenceable(16) %7, %11* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %0, %10* noundef nonnull align 8 dereferenceable(16) %1, %11* noundef nonnull align 1 dereferenceable(1) %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca %10*, align 8
  %6 = alloca %11*, align 8
  %7 = alloca %11, align 1
  store i8* %0, i8** %4, align 8
  store %10* %1, %10** %5, align 8
  store %11* %2, %11** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %10*, %10** %5, align 8
  %10 = load %11*, %11** %6, align 8
  call void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%11* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %10* noundef nonnull align 8 dereferenceable(16) %9, %11* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%11* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %10* noundef nonnull align 8 dereferenceable(16) %2, %11* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %11*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %10*, align 8
  %8 = alloca %11*, align 8
  %9 = alloca %12, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %11* %0, %11** %5, align 8
  store i8* %1, i8** %6, align 8
  store %10* %2, %10** %7, align 8
  store %11* %3, %11** %8, align 8
  %15 = load %11*, %11** %5, align 8
  %16 = getelementptr inbounds %12, %12* %9, i32 0, i32 0
  %17 = load %11*, %11** %8, align 8
  store %11* %17, %11** %16, align 8
  %18 = getelementptr inbounds %12, %12* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %12, %12* %9, i32 0, i32 2
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
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%12* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !61

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
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%12* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !62

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%12* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_compute_capability() #1 {
entry:
  ret i32 75
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_active_mask() #1 {
  %1 = alloca i32, align 4
  %2 = call i32 asm sideeffect "activemask.b32 $0;", "=r,~{dirflag},~{fpsr},~{flags}"() #9, !srcloc !63
  store i32 %2, i32* %1, align 4
  %3 = load i32, i32* %1, align 4
  ret i32 %3
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cttz_i32(i32 noundef %0) #1 {
entry:
  %1 = call i32 @llvm.cttz.i32(i32 %0, i1 false)
  ret i32 %1
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @warp_idx() #1 {
  %1 = call i32 @thread_idx()
  %2 = call i32 @warp_size()
  %3 = srem i32 %1, %2
  ret i32 %3
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%12* noundef nonnull align 8 dereferenceable(24) %0) #1 align 2 {
  %2 = alloca %12*, align 8
  store %12* %0, %12** %2, align 8
  %3 = load %12*, %12** %2, align 8
  %4 = getelementptr inbounds %12, %12* %3, i32 0, i32 0
  %5 = load %11*, %11** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %12, %12* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %12, %12* %3, i32 0, i32 0
  %12 = load %11*, %11** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %12, %12* %3, i32 0, i32 2
  %16 = load %10*, %10** %15, align 8
  call void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%10* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %12, %12* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @warp_size() #1 {
  ret i32 32
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %0) #1 align 2 {
  %2 = alloca %11*, align 8
  store %11* %0, %11** %2, align 8
  %3 = load %11*, %11** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mutex_lock_i32(i8* noundef %0) #1 {
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
  br label %3, !llvm.loop !64

9:                                                ; preds = %3
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @grid_memfence() #1 {
entry:
  call void @llvm.nvvm.membar.gl()
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%10* noundef nonnull align 8 dereferenceable(16) %0) #1 align 2 {
  %2 = alloca %10*, align 8
  %3 = alloca i8*, align 8
  store %10* %0, %10** %2, align 8
  %4 = load %10*, %10** %2, align 8
  %5 = getelementptr inbounds %10, %10* %4, i32 0, i32 0
  %6 = load %struct.ListManager.320*, %struct.ListManager.320** %5, align 8
  %7 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 0
  %8 = getelementptr inbounds %10, %10* %4, i32 0, i32 1
  %9 = load i32*, i32** %8, align 8
  %10 = load i32, i32* %9, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %7, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = icmp ne i8* %13, null
  br i1 %14, label %37, label %15

15:                                               ; preds = %1
  call void @grid_memfence()
  %16 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 6
  %17 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %16, align 8
  %18 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 6
  %19 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %18, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %19, i32 0, i32 1
  %21 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 2
  %22 = load i64, i64* %21, align 8
  %23 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 1
  %24 = load i64, i64* %23, align 8
  %25 = mul i64 %22, %24
  %26 = call noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.323* noundef nonnull align 8 dereferenceable(35256) %17, %struct.PreallocatedMemoryChunk.318* noundef nonnull align 8 dereferenceable(24) %20, i64 noundef %25, i64 noundef 4096, i1 noundef zeroext true)
  store i8* %26, i8** %3, align 8
  %27 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %6, i32 0, i32 0
  %28 = getelementptr inbounds %10, %10* %4, i32 0, i32 1
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
define internal void @mutex_unlock_i32(i8* noundef %0) #1 {
  %2 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  %3 = load i8*, i8** %2, align 8
  %4 = bitcast i8* %3 to i32*
  %5 = call i32 @atomic_exchange_i32(i32* noundef %4, i32 noundef 0)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_exchange_i32(i32* noundef %0, i32 noundef %1) #1 {
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
define internal noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.323* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.318* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3, i1 noundef zeroext %4) #1 align 2 {
  %6 = alloca i8*, align 8
  %7 = alloca %struct.LLVMRuntime.323*, align 8
  %8 = alloca %struct.PreallocatedMemoryChunk.318*, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i8, align 1
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %7, align 8
  store %struct.PreallocatedMemoryChunk.318* %1, %struct.PreallocatedMemoryChunk.318** %8, align 8
  store i64 %2, i64* %9, align 8
  store i64 %3, i64* %10, align 8
  %12 = zext i1 %4 to i8
  store i8 %12, i8* %11, align 1
  %13 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %7, align 8
  %14 = load i8, i8* %11, align 1
  %15 = trunc i8 %14 to i1
  br i1 %15, label %16, label %20

16:                                               ; preds = %5
  %17 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %13, i32 0, i32 26
  %18 = load i64, i64* %9, align 8
  %19 = call i64 @atomic_add_i64(i64* noundef %17, i64 noundef %18)
  br label %20

20:                                               ; preds = %16, %5
  %21 = load %struct.PreallocatedMemoryChunk.318*, %struct.PreallocatedMemoryChunk.318** %8, align 8
  %22 = getelementptr inbounds %struct.PreallocatedMemoryChunk.318, %struct.PreallocatedMemoryChunk.318* %21, i32 0, i32 2
  %23 = load i64, i64* %22, align 8
  %24 = icmp ugt i64 %23, 0
  br i1 %24, label %25, label %30

25:                                               ; preds = %20
  %26 = load %struct.PreallocatedMemoryChunk.318*, %struct.PreallocatedMemoryChunk.318** %8, align 8
  %27 = load i64, i64* %9, align 8
  %28 = load i64, i64* %10, align 8
  %29 = call noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.323* noundef nonnull align 8 dereferenceable(35256) %13, %struct.PreallocatedMemoryChunk.318* noundef nonnull align 8 dereferenceable(24) %26, i64 noundef %27, i64 noundef %28)
  store i8* %29, i8** %6, align 8
  br label %38

30:                                               ; preds = %20
  %31 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %13, i32 0, i32 2
  %32 = load i8* (i8*, i64, i64)*, i8* (i8*, i64, i64)** %31, align 8
  %33 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %13, i32 0, i32 6
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
define internal i64 @atomic_exchange_u64(i64* noundef %0, i64 noundef %1) #1 {
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
define internal i64 @atomic_add_i64(i64* noundef %0, i64 noundef %1) #1 {
entry:
  %2 = atomicrmw add i64* %0, i64 %1 seq_cst, align 8
  ret i64 %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.323* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.318* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3) #1 align 2 {
  %5 = alloca %struct.LLVMRuntime.323*, align 8
  %6 = alloca %struct.PreallocatedMemoryChunk.318*, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i8*, align 8
  %10 = alloca i8, align 1
  %11 = alloca %13, align 8
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %5, align 8
  store %struct.PreallocatedMemoryChunk.318* %1, %struct.PreallocatedMemoryChunk.318** %6, align 8
  store i64 %2, i64* %7, align 8
  store i64 %3, i64* %8, align 8
  %12 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %5, align 8
  store i8* null, i8** %9, align 8
  store i8 0, i8* %10, align 1
  %13 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %12, i32 0, i32 24
  %14 = bitcast i32* %13 to i8*
  %15 = getelementptr inbounds %13, %13* %11, i32 0, i32 0
  %16 = load %struct.PreallocatedMemoryChunk.318*, %struct.PreallocatedMemoryChunk.318** %6, align 8
  store %struct.PreallocatedMemoryChunk.318* %16, %struct.PreallocatedMemoryChunk.318** %15, align 8
  %17 = getelementptr inbounds %13, %13* %11, i32 0, i32 1
  store i64* %8, i64** %17, align 8
  %18 = getelementptr inbounds %13, %13* %11, i32 0, i32 2
  store i64* %7, i64** %18, align 8
  %19 = getelementptr inbounds %13, %13* %11, i32 0, i32 3
  store i8** %9, i8*** %19, align 8
  %20 = getelementptr inbounds %13, %13* %11, i32 0, i32 4
  store i8* %10, i8** %20, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %14, %13* noundef nonnull align 8 dereferenceable(40) %11)
  %21 = load i8, i8* %10, align 1
  %22 = trunc i8 %21 to i1
  br i1 %22, label %24, label %23

23:                                               ; preds = %4
  call void @__assertfail(i8* noundef getelementptr inbounds ([144 x i8], [144 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([11 x i8], [11 x i8]* @.str.1, i64 0, i64 0), i32 noundef 0, i8* noundef getelementptr inbounds ([30 x i8], [30 x i8]* @.str.2, i64 0, i64 0), i64 noundef 1)
  br label %24

24:                                               ; preds = %23, %4
  %25 = load i8, i8* %10, align 1
  %26 = trunc i8 %25 to i1
  call void @taichi_assert_runtime(%struct.LLVMRuntime.323* noundef %12, i1 noundef zeroext %26, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.3, i64 0, i64 0))
  %27 = load i8*, i8** %9, align 8
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %0, %13* noundef nonnull align 8 dereferenceable(40) %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca %13*, align 8
  %5 = alloca %11, align 1
  store i8* %0, i8** %3, align 8
  store %13* %1, %13** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %13*, %13** %4, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %6, %13* noundef nonnull align 8 dereferenceable(40) %7, %11* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline
declare void @__assertfail(i8* noundef, i8* noundef, i32 noundef, i8* noundef, i64 noundef) #4

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %0, %13* noundef nonnull align 8 dereferenceable(40) %1, %11* noundef nonnull align 1 dereferenceable(1) %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca %13*, align 8
  %6 = alloca %11*, align 8
  %7 = alloca %11, align 1
  store i8* %0, i8** %4, align 8
  store %13* %1, %13** %5, align 8
  store %11* %2, %11** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %13*, %13** %5, align 8
  %10 = load %11*, %11** %6, align 8
  call void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%11* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %13* noundef nonnull align 8 dereferenceable(40) %9, %11* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%11* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %13* noundef nonnull align 8 dereferenceable(40) %2, %11* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %11*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %13*, align 8
  %8 = alloca %11*, align 8
  %9 = alloca %14, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %11* %0, %11** %5, align 8
  store i8* %1, i8** %6, align 8
  store %13* %2, %13** %7, align 8
  store %11* %3, %11** %8, align 8
  %15 = load %11*, %11** %5, align 8
  %16 = getelementptr inbounds %14, %14* %9, i32 0, i32 0
  %17 = load %11*, %11** %8, align 8
  store %11* %17, %11** %16, align 8
  %18 = getelementptr inbounds %14, %14* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %14, %14* %9, i32 0, i32 2
  %20 = load %13*, %13** %7, align 8
  store %13* %20, %13** %19, align 8
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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%14* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !65

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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%14* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !66

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%14* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%14* noundef nonnull align 8 dereferenceable(24) %0) #1 align 2 {
  %2 = alloca %14*, align 8
  store %14* %0, %14** %2, align 8
  %3 = load %14*, %14** %2, align 8
  %4 = getelementptr inbounds %14, %14* %3, i32 0, i32 0
  %5 = load %11*, %11** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %14, %14* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %14, %14* %3, i32 0, i32 0
  %12 = load %11*, %11** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %14, %14* %3, i32 0, i32 2
  %16 = load %13*, %13** %15, align 8
  call void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%13* noundef nonnull align 8 dereferenceable(40) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %14, %14* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %0) #1 align 2 {
  %2 = alloca %11*, align 8
  store %11* %0, %11** %2, align 8
  %3 = load %11*, %11** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%13* noundef nonnull align 8 dereferenceable(40) %0) #1 align 2 {
  %2 = alloca %13*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store %13* %0, %13** %2, align 8
  %6 = load %13*, %13** %2, align 8
  %7 = getelementptr inbounds %13, %13* %6, i32 0, i32 0
  %8 = load %struct.PreallocatedMemoryChunk.318*, %struct.PreallocatedMemoryChunk.318** %7, align 8
  %9 = getelementptr inbounds %struct.PreallocatedMemoryChunk.318, %struct.PreallocatedMemoryChunk.318* %8, i32 0, i32 0
  %10 = load i8*, i8** %9, align 8
  %11 = ptrtoint i8* %10 to i64
  store i64 %11, i64* %3, align 8
  %12 = getelementptr inbounds %13, %13* %6, i32 0, i32 0
  %13 = load %struct.PreallocatedMemoryChunk.318*, %struct.PreallocatedMemoryChunk.318** %12, align 8
  %14 = getelementptr inbounds %struct.PreallocatedMemoryChunk.318, %struct.PreallocatedMemoryChunk.318* %13, i32 0, i32 1
  %15 = load i8*, i8** %14, align 8
  %16 = ptrtoint i8* %15 to i64
  store i64 %16, i64* %4, align 8
  %17 = getelementptr inbounds %13, %13* %6, i32 0, i32 1
  %18 = load i64*, i64** %17, align 8
  %19 = load i64, i64* %18, align 8
  %20 = sub i64 %19, 1
  %21 = load i64, i64* %3, align 8
  %22 = getelementptr inbounds %13, %13* %6, i32 0, i32 1
  %23 = load i64*, i64** %22, align 8
  %24 = load i64, i64* %23, align 8
  %25 = add i64 %21, %24
  %26 = sub i64 %25, 1
  %27 = getelementptr inbounds %13, %13* %6, i32 0, i32 1
  %28 = load i64*, i64** %27, align 8
  %29 = load i64, i64* %28, align 8
  %30 = urem i64 %26, %29
  %31 = sub i64 %20, %30
  store i64 %31, i64* %5, align 8
  %32 = load i64, i64* %5, align 8
  %33 = getelementptr inbounds %13, %13* %6, i32 0, i32 2
  %34 = load i64*, i64** %33, align 8
  %35 = load i64, i64* %34, align 8
  %36 = add i64 %35, %32
  store i64 %36, i64* %34, align 8
  %37 = load i64, i64* %3, align 8
  %38 = getelementptr inbounds %13, %13* %6, i32 0, i32 2
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
  %49 = getelementptr inbounds %13, %13* %6, i32 0, i32 3
  %50 = load i8**, i8*** %49, align 8
  store i8* %48, i8** %50, align 8
  %51 = getelementptr inbounds %13, %13* %6, i32 0, i32 2
  %52 = load i64*, i64** %51, align 8
  %53 = load i64, i64* %52, align 8
  %54 = getelementptr inbounds %13, %13* %6, i32 0, i32 0
  %55 = load %struct.PreallocatedMemoryChunk.318*, %struct.PreallocatedMemoryChunk.318** %54, align 8
  %56 = getelementptr inbounds %struct.PreallocatedMemoryChunk.318, %struct.PreallocatedMemoryChunk.318* %55, i32 0, i32 0
  %57 = load i8*, i8** %56, align 8
  %58 = getelementptr inbounds i8, i8* %57, i64 %53
  store i8* %58, i8** %56, align 8
  %59 = getelementptr inbounds %13, %13* %6, i32 0, i32 4
  %60 = load i8*, i8** %59, align 8
  store i8 1, i8* %60, align 1
  br label %64

61:                                               ; preds = %1
  %62 = getelementptr inbounds %13, %13* %6, i32 0, i32 4
  %63 = load i8*, i8** %62, align 8
  store i8 0, i8* %63, align 1
  br label %64

64:                                               ; preds = %61, %44
  ret void
}

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #5

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.cttz.i32(i32, i1 immarg) #0

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal void @taichi_assert_format(%struct.LLVMRuntime.323* noundef %0, i1 noundef zeroext %1, i8* noundef %2, i32 noundef %3, i64* noundef %4) #6 {
  %6 = alloca %struct.LLVMRuntime.323*, align 8
  %7 = alloca i8, align 1
  %8 = alloca i8*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64*, align 8
  %11 = alloca %15, align 8
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %6, align 8
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
  %19 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %6, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %19, i32 0, i32 22
  %21 = load i64, i64* %20, align 8
  %22 = icmp ne i64 %21, 0
  br i1 %22, label %31, label %23

23:                                               ; preds = %18
  %24 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %6, align 8
  %25 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %24, i32 0, i32 21
  %26 = bitcast i32* %25 to i8*
  %27 = getelementptr inbounds %15, %15* %11, i32 0, i32 0
  store %struct.LLVMRuntime.323** %6, %struct.LLVMRuntime.323*** %27, align 8
  %28 = getelementptr inbounds %15, %15* %11, i32 0, i32 1
  store i8** %8, i8*** %28, align 8
  %29 = getelementptr inbounds %15, %15* %11, i32 0, i32 2
  store i32* %9, i32** %29, align 8
  %30 = getelementptr inbounds %15, %15* %11, i32 0, i32 3
  store i64** %10, i64*** %30, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %26, %15* noundef nonnull align 8 dereferenceable(32) %11)
  br label %31

31:                                               ; preds = %23, %18
  call void asm sideeffect "exit;", "~{dirflag},~{fpsr},~{flags}"() #9, !srcloc !67
  br label %32

32:                                               ; preds = %31, %17
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mark_force_no_inline() #1 {
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %0, %15* noundef nonnull align 8 dereferenceable(32) %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca %15*, align 8
  %5 = alloca %11, align 1
  store i8* %0, i8** %3, align 8
  store %15* %1, %15** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %15*, %15** %4, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %6, %15* noundef nonnull align 8 dereferenceable(32) %7, %11* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %0, %15* noundef nonnull align 8 dereferenceable(32) %1, %11* noundef nonnull align 1 dereferenceable(1) %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca %15*, align 8
  %6 = alloca %11*, align 8
  %7 = alloca %11, align 1
  store i8* %0, i8** %4, align 8
  store %15* %1, %15** %5, align 8
  store %11* %2, %11** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %15*, %15** %5, align 8
  %10 = load %11*, %11** %6, align 8
  call void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%11* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %15* noundef nonnull align 8 dereferenceable(32) %9, %11* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%11* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %15* noundef nonnull align 8 dereferenceable(32) %2, %11* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %11*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %15*, align 8
  %8 = alloca %11*, align 8
  %9 = alloca %16, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %11* %0, %11** %5, align 8
  store i8* %1, i8** %6, align 8
  store %15* %2, %15** %7, align 8
  store %11* %3, %11** %8, align 8
  %15 = load %11*, %11** %5, align 8
  %16 = getelementptr inbounds %16, %16* %9, i32 0, i32 0
  %17 = load %11*, %11** %8, align 8
  store %11* %17, %11** %16, align 8
  %18 = getelementptr inbounds %16, %16* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %16, %16* %9, i32 0, i32 2
  %20 = load %15*, %15** %7, align 8
  store %15* %20, %15** %19, align 8
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
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%16* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !68

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
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%16* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !69

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%16* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%16* noundef nonnull align 8 dereferenceable(24) %0) #1 align 2 {
  %2 = alloca %16*, align 8
  store %16* %0, %16** %2, align 8
  %3 = load %16*, %16** %2, align 8
  %4 = getelementptr inbounds %16, %16* %3, i32 0, i32 0
  %5 = load %11*, %11** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %16, %16* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %16, %16* %3, i32 0, i32 0
  %12 = load %11*, %11** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %16, %16* %3, i32 0, i32 2
  %16 = load %15*, %15** %15, align 8
  call void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%15* noundef nonnull align 8 dereferenceable(32) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %16, %16* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%11* noundef nonnull align 1 dereferenceable(1) %0) #1 align 2 {
  %2 = alloca %11*, align 8
  store %11* %0, %11** %2, align 8
  %3 = load %11*, %11** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%15* noundef nonnull align 8 dereferenceable(32) %0) #1 align 2 {
  %2 = alloca %15*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store %15* %0, %15** %2, align 8
  %6 = load %15*, %15** %2, align 8
  %7 = getelementptr inbounds %15, %15* %6, i32 0, i32 0
  %8 = load %struct.LLVMRuntime.323**, %struct.LLVMRuntime.323*** %7, align 8
  %9 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %8, align 8
  %10 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %9, i32 0, i32 22
  %11 = load i64, i64* %10, align 8
  %12 = icmp ne i64 %11, 0
  br i1 %12, label %62, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds %15, %15* %6, i32 0, i32 0
  %15 = load %struct.LLVMRuntime.323**, %struct.LLVMRuntime.323*** %14, align 8
  %16 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %15, align 8
  %17 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %16, i32 0, i32 22
  store i64 1, i64* %17, align 8
  %18 = getelementptr inbounds %15, %15* %6, i32 0, i32 0
  %19 = load %struct.LLVMRuntime.323**, %struct.LLVMRuntime.323*** %18, align 8
  %20 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %19, align 8
  %21 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %20, i32 0, i32 19
  %22 = getelementptr inbounds [2048 x i8], [2048 x i8]* %21, i64 0, i64 0
  call void @llvm.memset.p0i8.i64(i8* align 8 %22, i8 0, i64 2048, i1 false)
  %23 = getelementptr inbounds %15, %15* %6, i32 0, i32 0
  %24 = load %struct.LLVMRuntime.323**, %struct.LLVMRuntime.323*** %23, align 8
  %25 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %24, align 8
  %26 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %25, i32 0, i32 19
  %27 = getelementptr inbounds [2048 x i8], [2048 x i8]* %26, i64 0, i64 0
  %28 = getelementptr inbounds %15, %15* %6, i32 0, i32 1
  %29 = load i8**, i8*** %28, align 8
  %30 = load i8*, i8** %29, align 8
  %31 = getelementptr inbounds %15, %15* %6, i32 0, i32 1
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
  %39 = getelementptr inbounds %15, %15* %6, i32 0, i32 2
  %40 = load i32*, i32** %39, align 8
  %41 = load i32, i32* %40, align 4
  %42 = icmp slt i32 %38, %41
  br i1 %42, label %43, label %61

43:                                               ; preds = %37
  %44 = getelementptr inbounds %15, %15* %6, i32 0, i32 3
  %45 = load i64**, i64*** %44, align 8
  %46 = load i64*, i64** %45, align 8
  %47 = load i32, i32* %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i64, i64* %46, i64 %48
  %50 = load i64, i64* %49, align 8
  %51 = getelementptr inbounds %15, %15* %6, i32 0, i32 0
  %52 = load %struct.LLVMRuntime.323**, %struct.LLVMRuntime.323*** %51, align 8
  %53 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %52, align 8
  %54 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %53, i32 0, i32 20
  %55 = load i32, i32* %5, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [32 x i64], [32 x i64]* %54, i64 0, i64 %56
  store i64 %50, i64* %57, align 8
  br label %58

58:                                               ; preds = %43
  %59 = load i32, i32* %5, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, i32* %5, align 4
  br label %37, !llvm.loop !70

61:                                               ; preds = %37
  br label %62

62:                                               ; preds = %61, %1
  ret void
}

; Function Attrs: argmemonly nocallback nofree nounwind willreturn writeonly
declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #7

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @taichi_strlen(i8* noundef %0) #1 {
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
  br label %6, !llvm.loop !71

16:                                               ; preds = %6
  %17 = load i64, i64* %3, align 8
  ret i64 %17
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 8 dereferenceable(8) i64* @_ZSt3minImERKT_S2_S2_(i64* noundef nonnull align 8 dereferenceable(8) %0, i64* noundef nonnull align 8 dereferenceable(8) %1) #1 {
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

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #0

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #0

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @element_listgen_nonroot(%struct.LLVMRuntime.323* noundef %0, %struct.StructMeta.340* noundef %1, %struct.StructMeta.340* noundef %2) #1 {
  %4 = alloca %struct.LLVMRuntime.323*, align 8
  %5 = alloca %struct.StructMeta.340*, align 8
  %6 = alloca %struct.StructMeta.340*, align 8
  %7 = alloca %struct.ListManager.320*, align 8
  %8 = alloca i32, align 4
  %9 = alloca %struct.ListManager.320*, align 8
  %10 = alloca void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)*, align 8
  %11 = alloca i1 (i8*, i8*, i32)*, align 8
  %12 = alloca i8* (i8*, i8*, i32)*, align 8
  %13 = alloca i32 (i8*, i8*)*, align 8
  %14 = alloca i8* (i8*)*, align 8
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca %struct.Element.384, align 8
  %21 = alloca i32, align 4
  %22 = alloca i32, align 4
  %23 = alloca i32, align 4
  %24 = alloca %struct.PhysicalCoordinates.1.339, align 4
  %25 = alloca i8*, align 8
  %26 = alloca i32, align 4
  %27 = alloca i32, align 4
  %28 = alloca i32, align 4
  %29 = alloca %struct.Element.384, align 8
  %30 = alloca i32, align 4
  store %struct.LLVMRuntime.323* %0, %struct.LLVMRuntime.323** %4, align 8
  store %struct.StructMeta.340* %1, %struct.StructMeta.340** %5, align 8
  store %struct.StructMeta.340* %2, %struct.StructMeta.340** %6, align 8
  %31 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %4, align 8
  %32 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %31, i32 0, i32 11
  %33 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %34 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %33, i32 0, i32 0
  %35 = load i32, i32* %34, align 8
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [1024 x %struct.ListManager.320*], [1024 x %struct.ListManager.320*]* %32, i64 0, i64 %36
  %38 = load %struct.ListManager.320*, %struct.ListManager.320** %37, align 8
  store %struct.ListManager.320* %38, %struct.ListManager.320** %7, align 8
  %39 = load %struct.ListManager.320*, %struct.ListManager.320** %7, align 8
  %40 = call noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %39)
  store i32 %40, i32* %8, align 4
  %41 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %4, align 8
  %42 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %41, i32 0, i32 11
  %43 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %44 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %43, i32 0, i32 0
  %45 = load i32, i32* %44, align 8
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [1024 x %struct.ListManager.320*], [1024 x %struct.ListManager.320*]* %42, i64 0, i64 %46
  %48 = load %struct.ListManager.320*, %struct.ListManager.320** %47, align 8
  store %struct.ListManager.320* %48, %struct.ListManager.320** %9, align 8
  %49 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %50 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %49, i32 0, i32 7
  %51 = load void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)*, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)** %50, align 8
  store void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)* %51, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)** %10, align 8
  %52 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %53 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %52, i32 0, i32 5
  %54 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %53, align 8
  store i1 (i8*, i8*, i32)* %54, i1 (i8*, i8*, i32)** %11, align 8
  %55 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %56 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %55, i32 0, i32 3
  %57 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %56, align 8
  store i8* (i8*, i8*, i32)* %57, i8* (i8*, i8*, i32)** %12, align 8
  %58 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %59 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %58, i32 0, i32 6
  %60 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %59, align 8
  store i32 (i8*, i8*)* %60, i32 (i8*, i8*)** %13, align 8
  %61 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %62 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %61, i32 0, i32 4
  %63 = load i8* (i8*)*, i8* (i8*)** %62, align 8
  store i8* (i8*)* %63, i8* (i8*)** %14, align 8
  %64 = call i32 @block_idx()
  store i32 %64, i32* %15, align 4
  %65 = call i32 @grid_dim()
  store i32 %65, i32* %16, align 4
  %66 = call i32 @thread_idx()
  store i32 %66, i32* %17, align 4
  %67 = call i32 @block_dim()
  store i32 %67, i32* %18, align 4
  %68 = load i32, i32* %15, align 4
  store i32 %68, i32* %19, align 4
  br label %69

69:                                               ; preds = %154, %3
  %70 = load i32, i32* %19, align 4
  %71 = load i32, i32* %8, align 4
  %72 = icmp slt i32 %70, %71
  br i1 %72, label %73, label %158

73:                                               ; preds = %69
  %74 = load %struct.ListManager.320*, %struct.ListManager.320** %7, align 8
  %75 = load i32, i32* %19, align 4
  %76 = call noundef nonnull align 8 dereferenceable(64) %struct.Element.384* @_ZN11ListManager3getI7ElementEERT_i(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %74, i32 noundef %75)
  %77 = bitcast %struct.Element.384* %20 to i8*
  %78 = bitcast %struct.Element.384* %76 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %77, i8* align 8 %78, i64 64, i1 false)
  %79 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %20, i32 0, i32 1
  %80 = getelementptr inbounds [2 x i32], [2 x i32]* %79, i64 0, i64 0
  %81 = load i32, i32* %80, align 8
  %82 = load i32, i32* %17, align 4
  %83 = add nsw i32 %81, %82
  store i32 %83, i32* %21, align 4
  %84 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %20, i32 0, i32 1
  %85 = getelementptr inbounds [2 x i32], [2 x i32]* %84, i64 0, i64 1
  %86 = load i32, i32* %85, align 4
  store i32 %86, i32* %22, align 4
  %87 = load i32, i32* %21, align 4
  store i32 %87, i32* %23, align 4
  br label %88

88:                                               ; preds = %149, %73
  %89 = load i32, i32* %23, align 4
  %90 = load i32, i32* %22, align 4
  %91 = icmp slt i32 %89, %90
  br i1 %91, label %92, label %153

92:                                               ; preds = %88
  %93 = load void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)*, void (%struct.PhysicalCoordinates.1.339*, %struct.PhysicalCoordinates.1.339*, i32)** %10, align 8
  %94 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %20, i32 0, i32 2
  %95 = load i32, i32* %23, align 4
  call void %93(%struct.PhysicalCoordinates.1.339* noundef %94, %struct.PhysicalCoordinates.1.339* noundef %24, i32 noundef %95)
  %96 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %11, align 8
  %97 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %98 = bitcast %struct.StructMeta.340* %97 to i8*
  %99 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %20, i32 0, i32 0
  %100 = load i8*, i8** %99, align 8
  %101 = load i32, i32* %23, align 4
  %102 = call noundef zeroext i1 %96(i8* noundef %98, i8* noundef %100, i32 noundef %101)
  br i1 %102, label %103, label %148

103:                                              ; preds = %92
  %104 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %12, align 8
  %105 = load %struct.StructMeta.340*, %struct.StructMeta.340** %5, align 8
  %106 = bitcast %struct.StructMeta.340* %105 to i8*
  %107 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %20, i32 0, i32 0
  %108 = load i8*, i8** %107, align 8
  %109 = load i32, i32* %23, align 4
  %110 = call noundef i8* %104(i8* noundef %106, i8* noundef %108, i32 noundef %109)
  store i8* %110, i8** %25, align 8
  %111 = load i8* (i8*)*, i8* (i8*)** %14, align 8
  %112 = load i8*, i8** %25, align 8
  %113 = call noundef i8* %111(i8* noundef %112)
  store i8* %113, i8** %25, align 8
  %114 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %13, align 8
  %115 = load %struct.StructMeta.340*, %struct.StructMeta.340** %6, align 8
  %116 = bitcast %struct.StructMeta.340* %115 to i8*
  %117 = load i8*, i8** %25, align 8
  %118 = call noundef i32 %114(i8* noundef %116, i8* noundef %117)
  store i32 %118, i32* %26, align 4
  %119 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZSt3minIiERKT_S2_S2_(i32* noundef nonnull align 4 dereferenceable(4) %26, i32* noundef nonnull align 4 dereferenceable(4) @_ZL31taichi_listgen_max_element_size)
  %120 = load i32, i32* %119, align 4
  store i32 %120, i32* %27, align 4
  store i32 0, i32* %28, align 4
  br label %121

121:                                              ; preds = %143, %103
  %122 = load i32, i32* %28, align 4
  %123 = load i32, i32* %26, align 4
  %124 = icmp slt i32 %122, %123
  br i1 %124, label %125, label %147

125:                                              ; preds = %121
  %126 = load i8*, i8** %25, align 8
  %127 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %29, i32 0, i32 0
  store i8* %126, i8** %127, align 8
  %128 = load i32, i32* %28, align 4
  %129 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %29, i32 0, i32 1
  %130 = getelementptr inbounds [2 x i32], [2 x i32]* %129, i64 0, i64 0
  store i32 %128, i32* %130, align 8
  %131 = load i32, i32* %28, align 4
  %132 = load i32, i32* %27, align 4
  %133 = add nsw i32 %131, %132
  store i32 %133, i32* %30, align 4
  %134 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZSt3minIiERKT_S2_S2_(i32* noundef nonnull align 4 dereferenceable(4) %30, i32* noundef nonnull align 4 dereferenceable(4) %26)
  %135 = load i32, i32* %134, align 4
  %136 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %29, i32 0, i32 1
  %137 = getelementptr inbounds [2 x i32], [2 x i32]* %136, i64 0, i64 1
  store i32 %135, i32* %137, align 4
  %138 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %29, i32 0, i32 2
  %139 = bitcast %struct.PhysicalCoordinates.1.339* %138 to i8*
  %140 = bitcast %struct.PhysicalCoordinates.1.339* %24 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %139, i8* align 4 %140, i64 48, i1 false)
  %141 = load %struct.ListManager.320*, %struct.ListManager.320** %9, align 8
  %142 = bitcast %struct.Element.384* %29 to i8*
  call void @_ZN11ListManager6appendEPv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %141, i8* noundef %142)
  br label %143

143:                                              ; preds = %125
  %144 = load i32, i32* %27, align 4
  %145 = load i32, i32* %28, align 4
  %146 = add nsw i32 %145, %144
  store i32 %146, i32* %28, align 4
  br label %121, !llvm.loop !72

147:                                              ; preds = %121
  br label %148

148:                                              ; preds = %147, %92
  br label %149

149:                                              ; preds = %148
  %150 = load i32, i32* %18, align 4
  %151 = load i32, i32* %23, align 4
  %152 = add nsw i32 %151, %150
  store i32 %152, i32* %23, align 4
  br label %88, !llvm.loop !73

153:                                              ; preds = %88
  br label %154

154:                                              ; preds = %153
  %155 = load i32, i32* %16, align 4
  %156 = load i32, i32* %19, align 4
  %157 = add nsw i32 %156, %155
  store i32 %157, i32* %19, align 4
  br label %69, !llvm.loop !74

158:                                              ; preds = %69
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %0) #1 align 2 {
  %2 = alloca %struct.ListManager.320*, align 8
  store %struct.ListManager.320* %0, %struct.ListManager.320** %2, align 8
  %3 = load %struct.ListManager.320*, %struct.ListManager.320** %2, align 8
  %4 = getelementptr inbounds %struct.ListManager.320, %struct.ListManager.320* %3, i32 0, i32 5
  %5 = load i32, i32* %4, align 8
  ret i32 %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.324* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.324*, i8*)* noundef %3, void (%struct.RuntimeContext.324*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.324*, i8*)* noundef %5, i64 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.324*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.324*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.324*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.324*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.324* %0, %struct.RuntimeContext.324** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.324*, i8*)* %3, void (%struct.RuntimeContext.324*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.324*, i8*, i32)* %4, void (%struct.RuntimeContext.324*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.324*, i8*)* %5, void (%struct.RuntimeContext.324*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.324*, i8*)*, void (%struct.RuntimeContext.324*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.324*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.324*, i8*)*, void (%struct.RuntimeContext.324*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.324* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.324*, i8*, i32)*, void (%struct.RuntimeContext.324*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.324* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !75

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.324*, i8*)*, void (%struct.RuntimeContext.324*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.324*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.324*, i8*)*, void (%struct.RuntimeContext.324*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.324* noundef %56, i8* noundef %57)
  br label %58

58:                                               ; preds = %54, %51
  %59 = load i8*, i8** %16, align 8
  call void @llvm.stackrestore(i8* %59)
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare i8* @llvm.stacksave() #8

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore(i8*) #8

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DenseMeta_set_morton_dim(%struct.RootMeta.342* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.RootMeta.342*, align 8
  %4 = alloca i32, align 4
  store %struct.RootMeta.342* %0, %struct.RootMeta.342** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.RootMeta.342*, %struct.RootMeta.342** %3, align 8
  %7 = getelementptr inbounds %struct.RootMeta.342, %struct.RootMeta.342* %6, i32 0, i32 1
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Dense_get_num_elements(i8* noundef %0, i8* noundef %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.340*
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Dense_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Dense_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %7 = load i8*, i8** %5, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = bitcast i8* %8 to %struct.StructMeta.340*
  %10 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DynamicMeta_set_chunk_size(%struct.RootMeta.342* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.RootMeta.342*, align 8
  %4 = alloca i32, align 4
  store %struct.RootMeta.342* %0, %struct.RootMeta.342** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.RootMeta.342*, %struct.RootMeta.342** %3, align 8
  %7 = getelementptr inbounds %struct.RootMeta.342, %struct.RootMeta.342* %6, i32 0, i32 1
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Dynamic_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
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
define internal i8* @Dynamic_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca i32, align 4
  %8 = alloca %struct.RootMeta.342*, align 8
  %9 = alloca %struct.DynamicNode*, align 8
  %10 = alloca i32, align 4
  %11 = alloca i8*, align 8
  %12 = alloca i32, align 4
  %13 = alloca i8*, align 8
  store i8* %0, i8** %5, align 8
  store i8* %1, i8** %6, align 8
  store i32 %2, i32* %7, align 4
  %14 = load i8*, i8** %5, align 8
  %15 = bitcast i8* %14 to %struct.RootMeta.342*
  store %struct.RootMeta.342* %15, %struct.RootMeta.342** %8, align 8
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
  %26 = load %struct.RootMeta.342*, %struct.RootMeta.342** %8, align 8
  %27 = getelementptr inbounds %struct.RootMeta.342, %struct.RootMeta.342* %26, i32 0, i32 1
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
  %42 = load %struct.RootMeta.342*, %struct.RootMeta.342** %8, align 8
  %43 = bitcast %struct.RootMeta.342* %42 to %struct.StructMeta.340*
  %44 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %43, i32 0, i32 1
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
  br label %29, !llvm.loop !76

56:                                               ; preds = %3
  %57 = load %struct.RootMeta.342*, %struct.RootMeta.342** %8, align 8
  %58 = bitcast %struct.RootMeta.342* %57 to %struct.StructMeta.340*
  %59 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %58, i32 0, i32 8
  %60 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %59, align 8
  %61 = getelementptr inbounds %struct.RuntimeContext.324, %struct.RuntimeContext.324* %60, i32 0, i32 1
  %62 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %61, align 8
  %63 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %62, i32 0, i32 13
  %64 = load %struct.RootMeta.342*, %struct.RootMeta.342** %8, align 8
  %65 = bitcast %struct.RootMeta.342* %64 to %struct.StructMeta.340*
  %66 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %65, i32 0, i32 0
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
define internal i32 @Dynamic_get_num_elements(i8* noundef %0, i8* noundef %1) #1 {
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
define internal i32 @Pointer_get_num_elements(i8* noundef %0, i8* noundef %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.340*
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Pointer_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
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
define internal i8* @Pointer_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i8*, align 8
  %9 = alloca %struct.StructMeta.340*, align 8
  %10 = alloca %struct.RuntimeContext.324*, align 8
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
  %27 = bitcast i8* %26 to %struct.StructMeta.340*
  store %struct.StructMeta.340* %27, %struct.StructMeta.340** %9, align 8
  %28 = load %struct.StructMeta.340*, %struct.StructMeta.340** %9, align 8
  %29 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %28, i32 0, i32 8
  %30 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %29, align 8
  store %struct.RuntimeContext.324* %30, %struct.RuntimeContext.324** %10, align 8
  %31 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %10, align 8
  %32 = getelementptr inbounds %struct.RuntimeContext.324, %struct.RuntimeContext.324* %31, i32 0, i32 1
  %33 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %32, align 8
  %34 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %33, i32 0, i32 13
  %35 = load %struct.StructMeta.340*, %struct.StructMeta.340** %9, align 8
  %36 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %35, i32 0, i32 0
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

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Root_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Root_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %7 = load i8*, i8** %5, align 8
  ret i8* %7
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Root_get_num_elements(i8* noundef %0, i8* noundef %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  ret i32 1
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Bitmasked_get_num_elements(i8* noundef %0, i8* noundef %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.340*
  %7 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Bitmasked_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.StructMeta.340*, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64, align 8
  %11 = alloca i8*, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %12 = load i8*, i8** %4, align 8
  %13 = bitcast i8* %12 to %struct.StructMeta.340*
  store %struct.StructMeta.340* %13, %struct.StructMeta.340** %7, align 8
  %14 = load %struct.StructMeta.340*, %struct.StructMeta.340** %7, align 8
  %15 = call i64 @StructMeta_get_element_size(%struct.StructMeta.340* noundef %14)
  store i64 %15, i64* %8, align 8
  %16 = load i8*, i8** %4, align 8
  %17 = load i8*, i8** %5, align 8
  %18 = call i32 @Dense_get_num_elements(i8* noundef %16, i8* noundef %17)
  store i32 %18, i32* %9, align 4
  %19 = load i64, i64* %8, align 8
  %20 = load i32, i32* %9, align 4
  %21 = sext i32 %20 to i64
  %22 = mul i64 %19, %21
  store i64 %22, i64* %10, align 8
  %23 = load i8*, i8** %5, align 8
  %24 = load i64, i64* %10, align 8
  %25 = getelementptr inbounds i8, i8* %23, i64 %24
  store i8* %25, i8** %11, align 8
  %26 = load i8*, i8** %11, align 8
  %27 = load i32, i32* %6, align 4
  %28 = sdiv i32 %27, 8
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i8, i8* %26, i64 %29
  %31 = load i8, i8* %30, align 1
  %32 = zext i8 %31 to i32
  %33 = load i32, i32* %6, align 4
  %34 = srem i32 %33, 8
  %35 = ashr i32 %32, %34
  %36 = and i32 %35, 1
  %37 = icmp ne i32 %36, 0
  ret i1 %37
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @StructMeta_get_element_size(%struct.StructMeta.340* noundef %0) #1 {
  %2 = alloca %struct.StructMeta.340*, align 8
  store %struct.StructMeta.340* %0, %struct.StructMeta.340** %2, align 8
  %3 = load %struct.StructMeta.340*, %struct.StructMeta.340** %2, align 8
  %4 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %3, i32 0, i32 1
  %5 = load i64, i64* %4, align 8
  ret i64 %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Bitmasked_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #1 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %7 = load i8*, i8** %5, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = bitcast i8* %8 to %struct.StructMeta.340*
  %10 = getelementptr inbounds %struct.StructMeta.340, %struct.StructMeta.340* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @parallel_struct_for_1(%struct.RuntimeContext.324* noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)* noundef %4, i64 noundef %5, i32 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.324*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)*, align 8
  %13 = alloca i64, align 8
  %14 = alloca i32, align 4
  %15 = alloca %struct.ListManager.320*, align 8
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca [1 x i8], align 8
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  %22 = alloca %struct.Element.384*, align 8
  %23 = alloca i32, align 4
  %24 = alloca i32, align 4
  store %struct.RuntimeContext.324* %0, %struct.RuntimeContext.324** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store i32 %3, i32* %11, align 4
  store void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)* %4, void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)** %12, align 8
  store i64 %5, i64* %13, align 8
  store i32 %6, i32* %14, align 4
  %25 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %8, align 8
  %26 = getelementptr inbounds %struct.RuntimeContext.324, %struct.RuntimeContext.324* %25, i32 0, i32 1
  %27 = load %struct.LLVMRuntime.323*, %struct.LLVMRuntime.323** %26, align 8
  %28 = getelementptr inbounds %struct.LLVMRuntime.323, %struct.LLVMRuntime.323* %27, i32 0, i32 11
  %29 = load i32, i32* %9, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [1024 x %struct.ListManager.320*], [1024 x %struct.ListManager.320*]* %28, i64 0, i64 %30
  %32 = load %struct.ListManager.320*, %struct.ListManager.320** %31, align 8
  store %struct.ListManager.320* %32, %struct.ListManager.320** %15, align 8
  %33 = load %struct.ListManager.320*, %struct.ListManager.320** %15, align 8
  %34 = call noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %33)
  store i32 %34, i32* %16, align 4
  %35 = call i32 @block_idx()
  store i32 %35, i32* %17, align 4
  store i32 1, i32* %11, align 4
  %36 = load i32, i32* %10, align 4
  %37 = load i32, i32* %11, align 4
  %38 = sdiv i32 %36, %37
  store i32 %38, i32* %19, align 4
  br label %39

39:                                               ; preds = %88, %7
  %40 = load i32, i32* %17, align 4
  %41 = load i32, i32* %11, align 4
  %42 = sdiv i32 %40, %41
  store i32 %42, i32* %20, align 4
  %43 = load i32, i32* %20, align 4
  %44 = load i32, i32* %16, align 4
  %45 = icmp sge i32 %43, %44
  br i1 %45, label %46, label %47

46:                                               ; preds = %39
  br label %92

47:                                               ; preds = %39
  %48 = load i32, i32* %17, align 4
  %49 = load i32, i32* %11, align 4
  %50 = srem i32 %48, %49
  store i32 %50, i32* %21, align 4
  %51 = load %struct.ListManager.320*, %struct.ListManager.320** %15, align 8
  %52 = load i32, i32* %20, align 4
  %53 = call noundef nonnull align 8 dereferenceable(64) %struct.Element.384* @_ZN11ListManager3getI7ElementEERT_i(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %51, i32 noundef %52)
  store %struct.Element.384* %53, %struct.Element.384** %22, align 8
  %54 = load %struct.Element.384*, %struct.Element.384** %22, align 8
  %55 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %54, i32 0, i32 1
  %56 = getelementptr inbounds [2 x i32], [2 x i32]* %55, i64 0, i64 0
  %57 = load i32, i32* %56, align 8
  %58 = load i32, i32* %21, align 4
  %59 = load i32, i32* %19, align 4
  %60 = mul nsw i32 %58, %59
  %61 = add nsw i32 %57, %60
  store i32 %61, i32* %23, align 4
  %62 = load %struct.Element.384*, %struct.Element.384** %22, align 8
  %63 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %62, i32 0, i32 1
  %64 = getelementptr inbounds [2 x i32], [2 x i32]* %63, i64 0, i64 0
  %65 = load i32, i32* %64, align 8
  %66 = load i32, i32* %21, align 4
  %67 = add nsw i32 %66, 1
  %68 = load i32, i32* %19, align 4
  %69 = mul nsw i32 %67, %68
  %70 = add nsw i32 %65, %69
  store i32 %70, i32* %24, align 4
  %71 = load %struct.Element.384*, %struct.Element.384** %22, align 8
  %72 = getelementptr inbounds %struct.Element.384, %struct.Element.384* %71, i32 0, i32 1
  %73 = getelementptr inbounds [2 x i32], [2 x i32]* %72, i64 0, i64 1
  %74 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZSt3minIiERKT_S2_S2_(i32* noundef nonnull align 4 dereferenceable(4) %24, i32* noundef nonnull align 4 dereferenceable(4) %73)
  %75 = load i32, i32* %74, align 4
  store i32 %75, i32* %24, align 4
  %76 = load i32, i32* %23, align 4
  %77 = load i32, i32* %24, align 4
  %78 = icmp slt i32 %76, %77
  br i1 %78, label %79, label %88

79:                                               ; preds = %47
  %80 = load void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)*, void (%struct.RuntimeContext.324*, i8*, %struct.Element.384*, i32, i32)** %12, align 8
  %81 = load %struct.RuntimeContext.324*, %struct.RuntimeContext.324** %8, align 8
  %82 = getelementptr inbounds [1 x i8], [1 x i8]* %18, i64 0, i64 0
  %83 = load %struct.ListManager.320*, %struct.ListManager.320** %15, align 8
  %84 = load i32, i32* %20, align 4
  %85 = call noundef nonnull align 8 dereferenceable(64) %struct.Element.384* @_ZN11ListManager3getI7ElementEERT_i(%struct.ListManager.320* noundef nonnull align 8 dereferenceable(1048616) %83, i32 noundef %84)
  %86 = load i32, i32* %23, align 4
  %87 = load i32, i32* %24, align 4
  call void %80(%struct.RuntimeContext.324* noundef %81, i8* noundef %82, %struct.Element.384* noundef %85, i32 noundef %86, i32 noundef %87)
  br label %88

88:                                               ; preds = %79, %47
  %89 = call i32 @grid_dim()
  %90 = load i32, i32* %17, align 4
  %91 = add nsw i32 %90, %89
  store i32 %91, i32* %17, align 4
  br label %39, !llvm.loop !77

92:                                               ; preds = %46
  ret void
}

attributes #0 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #1 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { argmemonly nocallback nofree nounwind willreturn }
attributes #3 = { alwaysinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { alwaysinline "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nounwind }
attributes #6 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { argmemonly nocallback nofree nounwind willreturn writeonly }
attributes #8 = { nocallback nofree nosync nounwind willreturn }
attributes #9 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16, !17, !18, !19, !20, !21, !22, !23, !24, !25, !26, !27, !28, !29, !30, !31, !32, !33, !34, !35, !36, !37, !38, !39, !40, !41, !42, !43, !44, !45, !46, !47, !48, !49, !48, !50, !50, !50, !50, !51, !51, !50}
!llvm.ident = !{!52}
!nvvmir.version = !{!53}
!llvm.module.flags = !{!54, !55, !56, !57, !58}

!0 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_0_serial, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_0_serial, !"maxntidx", i32 1}
!2 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_0_serial, !"minctasm", i32 2}
!3 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_1_range_for, !"kernel", i32 1}
!4 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_1_range_for, !"maxntidx", i32 128}
!5 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_1_range_for, !"minctasm", i32 2}
!6 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_2_serial, !"kernel", i32 1}
!7 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_2_serial, !"maxntidx", i32 1}
!8 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_2_serial, !"minctasm", i32 2}
!9 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_3_listgen_S1pointer, !"kernel", i32 1}
!10 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_3_listgen_S1pointer, !"maxntidx", i32 16}
!11 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_3_listgen_S1pointer, !"minctasm", i32 2}
!12 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_4_serial, !"kernel", i32 1}
!13 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_4_serial, !"maxntidx", i32 1}
!14 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_4_serial, !"minctasm", i32 2}
!15 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_5_listgen_S2dense, !"kernel", i32 1}
!16 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_5_listgen_S2dense, !"maxntidx", i32 4}
!17 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_5_listgen_S2dense, !"minctasm", i32 2}
!18 = !{void (%struct.RuntimeContext.382*)* @count_cells_c80_0_kernel_6_struct_for, !"kernel", i32 1}
!19 = !{void (%struct.RuntimeContext.382*)* @count_cells_c80_0_kernel_6_struct_for, !"maxntidx", i32 4}
!20 = !{void (%struct.RuntimeContext.382*)* @count_cells_c80_0_kernel_6_struct_for, !"minctasm", i32 2}
!21 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_7_serial, !"kernel", i32 1}
!22 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_7_serial, !"maxntidx", i32 1}
!23 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_7_serial, !"minctasm", i32 2}
!24 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_8_listgen_S4pointer, !"kernel", i32 1}
!25 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_8_listgen_S4pointer, !"maxntidx", i32 4}
!26 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_8_listgen_S4pointer, !"minctasm", i32 2}
!27 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_9_serial, !"kernel", i32 1}
!28 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_9_serial, !"maxntidx", i32 1}
!29 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_9_serial, !"minctasm", i32 2}
!30 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_10_listgen_S5bitmasked, !"kernel", i32 1}
!31 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_10_listgen_S5bitmasked, !"maxntidx", i32 4}
!32 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_10_listgen_S5bitmasked, !"minctasm", i32 2}
!33 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_11_struct_for, !"kernel", i32 1}
!34 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_11_struct_for, !"maxntidx", i32 4}
!35 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_11_struct_for, !"minctasm", i32 2}
!36 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_12_serial, !"kernel", i32 1}
!37 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_12_serial, !"maxntidx", i32 1}
!38 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_12_serial, !"minctasm", i32 2}
!39 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_13_listgen_S9bitmasked, !"kernel", i32 1}
!40 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_13_listgen_S9bitmasked, !"maxntidx", i32 16}
!41 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_13_listgen_S9bitmasked, !"minctasm", i32 2}
!42 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_14_struct_for, !"kernel", i32 1}
!43 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_14_struct_for, !"maxntidx", i32 16}
!44 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_14_struct_for, !"minctasm", i32 2}
!45 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_15_range_for, !"kernel", i32 1}
!46 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_15_range_for, !"maxntidx", i32 128}
!47 = !{void (%struct.RuntimeContext.324*)* @count_cells_c80_0_kernel_15_range_for, !"minctasm", i32 2}
!48 = !{null, !"align", i32 8}
!49 = !{null, !"align", i32 8, !"align", i32 65544, !"align", i32 131080}
!50 = !{null, !"align", i32 16}
!51 = !{null, !"align", i32 16, !"align", i32 65552, !"align", i32 131088}
!52 = !{!"Ubuntu clang version 14.0.6"}
!53 = !{i32 1, i32 4}
!54 = !{i32 1, !"wchar_size", i32 4}
!55 = !{i32 7, !"PIC Level", i32 2}
!56 = !{i32 7, !"PIE Level", i32 2}
!57 = !{i32 7, !"uwtable", i32 1}
!58 = !{i32 7, !"frame-pointer", i32 2}
!59 = distinct !{!59, !60}
!60 = !{!"llvm.loop.mustprogress"}
!61 = distinct !{!61, !60}
!62 = distinct !{!62, !60}
!63 = !{i64 33607}
!64 = distinct !{!64, !60}
!65 = distinct !{!65, !60}
!66 = distinct !{!66, !60}
!67 = !{i64 22228}
!68 = distinct !{!68, !60}
!69 = distinct !{!69, !60}
!70 = distinct !{!70, !60}
!71 = distinct !{!71, !60}
!72 = distinct !{!72, !60}
!73 = distinct !{!73, !60}
!74 = distinct !{!74, !60}
!75 = distinct !{!75, !60}
!76 = distinct !{!76, !60}
!77 = distinct !{!77, !60}
