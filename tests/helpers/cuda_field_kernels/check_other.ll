; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.3175 = type { i8*, %struct.LLVMRuntime.3174*, i32, i64* }
%struct.LLVMRuntime.3174 = type { %struct.PreallocatedMemoryChunk.3169, %struct.PreallocatedMemoryChunk.3169, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.3170*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.3171*], [1024 x %struct.NodeManager.3172*], [1024 x i8*], i8*, %struct.RandState.3173*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.3169 = type { i8*, i8*, i64 }
%struct.__va_list_tag.3170 = type { i32, i32, i8*, i8* }
%struct.ListManager.3171 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.3174* }
%struct.NodeManager.3172 = type <{ %struct.LLVMRuntime.3174*, i32, i32, i32, i32, %struct.ListManager.3171*, %struct.ListManager.3171*, %struct.ListManager.3171*, i32, [4 x i8] }>
%struct.RandState.3173 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.3178 = type <{ %struct.StructMeta.3177, i32, [4 x i8] }>
%struct.StructMeta.3177 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)*, %struct.RuntimeContext.3175* }
%struct.PhysicalCoordinates.0.3176 = type { [12 x i32] }
%S0_ch.3203 = type { [8 x %S1_ch.3179], [8 x %S3_ch.3180], [8 x %S6_ch.3181], [8 x %S8_ch.3182], [8 x %S11_ch.3183], [8 x %S13_ch.3184], [8 x %S16_ch.3185], [8 x %S18_ch.3186], [8 x %S21_ch.3187], [8 x %S23_ch.3188], [8 x %S26_ch.3189], [8 x %S28_ch.3190], [8 x %S31_ch.3191], [8 x %S33_ch.3192], [8 x %S36_ch.3193], [8 x %S38_ch.3194], [8 x %S16_ch.3185], [8 x %S18_ch.3186], [8 x %S21_ch.3187], [8 x %S23_ch.3188], [8 x %S26_ch.3189], [8 x %S28_ch.3190], [8 x %S31_ch.3191], [8 x %S33_ch.3192], [8 x %S61_ch.3195], [1 x %S70_ch.3196], [1 x %S31_ch.3191], [24 x %S26_ch.3189], [24 x %S26_ch.3189], [24 x %S26_ch.3189], [24 x %S26_ch.3189], [96 x %S26_ch.3189], [4 x %S91_ch.3197], [4 x %S11_ch.3183], [4 x %S11_ch.3183], [6 x %S99_ch.3198], [3 x %S105_ch.3200], [6 x %S109_ch.3202] }
%S1_ch.3179 = type { half }
%S3_ch.3180 = type { half, half }
%S6_ch.3181 = type { float }
%S8_ch.3182 = type { float, float }
%S11_ch.3183 = type { double }
%S13_ch.3184 = type { double, double }
%S36_ch.3193 = type { i1 }
%S38_ch.3194 = type { i1, i1 }
%S16_ch.3185 = type { i8 }
%S18_ch.3186 = type { i8, i8 }
%S21_ch.3187 = type { i16 }
%S23_ch.3188 = type { i16, i16 }
%S26_ch.3189 = type { i32 }
%S28_ch.3190 = type { i32, i32 }
%S31_ch.3191 = type { i64 }
%S33_ch.3192 = type { i64, i64 }
%S61_ch.3195 = type { half, half, half, half, half, half, half, half }
%S70_ch.3196 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.3197 = type { i32, i32, i32 }
%S99_ch.3198 = type { double, double, double, double, i64 }
%S105_ch.3200 = type { [4 x %S106_ch.3199] }
%S106_ch.3199 = type { [4 x %S26_ch.3189] }
%S109_ch.3202 = type { [8 x %S110_ch.3201] }
%S110_ch.3201 = type { i32, i32, i32, i32 }

define void @check_c264_0_kernel_0_range_for(%struct.RuntimeContext.3175* byval(%struct.RuntimeContext.3175) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.3175* %context, i32 0, i32 48, void (%struct.RuntimeContext.3175*, i8*)* null, void (%struct.RuntimeContext.3175*, i8*, i32)* @function_body, void (%struct.RuntimeContext.3175*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.3175* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.3178, align 8
  %5 = alloca %struct.DenseMeta.3178, align 8
  br label %entry

final:                                            ; preds = %after_if6
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
  %37 = add i32 %36, -3
  %38 = shl i32 %36, 1
  %39 = sub i32 %22, %38
  %40 = shl i32 %20, 3
  %41 = add i32 %40, %37
  %42 = sub i32 %41, -3
  %43 = shl i32 %42, 1
  %44 = add i32 %43, %39
  %45 = call %struct.LLVMRuntime.3174* @RuntimeContext_get_runtime(%struct.RuntimeContext.3175* %0)
  %46 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.3174* %45, i32 0)
  %47 = bitcast i8* %46 to %S0_ch.3203*
  %48 = getelementptr %S0_ch.3203, %S0_ch.3203* %47, i32 0
  %49 = bitcast %S0_ch.3203* %48 to i8*
  %50 = call i8* @get_ch_S0_to_S109(i8* %49)
  %51 = bitcast i8* %50 to [6 x %S109_ch.3202]*
  %52 = lshr i32 %36, 2
  %53 = shl i32 %20, 1
  %54 = add i32 %52, %53
  %55 = bitcast %struct.DenseMeta.3178* %4 to %struct.StructMeta.3177*
  call void @StructMeta_set_snode_id(%struct.StructMeta.3177* %55, i32 109)
  call void @StructMeta_set_element_size(%struct.StructMeta.3177* %55, i64 128)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.3177* %55, i64 6)
  call void @StructMeta_set_context(%struct.StructMeta.3177* %55, %struct.RuntimeContext.3175* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.3177* %55, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.3177* %55, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.3177* %55, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.3177* %55, i8* (i8*)* @get_ch_S0_to_S109)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.3177* %55, void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)* @S109_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.3178* %4, i32 0)
  %56 = bitcast %struct.DenseMeta.3178* %4 to i8*
  %57 = bitcast [6 x %S109_ch.3202]* %51 to i8*
  %58 = call i8* @Dense_lookup_element(i8* %56, i8* %57, i32 %54)
  %59 = call i8* @get_ch_S109_to_S110(i8* %58)
  %60 = bitcast i8* %59 to [8 x %S110_ch.3201]*
  %61 = and i32 %36, 3
  %62 = shl i32 %61, 1
  %63 = add i32 %39, %62
  %64 = bitcast %struct.DenseMeta.3178* %5 to %struct.StructMeta.3177*
  call void @StructMeta_set_snode_id(%struct.StructMeta.3177* %64, i32 110)
  call void @StructMeta_set_element_size(%struct.StructMeta.3177* %64, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.3177* %64, i64 8)
  call void @StructMeta_set_context(%struct.StructMeta.3177* %64, %struct.RuntimeContext.3175* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.3177* %64, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.3177* %64, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.3177* %64, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.3177* %64, i8* (i8*)* @get_ch_S109_to_S110)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.3177* %64, void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)* @S110_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.3178* %5, i32 0)
  %65 = bitcast %struct.DenseMeta.3178* %5 to i8*
  %66 = bitcast [8 x %S110_ch.3201]* %60 to i8*
  %67 = call i8* @Dense_lookup_element(i8* %65, i8* %66, i32 %63)
  %68 = call i8* @get_ch_S110_to_S112(i8* %67)
  %69 = bitcast i8* %68 to i32*
  %70 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %69, i32 32)
  %71 = mul i32 %44, 3
  %72 = icmp ne i32 %70, %71
  %73 = icmp ne i1 %72, false
  br i1 %73, label %true_block, label %false_block

true_block:                                       ; preds = %function_body
  %74 = getelementptr %struct.RuntimeContext.3175, %struct.RuntimeContext.3175* %0, i32 0, i32 0
  %75 = bitcast i8** %74 to { { { i32 }, i32* } }**
  %76 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %75, align 8
  %77 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %76, i32 0, i32 0
  %78 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %77, i32 0, i32 1
  %79 = load i32*, i32** %78, align 8
  %80 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %77, i32 0, i32 0, i32 0
  %81 = load i32, i32* %80, align 4
  %82 = mul i32 0, %81
  %83 = add i32 %82, 0
  %84 = getelementptr i32, i32* %79, i32 %83
  %85 = atomicrmw add i32* %84, i32 1 seq_cst, align 4
  br label %after_if

false_block:                                      ; preds = %function_body
  br label %after_if

after_if:                                         ; preds = %false_block, %true_block
  %86 = call i8* @get_ch_S110_to_S113(i8* %67)
  %87 = bitcast i8* %86 to i32*
  %88 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %87, i32 32)
  %89 = add i32 %71, 1
  %90 = icmp ne i32 %88, %89
  %91 = icmp ne i1 %90, false
  br i1 %91, label %true_block1, label %false_block2

true_block1:                                      ; preds = %after_if
  %92 = getelementptr %struct.RuntimeContext.3175, %struct.RuntimeContext.3175* %0, i32 0, i32 0
  %93 = bitcast i8** %92 to { { { i32 }, i32* } }**
  %94 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %93, align 8
  %95 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %94, i32 0, i32 0
  %96 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %95, i32 0, i32 1
  %97 = load i32*, i32** %96, align 8
  %98 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %95, i32 0, i32 0, i32 0
  %99 = load i32, i32* %98, align 4
  %100 = mul i32 0, %99
  %101 = add i32 %100, 0
  %102 = getelementptr i32, i32* %97, i32 %101
  %103 = atomicrmw add i32* %102, i32 1 seq_cst, align 4
  br label %after_if3

false_block2:                                     ; preds = %after_if
  br label %after_if3

after_if3:                                        ; preds = %false_block2, %true_block1
  %104 = call i8* @get_ch_S110_to_S114(i8* %67)
  %105 = bitcast i8* %104 to i32*
  %106 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %105, i32 32)
  %107 = add i32 %71, 2
  %108 = icmp ne i32 %106, %107
  %109 = icmp ne i1 %108, false
  br i1 %109, label %true_block4, label %false_block5

true_block4:                                      ; preds = %after_if3
  %110 = getelementptr %struct.RuntimeContext.3175, %struct.RuntimeContext.3175* %0, i32 0, i32 0
  %111 = bitcast i8** %110 to { { { i32 }, i32* } }**
  %112 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %111, align 8
  %113 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %112, i32 0, i32 0
  %114 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %113, i32 0, i32 1
  %115 = load i32*, i32** %114, align 8
  %116 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %113, i32 0, i32 0, i32 0
  %117 = load i32, i32* %116, align 4
  %118 = mul i32 0, %117
  %119 = add i32 %118, 0
  %120 = getelementptr i32, i32* %115, i32 %119
  %121 = atomicrmw add i32* %120, i32 1 seq_cst, align 4
  br label %after_if6

false_block5:                                     ; preds = %after_if3
  br label %after_if6

after_if6:                                        ; preds = %false_block5, %true_block4
  br label %final
}

; Function Attrs: argmemonly nocallback nounwind readonly
declare i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* nocapture, i32) #0

define internal void @S109_refine_coordinates(%struct.PhysicalCoordinates.0.3176* %0, %struct.PhysicalCoordinates.0.3176* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 6
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 0)
  %6 = mul i32 %5, 3
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S109(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.3203*
  %getch = getelementptr %S0_ch.3203, %S0_ch.3203* %1, i32 0, i32 37
  %2 = bitcast [6 x %S109_ch.3202]* %getch to i8*
  ret i8* %2
}

define internal void @S110_refine_coordinates(%struct.PhysicalCoordinates.0.3176* %0, %struct.PhysicalCoordinates.0.3176* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 0, i32 %5)
  %6 = urem i32 %2, 8
  %7 = udiv i32 %6, 2
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 1)
  %9 = mul i32 %8, 4
  %10 = add i32 %9, %7
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 1, i32 %10)
  %11 = urem i32 %2, 2
  %12 = udiv i32 %11, 1
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 2)
  %14 = mul i32 %13, 2
  %15 = add i32 %14, %12
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S109_to_S110(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S109_ch.3202*
  %getch = getelementptr %S109_ch.3202, %S109_ch.3202* %1, i32 0, i32 0
  %2 = bitcast [8 x %S110_ch.3201]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S110_to_S112(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S110_ch.3201*
  %getch = getelementptr %S110_ch.3201, %S110_ch.3201* %1, i32 0, i32 1
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S110_to_S113(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S110_ch.3201*
  %getch = getelementptr %S110_ch.3201, %S110_ch.3201* %1, i32 0, i32 2
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S110_to_S114(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S110_ch.3201*
  %getch = getelementptr %S110_ch.3201, %S110_ch.3201* %1, i32 0, i32 3
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.3176* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.0.3176*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.3176* %0, %struct.PhysicalCoordinates.0.3176** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.3176, %struct.PhysicalCoordinates.0.3176* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.3176* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.0.3176*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.3176* %0, %struct.PhysicalCoordinates.0.3176** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.3176, %struct.PhysicalCoordinates.0.3176* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.3174* @RuntimeContext_get_runtime(%struct.RuntimeContext.3175* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.3175*, align 8
  store %struct.RuntimeContext.3175* %0, %struct.RuntimeContext.3175** %2, align 8
  %3 = load %struct.RuntimeContext.3175*, %struct.RuntimeContext.3175** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.3175, %struct.RuntimeContext.3175* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.3174*, %struct.LLVMRuntime.3174** %4, align 8
  ret %struct.LLVMRuntime.3174* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.3177* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.3177* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.3177* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.3177* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.3177* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.3177* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.3177* noundef %0, void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)*, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)* %1, void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)*, void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)** %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)* %5, void (%struct.PhysicalCoordinates.0.3176*, %struct.PhysicalCoordinates.0.3176*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.3177* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.3177* noundef %0, %struct.RuntimeContext.3175* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.3177*, align 8
  %4 = alloca %struct.RuntimeContext.3175*, align 8
  store %struct.StructMeta.3177* %0, %struct.StructMeta.3177** %3, align 8
  store %struct.RuntimeContext.3175* %1, %struct.RuntimeContext.3175** %4, align 8
  %5 = load %struct.RuntimeContext.3175*, %struct.RuntimeContext.3175** %4, align 8
  %6 = load %struct.StructMeta.3177*, %struct.StructMeta.3177** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 8
  store %struct.RuntimeContext.3175* %5, %struct.RuntimeContext.3175** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.3174* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.3174*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.3174* %0, %struct.LLVMRuntime.3174** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.3174*, %struct.LLVMRuntime.3174** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.3174, %struct.LLVMRuntime.3174* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.3175* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.3175*, i8*)* noundef %3, void (%struct.RuntimeContext.3175*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.3175*, i8*)* noundef %5, i64 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.3175*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.3175*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.3175*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.3175*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.3175* %0, %struct.RuntimeContext.3175** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.3175*, i8*)* %3, void (%struct.RuntimeContext.3175*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.3175*, i8*, i32)* %4, void (%struct.RuntimeContext.3175*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.3175*, i8*)* %5, void (%struct.RuntimeContext.3175*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.3175*, i8*)*, void (%struct.RuntimeContext.3175*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.3175*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.3175*, i8*)*, void (%struct.RuntimeContext.3175*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.3175*, %struct.RuntimeContext.3175** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.3175* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.3175*, i8*, i32)*, void (%struct.RuntimeContext.3175*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.3175*, %struct.RuntimeContext.3175** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.3175* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.3175*, i8*)*, void (%struct.RuntimeContext.3175*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.3175*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.3175*, i8*)*, void (%struct.RuntimeContext.3175*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.3175*, %struct.RuntimeContext.3175** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.3175* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.3178* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.DenseMeta.3178*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.3178* %0, %struct.DenseMeta.3178** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.3178*, %struct.DenseMeta.3178** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.3178, %struct.DenseMeta.3178* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.3177*
  %7 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.3177*
  %10 = getelementptr inbounds %struct.StructMeta.3177, %struct.StructMeta.3177* %9, i32 0, i32 1
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

!0 = !{void (%struct.RuntimeContext.3175*)* @check_c264_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.3175*)* @check_c264_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.3175*)* @check_c264_0_kernel_0_range_for, !"minctasm", i32 2}
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
