; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.47 = type { i8*, %struct.LLVMRuntime.46*, i32, i64* }
%struct.LLVMRuntime.46 = type { %struct.PreallocatedMemoryChunk.41, %struct.PreallocatedMemoryChunk.41, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.42*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.43*], [1024 x %struct.NodeManager.44*], [1024 x i8*], i8*, %struct.RandState.45*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.41 = type { i8*, i8*, i64 }
%struct.__va_list_tag.42 = type { i32, i32, i8*, i8* }
%struct.ListManager.43 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.46* }
%struct.NodeManager.44 = type <{ %struct.LLVMRuntime.46*, i32, i32, i32, i32, %struct.ListManager.43*, %struct.ListManager.43*, %struct.ListManager.43*, i32, [4 x i8] }>
%struct.RandState.45 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.50 = type <{ %struct.StructMeta.49, i32, [4 x i8] }>
%struct.StructMeta.49 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)*, %struct.RuntimeContext.47* }
%struct.PhysicalCoordinates.0.48 = type { [12 x i32] }
%S0_ch.53 = type { [16 x %S1_ch.51], [1 x %S5_ch.52] }
%S1_ch.51 = type { float, float, float }
%S5_ch.52 = type { i32 }

define void @accelerate_c80_0_kernel_0_range_for(%struct.RuntimeContext.47* byval(%struct.RuntimeContext.47) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.47* %context, i32 0, i32 16, void (%struct.RuntimeContext.47*, i8*)* null, void (%struct.RuntimeContext.47*, i8*, i32)* @function_body, void (%struct.RuntimeContext.47*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.47* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.50, align 8
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %5 = load i32, i32* %3, align 4
  %6 = lshr i32 %5, 2
  %7 = and i32 %5, 3
  %8 = getelementptr %struct.RuntimeContext.47, %struct.RuntimeContext.47* %0, i32 0, i32 0
  %9 = bitcast i8** %8 to { float }**
  %10 = load { float }*, { float }** %9, align 8
  %11 = getelementptr { float }, { float }* %10, i32 0, i32 0
  %12 = load float, float* %11, align 4
  %neg = fneg reassoc ninf nsz float %12
  %13 = call %struct.LLVMRuntime.46* @RuntimeContext_get_runtime(%struct.RuntimeContext.47* %0)
  %14 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.46* %13, i32 0)
  %15 = bitcast i8* %14 to %S0_ch.53*
  %16 = getelementptr %S0_ch.53, %S0_ch.53* %15, i32 0
  %17 = bitcast %S0_ch.53* %16 to i8*
  %18 = call i8* @get_ch_S0_to_S1(i8* %17)
  %19 = bitcast i8* %18 to [16 x %S1_ch.51]*
  %20 = shl i32 %6, 2
  %21 = add i32 %7, %20
  %22 = bitcast %struct.DenseMeta.50* %4 to %struct.StructMeta.49*
  call void @StructMeta_set_snode_id(%struct.StructMeta.49* %22, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta.49* %22, i64 12)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.49* %22, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta.49* %22, %struct.RuntimeContext.47* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.49* %22, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.49* %22, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.49* %22, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.49* %22, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.49* %22, void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)* @S1_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.50* %4, i32 0)
  %23 = bitcast %struct.DenseMeta.50* %4 to i8*
  %24 = bitcast [16 x %S1_ch.51]* %19 to i8*
  %25 = call i8* @Dense_lookup_element(i8* %23, i8* %24, i32 %21)
  %26 = call i8* @get_ch_S1_to_S3(i8* %25)
  %27 = bitcast i8* %26 to float*
  %28 = load float, float* %27, align 4
  %29 = fadd reassoc ninf nsz float %28, %neg
  store float %29, float* %27, align 4
  br label %final
}

define void @accelerate_c80_0_kernel_1_serial(%struct.RuntimeContext.47* byval(%struct.RuntimeContext.47) %context) {
entry:
  %0 = alloca %struct.DenseMeta.50, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %1 = call %struct.LLVMRuntime.46* @RuntimeContext_get_runtime(%struct.RuntimeContext.47* %context)
  %2 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.46* %1, i32 0)
  %3 = bitcast i8* %2 to %S0_ch.53*
  %4 = getelementptr %S0_ch.53, %S0_ch.53* %3, i32 0
  %5 = bitcast %S0_ch.53* %4 to i8*
  %6 = call i8* @get_ch_S0_to_S5(i8* %5)
  %7 = bitcast i8* %6 to [1 x %S5_ch.52]*
  %8 = bitcast %struct.DenseMeta.50* %0 to %struct.StructMeta.49*
  call void @StructMeta_set_snode_id(%struct.StructMeta.49* %8, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.49* %8, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.49* %8, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.49* %8, %struct.RuntimeContext.47* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.49* %8, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.49* %8, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.49* %8, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.49* %8, i8* (i8*)* @get_ch_S0_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.49* %8, void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)* @S5_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.50* %0, i32 0)
  %9 = bitcast %struct.DenseMeta.50* %0 to i8*
  %10 = bitcast [1 x %S5_ch.52]* %7 to i8*
  %11 = call i8* @Dense_lookup_element(i8* %9, i8* %10, i32 0)
  %12 = call i8* @get_ch_S5_to_S6(i8* %11)
  %13 = bitcast i8* %12 to i32*
  %14 = load i32, i32* %13, align 4
  %15 = add i32 %14, 1
  store i32 %15, i32* %13, align 4
  br label %final
}

define internal void @S1_refine_coordinates(%struct.PhysicalCoordinates.0.48* %0, %struct.PhysicalCoordinates.0.48* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 16
  %4 = udiv i32 %3, 4
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 4
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 1)
  %11 = mul i32 %10, 4
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S1(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.53*
  %getch = getelementptr %S0_ch.53, %S0_ch.53* %1, i32 0, i32 0
  %2 = bitcast [16 x %S1_ch.51]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S1_to_S3(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S1_ch.51*
  %getch = getelementptr %S1_ch.51, %S1_ch.51* %1, i32 0, i32 1
  %2 = bitcast float* %getch to i8*
  ret i8* %2
}

define internal void @S5_refine_coordinates(%struct.PhysicalCoordinates.0.48* %0, %struct.PhysicalCoordinates.0.48* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 0, i32 %5)
  %6 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 1)
  %7 = mul i32 %6, 1
  %8 = add i32 %7, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 1, i32 %8)
  %9 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 2)
  %10 = mul i32 %9, 1
  %11 = add i32 %10, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 2, i32 %11)
  %12 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 3)
  %13 = mul i32 %12, 1
  %14 = add i32 %13, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 3, i32 %14)
  %15 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 4)
  %16 = mul i32 %15, 1
  %17 = add i32 %16, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 4, i32 %17)
  %18 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 5)
  %19 = mul i32 %18, 1
  %20 = add i32 %19, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 5, i32 %20)
  %21 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 6)
  %22 = mul i32 %21, 1
  %23 = add i32 %22, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 6, i32 %23)
  %24 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 7)
  %25 = mul i32 %24, 1
  %26 = add i32 %25, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 7, i32 %26)
  %27 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 8)
  %28 = mul i32 %27, 1
  %29 = add i32 %28, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 8, i32 %29)
  %30 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 9)
  %31 = mul i32 %30, 1
  %32 = add i32 %31, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 9, i32 %32)
  %33 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 10)
  %34 = mul i32 %33, 1
  %35 = add i32 %34, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 10, i32 %35)
  %36 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* %0, i32 11)
  %37 = mul i32 %36, 1
  %38 = add i32 %37, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* %1, i32 11, i32 %38)
  ret void
}

define internal i8* @get_ch_S0_to_S5(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.53*
  %getch = getelementptr %S0_ch.53, %S0_ch.53* %1, i32 0, i32 1
  %2 = bitcast [1 x %S5_ch.52]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S5_to_S6(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S5_ch.52*
  %getch = getelementptr %S5_ch.52, %S5_ch.52* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.48* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.0.48*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.48* %0, %struct.PhysicalCoordinates.0.48** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.48, %struct.PhysicalCoordinates.0.48* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.48* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.0.48*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.48* %0, %struct.PhysicalCoordinates.0.48** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.48, %struct.PhysicalCoordinates.0.48* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.46* @RuntimeContext_get_runtime(%struct.RuntimeContext.47* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.47*, align 8
  store %struct.RuntimeContext.47* %0, %struct.RuntimeContext.47** %2, align 8
  %3 = load %struct.RuntimeContext.47*, %struct.RuntimeContext.47** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.47, %struct.RuntimeContext.47* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.46*, %struct.LLVMRuntime.46** %4, align 8
  ret %struct.LLVMRuntime.46* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.49* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.49* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.49* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.49* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.49* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.49* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.49* noundef %0, void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)*, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)* %1, void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)*, void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)** %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)* %5, void (%struct.PhysicalCoordinates.0.48*, %struct.PhysicalCoordinates.0.48*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.49* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.49* noundef %0, %struct.RuntimeContext.47* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.49*, align 8
  %4 = alloca %struct.RuntimeContext.47*, align 8
  store %struct.StructMeta.49* %0, %struct.StructMeta.49** %3, align 8
  store %struct.RuntimeContext.47* %1, %struct.RuntimeContext.47** %4, align 8
  %5 = load %struct.RuntimeContext.47*, %struct.RuntimeContext.47** %4, align 8
  %6 = load %struct.StructMeta.49*, %struct.StructMeta.49** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 8
  store %struct.RuntimeContext.47* %5, %struct.RuntimeContext.47** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.46* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.46*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.46* %0, %struct.LLVMRuntime.46** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.46*, %struct.LLVMRuntime.46** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.46, %struct.LLVMRuntime.46* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.47* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.47*, i8*)* noundef %3, void (%struct.RuntimeContext.47*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.47*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext.47*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.47*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.47*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.47*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.47* %0, %struct.RuntimeContext.47** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.47*, i8*)* %3, void (%struct.RuntimeContext.47*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.47*, i8*, i32)* %4, void (%struct.RuntimeContext.47*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.47*, i8*)* %5, void (%struct.RuntimeContext.47*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.47*, i8*)*, void (%struct.RuntimeContext.47*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.47*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.47*, i8*)*, void (%struct.RuntimeContext.47*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.47*, %struct.RuntimeContext.47** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.47* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.47*, i8*, i32)*, void (%struct.RuntimeContext.47*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.47*, %struct.RuntimeContext.47** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.47* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !17

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.47*, i8*)*, void (%struct.RuntimeContext.47*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.47*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.47*, i8*)*, void (%struct.RuntimeContext.47*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.47*, %struct.RuntimeContext.47** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.47* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.50* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.50*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.50* %0, %struct.DenseMeta.50** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.50*, %struct.DenseMeta.50** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.50, %struct.DenseMeta.50* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.49*
  %7 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.49*
  %10 = getelementptr inbounds %struct.StructMeta.49, %struct.StructMeta.49* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

attributes #0 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn }
attributes #2 = { nocallback nofree nosync nounwind readnone speculatable willreturn }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !6, !8, !8, !8, !8, !9, !9, !8}
!llvm.ident = !{!10}
!nvvmir.version = !{!11}
!llvm.module.flags = !{!12, !13, !14, !15, !16}

!0 = !{void (%struct.RuntimeContext.47*)* @accelerate_c80_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.47*)* @accelerate_c80_0_kernel_0_range_for, !"maxntidx", i32 16}
!2 = !{void (%struct.RuntimeContext.47*)* @accelerate_c80_0_kernel_0_range_for, !"minctasm", i32 2}
!3 = !{void (%struct.RuntimeContext.47*)* @accelerate_c80_0_kernel_1_serial, !"kernel", i32 1}
!4 = !{void (%struct.RuntimeContext.47*)* @accelerate_c80_0_kernel_1_serial, !"maxntidx", i32 1}
!5 = !{void (%struct.RuntimeContext.47*)* @accelerate_c80_0_kernel_1_serial, !"minctasm", i32 2}
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
