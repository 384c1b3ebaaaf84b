; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.2895 = type { i8*, %struct.LLVMRuntime.2894*, i32, i64* }
%struct.LLVMRuntime.2894 = type { %struct.PreallocatedMemoryChunk.2889, %struct.PreallocatedMemoryChunk.2889, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.2890*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.2891*], [1024 x %struct.NodeManager.2892*], [1024 x i8*], i8*, %struct.RandState.2893*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.2889 = type { i8*, i8*, i64 }
%struct.__va_list_tag.2890 = type { i32, i32, i8*, i8* }
%struct.ListManager.2891 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.2894* }
%struct.NodeManager.2892 = type <{ %struct.LLVMRuntime.2894*, i32, i32, i32, i32, %struct.ListManager.2891*, %struct.ListManager.2891*, %struct.ListManager.2891*, i32, [4 x i8] }>
%struct.RandState.2893 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.2898 = type <{ %struct.StructMeta.2897, i32, [4 x i8] }>
%struct.StructMeta.2897 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)*, %struct.RuntimeContext.2895* }
%struct.PhysicalCoordinates.0.2896 = type { [12 x i32] }
%S0_ch.2923 = type { [8 x %S1_ch.2899], [8 x %S3_ch.2900], [8 x %S6_ch.2901], [8 x %S8_ch.2902], [8 x %S11_ch.2903], [8 x %S13_ch.2904], [8 x %S16_ch.2905], [8 x %S18_ch.2906], [8 x %S21_ch.2907], [8 x %S23_ch.2908], [8 x %S26_ch.2909], [8 x %S28_ch.2910], [8 x %S31_ch.2911], [8 x %S33_ch.2912], [8 x %S36_ch.2913], [8 x %S38_ch.2914], [8 x %S16_ch.2905], [8 x %S18_ch.2906], [8 x %S21_ch.2907], [8 x %S23_ch.2908], [8 x %S26_ch.2909], [8 x %S28_ch.2910], [8 x %S31_ch.2911], [8 x %S33_ch.2912], [8 x %S61_ch.2915], [1 x %S70_ch.2916], [1 x %S31_ch.2911], [24 x %S26_ch.2909], [24 x %S26_ch.2909], [24 x %S26_ch.2909], [24 x %S26_ch.2909], [96 x %S26_ch.2909], [4 x %S91_ch.2917], [4 x %S11_ch.2903], [4 x %S11_ch.2903], [6 x %S99_ch.2918], [3 x %S105_ch.2920], [6 x %S109_ch.2922] }
%S1_ch.2899 = type { half }
%S3_ch.2900 = type { half, half }
%S6_ch.2901 = type { float }
%S8_ch.2902 = type { float, float }
%S11_ch.2903 = type { double }
%S13_ch.2904 = type { double, double }
%S36_ch.2913 = type { i1 }
%S38_ch.2914 = type { i1, i1 }
%S16_ch.2905 = type { i8 }
%S18_ch.2906 = type { i8, i8 }
%S21_ch.2907 = type { i16 }
%S23_ch.2908 = type { i16, i16 }
%S26_ch.2909 = type { i32 }
%S28_ch.2910 = type { i32, i32 }
%S31_ch.2911 = type { i64 }
%S33_ch.2912 = type { i64, i64 }
%S61_ch.2915 = type { half, half, half, half, half, half, half, half }
%S70_ch.2916 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.2917 = type { i32, i32, i32 }
%S99_ch.2918 = type { double, double, double, double, i64 }
%S105_ch.2920 = type { [4 x %S106_ch.2919] }
%S106_ch.2919 = type { [4 x %S26_ch.2909] }
%S109_ch.2922 = type { [8 x %S110_ch.2921] }
%S110_ch.2921 = type { i32, i32, i32, i32 }

define void @check_c248_0_kernel_0_range_for(%struct.RuntimeContext.2895* byval(%struct.RuntimeContext.2895) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.2895* %context, i32 0, i32 96, void (%struct.RuntimeContext.2895*, i8*)* null, void (%struct.RuntimeContext.2895*, i8*, i32)* @function_body, void (%struct.RuntimeContext.2895*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.2895* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.2898, align 8
  br label %entry

final:                                            ; preds = %after_if
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %5 = load i32, i32* %3, align 4
  %6 = sdiv i32 %5, 48
  %7 = icmp slt i32 %5, 0
  %8 = mul i32 %6, 48
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
  %20 = mul i32 %19, 48
  %21 = sub i32 %5, %20
  %22 = sdiv i32 %21, 48
  %23 = icmp slt i32 %21, 0
  %24 = mul i32 %22, 48
  %25 = icmp ne i1 %23, false
  %26 = icmp ne i32 %21, 0
  %27 = icmp ne i32 %24, %21
  %28 = icmp ne i1 %25, false
  %29 = icmp ne i1 %26, false
  %30 = and i1 %28, %29
  %31 = icmp ne i1 %30, false
  %32 = icmp ne i1 %27, false
  %33 = and i1 %31, %32
  %34 = zext i1 %33 to i32
  %35 = sub i32 %22, %34
  %36 = mul i32 %35, 48
  %37 = sub i32 %21, %36
  %38 = sdiv i32 %37, 16
  %39 = icmp slt i32 %37, 0
  %40 = shl i32 %38, 4
  %41 = icmp ne i1 %39, false
  %42 = icmp ne i32 %37, 0
  %43 = icmp ne i32 %40, %37
  %44 = icmp ne i1 %41, false
  %45 = icmp ne i1 %42, false
  %46 = and i1 %44, %45
  %47 = icmp ne i1 %46, false
  %48 = icmp ne i1 %43, false
  %49 = and i1 %47, %48
  %50 = zext i1 %49 to i32
  %51 = sub i32 %38, %50
  %52 = shl i32 %51, 4
  %53 = sub i32 %37, %52
  %54 = sdiv i32 %53, 8
  %55 = icmp slt i32 %53, 0
  %56 = shl i32 %54, 3
  %57 = icmp ne i1 %55, false
  %58 = icmp ne i32 %53, 0
  %59 = icmp ne i32 %56, %53
  %60 = icmp ne i1 %57, false
  %61 = icmp ne i1 %58, false
  %62 = and i1 %60, %61
  %63 = icmp ne i1 %62, false
  %64 = icmp ne i1 %59, false
  %65 = and i1 %63, %64
  %66 = zext i1 %65 to i32
  %67 = sub i32 %54, %66
  %68 = shl i32 %67, 3
  %69 = sub i32 %53, %68
  %70 = sdiv i32 %69, 8
  %71 = icmp slt i32 %69, 0
  %72 = shl i32 %70, 3
  %73 = icmp ne i1 %71, false
  %74 = icmp ne i32 %69, 0
  %75 = icmp ne i32 %72, %69
  %76 = icmp ne i1 %73, false
  %77 = icmp ne i1 %74, false
  %78 = and i1 %76, %77
  %79 = icmp ne i1 %78, false
  %80 = icmp ne i1 %75, false
  %81 = and i1 %79, %80
  %82 = zext i1 %81 to i32
  %83 = sub i32 %70, %82
  %84 = shl i32 %83, 3
  %85 = sub i32 %69, %84
  %86 = sdiv i32 %85, 4
  %87 = icmp slt i32 %85, 0
  %88 = shl i32 %86, 2
  %89 = icmp ne i1 %87, false
  %90 = icmp ne i32 %85, 0
  %91 = icmp ne i32 %88, %85
  %92 = icmp ne i1 %89, false
  %93 = icmp ne i1 %90, false
  %94 = and i1 %92, %93
  %95 = icmp ne i1 %94, false
  %96 = icmp ne i1 %91, false
  %97 = and i1 %95, %96
  %98 = zext i1 %97 to i32
  %99 = sub i32 %86, %98
  %100 = shl i32 %99, 2
  %101 = sub i32 %85, %100
  %102 = sdiv i32 %101, 2
  %103 = icmp slt i32 %101, 0
  %104 = shl i32 %102, 1
  %105 = icmp ne i1 %103, false
  %106 = icmp ne i32 %101, 0
  %107 = icmp ne i32 %104, %101
  %108 = icmp ne i1 %105, false
  %109 = icmp ne i1 %106, false
  %110 = and i1 %108, %109
  %111 = icmp ne i1 %110, false
  %112 = icmp ne i1 %107, false
  %113 = and i1 %111, %112
  %114 = zext i1 %113 to i32
  %115 = sub i32 %102, %114
  %116 = shl i32 %115, 1
  %117 = sub i32 %101, %116
  %118 = add i32 %19, %35
  %119 = mul i32 %118, 3
  %120 = add i32 %119, %51
  %121 = shl i32 %120, 1
  %122 = add i32 %121, %67
  %123 = add i32 %122, %83
  %124 = shl i32 %123, 1
  %125 = add i32 %124, %99
  %126 = shl i32 %125, 1
  %127 = add i32 %126, %115
  %128 = shl i32 %127, 1
  %129 = add i32 %128, %117
  %130 = call %struct.LLVMRuntime.2894* @RuntimeContext_get_runtime(%struct.RuntimeContext.2895* %0)
  %131 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2894* %130, i32 0)
  %132 = bitcast i8* %131 to %S0_ch.2923*
  %133 = getelementptr %S0_ch.2923, %S0_ch.2923* %132, i32 0
  %134 = bitcast %S0_ch.2923* %133 to i8*
  %135 = call i8* @get_ch_S0_to_S89(i8* %134)
  %136 = bitcast i8* %135 to [96 x %S26_ch.2909]*
  %137 = add i32 %117, %116
  %138 = add i32 %137, %100
  %139 = add i32 %138, %84
  %140 = add i32 %139, %68
  %141 = add i32 %140, %52
  %142 = add i32 %141, %36
  %143 = add i32 %142, %20
  %144 = bitcast %struct.DenseMeta.2898* %4 to %struct.StructMeta.2897*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2897* %144, i32 89)
  call void @StructMeta_set_element_size(%struct.StructMeta.2897* %144, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2897* %144, i64 96)
  call void @StructMeta_set_context(%struct.StructMeta.2897* %144, %struct.RuntimeContext.2895* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2897* %144, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2897* %144, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2897* %144, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2897* %144, i8* (i8*)* @get_ch_S0_to_S89)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2897* %144, void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)* @S89_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2898* %4, i32 0)
  %145 = bitcast %struct.DenseMeta.2898* %4 to i8*
  %146 = bitcast [96 x %S26_ch.2909]* %136 to i8*
  %147 = call i8* @Dense_lookup_element(i8* %145, i8* %146, i32 %143)
  %148 = call i8* @get_ch_S89_to_S90(i8* %147)
  %149 = bitcast i8* %148 to i32*
  %150 = call i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* %149, i32 32)
  %151 = icmp ne i32 %150, %129
  %152 = icmp ne i1 %151, false
  br i1 %152, label %true_block, label %false_block

true_block:                                       ; preds = %function_body
  %153 = getelementptr %struct.RuntimeContext.2895, %struct.RuntimeContext.2895* %0, i32 0, i32 0
  %154 = bitcast i8** %153 to { { { i32 }, i32* } }**
  %155 = load { { { i32 }, i32* } }*, { { { i32 }, i32* } }** %154, align 8
  %156 = getelementptr { { { i32 }, i32* } }, { { { i32 }, i32* } }* %155, i32 0, i32 0
  %157 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %156, i32 0, i32 1
  %158 = load i32*, i32** %157, align 8
  %159 = getelementptr { { i32 }, i32* }, { { i32 }, i32* }* %156, i32 0, i32 0, i32 0
  %160 = load i32, i32* %159, align 4
  %161 = mul i32 0, %160
  %162 = add i32 %161, 0
  %163 = getelementptr i32, i32* %158, i32 %162
  %164 = atomicrmw add i32* %163, i32 1 seq_cst, align 4
  br label %after_if

false_block:                                      ; preds = %function_body
  br label %after_if

after_if:                                         ; preds = %false_block, %true_block
  br label %final
}

; Function Attrs: argmemonly nocallback nounwind readonly
declare i32 @llvm.nvvm.ldg.global.i.i32.p0i32(i32* nocapture, i32) #0

define internal void @S89_refine_coordinates(%struct.PhysicalCoordinates.0.2896* %0, %struct.PhysicalCoordinates.0.2896* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 96
  %4 = udiv i32 %3, 48
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 0)
  %6 = mul i32 %5, 2
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 1, i32 %10)
  %11 = urem i32 %2, 48
  %12 = udiv i32 %11, 16
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 2)
  %14 = mul i32 %13, 3
  %15 = add i32 %14, %12
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 2, i32 %15)
  %16 = urem i32 %2, 16
  %17 = udiv i32 %16, 8
  %18 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 3)
  %19 = mul i32 %18, 2
  %20 = add i32 %19, %17
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 3, i32 %20)
  %21 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 4)
  %22 = mul i32 %21, 1
  %23 = add i32 %22, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 4, i32 %23)
  %24 = urem i32 %2, 8
  %25 = udiv i32 %24, 4
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 5)
  %27 = mul i32 %26, 2
  %28 = add i32 %27, %25
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 5, i32 %28)
  %29 = urem i32 %2, 4
  %30 = udiv i32 %29, 2
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 6)
  %32 = mul i32 %31, 2
  %33 = add i32 %32, %30
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 6, i32 %33)
  %34 = urem i32 %2, 2
  %35 = udiv i32 %34, 1
  %36 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 7)
  %37 = mul i32 %36, 2
  %38 = add i32 %37, %35
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 7, i32 %38)
  %39 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 8)
  %40 = mul i32 %39, 1
  %41 = add i32 %40, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 8, i32 %41)
  %42 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 9)
  %43 = mul i32 %42, 1
  %44 = add i32 %43, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 9, i32 %44)
  %45 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 10)
  %46 = mul i32 %45, 1
  %47 = add i32 %46, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 10, i32 %47)
  %48 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* %0, i32 11)
  %49 = mul i32 %48, 1
  %50 = add i32 %49, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* %1, i32 11, i32 %50)
  ret void
}

define internal i8* @get_ch_S0_to_S89(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.2923*
  %getch = getelementptr %S0_ch.2923, %S0_ch.2923* %1, i32 0, i32 31
  %2 = bitcast [96 x %S26_ch.2909]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S89_to_S90(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S26_ch.2909*
  %getch = getelementptr %S26_ch.2909, %S26_ch.2909* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2896* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.0.2896*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2896* %0, %struct.PhysicalCoordinates.0.2896** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.2896, %struct.PhysicalCoordinates.0.2896* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2896* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.0.2896*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2896* %0, %struct.PhysicalCoordinates.0.2896** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.2896, %struct.PhysicalCoordinates.0.2896* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.2894* @RuntimeContext_get_runtime(%struct.RuntimeContext.2895* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.2895*, align 8
  store %struct.RuntimeContext.2895* %0, %struct.RuntimeContext.2895** %2, align 8
  %3 = load %struct.RuntimeContext.2895*, %struct.RuntimeContext.2895** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.2895, %struct.RuntimeContext.2895* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.2894*, %struct.LLVMRuntime.2894** %4, align 8
  ret %struct.LLVMRuntime.2894* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.2897* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.2897* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.2897* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.2897* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.2897* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.2897* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.2897* noundef %0, void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)*, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)* %1, void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)*, void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)* %5, void (%struct.PhysicalCoordinates.0.2896*, %struct.PhysicalCoordinates.0.2896*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.2897* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.2897* noundef %0, %struct.RuntimeContext.2895* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.2897*, align 8
  %4 = alloca %struct.RuntimeContext.2895*, align 8
  store %struct.StructMeta.2897* %0, %struct.StructMeta.2897** %3, align 8
  store %struct.RuntimeContext.2895* %1, %struct.RuntimeContext.2895** %4, align 8
  %5 = load %struct.RuntimeContext.2895*, %struct.RuntimeContext.2895** %4, align 8
  %6 = load %struct.StructMeta.2897*, %struct.StructMeta.2897** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 8
  store %struct.RuntimeContext.2895* %5, %struct.RuntimeContext.2895** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2894* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.2894*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.2894* %0, %struct.LLVMRuntime.2894** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.2894*, %struct.LLVMRuntime.2894** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.2894, %struct.LLVMRuntime.2894* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.2895* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.2895*, i8*)* noundef %3, void (%struct.RuntimeContext.2895*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.2895*, i8*)* noundef %5, i64 noundef %6) #1 {
  %8 = alloca %struct.RuntimeContext.2895*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.2895*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.2895*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.2895*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.2895* %0, %struct.RuntimeContext.2895** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.2895*, i8*)* %3, void (%struct.RuntimeContext.2895*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.2895*, i8*, i32)* %4, void (%struct.RuntimeContext.2895*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.2895*, i8*)* %5, void (%struct.RuntimeContext.2895*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.2895*, i8*)*, void (%struct.RuntimeContext.2895*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.2895*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.2895*, i8*)*, void (%struct.RuntimeContext.2895*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.2895*, %struct.RuntimeContext.2895** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.2895* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.2895*, i8*, i32)*, void (%struct.RuntimeContext.2895*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.2895*, %struct.RuntimeContext.2895** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.2895* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.2895*, i8*)*, void (%struct.RuntimeContext.2895*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.2895*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.2895*, i8*)*, void (%struct.RuntimeContext.2895*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.2895*, %struct.RuntimeContext.2895** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.2895* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.2898* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.DenseMeta.2898*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.2898* %0, %struct.DenseMeta.2898** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.2898*, %struct.DenseMeta.2898** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.2898, %struct.DenseMeta.2898* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.2897*
  %7 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.2897*
  %10 = getelementptr inbounds %struct.StructMeta.2897, %struct.StructMeta.2897* %9, i32 0, i32 1
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

!0 = !{void (%struct.RuntimeContext.2895*)* @check_c248_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.2895*)* @check_c248_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.2895*)* @check_c248_0_kernel_0_range_for, !"minctasm", i32 2}
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
