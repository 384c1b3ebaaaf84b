; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%0 = type { [16 x i64], [16 x i8*] }
%1 = type { [1 x i32], [16 x %S9_ch.49] }
%2 = type { { i32, i32 }, i8* }
%3 = type { [1048576 x i64], [1048576 x i8*] }
%4 = type { [4 x i64], [4 x i8*] }
%5 = type { [1 x i32], [4 x %S5_ch] }
%6 = type { %5 }
%7 = type { %struct.StructMeta.46**, i8*** }
%8 = type { i8 }
%9 = type { %class.anon.5*, i8**, %7* }
%10 = type { %struct.ListManager.40*, i32* }
%11 = type { %8*, i8**, %10* }
%12 = type { %struct.PreallocatedMemoryChunk.38*, i64*, i64*, i8**, i8* }
%13 = type { %8*, i8**, %12* }
%14 = type { %struct.LLVMRuntime.43**, i8**, i32*, i64** }
%15 = type { %8*, i8**, %14* }
%struct.RuntimeContext.44 = type { i8*, %struct.LLVMRuntime.43*, i32, i64* }
%struct.LLVMRuntime.43 = type { %struct.PreallocatedMemoryChunk.38, %struct.PreallocatedMemoryChunk.38, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.39*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.40*], [1024 x %struct.NodeManager.41*], [1024 x i8*], i8*, %struct.RandState.42*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.38 = type { i8*, i8*, i64 }
%struct.__va_list_tag.39 = type { i32, i32, i8*, i8* }
%struct.ListManager.40 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.43* }
%struct.NodeManager.41 = type <{ %struct.LLVMRuntime.43*, i32, i32, i32, i32, %struct.ListManager.40*, %struct.ListManager.40*, %struct.ListManager.40*, i32, [4 x i8] }>
%struct.RandState.42 = type { i32, i32, i32, i32, i32 }
%struct.PointerMeta.47 = type <{ %struct.StructMeta.46, i8, [7 x i8] }>
%struct.StructMeta.46 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)*, %struct.RuntimeContext.44* }
%struct.PhysicalCoordinates.1.45 = type { [12 x i32] }
%S0_ch.53 = type { %0, %4, %1, [3 x %S11_ch.50], %3, [7 x %S17_ch.51], [4 x %S23_ch.52], %4 }
%S9_ch.49 = type { i1 }
%S11_ch.50 = type { %2 }
%S17_ch.51 = type { i64 }
%S23_ch.52 = type { i32 }
%S5_ch = type { i16, i16, i16 }
%class.anon.5 = type { i8*** }

@.str = private unnamed_addr constant [144 x i8] c"Out of CUDA pre-allocated memory.\0AConsider using ti.init(device_memory_fraction=0.9) or ti.init(device_memory_GB=4) to allocate more GPU memory\00", align 1
@.str.1 = private unnamed_addr constant [11 x i8] c"Taichi JIT\00", align 1
@.str.2 = private unnamed_addr constant [30 x i8] c"allocate_from_reserved_memory\00", align 1
@.str.3 = private unnamed_addr constant [28 x i8] c"Out of pre-allocated memory\00", align 1
@.str.5 = private unnamed_addr constant [28 x i8] c"List manager out of chunks.\00", align 1

define void @put_c90_0_kernel_0_range_for(%struct.RuntimeContext.44* byval(%struct.RuntimeContext.44) %context) {
entry:
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  call void @gpu_parallel_range_for(%struct.RuntimeContext.44* %context, i32 0, i32 16, void (%struct.RuntimeContext.44*, i8*)* null, void (%struct.RuntimeContext.44*, i8*, i32)* @function_body, void (%struct.RuntimeContext.44*, i8*)* null, i64 1)
  br label %final
}

define internal void @function_body(%struct.RuntimeContext.44* %0, i8* %1, i32 %2) {
allocs:
  %3 = alloca i32, align 4
  %4 = alloca %struct.PointerMeta.47, align 8
  %5 = alloca %struct.PointerMeta.47, align 8
  %6 = alloca i1, align 1
  %7 = alloca i1, align 1
  %8 = alloca i1, align 1
  %9 = alloca %struct.PointerMeta.47, align 8
  %10 = alloca %struct.PointerMeta.47, align 8
  %11 = alloca %struct.PointerMeta.47, align 8
  %12 = alloca %struct.PointerMeta.47, align 8
  br label %entry

final:                                            ; preds = %after_if9
  ret void

entry:                                            ; preds = %allocs
  br label %function_body

function_body:                                    ; preds = %entry
  store i32 %2, i32* %3, align 4
  %13 = load i32, i32* %3, align 4
  %14 = call %struct.LLVMRuntime.43* @RuntimeContext_get_runtime(%struct.RuntimeContext.44* %0)
  %15 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.43* %14, i32 1)
  %16 = bitcast i8* %15 to %S0_ch.53*
  %17 = getelementptr %S0_ch.53, %S0_ch.53* %16, i32 0
  %18 = bitcast %S0_ch.53* %17 to i8*
  %19 = call i8* @get_ch_S0_to_S4(i8* %18)
  %20 = bitcast i8* %19 to %4*
  %21 = lshr i32 %13, 2
  %22 = bitcast %struct.PointerMeta.47* %4 to %struct.StructMeta.46*
  call void @StructMeta_set_snode_id(%struct.StructMeta.46* %22, i32 4)
  call void @StructMeta_set_element_size(%struct.StructMeta.46* %22, i64 28)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.46* %22, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.46* %22, %struct.RuntimeContext.44* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.46* %22, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.46* %22, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.46* %22, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.46* %22, i8* (i8*)* @get_ch_S0_to_S4)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.46* %22, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* @S4_refine_coordinates)
  %23 = bitcast %struct.PointerMeta.47* %4 to i8*
  %24 = bitcast %4* %20 to i8*
  %25 = call i8* @Pointer_lookup_element(i8* %23, i8* %24, i32 %21)
  %26 = call i8* @get_ch_S4_to_S5(i8* %25)
  %27 = bitcast i8* %26 to %5*
  %28 = and i32 %13, 3
  %29 = bitcast %struct.PointerMeta.47* %5 to %struct.StructMeta.46*
  call void @StructMeta_set_snode_id(%struct.StructMeta.46* %29, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.46* %29, i64 6)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.46* %29, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.46* %29, %struct.RuntimeContext.44* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.46* %29, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.46* %29, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.46* %29, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.46* %29, i8* (i8*)* @get_ch_S4_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.46* %29, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* @S5_refine_coordinates)
  %30 = bitcast %struct.PointerMeta.47* %5 to i8*
  %31 = bitcast %5* %27 to i8*
  %32 = call i8* @Bitmasked_lookup_element(i8* %30, i8* %31, i32 %28)
  %33 = call i8* @get_ch_S5_to_S6(i8* %32)
  %34 = bitcast i8* %33 to i16*
  %35 = load i16, i16* %34, align 2
  %36 = call i8* @get_ch_S5_to_S7(i8* %32)
  %37 = bitcast i8* %36 to i16*
  %38 = load i16, i16* %37, align 2
  %39 = call i8* @get_ch_S5_to_S8(i8* %32)
  %40 = bitcast i8* %39 to i16*
  %41 = load i16, i16* %40, align 2
  %42 = getelementptr %struct.RuntimeContext.44, %struct.RuntimeContext.44* %0, i32 0, i32 0
  %43 = bitcast i8** %42 to { { { i32 }, i16* } }**
  %44 = load { { { i32 }, i16* } }*, { { { i32 }, i16* } }** %43, align 8
  %45 = getelementptr { { { i32 }, i16* } }, { { { i32 }, i16* } }* %44, i32 0, i32 0
  %46 = getelementptr { { i32 }, i16* }, { { i32 }, i16* }* %45, i32 0, i32 1
  %47 = load i16*, i16** %46, align 8
  %48 = getelementptr { { i32 }, i16* }, { { i32 }, i16* }* %45, i32 0, i32 0, i32 0
  %49 = load i32, i32* %48, align 4
  %50 = mul i32 0, %49
  %51 = add i32 %50, %13
  %52 = mul i32 %51, 3
  %53 = add i32 %52, 0
  %54 = getelementptr i16, i16* %47, i32 %53
  %55 = load i16, i16* %54, align 2
  %56 = getelementptr { { i32 }, i16* }, { { i32 }, i16* }* %45, i32 0, i32 1
  %57 = load i16*, i16** %56, align 8
  %58 = getelementptr { { i32 }, i16* }, { { i32 }, i16* }* %45, i32 0, i32 0, i32 0
  %59 = load i32, i32* %58, align 4
  %60 = mul i32 0, %59
  %61 = add i32 %60, %13
  %62 = mul i32 %61, 3
  %63 = add i32 %62, 1
  %64 = getelementptr i16, i16* %57, i32 %63
  %65 = load i16, i16* %64, align 2
  %66 = getelementptr { { i32 }, i16* }, { { i32 }, i16* }* %45, i32 0, i32 1
  %67 = load i16*, i16** %66, align 8
  %68 = getelementptr { { i32 }, i16* }, { { i32 }, i16* }* %45, i32 0, i32 0, i32 0
  %69 = load i32, i32* %68, align 4
  %70 = mul i32 0, %69
  %71 = add i32 %70, %13
  %72 = mul i32 %71, 3
  %73 = add i32 %72, 2
  %74 = getelementptr i16, i16* %67, i32 %73
  %75 = load i16, i16* %74, align 2
  %76 = icmp ne i16 %35, %55
  %77 = icmp ne i16 %38, %65
  %78 = icmp ne i16 %41, %75
  %79 = icmp ne i1 %76, false
  %80 = and i1 true, %79
  %81 = icmp ne i1 %77, false
  %82 = and i1 true, %81
  %83 = icmp ne i1 %78, false
  %84 = and i1 true, %83
  %85 = zext i1 %80 to i32
  %86 = zext i1 %82 to i32
  %87 = zext i1 %84 to i32
  %88 = icmp ne i32 %85, 0
  %89 = icmp ne i32 %86, 0
  %90 = icmp ne i32 %87, 0
  %91 = icmp ne i1 %88, false
  %92 = and i1 true, %91
  %93 = icmp ne i1 %89, false
  %94 = and i1 true, %93
  %95 = icmp ne i1 %90, false
  %96 = and i1 true, %95
  store i1 false, i1* %6, align 1
  store i1 %92, i1* %6, align 1
  %97 = icmp ne i1 %92, false
  br i1 %97, label %true_block, label %false_block

true_block:                                       ; preds = %function_body
  br label %after_if

false_block:                                      ; preds = %function_body
  store i1 %94, i1* %6, align 1
  br label %after_if

after_if:                                         ; preds = %false_block, %true_block
  %98 = load i1, i1* %6, align 1
  store i1 false, i1* %7, align 1
  store i1 %98, i1* %7, align 1
  %99 = icmp ne i1 %98, false
  br i1 %99, label %true_block1, label %false_block2

true_block1:                                      ; preds = %after_if
  br label %after_if3

false_block2:                                     ; preds = %after_if
  store i1 %96, i1* %7, align 1
  br label %after_if3

after_if3:                                        ; preds = %false_block2, %true_block1
  %100 = load i1, i1* %7, align 1
  store i1 false, i1* %8, align 1
  store i1 %100, i1* %8, align 1
  %101 = icmp ne i1 %100, false
  br i1 %101, label %true_block4, label %false_block5

true_block4:                                      ; preds = %after_if3
  store i1 true, i1* %8, align 1
  br label %after_if6

false_block5:                                     ; preds = %after_if3
  br label %after_if6

after_if6:                                        ; preds = %false_block5, %true_block4
  %102 = load i1, i1* %8, align 1
  %103 = icmp ne i1 %102, false
  br i1 %103, label %true_block7, label %false_block8

true_block7:                                      ; preds = %after_if6
  %104 = load i16, i16* %54, align 2
  %105 = load i16, i16* %64, align 2
  %106 = load i16, i16* %74, align 2
  %107 = bitcast %struct.PointerMeta.47* %9 to %struct.StructMeta.46*
  call void @StructMeta_set_snode_id(%struct.StructMeta.46* %107, i32 4)
  call void @StructMeta_set_element_size(%struct.StructMeta.46* %107, i64 28)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.46* %107, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.46* %107, %struct.RuntimeContext.44* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.46* %107, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.46* %107, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.46* %107, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.46* %107, i8* (i8*)* @get_ch_S0_to_S4)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.46* %107, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* @S4_refine_coordinates)
  %108 = bitcast %struct.PointerMeta.47* %9 to i8*
  %109 = bitcast %4* %20 to i8*
  call void @Pointer_activate(i8* %108, i8* %109, i32 %21)
  %110 = bitcast %struct.PointerMeta.47* %10 to %struct.StructMeta.46*
  call void @StructMeta_set_snode_id(%struct.StructMeta.46* %110, i32 4)
  call void @StructMeta_set_element_size(%struct.StructMeta.46* %110, i64 28)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.46* %110, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.46* %110, %struct.RuntimeContext.44* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.46* %110, i8* (i8*, i8*, i32)* @Pointer_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.46* %110, i1 (i8*, i8*, i32)* @Pointer_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.46* %110, i32 (i8*, i8*)* @Pointer_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.46* %110, i8* (i8*)* @get_ch_S0_to_S4)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.46* %110, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* @S4_refine_coordinates)
  %111 = bitcast %struct.PointerMeta.47* %10 to i8*
  %112 = bitcast %4* %20 to i8*
  %113 = call i8* @Pointer_lookup_element(i8* %111, i8* %112, i32 %21)
  %114 = call i8* @get_ch_S4_to_S5(i8* %113)
  %115 = bitcast i8* %114 to %5*
  %116 = bitcast %struct.PointerMeta.47* %11 to %struct.StructMeta.46*
  call void @StructMeta_set_snode_id(%struct.StructMeta.46* %116, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.46* %116, i64 6)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.46* %116, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.46* %116, %struct.RuntimeContext.44* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.46* %116, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.46* %116, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.46* %116, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.46* %116, i8* (i8*)* @get_ch_S4_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.46* %116, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* @S5_refine_coordinates)
  %117 = bitcast %struct.PointerMeta.47* %11 to i8*
  %118 = bitcast %5* %115 to i8*
  call void @Bitmasked_activate(i8* %117, i8* %118, i32 %28)
  %119 = bitcast %struct.PointerMeta.47* %12 to %struct.StructMeta.46*
  call void @StructMeta_set_snode_id(%struct.StructMeta.46* %119, i32 5)
  call void @StructMeta_set_element_size(%struct.StructMeta.46* %119, i64 6)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.46* %119, i64 4)
  call void @StructMeta_set_context(%struct.StructMeta.46* %119, %struct.RuntimeContext.44* %0)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.46* %119, i8* (i8*, i8*, i32)* @Bitmasked_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.46* %119, i1 (i8*, i8*, i32)* @Bitmasked_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.46* %119, i32 (i8*, i8*)* @Bitmasked_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.46* %119, i8* (i8*)* @get_ch_S4_to_S5)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.46* %119, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* @S5_refine_coordinates)
  %120 = bitcast %struct.PointerMeta.47* %12 to i8*
  %121 = bitcast %5* %115 to i8*
  %122 = call i8* @Bitmasked_lookup_element(i8* %120, i8* %121, i32 %28)
  %123 = call i8* @get_ch_S5_to_S6(i8* %122)
  %124 = bitcast i8* %123 to i16*
  store i16 %104, i16* %124, align 2
  %125 = call i8* @get_ch_S5_to_S7(i8* %122)
  %126 = bitcast i8* %125 to i16*
  store i16 %105, i16* %126, align 2
  %127 = call i8* @get_ch_S5_to_S8(i8* %122)
  %128 = bitcast i8* %127 to i16*
  store i16 %106, i16* %128, align 2
  br label %after_if9

false_block8:                                     ; preds = %after_if6
  br label %after_if9

after_if9:                                        ; preds = %false_block8, %true_block7
  br label %final
}

define internal void @S4_refine_coordinates(%struct.PhysicalCoordinates.1.45* %0, %struct.PhysicalCoordinates.1.45* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S0_to_S4(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.53*
  %getch = getelementptr %S0_ch.53, %S0_ch.53* %1, i32 0, i32 1
  %2 = bitcast %4* %getch to i8*
  ret i8* %2
}

define internal void @S5_refine_coordinates(%struct.PhysicalCoordinates.1.45* %0, %struct.PhysicalCoordinates.1.45* %1, i32 %2) {
entry:
  %3 = urem i32 %2, 4
  %4 = udiv i32 %3, 1
  %5 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 0)
  %6 = mul i32 %5, 4
  %7 = add i32 %6, %4
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 0, i32 %7)
  %8 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 1)
  %9 = mul i32 %8, 1
  %10 = add i32 %9, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 1, i32 %10)
  %11 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 2)
  %12 = mul i32 %11, 1
  %13 = add i32 %12, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 2, i32 %13)
  %14 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 3)
  %15 = mul i32 %14, 1
  %16 = add i32 %15, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 3, i32 %16)
  %17 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 4)
  %18 = mul i32 %17, 1
  %19 = add i32 %18, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 4, i32 %19)
  %20 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 5)
  %21 = mul i32 %20, 1
  %22 = add i32 %21, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 5, i32 %22)
  %23 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 6)
  %24 = mul i32 %23, 1
  %25 = add i32 %24, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 6, i32 %25)
  %26 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 7)
  %27 = mul i32 %26, 1
  %28 = add i32 %27, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 7, i32 %28)
  %29 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 8)
  %30 = mul i32 %29, 1
  %31 = add i32 %30, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 8, i32 %31)
  %32 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 9)
  %33 = mul i32 %32, 1
  %34 = add i32 %33, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 9, i32 %34)
  %35 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 10)
  %36 = mul i32 %35, 1
  %37 = add i32 %36, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 10, i32 %37)
  %38 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* %0, i32 11)
  %39 = mul i32 %38, 1
  %40 = add i32 %39, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* %1, i32 11, i32 %40)
  ret void
}

define internal i8* @get_ch_S4_to_S5(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %6*
  %getch = getelementptr %6, %6* %1, i32 0, i32 0
  %2 = bitcast %5* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S5_to_S6(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S5_ch*
  %getch = getelementptr %S5_ch, %S5_ch* %1, i32 0, i32 0
  %2 = bitcast i16* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S5_to_S7(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S5_ch*
  %getch = getelementptr %S5_ch, %S5_ch* %1, i32 0, i32 1
  %2 = bitcast i16* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S5_to_S8(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S5_ch*
  %getch = getelementptr %S5_ch, %S5_ch* %1, i32 0, i32 2
  %2 = bitcast i16* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.1.45* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.1.45*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.45* %0, %struct.PhysicalCoordinates.1.45** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.1.45, %struct.PhysicalCoordinates.1.45* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.1.45* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.1.45*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.1.45* %0, %struct.PhysicalCoordinates.1.45** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.1.45, %struct.PhysicalCoordinates.1.45* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.43* @RuntimeContext_get_runtime(%struct.RuntimeContext.44* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.44*, align 8
  store %struct.RuntimeContext.44* %0, %struct.RuntimeContext.44** %2, align 8
  %3 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.44, %struct.RuntimeContext.44* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %4, align 8
  ret %struct.LLVMRuntime.43* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.46* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.46* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.46* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.46* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.46* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.46* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.46* noundef %0, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)*, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* %1, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)*, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)** %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)* %5, void (%struct.PhysicalCoordinates.1.45*, %struct.PhysicalCoordinates.1.45*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.46* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.46* noundef %0, %struct.RuntimeContext.44* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.46*, align 8
  %4 = alloca %struct.RuntimeContext.44*, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %3, align 8
  store %struct.RuntimeContext.44* %1, %struct.RuntimeContext.44** %4, align 8
  %5 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %4, align 8
  %6 = load %struct.StructMeta.46*, %struct.StructMeta.46** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 8
  store %struct.RuntimeContext.44* %5, %struct.RuntimeContext.44** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.43* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.43*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.43* %0, %struct.LLVMRuntime.43** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @gpu_parallel_range_for(%struct.RuntimeContext.44* noundef %0, i32 noundef %1, i32 noundef %2, void (%struct.RuntimeContext.44*, i8*)* noundef %3, void (%struct.RuntimeContext.44*, i8*, i32)* noundef %4, void (%struct.RuntimeContext.44*, i8*)* noundef %5, i64 noundef %6) #0 {
  %8 = alloca %struct.RuntimeContext.44*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca void (%struct.RuntimeContext.44*, i8*)*, align 8
  %12 = alloca void (%struct.RuntimeContext.44*, i8*, i32)*, align 8
  %13 = alloca void (%struct.RuntimeContext.44*, i8*)*, align 8
  %14 = alloca i64, align 8
  %15 = alloca i32, align 4
  %16 = alloca i8*, align 8
  %17 = alloca i64, align 8
  %18 = alloca i8*, align 8
  store %struct.RuntimeContext.44* %0, %struct.RuntimeContext.44** %8, align 8
  store i32 %1, i32* %9, align 4
  store i32 %2, i32* %10, align 4
  store void (%struct.RuntimeContext.44*, i8*)* %3, void (%struct.RuntimeContext.44*, i8*)** %11, align 8
  store void (%struct.RuntimeContext.44*, i8*, i32)* %4, void (%struct.RuntimeContext.44*, i8*, i32)** %12, align 8
  store void (%struct.RuntimeContext.44*, i8*)* %5, void (%struct.RuntimeContext.44*, i8*)** %13, align 8
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
  %30 = load void (%struct.RuntimeContext.44*, i8*)*, void (%struct.RuntimeContext.44*, i8*)** %11, align 8
  %31 = icmp ne void (%struct.RuntimeContext.44*, i8*)* %30, null
  br i1 %31, label %32, label %36

32:                                               ; preds = %7
  %33 = load void (%struct.RuntimeContext.44*, i8*)*, void (%struct.RuntimeContext.44*, i8*)** %11, align 8
  %34 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %8, align 8
  %35 = load i8*, i8** %18, align 8
  call void %33(%struct.RuntimeContext.44* noundef %34, i8* noundef %35)
  br label %36

36:                                               ; preds = %32, %7
  br label %37

37:                                               ; preds = %41, %36
  %38 = load i32, i32* %15, align 4
  %39 = load i32, i32* %10, align 4
  %40 = icmp slt i32 %38, %39
  br i1 %40, label %41, label %51

41:                                               ; preds = %37
  %42 = load void (%struct.RuntimeContext.44*, i8*, i32)*, void (%struct.RuntimeContext.44*, i8*, i32)** %12, align 8
  %43 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %8, align 8
  %44 = load i8*, i8** %18, align 8
  %45 = load i32, i32* %15, align 4
  call void %42(%struct.RuntimeContext.44* noundef %43, i8* noundef %44, i32 noundef %45)
  %46 = call i32 @block_dim()
  %47 = call i32 @grid_dim()
  %48 = mul nsw i32 %46, %47
  %49 = load i32, i32* %15, align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, i32* %15, align 4
  br label %37, !llvm.loop !14

51:                                               ; preds = %37
  %52 = load void (%struct.RuntimeContext.44*, i8*)*, void (%struct.RuntimeContext.44*, i8*)** %13, align 8
  %53 = icmp ne void (%struct.RuntimeContext.44*, i8*)* %52, null
  br i1 %53, label %54, label %58

54:                                               ; preds = %51
  %55 = load void (%struct.RuntimeContext.44*, i8*)*, void (%struct.RuntimeContext.44*, i8*)** %13, align 8
  %56 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %8, align 8
  %57 = load i8*, i8** %18, align 8
  call void %55(%struct.RuntimeContext.44* noundef %56, i8* noundef %57)
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
define internal i32 @Pointer_get_num_elements(i8* noundef %0, i8* noundef %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.46*
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @Pointer_activate(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.StructMeta.46*, align 8
  %8 = alloca i32, align 4
  %9 = alloca i8*, align 8
  %10 = alloca i8**, align 8
  %11 = alloca i32, align 4
  %12 = alloca %7, align 8
  %13 = alloca %class.anon.5, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %14 = load i8*, i8** %4, align 8
  %15 = bitcast i8* %14 to %struct.StructMeta.46*
  store %struct.StructMeta.46* %15, %struct.StructMeta.46** %7, align 8
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
  %43 = getelementptr inbounds %7, %7* %12, i32 0, i32 0
  store %struct.StructMeta.46** %7, %struct.StructMeta.46*** %43, align 8
  %44 = getelementptr inbounds %7, %7* %12, i32 0, i32 1
  store i8*** %10, i8**** %44, align 8
  %45 = getelementptr inbounds %class.anon.5, %class.anon.5* %13, i32 0, i32 0
  store i8*** %10, i8**** %45, align 8
  call void @"_Z11locked_taskIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EvPvRKT_RKT0_"(i8* noundef %42, %7* noundef nonnull align 8 dereferenceable(16) %12, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %13)
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
define internal void @"_Z11locked_taskIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EvPvRKT_RKT0_"(i8* noundef %0, %7* noundef nonnull align 8 dereferenceable(16) %1, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %7*, align 8
  %6 = alloca %class.anon.5*, align 8
  %7 = alloca %8, align 1
  store i8* %0, i8** %4, align 8
  store %7* %1, %7** %5, align 8
  store %class.anon.5* %2, %class.anon.5** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %7*, %7** %5, align 8
  %10 = load %class.anon.5*, %class.anon.5** %6, align 8
  call void @"_ZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC2EPhRKS0_RKS1_"(%8* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %7* noundef nonnull align 8 dereferenceable(16) %9, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %10)
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
define internal void @"_ZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC2EPhRKS0_RKS1_"(%8* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %7* noundef nonnull align 8 dereferenceable(16) %2, %class.anon.5* noundef nonnull align 8 dereferenceable(8) %3) unnamed_addr #4 align 2 {
  %5 = alloca %8*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %7*, align 8
  %8 = alloca %class.anon.5*, align 8
  %9 = alloca %9, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %8* %0, %8** %5, align 8
  store i8* %1, i8** %6, align 8
  store %7* %2, %7** %7, align 8
  store %class.anon.5* %3, %class.anon.5** %8, align 8
  %15 = load %8*, %8** %5, align 8
  %16 = getelementptr inbounds %9, %9* %9, i32 0, i32 0
  %17 = load %class.anon.5*, %class.anon.5** %8, align 8
  store %class.anon.5* %17, %class.anon.5** %16, align 8
  %18 = getelementptr inbounds %9, %9* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %9, %9* %9, i32 0, i32 2
  %20 = load %7*, %7** %7, align 8
  store %7* %20, %7** %19, align 8
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
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %9)
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
define internal void @"_ZZN10lock_guardIZ16Pointer_activateE3$_5Z16Pointer_activateE3$_6EC1EPhRKS0_RKS1_ENKUlvE_clEv"(%9* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %9*, align 8
  store %9* %0, %9** %2, align 8
  %3 = load %9*, %9** %2, align 8
  %4 = getelementptr inbounds %9, %9* %3, i32 0, i32 0
  %5 = load %class.anon.5*, %class.anon.5** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %9, %9* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %9, %9* %3, i32 0, i32 0
  %12 = load %class.anon.5*, %class.anon.5** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ16Pointer_activateENK3$_6clEv"(%class.anon.5* noundef nonnull align 8 dereferenceable(8) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %9, %9* %3, i32 0, i32 2
  %16 = load %7*, %7** %15, align 8
  call void @"_ZZ16Pointer_activateENK3$_5clEv"(%7* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %9, %9* %3, i32 0, i32 1
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
define internal void @"_ZZ16Pointer_activateENK3$_5clEv"(%7* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %7*, align 8
  %3 = alloca %struct.LLVMRuntime.43*, align 8
  %4 = alloca %struct.NodeManager.41*, align 8
  %5 = alloca i64, align 8
  store %7* %0, %7** %2, align 8
  %6 = load %7*, %7** %2, align 8
  %7 = getelementptr inbounds %7, %7* %6, i32 0, i32 0
  %8 = load %struct.StructMeta.46**, %struct.StructMeta.46*** %7, align 8
  %9 = load %struct.StructMeta.46*, %struct.StructMeta.46** %8, align 8
  %10 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %9, i32 0, i32 8
  %11 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %10, align 8
  %12 = getelementptr inbounds %struct.RuntimeContext.44, %struct.RuntimeContext.44* %11, i32 0, i32 1
  %13 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %12, align 8
  store %struct.LLVMRuntime.43* %13, %struct.LLVMRuntime.43** %3, align 8
  %14 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %3, align 8
  %15 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %14, i32 0, i32 12
  %16 = getelementptr inbounds %7, %7* %6, i32 0, i32 0
  %17 = load %struct.StructMeta.46**, %struct.StructMeta.46*** %16, align 8
  %18 = load %struct.StructMeta.46*, %struct.StructMeta.46** %17, align 8
  %19 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %18, i32 0, i32 0
  %20 = load i32, i32* %19, align 8
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [1024 x %struct.NodeManager.41*], [1024 x %struct.NodeManager.41*]* %15, i64 0, i64 %21
  %23 = load %struct.NodeManager.41*, %struct.NodeManager.41** %22, align 8
  store %struct.NodeManager.41* %23, %struct.NodeManager.41** %4, align 8
  %24 = load %struct.NodeManager.41*, %struct.NodeManager.41** %4, align 8
  %25 = call noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager.41* noundef nonnull align 8 dereferenceable(52) %24)
  %26 = ptrtoint i8* %25 to i64
  store i64 %26, i64* %5, align 8
  %27 = getelementptr inbounds %7, %7* %6, i32 0, i32 1
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
define internal noundef i8* @_ZN11NodeManager8allocateEv(%struct.NodeManager.41* noundef nonnull align 8 dereferenceable(52) %0) #0 align 2 {
  %2 = alloca %struct.NodeManager.41*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.NodeManager.41* %0, %struct.NodeManager.41** %2, align 8
  %5 = load %struct.NodeManager.41*, %struct.NodeManager.41** %2, align 8
  %6 = getelementptr inbounds %struct.NodeManager.41, %struct.NodeManager.41* %5, i32 0, i32 4
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.NodeManager.41, %struct.NodeManager.41* %5, i32 0, i32 5
  %10 = load %struct.ListManager.40*, %struct.ListManager.40** %9, align 8
  %11 = call noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %10)
  %12 = icmp sge i32 %8, %11
  br i1 %12, label %13, label %17

13:                                               ; preds = %1
  %14 = getelementptr inbounds %struct.NodeManager.41, %struct.NodeManager.41* %5, i32 0, i32 7
  %15 = load %struct.ListManager.40*, %struct.ListManager.40** %14, align 8
  %16 = call noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %15)
  store i32 %16, i32* %4, align 4
  br label %23

17:                                               ; preds = %1
  %18 = getelementptr inbounds %struct.NodeManager.41, %struct.NodeManager.41* %5, i32 0, i32 5
  %19 = load %struct.ListManager.40*, %struct.ListManager.40** %18, align 8
  %20 = load i32, i32* %3, align 4
  %21 = call noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %19, i32 noundef %20)
  %22 = load i32, i32* %21, align 4
  store i32 %22, i32* %4, align 4
  br label %23

23:                                               ; preds = %17, %13
  %24 = getelementptr inbounds %struct.NodeManager.41, %struct.NodeManager.41* %5, i32 0, i32 7
  %25 = load %struct.ListManager.40*, %struct.ListManager.40** %24, align 8
  %26 = load i32, i32* %4, align 4
  %27 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %25, i32 noundef %26)
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
define internal noundef i32 @_ZN11ListManager4sizeEv(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager.40*, align 8
  store %struct.ListManager.40* %0, %struct.ListManager.40** %2, align 8
  %3 = load %struct.ListManager.40*, %struct.ListManager.40** %2, align 8
  %4 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %3, i32 0, i32 5
  %5 = load i32, i32* %4, align 8
  ret i32 %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i32 @_ZN11ListManager19reserve_new_elementEv(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %0) #0 align 2 {
  %2 = alloca %struct.ListManager.40*, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store %struct.ListManager.40* %0, %struct.ListManager.40** %2, align 8
  %5 = load %struct.ListManager.40*, %struct.ListManager.40** %2, align 8
  %6 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %5, i32 0, i32 5
  %7 = call i32 @atomic_add_i32(i32* noundef %6, i32 noundef 1)
  store i32 %7, i32* %3, align 4
  %8 = load i32, i32* %3, align 4
  %9 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %5, i32 0, i32 3
  %10 = load i32, i32* %9, align 8
  %11 = ashr i32 %8, %10
  store i32 %11, i32* %4, align 4
  %12 = load i32, i32* %4, align 4
  call void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %12)
  %13 = load i32, i32* %3, align 4
  ret i32 %13
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef nonnull align 4 dereferenceable(4) i32* @_ZN11ListManager3getIiEERT_i(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.40*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.40* %0, %struct.ListManager.40** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.40*, %struct.ListManager.40** %3, align 8
  %6 = load i32, i32* %4, align 4
  %7 = call noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %5, i32 noundef %6)
  %8 = bitcast i8* %7 to i32*
  ret i32* %8
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef i8* @_ZN11ListManager15get_element_ptrEi(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.40*, align 8
  %4 = alloca i32, align 4
  store %struct.ListManager.40* %0, %struct.ListManager.40** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.ListManager.40*, %struct.ListManager.40** %3, align 8
  %6 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %5, i32 0, i32 3
  %9 = load i32, i32* %8, align 8
  %10 = ashr i32 %7, %9
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %6, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %5, i32 0, i32 1
  %15 = load i64, i64* %14, align 8
  %16 = load i32, i32* %4, align 4
  %17 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %5, i32 0, i32 3
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
define internal void @_ZN11ListManager11touch_chunkEi(%struct.ListManager.40* noundef nonnull align 8 dereferenceable(1048616) %0, i32 noundef %1) #0 align 2 {
  %3 = alloca %struct.ListManager.40*, align 8
  %4 = alloca i32, align 4
  %5 = alloca %10, align 8
  store %struct.ListManager.40* %0, %struct.ListManager.40** %3, align 8
  store i32 %1, i32* %4, align 4
  %6 = load %struct.ListManager.40*, %struct.ListManager.40** %3, align 8
  %7 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 6
  %8 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %7, align 8
  %9 = load i32, i32* %4, align 4
  %10 = sext i32 %9 to i64
  %11 = icmp ult i64 %10, 131072
  call void @taichi_assert_runtime(%struct.LLVMRuntime.43* noundef %8, i1 noundef zeroext %11, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.5, i64 0, i64 0))
  %12 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 0
  %13 = load i32, i32* %4, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %12, i64 0, i64 %14
  %16 = load i8*, i8** %15, align 8
  %17 = icmp ne i8* %16, null
  br i1 %17, label %23, label %18

18:                                               ; preds = %2
  %19 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 4
  %20 = bitcast i32* %19 to i8*
  %21 = getelementptr inbounds %10, %10* %5, i32 0, i32 0
  store %struct.ListManager.40* %6, %struct.ListManager.40** %21, align 8
  %22 = getelementptr inbounds %10, %10* %5, i32 0, i32 1
  store i32* %4, i32** %22, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %20, %10* noundef nonnull align 8 dereferenceable(16) %5)
  br label %23

23:                                               ; preds = %18, %2
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @taichi_assert_runtime(%struct.LLVMRuntime.43* noundef %0, i1 noundef zeroext %1, i8* noundef %2) #0 {
  %4 = alloca %struct.LLVMRuntime.43*, align 8
  %5 = alloca i8, align 1
  %6 = alloca i8*, align 8
  store %struct.LLVMRuntime.43* %0, %struct.LLVMRuntime.43** %4, align 8
  %7 = zext i1 %1 to i8
  store i8 %7, i8* %5, align 1
  store i8* %2, i8** %6, align 8
  %8 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %4, align 8
  %9 = load i8, i8* %5, align 1
  %10 = trunc i8 %9 to i1
  %11 = load i8*, i8** %6, align 8
  call void @taichi_assert_format(%struct.LLVMRuntime.43* noundef %8, i1 noundef zeroext %10, i8* noundef %11, i32 noundef 0, i64* noundef null)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_"(i8* noundef %0, %10* noundef nonnull align 8 dereferenceable(16) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %10*, align 8
  %5 = alloca %8, align 1
  store i8* %0, i8** %3, align 8
  store %10* %1, %10** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %10*, %10** %4, align 8
  call void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %6, %10* noundef nonnull align 8 dereferenceable(16) %7, %8* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EvS3_S6_RKT0_"(i8* noundef %0, %10* noundef nonnull align 8 dereferenceable(16) %1, %8* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %10*, align 8
  %6 = alloca %8*, align 8
  %7 = alloca %8, align 1
  store i8* %0, i8** %4, align 8
  store %10* %1, %10** %5, align 8
  store %8* %2, %8** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %10*, %10** %5, align 8
  %10 = load %8*, %8** %6, align 8
  call void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%8* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %10* noundef nonnull align 8 dereferenceable(16) %9, %8* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC2EPhRKS1_RKS7_"(%8* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %10* noundef nonnull align 8 dereferenceable(16) %2, %8* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #4 align 2 {
  %5 = alloca %8*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %10*, align 8
  %8 = alloca %8*, align 8
  %9 = alloca %11, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %8* %0, %8** %5, align 8
  store i8* %1, i8** %6, align 8
  store %10* %2, %10** %7, align 8
  store %8* %3, %8** %8, align 8
  %15 = load %8*, %8** %5, align 8
  %16 = getelementptr inbounds %11, %11* %9, i32 0, i32 0
  %17 = load %8*, %8** %8, align 8
  store %8* %17, %8** %16, align 8
  %18 = getelementptr inbounds %11, %11* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %11, %11* %9, i32 0, i32 2
  %20 = load %10*, %10** %7, align 8
  store %10* %20, %10** %19, align 8
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
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11ListManager11touch_chunkEiE3$_8Z11locked_taskIS1_EvPvRKT_EUlvE_EC1EPhRKS1_RKS7_ENKUlvE_clEv"(%11* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %11*, align 8
  store %11* %0, %11** %2, align 8
  %3 = load %11*, %11** %2, align 8
  %4 = getelementptr inbounds %11, %11* %3, i32 0, i32 0
  %5 = load %8*, %8** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %11, %11* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %11, %11* %3, i32 0, i32 0
  %12 = load %8*, %8** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %11, %11* %3, i32 0, i32 2
  %16 = load %10*, %10** %15, align 8
  call void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%10* noundef nonnull align 8 dereferenceable(16) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %11, %11* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11ListManager11touch_chunkEiE3$_8EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %8*, align 8
  store %8* %0, %8** %2, align 8
  %3 = load %8*, %8** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11ListManager11touch_chunkEiENK3$_8clEv"(%10* noundef nonnull align 8 dereferenceable(16) %0) #0 align 2 {
  %2 = alloca %10*, align 8
  %3 = alloca i8*, align 8
  store %10* %0, %10** %2, align 8
  %4 = load %10*, %10** %2, align 8
  %5 = getelementptr inbounds %10, %10* %4, i32 0, i32 0
  %6 = load %struct.ListManager.40*, %struct.ListManager.40** %5, align 8
  %7 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 0
  %8 = getelementptr inbounds %10, %10* %4, i32 0, i32 1
  %9 = load i32*, i32** %8, align 8
  %10 = load i32, i32* %9, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [131072 x i8*], [131072 x i8*]* %7, i64 0, i64 %11
  %13 = load i8*, i8** %12, align 8
  %14 = icmp ne i8* %13, null
  br i1 %14, label %37, label %15

15:                                               ; preds = %1
  call void @grid_memfence()
  %16 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 6
  %17 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %16, align 8
  %18 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 6
  %19 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %18, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %19, i32 0, i32 1
  %21 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 2
  %22 = load i64, i64* %21, align 8
  %23 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 1
  %24 = load i64, i64* %23, align 8
  %25 = mul i64 %22, %24
  %26 = call noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.43* noundef nonnull align 8 dereferenceable(35256) %17, %struct.PreallocatedMemoryChunk.38* noundef nonnull align 8 dereferenceable(24) %20, i64 noundef %25, i64 noundef 4096, i1 noundef zeroext true)
  store i8* %26, i8** %3, align 8
  %27 = getelementptr inbounds %struct.ListManager.40, %struct.ListManager.40* %6, i32 0, i32 0
  %28 = getelementptr inbounds %10, %10* %4, i32 0, i32 1
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
define internal noundef i8* @_ZN11LLVMRuntime16allocate_alignedER23PreallocatedMemoryChunkmmb(%struct.LLVMRuntime.43* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.38* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3, i1 noundef zeroext %4) #0 align 2 {
  %6 = alloca i8*, align 8
  %7 = alloca %struct.LLVMRuntime.43*, align 8
  %8 = alloca %struct.PreallocatedMemoryChunk.38*, align 8
  %9 = alloca i64, align 8
  %10 = alloca i64, align 8
  %11 = alloca i8, align 1
  store %struct.LLVMRuntime.43* %0, %struct.LLVMRuntime.43** %7, align 8
  store %struct.PreallocatedMemoryChunk.38* %1, %struct.PreallocatedMemoryChunk.38** %8, align 8
  store i64 %2, i64* %9, align 8
  store i64 %3, i64* %10, align 8
  %12 = zext i1 %4 to i8
  store i8 %12, i8* %11, align 1
  %13 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %7, align 8
  %14 = load i8, i8* %11, align 1
  %15 = trunc i8 %14 to i1
  br i1 %15, label %16, label %20

16:                                               ; preds = %5
  %17 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %13, i32 0, i32 26
  %18 = load i64, i64* %9, align 8
  %19 = call i64 @atomic_add_i64(i64* noundef %17, i64 noundef %18)
  br label %20

20:                                               ; preds = %16, %5
  %21 = load %struct.PreallocatedMemoryChunk.38*, %struct.PreallocatedMemoryChunk.38** %8, align 8
  %22 = getelementptr inbounds %struct.PreallocatedMemoryChunk.38, %struct.PreallocatedMemoryChunk.38* %21, i32 0, i32 2
  %23 = load i64, i64* %22, align 8
  %24 = icmp ugt i64 %23, 0
  br i1 %24, label %25, label %30

25:                                               ; preds = %20
  %26 = load %struct.PreallocatedMemoryChunk.38*, %struct.PreallocatedMemoryChunk.38** %8, align 8
  %27 = load i64, i64* %9, align 8
  %28 = load i64, i64* %10, align 8
  %29 = call noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.43* noundef nonnull align 8 dereferenceable(35256) %13, %struct.PreallocatedMemoryChunk.38* noundef nonnull align 8 dereferenceable(24) %26, i64 noundef %27, i64 noundef %28)
  store i8* %29, i8** %6, align 8
  br label %38

30:                                               ; preds = %20
  %31 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %13, i32 0, i32 2
  %32 = load i8* (i8*, i64, i64)*, i8* (i8*, i64, i64)** %31, align 8
  %33 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %13, i32 0, i32 6
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
define internal noundef i8* @_ZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmm(%struct.LLVMRuntime.43* noundef nonnull align 8 dereferenceable(35256) %0, %struct.PreallocatedMemoryChunk.38* noundef nonnull align 8 dereferenceable(24) %1, i64 noundef %2, i64 noundef %3) #0 align 2 {
  %5 = alloca %struct.LLVMRuntime.43*, align 8
  %6 = alloca %struct.PreallocatedMemoryChunk.38*, align 8
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i8*, align 8
  %10 = alloca i8, align 1
  %11 = alloca %12, align 8
  store %struct.LLVMRuntime.43* %0, %struct.LLVMRuntime.43** %5, align 8
  store %struct.PreallocatedMemoryChunk.38* %1, %struct.PreallocatedMemoryChunk.38** %6, align 8
  store i64 %2, i64* %7, align 8
  store i64 %3, i64* %8, align 8
  %12 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %5, align 8
  store i8* null, i8** %9, align 8
  store i8 0, i8* %10, align 1
  %13 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %12, i32 0, i32 24
  %14 = bitcast i32* %13 to i8*
  %15 = getelementptr inbounds %12, %12* %11, i32 0, i32 0
  %16 = load %struct.PreallocatedMemoryChunk.38*, %struct.PreallocatedMemoryChunk.38** %6, align 8
  store %struct.PreallocatedMemoryChunk.38* %16, %struct.PreallocatedMemoryChunk.38** %15, align 8
  %17 = getelementptr inbounds %12, %12* %11, i32 0, i32 1
  store i64* %8, i64** %17, align 8
  %18 = getelementptr inbounds %12, %12* %11, i32 0, i32 2
  store i64* %7, i64** %18, align 8
  %19 = getelementptr inbounds %12, %12* %11, i32 0, i32 3
  store i8** %9, i8*** %19, align 8
  %20 = getelementptr inbounds %12, %12* %11, i32 0, i32 4
  store i8* %10, i8** %20, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %14, %12* noundef nonnull align 8 dereferenceable(40) %11)
  %21 = load i8, i8* %10, align 1
  %22 = trunc i8 %21 to i1
  br i1 %22, label %24, label %23

23:                                               ; preds = %4
  call void @__assertfail(i8* noundef getelementptr inbounds ([144 x i8], [144 x i8]* @.str, i64 0, i64 0), i8* noundef getelementptr inbounds ([11 x i8], [11 x i8]* @.str.1, i64 0, i64 0), i32 noundef 0, i8* noundef getelementptr inbounds ([30 x i8], [30 x i8]* @.str.2, i64 0, i64 0), i64 noundef 1)
  br label %24

24:                                               ; preds = %23, %4
  %25 = load i8, i8* %10, align 1
  %26 = trunc i8 %25 to i1
  call void @taichi_assert_runtime(%struct.LLVMRuntime.43* noundef %12, i1 noundef zeroext %26, i8* noundef getelementptr inbounds ([28 x i8], [28 x i8]* @.str.3, i64 0, i64 0))
  %27 = load i8*, i8** %9, align 8
  ret i8* %27
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_"(i8* noundef %0, %12* noundef nonnull align 8 dereferenceable(40) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %12*, align 8
  %5 = alloca %8, align 1
  store i8* %0, i8** %3, align 8
  store %12* %1, %12** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %12*, %12** %4, align 8
  call void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %6, %12* noundef nonnull align 8 dereferenceable(40) %7, %8* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline
declare void @__assertfail(i8* noundef, i8* noundef, i32 noundef, i8* noundef, i64 noundef) #5

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EvS5_S8_RKT0_"(i8* noundef %0, %12* noundef nonnull align 8 dereferenceable(40) %1, %8* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %12*, align 8
  %6 = alloca %8*, align 8
  %7 = alloca %8, align 1
  store i8* %0, i8** %4, align 8
  store %12* %1, %12** %5, align 8
  store %8* %2, %8** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %12*, %12** %5, align 8
  %10 = load %8*, %8** %6, align 8
  call void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%8* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %12* noundef nonnull align 8 dereferenceable(40) %9, %8* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC2EPhRKS3_RKS9_"(%8* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %12* noundef nonnull align 8 dereferenceable(40) %2, %8* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #4 align 2 {
  %5 = alloca %8*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %12*, align 8
  %8 = alloca %8*, align 8
  %9 = alloca %13, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %8* %0, %8** %5, align 8
  store i8* %1, i8** %6, align 8
  store %12* %2, %12** %7, align 8
  store %8* %3, %8** %8, align 8
  %15 = load %8*, %8** %5, align 8
  %16 = getelementptr inbounds %13, %13* %9, i32 0, i32 0
  %17 = load %8*, %8** %8, align 8
  store %8* %17, %8** %16, align 8
  %18 = getelementptr inbounds %13, %13* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %13, %13* %9, i32 0, i32 2
  %20 = load %12*, %12** %7, align 8
  store %12* %20, %12** %19, align 8
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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1Z11locked_taskIS3_EvPvRKT_EUlvE_EC1EPhRKS3_RKS9_ENKUlvE_clEv"(%13* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %13*, align 8
  store %13* %0, %13** %2, align 8
  %3 = load %13*, %13** %2, align 8
  %4 = getelementptr inbounds %13, %13* %3, i32 0, i32 0
  %5 = load %8*, %8** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %13, %13* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %13, %13* %3, i32 0, i32 0
  %12 = load %8*, %8** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %13, %13* %3, i32 0, i32 2
  %16 = load %12*, %12** %15, align 8
  call void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%12* noundef nonnull align 8 dereferenceable(40) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %13, %13* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmE3$_1EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %8*, align 8
  store %8* %0, %8** %2, align 8
  %3 = load %8*, %8** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN11LLVMRuntime29allocate_from_reserved_memoryER23PreallocatedMemoryChunkmmENK3$_1clEv"(%12* noundef nonnull align 8 dereferenceable(40) %0) #0 align 2 {
  %2 = alloca %12*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store %12* %0, %12** %2, align 8
  %6 = load %12*, %12** %2, align 8
  %7 = getelementptr inbounds %12, %12* %6, i32 0, i32 0
  %8 = load %struct.PreallocatedMemoryChunk.38*, %struct.PreallocatedMemoryChunk.38** %7, align 8
  %9 = getelementptr inbounds %struct.PreallocatedMemoryChunk.38, %struct.PreallocatedMemoryChunk.38* %8, i32 0, i32 0
  %10 = load i8*, i8** %9, align 8
  %11 = ptrtoint i8* %10 to i64
  store i64 %11, i64* %3, align 8
  %12 = getelementptr inbounds %12, %12* %6, i32 0, i32 0
  %13 = load %struct.PreallocatedMemoryChunk.38*, %struct.PreallocatedMemoryChunk.38** %12, align 8
  %14 = getelementptr inbounds %struct.PreallocatedMemoryChunk.38, %struct.PreallocatedMemoryChunk.38* %13, i32 0, i32 1
  %15 = load i8*, i8** %14, align 8
  %16 = ptrtoint i8* %15 to i64
  store i64 %16, i64* %4, align 8
  %17 = getelementptr inbounds %12, %12* %6, i32 0, i32 1
  %18 = load i64*, i64** %17, align 8
  %19 = load i64, i64* %18, align 8
  %20 = sub i64 %19, 1
  %21 = load i64, i64* %3, align 8
  %22 = getelementptr inbounds %12, %12* %6, i32 0, i32 1
  %23 = load i64*, i64** %22, align 8
  %24 = load i64, i64* %23, align 8
  %25 = add i64 %21, %24
  %26 = sub i64 %25, 1
  %27 = getelementptr inbounds %12, %12* %6, i32 0, i32 1
  %28 = load i64*, i64** %27, align 8
  %29 = load i64, i64* %28, align 8
  %30 = urem i64 %26, %29
  %31 = sub i64 %20, %30
  store i64 %31, i64* %5, align 8
  %32 = load i64, i64* %5, align 8
  %33 = getelementptr inbounds %12, %12* %6, i32 0, i32 2
  %34 = load i64*, i64** %33, align 8
  %35 = load i64, i64* %34, align 8
  %36 = add i64 %35, %32
  store i64 %36, i64* %34, align 8
  %37 = load i64, i64* %3, align 8
  %38 = getelementptr inbounds %12, %12* %6, i32 0, i32 2
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
  %49 = getelementptr inbounds %12, %12* %6, i32 0, i32 3
  %50 = load i8**, i8*** %49, align 8
  store i8* %48, i8** %50, align 8
  %51 = getelementptr inbounds %12, %12* %6, i32 0, i32 2
  %52 = load i64*, i64** %51, align 8
  %53 = load i64, i64* %52, align 8
  %54 = getelementptr inbounds %12, %12* %6, i32 0, i32 0
  %55 = load %struct.PreallocatedMemoryChunk.38*, %struct.PreallocatedMemoryChunk.38** %54, align 8
  %56 = getelementptr inbounds %struct.PreallocatedMemoryChunk.38, %struct.PreallocatedMemoryChunk.38* %55, i32 0, i32 0
  %57 = load i8*, i8** %56, align 8
  %58 = getelementptr inbounds i8, i8* %57, i64 %53
  store i8* %58, i8** %56, align 8
  %59 = getelementptr inbounds %12, %12* %6, i32 0, i32 4
  %60 = load i8*, i8** %59, align 8
  store i8 1, i8* %60, align 1
  br label %64

61:                                               ; preds = %1
  %62 = getelementptr inbounds %12, %12* %6, i32 0, i32 4
  %63 = load i8*, i8** %62, align 8
  store i8 0, i8* %63, align 1
  br label %64

64:                                               ; preds = %61, %44
  ret void
}

; Function Attrs: mustprogress noinline nounwind optnone uwtable
define internal void @taichi_assert_format(%struct.LLVMRuntime.43* noundef %0, i1 noundef zeroext %1, i8* noundef %2, i32 noundef %3, i64* noundef %4) #6 {
  %6 = alloca %struct.LLVMRuntime.43*, align 8
  %7 = alloca i8, align 1
  %8 = alloca i8*, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64*, align 8
  %11 = alloca %14, align 8
  store %struct.LLVMRuntime.43* %0, %struct.LLVMRuntime.43** %6, align 8
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
  %19 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %6, align 8
  %20 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %19, i32 0, i32 22
  %21 = load i64, i64* %20, align 8
  %22 = icmp ne i64 %21, 0
  br i1 %22, label %31, label %23

23:                                               ; preds = %18
  %24 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %6, align 8
  %25 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %24, i32 0, i32 21
  %26 = bitcast i32* %25 to i8*
  %27 = getelementptr inbounds %14, %14* %11, i32 0, i32 0
  store %struct.LLVMRuntime.43** %6, %struct.LLVMRuntime.43*** %27, align 8
  %28 = getelementptr inbounds %14, %14* %11, i32 0, i32 1
  store i8** %8, i8*** %28, align 8
  %29 = getelementptr inbounds %14, %14* %11, i32 0, i32 2
  store i32* %9, i32** %29, align 8
  %30 = getelementptr inbounds %14, %14* %11, i32 0, i32 3
  store i64** %10, i64*** %30, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %26, %14* noundef nonnull align 8 dereferenceable(32) %11)
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
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_"(i8* noundef %0, %14* noundef nonnull align 8 dereferenceable(32) %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca %14*, align 8
  %5 = alloca %8, align 1
  store i8* %0, i8** %3, align 8
  store %14* %1, %14** %4, align 8
  %6 = load i8*, i8** %3, align 8
  %7 = load %14*, %14** %4, align 8
  call void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %6, %14* noundef nonnull align 8 dereferenceable(32) %7, %8* noundef nonnull align 1 dereferenceable(1) %5)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_Z11locked_taskIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EvS2_S5_RKT0_"(i8* noundef %0, %14* noundef nonnull align 8 dereferenceable(32) %1, %8* noundef nonnull align 1 dereferenceable(1) %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca %14*, align 8
  %6 = alloca %8*, align 8
  %7 = alloca %8, align 1
  store i8* %0, i8** %4, align 8
  store %14* %1, %14** %5, align 8
  store %8* %2, %8** %6, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = load %14*, %14** %5, align 8
  %10 = load %8*, %8** %6, align 8
  call void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%8* noundef nonnull align 1 dereferenceable(1) %7, i8* noundef %8, %14* noundef nonnull align 8 dereferenceable(32) %9, %8* noundef nonnull align 1 dereferenceable(1) %10)
  ret void
}

; Function Attrs: alwaysinline nounwind uwtable
define internal void @"_ZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC2EPhRKS0_RKS6_"(%8* noundef nonnull align 1 dereferenceable(1) %0, i8* noundef %1, %14* noundef nonnull align 8 dereferenceable(32) %2, %8* noundef nonnull align 1 dereferenceable(1) %3) unnamed_addr #4 align 2 {
  %5 = alloca %8*, align 8
  %6 = alloca i8*, align 8
  %7 = alloca %14*, align 8
  %8 = alloca %8*, align 8
  %9 = alloca %15, align 8
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store %8* %0, %8** %5, align 8
  store i8* %1, i8** %6, align 8
  store %14* %2, %14** %7, align 8
  store %8* %3, %8** %8, align 8
  %15 = load %8*, %8** %5, align 8
  %16 = getelementptr inbounds %15, %15* %9, i32 0, i32 0
  %17 = load %8*, %8** %8, align 8
  store %8* %17, %8** %16, align 8
  %18 = getelementptr inbounds %15, %15* %9, i32 0, i32 1
  store i8** %6, i8*** %18, align 8
  %19 = getelementptr inbounds %15, %15* %9, i32 0, i32 2
  %20 = load %14*, %14** %7, align 8
  store %14* %20, %14** %19, align 8
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
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%15* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%15* noundef nonnull align 8 dereferenceable(24) %9)
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
  call void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%15* noundef nonnull align 8 dereferenceable(24) %9)
  br label %63

63:                                               ; preds = %62, %61
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZN10lock_guardIZ20taichi_assert_formatE3$_0Z11locked_taskIS0_EvPvRKT_EUlvE_EC1EPhRKS0_RKS6_ENKUlvE_clEv"(%15* noundef nonnull align 8 dereferenceable(24) %0) #0 align 2 {
  %2 = alloca %15*, align 8
  store %15* %0, %15** %2, align 8
  %3 = load %15*, %15** %2, align 8
  %4 = getelementptr inbounds %15, %15* %3, i32 0, i32 0
  %5 = load %8*, %8** %4, align 8
  %6 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %5)
  br i1 %6, label %7, label %21

7:                                                ; preds = %1
  %8 = getelementptr inbounds %15, %15* %3, i32 0, i32 1
  %9 = load i8**, i8*** %8, align 8
  %10 = load i8*, i8** %9, align 8
  call void @mutex_lock_i32(i8* noundef %10)
  call void @grid_memfence()
  %11 = getelementptr inbounds %15, %15* %3, i32 0, i32 0
  %12 = load %8*, %8** %11, align 8
  %13 = call noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %12)
  br i1 %13, label %14, label %17

14:                                               ; preds = %7
  %15 = getelementptr inbounds %15, %15* %3, i32 0, i32 2
  %16 = load %14*, %14** %15, align 8
  call void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%14* noundef nonnull align 8 dereferenceable(32) %16)
  br label %17

17:                                               ; preds = %14, %7
  call void @grid_memfence()
  %18 = getelementptr inbounds %15, %15* %3, i32 0, i32 1
  %19 = load i8**, i8*** %18, align 8
  %20 = load i8*, i8** %19, align 8
  call void @mutex_unlock_i32(i8* noundef %20)
  br label %21

21:                                               ; preds = %17, %1
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal noundef zeroext i1 @"_ZZ11locked_taskIZ20taichi_assert_formatE3$_0EvPvRKT_ENKUlvE_clEv"(%8* noundef nonnull align 1 dereferenceable(1) %0) #0 align 2 {
  %2 = alloca %8*, align 8
  store %8* %0, %8** %2, align 8
  %3 = load %8*, %8** %2, align 8
  ret i1 true
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @"_ZZ20taichi_assert_formatENK3$_0clEv"(%14* noundef nonnull align 8 dereferenceable(32) %0) #0 align 2 {
  %2 = alloca %14*, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  store %14* %0, %14** %2, align 8
  %6 = load %14*, %14** %2, align 8
  %7 = getelementptr inbounds %14, %14* %6, i32 0, i32 0
  %8 = load %struct.LLVMRuntime.43**, %struct.LLVMRuntime.43*** %7, align 8
  %9 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %8, align 8
  %10 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %9, i32 0, i32 22
  %11 = load i64, i64* %10, align 8
  %12 = icmp ne i64 %11, 0
  br i1 %12, label %62, label %13

13:                                               ; preds = %1
  %14 = getelementptr inbounds %14, %14* %6, i32 0, i32 0
  %15 = load %struct.LLVMRuntime.43**, %struct.LLVMRuntime.43*** %14, align 8
  %16 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %15, align 8
  %17 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %16, i32 0, i32 22
  store i64 1, i64* %17, align 8
  %18 = getelementptr inbounds %14, %14* %6, i32 0, i32 0
  %19 = load %struct.LLVMRuntime.43**, %struct.LLVMRuntime.43*** %18, align 8
  %20 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %19, align 8
  %21 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %20, i32 0, i32 19
  %22 = getelementptr inbounds [2048 x i8], [2048 x i8]* %21, i64 0, i64 0
  call void @llvm.memset.p0i8.i64(i8* align 8 %22, i8 0, i64 2048, i1 false)
  %23 = getelementptr inbounds %14, %14* %6, i32 0, i32 0
  %24 = load %struct.LLVMRuntime.43**, %struct.LLVMRuntime.43*** %23, align 8
  %25 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %24, align 8
  %26 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %25, i32 0, i32 19
  %27 = getelementptr inbounds [2048 x i8], [2048 x i8]* %26, i64 0, i64 0
  %28 = getelementptr inbounds %14, %14* %6, i32 0, i32 1
  %29 = load i8**, i8*** %28, align 8
  %30 = load i8*, i8** %29, align 8
  %31 = getelementptr inbounds %14, %14* %6, i32 0, i32 1
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
  %39 = getelementptr inbounds %14, %14* %6, i32 0, i32 2
  %40 = load i32*, i32** %39, align 8
  %41 = load i32, i32* %40, align 4
  %42 = icmp slt i32 %38, %41
  br i1 %42, label %43, label %61

43:                                               ; preds = %37
  %44 = getelementptr inbounds %14, %14* %6, i32 0, i32 3
  %45 = load i64**, i64*** %44, align 8
  %46 = load i64*, i64** %45, align 8
  %47 = load i32, i32* %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i64, i64* %46, i64 %48
  %50 = load i64, i64* %49, align 8
  %51 = getelementptr inbounds %14, %14* %6, i32 0, i32 0
  %52 = load %struct.LLVMRuntime.43**, %struct.LLVMRuntime.43*** %51, align 8
  %53 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %52, align 8
  %54 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %53, i32 0, i32 20
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
  %9 = alloca %struct.StructMeta.46*, align 8
  %10 = alloca %struct.RuntimeContext.44*, align 8
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
  %27 = bitcast i8* %26 to %struct.StructMeta.46*
  store %struct.StructMeta.46* %27, %struct.StructMeta.46** %9, align 8
  %28 = load %struct.StructMeta.46*, %struct.StructMeta.46** %9, align 8
  %29 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %28, i32 0, i32 8
  %30 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %29, align 8
  store %struct.RuntimeContext.44* %30, %struct.RuntimeContext.44** %10, align 8
  %31 = load %struct.RuntimeContext.44*, %struct.RuntimeContext.44** %10, align 8
  %32 = getelementptr inbounds %struct.RuntimeContext.44, %struct.RuntimeContext.44* %31, i32 0, i32 1
  %33 = load %struct.LLVMRuntime.43*, %struct.LLVMRuntime.43** %32, align 8
  %34 = getelementptr inbounds %struct.LLVMRuntime.43, %struct.LLVMRuntime.43* %33, i32 0, i32 13
  %35 = load %struct.StructMeta.46*, %struct.StructMeta.46** %9, align 8
  %36 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %35, i32 0, i32 0
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

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Bitmasked_get_num_elements(i8* noundef %0, i8* noundef %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.46*
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @Bitmasked_activate(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.StructMeta.46*, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64, align 8
  %11 = alloca i32*, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %12 = load i8*, i8** %4, align 8
  %13 = bitcast i8* %12 to %struct.StructMeta.46*
  store %struct.StructMeta.46* %13, %struct.StructMeta.46** %7, align 8
  %14 = load %struct.StructMeta.46*, %struct.StructMeta.46** %7, align 8
  %15 = call i64 @StructMeta_get_element_size(%struct.StructMeta.46* noundef %14)
  store i64 %15, i64* %8, align 8
  %16 = load i8*, i8** %4, align 8
  %17 = load i8*, i8** %5, align 8
  %18 = call i32 @Bitmasked_get_num_elements(i8* noundef %16, i8* noundef %17)
  store i32 %18, i32* %9, align 4
  %19 = load i64, i64* %8, align 8
  %20 = load i32, i32* %9, align 4
  %21 = sext i32 %20 to i64
  %22 = mul i64 %19, %21
  store i64 %22, i64* %10, align 8
  %23 = load i8*, i8** %5, align 8
  %24 = load i64, i64* %10, align 8
  %25 = getelementptr inbounds i8, i8* %23, i64 %24
  %26 = bitcast i8* %25 to i32*
  store i32* %26, i32** %11, align 8
  %27 = load i32*, i32** %11, align 8
  %28 = load i32, i32* %6, align 4
  %29 = sdiv i32 %28, 32
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i32, i32* %27, i64 %30
  %32 = load i32, i32* %6, align 4
  %33 = srem i32 %32, 32
  %34 = zext i32 %33 to i64
  %35 = shl i64 1, %34
  %36 = trunc i64 %35 to i32
  %37 = call i32 @atomic_or_u32(i32* noundef %31, i32 noundef %36)
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i64 @StructMeta_get_element_size(%struct.StructMeta.46* noundef %0) #0 {
  %2 = alloca %struct.StructMeta.46*, align 8
  store %struct.StructMeta.46* %0, %struct.StructMeta.46** %2, align 8
  %3 = load %struct.StructMeta.46*, %struct.StructMeta.46** %2, align 8
  %4 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %3, i32 0, i32 1
  %5 = load i64, i64* %4, align 8
  ret i64 %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @atomic_or_u32(i32* noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32*, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32* %0, i32** %3, align 8
  store i32 %1, i32* %4, align 4
  %7 = load i32*, i32** %3, align 8
  %8 = load i32, i32* %4, align 4
  store i32 %8, i32* %5, align 4
  %9 = load i32, i32* %5, align 4
  %10 = atomicrmw volatile or i32* %7, i32 %9 seq_cst, align 4
  store i32 %10, i32* %6, align 4
  %11 = load i32, i32* %6, align 4
  ret i32 %11
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal zeroext i1 @Bitmasked_is_active(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  %7 = alloca %struct.StructMeta.46*, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca i64, align 8
  %11 = alloca i8*, align 8
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %12 = load i8*, i8** %4, align 8
  %13 = bitcast i8* %12 to %struct.StructMeta.46*
  store %struct.StructMeta.46* %13, %struct.StructMeta.46** %7, align 8
  %14 = load %struct.StructMeta.46*, %struct.StructMeta.46** %7, align 8
  %15 = call i64 @StructMeta_get_element_size(%struct.StructMeta.46* noundef %14)
  store i64 %15, i64* %8, align 8
  %16 = load i8*, i8** %4, align 8
  %17 = load i8*, i8** %5, align 8
  %18 = call i32 @Dense_get_num_elements(i8* noundef %16, i8* noundef %17)
  store i32 %18, i32* %9, align 4
  %19 = load i64, i64* %8, align 8
  %20 = load i32, i32* %9, align 4
  %21 = sext i32 %20 to i64
  %22 = mul i64 %19, %21
  store i64 %22, i64* %10, align 8
  %23 = load i8*, i8** %5, align 8
  %24 = load i64, i64* %10, align 8
  %25 = getelementptr inbounds i8, i8* %23, i64 %24
  store i8* %25, i8** %11, align 8
  %26 = load i8*, i8** %11, align 8
  %27 = load i32, i32* %6, align 4
  %28 = sdiv i32 %27, 8
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i8, i8* %26, i64 %29
  %31 = load i8, i8* %30, align 1
  %32 = zext i8 %31 to i32
  %33 = load i32, i32* %6, align 4
  %34 = srem i32 %33, 8
  %35 = ashr i32 %32, %34
  %36 = and i32 %35, 1
  %37 = icmp ne i32 %36, 0
  ret i1 %37
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @Dense_get_num_elements(i8* noundef %0, i8* noundef %1) #0 {
  %3 = alloca i8*, align 8
  %4 = alloca i8*, align 8
  store i8* %0, i8** %3, align 8
  store i8* %1, i8** %4, align 8
  %5 = load i8*, i8** %3, align 8
  %6 = bitcast i8* %5 to %struct.StructMeta.46*
  %7 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %6, i32 0, i32 2
  %8 = load i64, i64* %7, align 8
  %9 = trunc i64 %8 to i32
  ret i32 %9
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @Bitmasked_lookup_element(i8* noundef %0, i8* noundef %1, i32 noundef %2) #0 {
  %4 = alloca i8*, align 8
  %5 = alloca i8*, align 8
  %6 = alloca i32, align 4
  store i8* %0, i8** %4, align 8
  store i8* %1, i8** %5, align 8
  store i32 %2, i32* %6, align 4
  %7 = load i8*, i8** %5, align 8
  %8 = load i8*, i8** %4, align 8
  %9 = bitcast i8* %8 to %struct.StructMeta.46*
  %10 = getelementptr inbounds %struct.StructMeta.46, %struct.StructMeta.46* %9, i32 0, i32 1
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

!0 = !{void (%struct.RuntimeContext.44*)* @put_c90_0_kernel_0_range_for, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.44*)* @put_c90_0_kernel_0_range_for, !"maxntidx", i32 128}
!2 = !{void (%struct.RuntimeContext.44*)* @put_c90_0_kernel_0_range_for, !"minctasm", i32 2}
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
