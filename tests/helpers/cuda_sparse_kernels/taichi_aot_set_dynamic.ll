; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%0 = type { [16 x i64], [16 x i8*] }
%1 = type { [1 x i32], [16 x %S9_ch.110] }
%2 = type { { i32, i32 }, i8* }
%3 = type { [1048576 x i64], [1048576 x i8*] }
%4 = type { [4 x i64], [4 x i8*] }
%5 = type { %struct.ListManager.102*, i32* }
%6 = type { %class.anon.22*, i8**, %5* }
%7 = type { %struct.PreallocatedMemoryChunk.100*, i64*, i64*, i8**, i8* }
%8 = type { %class.anon.22*, i8**, %7* }
%9 = type { %struct.LLVMRuntime.105**, i8**, i32*, i64** }
%10 = type { %class.anon.22*, i8**, %9* }
%struct.RuntimeContext.106 = type { i8*, %struct.LLVMRuntime.105*, i32, i64* }
%struct.LLVMRuntime.105 = type { %struct.PreallocatedMemoryChunk.100, %struct.PreallocatedMemoryChunk.100, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.101*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.102*], [1024 x %struct.NodeManager.103*], [1024 x i8*], i8*, %struct.RandState.104*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.100 = type { i8*, i8*, i64 }
%struct.__va_list_tag.101 = type { i32, i32, i8*, i8* }
%struct.ListManager.102 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.105* }
%struct.NodeManager.103 = type <{ %struct.LLVMRuntime.105*, i32, i32, i32, i32, %struct.ListManager.102*, %struct.ListManager.102*, %struct.ListManager.102*, i32, [4 x i8] }>
%struct.RandState.104 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.109 = type <{ %struct.StructMeta.108, i32, [4 x i8] }>
%struct.StructMeta.108 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)*, %struct.RuntimeContext.106* }
%struct.PhysicalCoordinates.1.107 = type { [12 x i32] }
%S0_ch.114 = type { %0, %4, %1, [3 x %S11_ch.111], %3, [7 x %S17_ch.112], [4 x %S23_ch.113], %4 }
%S9_ch.110 = type { i1 }
%S11_ch.111 = type { %2 }
%S17_ch.112 = type { i64 }
%S23_ch.113 = type { i32 }
%struct.DynamicNode = type { i32, i32, i8* }
%class.anon.1 = type { i8***, %struct.DenseMeta.109** }
%class.anon.22 = type { i8 }
%class.anon.26 = type { %class.anon.22*, i8**, %class.anon.1* }

@.str = private unnamed_addr constant [144 x i8] c"Out of CUDA pre-allocated memory.\0AConsider using ti.init(device_memory_fraction=0.9) or ti.init(device_memory_GB=4) to allocate more GPU memory\00", align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"Taichi JIT\00", align 1
@.str.2 = private unnamed_addr constant [30 x i8] c"allocate_from_reserved_memory\00", align 1
@.str.3 = private unnamed_addr constant [28 x i8] c"Out of pre-allocated memory\00", align 1
@.str.5 = private unnamed_addr constant [28 x i8] c"List manager out of chunks.\00", align 1

define void @put_c98_0_kernel_0_range_for(%struct.RuntimeContext.106* byval(%struct.RuntimeContext.106) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.106* %context, i32 0, i32 48, void (%struct.RuntimeContext.106*, i8*)* null, void (%struct.RuntimeContext.106*, i8*, i32)* @function_body, void (%struct.RuntimeContext.106*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.106* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.109, align 8
  %5 = alloca %struct.DenseMeta.109, align 8
  %6 = alloca %struct.DenseMeta.109, align 8
  %7 = alloca %struct.DenseMeta.109, align 8
  br label %entry

final:                                            ; preds = %after_if
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = sdiv i32 %8, 16
  %10 = icmp slt i32 %8, 0
  %11 = shl i32 %9, 4
  %12 = icmp ne i1 %10, false
  %13 = icmp ne i32 %8, 0
  %14 = icmp ne i32 %11, %8
  %15 = icmp ne i1 %12, false
  %16 = icmp ne i1 %13, false
  %17 = and i1 %15, %16
  %18 = icmp ne i1 %17, false
  %19 = icmp ne i1 %14, false
  %20 = and i1 %18, %19
  %21 = zext i1 %20 to i32
  %22 = sub i32 %9, %21
  %23 = shl i32 %22, 4
  %24 = sub i32 %8, %23
  %25 = call %struct.LLVMRuntime.105* @RuntimeContext_get_runtime(%struct.RuntimeContext.106* %0)
  %26 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.105* %25, i32 1)
  %27 = bitcast i8* %26 to %S0_ch.114*
  %28 = getelementptr %S0_ch.114, %S0_ch.114* %27, i32 0
  %29 = bitcast %S0_ch.114* %28 to i8*
  %30 = call i8* @get_ch_S0_to_S11(i8* %29)
  %31 = bitcast i8* %30 to [3 x %S11_ch.111]*
  %32 = bitcast %struct.DenseMeta.109* %4 to %struct.StructMeta.108*
  call void @StructMeta_set_snode_id(%struct.StructMeta.108* %32, i32 11)
  call void @StructMeta_set_element_size(%struct.StructMeta.108* %32, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.108* %32, i64 3)
  call void @StructMeta_set_context(%struct.StructMeta.108* %32, %struct.RuntimeContext.106* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.108* %32, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.108* %32, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.108* %32, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.108* %32, i8* (i8*)* @get_ch_S0_to_S11)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.108* %32, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)* @S11_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.109* %4, i32 0)
  %33 = bitcast %struct.DenseMeta.109* %4 to i8*
  %34 = bitcast [3 x %S11_ch.111]* %31 to i8*
  %35 = call i8* @Dense_lookup_element(i8* %33, i8* %34, i32 %22)
  %36 = call i8* @get_ch_S11_to_S12(i8* %35)
  %37 = bitcast i8* %36 to %2*
  %38 = bitcast %struct.DenseMeta.109* %5 to %struct.StructMeta.108*
  call void @StructMeta_set_snode_id(%struct.StructMeta.108* %38, i32 12)
  call void @StructMeta_set_element_size(%struct.StructMeta.108* %38, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.108* %38, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.108* %38, %struct.RuntimeContext.106* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.108* %38, i8* (i8*, i8*, i32)* @Dynamic_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.108* %38, i1 (i8*, i8*, i32)* @Dynamic_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.108* %38, i32 (i8*, i8*)* @Dynamic_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.108* %38, i8* (i8*)* @get_ch_S11_to_S12)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.108* %38, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)* @S12_refine_coordinates)
  call void @DynamicMeta_set_chunk_size(%struct.DenseMeta.109* %5, i32 4)
  %39 = bitcast %struct.DenseMeta.109* %5 to i8*
  %40 = bitcast %2* %37 to i8*
  %41 = call i8* @Dynamic_lookup_element(i8* %39, i8* %40, i32 %24)
  %42 = call i8* @get_ch_S12_to_S13(i8* %41)
  %43 = bitcast i8* %42 to i32*
  %44 = load i32, i32* %43, align 4
  %45 = getelementptr %struct.RuntimeContext.106, %struct.RuntimeContext.106* %0, i32 0, i32 0
  %46 = bitcast i8** %45 to { { { i32, i32 }, i32* } }**
  %47 = load { { { i32, i32 }, i32* } }*, { { { i32, i32 }, i32* } }** %46, align 8
  %48 = getelementptr { { { i32, i32 }, i32* } }, { { { i32, i32 }, i32* } }* %47, i32 0, i32 0
  %49 = getelementptr { { i32, i32 }, i32* }, { { i32, i32 }, i32* }* %48, i32 0, i32 1
  %50 = load i32*, i32** %49, align 8
  %51 = getelementptr { { i32, i32 }, i32* }, { { i32, i32 }, i32* }* %48, i32 0, i32 0, i32 0
  %52 = load i32, i32* %51, align 4
  %53 = getelementptr { { i32, i32 }, i32* }, { { i32, i32 }, i32* }* %48, i32 0, i32 0, i32 1
  %54 = load i32, i32* %53, align 4
  %55 = mul i32 0, %52
  %56 = add i32 %55, %22
  %57 = mul i32 %56, %54
  %58 = add i32 %57, %24
  %59 = getelementptr i32, i32* %50, i32 %58
  %60 = load i32, i32* %59, align 4
  %61 = icmp ne i32 %44, %60
  %62 = icmp ne i1 %61, false
  br i1 %62, label %true_block, label %false_block

true_block:                                       ; preds = %function_body
  %63 = load i32, i32* %59, align 4
  %64 = bitcast %struct.DenseMeta.109* %6 to %struct.StructMeta.108*
  call void @StructMeta_set_snode_id(%struct.StructMeta.108* %64, i32 12)
  call void @StructMeta_set_element_size(%struct.StructMeta.108* %64, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.108* %64, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.108* %64, %struct.RuntimeContext.106* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.108* %64, i8* (i8*, i8*, i32)* @Dynamic_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.108* %64, i1 (i8*, i8*, i32)* @Dynamic_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.108* %64, i32 (i8*, i8*)* @Dynamic_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.108* %64, i8* (i8*)* @get_ch_S11_to_S12)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.108* %64, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)* @S12_refine_coordinates)
  call void @DynamicMeta_set_chunk_size(%struct.DenseMeta.109* %6, i32 4)
  %65 = bitcast %struct.DenseMeta.109* %6 to i8*
  %66 = bitcast %2* %37 to i8*
  call void @Dynamic_activate(i8* %65, i8* %66, i32 %24)
  %67 = bitcast %struct.DenseMeta.109* %7 to %struct.StructMeta.108*
  call void @StructMeta_set_snode_id(%struct.StructMeta.108* %67, i32 12)
  call void @StructMeta_set_element_size(%struct.StructMeta.108* %67, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.108* %67, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.108* %67, %struct.RuntimeContext.106* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.108* %67, i8* (i8*, i8*, i32)* @Dynamic_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.108* %67, i1 (i8*, i8*, i32)* @Dynamic_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.108* %67, i32 (i8*, i8*)* @Dynamic_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.108* %67, i8* (i8*)* @get_ch_S11_to_S12)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.108* %67, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)* @S12_refine_coordinates)
  call void @DynamicMeta_set_chunk_size(%struct.DenseMeta.109* %7, i32 4)
  %68 = bitcast %struct.DenseMeta.109* %7 to i8*
  %69 = bitcast %2* %37 to i8*
  %70 = call i8* @Dynamic_lookup_element(i8* %68, i8* %69, i32 %24)
  %71 = call i8* @get_ch_S12_to_S13(i8* %70)
  %72 = bitcast i8* %71 to i32*
  store i32 %63, i32* %72, align 4
  br label %after_if

false_block:                                      ; preds = %function_body
  br label %after_if

after_if:                                         ; preds = %false_block, %true_block
  br label %final
}

define internal void @S11_refine_coordinates(%struct.PhysicalCoordinates.1.107* %0, %struct.PhysicalCoordinates.1.107* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 3
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 0)
  %6 = mul i32 %5, 3
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S11(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.114*
  %getch = getelementptr %S0_ch.114, %S0_ch.114* %1, i32 0, i32 3
  %2 = bitcast [3 x %S11_ch.111]* %getch to i8*
  ret i8* %2
}

define internal void @S12_refine_coordinates(%struct.PhysicalCoordinates.1.107* %0, %struct.PhysicalCoordinates.1.107* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 0, i32 %5)
  %6 = urem i32 %2, 16
  %7 = udiv i32 %6, 1
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 1)
  %9 = mul i32 %8, 16
  %10 = add i32 %9, %7
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S11_to_S12(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S11_ch.111*
  %getch = getelementptr %S11_ch.111, %S11_ch.111* %1, i32 0, i32 0
  %2 = bitcast %2* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S12_to_S13(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S23_ch.113*
  %getch = getelementptr %S23_ch.113, %S23_ch.113* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.107* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.1.107*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.107* %0, %struct.PhysicalCoordinates.1.107** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.1.107, %struct.PhysicalCoordinates.1.107* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.107* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.1.107*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.107* %0, %struct.PhysicalCoordinates.1.107** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.1.107, %struct.PhysicalCoordinates.1.107* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.105* @RuntimeContext_get_runtime(%struct.RuntimeContext.106* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.106*, align 8
  store %struct.RuntimeContext.106* %0, %struct.RuntimeContext.106** %2, align 8
  %3 = load %struct.RuntimeContext.106*, %struct.RuntimeContext.106** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.106, %struct.RuntimeContext.106* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %4, align 8
  ret %struct.LLVMRuntime.105* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.108* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.108* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.108* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.108* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.108* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.108* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.108* noundef %0, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)*, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)* %1, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)*, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)** %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)* %5, void (%struct.PhysicalCoordinates.1.107*, %struct.PhysicalCoordinates.1.107*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.108* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.108* noundef %0, %struct.RuntimeContext.106* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.108*, align 8
  %4 = alloca %struct.RuntimeContext.106*, align 8
  store %struct.StructMeta.108* %0, %struct.StructMeta.108** %3, align 8
  store %struct.RuntimeContext.106* %1, %struct.RuntimeContext.106** %4, align 8
  %5 = load %struct.RuntimeContext.106*, %struct.RuntimeContext.106** %4, align 8
  %6 = load %struct.StructMeta.108*, %struct.StructMeta.108** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 8
  store %struct.RuntimeContext.106* %5, %struct.RuntimeContext.106** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.105* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.105*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.105* %0, %struct.LLVMRuntime.105** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.106* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.106*, i8*)* noundef %3, void (%struct.RuntimeContext.106*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.106*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext.106*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.106*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.106*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.106*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.106* %0, %struct.RuntimeContext.106** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.106*, i8*)* %3, void (%struct.RuntimeContext.106*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.106*, i8*, i32)* %4, void (%struct.RuntimeContext.106*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.106*, i8*)* %5, void (%struct.RuntimeContext.106*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.106*, i8*)*, void (%struct.RuntimeContext.106*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.106*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.106*, i8*)*, void (%struct.RuntimeContext.106*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.106*, %struct.RuntimeContext.106** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.106* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.106*, i8*, i32)*, void (%struct.RuntimeContext.106*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.106*, %struct.RuntimeContext.106** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.106* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.106*, i8*)*, void (%struct.RuntimeContext.106*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.106*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.106*, i8*)*, void (%struct.RuntimeContext.106*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.106*, %struct.RuntimeContext.106** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.106* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.109* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.109*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.109* %0, %struct.DenseMeta.109** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.109, %struct.DenseMeta.109* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.108*
  %7 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.108*
  %10 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DynamicMeta_set_chunk_size(%struct.DenseMeta.109* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.109*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.109* %0, %struct.DenseMeta.109** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.109, %struct.DenseMeta.109* %6, i32 0, i32 1
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @Dynamic_activate(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.DenseMeta.109*, align 8
  %8 = alloca %struct.DynamicNode*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i8**, align 8
  %11 = alloca i32, align 4
  %12 = alloca %class.anon.1, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %13 = load i8*, i8** %4, align 8
  %14 = bitcast i8* %13 to %struct.DenseMeta.109*
  store %struct.DenseMeta.109* %14, %struct.DenseMeta.109** %7, align 8
  %15 = load i8*, i8** %5, align 8
  %16 = bitcast i8* %15 to %struct.DynamicNode*
  store %struct.DynamicNode* %16, %struct.DynamicNode** %8, align 8
  %17 = load %struct.DynamicNode*, %struct.DynamicNode** %8, align 8
  %18 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %17, i32 0, i32 1
  %19 = load i32, i32* %6, align 4
  %20 = add nsw i32 %19, 1
  %21 = call i32 @atomic_max_i32(i32* noundef %18, i32 noundef %20)
  store i32 0, i32* %9, align 4
  %22 = load %struct.DynamicNode*, %struct.DynamicNode** %8, align 8
  %23 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %22, i32 0, i32 2
  store i8** %23, i8*** %10, align 8
  %24 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %7, align 8
  %25 = getelementptr inbounds %struct.DenseMeta.109, %struct.DenseMeta.109* %24, i32 0, i32 1
  %26 = load i32, i32* %25, align 8
  store i32 %26, i32* %11, align 4
  br label %27

27:                                               ; preds = %44, %3
  %28 = load i8**, i8*** %10, align 8
  %29 = load i8*, i8** %28, align 8
  %30 = icmp eq i8* %29, null
  br i1 %30, label %31, label %37

31:                                               ; preds = %27
  %32 = load %struct.DynamicNode*, %struct.DynamicNode** %8, align 8
  %33 = getelementptr inbounds %struct.DynamicNode, %struct.DynamicNode* %32, i32 0, i32 0
  %34 = bitcast i32* %33 to i8*
  %35 = getelementptr inbounds %class.anon.1, %class.anon.1* %12, i32 0, i32 0
  store i8*** %10, i8**** %35, align 8
  %36 = getelementptr inbounds %class.anon.1, %class.anon.1* %12, i32 0, i32 1
  store %struct.DenseMeta.109** %7, %struct.DenseMeta.109*** %36, align 8
  call void @"_Z11locked_taskIZ16Dynamic_activateE3$_2EvPvRKT_"(i8* noundef %34, %class.anon.1* noundef nonnull align 8 dereferenceable(16) %12)
  br label %37

37:                                               ; preds = %31, %27
  %38 = load i32, i32* %6, align 4
  %39 = load i32, i32* %9, align 4
  %40 = load i32, i32* %11, align 4
  %41 = add nsw i32 %39, %40
  %42 = icmp slt i32 %38, %41
  br i1 %42, label %43, label %44

43:                                               ; preds = %37
  ret void

44:                                               ; preds = %37
  %45 = load i8**, i8*** %10, align 8
  %46 = load i8*, i8** %45, align 8
  %47 = bitcast i8* %46 to i8**
  store i8** %47, i8*** %10, align 8
  %48 = load i32, i32* %11, align 4
  %49 = load i32, i32* %9, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %9, align 4
  br label %27, !llvm.loop !16
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_max_i32(i32* noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32*, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i8, align 1
  store i32* %0, i32** %3, align 8
  store i32 %1, i32* %4, align 4
  br label %8

8:                                                ; preds = %22, %2
  %9 = load i32*, i32** %3, align 8
  %10 = load volatile i32, i32* %9, align 4
  store i32 %10, i32* %5, align 4
  %11 = load i32, i32* %5, align 4
  %12 = load i32, i32* %4, align 4
  %13 = call i32 @max_i32(i32 noundef %11, i32 noundef %12)
  store i32 %13, i32* %6, align 4
  br label %14

14:                                               ; preds = %8
  %15 = load i32*, i32** %3, align 8
  %16 = load i32, i32* %5, align 4
  %17 = load i32, i32* %6, align 4
  %18 = cmpxchg weak volatile i32* %15, i32 %16, i32 %17 seq_cst seq_cst, align 4
  %19 = extractvalue { i32, i1 } %18, 0
  %20 = extractvalue { i32, i1 } %18, 1
  br i1 %20, label %22, label %21

21:                                               ; preds = %14
  store i32 %19, i32* %5, align 4
  br label %22

22:                                               ; preds = %21, %14
  %23 = zext i1 %20 to i8
  store i8 %23, i8* %7, align 1
  %24 = load i8, i8* %7, align 1
  %25 = trunc i8 %24 to i1
  %26 = xor i1 %25, true
  br i1 %26, label %8, label %27, !llvm.loop !17

27:                                               ; preds = %22
  %28 = load i32, i32* %5, align 4
  ret i32 %28
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ16Dynamic_activateE3$_2EvPvRKT_"(i8* noundef %0, %class.anon.1* noundef nonnull align 8 dereferenceable(16) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %class.anon.1*, align 8
  %5 = alloca %class.anon.22, align 1
  store i8* %0, i8** %3, align 8
  store %class.anon.1* %1, %class.anon.1** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %class.anon.1*, %class.anon.1** %4, align 8
  call void @"_Z11locked_taskIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %6, %class.anon.1* noundef nonnull align 8 dereferenceable(16) %7, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %0, %class.anon.1* noundef nonnull align 8 dereferenceable(16) %1, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %class.anon.1*, align 8
  %6 = alloca %class.anon.22*, align 8
  %7 = alloca %class.anon.22, align 1
  store i8* %0, i8** %4, align 8
  store %class.anon.1* %1, %class.anon.1** %5, align 8
  store %class.anon.22* %2, %class.anon.22** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %class.anon.1*, %class.anon.1** %5, align 8
  %10 = load %class.anon.22*, %class.anon.22** %6, align 8
  call void @"_ZN10lock_guardIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %class.anon.1* noundef nonnull align 8 dereferenceable(16) %9, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %class.anon.1* noundef nonnull align 8 dereferenceable(16) %2, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.22*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %class.anon.1*, align 8
  %8 = alloca %class.anon.22*, align 8
  %9 = alloca %class.anon.26, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.22* %0, %class.anon.22** %5, align 8
  store i8* %1, i8** %6, align 8
  store %class.anon.1* %2, %class.anon.1** %7, align 8
  store %class.anon.22* %3, %class.anon.22** %8, align 8
  %15 = load %class.anon.22*, %class.anon.22** %5, align 8
  %16 = getelementptr inbounds %class.anon.26, %class.anon.26* %9, i32 0, i32 0
  %17 = load %class.anon.22*, %class.anon.22** %8, align 8
  store %class.anon.22* %17, %class.anon.22** %16, align 8
  %18 = getelementptr inbounds %class.anon.26, %class.anon.26* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %class.anon.26, %class.anon.26* %9, i32 0, i32 2
  %20 = load %class.anon.1*, %class.anon.1** %7, align 8
  store %class.anon.1* %20, %class.anon.1** %19, align 8
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
  call void @"_ZZN10lock_guardIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.26* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !18

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
  call void @"_ZZN10lock_guardIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.26* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !19

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.26* noundef nonnull align 8 dereferenceable(24) %9)
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
  %2 = call i32 asm sideeffect "activemask.b32 $0;", "=r,~{dirflag},~{fpsr},~{flags}"() #9, !srcloc !20
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
define internal void @"_ZZN10lock_guardIZ16Dynamic_activateE3$_2Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.26* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %class.anon.26*, align 8
  store %class.anon.26* %0, %class.anon.26** %2, align 8
  %3 = load %class.anon.26*, %class.anon.26** %2, align 8
  %4 = getelementptr inbounds %class.anon.26, %class.anon.26* %3, i32 0, i32 0
  %5 = load %class.anon.22*, %class.anon.22** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZ16Dynamic_activateE3$_2EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %class.anon.26, %class.anon.26* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %class.anon.26, %class.anon.26* %3, i32 0, i32 0
  %12 = load %class.anon.22*, %class.anon.22** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZ16Dynamic_activateE3$_2EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %class.anon.26, %class.anon.26* %3, i32 0, i32 2
  %16 = load %class.anon.1*, %class.anon.1** %15, align 8
  call void @"_ZZ16Dynamic_activateENK3$_2clEv"(%class.anon.1* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %class.anon.26, %class.anon.26* %3, i32 0, i32 1
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
define internal noundef zeroext i1 @"_ZZ11locked_taskIZ16Dynamic_activateE3$_2EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.22*, align 8
  store %class.anon.22* %0, %class.anon.22** %2, align 8
  %3 = load %class.anon.22*, %class.anon.22** %2, align 8
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
  br label %3, !llvm.loop !21

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
define internal void @"_ZZ16Dynamic_activateENK3$_2clEv"(%class.anon.1* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %class.anon.1*, align 8
  %3 = alloca %struct.LLVMRuntime.105*, align 8
  %4 = alloca %struct.NodeManager.103*, align 8
  store %class.anon.1* %0, %class.anon.1** %2, align 8
  %5 = load %class.anon.1*, %class.anon.1** %2, align 8
  %6 = getelementptr inbounds %class.anon.1, %class.anon.1* %5, i32 0, i32 0
  %7 = load i8***, i8**** %6, align 8
  %8 = load i8**, i8*** %7, align 8
  %9 = load i8*, i8** %8, align 8
  %10 = icmp eq i8* %9, null
  br i1 %10, label %11, label %36

11:                                               ; preds = %1
  %12 = getelementptr inbounds %class.anon.1, %class.anon.1* %5, i32 0, i32 1
  %13 = load %struct.DenseMeta.109**, %struct.DenseMeta.109*** %12, align 8
  %14 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %13, align 8
  %15 = bitcast %struct.DenseMeta.109* %14 to %struct.StructMeta.108*
  %16 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %15, i32 0, i32 8
  %17 = load %struct.RuntimeContext.106*, %struct.RuntimeContext.106** %16, align 8
  %18 = getelementptr inbounds %struct.RuntimeContext.106, %struct.RuntimeContext.106* %17, i32 0, i32 1
  %19 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %18, align 8
  store %struct.LLVMRuntime.105* %19, %struct.LLVMRuntime.105** %3, align 8
  %20 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %3, align 8
  %21 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %20, i32 0, i32 12
  %22 = getelementptr inbounds %class.anon.1, %class.anon.1* %5, i32 0, i32 1
  %23 = load %struct.DenseMeta.109**, %struct.DenseMeta.109*** %22, align 8
  %24 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %23, align 8
  %25 = bitcast %struct.DenseMeta.109* %24 to %struct.StructMeta.108*
  %26 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %25, i32 0, i32 0
  %27 = load i32, i32* %26, align 8
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [1024 x %struct.NodeManager.103*], [1024 x %struct.NodeManager.103*]* %21, i64 0, i64 %28
  %30 = load %struct.NodeManager.103*, %struct.NodeManager.103** %29, align 8
  store %struct.NodeManager.103* %30, %struct.NodeManager.103** %4, align 8
  %31 = load %struct.NodeManager.103*, %struct.NodeManager.103** %4, align 8
  %32 = call noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager.103* noundef nonnull align 8 dereferenceable(52) %31)
  %33 = getelementptr inbounds %class.anon.1, %class.anon.1* %5, i32 0, i32 0
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
define internal noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager.103* noundef nonnull align 8 dereferenceable(52) %0) #0 align 2 {
  %2 = alloca %struct.NodeManager.103*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.NodeManager.103* %0, %struct.NodeManager.103** %2, align 8
  %5 = load %struct.NodeManager.103*, %struct.NodeManager.103** %2, align 8
  %6 = getelementptr inbounds %struct.NodeManager.103, %struct.NodeManager.103* %5, i32 0, i32 4
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.NodeManager.103, %struct.NodeManager.103* %5, i32 0, i32 5
  %10 = load %struct.ListManager.102*, %struct.ListManager.102** %9, align 8
  %11 = call noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %10)
  %12 = icmp sge i32 %8, %11
  br i1 %12, label %13, label %17

13:                                               ; preds = %1
  %14 = getelementptr inbounds %struct.NodeManager.103, %struct.NodeManager.103* %5, i32 0, i32 7
  %15 = load %struct.ListManager.102*, %struct.ListManager.102** %14, align 8
  %16 = call noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %15)
  store i32 %16, i32* %4, align 4
  br label %23

17:                                               ; preds = %1
  %18 = getelementptr inbounds %struct.NodeManager.103, %struct.NodeManager.103* %5, i32 0, i32 5
  %19 = load %struct.ListManager.102*, %struct.ListManager.102** %18, align 8
  %20 = load i32, i32* %3, align 4
  %21 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %19, i32 noundef %20)
  %22 = load i32, i32* %21, align 4
  store i32 %22, i32* %4, align 4
  br label %23

23:                                               ; preds = %17, %13
  %24 = getelementptr inbounds %struct.NodeManager.103, %struct.NodeManager.103* %5, i32 0, i32 7
  %25 = load %struct.ListManager.102*, %struct.ListManager.102** %24, align 8
  %26 = load i32, i32* %4, align 4
  %27 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %25, i32 noundef %26)
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_add_i32(i32* noundef %0, i32 noundef %1) #0 {
entry:
  %2 = atomicrmw add i32* %0, i32 %1 seq_cst, align 4
  ret i32 %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager.102*, align 8
  store %struct.ListManager.102* %0, %struct.ListManager.102** %2, align 8
  %3 = load %struct.ListManager.102*, %struct.ListManager.102** %2, align 8
  %4 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %3, i32 0, i32 5
  %5 = load i32, i32* %4, align 8
  ret i32 %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager.102*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.ListManager.102* %0, %struct.ListManager.102** %2, align 8
  %5 = load %struct.ListManager.102*, %struct.ListManager.102** %2, align 8
  %6 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %5, i32 0, i32 5
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %5, i32 0, i32 3
  %10 = load i32, i32* %9, align 8
  %11 = ashr i32 %8, %10
  store i32 %11, i32* %4, align 4
  %12 = load i32, i32* %4, align 4
  call void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %12)
  %13 = load i32, i32* %3, align 4
  ret i32 %13
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.102*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.102* %0, %struct.ListManager.102** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.102*, %struct.ListManager.102** %3, align 8
  %6 = load i32, i32* %4, align 4
  %7 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %6)
  %8 = bitcast i8* %7 to i32*
  ret i32* %8
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.102*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.102* %0, %struct.ListManager.102** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.102*, %struct.ListManager.102** %3, align 8
  %6 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %5, i32 0, i32 3
  %9 = load i32, i32* %8, align 8
  %10 = ashr i32 %7, %9
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %6, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %5, i32 0, i32 1
  %15 = load i64, i64* %14, align 8
  %16 = load i32, i32* %4, align 4
  %17 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %5, i32 0, i32 3
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
define internal void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.102* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.102*, align 8
  %4 = alloca i32, align 4
  %5 = alloca %5, align 8
  store %struct.ListManager.102* %0, %struct.ListManager.102** %3, align 8
  store i32 %1, i32* %4, align 4
  %6 = load %struct.ListManager.102*, %struct.ListManager.102** %3, align 8
  %7 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 6
  %8 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %7, align 8
  %9 = load i32, i32* %4, align 4
  %10 = sext i32 %9 to i64
  %11 = icmp ult i64 %10, 131072
  call void @taichi_assert_runtime(%struct.LLVMRuntime.105* noundef %8, i1 noundef zeroext %11, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.5, i64 0, i64 0))
  %12 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 0
  %13 = load i32, i32* %4, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %12, i64 0, i64 %14
  %16 = load i8*, i8** %15, align 8
  %17 = icmp ne i8* %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %2
  %19 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 4
  %20 = bitcast i32* %19 to i8*
  %21 = getelementptr inbounds %5, %5* %5, i32 0, i32 0
  store %struct.ListManager.102* %6, %struct.ListManager.102** %21, align 8
  %22 = getelementptr inbounds %5, %5* %5, i32 0, i32 1
  store i32* %4, i32** %22, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %20, %5* noundef nonnull align 8 dereferenceable(16) %5)
  br label %23

23:                                               ; preds = %18, %2
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @taichi_assert_runtime(%struct.LLVMRuntime.105* noundef %0, i1 noundef zeroext %1, i8* noundef %2) #0 {
  %4 = alloca %struct.LLVMRuntime.105*, align 8
  %5 = alloca i8, align 1
  %6 = alloca i8*, align 8
  store %struct.LLVMRuntime.105* %0, %struct.LLVMRuntime.105** %4, align 8
  %7 = zext i1 %1 to i8
  store i8 %7, i8* %5, align 1
  store i8* %2, i8** %6, align 8
  %8 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %4, align 8
  %9 = load i8, i8* %5, align 1
  %10 = trunc i8 %9 to i1
  %11 = load i8*, i8** %6, align 8
  call void @taichi_assert_format(%struct.LLVMRuntime.105* noundef %8, i1 noundef zeroext %10, i8* noundef %11, i32 noundef 0, i64* noundef null)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %0, %5* noundef nonnull align 8 dereferenceable(16) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %5*, align 8
  %5 = alloca %class.anon.22, align 1
  store i8* %0, i8** %3, align 8
  store %5* %1, %5** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %5*, %5** %4, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %6, %5* noundef nonnull align 8 dereferenceable(16) %7, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %0, %5* noundef nonnull align 8 dereferenceable(16) %1, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %5*, align 8
  %6 = alloca %class.anon.22*, align 8
  %7 = alloca %class.anon.22, align 1
  store i8* %0, i8** %4, align 8
  store %5* %1, %5** %5, align 8
  store %class.anon.22* %2, %class.anon.22** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %5*, %5** %5, align 8
  %10 = load %class.anon.22*, %class.anon.22** %6, align 8
  call void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %5* noundef nonnull align 8 dereferenceable(16) %9, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %5* noundef nonnull align 8 dereferenceable(16) %2, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.22*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %5*, align 8
  %8 = alloca %class.anon.22*, align 8
  %9 = alloca %6, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.22* %0, %class.anon.22** %5, align 8
  store i8* %1, i8** %6, align 8
  store %5* %2, %5** %7, align 8
  store %class.anon.22* %3, %class.anon.22** %8, align 8
  %15 = load %class.anon.22*, %class.anon.22** %5, align 8
  %16 = getelementptr inbounds %6, %6* %9, i32 0, i32 0
  %17 = load %class.anon.22*, %class.anon.22** %8, align 8
  store %class.anon.22* %17, %class.anon.22** %16, align 8
  %18 = getelementptr inbounds %6, %6* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %6, %6* %9, i32 0, i32 2
  %20 = load %5*, %5** %7, align 8
  store %5* %20, %5** %19, align 8
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
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%6* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !22

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
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%6* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !23

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%6* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%6* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %6*, align 8
  store %6* %0, %6** %2, align 8
  %3 = load %6*, %6** %2, align 8
  %4 = getelementptr inbounds %6, %6* %3, i32 0, i32 0
  %5 = load %class.anon.22*, %class.anon.22** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %6, %6* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %6, %6* %3, i32 0, i32 0
  %12 = load %class.anon.22*, %class.anon.22** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %6, %6* %3, i32 0, i32 2
  %16 = load %5*, %5** %15, align 8
  call void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%5* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %6, %6* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.22*, align 8
  store %class.anon.22* %0, %class.anon.22** %2, align 8
  %3 = load %class.anon.22*, %class.anon.22** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%5* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %5*, align 8
  %3 = alloca i8*, align 8
  store %5* %0, %5** %2, align 8
  %4 = load %5*, %5** %2, align 8
  %5 = getelementptr inbounds %5, %5* %4, i32 0, i32 0
  %6 = load %struct.ListManager.102*, %struct.ListManager.102** %5, align 8
  %7 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 0
  %8 = getelementptr inbounds %5, %5* %4, i32 0, i32 1
  %9 = load i32*, i32** %8, align 8
  %10 = load i32, i32* %9, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %7, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = icmp ne i8* %13, null
  br i1 %14, label %37, label %15

15:                                               ; preds = %1
  call void @grid_memfence()
  %16 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 6
  %17 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %16, align 8
  %18 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 6
  %19 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %18, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %19, i32 0, i32 1
  %21 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 2
  %22 = load i64, i64* %21, align 8
  %23 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 1
  %24 = load i64, i64* %23, align 8
  %25 = mul i64 %22, %24
  %26 = call noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.105* noundef nonnull align 8 dereferenceable(35256) %17, %struct.PreallocatedMemoryChunk.100* noundef nonnull align 8 dereferenceable(24) %20, i64 noundef %25, i64 noundef 4096, i1 noundef zeroext true)
  store i8* %26, i8** %3, align 8
  %27 = getelementptr inbounds %struct.ListManager.102, %struct.ListManager.102* %6, i32 0, i32 0
  %28 = getelementptr inbounds %5, %5* %4, i32 0, i32 1
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
define internal noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.105* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.100* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3, i1 noundef zeroext %4) #0 align 2 {
  %6 = alloca i8*, align 8
  %7 = alloca %struct.LLVMRuntime.105*, align 8
  %8 = alloca %struct.PreallocatedMemoryChunk.100*, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i8, align 1
  store %struct.LLVMRuntime.105* %0, %struct.LLVMRuntime.105** %7, align 8
  store %struct.PreallocatedMemoryChunk.100* %1, %struct.PreallocatedMemoryChunk.100** %8, align 8
  store i64 %2, i64* %9, align 8
  store i64 %3, i64* %10, align 8
  %12 = zext i1 %4 to i8
  store i8 %12, i8* %11, align 1
  %13 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %7, align 8
  %14 = load i8, i8* %11, align 1
  %15 = trunc i8 %14 to i1
  br i1 %15, label %16, label %20

16:                                               ; preds = %5
  %17 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %13, i32 0, i32 26
  %18 = load i64, i64* %9, align 8
  %19 = call i64 @atomic_add_i64(i64* noundef %17, i64 noundef %18)
  br label %20

20:                                               ; preds = %16, %5
  %21 = load %struct.PreallocatedMemoryChunk.100*, %struct.PreallocatedMemoryChunk.100** %8, align 8
  %22 = getelementptr inbounds %struct.PreallocatedMemoryChunk.100, %struct.PreallocatedMemoryChunk.100* %21, i32 0, i32 2
  %23 = load i64, i64* %22, align 8
  %24 = icmp ugt i64 %23, 0
  br i1 %24, label %25, label %30

25:                                               ; preds = %20
  %26 = load %struct.PreallocatedMemoryChunk.100*, %struct.PreallocatedMemoryChunk.100** %8, align 8
  %27 = load i64, i64* %9, align 8
  %28 = load i64, i64* %10, align 8
  %29 = call noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.105* noundef nonnull align 8 dereferenceable(35256) %13, %struct.PreallocatedMemoryChunk.100* noundef nonnull align 8 dereferenceable(24) %26, i64 noundef %27, i64 noundef %28)
  store i8* %29, i8** %6, align 8
  br label %38

30:                                               ; preds = %20
  %31 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %13, i32 0, i32 2
  %32 = load i8* (i8*, i64, i64)*, i8* (i8*, i64, i64)** %31, align 8
  %33 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %13, i32 0, i32 6
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
define internal noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.105* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.100* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3) #0 align 2 {
  %5 = alloca %struct.LLVMRuntime.105*, align 8
  %6 = alloca %struct.PreallocatedMemoryChunk.100*, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i8*, align 8
  %10 = alloca i8, align 1
  %11 = alloca %7, align 8
  store %struct.LLVMRuntime.105* %0, %struct.LLVMRuntime.105** %5, align 8
  store %struct.PreallocatedMemoryChunk.100* %1, %struct.PreallocatedMemoryChunk.100** %6, align 8
  store i64 %2, i64* %7, align 8
  store i64 %3, i64* %8, align 8
  %12 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %5, align 8
  store i8* null, i8** %9, align 8
  store i8 0, i8* %10, align 1
  %13 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %12, i32 0, i32 24
  %14 = bitcast i32* %13 to i8*
  %15 = getelementptr inbounds %7, %7* %11, i32 0, i32 0
  %16 = load %struct.PreallocatedMemoryChunk.100*, %struct.PreallocatedMemoryChunk.100** %6, align 8
  store %struct.PreallocatedMemoryChunk.100* %16, %struct.PreallocatedMemoryChunk.100** %15, align 8
  %17 = getelementptr inbounds %7, %7* %11, i32 0, i32 1
  store i64* %8, i64** %17, align 8
  %18 = getelementptr inbounds %7, %7* %11, i32 0, i32 2
  store i64* %7, i64** %18, align 8
  %19 = getelementptr inbounds %7, %7* %11, i32 0, i32 3
  store i8** %9, i8*** %19, align 8
  %20 = getelementptr inbounds %7, %7* %11, i32 0, i32 4
  store i8* %10, i8** %20, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %14, %7* noundef nonnull align 8 dereferenceable(40) %11)
  %21 = load i8, i8* %10, align 1
  %22 = trunc i8 %21 to i1
  br i1 %22, label %24, label %23

23:                                               ; preds = %4
  call void @__assertfail(i8* noundef getelementptr inbounds ([144 x i8], [144 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([11 x i8], [11 x i8]* @.str.1, i64 0, i64 0), i32 noundef 0, i8* noundef getelementptr inbounds ([30 x i8], [30 x i8]* @.str.2, i64 0, i64 0), i64 noundef 1)
  br label %24

24:                                               ; preds = %23, %4
  %25 = load i8, i8* %10, align 1
  %26 = trunc i8 %25 to i1
  call void @taichi_assert_runtime(%struct.LLVMRuntime.105* noundef %12, i1 noundef zeroext %26, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.3, i64 0, i64 0))
  %27 = load i8*, i8** %9, align 8
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %0, %7* noundef nonnull align 8 dereferenceable(40) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %7*, align 8
  %5 = alloca %class.anon.22, align 1
  store i8* %0, i8** %3, align 8
  store %7* %1, %7** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %7*, %7** %4, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %6, %7* noundef nonnull align 8 dereferenceable(40) %7, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline
declare void @__assertfail(i8* noundef, i8* noundef, i32 noundef, i8* noundef, i64 noundef) #4

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %0, %7* noundef nonnull align 8 dereferenceable(40) %1, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %7*, align 8
  %6 = alloca %class.anon.22*, align 8
  %7 = alloca %class.anon.22, align 1
  store i8* %0, i8** %4, align 8
  store %7* %1, %7** %5, align 8
  store %class.anon.22* %2, %class.anon.22** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %7*, %7** %5, align 8
  %10 = load %class.anon.22*, %class.anon.22** %6, align 8
  call void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %7* noundef nonnull align 8 dereferenceable(40) %9, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %7* noundef nonnull align 8 dereferenceable(40) %2, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.22*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %7*, align 8
  %8 = alloca %class.anon.22*, align 8
  %9 = alloca %8, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.22* %0, %class.anon.22** %5, align 8
  store i8* %1, i8** %6, align 8
  store %7* %2, %7** %7, align 8
  store %class.anon.22* %3, %class.anon.22** %8, align 8
  %15 = load %class.anon.22*, %class.anon.22** %5, align 8
  %16 = getelementptr inbounds %8, %8* %9, i32 0, i32 0
  %17 = load %class.anon.22*, %class.anon.22** %8, align 8
  store %class.anon.22* %17, %class.anon.22** %16, align 8
  %18 = getelementptr inbounds %8, %8* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %8, %8* %9, i32 0, i32 2
  %20 = load %7*, %7** %7, align 8
  store %7* %20, %7** %19, align 8
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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%8* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%8* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%8* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%8* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %8*, align 8
  store %8* %0, %8** %2, align 8
  %3 = load %8*, %8** %2, align 8
  %4 = getelementptr inbounds %8, %8* %3, i32 0, i32 0
  %5 = load %class.anon.22*, %class.anon.22** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %8, %8* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %8, %8* %3, i32 0, i32 0
  %12 = load %class.anon.22*, %class.anon.22** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %8, %8* %3, i32 0, i32 2
  %16 = load %7*, %7** %15, align 8
  call void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%7* noundef nonnull align 8 dereferenceable(40) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %8, %8* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.22*, align 8
  store %class.anon.22* %0, %class.anon.22** %2, align 8
  %3 = load %class.anon.22*, %class.anon.22** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%7* noundef nonnull align 8 dereferenceable(40) %0) #0 align 2 {
  %2 = alloca %7*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store %7* %0, %7** %2, align 8
  %6 = load %7*, %7** %2, align 8
  %7 = getelementptr inbounds %7, %7* %6, i32 0, i32 0
  %8 = load %struct.PreallocatedMemoryChunk.100*, %struct.PreallocatedMemoryChunk.100** %7, align 8
  %9 = getelementptr inbounds %struct.PreallocatedMemoryChunk.100, %struct.PreallocatedMemoryChunk.100* %8, i32 0, i32 0
  %10 = load i8*, i8** %9, align 8
  %11 = ptrtoint i8* %10 to i64
  store i64 %11, i64* %3, align 8
  %12 = getelementptr inbounds %7, %7* %6, i32 0, i32 0
  %13 = load %struct.PreallocatedMemoryChunk.100*, %struct.PreallocatedMemoryChunk.100** %12, align 8
  %14 = getelementptr inbounds %struct.PreallocatedMemoryChunk.100, %struct.PreallocatedMemoryChunk.100* %13, i32 0, i32 1
  %15 = load i8*, i8** %14, align 8
  %16 = ptrtoint i8* %15 to i64
  store i64 %16, i64* %4, align 8
  %17 = getelementptr inbounds %7, %7* %6, i32 0, i32 1
  %18 = load i64*, i64** %17, align 8
  %19 = load i64, i64* %18, align 8
  %20 = sub i64 %19, 1
  %21 = load i64, i64* %3, align 8
  %22 = getelementptr inbounds %7, %7* %6, i32 0, i32 1
  %23 = load i64*, i64** %22, align 8
  %24 = load i64, i64* %23, align 8
  %25 = add i64 %21, %24
  %26 = sub i64 %25, 1
  %27 = getelementptr inbounds %7, %7* %6, i32 0, i32 1
  %28 = load i64*, i64** %27, align 8
  %29 = load i64, i64* %28, align 8
  %30 = urem i64 %26, %29
  %31 = sub i64 %20, %30
  store i64 %31, i64* %5, align 8
  %32 = load i64, i64* %5, align 8
  %33 = getelementptr inbounds %7, %7* %6, i32 0, i32 2
  %34 = load i64*, i64** %33, align 8
  %35 = load i64, i64* %34, align 8
  %36 = add i64 %35, %32
  store i64 %36, i64* %34, align 8
  %37 = load i64, i64* %3, align 8
  %38 = getelementptr inbounds %7, %7* %6, i32 0, i32 2
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
  %49 = getelementptr inbounds %7, %7* %6, i32 0, i32 3
  %50 = load i8**, i8*** %49, align 8
  store i8* %48, i8** %50, align 8
  %51 = getelementptr inbounds %7, %7* %6, i32 0, i32 2
  %52 = load i64*, i64** %51, align 8
  %53 = load i64, i64* %52, align 8
  %54 = getelementptr inbounds %7, %7* %6, i32 0, i32 0
  %55 = load %struct.PreallocatedMemoryChunk.100*, %struct.PreallocatedMemoryChunk.100** %54, align 8
  %56 = getelementptr inbounds %struct.PreallocatedMemoryChunk.100, %struct.PreallocatedMemoryChunk.100* %55, i32 0, i32 0
  %57 = load i8*, i8** %56, align 8
  %58 = getelementptr inbounds i8, i8* %57, i64 %53
  store i8* %58, i8** %56, align 8
  %59 = getelementptr inbounds %7, %7* %6, i32 0, i32 4
  %60 = load i8*, i8** %59, align 8
  store i8 1, i8* %60, align 1
  br label %64

61:                                               ; preds = %1
  %62 = getelementptr inbounds %7, %7* %6, i32 0, i32 4
  %63 = load i8*, i8** %62, align 8
  store i8 0, i8* %63, align 1
  br label %64

64:                                               ; preds = %61, %44
  ret void
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal void @taichi_assert_format(%struct.LLVMRuntime.105* noundef %0, i1 noundef zeroext %1, i8* noundef %2, i32 noundef %3, i64* noundef %4) #5 {
  %6 = alloca %struct.LLVMRuntime.105*, align 8
  %7 = alloca i8, align 1
  %8 = alloca i8*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64*, align 8
  %11 = alloca %9, align 8
  store %struct.LLVMRuntime.105* %0, %struct.LLVMRuntime.105** %6, align 8
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
  %19 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %6, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %19, i32 0, i32 22
  %21 = load i64, i64* %20, align 8
  %22 = icmp ne i64 %21, 0
  br i1 %22, label %31, label %23

23:                                               ; preds = %18
  %24 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %6, align 8
  %25 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %24, i32 0, i32 21
  %26 = bitcast i32* %25 to i8*
  %27 = getelementptr inbounds %9, %9* %11, i32 0, i32 0
  store %struct.LLVMRuntime.105** %6, %struct.LLVMRuntime.105*** %27, align 8
  %28 = getelementptr inbounds %9, %9* %11, i32 0, i32 1
  store i8** %8, i8*** %28, align 8
  %29 = getelementptr inbounds %9, %9* %11, i32 0, i32 2
  store i32* %9, i32** %29, align 8
  %30 = getelementptr inbounds %9, %9* %11, i32 0, i32 3
  store i64** %10, i64*** %30, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %26, %9* noundef nonnull align 8 dereferenceable(32) %11)
  br label %31

31:                                               ; preds = %23, %18
  call void asm sideeffect "exit;", "~{dirflag},~{fpsr},~{flags}"() #9, !srcloc !26
  br label %32

32:                                               ; preds = %31, %17
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mark_force_no_inline() #0 {
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %0, %9* noundef nonnull align 8 dereferenceable(32) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %9*, align 8
  %5 = alloca %class.anon.22, align 1
  store i8* %0, i8** %3, align 8
  store %9* %1, %9** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %9*, %9** %4, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %6, %9* noundef nonnull align 8 dereferenceable(32) %7, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %0, %9* noundef nonnull align 8 dereferenceable(32) %1, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %9*, align 8
  %6 = alloca %class.anon.22*, align 8
  %7 = alloca %class.anon.22, align 1
  store i8* %0, i8** %4, align 8
  store %9* %1, %9** %5, align 8
  store %class.anon.22* %2, %class.anon.22** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %9*, %9** %5, align 8
  %10 = load %class.anon.22*, %class.anon.22** %6, align 8
  call void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %9* noundef nonnull align 8 dereferenceable(32) %9, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %9* noundef nonnull align 8 dereferenceable(32) %2, %class.anon.22* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #3 align 2 {
  %5 = alloca %class.anon.22*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %9*, align 8
  %8 = alloca %class.anon.22*, align 8
  %9 = alloca %10, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %class.anon.22* %0, %class.anon.22** %5, align 8
  store i8* %1, i8** %6, align 8
  store %9* %2, %9** %7, align 8
  store %class.anon.22* %3, %class.anon.22** %8, align 8
  %15 = load %class.anon.22*, %class.anon.22** %5, align 8
  %16 = getelementptr inbounds %10, %10* %9, i32 0, i32 0
  %17 = load %class.anon.22*, %class.anon.22** %8, align 8
  store %class.anon.22* %17, %class.anon.22** %16, align 8
  %18 = getelementptr inbounds %10, %10* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %10, %10* %9, i32 0, i32 2
  %20 = load %9*, %9** %7, align 8
  store %9* %20, %9** %19, align 8
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
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%10* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !27

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
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%10* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !28

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%10* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%10* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %10*, align 8
  store %10* %0, %10** %2, align 8
  %3 = load %10*, %10** %2, align 8
  %4 = getelementptr inbounds %10, %10* %3, i32 0, i32 0
  %5 = load %class.anon.22*, %class.anon.22** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %10, %10* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %10, %10* %3, i32 0, i32 0
  %12 = load %class.anon.22*, %class.anon.22** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %10, %10* %3, i32 0, i32 2
  %16 = load %9*, %9** %15, align 8
  call void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%9* noundef nonnull align 8 dereferenceable(32) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %10, %10* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%class.anon.22* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %class.anon.22*, align 8
  store %class.anon.22* %0, %class.anon.22** %2, align 8
  %3 = load %class.anon.22*, %class.anon.22** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%9* noundef nonnull align 8 dereferenceable(32) %0) #0 align 2 {
  %2 = alloca %9*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store %9* %0, %9** %2, align 8
  %6 = load %9*, %9** %2, align 8
  %7 = getelementptr inbounds %9, %9* %6, i32 0, i32 0
  %8 = load %struct.LLVMRuntime.105**, %struct.LLVMRuntime.105*** %7, align 8
  %9 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %8, align 8
  %10 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %9, i32 0, i32 22
  %11 = load i64, i64* %10, align 8
  %12 = icmp ne i64 %11, 0
  br i1 %12, label %62, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds %9, %9* %6, i32 0, i32 0
  %15 = load %struct.LLVMRuntime.105**, %struct.LLVMRuntime.105*** %14, align 8
  %16 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %15, align 8
  %17 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %16, i32 0, i32 22
  store i64 1, i64* %17, align 8
  %18 = getelementptr inbounds %9, %9* %6, i32 0, i32 0
  %19 = load %struct.LLVMRuntime.105**, %struct.LLVMRuntime.105*** %18, align 8
  %20 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %19, align 8
  %21 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %20, i32 0, i32 19
  %22 = getelementptr inbounds [2048 x i8], [2048 x i8]* %21, i64 0, i64 0
  call void @llvm.memset.p0i8.i64(i8* align 8 %22, i8 0, i64 2048, i1 false)
  %23 = getelementptr inbounds %9, %9* %6, i32 0, i32 0
  %24 = load %struct.LLVMRuntime.105**, %struct.LLVMRuntime.105*** %23, align 8
  %25 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %24, align 8
  %26 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %25, i32 0, i32 19
  %27 = getelementptr inbounds [2048 x i8], [2048 x i8]* %26, i64 0, i64 0
  %28 = getelementptr inbounds %9, %9* %6, i32 0, i32 1
  %29 = load i8**, i8*** %28, align 8
  %30 = load i8*, i8** %29, align 8
  %31 = getelementptr inbounds %9, %9* %6, i32 0, i32 1
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
  %39 = getelementptr inbounds %9, %9* %6, i32 0, i32 2
  %40 = load i32*, i32** %39, align 8
  %41 = load i32, i32* %40, align 4
  %42 = icmp slt i32 %38, %41
  br i1 %42, label %43, label %61

43:                                               ; preds = %37
  %44 = getelementptr inbounds %9, %9* %6, i32 0, i32 3
  %45 = load i64**, i64*** %44, align 8
  %46 = load i64*, i64** %45, align 8
  %47 = load i32, i32* %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i64, i64* %46, i64 %48
  %50 = load i64, i64* %49, align 8
  %51 = getelementptr inbounds %9, %9* %6, i32 0, i32 0
  %52 = load %struct.LLVMRuntime.105**, %struct.LLVMRuntime.105*** %51, align 8
  %53 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %52, align 8
  %54 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %53, i32 0, i32 20
  %55 = load i32, i32* %5, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [32 x i64], [32 x i64]* %54, i64 0, i64 %56
  store i64 %50, i64* %57, align 8
  br label %58

58:                                               ; preds = %43
  %59 = load i32, i32* %5, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, i32* %5, align 4
  br label %37, !llvm.loop !29

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
  br label %6, !llvm.loop !30

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
define internal i32 @max_i32(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, i32* %3, align 4
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %3, align 4
  %6 = load i32, i32* %4, align 4
  %7 = icmp sgt i32 %5, %6
  br i1 %7, label %8, label %10

8:                                                ; preds = %2
  %9 = load i32, i32* %3, align 4
  br label %12

10:                                               ; preds = %2
  %11 = load i32, i32* %4, align 4
  br label %12

12:                                               ; preds = %10, %8
  %13 = phi i32 [ %9, %8 ], [ %11, %10 ]
  ret i32 %13
}

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
  %8 = alloca %struct.DenseMeta.109*, align 8
  %9 = alloca %struct.DynamicNode*, align 8
  %10 = alloca i32, align 4
  %11 = alloca i8*, align 8
  %12 = alloca i32, align 4
  %13 = alloca i8*, align 8
  store i8* %0, i8** %5, align 8
  store i8* %1, i8** %6, align 8
  store i32 %2, i32* %7, align 4
  %14 = load i8*, i8** %5, align 8
  %15 = bitcast i8* %14 to %struct.DenseMeta.109*
  store %struct.DenseMeta.109* %15, %struct.DenseMeta.109** %8, align 8
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
  %26 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %8, align 8
  %27 = getelementptr inbounds %struct.DenseMeta.109, %struct.DenseMeta.109* %26, i32 0, i32 1
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
  %42 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %8, align 8
  %43 = bitcast %struct.DenseMeta.109* %42 to %struct.StructMeta.108*
  %44 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %43, i32 0, i32 1
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
  br label %29, !llvm.loop !31

56:                                               ; preds = %3
  %57 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %8, align 8
  %58 = bitcast %struct.DenseMeta.109* %57 to %struct.StructMeta.108*
  %59 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %58, i32 0, i32 8
  %60 = load %struct.RuntimeContext.106*, %struct.RuntimeContext.106** %59, align 8
  %61 = getelementptr inbounds %struct.RuntimeContext.106, %struct.RuntimeContext.106* %60, i32 0, i32 1
  %62 = load %struct.LLVMRuntime.105*, %struct.LLVMRuntime.105** %61, align 8
  %63 = getelementptr inbounds %struct.LLVMRuntime.105, %struct.LLVMRuntime.105* %62, i32 0, i32 13
  %64 = load %struct.DenseMeta.109*, %struct.DenseMeta.109** %8, align 8
  %65 = bitcast %struct.DenseMeta.109* %64 to %struct.StructMeta.108*
  %66 = getelementptr inbounds %struct.StructMeta.108, %struct.StructMeta.108* %65, i32 0, i32 0
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

attributes #0 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn }
attributes #2 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { alwaysinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { alwaysinline "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { argmemonly nocallback nofree nounwind willreturn writeonly }
attributes #7 = { argmemonly nocallback nofree nounwind willreturn }
attributes #8 = { nocallback nounwind }
attributes #9 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext.106*)* @put_c98_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.106*)* @put_c98_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.106*)* @put_c98_0_kernel_0_range_for, !"minctasm", i32 2}
!3 = !{null, !"align", i32 8}
!4 = !{null, !"align", i32 8, !"align", i32 65544, !"align", i32 131080}
!5 = !{null, !"align", i32 16}
!6 = !{null, !"align", i32 16, !"align", i32 65552, !"align", i32 131088}
!7 = !{!"Ubuntu clang version 14.0.6"}
!8 = !{i32 1, i32 4}
!9 = !{i32 1, !"wchar_size", i32 4}
!10 = !{i32 7, !"PIC Level", i32 2}
!11 = !{i32 7, !"PIE Level", i32 2}
!12 = !{i32 7, !"uwtable", i32 1}
!13 = !{i32 7, !"frame-pointer", i32 2}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = distinct !{!16, !15}
!17 = distinct !{!17, !15}
!18 = distinct !{!18, !15}
!19 = distinct !{!19, !15}
!20 = !{i64 33607}
!21 = distinct !{!21, !15}
!22 = distinct !{!22, !15}
!23 = distinct !{!23, !15}
!24 = distinct !{!24, !15}
!25 = distinct !{!25, !15}
!26 = !{i64 22228}
!27 = distinct !{!27, !15}
!28 = distinct !{!28, !15}
!29 = distinct !{!29, !15}
!30 = distinct !{!30, !15}
!31 = distinct !{!31, !15}
