; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.2510 = type { i8*, %struct.LLVMRuntime.2509*, i32, i64* }
%struct.LLVMRuntime.2509 = type { %struct.PreallocatedMemoryChunk.2504, %struct.PreallocatedMemoryChunk.2504, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.2505*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.2506*], [1024 x %struct.NodeManager.2507*], [1024 x i8*], i8*, %struct.RandState.2508*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.2504 = type { i8*, i8*, i64 }
%struct.__va_list_tag.2505 = type { i32, i32, i8*, i8* }
%struct.ListManager.2506 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.2509* }
%struct.NodeManager.2507 = type <{ %struct.LLVMRuntime.2509*, i32, i32, i32, i32, %struct.ListManager.2506*, %struct.ListManager.2506*, %struct.ListManager.2506*, i32, [4 x i8] }>
%struct.RandState.2508 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.2513 = type <{ %struct.StructMeta.2512, i32, [4 x i8] }>
%struct.StructMeta.2512 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)*, %struct.RuntimeContext.2510* }
%struct.PhysicalCoordinates.0.2511 = type { [12 x i32] }
%S0_ch.2538 = type { [8 x %S1_ch.2514], [8 x %S3_ch.2515], [8 x %S6_ch.2516], [8 x %S8_ch.2517], [8 x %S11_ch.2518], [8 x %S13_ch.2519], [8 x %S16_ch.2520], [8 x %S18_ch.2521], [8 x %S21_ch.2522], [8 x %S23_ch.2523], [8 x %S26_ch.2524], [8 x %S28_ch.2525], [8 x %S31_ch.2526], [8 x %S33_ch.2527], [8 x %S36_ch.2528], [8 x %S38_ch.2529], [8 x %S16_ch.2520], [8 x %S18_ch.2521], [8 x %S21_ch.2522], [8 x %S23_ch.2523], [8 x %S26_ch.2524], [8 x %S28_ch.2525], [8 x %S31_ch.2526], [8 x %S33_ch.2527], [8 x %S61_ch.2530], [1 x %S70_ch.2531], [1 x %S31_ch.2526], [24 x %S26_ch.2524], [24 x %S26_ch.2524], [24 x %S26_ch.2524], [24 x %S26_ch.2524], [96 x %S26_ch.2524], [4 x %S91_ch.2532], [4 x %S11_ch.2518], [4 x %S11_ch.2518], [6 x %S99_ch.2533], [3 x %S105_ch.2535], [6 x %S109_ch.2537] }
%S1_ch.2514 = type { half }
%S3_ch.2515 = type { half, half }
%S6_ch.2516 = type { float }
%S8_ch.2517 = type { float, float }
%S11_ch.2518 = type { double }
%S13_ch.2519 = type { double, double }
%S36_ch.2528 = type { i1 }
%S38_ch.2529 = type { i1, i1 }
%S16_ch.2520 = type { i8 }
%S18_ch.2521 = type { i8, i8 }
%S21_ch.2522 = type { i16 }
%S23_ch.2523 = type { i16, i16 }
%S26_ch.2524 = type { i32 }
%S28_ch.2525 = type { i32, i32 }
%S31_ch.2526 = type { i64 }
%S33_ch.2527 = type { i64, i64 }
%S61_ch.2530 = type { half, half, half, half, half, half, half, half }
%S70_ch.2531 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.2532 = type { i32, i32, i32 }
%S99_ch.2533 = type { double, double, double, double, i64 }
%S105_ch.2535 = type { [4 x %S106_ch.2534] }
%S106_ch.2534 = type { [4 x %S26_ch.2524] }
%S109_ch.2537 = type { [8 x %S110_ch.2536] }
%S110_ch.2536 = type { i32, i32, i32, i32 }

define void @get_c226_0_kernel_0_range_for(%struct.RuntimeContext.2510* byval(%struct.RuntimeContext.2510) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.2510* %context, i32 0, i32 48, void (%struct.RuntimeContext.2510*, i8*)* null, void (%struct.RuntimeContext.2510*, i8*, i32)* @function_body, void (%struct.RuntimeContext.2510*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.2510* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.2513, align 8
  %5 = alloca %struct.DenseMeta.2513, align 8
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %6 = load i32, i32* %3, align 4
  %7 = sdiv i32 %6, 16
  %8 = icmp slt i32 %6, 0
  %9 = shl i32 %7, 4
  %10 = icmp ne i1 %8, false
  %11 = icmp ne i32 %6, 0
  %12 = icmp ne i32 %9, %6
  %13 = icmp ne i1 %10, false
  %14 = icmp ne i1 %11, false
  %15 = and i1 %13, %14
  %16 = icmp ne i1 %15, false
  %17 = icmp ne i1 %12, false
  %18 = and i1 %16, %17
  %19 = zext i1 %18 to i32
  %20 = sub i32 %7, %19
  %21 = shl i32 %20, 4
  %22 = sub i32 %6, %21
  %23 = sdiv i32 %22, 2
  %24 = icmp slt i32 %22, 0
  %25 = shl i32 %23, 1
  %26 = icmp ne i1 %24, false
  %27 = icmp ne i32 %22, 0
  %28 = icmp ne i32 %25, %22
  %29 = icmp ne i1 %26, false
  %30 = icmp ne i1 %27, false
  %31 = and i1 %29, %30
  %32 = icmp ne i1 %31, false
  %33 = icmp ne i1 %28, false
  %34 = and i1 %32, %33
  %35 = zext i1 %34 to i32
  %36 = sub i32 %23, %35
  %37 = shl i32 %36, 1
  %38 = sub i32 %22, %37
  %39 = call %struct.LLVMRuntime.2509* @RuntimeContext_get_runtime(%struct.RuntimeContext.2510* %0)
  %40 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2509* %39, i32 0)
  %41 = bitcast i8* %40 to %S0_ch.2538*
  %42 = getelementptr %S0_ch.2538, %S0_ch.2538* %41, i32 0
  %43 = bitcast %S0_ch.2538* %42 to i8*
  %44 = call i8* @get_ch_S0_to_S109(i8* %43)
  %45 = bitcast i8* %44 to [6 x %S109_ch.2537]*
  %46 = lshr i32 %36, 2
  %47 = shl i32 %20, 1
  %48 = add i32 %46, %47
  %49 = bitcast %struct.DenseMeta.2513* %4 to %struct.StructMeta.2512*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2512* %49, i32 109)
  call void @StructMeta_set_element_size(%struct.StructMeta.2512* %49, i64 128)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2512* %49, i64 6)
  call void @StructMeta_set_context(%struct.StructMeta.2512* %49, %struct.RuntimeContext.2510* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2512* %49, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2512* %49, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2512* %49, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2512* %49, i8* (i8*)* @get_ch_S0_to_S109)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2512* %49, void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)* @S109_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2513* %4, i32 0)
  %50 = bitcast %struct.DenseMeta.2513* %4 to i8*
  %51 = bitcast [6 x %S109_ch.2537]* %45 to i8*
  %52 = call i8* @Dense_lookup_element(i8* %50, i8* %51, i32 %48)
  %53 = call i8* @get_ch_S109_to_S110(i8* %52)
  %54 = bitcast i8* %53 to [8 x %S110_ch.2536]*
  %55 = and i32 %36, 3
  %56 = shl i32 %55, 1
  %57 = add i32 %38, %56
  %58 = bitcast %struct.DenseMeta.2513* %5 to %struct.StructMeta.2512*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2512* %58, i32 110)
  call void @StructMeta_set_element_size(%struct.StructMeta.2512* %58, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2512* %58, i64 8)
  call void @StructMeta_set_context(%struct.StructMeta.2512* %58, %struct.RuntimeContext.2510* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2512* %58, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2512* %58, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2512* %58, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2512* %58, i8* (i8*)* @get_ch_S109_to_S110)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2512* %58, void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)* @S110_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2513* %5, i32 0)
  %59 = bitcast %struct.DenseMeta.2513* %5 to i8*
  %60 = bitcast [8 x %S110_ch.2536]* %54 to i8*
  %61 = call i8* @Dense_lookup_element(i8* %59, i8* %60, i32 %57)
  %62 = call i8* @get_ch_S110_to_S111(i8* %61)
  %63 = bitcast i8* %62 to i32*
  %64 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %63, i32 32)
  %65 = getelementptr %struct.RuntimeContext.2510, %struct.RuntimeContext.2510* %0, i32 0, i32 0
  %66 = bitcast i8** %65 to { { { i32, i32, i32 }, i32* } }**
  %67 = load { { { i32, i32, i32 }, i32* } }*, { { { i32, i32, i32 }, i32* } }** %66, align 8
  %68 = getelementptr { { { i32, i32, i32 }, i32* } }, { { { i32, i32, i32 }, i32* } }* %67, i32 0, i32 0
  %69 = getelementptr { { i32, i32, i32 }, i32* }, { { i32, i32, i32 }, i32* }* %68, i32 0, i32 1
  %70 = load i32*, i32** %69, align 8
  %71 = getelementptr { { i32, i32, i32 }, i32* }, { { i32, i32, i32 }, i32* }* %68, i32 0, i32 0, i32 0
  %72 = load i32, i32* %71, align 4
  %73 = getelementptr { { i32, i32, i32 }, i32* }, { { i32, i32, i32 }, i32* }* %68, i32 0, i32 0, i32 1
  %74 = load i32, i32* %73, align 4
  %75 = getelementptr { { i32, i32, i32 }, i32* }, { { i32, i32, i32 }, i32* }* %68, i32 0, i32 0, i32 2
  %76 = load i32, i32* %75, align 4
  %77 = mul i32 0, %72
  %78 = add i32 %77, %20
  %79 = mul i32 %78, %74
  %80 = add i32 %79, %36
  %81 = mul i32 %80, %76
  %82 = add i32 %81, %38
  %83 = getelementptr i32, i32* %70, i32 %82
  store i32 %64, i32* %83, align 4
  br label %final
}

; Function Attrs: argmemonly nocallback nounwind readonly
declare i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* nocapture, i32) #0

define internal void @S109_refine_coordinates(%struct.PhysicalCoordinates.0.2511* %0, %struct.PhysicalCoordinates.0.2511* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 6
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 0)
  %6 = mul i32 %5, 3
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S109(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.2538*
  %getch = getelementptr %S0_ch.2538, %S0_ch.2538* %1, i32 0, i32 37
  %2 = bitcast [6 x %S109_ch.2537]* %getch to i8*
  ret i8* %2
}

define internal void @S110_refine_coordinates(%struct.PhysicalCoordinates.0.2511* %0, %struct.PhysicalCoordinates.0.2511* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 0, i32 %5)
  %6 = urem i32 %2, 8
  %7 = udiv i32 %6, 2
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 1)
  %9 = mul i32 %8, 4
  %10 = add i32 %9, %7
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 1, i32 %10)
  %11 = urem i32 %2, 2
  %12 = udiv i32 %11, 1
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 2)
  %14 = mul i32 %13, 2
  %15 = add i32 %14, %12
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S109_to_S110(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S109_ch.2537*
  %getch = getelementptr %S109_ch.2537, %S109_ch.2537* %1, i32 0, i32 0
  %2 = bitcast [8 x %S110_ch.2536]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S110_to_S111(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S110_ch.2536*
  %getch = getelementptr %S110_ch.2536, %S110_ch.2536* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2511* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.0.2511*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2511* %0, %struct.PhysicalCoordinates.0.2511** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.2511, %struct.PhysicalCoordinates.0.2511* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2511* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.0.2511*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2511* %0, %struct.PhysicalCoordinates.0.2511** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.2511, %struct.PhysicalCoordinates.0.2511* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.2509* @RuntimeContext_get_runtime(%struct.RuntimeContext.2510* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.2510*, align 8
  store %struct.RuntimeContext.2510* %0, %struct.RuntimeContext.2510** %2, align 8
  %3 = load %struct.RuntimeContext.2510*, %struct.RuntimeContext.2510** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.2510, %struct.RuntimeContext.2510* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.2509*, %struct.LLVMRuntime.2509** %4, align 8
  ret %struct.LLVMRuntime.2509* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.2512* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.2512* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.2512* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.2512* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.2512* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.2512* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.2512* noundef %0, void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)*, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)* %1, void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)*, void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)* %5, void (%struct.PhysicalCoordinates.0.2511*, %struct.PhysicalCoordinates.0.2511*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.2512* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.2512* noundef %0, %struct.RuntimeContext.2510* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2512*, align 8
  %4 = alloca %struct.RuntimeContext.2510*, align 8
  store %struct.StructMeta.2512* %0, %struct.StructMeta.2512** %3, align 8
  store %struct.RuntimeContext.2510* %1, %struct.RuntimeContext.2510** %4, align 8
  %5 = load %struct.RuntimeContext.2510*, %struct.RuntimeContext.2510** %4, align 8
  %6 = load %struct.StructMeta.2512*, %struct.StructMeta.2512** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 8
  store %struct.RuntimeContext.2510* %5, %struct.RuntimeContext.2510** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2509* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.2509*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.2509* %0, %struct.LLVMRuntime.2509** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.2509*, %struct.LLVMRuntime.2509** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.2509, %struct.LLVMRuntime.2509* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.2510* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.2510*, i8*)* noundef %3, void (%struct.RuntimeContext.2510*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.2510*, i8*)* noundef %5, i64 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.2510*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.2510*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.2510*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.2510*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.2510* %0, %struct.RuntimeContext.2510** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.2510*, i8*)* %3, void (%struct.RuntimeContext.2510*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.2510*, i8*, i32)* %4, void (%struct.RuntimeContext.2510*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.2510*, i8*)* %5, void (%struct.RuntimeContext.2510*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.2510*, i8*)*, void (%struct.RuntimeContext.2510*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.2510*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.2510*, i8*)*, void (%struct.RuntimeContext.2510*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.2510*, %struct.RuntimeContext.2510** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.2510* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.2510*, i8*, i32)*, void (%struct.RuntimeContext.2510*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.2510*, %struct.RuntimeContext.2510** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.2510* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.2510*, i8*)*, void (%struct.RuntimeContext.2510*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.2510*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.2510*, i8*)*, void (%struct.RuntimeContext.2510*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.2510*, %struct.RuntimeContext.2510** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.2510* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.2513* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.DenseMeta.2513*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.2513* %0, %struct.DenseMeta.2513** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.2513*, %struct.DenseMeta.2513** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.2513, %struct.DenseMeta.2513* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.2512*
  %7 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.2512*
  %10 = getelementptr inbounds %struct.StructMeta.2512, %struct.StructMeta.2512* %9, i32 0, i32 1
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

!0 = !{void (%struct.RuntimeContext.2510*)* @get_c226_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.2510*)* @get_c226_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.2510*)* @get_c226_0_kernel_0_range_for, !"minctasm", i32 2}
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
