; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.585 = type { i8*, %struct.LLVMRuntime.584*, i32, i64* }
%struct.LLVMRuntime.584 = type { %struct.PreallocatedMemoryChunk.579, %struct.PreallocatedMemoryChunk.579, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.580*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.581*], [1024 x %struct.NodeManager.582*], [1024 x i8*], i8*, %struct.RandState.583*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.579 = type { i8*, i8*, i64 }
%struct.__va_list_tag.580 = type { i32, i32, i8*, i8* }
%struct.ListManager.581 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.584* }
%struct.NodeManager.582 = type <{ %struct.LLVMRuntime.584*, i32, i32, i32, i32, %struct.ListManager.581*, %struct.ListManager.581*, %struct.ListManager.581*, i32, [4 x i8] }>
%struct.RandState.583 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.588 = type <{ %struct.StructMeta.587, i32, [4 x i8] }>
%struct.StructMeta.587 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)*, %struct.RuntimeContext.585* }
%struct.PhysicalCoordinates.0.586 = type { [12 x i32] }
%S0_ch.613 = type { [8 x %S1_ch.589], [8 x %S3_ch.590], [8 x %S6_ch.591], [8 x %S8_ch.592], [8 x %S11_ch.593], [8 x %S13_ch.594], [8 x %S16_ch.595], [8 x %S18_ch.596], [8 x %S21_ch.597], [8 x %S23_ch.598], [8 x %S26_ch.599], [8 x %S28_ch.600], [8 x %S31_ch.601], [8 x %S33_ch.602], [8 x %S36_ch.603], [8 x %S38_ch.604], [8 x %S16_ch.595], [8 x %S18_ch.596], [8 x %S21_ch.597], [8 x %S23_ch.598], [8 x %S26_ch.599], [8 x %S28_ch.600], [8 x %S31_ch.601], [8 x %S33_ch.602], [8 x %S61_ch.605], [1 x %S70_ch.606], [1 x %S31_ch.601], [24 x %S26_ch.599], [24 x %S26_ch.599], [24 x %S26_ch.599], [24 x %S26_ch.599], [96 x %S26_ch.599], [4 x %S91_ch.607], [4 x %S11_ch.593], [4 x %S11_ch.593], [6 x %S99_ch.608], [3 x %S105_ch.610], [6 x %S109_ch.612] }
%S1_ch.589 = type { half }
%S3_ch.590 = type { half, half }
%S6_ch.591 = type { float }
%S8_ch.592 = type { float, float }
%S11_ch.593 = type { double }
%S13_ch.594 = type { double, double }
%S36_ch.603 = type { i1 }
%S38_ch.604 = type { i1, i1 }
%S16_ch.595 = type { i8 }
%S18_ch.596 = type { i8, i8 }
%S21_ch.597 = type { i16 }
%S23_ch.598 = type { i16, i16 }
%S26_ch.599 = type { i32 }
%S28_ch.600 = type { i32, i32 }
%S31_ch.601 = type { i64 }
%S33_ch.602 = type { i64, i64 }
%S61_ch.605 = type { half, half, half, half, half, half, half, half }
%S70_ch.606 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.607 = type { i32, i32, i32 }
%S99_ch.608 = type { double, double, double, double, i64 }
%S105_ch.610 = type { [4 x %S106_ch.609] }
%S106_ch.609 = type { [4 x %S26_ch.599] }
%S109_ch.612 = type { [8 x %S110_ch.611] }
%S110_ch.611 = type { i32, i32, i32, i32 }

define void @put_c116_0_kernel_0_range_for(%struct.RuntimeContext.585* byval(%struct.RuntimeContext.585) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.585* %context, i32 0, i32 8, void (%struct.RuntimeContext.585*, i8*)* null, void (%struct.RuntimeContext.585*, i8*, i32)* @function_body, void (%struct.RuntimeContext.585*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.585* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.588, align 8
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %5 = load i32, i32* %3, align 4
  %6 = sdiv i32 %5, 2
  %7 = icmp slt i32 %5, 0
  %8 = shl i32 %6, 1
  %9 = icmp ne i1 %7, false
  %10 = icmp ne i32 %5, 0
  %11 = icmp ne i32 %8, %5
  %12 = icmp ne i1 %9, false
  %13 = icmp ne i1 %10, false
  %14 = and i1 %12, %13
  %15 = icmp ne i1 %14, false
  %16 = icmp ne i1 %11, false
  %17 = and i1 %15, %16
  %18 = zext i1 %17 to i32
  %19 = sub i32 %6, %18
  %20 = shl i32 %19, 1
  %21 = sub i32 %5, %20
  %22 = getelementptr %struct.RuntimeContext.585, %struct.RuntimeContext.585* %0, i32 0, i32 0
  %23 = bitcast i8** %22 to { { { i32, i32 }, i16* } }**
  %24 = load { { { i32, i32 }, i16* } }*, { { { i32, i32 }, i16* } }** %23, align 8
  %25 = getelementptr { { { i32, i32 }, i16* } }, { { { i32, i32 }, i16* } }* %24, i32 0, i32 0
  %26 = getelementptr { { i32, i32 }, i16* }, { { i32, i32 }, i16* }* %25, i32 0, i32 1
  %27 = load i16*, i16** %26, align 8
  %28 = getelementptr { { i32, i32 }, i16* }, { { i32, i32 }, i16* }* %25, i32 0, i32 0, i32 0
  %29 = load i32, i32* %28, align 4
  %30 = getelementptr { { i32, i32 }, i16* }, { { i32, i32 }, i16* }* %25, i32 0, i32 0, i32 1
  %31 = load i32, i32* %30, align 4
  %32 = mul i32 0, %29
  %33 = add i32 %32, %19
  %34 = mul i32 %33, %31
  %35 = add i32 %34, %21
  %36 = getelementptr i16, i16* %27, i32 %35
  %37 = load i16, i16* %36, align 2
  %38 = call %struct.LLVMRuntime.584* @RuntimeContext_get_runtime(%struct.RuntimeContext.585* %0)
  %39 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.584* %38, i32 0)
  %40 = bitcast i8* %39 to %S0_ch.613*
  %41 = getelementptr %S0_ch.613, %S0_ch.613* %40, i32 0
  %42 = bitcast %S0_ch.613* %41 to i8*
  %43 = call i8* @get_ch_S0_to_S21(i8* %42)
  %44 = bitcast i8* %43 to [8 x %S21_ch.597]*
  %45 = add i32 %21, %20
  %46 = bitcast %struct.DenseMeta.588* %4 to %struct.StructMeta.587*
  call void @StructMeta_set_snode_id(%struct.StructMeta.587* %46, i32 21)
  call void @StructMeta_set_element_size(%struct.StructMeta.587* %46, i64 2)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.587* %46, i64 8)
  call void @StructMeta_set_context(%struct.StructMeta.587* %46, %struct.RuntimeContext.585* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.587* %46, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.587* %46, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.587* %46, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.587* %46, i8* (i8*)* @get_ch_S0_to_S21)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.587* %46, void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)* @S21_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.588* %4, i32 0)
  %47 = bitcast %struct.DenseMeta.588* %4 to i8*
  %48 = bitcast [8 x %S21_ch.597]* %44 to i8*
  %49 = call i8* @Dense_lookup_element(i8* %47, i8* %48, i32 %45)
  %50 = call i8* @get_ch_S21_to_S22(i8* %49)
  %51 = bitcast i8* %50 to i16*
  store i16 %37, i16* %51, align 2
  br label %final
}

define internal void @S21_refine_coordinates(%struct.PhysicalCoordinates.0.586* %0, %struct.PhysicalCoordinates.0.586* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 8
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S21(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.613*
  %getch = getelementptr %S0_ch.613, %S0_ch.613* %1, i32 0, i32 8
  %2 = bitcast [8 x %S21_ch.597]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S21_to_S22(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S21_ch.597*
  %getch = getelementptr %S21_ch.597, %S21_ch.597* %1, i32 0, i32 0
  %2 = bitcast i16* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.586* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.0.586*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.586* %0, %struct.PhysicalCoordinates.0.586** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.586, %struct.PhysicalCoordinates.0.586* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.586* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.0.586*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.586* %0, %struct.PhysicalCoordinates.0.586** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.586, %struct.PhysicalCoordinates.0.586* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.584* @RuntimeContext_get_runtime(%struct.RuntimeContext.585* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.585*, align 8
  store %struct.RuntimeContext.585* %0, %struct.RuntimeContext.585** %2, align 8
  %3 = load %struct.RuntimeContext.585*, %struct.RuntimeContext.585** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.585, %struct.RuntimeContext.585* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.584*, %struct.LLVMRuntime.584** %4, align 8
  ret %struct.LLVMRuntime.584* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.587* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.587* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.587* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.587* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.587* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.587* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.587* noundef %0, void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)*, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)* %1, void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)*, void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)** %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)* %5, void (%struct.PhysicalCoordinates.0.586*, %struct.PhysicalCoordinates.0.586*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.587* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.587* noundef %0, %struct.RuntimeContext.585* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.587*, align 8
  %4 = alloca %struct.RuntimeContext.585*, align 8
  store %struct.StructMeta.587* %0, %struct.StructMeta.587** %3, align 8
  store %struct.RuntimeContext.585* %1, %struct.RuntimeContext.585** %4, align 8
  %5 = load %struct.RuntimeContext.585*, %struct.RuntimeContext.585** %4, align 8
  %6 = load %struct.StructMeta.587*, %struct.StructMeta.587** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 8
  store %struct.RuntimeContext.585* %5, %struct.RuntimeContext.585** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.584* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.584*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.584* %0, %struct.LLVMRuntime.584** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.584*, %struct.LLVMRuntime.584** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.584, %struct.LLVMRuntime.584* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.585* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.585*, i8*)* noundef %3, void (%struct.RuntimeContext.585*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.585*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext.585*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.585*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.585*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.585*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.585* %0, %struct.RuntimeContext.585** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.585*, i8*)* %3, void (%struct.RuntimeContext.585*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.585*, i8*, i32)* %4, void (%struct.RuntimeContext.585*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.585*, i8*)* %5, void (%struct.RuntimeContext.585*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.585*, i8*)*, void (%struct.RuntimeContext.585*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.585*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.585*, i8*)*, void (%struct.RuntimeContext.585*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.585*, %struct.RuntimeContext.585** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.585* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.585*, i8*, i32)*, void (%struct.RuntimeContext.585*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.585*, %struct.RuntimeContext.585** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.585* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.585*, i8*)*, void (%struct.RuntimeContext.585*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.585*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.585*, i8*)*, void (%struct.RuntimeContext.585*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.585*, %struct.RuntimeContext.585** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.585* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.588* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.588*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.588* %0, %struct.DenseMeta.588** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.588*, %struct.DenseMeta.588** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.588, %struct.DenseMeta.588* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.587*
  %7 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.587*
  %10 = getelementptr inbounds %struct.StructMeta.587, %struct.StructMeta.587* %9, i32 0, i32 1
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

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext.585*)* @put_c116_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.585*)* @put_c116_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.585*)* @put_c116_0_kernel_0_range_for, !"minctasm", i32 2}
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
