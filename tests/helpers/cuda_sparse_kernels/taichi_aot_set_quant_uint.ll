; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%0 = type { [16 x i64], [16 x i8*] }
%1 = type { [1 x i32], [16 x %S9_ch.170] }
%2 = type { { i32, i32 }, i8* }
%3 = type { [1048576 x i64], [1048576 x i8*] }
%4 = type { [4 x i64], [4 x i8*] }
%struct.RuntimeContext.166 = type { i8*, %struct.LLVMRuntime.165*, i32, i64* }
%struct.LLVMRuntime.165 = type { %struct.PreallocatedMemoryChunk.160, %struct.PreallocatedMemoryChunk.160, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.161*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.162*], [1024 x %struct.NodeManager.163*], [1024 x i8*], i8*, %struct.RandState.164*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.160 = type { i8*, i8*, i64 }
%struct.__va_list_tag.161 = type { i32, i32, i8*, i8* }
%struct.ListManager.162 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.165* }
%struct.NodeManager.163 = type <{ %struct.LLVMRuntime.165*, i32, i32, i32, i32, %struct.ListManager.162*, %struct.ListManager.162*, %struct.ListManager.162*, i32, [4 x i8] }>
%struct.RandState.164 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.169 = type <{ %struct.StructMeta.168, i32, [4 x i8] }>
%struct.StructMeta.168 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)*, %struct.RuntimeContext.166* }
%struct.PhysicalCoordinates.1.167 = type { [12 x i32] }
%S0_ch.174 = type { %0, %4, %1, [3 x %S11_ch.171], %3, [7 x %S17_ch.172], [4 x %S23_ch.173], %4 }
%S9_ch.170 = type { i1 }
%S11_ch.171 = type { %2 }
%S17_ch.172 = type { i64 }
%S23_ch.173 = type { i32 }

define void @put_c106_0_kernel_0_range_for(%struct.RuntimeContext.166* byval(%struct.RuntimeContext.166) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.166* %context, i32 0, i32 7, void (%struct.RuntimeContext.166*, i8*)* null, void (%struct.RuntimeContext.166*, i8*, i32)* @function_body, void (%struct.RuntimeContext.166*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.166* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.169, align 8
  br label %entry

final:                                            ; preds = %function_body
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %5 = load i32, i32* %3, align 4
  %6 = getelementptr %struct.RuntimeContext.166, %struct.RuntimeContext.166* %0, i32 0, i32 0
  %7 = bitcast i8** %6 to { { { i32 }, i32* } }**
  %8 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %7, align 8
  %9 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %8, i32 0, i32 0
  %10 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %9, i32 0, i32 1
  %11 = load i32*, i32** %10, align 8
  %12 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %9, i32 0, i32 0, i32 0
  %13 = load i32, i32* %12, align 4
  %14 = mul i32 0, %13
  %15 = add i32 %14, %5
  %16 = getelementptr i32, i32* %11, i32 %15
  %17 = load i32, i32* %16, align 4
  %18 = call %struct.LLVMRuntime.165* @RuntimeContext_get_runtime(%struct.RuntimeContext.166* %0)
  %19 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.165* %18, i32 1)
  %20 = bitcast i8* %19 to %S0_ch.174*
  %21 = getelementptr %S0_ch.174, %S0_ch.174* %20, i32 0
  %22 = bitcast %S0_ch.174* %21 to i8*
  %23 = call i8* @get_ch_S0_to_S17(i8* %22)
  %24 = bitcast i8* %23 to [7 x %S17_ch.172]*
  %25 = bitcast %struct.DenseMeta.169* %4 to %struct.StructMeta.168*
  call void @StructMeta_set_snode_id(%struct.StructMeta.168* %25, i32 17)
  call void @StructMeta_set_element_size(%struct.StructMeta.168* %25, i64 8)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.168* %25, i64 7)
  call void @StructMeta_set_context(%struct.StructMeta.168* %25, %struct.RuntimeContext.166* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.168* %25, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.168* %25, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.168* %25, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.168* %25, i8* (i8*)* @get_ch_S0_to_S17)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.168* %25, void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)* @S17_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.169* %4, i32 0)
  %26 = bitcast %struct.DenseMeta.169* %4 to i8*
  %27 = bitcast [7 x %S17_ch.172]* %24 to i8*
  %28 = call i8* @Dense_lookup_element(i8* %26, i8* %27, i32 %5)
  %29 = call i8* @get_ch_S17_to_S18(i8* %28)
  %30 = bitcast i8* %29 to i64*
  %31 = and i32 %17, 7
  %32 = zext i32 %31 to i64
  %33 = shl i64 %32, 5
  call void @atomic_set_mask_b64(i64* %30, i64 224, i64 %33)
  br label %final
}

define internal void @S17_refine_coordinates(%struct.PhysicalCoordinates.1.167* %0, %struct.PhysicalCoordinates.1.167* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 7
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 0)
  %6 = mul i32 %5, 7
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S17(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.174*
  %getch = getelementptr %S0_ch.174, %S0_ch.174* %1, i32 0, i32 5
  %2 = bitcast [7 x %S17_ch.172]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S17_to_S18(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S17_ch.172*
  %getch = getelementptr %S17_ch.172, %S17_ch.172* %1, i32 0, i32 0
  %2 = bitcast i64* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.167* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.1.167*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.167* %0, %struct.PhysicalCoordinates.1.167** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.1.167, %struct.PhysicalCoordinates.1.167* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.167* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.1.167*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.167* %0, %struct.PhysicalCoordinates.1.167** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.1.167, %struct.PhysicalCoordinates.1.167* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.165* @RuntimeContext_get_runtime(%struct.RuntimeContext.166* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.166*, align 8
  store %struct.RuntimeContext.166* %0, %struct.RuntimeContext.166** %2, align 8
  %3 = load %struct.RuntimeContext.166*, %struct.RuntimeContext.166** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.166, %struct.RuntimeContext.166* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.165*, %struct.LLVMRuntime.165** %4, align 8
  ret %struct.LLVMRuntime.165* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.168* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.168* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.168* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.168* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.168* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.168* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.168* noundef %0, void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)*, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)* %1, void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)*, void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)** %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)* %5, void (%struct.PhysicalCoordinates.1.167*, %struct.PhysicalCoordinates.1.167*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.168* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.168* noundef %0, %struct.RuntimeContext.166* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.168*, align 8
  %4 = alloca %struct.RuntimeContext.166*, align 8
  store %struct.StructMeta.168* %0, %struct.StructMeta.168** %3, align 8
  store %struct.RuntimeContext.166* %1, %struct.RuntimeContext.166** %4, align 8
  %5 = load %struct.RuntimeContext.166*, %struct.RuntimeContext.166** %4, align 8
  %6 = load %struct.StructMeta.168*, %struct.StructMeta.168** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 8
  store %struct.RuntimeContext.166* %5, %struct.RuntimeContext.166** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.165* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.165*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.165* %0, %struct.LLVMRuntime.165** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.165*, %struct.LLVMRuntime.165** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.165, %struct.LLVMRuntime.165* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.166* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.166*, i8*)* noundef %3, void (%struct.RuntimeContext.166*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.166*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext.166*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.166*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.166*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.166*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.166* %0, %struct.RuntimeContext.166** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.166*, i8*)* %3, void (%struct.RuntimeContext.166*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.166*, i8*, i32)* %4, void (%struct.RuntimeContext.166*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.166*, i8*)* %5, void (%struct.RuntimeContext.166*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.166*, i8*)*, void (%struct.RuntimeContext.166*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.166*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.166*, i8*)*, void (%struct.RuntimeContext.166*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.166*, %struct.RuntimeContext.166** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.166* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.166*, i8*, i32)*, void (%struct.RuntimeContext.166*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.166*, %struct.RuntimeContext.166** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.166* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.166*, i8*)*, void (%struct.RuntimeContext.166*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.166*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.166*, i8*)*, void (%struct.RuntimeContext.166*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.166*, %struct.RuntimeContext.166** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.166* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.169* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.169*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.169* %0, %struct.DenseMeta.169** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.169*, %struct.DenseMeta.169** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.169, %struct.DenseMeta.169* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.168*
  %7 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.168*
  %10 = getelementptr inbounds %struct.StructMeta.168, %struct.StructMeta.168* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @atomic_set_mask_b64(i64* noundef %0, i64 noundef %1, i64 noundef %2) #0 {
  %4 = alloca i64*, align 8
  %5 = alloca i64, align 8
  %6 = alloca i64, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i64, align 8
  %10 = alloca i8, align 1
  store i64* %0, i64** %4, align 8
  store i64 %1, i64* %5, align 8
  store i64 %2, i64* %6, align 8
  %11 = load i64, i64* %5, align 8
  store i64 %11, i64* %7, align 8
  store i64 0, i64* %8, align 8
  %12 = load i64*, i64** %4, align 8
  %13 = load i64, i64* %12, align 8
  store i64 %13, i64* %9, align 8
  br label %14

14:                                               ; preds = %33, %3
  %15 = load i64*, i64** %4, align 8
  %16 = load i64, i64* %15, align 8
  store i64 %16, i64* %9, align 8
  %17 = load i64, i64* %9, align 8
  %18 = load i64, i64* %7, align 8
  %19 = xor i64 %18, -1
  %20 = and i64 %17, %19
  %21 = load i64, i64* %6, align 8
  %22 = load i64, i64* %5, align 8
  %23 = and i64 %21, %22
  %24 = or i64 %20, %23
  store i64 %24, i64* %8, align 8
  br label %25

25:                                               ; preds = %14
  %26 = load i64*, i64** %4, align 8
  %27 = load i64, i64* %9, align 8
  %28 = load i64, i64* %8, align 8
  %29 = cmpxchg weak i64* %26, i64 %27, i64 %28 seq_cst seq_cst, align 8
  %30 = extractvalue { i64, i1 } %29, 0
  %31 = extractvalue { i64, i1 } %29, 1
  br i1 %31, label %33, label %32

32:                                               ; preds = %25
  store i64 %30, i64* %9, align 8
  br label %33

33:                                               ; preds = %32, %25
  %34 = zext i1 %31 to i8
  store i8 %34, i8* %10, align 1
  %35 = load i8, i8* %10, align 1
  %36 = trunc i8 %35 to i1
  %37 = xor i1 %36, true
  br i1 %37, label %14, label %38, !llvm.loop !16

38:                                               ; preds = %33
  ret void
}

attributes #0 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn }
attributes #2 = { nocallback nofree nosync nounwind readnone speculatable willreturn }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext.166*)* @put_c106_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.166*)* @put_c106_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.166*)* @put_c106_0_kernel_0_range_for, !"minctasm", i32 2}
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
