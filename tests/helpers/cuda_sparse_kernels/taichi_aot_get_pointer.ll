; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%0 = type { [16 x i64], [16 x i8*] }
%1 = type { [1 x i32], [16 x %S9_ch.14] }
%2 = type { { i32, i32 }, i8* }
%3 = type { [1048576 x i64], [1048576 x i8*] }
%4 = type { [4 x i64], [4 x i8*] }
%struct.RuntimeContext.8 = type { i8*, %struct.LLVMRuntime.7*, i32, i64* }
%struct.LLVMRuntime.7 = type { %struct.PreallocatedMemoryChunk.2, %struct.PreallocatedMemoryChunk.2, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.3*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.4*], [1024 x %struct.NodeManager.5*], [1024 x i8*], i8*, %struct.RandState.6*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.2 = type { i8*, i8*, i64 }
%struct.__va_list_tag.3 = type { i32, i32, i8*, i8* }
%struct.ListManager.4 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.7* }
%struct.NodeManager.5 = type <{ %struct.LLVMRuntime.7*, i32, i32, i32, i32, %struct.ListManager.4*, %struct.ListManager.4*, %struct.ListManager.4*, i32, [4 x i8] }>
%struct.RandState.6 = type { i32, i32, i32, i32, i32 }
%struct.PointerMeta.13 = type <{ %struct.StructMeta.10, i8, [7 x i8] }>
%struct.StructMeta.10 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)*, %struct.RuntimeContext.8* }
%struct.PhysicalCoordinates.1.9 = type { [12 x i32] }
%struct.DenseMeta.12 = type <{ %struct.StructMeta.10, i32, [4 x i8] }>
%S0_ch.18 = type { %0, %4, %1, [3 x %S11_ch.15], %3, [7 x %S17_ch.16], [4 x %S23_ch.17], %4 }
%S9_ch.14 = type { i1 }
%S11_ch.15 = type { %2 }
%S17_ch.16 = type { i64 }
%S23_ch.17 = type { i32 }
%S2_ch.19 = type { float }
%S1_ch = type { [4 x %S2_ch.19] }

define void @get_c84_0_kernel_0_range_for(%struct.RuntimeContext.8* byval(%struct.RuntimeContext.8) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.8* %context, i32 0, i32 64, void (%struct.RuntimeContext.8*, i8*)* null, void (%struct.RuntimeContext.8*, i8*, i32)* @function_body, void (%struct.RuntimeContext.8*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.8* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.PointerMeta.13, align 8
  %5 = alloca %struct.DenseMeta.12, align 8
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %6 = load i32, i32* %3, align 4
  %7 = sdiv i32 %6, 8
  %8 = icmp slt i32 %6, 0
  %9 = shl i32 %7, 3
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
  %21 = shl i32 %20, 3
  %22 = sub i32 %6, %21
  %23 = call %struct.LLVMRuntime.7* @RuntimeContext_get_runtime(%struct.RuntimeContext.8* %0)
  %24 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.7* %23, i32 1)
  %25 = bitcast i8* %24 to %S0_ch.18*
  %26 = getelementptr %S0_ch.18, %S0_ch.18* %25, i32 0
  %27 = bitcast %S0_ch.18* %26 to i8*
  %28 = call i8* @get_ch_S0_to_S1(i8* %27)
  %29 = bitcast i8* %28 to %0*
  %30 = lshr i32 %20, 1
  %31 = lshr i32 %22, 1
  %32 = shl i32 %30, 2
  %33 = add i32 %31, %32
  %34 = bitcast %struct.PointerMeta.13* %4 to %struct.StructMeta.10*
  call void @StructMeta_set_snode_id(%struct.StructMeta.10* %34, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.10* %34, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.10* %34, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.10* %34, %struct.RuntimeContext.8* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.10* %34, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.10* %34, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.10* %34, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.10* %34, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.10* %34, void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)* @S1_refine_coordinates)
  %35 = bitcast %struct.PointerMeta.13* %4 to i8*
  %36 = bitcast %0* %29 to i8*
  %37 = call i8* @Pointer_lookup_element(i8* %35, i8* %36, i32 %33)
  %38 = call i8* @get_ch_S1_to_S2(i8* %37)
  %39 = bitcast i8* %38 to [4 x %S2_ch.19]*
  %40 = and i32 %20, 1
  %41 = and i32 %22, 1
  %42 = shl i32 %40, 1
  %43 = add i32 %41, %42
  %44 = bitcast %struct.DenseMeta.12* %5 to %struct.StructMeta.10*
  call void @StructMeta_set_snode_id(%struct.StructMeta.10* %44, i32 2)
  call void @StructMeta_set_element_size(%struct.StructMeta.10* %44, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.10* %44, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.10* %44, %struct.RuntimeContext.8* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.10* %44, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.10* %44, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.10* %44, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.10* %44, i8* (i8*)* @get_ch_S1_to_S2)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.10* %44, void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)* @S2_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.12* %5, i32 0)
  %45 = bitcast %struct.DenseMeta.12* %5 to i8*
  %46 = bitcast [4 x %S2_ch.19]* %39 to i8*
  %47 = call i8* @Dense_lookup_element(i8* %45, i8* %46, i32 %43)
  %48 = call i8* @get_ch_S2_to_S3(i8* %47)
  %49 = bitcast i8* %48 to float*
  %50 = call reassoc ninf nsz float @llvm.nvvm.ldg.global.f.f32.p0f32(float* %49, i32 32)
  %51 = getelementptr %struct.RuntimeContext.8, %struct.RuntimeContext.8* %0, i32 0, i32 0
  %52 = bitcast i8** %51 to { { { i32, i32 }, float* } }**
  %53 = load { { { i32, i32 }, float* } }*, { { { i32, i32 }, float* } }** %52, align 8
  %54 = getelementptr { { { i32, i32 }, float* } }, { { { i32, i32 }, float* } }* %53, i32 0, i32 0
  %55 = getelementptr { { i32, i32 }, float* }, { { i32, i32 }, float* }* %54, i32 0, i32 1
  %56 = load float*, float** %55, align 8
  %57 = getelementptr { { i32, i32 }, float* }, { { i32, i32 }, float* }* %54, i32 0, i32 0, i32 0
  %58 = load i32, i32* %57, align 4
  %59 = getelementptr { { i32, i32 }, float* }, { { i32, i32 }, float* }* %54, i32 0, i32 0, i32 1
  %60 = load i32, i32* %59, align 4
  %61 = mul i32 0, %58
  %62 = add i32 %61, %20
  %63 = mul i32 %62, %60
  %64 = add i32 %63, %22
  %65 = getelementptr float, float* %56, i32 %64
  store float %50, float* %65, align 4
  br label %final
}

; Function Attrs: argmemonly nocallback nounwind readonly
declare float @llvm.nvvm.ldg.global.f.f32.p0f32(float* nocapture, i32) #0

define internal void @S1_refine_coordinates(%struct.PhysicalCoordinates.1.9* %0, %struct.PhysicalCoordinates.1.9* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 16
  %4 = udiv i32 %3, 4
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 4
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 1)
  %11 = mul i32 %10, 4
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S1(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.18*
  %getch = getelementptr %S0_ch.18, %S0_ch.18* %1, i32 0, i32 0
  %2 = bitcast %0* %getch to i8*
  ret i8* %2
}

define internal void @S2_refine_coordinates(%struct.PhysicalCoordinates.1.9* %0, %struct.PhysicalCoordinates.1.9* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 0)
  %6 = mul i32 %5, 2
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S1_to_S2(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S1_ch*
  %getch = getelementptr %S1_ch, %S1_ch* %1, i32 0, i32 0
  %2 = bitcast [4 x %S2_ch.19]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S2_to_S3(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S2_ch.19*
  %getch = getelementptr %S2_ch.19, %S2_ch.19* %1, i32 0, i32 0
  %2 = bitcast float* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.9* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.1.9*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.9* %0, %struct.PhysicalCoordinates.1.9** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.1.9, %struct.PhysicalCoordinates.1.9* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.9* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.1.9*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.9* %0, %struct.PhysicalCoordinates.1.9** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.1.9, %struct.PhysicalCoordinates.1.9* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.7* @RuntimeContext_get_runtime(%struct.RuntimeContext.8* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.8*, align 8
  store %struct.RuntimeContext.8* %0, %struct.RuntimeContext.8** %2, align 8
  %3 = load %struct.RuntimeContext.8*, %struct.RuntimeContext.8** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.8, %struct.RuntimeContext.8* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.7*, %struct.LLVMRuntime.7** %4, align 8
  ret %struct.LLVMRuntime.7* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.10* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.10* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.10* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.10* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.10* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.10* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.10* noundef %0, void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)*, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)* %1, void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)*, void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)** %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)* %5, void (%struct.PhysicalCoordinates.1.9*, %struct.PhysicalCoordinates.1.9*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.10* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.10* noundef %0, %struct.RuntimeContext.8* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.10*, align 8
  %4 = alloca %struct.RuntimeContext.8*, align 8
  store %struct.StructMeta.10* %0, %struct.StructMeta.10** %3, align 8
  store %struct.RuntimeContext.8* %1, %struct.RuntimeContext.8** %4, align 8
  %5 = load %struct.RuntimeContext.8*, %struct.RuntimeContext.8** %4, align 8
  %6 = load %struct.StructMeta.10*, %struct.StructMeta.10** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 8
  store %struct.RuntimeContext.8* %5, %struct.RuntimeContext.8** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.7* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.7*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.7* %0, %struct.LLVMRuntime.7** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.7*, %struct.LLVMRuntime.7** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.7, %struct.LLVMRuntime.7* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.8* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.8*, i8*)* noundef %3, void (%struct.RuntimeContext.8*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.8*, i8*)* noundef %5, i64 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.8*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.8*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.8*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.8*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.8* %0, %struct.RuntimeContext.8** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.8*, i8*)* %3, void (%struct.RuntimeContext.8*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.8*, i8*, i32)* %4, void (%struct.RuntimeContext.8*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.8*, i8*)* %5, void (%struct.RuntimeContext.8*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.8*, i8*)*, void (%struct.RuntimeContext.8*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.8*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.8*, i8*)*, void (%struct.RuntimeContext.8*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.8*, %struct.RuntimeContext.8** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.8* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.8*, i8*, i32)*, void (%struct.RuntimeContext.8*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.8*, %struct.RuntimeContext.8** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.8* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.8*, i8*)*, void (%struct.RuntimeContext.8*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.8*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.8*, i8*)*, void (%struct.RuntimeContext.8*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.8*, %struct.RuntimeContext.8** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.8* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.12* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.DenseMeta.12*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.12* %0, %struct.DenseMeta.12** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.12*, %struct.DenseMeta.12** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.12, %struct.DenseMeta.12* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.10*
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.10*
  %10 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Pointer_get_num_elements(i8* noundef %0, i8* noundef %1) #1 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.10*
  %7 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %6, i32 0, i32 2
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
  %9 = alloca %struct.StructMeta.10*, align 8
  %10 = alloca %struct.RuntimeContext.8*, align 8
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
  %27 = bitcast i8* %26 to %struct.StructMeta.10*
  store %struct.StructMeta.10* %27, %struct.StructMeta.10** %9, align 8
  %28 = load %struct.StructMeta.10*, %struct.StructMeta.10** %9, align 8
  %29 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %28, i32 0, i32 8
  %30 = load %struct.RuntimeContext.8*, %struct.RuntimeContext.8** %29, align 8
  store %struct.RuntimeContext.8* %30, %struct.RuntimeContext.8** %10, align 8
  %31 = load %struct.RuntimeContext.8*, %struct.RuntimeContext.8** %10, align 8
  %32 = getelementptr inbounds %struct.RuntimeContext.8, %struct.RuntimeContext.8* %31, i32 0, i32 1
  %33 = load %struct.LLVMRuntime.7*, %struct.LLVMRuntime.7** %32, align 8
  %34 = getelementptr inbounds %struct.LLVMRuntime.7, %struct.LLVMRuntime.7* %33, i32 0, i32 13
  %35 = load %struct.StructMeta.10*, %struct.StructMeta.10** %9, align 8
  %36 = getelementptr inbounds %struct.StructMeta.10, %struct.StructMeta.10* %35, i32 0, i32 0
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

attributes #0 = { argmemonly nocallback nounwind readonly }
attributes #1 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nocallback nofree nosync nounwind willreturn }
attributes #3 = { nocallback nofree nosync nounwind readnone speculatable willreturn }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext.8*)* @get_c84_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.8*)* @get_c84_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.8*)* @get_c84_0_kernel_0_range_for, !"minctasm", i32 2}
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
