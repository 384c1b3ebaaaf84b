; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.2440 = type { i8*, %struct.LLVMRuntime.2439*, i32, i64* }
%struct.LLVMRuntime.2439 = type { %struct.PreallocatedMemoryChunk.2434, %struct.PreallocatedMemoryChunk.2434, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.2435*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.2436*], [1024 x %struct.NodeManager.2437*], [1024 x i8*], i8*, %struct.RandState.2438*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.2434 = type { i8*, i8*, i64 }
%struct.__va_list_tag.2435 = type { i32, i32, i8*, i8* }
%struct.ListManager.2436 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.2439* }
%struct.NodeManager.2437 = type <{ %struct.LLVMRuntime.2439*, i32, i32, i32, i32, %struct.ListManager.2436*, %struct.ListManager.2436*, %struct.ListManager.2436*, i32, [4 x i8] }>
%struct.RandState.2438 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.2443 = type <{ %struct.StructMeta.2442, i32, [4 x i8] }>
%struct.StructMeta.2442 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)*, %struct.RuntimeContext.2440* }
%struct.PhysicalCoordinates.0.2441 = type { [12 x i32] }
%S0_ch.2468 = type { [8 x %S1_ch.2444], [8 x %S3_ch.2445], [8 x %S6_ch.2446], [8 x %S8_ch.2447], [8 x %S11_ch.2448], [8 x %S13_ch.2449], [8 x %S16_ch.2450], [8 x %S18_ch.2451], [8 x %S21_ch.2452], [8 x %S23_ch.2453], [8 x %S26_ch.2454], [8 x %S28_ch.2455], [8 x %S31_ch.2456], [8 x %S33_ch.2457], [8 x %S36_ch.2458], [8 x %S38_ch.2459], [8 x %S16_ch.2450], [8 x %S18_ch.2451], [8 x %S21_ch.2452], [8 x %S23_ch.2453], [8 x %S26_ch.2454], [8 x %S28_ch.2455], [8 x %S31_ch.2456], [8 x %S33_ch.2457], [8 x %S61_ch.2460], [1 x %S70_ch.2461], [1 x %S31_ch.2456], [24 x %S26_ch.2454], [24 x %S26_ch.2454], [24 x %S26_ch.2454], [24 x %S26_ch.2454], [96 x %S26_ch.2454], [4 x %S91_ch.2462], [4 x %S11_ch.2448], [4 x %S11_ch.2448], [6 x %S99_ch.2463], [3 x %S105_ch.2465], [6 x %S109_ch.2467] }
%S1_ch.2444 = type { half }
%S3_ch.2445 = type { half, half }
%S6_ch.2446 = type { float }
%S8_ch.2447 = type { float, float }
%S11_ch.2448 = type { double }
%S13_ch.2449 = type { double, double }
%S36_ch.2458 = type { i1 }
%S38_ch.2459 = type { i1, i1 }
%S16_ch.2450 = type { i8 }
%S18_ch.2451 = type { i8, i8 }
%S21_ch.2452 = type { i16 }
%S23_ch.2453 = type { i16, i16 }
%S26_ch.2454 = type { i32 }
%S28_ch.2455 = type { i32, i32 }
%S31_ch.2456 = type { i64 }
%S33_ch.2457 = type { i64, i64 }
%S61_ch.2460 = type { half, half, half, half, half, half, half, half }
%S70_ch.2461 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.2462 = type { i32, i32, i32 }
%S99_ch.2463 = type { double, double, double, double, i64 }
%S105_ch.2465 = type { [4 x %S106_ch.2464] }
%S106_ch.2464 = type { [4 x %S26_ch.2454] }
%S109_ch.2467 = type { [8 x %S110_ch.2466] }
%S110_ch.2466 = type { i32, i32, i32, i32 }

define void @get_c222_0_kernel_0_range_for(%struct.RuntimeContext.2440* byval(%struct.RuntimeContext.2440) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.2440* %context, i32 0, i32 48, void (%struct.RuntimeContext.2440*, i8*)* null, void (%struct.RuntimeContext.2440*, i8*, i32)* @function_body, void (%struct.RuntimeContext.2440*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.2440* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.2443, align 8
  %5 = alloca %struct.DenseMeta.2443, align 8
  %6 = alloca %struct.DenseMeta.2443, align 8
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %7 = load i32, i32* %3, align 4
  %8 = sdiv i32 %7, 6
  %9 = icmp slt i32 %7, 0
  %10 = mul i32 %8, 6
  %11 = icmp ne i1 %9, false
  %12 = icmp ne i32 %7, 0
  %13 = icmp ne i32 %10, %7
  %14 = icmp ne i1 %11, false
  %15 = icmp ne i1 %12, false
  %16 = and i1 %14, %15
  %17 = icmp ne i1 %16, false
  %18 = icmp ne i1 %13, false
  %19 = and i1 %17, %18
  %20 = zext i1 %19 to i32
  %21 = sub i32 %8, %20
  %22 = mul i32 %21, 6
  %23 = sub i32 %7, %22
  %24 = call %struct.LLVMRuntime.2439* @RuntimeContext_get_runtime(%struct.RuntimeContext.2440* %0)
  %25 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2439* %24, i32 0)
  %26 = bitcast i8* %25 to %S0_ch.2468*
  %27 = getelementptr %S0_ch.2468, %S0_ch.2468* %26, i32 0
  %28 = bitcast %S0_ch.2468* %27 to i8*
  %29 = call i8* @get_ch_S0_to_S105(i8* %28)
  %30 = bitcast i8* %29 to [3 x %S105_ch.2465]*
  %31 = lshr i32 %23, 1
  %32 = bitcast %struct.DenseMeta.2443* %4 to %struct.StructMeta.2442*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2442* %32, i32 105)
  call void @StructMeta_set_element_size(%struct.StructMeta.2442* %32, i64 64)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2442* %32, i64 3)
  call void @StructMeta_set_context(%struct.StructMeta.2442* %32, %struct.RuntimeContext.2440* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2442* %32, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2442* %32, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2442* %32, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2442* %32, i8* (i8*)* @get_ch_S0_to_S105)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2442* %32, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)* @S105_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2443* %4, i32 0)
  %33 = bitcast %struct.DenseMeta.2443* %4 to i8*
  %34 = bitcast [3 x %S105_ch.2465]* %30 to i8*
  %35 = call i8* @Dense_lookup_element(i8* %33, i8* %34, i32 %31)
  %36 = call i8* @get_ch_S105_to_S106(i8* %35)
  %37 = bitcast i8* %36 to [4 x %S106_ch.2464]*
  %38 = lshr i32 %21, 1
  %39 = bitcast %struct.DenseMeta.2443* %5 to %struct.StructMeta.2442*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2442* %39, i32 106)
  call void @StructMeta_set_element_size(%struct.StructMeta.2442* %39, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2442* %39, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.2442* %39, %struct.RuntimeContext.2440* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2442* %39, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2442* %39, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2442* %39, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2442* %39, i8* (i8*)* @get_ch_S105_to_S106)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2442* %39, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)* @S106_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2443* %5, i32 0)
  %40 = bitcast %struct.DenseMeta.2443* %5 to i8*
  %41 = bitcast [4 x %S106_ch.2464]* %37 to i8*
  %42 = call i8* @Dense_lookup_element(i8* %40, i8* %41, i32 %38)
  %43 = call i8* @get_ch_S106_to_S107(i8* %42)
  %44 = bitcast i8* %43 to [4 x %S26_ch.2454]*
  %45 = and i32 %21, 1
  %46 = and i32 %23, 1
  %47 = shl i32 %45, 1
  %48 = add i32 %46, %47
  %49 = bitcast %struct.DenseMeta.2443* %6 to %struct.StructMeta.2442*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2442* %49, i32 107)
  call void @StructMeta_set_element_size(%struct.StructMeta.2442* %49, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2442* %49, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.2442* %49, %struct.RuntimeContext.2440* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2442* %49, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2442* %49, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2442* %49, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2442* %49, i8* (i8*)* @get_ch_S106_to_S107)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2442* %49, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)* @S107_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2443* %6, i32 0)
  %50 = bitcast %struct.DenseMeta.2443* %6 to i8*
  %51 = bitcast [4 x %S26_ch.2454]* %44 to i8*
  %52 = call i8* @Dense_lookup_element(i8* %50, i8* %51, i32 %48)
  %53 = call i8* @get_ch_S107_to_S108(i8* %52)
  %54 = bitcast i8* %53 to i32*
  %55 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %54, i32 32)
  %56 = getelementptr %struct.RuntimeContext.2440, %struct.RuntimeContext.2440* %0, i32 0, i32 0
  %57 = bitcast i8** %56 to { { { i32, i32 }, i32* } }**
  %58 = load { { { i32, i32 }, i32* } }*, { { { i32, i32 }, i32* } }** %57, align 8
  %59 = getelementptr { { { i32, i32 }, i32* } }, { { { i32, i32 }, i32* } }* %58, i32 0, i32 0
  %60 = getelementptr { { i32, i32 }, i32* }, { { i32, i32 }, i32* }* %59, i32 0, i32 1
  %61 = load i32*, i32** %60, align 8
  %62 = getelementptr { { i32, i32 }, i32* }, { { i32, i32 }, i32* }* %59, i32 0, i32 0, i32 0
  %63 = load i32, i32* %62, align 4
  %64 = getelementptr { { i32, i32 }, i32* }, { { i32, i32 }, i32* }* %59, i32 0, i32 0, i32 1
  %65 = load i32, i32* %64, align 4
  %66 = mul i32 0, %63
  %67 = add i32 %66, %21
  %68 = mul i32 %67, %65
  %69 = add i32 %68, %23
  %70 = getelementptr i32, i32* %61, i32 %69
  store i32 %55, i32* %70, align 4
  br label %final
}

; Function Attrs: argmemonly nocallback nounwind readonly
declare i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* nocapture, i32) #0

define internal void @S105_refine_coordinates(%struct.PhysicalCoordinates.0.2441* %0, %struct.PhysicalCoordinates.0.2441* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 0, i32 %5)
  %6 = urem i32 %2, 3
  %7 = udiv i32 %6, 1
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 1)
  %9 = mul i32 %8, 3
  %10 = add i32 %9, %7
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S105(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.2468*
  %getch = getelementptr %S0_ch.2468, %S0_ch.2468* %1, i32 0, i32 36
  %2 = bitcast [3 x %S105_ch.2465]* %getch to i8*
  ret i8* %2
}

define internal void @S106_refine_coordinates(%struct.PhysicalCoordinates.0.2441* %0, %struct.PhysicalCoordinates.0.2441* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S105_to_S106(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S105_ch.2465*
  %getch = getelementptr %S105_ch.2465, %S105_ch.2465* %1, i32 0, i32 0
  %2 = bitcast [4 x %S106_ch.2464]* %getch to i8*
  ret i8* %2
}

define internal void @S107_refine_coordinates(%struct.PhysicalCoordinates.0.2441* %0, %struct.PhysicalCoordinates.0.2441* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 0)
  %6 = mul i32 %5, 2
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S106_to_S107(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S106_ch.2464*
  %getch = getelementptr %S106_ch.2464, %S106_ch.2464* %1, i32 0, i32 0
  %2 = bitcast [4 x %S26_ch.2454]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S107_to_S108(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S26_ch.2454*
  %getch = getelementptr %S26_ch.2454, %S26_ch.2454* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2441* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.0.2441*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2441* %0, %struct.PhysicalCoordinates.0.2441** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.2441, %struct.PhysicalCoordinates.0.2441* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2441* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.0.2441*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2441* %0, %struct.PhysicalCoordinates.0.2441** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.2441, %struct.PhysicalCoordinates.0.2441* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.2439* @RuntimeContext_get_runtime(%struct.RuntimeContext.2440* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.2440*, align 8
  store %struct.RuntimeContext.2440* %0, %struct.RuntimeContext.2440** %2, align 8
  %3 = load %struct.RuntimeContext.2440*, %struct.RuntimeContext.2440** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.2440, %struct.RuntimeContext.2440* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.2439*, %struct.LLVMRuntime.2439** %4, align 8
  ret %struct.LLVMRuntime.2439* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.2442* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.2442* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.2442* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.2442* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.2442* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.2442* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.2442* noundef %0, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)*, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)* %1, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)*, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)* %5, void (%struct.PhysicalCoordinates.0.2441*, %struct.PhysicalCoordinates.0.2441*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.2442* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.2442* noundef %0, %struct.RuntimeContext.2440* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2442*, align 8
  %4 = alloca %struct.RuntimeContext.2440*, align 8
  store %struct.StructMeta.2442* %0, %struct.StructMeta.2442** %3, align 8
  store %struct.RuntimeContext.2440* %1, %struct.RuntimeContext.2440** %4, align 8
  %5 = load %struct.RuntimeContext.2440*, %struct.RuntimeContext.2440** %4, align 8
  %6 = load %struct.StructMeta.2442*, %struct.StructMeta.2442** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 8
  store %struct.RuntimeContext.2440* %5, %struct.RuntimeContext.2440** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2439* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.2439*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.2439* %0, %struct.LLVMRuntime.2439** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.2439*, %struct.LLVMRuntime.2439** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.2439, %struct.LLVMRuntime.2439* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.2440* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.2440*, i8*)* noundef %3, void (%struct.RuntimeContext.2440*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.2440*, i8*)* noundef %5, i64 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.2440*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.2440*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.2440*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.2440*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.2440* %0, %struct.RuntimeContext.2440** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.2440*, i8*)* %3, void (%struct.RuntimeContext.2440*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.2440*, i8*, i32)* %4, void (%struct.RuntimeContext.2440*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.2440*, i8*)* %5, void (%struct.RuntimeContext.2440*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.2440*, i8*)*, void (%struct.RuntimeContext.2440*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.2440*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.2440*, i8*)*, void (%struct.RuntimeContext.2440*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.2440*, %struct.RuntimeContext.2440** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.2440* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.2440*, i8*, i32)*, void (%struct.RuntimeContext.2440*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.2440*, %struct.RuntimeContext.2440** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.2440* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.2440*, i8*)*, void (%struct.RuntimeContext.2440*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.2440*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.2440*, i8*)*, void (%struct.RuntimeContext.2440*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.2440*, %struct.RuntimeContext.2440** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.2440* noundef %56, i8* noundef %57)
  br label %58

58:                                               ; preds = %54, %51
  %59 = load i8*, i8** %16, align 8
  call void @llvm.stackrestore(i8* %59)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @thread_idx() #1 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %0
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

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare i8* @llvm.stacksave() #2

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @grid_dim() #1 {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  ret i32 %0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore(i8*) #2

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.2443* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.DenseMeta.2443*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.2443* %0, %struct.DenseMeta.2443** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.2443*, %struct.DenseMeta.2443** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.2443, %struct.DenseMeta.2443* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.2442*
  %7 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.2442*
  %10 = getelementptr inbounds %struct.StructMeta.2442, %struct.StructMeta.2442* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

attributes #0 = { argmemonly nocallback nounwind readonly }
attributes #1 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind willreturn }
attributes #3 = { nocallback nofree nosync nounwind readnone speculatable willreturn }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext.2440*)* @get_c222_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.2440*)* @get_c222_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.2440*)* @get_c222_0_kernel_0_range_for, !"minctasm", i32 2}
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
