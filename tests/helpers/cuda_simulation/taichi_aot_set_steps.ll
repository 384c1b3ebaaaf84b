; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.34 = type { i8*, %struct.LLVMRuntime.33*, i32, i64* }
%struct.LLVMRuntime.33 = type { %struct.PreallocatedMemoryChunk.28, %struct.PreallocatedMemoryChunk.28, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.29*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.30*], [1024 x %struct.NodeManager.31*], [1024 x i8*], i8*, %struct.RandState.32*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.28 = type { i8*, i8*, i64 }
%struct.__va_list_tag.29 = type { i32, i32, i8*, i8* }
%struct.ListManager.30 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.33* }
%struct.NodeManager.31 = type <{ %struct.LLVMRuntime.33*, i32, i32, i32, i32, %struct.ListManager.30*, %struct.ListManager.30*, %struct.ListManager.30*, i32, [4 x i8] }>
%struct.RandState.32 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.37 = type <{ %struct.StructMeta.36, i32, [4 x i8] }>
%struct.StructMeta.36 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)*, %struct.RuntimeContext.34* }
%struct.PhysicalCoordinates.0.35 = type { [12 x i32] }
%S0_ch.40 = type { [16 x %S1_ch.38], [1 x %S5_ch.39] }
%S1_ch.38 = type { float, float, float }
%S5_ch.39 = type { i32 }

define void @put_c88_0_kernel_0_serial(%struct.RuntimeContext.34* byval(%struct.RuntimeContext.34) %context) {
entry:
  %0 = alloca %struct.DenseMeta.37, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %1 = getelementptr %struct.RuntimeContext.34, %struct.RuntimeContext.34* %context, i32 0, i32 0
  %2 = bitcast i8** %1 to { { { i32 }, i32* } }**
  %3 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %2, align 8
  %4 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %3, i32 0, i32 0
  %5 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %4, i32 0, i32 1
  %6 = load i32*, i32** %5, align 8
  %7 = getelementptr i32, i32* %6, i32 0
  %8 = load i32, i32* %7, align 4
  %9 = call %struct.LLVMRuntime.33* @RuntimeContext_get_runtime(%struct.RuntimeContext.34* %context)
  %10 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.33* %9, i32 0)
  %11 = bitcast i8* %10 to %S0_ch.40*
  %12 = getelementptr %S0_ch.40, %S0_ch.40* %11, i32 0
  %13 = bitcast %S0_ch.40* %12 to i8*
  %14 = call i8* @get_ch_S0_to_S5(i8* %13)
  %15 = bitcast i8* %14 to [1 x %S5_ch.39]*
  %16 = bitcast %struct.DenseMeta.37* %0 to %struct.StructMeta.36*
  call void @StructMeta_set_snode_id(%struct.StructMeta.36* %16, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.36* %16, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.36* %16, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.36* %16, %struct.RuntimeContext.34* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.36* %16, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.36* %16, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.36* %16, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.36* %16, i8* (i8*)* @get_ch_S0_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.36* %16, void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)* @S5_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.37* %0, i32 0)
  %17 = bitcast %struct.DenseMeta.37* %0 to i8*
  %18 = bitcast [1 x %S5_ch.39]* %15 to i8*
  %19 = call i8* @Dense_lookup_element(i8* %17, i8* %18, i32 0)
  %20 = call i8* @get_ch_S5_to_S6(i8* %19)
  %21 = bitcast i8* %20 to i32*
  store i32 %8, i32* %21, align 4
  br label %final
}

define internal void @S5_refine_coordinates(%struct.PhysicalCoordinates.0.35* %0, %struct.PhysicalCoordinates.0.35* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 0, i32 %5)
  %6 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 1)
  %7 = mul i32 %6, 1
  %8 = add i32 %7, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 1, i32 %8)
  %9 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 2)
  %10 = mul i32 %9, 1
  %11 = add i32 %10, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 2, i32 %11)
  %12 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 3)
  %13 = mul i32 %12, 1
  %14 = add i32 %13, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 3, i32 %14)
  %15 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 4)
  %16 = mul i32 %15, 1
  %17 = add i32 %16, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 4, i32 %17)
  %18 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 5)
  %19 = mul i32 %18, 1
  %20 = add i32 %19, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 5, i32 %20)
  %21 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 6)
  %22 = mul i32 %21, 1
  %23 = add i32 %22, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 6, i32 %23)
  %24 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 7)
  %25 = mul i32 %24, 1
  %26 = add i32 %25, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 7, i32 %26)
  %27 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 8)
  %28 = mul i32 %27, 1
  %29 = add i32 %28, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 8, i32 %29)
  %30 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 9)
  %31 = mul i32 %30, 1
  %32 = add i32 %31, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 9, i32 %32)
  %33 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 10)
  %34 = mul i32 %33, 1
  %35 = add i32 %34, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 10, i32 %35)
  %36 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* %0, i32 11)
  %37 = mul i32 %36, 1
  %38 = add i32 %37, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* %1, i32 11, i32 %38)
  ret void
}

define internal i8* @get_ch_S0_to_S5(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.40*
  %getch = getelementptr %S0_ch.40, %S0_ch.40* %1, i32 0, i32 1
  %2 = bitcast [1 x %S5_ch.39]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S5_to_S6(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S5_ch.39*
  %getch = getelementptr %S5_ch.39, %S5_ch.39* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.35* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.0.35*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.35* %0, %struct.PhysicalCoordinates.0.35** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.35, %struct.PhysicalCoordinates.0.35* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.35* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.0.35*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.35* %0, %struct.PhysicalCoordinates.0.35** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.35, %struct.PhysicalCoordinates.0.35* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.33* @RuntimeContext_get_runtime(%struct.RuntimeContext.34* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.34*, align 8
  store %struct.RuntimeContext.34* %0, %struct.RuntimeContext.34** %2, align 8
  %3 = load %struct.RuntimeContext.34*, %struct.RuntimeContext.34** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.34, %struct.RuntimeContext.34* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.33*, %struct.LLVMRuntime.33** %4, align 8
  ret %struct.LLVMRuntime.33* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.36* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.36* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.36* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.36* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.36* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.36* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.36* noundef %0, void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)*, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)* %1, void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)*, void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)** %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)* %5, void (%struct.PhysicalCoordinates.0.35*, %struct.PhysicalCoordinates.0.35*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.36* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.36* noundef %0, %struct.RuntimeContext.34* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.36*, align 8
  %4 = alloca %struct.RuntimeContext.34*, align 8
  store %struct.StructMeta.36* %0, %struct.StructMeta.36** %3, align 8
  store %struct.RuntimeContext.34* %1, %struct.RuntimeContext.34** %4, align 8
  %5 = load %struct.RuntimeContext.34*, %struct.RuntimeContext.34** %4, align 8
  %6 = load %struct.StructMeta.36*, %struct.StructMeta.36** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 8
  store %struct.RuntimeContext.34* %5, %struct.RuntimeContext.34** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.33* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.33*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.33* %0, %struct.LLVMRuntime.33** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.33*, %struct.LLVMRuntime.33** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.33, %struct.LLVMRuntime.33* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.37* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.37*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.37* %0, %struct.DenseMeta.37** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.37*, %struct.DenseMeta.37** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.37, %struct.DenseMeta.37* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.36*
  %7 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.36*
  %10 = getelementptr inbounds %struct.StructMeta.36, %struct.StructMeta.36* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

attributes #0 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext.34*)* @put_c88_0_kernel_0_serial, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.34*)* @put_c88_0_kernel_0_serial, !"maxntidx", i32 1}
!2 = !{void (%struct.RuntimeContext.34*)* @put_c88_0_kernel_0_serial, !"minctasm", i32 2}
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
