; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.2055 = type { i8*, %struct.LLVMRuntime.2054*, i32, i64* }
%struct.LLVMRuntime.2054 = type { %struct.PreallocatedMemoryChunk.2049, %struct.PreallocatedMemoryChunk.2049, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.2050*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.2051*], [1024 x %struct.NodeManager.2052*], [1024 x i8*], i8*, %struct.RandState.2053*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.2049 = type { i8*, i8*, i64 }
%struct.__va_list_tag.2050 = type { i32, i32, i8*, i8* }
%struct.ListManager.2051 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.2054* }
%struct.NodeManager.2052 = type <{ %struct.LLVMRuntime.2054*, i32, i32, i32, i32, %struct.ListManager.2051*, %struct.ListManager.2051*, %struct.ListManager.2051*, i32, [4 x i8] }>
%struct.RandState.2053 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.2058 = type <{ %struct.StructMeta.2057, i32, [4 x i8] }>
%struct.StructMeta.2057 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)*, %struct.RuntimeContext.2055* }
%struct.PhysicalCoordinates.0.2056 = type { [12 x i32] }
%S0_ch.2083 = type { [8 x %S1_ch.2059], [8 x %S3_ch.2060], [8 x %S6_ch.2061], [8 x %S8_ch.2062], [8 x %S11_ch.2063], [8 x %S13_ch.2064], [8 x %S16_ch.2065], [8 x %S18_ch.2066], [8 x %S21_ch.2067], [8 x %S23_ch.2068], [8 x %S26_ch.2069], [8 x %S28_ch.2070], [8 x %S31_ch.2071], [8 x %S33_ch.2072], [8 x %S36_ch.2073], [8 x %S38_ch.2074], [8 x %S16_ch.2065], [8 x %S18_ch.2066], [8 x %S21_ch.2067], [8 x %S23_ch.2068], [8 x %S26_ch.2069], [8 x %S28_ch.2070], [8 x %S31_ch.2071], [8 x %S33_ch.2072], [8 x %S61_ch.2075], [1 x %S70_ch.2076], [1 x %S31_ch.2071], [24 x %S26_ch.2069], [24 x %S26_ch.2069], [24 x %S26_ch.2069], [24 x %S26_ch.2069], [96 x %S26_ch.2069], [4 x %S91_ch.2077], [4 x %S11_ch.2063], [4 x %S11_ch.2063], [6 x %S99_ch.2078], [3 x %S105_ch.2080], [6 x %S109_ch.2082] }
%S1_ch.2059 = type { half }
%S3_ch.2060 = type { half, half }
%S6_ch.2061 = type { float }
%S8_ch.2062 = type { float, float }
%S11_ch.2063 = type { double }
%S13_ch.2064 = type { double, double }
%S36_ch.2073 = type { i1 }
%S38_ch.2074 = type { i1, i1 }
%S16_ch.2065 = type { i8 }
%S18_ch.2066 = type { i8, i8 }
%S21_ch.2067 = type { i16 }
%S23_ch.2068 = type { i16, i16 }
%S26_ch.2069 = type { i32 }
%S28_ch.2070 = type { i32, i32 }
%S31_ch.2071 = type { i64 }
%S33_ch.2072 = type { i64, i64 }
%S61_ch.2075 = type { half, half, half, half, half, half, half, half }
%S70_ch.2076 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.2077 = type { i32, i32, i32 }
%S99_ch.2078 = type { double, double, double, double, i64 }
%S105_ch.2080 = type { [4 x %S106_ch.2079] }
%S106_ch.2079 = type { [4 x %S26_ch.2069] }
%S109_ch.2082 = type { [8 x %S110_ch.2081] }
%S110_ch.2081 = type { i32, i32, i32, i32 }

define void @put_c200_0_kernel_0_range_for(%struct.RuntimeContext.2055* byval(%struct.RuntimeContext.2055) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.2055* %context, i32 0, i32 96, void (%struct.RuntimeContext.2055*, i8*)* null, void (%struct.RuntimeContext.2055*, i8*, i32)* @function_body, void (%struct.RuntimeContext.2055*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.2055* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.DenseMeta.2058, align 8
  br label %entry

final:                                            ; preds = %function_body
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
  %118 = getelementptr %struct.RuntimeContext.2055, %struct.RuntimeContext.2055* %0, i32 0, i32 0
  %119 = bitcast i8** %118 to { { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* } }**
  %120 = load { { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* } }*, { { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* } }** %119, align 8
  %121 = getelementptr { { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* } }, { { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* } }* %120, i32 0, i32 0
  %122 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 1
  %123 = load i32*, i32** %122, align 8
  %124 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 0
  %125 = load i32, i32* %124, align 4
  %126 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 1
  %127 = load i32, i32* %126, align 4
  %128 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 2
  %129 = load i32, i32* %128, align 4
  %130 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 3
  %131 = load i32, i32* %130, align 4
  %132 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 4
  %133 = load i32, i32* %132, align 4
  %134 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 5
  %135 = load i32, i32* %134, align 4
  %136 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 6
  %137 = load i32, i32* %136, align 4
  %138 = getelementptr { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }, { { i32, i32, i32, i32, i32, i32, i32, i32 }, i32* }* %121, i32 0, i32 0, i32 7
  %139 = load i32, i32* %138, align 4
  %140 = mul i32 0, %125
  %141 = add i32 %140, %19
  %142 = mul i32 %141, %127
  %143 = add i32 %142, %35
  %144 = mul i32 %143, %129
  %145 = add i32 %144, %51
  %146 = mul i32 %145, %131
  %147 = add i32 %146, %67
  %148 = mul i32 %147, %133
  %149 = add i32 %148, %83
  %150 = mul i32 %149, %135
  %151 = add i32 %150, %99
  %152 = mul i32 %151, %137
  %153 = add i32 %152, %115
  %154 = mul i32 %153, %139
  %155 = add i32 %154, %117
  %156 = getelementptr i32, i32* %123, i32 %155
  %157 = load i32, i32* %156, align 4
  %158 = call %struct.LLVMRuntime.2054* @RuntimeContext_get_runtime(%struct.RuntimeContext.2055* %0)
  %159 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2054* %158, i32 0)
  %160 = bitcast i8* %159 to %S0_ch.2083*
  %161 = getelementptr %S0_ch.2083, %S0_ch.2083* %160, i32 0
  %162 = bitcast %S0_ch.2083* %161 to i8*
  %163 = call i8* @get_ch_S0_to_S89(i8* %162)
  %164 = bitcast i8* %163 to [96 x %S26_ch.2069]*
  %165 = add i32 %117, %116
  %166 = add i32 %165, %100
  %167 = add i32 %166, %84
  %168 = add i32 %167, %68
  %169 = add i32 %168, %52
  %170 = add i32 %169, %36
  %171 = add i32 %170, %20
  %172 = bitcast %struct.DenseMeta.2058* %4 to %struct.StructMeta.2057*
  call void @StructMeta_set_snode_id(%struct.StructMeta.2057* %172, i32 89)
  call void @StructMeta_set_element_size(%struct.StructMeta.2057* %172, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.2057* %172, i64 96)
  call void @StructMeta_set_context(%struct.StructMeta.2057* %172, %struct.RuntimeContext.2055* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.2057* %172, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.2057* %172, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.2057* %172, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.2057* %172, i8* (i8*)* @get_ch_S0_to_S89)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.2057* %172, void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)* @S89_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.2058* %4, i32 0)
  %173 = bitcast %struct.DenseMeta.2058* %4 to i8*
  %174 = bitcast [96 x %S26_ch.2069]* %164 to i8*
  %175 = call i8* @Dense_lookup_element(i8* %173, i8* %174, i32 %171)
  %176 = call i8* @get_ch_S89_to_S90(i8* %175)
  %177 = bitcast i8* %176 to i32*
  store i32 %157, i32* %177, align 4
  br label %final
}

define internal void @S89_refine_coordinates(%struct.PhysicalCoordinates.0.2056* %0, %struct.PhysicalCoordinates.0.2056* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 96
  %4 = udiv i32 %3, 48
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 0)
  %6 = mul i32 %5, 2
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 1, i32 %10)
  %11 = urem i32 %2, 48
  %12 = udiv i32 %11, 16
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 2)
  %14 = mul i32 %13, 3
  %15 = add i32 %14, %12
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 2, i32 %15)
  %16 = urem i32 %2, 16
  %17 = udiv i32 %16, 8
  %18 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 3)
  %19 = mul i32 %18, 2
  %20 = add i32 %19, %17
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 3, i32 %20)
  %21 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 4)
  %22 = mul i32 %21, 1
  %23 = add i32 %22, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 4, i32 %23)
  %24 = urem i32 %2, 8
  %25 = udiv i32 %24, 4
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 5)
  %27 = mul i32 %26, 2
  %28 = add i32 %27, %25
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 5, i32 %28)
  %29 = urem i32 %2, 4
  %30 = udiv i32 %29, 2
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 6)
  %32 = mul i32 %31, 2
  %33 = add i32 %32, %30
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 6, i32 %33)
  %34 = urem i32 %2, 2
  %35 = udiv i32 %34, 1
  %36 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 7)
  %37 = mul i32 %36, 2
  %38 = add i32 %37, %35
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 7, i32 %38)
  %39 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 8)
  %40 = mul i32 %39, 1
  %41 = add i32 %40, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 8, i32 %41)
  %42 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 9)
  %43 = mul i32 %42, 1
  %44 = add i32 %43, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 9, i32 %44)
  %45 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 10)
  %46 = mul i32 %45, 1
  %47 = add i32 %46, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 10, i32 %47)
  %48 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* %0, i32 11)
  %49 = mul i32 %48, 1
  %50 = add i32 %49, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* %1, i32 11, i32 %50)
  ret void
}

define internal i8* @get_ch_S0_to_S89(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.2083*
  %getch = getelementptr %S0_ch.2083, %S0_ch.2083* %1, i32 0, i32 31
  %2 = bitcast [96 x %S26_ch.2069]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S89_to_S90(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S26_ch.2069*
  %getch = getelementptr %S26_ch.2069, %S26_ch.2069* %1, i32 0, i32 0
  %2 = bitcast i32* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.2056* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.0.2056*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2056* %0, %struct.PhysicalCoordinates.0.2056** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.2056, %struct.PhysicalCoordinates.0.2056* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.2056* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.0.2056*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.2056* %0, %struct.PhysicalCoordinates.0.2056** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.2056, %struct.PhysicalCoordinates.0.2056* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.2054* @RuntimeContext_get_runtime(%struct.RuntimeContext.2055* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.2055*, align 8
  store %struct.RuntimeContext.2055* %0, %struct.RuntimeContext.2055** %2, align 8
  %3 = load %struct.RuntimeContext.2055*, %struct.RuntimeContext.2055** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.2055, %struct.RuntimeContext.2055* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.2054*, %struct.LLVMRuntime.2054** %4, align 8
  ret %struct.LLVMRuntime.2054* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.2057* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.2057* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.2057* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.2057* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.2057* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.2057* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.2057* noundef %0, void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)*, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)* %1, void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)*, void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)* %5, void (%struct.PhysicalCoordinates.0.2056*, %struct.PhysicalCoordinates.0.2056*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.2057* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.2057* noundef %0, %struct.RuntimeContext.2055* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.2057*, align 8
  %4 = alloca %struct.RuntimeContext.2055*, align 8
  store %struct.StructMeta.2057* %0, %struct.StructMeta.2057** %3, align 8
  store %struct.RuntimeContext.2055* %1, %struct.RuntimeContext.2055** %4, align 8
  %5 = load %struct.RuntimeContext.2055*, %struct.RuntimeContext.2055** %4, align 8
  %6 = load %struct.StructMeta.2057*, %struct.StructMeta.2057** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 8
  store %struct.RuntimeContext.2055* %5, %struct.RuntimeContext.2055** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.2054* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.2054*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.2054* %0, %struct.LLVMRuntime.2054** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.2054*, %struct.LLVMRuntime.2054** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.2054, %struct.LLVMRuntime.2054* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.2055* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.2055*, i8*)* noundef %3, void (%struct.RuntimeContext.2055*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.2055*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext.2055*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.2055*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.2055*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.2055*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.2055* %0, %struct.RuntimeContext.2055** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.2055*, i8*)* %3, void (%struct.RuntimeContext.2055*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.2055*, i8*, i32)* %4, void (%struct.RuntimeContext.2055*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.2055*, i8*)* %5, void (%struct.RuntimeContext.2055*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.2055*, i8*)*, void (%struct.RuntimeContext.2055*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.2055*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.2055*, i8*)*, void (%struct.RuntimeContext.2055*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.2055*, %struct.RuntimeContext.2055** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.2055* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.2055*, i8*, i32)*, void (%struct.RuntimeContext.2055*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.2055*, %struct.RuntimeContext.2055** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.2055* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.2055*, i8*)*, void (%struct.RuntimeContext.2055*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.2055*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.2055*, i8*)*, void (%struct.RuntimeContext.2055*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.2055*, %struct.RuntimeContext.2055** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.2055* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.2058* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.2058*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.2058* %0, %struct.DenseMeta.2058** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.2058*, %struct.DenseMeta.2058** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.2058, %struct.DenseMeta.2058* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.2057*
  %7 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.2057*
  %10 = getelementptr inbounds %struct.StructMeta.2057, %struct.StructMeta.2057* %9, i32 0, i32 1
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

!0 = !{void (%struct.RuntimeContext.2055*)* @put_c200_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.2055*)* @put_c200_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.2055*)* @put_c200_0_kernel_0_range_for, !"minctasm", i32 2}
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
