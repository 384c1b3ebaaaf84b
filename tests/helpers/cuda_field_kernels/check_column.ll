; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.2965 = type { i8*, %struct.LLVMRuntime.2964*, i32, i64* }
%struct.LLVMRuntime.2964 = type { %struct.PreallocatedMemoryChunk.2959, %struct.PreallocatedMemoryChunk.2959, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.2960*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.2961*], [1024 x %struct.NodeManager.2962*], [1024 x i8*], i8*, %struct.RandState.2963*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.2959 = type { i8*, i8*, i64 }
%struct.__va_list_tag.2960 = type { i32, i32, i8*, i8* }
%struct.ListManager.2961 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.2964* }
%struct.NodeManager.2962 = type <{ %struct.LLVMRuntime.2964*, i32, i32, i32, i32, %struct.ListManager.2961*, %struct.ListManager.2961*, %struct.ListManager.2961*, i32, [4 x i8] }>
%struct.RandState.2963 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.2968 = type <{ %struct.StructMeta.2967, i32, [4 x i8] }>
%struct.StructMeta.2967 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)*, %struct.RuntimeContext.2965* }
%struct.PhysicalCoordinates.0.2966 = type { [12 x i32] }
%S0_ch.2993 = type { [8 x %S1_ch.2969], [8 x %S3_ch.2970], [8 x %S6_ch.2971], [8 x %S8_ch.2972], [8 x %S11_ch.2973], [8 x %S13_ch.2974], [8 x %S16_ch.2975], [8 x %S18_ch.2976], [8 x %S21_ch.2977], [8 x %S23_ch.2978], [8 x %S26_ch.2979], [8 x %S28_ch.2980], [8 x %S31_ch.2981], [8 x %S33_ch.2982], [8 x %S36_ch.2983], [8 x %S38_ch.2984], [8 x %S16_ch.2975], [8 x %S18_ch.2976], [8 x %S21_ch.2977], [8 x %S23_ch.2978], [8 x %S26_ch.2979], [8 x %S28_ch.2980], [8 x %S31_ch.2981], [8 x %S33_ch.2982], [8 x %S61_ch.2985], [1 x %S70_ch.2986], [1 x %S31_ch.2981], [24 x %S26_ch.2979], [24 x %S26_ch.2979], [24 x %S26_ch.2979], [24 x %S26_ch.2979], [96 x %S26_ch.2979], [4 x %S91_ch.2987], [4 x %S11_ch.2973], [4 x %S11_ch.2973], [6 x %S99_ch.2988], [3 x %S105_ch.2990], [6 x %S109_ch.2992] }
%S1_ch.2969 = type { half }
%S3_ch.2970 = type { half, half }
%S6_ch.2971 = type { float }
%S8_ch.2972 = type { float, float }
%S11_ch.2973 = type { double }
%S13_ch.2974 = type { double, double }
%S36_ch.2983 = type { i1 }
%S38_ch.2984 = type { i1, i1 }
%S16_ch.2975 = type { i8 }
%S18_ch.2976 = type { i8, i8 }
%S21_ch.2977 = type { i16 }
%S23_ch.2978 = type { i16, i16 }
%S26_ch.2979 = type { i32 }
%S28_ch.2980 = type { i32, i32 }
%S31_ch.2981 = type { i64 }
%S33_ch.2982 = type { i64, i64 }
%S61_ch.2985 = type { half, half, half, half, half, half, half, half }
%S70_ch.2986 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.2987 = type { i32, i32, i32 }
%S99_ch.2988 = type { double, double, double, double, i64 }
%S105_ch.2990 = type { [4 x %S106_ch.2989] }
%S106_ch.2989 = type { [4 x %S26_ch.2979] }
%S109_ch.2992 = type { [8 x %S110_ch.2991] }
%S110_ch.2991 = type { i32, i32, i32, i32 }

define void @check_c252_0_kernel_0_range_for(%struct.RuntimeContext.2965* byval(%struct.RuntimeContext.2965) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.2965* %context, i32 0, i32 4, void (%struct.RuntimeContext.2965*, i8*)* null, void (%struct.RuntimeContext.2965*, i8*, i32)* @function_body, void (%struct.RuntimeContext.2965*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.2965* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.2968, align 8
  br label %entry

final:                                            ; preds = %after_if6
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %5 = load i32, i32* %3, align 4
  %6 = call %struct.LLVMRuntime.2964* @RuntimeContext_get_runtime(%struct.RuntimeContext.2965* %0)
  %7 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2964* %6, i32 0)
  %8 = bitcast i8* %7 to %S0_ch.2993*
  %9 = getelementptr %S0_ch.2993, %S0_ch.2993* %8, i32 0
  %10 = bitcast %S0_ch.2993* %9 to i8*
  %11 = call i8* @get_ch_S0_to_S91(i8* %10)
  %12 = bitcast i8* %11 to [4 x %S91_ch.2987]*
  %13 = bitcast %struct.DenseMeta.2968* %4 to %struct.StructMeta.2967*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2967* %13, i32 91)
  call void @StructMeta_set_element_size(%struct.StructMeta.2967* %13, i64 12)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2967* %13, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.2967* %13, %struct.RuntimeContext.2965* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2967* %13, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2967* %13, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2967* %13, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2967* %13, i8* (i8*)* @get_ch_S0_to_S91)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2967* %13, void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)* @S91_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2968* %4, i32 0)
  %14 = bitcast %struct.DenseMeta.2968* %4 to i8*
  %15 = bitcast [4 x %S91_ch.2987]* %12 to i8*
  %16 = call i8* @Dense_lookup_element(i8* %14, i8* %15, i32 %5)
  %17 = call i8* @get_ch_S91_to_S92(i8* %16)
  %18 = bitcast i8* %17 to i32*
  %19 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %18, i32 32)
  %20 = mul i32 %5, 3
  %21 = icmp ne i32 %19, %20
  %22 = icmp ne i1 %21, false
  br i1 %22, label %true_block, label %false_block

true_block:                                       ; preds = %function_body
  %23 = getelementptr %struct.RuntimeContext.2965, %struct.RuntimeContext.2965* %0, i32 0, i32 0
  %24 = bitcast i8** %23 to { { { i32 }, i32* } }**
  %25 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %24, align 8
  %26 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %25, i32 0, i32 0
  %27 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %26, i32 0, i32 1
  %28 = load i32*, i32** %27, align 8
  %29 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %26, i32 0, i32 0, i32 0
  %30 = load i32, i32* %29, align 4
  %31 = mul i32 0, %30
  %32 = add i32 %31, 0
  %33 = getelementptr i32, i32* %28, i32 %32
  %34 = atomicrmw add i32* %33, i32 1 seq_cst, align 4
  br label %after_if

false_block:                                      ; preds = %function_body
  br label %after_if

after_if:                                         ; preds = %false_block, %true_block
  %35 = call i8* @get_ch_S91_to_S93(i8* %16)
  %36 = bitcast i8* %35 to i32*
  %37 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %36, i32 32)
  %38 = add i32 %20, 1
  %39 = icmp ne i32 %37, %38
  %40 = icmp ne i1 %39, false
  br i1 %40, label %true_block1, label %false_block2

true_block1:                                      ; preds = %after_if
  %41 = getelementptr %struct.RuntimeContext.2965, %struct.RuntimeContext.2965* %0, i32 0, i32 0
  %42 = bitcast i8** %41 to { { { i32 }, i32* } }**
  %43 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %42, align 8
  %44 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %43, i32 0, i32 0
  %45 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %44, i32 0, i32 1
  %46 = load i32*, i32** %45, align 8
  %47 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %44, i32 0, i32 0, i32 0
  %48 = load i32, i32* %47, align 4
  %49 = mul i32 0, %48
  %50 = add i32 %49, 0
  %51 = getelementptr i32, i32* %46, i32 %50
  %52 = atomicrmw add i32* %51, i32 1 seq_cst, align 4
  br label %after_if3

false_block2:                                     ; preds = %after_if
  br label %after_if3

after_if3:                                        ; preds = %false_block2, %true_block1
  %53 = call i8* @get_ch_S91_to_S94(i8* %16)
  %54 = bitcast i8* %53 to i32*
  %55 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %54, i32 32)
  %56 = add i32 %20, 2
  %57 = icmp ne i32 %55, %56
  %58 = icmp ne i1 %57, false
  br i1 %58, label %true_block4, label %false_block5

true_block4:                                      ; preds = %after_if3
  %59 = getelementptr %struct.RuntimeContext.2965, %struct.RuntimeContext.2965* %0, i32 0, i32 0
  %60 = bitcast i8** %59 to { { { i32 }, i32* } }**
  %61 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %60, align 8
  %62 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %61, i32 0, i32 0
  %63 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %62, i32 0, i32 1
  %64 = load i32*, i32** %63, align 8
  %65 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %62, i32 0, i32 0, i32 0
  %66 = load i32, i32* %65, align 4
  %67 = mul i32 0, %66
  %68 = add i32 %67, 0
  %69 = getelementptr i32, i32* %64, i32 %68
  %70 = atomicrmw add i32* %69, i32 1 seq_cst, align 4
  br label %after_if6

false_block5:                                     ; preds = %after_if3
  br label %after_if6

after_if6:                                        ; preds = %false_block5, %true_block4
  br label %final
}

; Function Attrs: argmemonly nocallback nounwind readonly
declare i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* nocapture, i32) #0

define internal void @S91_refine_coordinates(%struct.PhysicalCoordinates.0.2966* %0, %struct.PhysicalCoordinates.0.2966* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S91(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.2993*
  %getch = getelementptr %S0_ch.2993, %S0_ch.2993* %1, i32 0, i32 32
  %2 = bitcast [4 x %S91_ch.2987]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S91_to_S92(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S91_ch.2987*
  %getch = getelementptr %S91_ch.2987, %S91_ch.2987* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S91_to_S93(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S91_ch.2987*
  %getch = getelementptr %S91_ch.2987, %S91_ch.2987* %1, i32 0, i32 1
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S91_to_S94(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S91_ch.2987*
  %getch = getelementptr %S91_ch.2987, %S91_ch.2987* %1, i32 0, i32 2
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2966* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.0.2966*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2966* %0, %struct.PhysicalCoordinates.0.2966** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.2966, %struct.PhysicalCoordinates.0.2966* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2966* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.0.2966*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2966* %0, %struct.PhysicalCoordinates.0.2966** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.2966, %struct.PhysicalCoordinates.0.2966* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.2964* @RuntimeContext_get_runtime(%struct.RuntimeContext.2965* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.2965*, align 8
  store %struct.RuntimeContext.2965* %0, %struct.RuntimeContext.2965** %2, align 8
  %3 = load %struct.RuntimeContext.2965*, %struct.RuntimeContext.2965** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.2965, %struct.RuntimeContext.2965* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.2964*, %struct.LLVMRuntime.2964** %4, align 8
  ret %struct.LLVMRuntime.2964* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.2967* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.2967* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.2967* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.2967* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.2967* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.2967* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.2967* noundef %0, void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)*, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)* %1, void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)*, void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)* %5, void (%struct.PhysicalCoordinates.0.2966*, %struct.PhysicalCoordinates.0.2966*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.2967* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.2967* noundef %0, %struct.RuntimeContext.2965* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2967*, align 8
  %4 = alloca %struct.RuntimeContext.2965*, align 8
  store %struct.StructMeta.2967* %0, %struct.StructMeta.2967** %3, align 8
  store %struct.RuntimeContext.2965* %1, %struct.RuntimeContext.2965** %4, align 8
  %5 = load %struct.RuntimeContext.2965*, %struct.RuntimeContext.2965** %4, align 8
  %6 = load %struct.StructMeta.2967*, %struct.StructMeta.2967** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 8
  store %struct.RuntimeContext.2965* %5, %struct.RuntimeContext.2965** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2964* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.2964*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.2964* %0, %struct.LLVMRuntime.2964** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.2964*, %struct.LLVMRuntime.2964** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.2964, %struct.LLVMRuntime.2964* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.2965* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.2965*, i8*)* noundef %3, void (%struct.RuntimeContext.2965*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.2965*, i8*)* noundef %5, i64 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.2965*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.2965*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.2965*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.2965*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.2965* %0, %struct.RuntimeContext.2965** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.2965*, i8*)* %3, void (%struct.RuntimeContext.2965*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.2965*, i8*, i32)* %4, void (%struct.RuntimeContext.2965*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.2965*, i8*)* %5, void (%struct.RuntimeContext.2965*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.2965*, i8*)*, void (%struct.RuntimeContext.2965*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.2965*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.2965*, i8*)*, void (%struct.RuntimeContext.2965*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.2965*, %struct.RuntimeContext.2965** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.2965* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.2965*, i8*, i32)*, void (%struct.RuntimeContext.2965*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.2965*, %struct.RuntimeContext.2965** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.2965* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.2965*, i8*)*, void (%struct.RuntimeContext.2965*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.2965*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.2965*, i8*)*, void (%struct.RuntimeContext.2965*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.2965*, %struct.RuntimeContext.2965** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.2965* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.2968* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.DenseMeta.2968*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.2968* %0, %struct.DenseMeta.2968** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.2968*, %struct.DenseMeta.2968** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.2968, %struct.DenseMeta.2968* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.2967*
  %7 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.2967*
  %10 = getelementptr inbounds %struct.StructMeta.2967, %struct.StructMeta.2967* %9, i32 0, i32 1
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

!0 = !{void (%struct.RuntimeContext.2965*)* @check_c252_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.2965*)* @check_c252_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.2965*)* @check_c252_0_kernel_0_range_for, !"minctasm", i32 2}
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
