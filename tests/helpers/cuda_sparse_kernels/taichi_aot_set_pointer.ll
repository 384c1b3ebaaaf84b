; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%0 = type { [16 x i64], [16 x i8*] }
%1 = type { [1 x i32], [16 x %S9_ch] }
%2 = type { { i32, i32 }, i8* }
%3 = type { [1048576 x i64], [1048576 x i8*] }
%4 = type { [4 x i64], [4 x i8*] }
%5 = type { [4 x %S2_ch] }
%6 = type { i8 }
%struct.RuntimeContext = type { i8*, %struct.LLVMRuntime*, i32, i64* }
%struct.LLVMRuntime = type { %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager*], [1024 x %struct.NodeManager*], [1024 x i8*], i8*, %struct.RandState*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk = type { i8*, i8*, i64 }
%struct.__va_list_tag = type { i32, i32, i8*, i8* }
%struct.ListManager = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime* }
%struct.NodeManager = type <{ %struct.LLVMRuntime*, i32, i32, i32, i32, %struct.ListManager*, %struct.ListManager*, %struct.ListManager*, i32, [4 x i8] }>
%struct.RandState = type { i32, i32, i32, i32, i32 }
%struct.PointerMeta.20 = type <{ %struct.StructMeta, i8, [7 x i8] }>
%struct.StructMeta = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)*, %struct.RuntimeContext* }
%struct.PhysicalCoordinates.1 = type { [12 x i32] }
%struct.DenseMeta = type <{ %struct.StructMeta, i32, [4 x i8] }>
%S0_ch = type { %0, %4, %1, [3 x %S11_ch], %3, [7 x %S17_ch], [4 x %S23_ch], %4 }
%S9_ch = type { i1 }
%S11_ch = type { %2 }
%S17_ch = type { i64 }
%S23_ch = type { i32 }
%S2_ch = type { float }
%class.anon.4 = type { %struct.StructMeta**, i8*** }
%class.anon.5 = type { i8*** }
%class.anon.39 = type { %class.anon.5*, i8**, %class.anon.4* }
%class.anon.7 = type { %struct.ListManager*, i32* }
%class.anon.49 = type { %6*, i8**, %class.anon.7* }
%class.anon.0 = type { %struct.PreallocatedMemoryChunk*, i64*, i64*, i8**, i8* }
%class.anon.19 = type { %6*, i8**, %class.anon.0* }
%class.anon = type { %struct.LLVMRuntime**, i8**, i32*, i64** }
%class.anon.14 = type { %6*, i8**, %class.anon* }

@.str = private unnamed_addr constant [144 x i8] c"Out of CUDA pre-allocated memory.\0AConsider using ti.init(device_memory_fraction=0.9) or ti.init(device_memory_GB=4) to allocate more GPU memory\00", align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"Taichi JIT\00", align 1
@.str.2 = private unnamed_addr constant [30 x i8] c"allocate_from_reserved_memory\00", align 1
@.str.3 = private unnamed_addr constant [28 x i8] c"Out of pre-allocated memory\00", align 1
@.str.5 = private unnamed_addr constant [28 x i8] c"List manager out of chunks.\00", align 1

define void @put_c86_0_kernel_0_range_for(%struct.RuntimeContext* byval(%struct.RuntimeContext) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext* %context, i32 0, i32 64, void (%struct.RuntimeContext*, i8*)* null, void (%struct.RuntimeContext*, i8*, i32)* @function_body, void (%struct.RuntimeContext*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.PointerMeta.20, align 8
  %5 = alloca %struct.DenseMeta, align 8
  %6 = alloca %struct.PointerMeta.20, align 8
  %7 = alloca %struct.PointerMeta.20, align 8
  %8 = alloca %struct.DenseMeta, align 8
  br label %entry

final:                                            ; preds = %after_if
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %9 = load i32, i32* %3, align 4
  %10 = sdiv i32 %9, 8
  %11 = icmp slt i32 %9, 0
  %12 = shl i32 %10, 3
  %13 = icmp ne i1 %11, false
  %14 = icmp ne i32 %9, 0
  %15 = icmp ne i32 %12, %9
  %16 = icmp ne i1 %13, false
  %17 = icmp ne i1 %14, false
  %18 = and i1 %16, %17
  %19 = icmp ne i1 %18, false
  %20 = icmp ne i1 %15, false
  %21 = and i1 %19, %20
  %22 = zext i1 %21 to i32
  %23 = sub i32 %10, %22
  %24 = shl i32 %23, 3
  %25 = sub i32 %9, %24
  %26 = call %struct.LLVMRuntime* @RuntimeContext_get_runtime(%struct.RuntimeContext* %0)
  %27 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime* %26, i32 1)
  %28 = bitcast i8* %27 to %S0_ch*
  %29 = getelementptr %S0_ch, %S0_ch* %28, i32 0
  %30 = bitcast %S0_ch* %29 to i8*
  %31 = call i8* @get_ch_S0_to_S1(i8* %30)
  %32 = bitcast i8* %31 to %0*
  %33 = lshr i32 %23, 1
  %34 = lshr i32 %25, 1
  %35 = shl i32 %33, 2
  %36 = add i32 %34, %35
  %37 = bitcast %struct.PointerMeta.20* %4 to %struct.StructMeta*
  call void @StructMeta_set_snode_id(%struct.StructMeta* %37, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta* %37, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta* %37, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta* %37, %struct.RuntimeContext* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta* %37, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta* %37, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta* %37, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta* %37, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta* %37, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* @S1_refine_coordinates)
  %38 = bitcast %struct.PointerMeta.20* %4 to i8*
  %39 = bitcast %0* %32 to i8*
  %40 = call i8* @Pointer_lookup_element(i8* %38, i8* %39, i32 %36)
  %41 = call i8* @get_ch_S1_to_S2(i8* %40)
  %42 = bitcast i8* %41 to [4 x %S2_ch]*
  %43 = and i32 %23, 1
  %44 = and i32 %25, 1
  %45 = shl i32 %43, 1
  %46 = add i32 %44, %45
  %47 = bitcast %struct.DenseMeta* %5 to %struct.StructMeta*
  call void @StructMeta_set_snode_id(%struct.StructMeta* %47, i32 2)
  call void @StructMeta_set_element_size(%struct.StructMeta* %47, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta* %47, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta* %47, %struct.RuntimeContext* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta* %47, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta* %47, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta* %47, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta* %47, i8* (i8*)* @get_ch_S1_to_S2)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta* %47, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* @S2_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta* %5, i32 0)
  %48 = bitcast %struct.DenseMeta* %5 to i8*
  %49 = bitcast [4 x %S2_ch]* %42 to i8*
  %50 = call i8* @Dense_lookup_element(i8* %48, i8* %49, i32 %46)
  %51 = call i8* @get_ch_S2_to_S3(i8* %50)
  %52 = bitcast i8* %51 to float*
  %53 = load float, float* %52, align 4
  %54 = getelementptr %struct.RuntimeContext, %struct.RuntimeContext* %0, i32 0, i32 0
  %55 = bitcast i8** %54 to { { { i32, i32 }, float* } }**
  %56 = load { { { i32, i32 }, float* } }*, { { { i32, i32 }, float* } }** %55, align 8
  %57 = getelementptr { { { i32, i32 }, float* } }, { { { i32, i32 }, float* } }* %56, i32 0, i32 0
  %58 = getelementptr { { i32, i32 }, float* }, { { i32, i32 }, float* }* %57, i32 0, i32 1
  %59 = load float*, float** %58, align 8
  %60 = getelementptr { { i32, i32 }, float* }, { { i32, i32 }, float* }* %57, i32 0, i32 0, i32 0
  %61 = load i32, i32* %60, align 4
  %62 = getelementptr { { i32, i32 }, float* }, { { i32, i32 }, float* }* %57, i32 0, i32 0, i32 1
  %63 = load i32, i32* %62, align 4
  %64 = mul i32 0, %61
  %65 = add i32 %64, %23
  %66 = mul i32 %65, %63
  %67 = add i32 %66, %25
  %68 = getelementptr float, float* %59, i32 %67
  %69 = load float, float* %68, align 4
  %70 = bitcast float %53 to i32
  %71 = bitcast float %69 to i32
  %72 = icmp ne i32 %70, %71
  %73 = icmp ne i1 %72, false
  br i1 %73, label %true_block, label %false_block

true_block:                                       ; preds = %function_body
  %74 = load float, float* %68, align 4
  %75 = bitcast %struct.PointerMeta.20* %6 to %struct.StructMeta*
  call void @StructMeta_set_snode_id(%struct.StructMeta* %75, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta* %75, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta* %75, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta* %75, %struct.RuntimeContext* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta* %75, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta* %75, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta* %75, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta* %75, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta* %75, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* @S1_refine_coordinates)
  %76 = bitcast %struct.PointerMeta.20* %6 to i8*
  %77 = bitcast %0* %32 to i8*
  call void @Pointer_activate(i8* %76, i8* %77, i32 %36)
  %78 = bitcast %struct.PointerMeta.20* %7 to %struct.StructMeta*
  call void @StructMeta_set_snode_id(%struct.StructMeta* %78, i32 1)
  call void @StructMeta_set_element_size(%struct.StructMeta* %78, i64 16)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta* %78, i64 16)
  call void @StructMeta_set_context(%struct.StructMeta* %78, %struct.RuntimeContext* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta* %78, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta* %78, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta* %78, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta* %78, i8* (i8*)* @get_ch_S0_to_S1)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta* %78, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* @S1_refine_coordinates)
  %79 = bitcast %struct.PointerMeta.20* %7 to i8*
  %80 = bitcast %0* %32 to i8*
  %81 = call i8* @Pointer_lookup_element(i8* %79, i8* %80, i32 %36)
  %82 = call i8* @get_ch_S1_to_S2(i8* %81)
  %83 = bitcast i8* %82 to [4 x %S2_ch]*
  %84 = bitcast %struct.DenseMeta* %8 to %struct.StructMeta*
  call void @StructMeta_set_snode_id(%struct.StructMeta* %84, i32 2)
  call void @StructMeta_set_element_size(%struct.StructMeta* %84, i64 4)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta* %84, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta* %84, %struct.RuntimeContext* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta* %84, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta* %84, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta* %84, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta* %84, i8* (i8*)* @get_ch_S1_to_S2)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta* %84, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* @S2_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta* %8, i32 0)
  %85 = bitcast %struct.DenseMeta* %8 to i8*
  %86 = bitcast [4 x %S2_ch]* %83 to i8*
  %87 = call i8* @Dense_lookup_element(i8* %85, i8* %86, i32 %46)
  %88 = call i8* @get_ch_S2_to_S3(i8* %87)
  %89 = bitcast i8* %88 to float*
  store float %74, float* %89, align 4
  br label %after_if

false_block:                                      ; preds = %function_body
  br label %after_if

after_if:                                         ; preds = %false_block, %true_block
  br label %final
}

define internal void @S1_refine_coordinates(%struct.PhysicalCoordinates.1* %0, %struct.PhysicalCoordinates.1* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 16
  %4 = udiv i32 %3, 4
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 4
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 1)
  %11 = mul i32 %10, 4
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S0_to_S1(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch*
  %getch = getelementptr %S0_ch, %S0_ch* %1, i32 0, i32 0
  %2 = bitcast %0* %getch to i8*
  ret i8* %2
}

define internal void @S2_refine_coordinates(%struct.PhysicalCoordinates.1* %0, %struct.PhysicalCoordinates.1* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 2
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 0)
  %6 = mul i32 %5, 2
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 0, i32 %7)
  %8 = urem i32 %2, 2
  %9 = udiv i32 %8, 1
  %10 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 1)
  %11 = mul i32 %10, 2
  %12 = add i32 %11, %9
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 1, i32 %12)
  %13 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 2)
  %14 = mul i32 %13, 1
  %15 = add i32 %14, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 2, i32 %15)
  %16 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 3)
  %17 = mul i32 %16, 1
  %18 = add i32 %17, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 3, i32 %18)
  %19 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 4)
  %20 = mul i32 %19, 1
  %21 = add i32 %20, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 4, i32 %21)
  %22 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 5)
  %23 = mul i32 %22, 1
  %24 = add i32 %23, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 5, i32 %24)
  %25 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 6)
  %26 = mul i32 %25, 1
  %27 = add i32 %26, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 6, i32 %27)
  %28 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 7)
  %29 = mul i32 %28, 1
  %30 = add i32 %29, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 7, i32 %30)
  %31 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 8)
  %32 = mul i32 %31, 1
  %33 = add i32 %32, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 8, i32 %33)
  %34 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 9)
  %35 = mul i32 %34, 1
  %36 = add i32 %35, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 9, i32 %36)
  %37 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 10)
  %38 = mul i32 %37, 1
  %39 = add i32 %38, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 10, i32 %39)
  %40 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* %0, i32 11)
  %41 = mul i32 %40, 1
  %42 = add i32 %41, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* %1, i32 11, i32 %42)
  ret void
}

define internal i8* @get_ch_S1_to_S2(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %5*
  %getch = getelementptr %5, %5* %1, i32 0, i32 0
  %2 = bitcast [4 x %S2_ch]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S2_to_S3(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S2_ch*
  %getch = getelementptr %S2_ch, %S2_ch* %1, i32 0, i32 0
  %2 = bitcast float* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.1*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1* %0, %struct.PhysicalCoordinates.1** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.1, %struct.PhysicalCoordinates.1* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.1*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1* %0, %struct.PhysicalCoordinates.1** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.1, %struct.PhysicalCoordinates.1* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime* @RuntimeContext_get_runtime(%struct.RuntimeContext* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext*, align 8
  store %struct.RuntimeContext* %0, %struct.RuntimeContext** %2, align 8
  %3 = load %struct.RuntimeContext*, %struct.RuntimeContext** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext, %struct.RuntimeContext* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %4, align 8
  ret %struct.LLVMRuntime* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta* noundef %0, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)*, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* %1, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)*, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)** %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)* %5, void (%struct.PhysicalCoordinates.1*, %struct.PhysicalCoordinates.1*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta* noundef %0, %struct.RuntimeContext* noundef %1) #0 {
  %3 = alloca %struct.StructMeta*, align 8
  %4 = alloca %struct.RuntimeContext*, align 8
  store %struct.StructMeta* %0, %struct.StructMeta** %3, align 8
  store %struct.RuntimeContext* %1, %struct.RuntimeContext** %4, align 8
  %5 = load %struct.RuntimeContext*, %struct.RuntimeContext** %4, align 8
  %6 = load %struct.StructMeta*, %struct.StructMeta** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 8
  store %struct.RuntimeContext* %5, %struct.RuntimeContext** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime* %0, %struct.LLVMRuntime** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext*, i8*)* noundef %3, void (%struct.RuntimeContext*, i8*, i32)* noundef %4, void (%struct.RuntimeContext*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext* %0, %struct.RuntimeContext** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext*, i8*)* %3, void (%struct.RuntimeContext*, i8*)** %11, align 8
  store void (%struct.RuntimeContext*, i8*, i32)* %4, void (%struct.RuntimeContext*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext*, i8*)* %5, void (%struct.RuntimeContext*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext*, i8*)*, void (%struct.RuntimeContext*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext*, i8*)*, void (%struct.RuntimeContext*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext*, %struct.RuntimeContext** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext*, i8*, i32)*, void (%struct.RuntimeContext*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext*, %struct.RuntimeContext** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext*, i8*)*, void (%struct.RuntimeContext*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext*, i8*)*, void (%struct.RuntimeContext*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext*, %struct.RuntimeContext** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext* noundef %56, i8* noundef %57)
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
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta* %0, %struct.DenseMeta** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta*, %struct.DenseMeta** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta, %struct.DenseMeta* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta*
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta*
  %10 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Pointer_get_num_elements(i8* noundef %0, i8* noundef %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta*
  %7 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @Pointer_activate(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.StructMeta*, align 8
  %8 = alloca i32, align 4
  %9 = alloca i8*, align 8
  %10 = alloca i8**, align 8
  %11 = alloca i32, align 4
  %12 = alloca %class.anon.4, align 8
  %13 = alloca %class.anon.5, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %14 = load i8*, i8** %4, align 8
  %15 = bitcast i8* %14 to %struct.StructMeta*
  store %struct.StructMeta* %15, %struct.StructMeta** %7, align 8
  %16 = load i8*, i8** %4, align 8
  %17 = load i8*, i8** %5, align 8
  %18 = call i32 @Pointer_get_num_elements(i8* noundef %16, i8* noundef %17)
  store i32 %18, i32* %8, align 4
  %19 = load i8*, i8** %5, align 8
  %20 = load i32, i32* %6, align 4
  %21 = mul nsw i32 8, %20
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i8, i8* %19, i64 %22
  store volatile i8* %23, i8** %9, align 8
  %24 = load i8*, i8** %5, align 8
  %25 = load i32, i32* %8, align 4
  %26 = load i32, i32* %6, align 4
  %27 = add nsw i32 %25, %26
  %28 = mul nsw i32 8, %27
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i8, i8* %24, i64 %29
  %31 = bitcast i8* %30 to i8**
  store i8** %31, i8*** %10, align 8
  %32 = load i8**, i8*** %10, align 8
  %33 = load volatile i8*, i8** %32, align 8
  %34 = icmp eq i8* %33, null
  br i1 %34, label %35, label %48

35:                                               ; preds = %3
  %36 = call i32 @cuda_active_mask()
  store i32 %36, i32* %11, align 4
  %37 = load i32, i32* %11, align 4
  %38 = load volatile i8*, i8** %9, align 8
  %39 = ptrtoint i8* %38 to i64
  %40 = call zeroext i1 @is_representative(i32 noundef %37, i64 noundef %39)
  br i1 %40, label %41, label %46

41:                                               ; preds = %35
  %42 = load volatile i8*, i8** %9, align 8
  %43 = getelementptr inbounds %class.anon.4, %class.anon.4* %12, i32 0, i32 0
  store %struct.StructMeta** %7, %struct.StructMeta*** %43, align 8
  %44 = getelementptr inbounds %class.anon.4, %class.anon.4* %12, i32 0, i32 1
  store i8*** %10, i8**** %44, align 8
  %45 = getelementptr inbounds %class.anon.5, %class.anon.5* %13, i32 0, i32 0
  store i8*** %10, i8**** %45, align 8
  call void @"_Z11locked_taskIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EvPvRKT_RKT0_"(i8* noundef %42, %class.anon.4* noundef nonnull align 8 dereferenceable(16) %12, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %13)
  br label %46

46:                                               ; preds = %41, %35
  %47 = load i32, i32* %11, align 4
  call void @warp_barrier(i32 noundef %47)
  br label %48

48:                                               ; preds = %46, %3
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_active_mask() #0 {
  %1 = alloca i32, align 4
  %2 = call i32 asm sideeffect "activemask.b32 $0;", "=r,~{dirflag},~{fpsr},~{flags}"() #11, !srcloc !16
  store i32 %2, i32* %1, align 4
  %3 = load i32, i32* %1, align 4
  ret i32 %3
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @is_representative(i32 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i1, align 1
  %4 = alloca i32, align 4
  %5 = alloca i64, align 8
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  %8 = alloca i8, align 1
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store i32 %0, i32* %4, align 4
  store i64 %1, i64* %5, align 8
  %12 = call i32 @cuda_compute_capability()
  %13 = icmp slt i32 %12, 70
  br i1 %13, label %14, label %74

14:                                               ; preds = %2
  store i8 0, i8* %6, align 1
  store i32 1, i32* %7, align 4
  br label %15

15:                                               ; preds = %67, %14
  %16 = load i32, i32* %7, align 4
  %17 = icmp slt i32 %16, 32
  br i1 %17, label %18, label %70

18:                                               ; preds = %15
  %19 = call i32 @warp_idx()
  %20 = load i32, i32* %7, align 4
  %21 = add nsw i32 %19, %20
  %22 = icmp slt i32 %21, 32
  br i1 %22, label %23, label %31

23:                                               ; preds = %18
  %24 = load i32, i32* %4, align 4
  %25 = call i32 @warp_idx()
  %26 = load i32, i32* %7, align 4
  %27 = add nsw i32 %25, %26
  %28 = lshr i32 %24, %27
  %29 = and i32 %28, 1
  %30 = icmp ne i32 %29, 0
  br label %31

31:                                               ; preds = %23, %18
  %32 = phi i1 [ false, %18 ], [ %30, %23 ]
  %33 = zext i1 %32 to i8
  store i8 %33, i8* %8, align 1
  %34 = load i8, i8* %8, align 1
  %35 = trunc i8 %34 to i1
  br i1 %35, label %36, label %56

36:                                               ; preds = %31
  %37 = load i64, i64* %5, align 8
  %38 = trunc i64 %37 to i32
  %39 = load i32, i32* %4, align 4
  %40 = load i64, i64* %5, align 8
  %41 = trunc i64 %40 to i32
  %42 = load i32, i32* %7, align 4
  %43 = call i32 @cuda_shfl_down_sync_i32(i32 noundef %39, i32 noundef %41, i32 noundef %42, i32 noundef 31)
  %44 = icmp eq i32 %38, %43
  br i1 %44, label %45, label %56

45:                                               ; preds = %36
  %46 = load i64, i64* %5, align 8
  %47 = lshr i64 %46, 32
  %48 = trunc i64 %47 to i32
  %49 = load i32, i32* %4, align 4
  %50 = load i64, i64* %5, align 8
  %51 = lshr i64 %50, 32
  %52 = trunc i64 %51 to i32
  %53 = load i32, i32* %7, align 4
  %54 = call i32 @cuda_shfl_down_sync_i32(i32 noundef %49, i32 noundef %52, i32 noundef %53, i32 noundef 31)
  %55 = icmp eq i32 %48, %54
  br label %56

56:                                               ; preds = %45, %36, %31
  %57 = phi i1 [ false, %36 ], [ false, %31 ], [ %55, %45 ]
  %58 = zext i1 %57 to i8
  store i8 %58, i8* %9, align 1
  %59 = load i8, i8* %6, align 1
  %60 = trunc i8 %59 to i1
  br i1 %60, label %64, label %61

61:                                               ; preds = %56
  %62 = load i8, i8* %9, align 1
  %63 = trunc i8 %62 to i1
  br label %64

64:                                               ; preds = %61, %56
  %65 = phi i1 [ true, %56 ], [ %63, %61 ]
  %66 = zext i1 %65 to i8
  store i8 %66, i8* %6, align 1
  br label %67

67:                                               ; preds = %64
  %68 = load i32, i32* %7, align 4
  %69 = add nsw i32 %68, 1
  store i32 %69, i32* %7, align 4
  br label %15, !llvm.loop !17

70:                                               ; preds = %15
  %71 = load i8, i8* %6, align 1
  %72 = trunc i8 %71 to i1
  %73 = xor i1 %72, true
  store i1 %73, i1* %3, align 1
  br label %83

74:                                               ; preds = %2
  %75 = load i32, i32* %4, align 4
  %76 = load i64, i64* %5, align 8
  %77 = call i32 @cuda_match_any_sync_i64(i32 noundef %75, i64 noundef %76)
  store i32 %77, i32* %10, align 4
  %78 = load i32, i32* %10, align 4
  %79 = call i32 @cttz_i32(i32 noundef %78)
  store i32 %79, i32* %11, align 4
  %80 = call i32 @warp_idx()
  %81 = load i32, i32* %11, align 4
  %82 = icmp eq i32 %80, %81
  store i1 %82, i1* %3, align 1
  br label %83

83:                                               ; preds = %74, %70
  %84 = load i1, i1* %3, align 1
  ret i1 %84
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EvPvRKT_RKT0_"(i8* noundef %0, %class.anon.4* noundef nonnull align 8 dereferenceable(16) %1, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %class.anon.4*, align 8
  %6 = alloca %class.anon.5*, align 8
  %7 = alloca %6, align 1
  store i8* %0, i8** %4, align 8
  store %class.anon.4* %1, %class.anon.4** %5, align 8
  store %class.anon.5* %2, %class.anon.5** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %class.anon.4*, %class.anon.4** %5, align 8
  %10 = load %class.anon.5*, %class.anon.5** %6, align 8
  call void @"_ZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC2EPhRKS0_RKS1_"(%6* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %class.anon.4* noundef nonnull align 8 dereferenceable(16) %9, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %10)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @warp_barrier(i32 noundef %0) #0 {
entry:
  call void @llvm.nvvm.bar.warp.sync(i32 %0)
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #3

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC2EPhRKS0_RKS1_"(%6* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %class.anon.4* noundef nonnull align 8 dereferenceable(16) %2, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %3) unnamed_addr #4 align 2 {
  %5 = alloca %6*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %class.anon.4*, align 8
  %8 = alloca %class.anon.5*, align 8
  %9 = alloca %class.anon.39, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %6* %0, %6** %5, align 8
  store i8* %1, i8** %6, align 8
  store %class.anon.4* %2, %class.anon.4** %7, align 8
  store %class.anon.5* %3, %class.anon.5** %8, align 8
  %15 = load %6*, %6** %5, align 8
  %16 = getelementptr inbounds %class.anon.39, %class.anon.39* %9, i32 0, i32 0
  %17 = load %class.anon.5*, %class.anon.5** %8, align 8
  store %class.anon.5* %17, %class.anon.5** %16, align 8
  %18 = getelementptr inbounds %class.anon.39, %class.anon.39* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %class.anon.39, %class.anon.39* %9, i32 0, i32 2
  %20 = load %class.anon.4*, %class.anon.4** %7, align 8
  store %class.anon.4* %20, %class.anon.4** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%class.anon.39* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !18

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%class.anon.39* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !19

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%class.anon.39* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_compute_capability() #0 {
entry:
  ret i32 75
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cttz_i32(i32 noundef %0) #0 {
entry:
  %1 = call i32 @llvm.cttz.i32(i32 %0, i1 false)
  ret i32 %1
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @warp_idx() #0 {
  %1 = call i32 @thread_idx()
  %2 = call i32 @warp_size()
  %3 = srem i32 %1, %2
  ret i32 %3
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%class.anon.39* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %class.anon.39*, align 8
  store %class.anon.39* %0, %class.anon.39** %2, align 8
  %3 = load %class.anon.39*, %class.anon.39** %2, align 8
  %4 = getelementptr inbounds %class.anon.39, %class.anon.39* %3, i32 0, i32 0
  %5 = load %class.anon.5*, %class.anon.5** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %class.anon.39, %class.anon.39* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %class.anon.39, %class.anon.39* %3, i32 0, i32 0
  %12 = load %class.anon.5*, %class.anon.5** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %class.anon.39, %class.anon.39* %3, i32 0, i32 2
  %16 = load %class.anon.4*, %class.anon.4** %15, align 8
  call void @"_ZZ16Pointer_activateENK3$_5clEv"(%class.anon.4* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %class.anon.39, %class.anon.39* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @warp_size() #0 {
  ret i32 32
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %0) #0 align 2 {
  %2 = alloca %class.anon.5*, align 8
  store %class.anon.5* %0, %class.anon.5** %2, align 8
  %3 = load %class.anon.5*, %class.anon.5** %2, align 8
  %4 = getelementptr inbounds %class.anon.5, %class.anon.5* %3, i32 0, i32 0
  %5 = load i8***, i8**** %4, align 8
  %6 = load i8**, i8*** %5, align 8
  %7 = load volatile i8*, i8** %6, align 8
  %8 = icmp eq i8* %7, null
  ret i1 %8
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mutex_lock_i32(i8* noundef %0) #0 {
  %2 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  br label %3

3:                                                ; preds = %8, %1
  %4 = load i8*, i8** %2, align 8
  %5 = bitcast i8* %4 to i32*
  %6 = call i32 @atomic_exchange_i32(i32* noundef %5, i32 noundef 1)
  %7 = icmp eq i32 %6, 1
  br i1 %7, label %8, label %9

8:                                                ; preds = %3
  br label %3, !llvm.loop !20

9:                                                ; preds = %3
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @grid_memfence() #0 {
entry:
  call void @llvm.nvvm.membar.gl()
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ16Pointer_activateENK3$_5clEv"(%class.anon.4* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %class.anon.4*, align 8
  %3 = alloca %struct.LLVMRuntime*, align 8
  %4 = alloca %struct.NodeManager*, align 8
  %5 = alloca i64, align 8
  store %class.anon.4* %0, %class.anon.4** %2, align 8
  %6 = load %class.anon.4*, %class.anon.4** %2, align 8
  %7 = getelementptr inbounds %class.anon.4, %class.anon.4* %6, i32 0, i32 0
  %8 = load %struct.StructMeta**, %struct.StructMeta*** %7, align 8
  %9 = load %struct.StructMeta*, %struct.StructMeta** %8, align 8
  %10 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %9, i32 0, i32 8
  %11 = load %struct.RuntimeContext*, %struct.RuntimeContext** %10, align 8
  %12 = getelementptr inbounds %struct.RuntimeContext, %struct.RuntimeContext* %11, i32 0, i32 1
  %13 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %12, align 8
  store %struct.LLVMRuntime* %13, %struct.LLVMRuntime** %3, align 8
  %14 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %3, align 8
  %15 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %14, i32 0, i32 12
  %16 = getelementptr inbounds %class.anon.4, %class.anon.4* %6, i32 0, i32 0
  %17 = load %struct.StructMeta**, %struct.StructMeta*** %16, align 8
  %18 = load %struct.StructMeta*, %struct.StructMeta** %17, align 8
  %19 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %18, i32 0, i32 0
  %20 = load i32, i32* %19, align 8
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [1024 x %struct.NodeManager*], [1024 x %struct.NodeManager*]* %15, i64 0, i64 %21
  %23 = load %struct.NodeManager*, %struct.NodeManager** %22, align 8
  store %struct.NodeManager* %23, %struct.NodeManager** %4, align 8
  %24 = load %struct.NodeManager*, %struct.NodeManager** %4, align 8
  %25 = call noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager* noundef nonnull align 8 dereferenceable(52) %24)
  %26 = ptrtoint i8* %25 to i64
  store i64 %26, i64* %5, align 8
  %27 = getelementptr inbounds %class.anon.4, %class.anon.4* %6, i32 0, i32 1
  %28 = load i8***, i8**** %27, align 8
  %29 = load i8**, i8*** %28, align 8
  %30 = bitcast i8** %29 to i64*
  %31 = load i64, i64* %5, align 8
  %32 = call i64 @atomic_exchange_u64(i64* noundef %30, i64 noundef %31)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mutex_unlock_i32(i8* noundef %0) #0 {
  %2 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  %3 = load i8*, i8** %2, align 8
  %4 = bitcast i8* %3 to i32*
  %5 = call i32 @atomic_exchange_i32(i32* noundef %4, i32 noundef 0)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_exchange_i32(i32* noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32*, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32* %0, i32** %3, align 8
  store i32 %1, i32* %4, align 4
  %6 = load i32*, i32** %3, align 8
  %7 = load i32, i32* %4, align 4
  %8 = atomicrmw volatile xchg i32* %6, i32 %7 seq_cst, align 4
  store i32 %8, i32* %5, align 4
  %9 = load i32, i32* %5, align 4
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager* noundef nonnull align 8 dereferenceable(52) %0) #0 align 2 {
  %2 = alloca %struct.NodeManager*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.NodeManager* %0, %struct.NodeManager** %2, align 8
  %5 = load %struct.NodeManager*, %struct.NodeManager** %2, align 8
  %6 = getelementptr inbounds %struct.NodeManager, %struct.NodeManager* %5, i32 0, i32 4
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.NodeManager, %struct.NodeManager* %5, i32 0, i32 5
  %10 = load %struct.ListManager*, %struct.ListManager** %9, align 8
  %11 = call noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %10)
  %12 = icmp sge i32 %8, %11
  br i1 %12, label %13, label %17

13:                                               ; preds = %1
  %14 = getelementptr inbounds %struct.NodeManager, %struct.NodeManager* %5, i32 0, i32 7
  %15 = load %struct.ListManager*, %struct.ListManager** %14, align 8
  %16 = call noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %15)
  store i32 %16, i32* %4, align 4
  br label %23

17:                                               ; preds = %1
  %18 = getelementptr inbounds %struct.NodeManager, %struct.NodeManager* %5, i32 0, i32 5
  %19 = load %struct.ListManager*, %struct.ListManager** %18, align 8
  %20 = load i32, i32* %3, align 4
  %21 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %19, i32 noundef %20)
  %22 = load i32, i32* %21, align 4
  store i32 %22, i32* %4, align 4
  br label %23

23:                                               ; preds = %17, %13
  %24 = getelementptr inbounds %struct.NodeManager, %struct.NodeManager* %5, i32 0, i32 7
  %25 = load %struct.ListManager*, %struct.ListManager** %24, align 8
  %26 = load i32, i32* %4, align 4
  %27 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %25, i32 noundef %26)
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @atomic_exchange_u64(i64* noundef %0, i64 noundef %1) #0 {
  %3 = alloca i64*, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store i64* %0, i64** %3, align 8
  store i64 %1, i64* %4, align 8
  %6 = load i64*, i64** %3, align 8
  %7 = load i64, i64* %4, align 8
  %8 = atomicrmw volatile xchg i64* %6, i64 %7 seq_cst, align 8
  store i64 %8, i64* %5, align 8
  %9 = load i64, i64* %5, align 8
  ret i64 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_add_i32(i32* noundef %0, i32 noundef %1) #0 {
entry:
  %2 = atomicrmw add i32* %0, i32 %1 seq_cst, align 4
  ret i32 %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager*, align 8
  store %struct.ListManager* %0, %struct.ListManager** %2, align 8
  %3 = load %struct.ListManager*, %struct.ListManager** %2, align 8
  %4 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %3, i32 0, i32 5
  %5 = load i32, i32* %4, align 8
  ret i32 %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.ListManager* %0, %struct.ListManager** %2, align 8
  %5 = load %struct.ListManager*, %struct.ListManager** %2, align 8
  %6 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %5, i32 0, i32 5
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %5, i32 0, i32 3
  %10 = load i32, i32* %9, align 8
  %11 = ashr i32 %8, %10
  store i32 %11, i32* %4, align 4
  %12 = load i32, i32* %4, align 4
  call void @_ZN11ListManager11touch_chunkEi(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %12)
  %13 = load i32, i32* %3, align 4
  ret i32 %13
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager* %0, %struct.ListManager** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager*, %struct.ListManager** %3, align 8
  %6 = load i32, i32* %4, align 4
  %7 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %6)
  %8 = bitcast i8* %7 to i32*
  ret i32* %8
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager* %0, %struct.ListManager** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager*, %struct.ListManager** %3, align 8
  %6 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %5, i32 0, i32 3
  %9 = load i32, i32* %8, align 8
  %10 = ashr i32 %7, %9
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %6, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %5, i32 0, i32 1
  %15 = load i64, i64* %14, align 8
  %16 = load i32, i32* %4, align 4
  %17 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %5, i32 0, i32 3
  %18 = load i32, i32* %17, align 8
  %19 = shl i32 1, %18
  %20 = sub nsw i32 %19, 1
  %21 = and i32 %16, %20
  %22 = sext i32 %21 to i64
  %23 = mul i64 %15, %22
  %24 = getelementptr inbounds i8, i8* %13, i64 %23
  ret i8* %24
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @_ZN11ListManager11touch_chunkEi(%struct.ListManager* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager*, align 8
  %4 = alloca i32, align 4
  %5 = alloca %class.anon.7, align 8
  store %struct.ListManager* %0, %struct.ListManager** %3, align 8
  store i32 %1, i32* %4, align 4
  %6 = load %struct.ListManager*, %struct.ListManager** %3, align 8
  %7 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 6
  %8 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %7, align 8
  %9 = load i32, i32* %4, align 4
  %10 = sext i32 %9 to i64
  %11 = icmp ult i64 %10, 131072
  call void @taichi_assert_runtime(%struct.LLVMRuntime* noundef %8, i1 noundef zeroext %11, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.5, i64 0, i64 0))
  %12 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 0
  %13 = load i32, i32* %4, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %12, i64 0, i64 %14
  %16 = load i8*, i8** %15, align 8
  %17 = icmp ne i8* %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %2
  %19 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 4
  %20 = bitcast i32* %19 to i8*
  %21 = getelementptr inbounds %class.anon.7, %class.anon.7* %5, i32 0, i32 0
  store %struct.ListManager* %6, %struct.ListManager** %21, align 8
  %22 = getelementptr inbounds %class.anon.7, %class.anon.7* %5, i32 0, i32 1
  store i32* %4, i32** %22, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %20, %class.anon.7* noundef nonnull align 8 dereferenceable(16) %5)
  br label %23

23:                                               ; preds = %18, %2
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @taichi_assert_runtime(%struct.LLVMRuntime* noundef %0, i1 noundef zeroext %1, i8* noundef %2) #0 {
  %4 = alloca %struct.LLVMRuntime*, align 8
  %5 = alloca i8, align 1
  %6 = alloca i8*, align 8
  store %struct.LLVMRuntime* %0, %struct.LLVMRuntime** %4, align 8
  %7 = zext i1 %1 to i8
  store i8 %7, i8* %5, align 1
  store i8* %2, i8** %6, align 8
  %8 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %4, align 8
  %9 = load i8, i8* %5, align 1
  %10 = trunc i8 %9 to i1
  %11 = load i8*, i8** %6, align 8
  call void @taichi_assert_format(%struct.LLVMRuntime* noundef %8, i1 noundef zeroext %10, i8* noundef %11, i32 noundef 0, i64* noundef null)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %0, %class.anon.7* noundef nonnull align 8 dereferenceable(16) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %class.anon.7*, align 8
  %5 = alloca %6, align 1
  store i8* %0, i8** %3, align 8
  store %class.anon.7* %1, %class.anon.7** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %class.anon.7*, %class.anon.7** %4, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %6, %class.anon.7* noundef nonnull align 8 dereferenceable(16) %7, %6* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %0, %class.anon.7* noundef nonnull align 8 dereferenceable(16) %1, %6* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %class.anon.7*, align 8
  %6 = alloca %6*, align 8
  %7 = alloca %6, align 1
  store i8* %0, i8** %4, align 8
  store %class.anon.7* %1, %class.anon.7** %5, align 8
  store %6* %2, %6** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %class.anon.7*, %class.anon.7** %5, align 8
  %10 = load %6*, %6** %6, align 8
  call void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%6* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %class.anon.7* noundef nonnull align 8 dereferenceable(16) %9, %6* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%6* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %class.anon.7* noundef nonnull align 8 dereferenceable(16) %2, %6* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #4 align 2 {
  %5 = alloca %6*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %class.anon.7*, align 8
  %8 = alloca %6*, align 8
  %9 = alloca %class.anon.49, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %6* %0, %6** %5, align 8
  store i8* %1, i8** %6, align 8
  store %class.anon.7* %2, %class.anon.7** %7, align 8
  store %6* %3, %6** %8, align 8
  %15 = load %6*, %6** %5, align 8
  %16 = getelementptr inbounds %class.anon.49, %class.anon.49* %9, i32 0, i32 0
  %17 = load %6*, %6** %8, align 8
  store %6* %17, %6** %16, align 8
  %18 = getelementptr inbounds %class.anon.49, %class.anon.49* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %class.anon.49, %class.anon.49* %9, i32 0, i32 2
  %20 = load %class.anon.7*, %class.anon.7** %7, align 8
  store %class.anon.7* %20, %class.anon.7** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%class.anon.49* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !21

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%class.anon.49* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !22

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%class.anon.49* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%class.anon.49* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %class.anon.49*, align 8
  store %class.anon.49* %0, %class.anon.49** %2, align 8
  %3 = load %class.anon.49*, %class.anon.49** %2, align 8
  %4 = getelementptr inbounds %class.anon.49, %class.anon.49* %3, i32 0, i32 0
  %5 = load %6*, %6** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %class.anon.49, %class.anon.49* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %class.anon.49, %class.anon.49* %3, i32 0, i32 0
  %12 = load %6*, %6** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %class.anon.49, %class.anon.49* %3, i32 0, i32 2
  %16 = load %class.anon.7*, %class.anon.7** %15, align 8
  call void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%class.anon.7* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %class.anon.49, %class.anon.49* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %6*, align 8
  store %6* %0, %6** %2, align 8
  %3 = load %6*, %6** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%class.anon.7* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %class.anon.7*, align 8
  %3 = alloca i8*, align 8
  store %class.anon.7* %0, %class.anon.7** %2, align 8
  %4 = load %class.anon.7*, %class.anon.7** %2, align 8
  %5 = getelementptr inbounds %class.anon.7, %class.anon.7* %4, i32 0, i32 0
  %6 = load %struct.ListManager*, %struct.ListManager** %5, align 8
  %7 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 0
  %8 = getelementptr inbounds %class.anon.7, %class.anon.7* %4, i32 0, i32 1
  %9 = load i32*, i32** %8, align 8
  %10 = load i32, i32* %9, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %7, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = icmp ne i8* %13, null
  br i1 %14, label %37, label %15

15:                                               ; preds = %1
  call void @grid_memfence()
  %16 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 6
  %17 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %16, align 8
  %18 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 6
  %19 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %18, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %19, i32 0, i32 1
  %21 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 2
  %22 = load i64, i64* %21, align 8
  %23 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 1
  %24 = load i64, i64* %23, align 8
  %25 = mul i64 %22, %24
  %26 = call noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime* noundef nonnull align 8 dereferenceable(35256) %17, %struct.PreallocatedMemoryChunk* noundef nonnull align 8 dereferenceable(24) %20, i64 noundef %25, i64 noundef 4096, i1 noundef zeroext true)
  store i8* %26, i8** %3, align 8
  %27 = getelementptr inbounds %struct.ListManager, %struct.ListManager* %6, i32 0, i32 0
  %28 = getelementptr inbounds %class.anon.7, %class.anon.7* %4, i32 0, i32 1
  %29 = load i32*, i32** %28, align 8
  %30 = load i32, i32* %29, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %27, i64 0, i64 %31
  %33 = bitcast i8** %32 to i64*
  %34 = load i8*, i8** %3, align 8
  %35 = ptrtoint i8* %34 to i64
  %36 = call i64 @atomic_exchange_u64(i64* noundef %33, i64 noundef %35)
  br label %37

37:                                               ; preds = %15, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3, i1 noundef zeroext %4) #0 align 2 {
  %6 = alloca i8*, align 8
  %7 = alloca %struct.LLVMRuntime*, align 8
  %8 = alloca %struct.PreallocatedMemoryChunk*, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i8, align 1
  store %struct.LLVMRuntime* %0, %struct.LLVMRuntime** %7, align 8
  store %struct.PreallocatedMemoryChunk* %1, %struct.PreallocatedMemoryChunk** %8, align 8
  store i64 %2, i64* %9, align 8
  store i64 %3, i64* %10, align 8
  %12 = zext i1 %4 to i8
  store i8 %12, i8* %11, align 1
  %13 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %7, align 8
  %14 = load i8, i8* %11, align 1
  %15 = trunc i8 %14 to i1
  br i1 %15, label %16, label %20

16:                                               ; preds = %5
  %17 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %13, i32 0, i32 26
  %18 = load i64, i64* %9, align 8
  %19 = call i64 @atomic_add_i64(i64* noundef %17, i64 noundef %18)
  br label %20

20:                                               ; preds = %16, %5
  %21 = load %struct.PreallocatedMemoryChunk*, %struct.PreallocatedMemoryChunk** %8, align 8
  %22 = getelementptr inbounds %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk* %21, i32 0, i32 2
  %23 = load i64, i64* %22, align 8
  %24 = icmp ugt i64 %23, 0
  br i1 %24, label %25, label %30

25:                                               ; preds = %20
  %26 = load %struct.PreallocatedMemoryChunk*, %struct.PreallocatedMemoryChunk** %8, align 8
  %27 = load i64, i64* %9, align 8
  %28 = load i64, i64* %10, align 8
  %29 = call noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime* noundef nonnull align 8 dereferenceable(35256) %13, %struct.PreallocatedMemoryChunk* noundef nonnull align 8 dereferenceable(24) %26, i64 noundef %27, i64 noundef %28)
  store i8* %29, i8** %6, align 8
  br label %38

30:                                               ; preds = %20
  %31 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %13, i32 0, i32 2
  %32 = load i8* (i8*, i64, i64)*, i8* (i8*, i64, i64)** %31, align 8
  %33 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %13, i32 0, i32 6
  %34 = load i8*, i8** %33, align 8
  %35 = load i64, i64* %9, align 8
  %36 = load i64, i64* %10, align 8
  %37 = call noundef i8* %32(i8* noundef %34, i64 noundef %35, i64 noundef %36)
  store i8* %37, i8** %6, align 8
  br label %38

38:                                               ; preds = %30, %25
  %39 = load i8*, i8** %6, align 8
  ret i8* %39
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @atomic_add_i64(i64* noundef %0, i64 noundef %1) #0 {
entry:
  %2 = atomicrmw add i64* %0, i64 %1 seq_cst, align 8
  ret i64 %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3) #0 align 2 {
  %5 = alloca %struct.LLVMRuntime*, align 8
  %6 = alloca %struct.PreallocatedMemoryChunk*, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i8*, align 8
  %10 = alloca i8, align 1
  %11 = alloca %class.anon.0, align 8
  store %struct.LLVMRuntime* %0, %struct.LLVMRuntime** %5, align 8
  store %struct.PreallocatedMemoryChunk* %1, %struct.PreallocatedMemoryChunk** %6, align 8
  store i64 %2, i64* %7, align 8
  store i64 %3, i64* %8, align 8
  %12 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %5, align 8
  store i8* null, i8** %9, align 8
  store i8 0, i8* %10, align 1
  %13 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %12, i32 0, i32 24
  %14 = bitcast i32* %13 to i8*
  %15 = getelementptr inbounds %class.anon.0, %class.anon.0* %11, i32 0, i32 0
  %16 = load %struct.PreallocatedMemoryChunk*, %struct.PreallocatedMemoryChunk** %6, align 8
  store %struct.PreallocatedMemoryChunk* %16, %struct.PreallocatedMemoryChunk** %15, align 8
  %17 = getelementptr inbounds %class.anon.0, %class.anon.0* %11, i32 0, i32 1
  store i64* %8, i64** %17, align 8
  %18 = getelementptr inbounds %class.anon.0, %class.anon.0* %11, i32 0, i32 2
  store i64* %7, i64** %18, align 8
  %19 = getelementptr inbounds %class.anon.0, %class.anon.0* %11, i32 0, i32 3
  store i8** %9, i8*** %19, align 8
  %20 = getelementptr inbounds %class.anon.0, %class.anon.0* %11, i32 0, i32 4
  store i8* %10, i8** %20, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %14, %class.anon.0* noundef nonnull align 8 dereferenceable(40) %11)
  %21 = load i8, i8* %10, align 1
  %22 = trunc i8 %21 to i1
  br i1 %22, label %24, label %23

23:                                               ; preds = %4
  call void @__assertfail(i8* noundef getelementptr inbounds ([144 x i8], [144 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([11 x i8], [11 x i8]* @.str.1, i64 0, i64 0), i32 noundef 0, i8* noundef getelementptr inbounds ([30 x i8], [30 x i8]* @.str.2, i64 0, i64 0), i64 noundef 1)
  br label %24

24:                                               ; preds = %23, %4
  %25 = load i8, i8* %10, align 1
  %26 = trunc i8 %25 to i1
  call void @taichi_assert_runtime(%struct.LLVMRuntime* noundef %12, i1 noundef zeroext %26, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.3, i64 0, i64 0))
  %27 = load i8*, i8** %9, align 8
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %0, %class.anon.0* noundef nonnull align 8 dereferenceable(40) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %class.anon.0*, align 8
  %5 = alloca %6, align 1
  store i8* %0, i8** %3, align 8
  store %class.anon.0* %1, %class.anon.0** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %class.anon.0*, %class.anon.0** %4, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %6, %class.anon.0* noundef nonnull align 8 dereferenceable(40) %7, %6* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline
declare void @__assertfail(i8* noundef, i8* noundef, i32 noundef, i8* noundef, i64 noundef) #5

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %0, %class.anon.0* noundef nonnull align 8 dereferenceable(40) %1, %6* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %class.anon.0*, align 8
  %6 = alloca %6*, align 8
  %7 = alloca %6, align 1
  store i8* %0, i8** %4, align 8
  store %class.anon.0* %1, %class.anon.0** %5, align 8
  store %6* %2, %6** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %class.anon.0*, %class.anon.0** %5, align 8
  %10 = load %6*, %6** %6, align 8
  call void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%6* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %class.anon.0* noundef nonnull align 8 dereferenceable(40) %9, %6* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%6* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %class.anon.0* noundef nonnull align 8 dereferenceable(40) %2, %6* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #4 align 2 {
  %5 = alloca %6*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %class.anon.0*, align 8
  %8 = alloca %6*, align 8
  %9 = alloca %class.anon.19, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %6* %0, %6** %5, align 8
  store i8* %1, i8** %6, align 8
  store %class.anon.0* %2, %class.anon.0** %7, align 8
  store %6* %3, %6** %8, align 8
  %15 = load %6*, %6** %5, align 8
  %16 = getelementptr inbounds %class.anon.19, %class.anon.19* %9, i32 0, i32 0
  %17 = load %6*, %6** %8, align 8
  store %6* %17, %6** %16, align 8
  %18 = getelementptr inbounds %class.anon.19, %class.anon.19* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %class.anon.19, %class.anon.19* %9, i32 0, i32 2
  %20 = load %class.anon.0*, %class.anon.0** %7, align 8
  store %class.anon.0* %20, %class.anon.0** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%class.anon.19* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !23

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%class.anon.19* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !24

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%class.anon.19* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%class.anon.19* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %class.anon.19*, align 8
  store %class.anon.19* %0, %class.anon.19** %2, align 8
  %3 = load %class.anon.19*, %class.anon.19** %2, align 8
  %4 = getelementptr inbounds %class.anon.19, %class.anon.19* %3, i32 0, i32 0
  %5 = load %6*, %6** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %class.anon.19, %class.anon.19* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %class.anon.19, %class.anon.19* %3, i32 0, i32 0
  %12 = load %6*, %6** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %class.anon.19, %class.anon.19* %3, i32 0, i32 2
  %16 = load %class.anon.0*, %class.anon.0** %15, align 8
  call void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%class.anon.0* noundef nonnull align 8 dereferenceable(40) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %class.anon.19, %class.anon.19* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %6*, align 8
  store %6* %0, %6** %2, align 8
  %3 = load %6*, %6** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%class.anon.0* noundef nonnull align 8 dereferenceable(40) %0) #0 align 2 {
  %2 = alloca %class.anon.0*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store %class.anon.0* %0, %class.anon.0** %2, align 8
  %6 = load %class.anon.0*, %class.anon.0** %2, align 8
  %7 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 0
  %8 = load %struct.PreallocatedMemoryChunk*, %struct.PreallocatedMemoryChunk** %7, align 8
  %9 = getelementptr inbounds %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk* %8, i32 0, i32 0
  %10 = load i8*, i8** %9, align 8
  %11 = ptrtoint i8* %10 to i64
  store i64 %11, i64* %3, align 8
  %12 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 0
  %13 = load %struct.PreallocatedMemoryChunk*, %struct.PreallocatedMemoryChunk** %12, align 8
  %14 = getelementptr inbounds %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk* %13, i32 0, i32 1
  %15 = load i8*, i8** %14, align 8
  %16 = ptrtoint i8* %15 to i64
  store i64 %16, i64* %4, align 8
  %17 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 1
  %18 = load i64*, i64** %17, align 8
  %19 = load i64, i64* %18, align 8
  %20 = sub i64 %19, 1
  %21 = load i64, i64* %3, align 8
  %22 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 1
  %23 = load i64*, i64** %22, align 8
  %24 = load i64, i64* %23, align 8
  %25 = add i64 %21, %24
  %26 = sub i64 %25, 1
  %27 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 1
  %28 = load i64*, i64** %27, align 8
  %29 = load i64, i64* %28, align 8
  %30 = urem i64 %26, %29
  %31 = sub i64 %20, %30
  store i64 %31, i64* %5, align 8
  %32 = load i64, i64* %5, align 8
  %33 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 2
  %34 = load i64*, i64** %33, align 8
  %35 = load i64, i64* %34, align 8
  %36 = add i64 %35, %32
  store i64 %36, i64* %34, align 8
  %37 = load i64, i64* %3, align 8
  %38 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 2
  %39 = load i64*, i64** %38, align 8
  %40 = load i64, i64* %39, align 8
  %41 = add i64 %37, %40
  %42 = load i64, i64* %4, align 8
  %43 = icmp ule i64 %41, %42
  br i1 %43, label %44, label %61

44:                                               ; preds = %1
  %45 = load i64, i64* %3, align 8
  %46 = load i64, i64* %5, align 8
  %47 = add i64 %45, %46
  %48 = inttoptr i64 %47 to i8*
  %49 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 3
  %50 = load i8**, i8*** %49, align 8
  store i8* %48, i8** %50, align 8
  %51 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 2
  %52 = load i64*, i64** %51, align 8
  %53 = load i64, i64* %52, align 8
  %54 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 0
  %55 = load %struct.PreallocatedMemoryChunk*, %struct.PreallocatedMemoryChunk** %54, align 8
  %56 = getelementptr inbounds %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk* %55, i32 0, i32 0
  %57 = load i8*, i8** %56, align 8
  %58 = getelementptr inbounds i8, i8* %57, i64 %53
  store i8* %58, i8** %56, align 8
  %59 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 4
  %60 = load i8*, i8** %59, align 8
  store i8 1, i8* %60, align 1
  br label %64

61:                                               ; preds = %1
  %62 = getelementptr inbounds %class.anon.0, %class.anon.0* %6, i32 0, i32 4
  %63 = load i8*, i8** %62, align 8
  store i8 0, i8* %63, align 1
  br label %64

64:                                               ; preds = %61, %44
  ret void
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal void @taichi_assert_format(%struct.LLVMRuntime* noundef %0, i1 noundef zeroext %1, i8* noundef %2, i32 noundef %3, i64* noundef %4) #6 {
  %6 = alloca %struct.LLVMRuntime*, align 8
  %7 = alloca i8, align 1
  %8 = alloca i8*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64*, align 8
  %11 = alloca %class.anon, align 8
  store %struct.LLVMRuntime* %0, %struct.LLVMRuntime** %6, align 8
  %12 = zext i1 %1 to i8
  store i8 %12, i8* %7, align 1
  store i8* %2, i8** %8, align 8
  store i32 %3, i32* %9, align 4
  store i64* %4, i64** %10, align 8
  call void @mark_force_no_inline()
  %13 = load i8, i8* %7, align 1
  %14 = trunc i8 %13 to i1
  %15 = zext i1 %14 to i32
  %16 = icmp ne i32 %15, 0
  br i1 %16, label %17, label %18

17:                                               ; preds = %5
  br label %32

18:                                               ; preds = %5
  %19 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %6, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %19, i32 0, i32 22
  %21 = load i64, i64* %20, align 8
  %22 = icmp ne i64 %21, 0
  br i1 %22, label %31, label %23

23:                                               ; preds = %18
  %24 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %6, align 8
  %25 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %24, i32 0, i32 21
  %26 = bitcast i32* %25 to i8*
  %27 = getelementptr inbounds %class.anon, %class.anon* %11, i32 0, i32 0
  store %struct.LLVMRuntime** %6, %struct.LLVMRuntime*** %27, align 8
  %28 = getelementptr inbounds %class.anon, %class.anon* %11, i32 0, i32 1
  store i8** %8, i8*** %28, align 8
  %29 = getelementptr inbounds %class.anon, %class.anon* %11, i32 0, i32 2
  store i32* %9, i32** %29, align 8
  %30 = getelementptr inbounds %class.anon, %class.anon* %11, i32 0, i32 3
  store i64** %10, i64*** %30, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %26, %class.anon* noundef nonnull align 8 dereferenceable(32) %11)
  br label %31

31:                                               ; preds = %23, %18
  call void asm sideeffect "exit;", "~{dirflag},~{fpsr},~{flags}"() #11, !srcloc !25
  br label %32

32:                                               ; preds = %31, %17
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @mark_force_no_inline() #0 {
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %0, %class.anon* noundef nonnull align 8 dereferenceable(32) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %class.anon*, align 8
  %5 = alloca %6, align 1
  store i8* %0, i8** %3, align 8
  store %class.anon* %1, %class.anon** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %class.anon*, %class.anon** %4, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %6, %class.anon* noundef nonnull align 8 dereferenceable(32) %7, %6* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %0, %class.anon* noundef nonnull align 8 dereferenceable(32) %1, %6* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %class.anon*, align 8
  %6 = alloca %6*, align 8
  %7 = alloca %6, align 1
  store i8* %0, i8** %4, align 8
  store %class.anon* %1, %class.anon** %5, align 8
  store %6* %2, %6** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %class.anon*, %class.anon** %5, align 8
  %10 = load %6*, %6** %6, align 8
  call void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%6* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %class.anon* noundef nonnull align 8 dereferenceable(32) %9, %6* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%6* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %class.anon* noundef nonnull align 8 dereferenceable(32) %2, %6* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #4 align 2 {
  %5 = alloca %6*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %class.anon*, align 8
  %8 = alloca %6*, align 8
  %9 = alloca %class.anon.14, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %6* %0, %6** %5, align 8
  store i8* %1, i8** %6, align 8
  store %class.anon* %2, %class.anon** %7, align 8
  store %6* %3, %6** %8, align 8
  %15 = load %6*, %6** %5, align 8
  %16 = getelementptr inbounds %class.anon.14, %class.anon.14* %9, i32 0, i32 0
  %17 = load %6*, %6** %8, align 8
  store %6* %17, %6** %16, align 8
  %18 = getelementptr inbounds %class.anon.14, %class.anon.14* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %class.anon.14, %class.anon.14* %9, i32 0, i32 2
  %20 = load %class.anon*, %class.anon** %7, align 8
  store %class.anon* %20, %class.anon** %19, align 8
  %21 = call i32 @cuda_compute_capability()
  %22 = icmp slt i32 %21, 70
  br i1 %22, label %23, label %62

23:                                               ; preds = %4
  store i8 0, i8* %10, align 1
  %24 = load i8, i8* %10, align 1
  %25 = trunc i8 %24 to i1
  br i1 %25, label %26, label %46

26:                                               ; preds = %23
  %27 = call i32 @cuda_active_mask()
  store i32 %27, i32* %11, align 4
  %28 = load i32, i32* %11, align 4
  store i32 %28, i32* %12, align 4
  br label %29

29:                                               ; preds = %39, %26
  %30 = load i32, i32* %12, align 4
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %45

32:                                               ; preds = %29
  %33 = load i32, i32* %12, align 4
  %34 = call i32 @cttz_i32(i32 noundef %33)
  store i32 %34, i32* %13, align 4
  %35 = call i32 @warp_idx()
  %36 = load i32, i32* %13, align 4
  %37 = icmp eq i32 %35, %36
  br i1 %37, label %38, label %39

38:                                               ; preds = %32
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.14* noundef nonnull align 8 dereferenceable(24) %9)
  br label %39

39:                                               ; preds = %38, %32
  %40 = load i32, i32* %13, align 4
  %41 = shl i32 1, %40
  %42 = xor i32 %41, -1
  %43 = load i32, i32* %12, align 4
  %44 = and i32 %43, %42
  store i32 %44, i32* %12, align 4
  br label %29, !llvm.loop !26

45:                                               ; preds = %29
  br label %61

46:                                               ; preds = %23
  store i32 0, i32* %14, align 4
  br label %47

47:                                               ; preds = %57, %46
  %48 = load i32, i32* %14, align 4
  %49 = call i32 @warp_size()
  %50 = icmp slt i32 %48, %49
  br i1 %50, label %51, label %60

51:                                               ; preds = %47
  %52 = call i32 @warp_idx()
  %53 = load i32, i32* %14, align 4
  %54 = icmp eq i32 %52, %53
  br i1 %54, label %55, label %56

55:                                               ; preds = %51
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.14* noundef nonnull align 8 dereferenceable(24) %9)
  br label %56

56:                                               ; preds = %55, %51
  br label %57

57:                                               ; preds = %56
  %58 = load i32, i32* %14, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, i32* %14, align 4
  br label %47, !llvm.loop !27

60:                                               ; preds = %47
  br label %61

61:                                               ; preds = %60, %45
  br label %63

62:                                               ; preds = %4
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.14* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%class.anon.14* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %class.anon.14*, align 8
  store %class.anon.14* %0, %class.anon.14** %2, align 8
  %3 = load %class.anon.14*, %class.anon.14** %2, align 8
  %4 = getelementptr inbounds %class.anon.14, %class.anon.14* %3, i32 0, i32 0
  %5 = load %6*, %6** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %class.anon.14, %class.anon.14* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %class.anon.14, %class.anon.14* %3, i32 0, i32 0
  %12 = load %6*, %6** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %class.anon.14, %class.anon.14* %3, i32 0, i32 2
  %16 = load %class.anon*, %class.anon** %15, align 8
  call void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%class.anon* noundef nonnull align 8 dereferenceable(32) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %class.anon.14, %class.anon.14* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%6* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %6*, align 8
  store %6* %0, %6** %2, align 8
  %3 = load %6*, %6** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%class.anon* noundef nonnull align 8 dereferenceable(32) %0) #0 align 2 {
  %2 = alloca %class.anon*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store %class.anon* %0, %class.anon** %2, align 8
  %6 = load %class.anon*, %class.anon** %2, align 8
  %7 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 0
  %8 = load %struct.LLVMRuntime**, %struct.LLVMRuntime*** %7, align 8
  %9 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %8, align 8
  %10 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %9, i32 0, i32 22
  %11 = load i64, i64* %10, align 8
  %12 = icmp ne i64 %11, 0
  br i1 %12, label %62, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 0
  %15 = load %struct.LLVMRuntime**, %struct.LLVMRuntime*** %14, align 8
  %16 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %15, align 8
  %17 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %16, i32 0, i32 22
  store i64 1, i64* %17, align 8
  %18 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 0
  %19 = load %struct.LLVMRuntime**, %struct.LLVMRuntime*** %18, align 8
  %20 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %19, align 8
  %21 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %20, i32 0, i32 19
  %22 = getelementptr inbounds [2048 x i8], [2048 x i8]* %21, i64 0, i64 0
  call void @llvm.memset.p0i8.i64(i8* align 8 %22, i8 0, i64 2048, i1 false)
  %23 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 0
  %24 = load %struct.LLVMRuntime**, %struct.LLVMRuntime*** %23, align 8
  %25 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %24, align 8
  %26 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %25, i32 0, i32 19
  %27 = getelementptr inbounds [2048 x i8], [2048 x i8]* %26, i64 0, i64 0
  %28 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 1
  %29 = load i8**, i8*** %28, align 8
  %30 = load i8*, i8** %29, align 8
  %31 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 1
  %32 = load i8**, i8*** %31, align 8
  %33 = load i8*, i8** %32, align 8
  %34 = call i64 @taichi_strlen(i8* noundef %33)
  store i64 %34, i64* %3, align 8
  store i64 2047, i64* %4, align 8
  %35 = call noundef nonnull align 8 dereferenceable(8) i64* @_ZSt3minImERKT_S2_S2_(i64* noundef nonnull align 8 dereferenceable(8) %3, i64* noundef nonnull align 8 dereferenceable(8) %4)
  %36 = load i64, i64* %35, align 8
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %27, i8* align 1 %30, i64 %36, i1 false)
  store i32 0, i32* %5, align 4
  br label %37

37:                                               ; preds = %58, %13
  %38 = load i32, i32* %5, align 4
  %39 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 2
  %40 = load i32*, i32** %39, align 8
  %41 = load i32, i32* %40, align 4
  %42 = icmp slt i32 %38, %41
  br i1 %42, label %43, label %61

43:                                               ; preds = %37
  %44 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 3
  %45 = load i64**, i64*** %44, align 8
  %46 = load i64*, i64** %45, align 8
  %47 = load i32, i32* %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i64, i64* %46, i64 %48
  %50 = load i64, i64* %49, align 8
  %51 = getelementptr inbounds %class.anon, %class.anon* %6, i32 0, i32 0
  %52 = load %struct.LLVMRuntime**, %struct.LLVMRuntime*** %51, align 8
  %53 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %52, align 8
  %54 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %53, i32 0, i32 20
  %55 = load i32, i32* %5, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [32 x i64], [32 x i64]* %54, i64 0, i64 %56
  store i64 %50, i64* %57, align 8
  br label %58

58:                                               ; preds = %43
  %59 = load i32, i32* %5, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, i32* %5, align 4
  br label %37, !llvm.loop !28

61:                                               ; preds = %37
  br label %62

62:                                               ; preds = %61, %1
  ret void
}

; Function Attrs: argmemonly nocallback nofree nounwind willreturn writeonly
declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #7

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @taichi_strlen(i8* noundef %0) #0 {
  %2 = alloca i8*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %2, align 8
  store i64 0, i64* %3, align 8
  %5 = load i8*, i8** %2, align 8
  store i8* %5, i8** %4, align 8
  br label %6

6:                                                ; preds = %13, %1
  %7 = load i8*, i8** %4, align 8
  %8 = load i8, i8* %7, align 1
  %9 = icmp ne i8 %8, 0
  br i1 %9, label %10, label %16

10:                                               ; preds = %6
  %11 = load i64, i64* %3, align 8
  %12 = add i64 %11, 1
  store i64 %12, i64* %3, align 8
  br label %13

13:                                               ; preds = %10
  %14 = load i8*, i8** %4, align 8
  %15 = getelementptr inbounds i8, i8* %14, i32 1
  store i8* %15, i8** %4, align 8
  br label %6, !llvm.loop !29

16:                                               ; preds = %6
  %17 = load i64, i64* %3, align 8
  ret i64 %17
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 8 dereferenceable(8) i64* @_ZSt3minImERKT_S2_S2_(i64* noundef nonnull align 8 dereferenceable(8) %0, i64* noundef nonnull align 8 dereferenceable(8) %1) #0 {
  %3 = alloca i64*, align 8
  %4 = alloca i64*, align 8
  %5 = alloca i64*, align 8
  store i64* %0, i64** %4, align 8
  store i64* %1, i64** %5, align 8
  %6 = load i64*, i64** %5, align 8
  %7 = load i64, i64* %6, align 8
  %8 = load i64*, i64** %4, align 8
  %9 = load i64, i64* %8, align 8
  %10 = icmp ult i64 %7, %9
  br i1 %10, label %11, label %13

11:                                               ; preds = %2
  %12 = load i64*, i64** %5, align 8
  store i64* %12, i64** %3, align 8
  br label %15

13:                                               ; preds = %2
  %14 = load i64*, i64** %4, align 8
  store i64* %14, i64** %3, align 8
  br label %15

15:                                               ; preds = %13, %11
  %16 = load i64*, i64** %3, align 8
  ret i64* %16
}

; Function Attrs: argmemonly nocallback nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #8

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #9

; Function Attrs: nocallback nofree nosync nounwind readnone speculatable willreturn
declare i32 @llvm.cttz.i32(i32, i1 immarg) #2

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_shfl_down_sync_i32(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #0 {
entry:
  %4 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %0, i32 %1, i32 %2, i32 %3)
  ret i32 %4
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @cuda_match_any_sync_i64(i32 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store i32 %0, i32* %3, align 4
  store i64 %1, i64* %4, align 8
  %6 = load i64, i64* %4, align 8
  %7 = load i32, i32* %3, align 4
  %8 = call i32 asm sideeffect "match.any.sync.b64  $0, $1, $2;", "=r,l,r,~{dirflag},~{fpsr},~{flags}"(i64 %6, i32 %7) #11, !srcloc !30
  store i32 %8, i32* %5, align 4
  %9 = load i32, i32* %5, align 4
  ret i32 %9
}

; Function Attrs: convergent inaccessiblememonly nocallback nounwind
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32) #10

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Pointer_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
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
define internal i8* @Pointer_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i8*, align 8
  %9 = alloca %struct.StructMeta*, align 8
  %10 = alloca %struct.RuntimeContext*, align 8
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
  %27 = bitcast i8* %26 to %struct.StructMeta*
  store %struct.StructMeta* %27, %struct.StructMeta** %9, align 8
  %28 = load %struct.StructMeta*, %struct.StructMeta** %9, align 8
  %29 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %28, i32 0, i32 8
  %30 = load %struct.RuntimeContext*, %struct.RuntimeContext** %29, align 8
  store %struct.RuntimeContext* %30, %struct.RuntimeContext** %10, align 8
  %31 = load %struct.RuntimeContext*, %struct.RuntimeContext** %10, align 8
  %32 = getelementptr inbounds %struct.RuntimeContext, %struct.RuntimeContext* %31, i32 0, i32 1
  %33 = load %struct.LLVMRuntime*, %struct.LLVMRuntime** %32, align 8
  %34 = getelementptr inbounds %struct.LLVMRuntime, %struct.LLVMRuntime* %33, i32 0, i32 13
  %35 = load %struct.StructMeta*, %struct.StructMeta** %9, align 8
  %36 = getelementptr inbounds %struct.StructMeta, %struct.StructMeta* %35, i32 0, i32 0
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

attributes #0 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn }
attributes #2 = { nocallback nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { alwaysinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { alwaysinline "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { argmemonly nocallback nofree nounwind willreturn writeonly }
attributes #8 = { argmemonly nocallback nofree nounwind willreturn }
attributes #9 = { nocallback nounwind }
attributes #10 = { convergent inaccessiblememonly nocallback nounwind }
attributes #11 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext*)* @put_c86_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext*)* @put_c86_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext*)* @put_c86_0_kernel_0_range_for, !"minctasm", i32 2}
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
!16 = !{i64 33607}
!17 = distinct !{!17, !15}
!18 = distinct !{!18, !15}
!19 = distinct !{!19, !15}
!20 = distinct !{!20, !15}
!21 = distinct !{!21, !15}
!22 = distinct !{!22, !15}
!23 = distinct !{!23, !15}
!24 = distinct !{!24, !15}
!25 = !{i64 22228}
!26 = distinct !{!26, !15}
!27 = distinct !{!27, !15}
!28 = distinct !{!28, !15}
!29 = distinct !{!29, !15}
!30 = !{i64 33385}
