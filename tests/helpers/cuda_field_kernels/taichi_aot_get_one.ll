; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.1810 = type { i8*, %struct.LLVMRuntime.1809*, i32, i64* }
%struct.LLVMRuntime.1809 = type { %struct.PreallocatedMemoryChunk.1804, %struct.PreallocatedMemoryChunk.1804, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.1805*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.1806*], [1024 x %struct.NodeManager.1807*], [1024 x i8*], i8*, %struct.RandState.1808*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.1804 = type { i8*, i8*, i64 }
%struct.__va_list_tag.1805 = type { i32, i32, i8*, i8* }
%struct.ListManager.1806 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.1809* }
%struct.NodeManager.1807 = type <{ %struct.LLVMRuntime.1809*, i32, i32, i32, i32, %struct.ListManager.1806*, %struct.ListManager.1806*, %struct.ListManager.1806*, i32, [4 x i8] }>
%struct.RandState.1808 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.1813 = type <{ %struct.StructMeta.1812, i32, [4 x i8] }>
%struct.StructMeta.1812 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)*, %struct.RuntimeContext.1810* }
%struct.PhysicalCoordinates.0.1811 = type { [12 x i32] }
%S0_ch.1838 = type { [8 x %S1_ch.1814], [8 x %S3_ch.1815], [8 x %S6_ch.1816], [8 x %S8_ch.1817], [8 x %S11_ch.1818], [8 x %S13_ch.1819], [8 x %S16_ch.1820], [8 x %S18_ch.1821], [8 x %S21_ch.1822], [8 x %S23_ch.1823], [8 x %S26_ch.1824], [8 x %S28_ch.1825], [8 x %S31_ch.1826], [8 x %S33_ch.1827], [8 x %S36_ch.1828], [8 x %S38_ch.1829], [8 x %S16_ch.1820], [8 x %S18_ch.1821], [8 x %S21_ch.1822], [8 x %S23_ch.1823], [8 x %S26_ch.1824], [8 x %S28_ch.1825], [8 x %S31_ch.1826], [8 x %S33_ch.1827], [8 x %S61_ch.1830], [1 x %S70_ch.1831], [1 x %S31_ch.1826], [24 x %S26_ch.1824], [24 x %S26_ch.1824], [24 x %S26_ch.1824], [24 x %S26_ch.1824], [96 x %S26_ch.1824], [4 x %S91_ch.1832], [4 x %S11_ch.1818], [4 x %S11_ch.1818], [6 x %S99_ch.1833], [3 x %S105_ch.1835], [6 x %S109_ch.1837] }
%S1_ch.1814 = type { half }
%S3_ch.1815 = type { half, half }
%S6_ch.1816 = type { float }
%S8_ch.1817 = type { float, float }
%S11_ch.1818 = type { double }
%S13_ch.1819 = type { double, double }
%S36_ch.1828 = type { i1 }
%S38_ch.1829 = type { i1, i1 }
%S16_ch.1820 = type { i8 }
%S18_ch.1821 = type { i8, i8 }
%S21_ch.1822 = type { i16 }
%S23_ch.1823 = type { i16, i16 }
%S26_ch.1824 = type { i32 }
%S28_ch.1825 = type { i32, i32 }
%S31_ch.1826 = type { i64 }
%S33_ch.1827 = type { i64, i64 }
%S61_ch.1830 = type { half, half, half, half, half, half, half, half }
%S70_ch.1831 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.1832 = type { i32, i32, i32 }
%S99_ch.1833 = type { double, double, double, double, i64 }
%S105_ch.1835 = type { [4 x %S106_ch.1834] }
%S106_ch.1834 = type { [4 x %S26_ch.1824] }
%S109_ch.1837 = type { [8 x %S110_ch.1836] }
%S110_ch.1836 = type { i32, i32, i32, i32 }

define void @get_c186_0_kernel_0_serial(%struct.RuntimeContext.1810* byval(%struct.RuntimeContext.1810) %context) {
entry:
  %0 = alloca %struct.DenseMeta.1813, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %1 = call %struct.LLVMRuntime.1809* @RuntimeContext_get_runtime(%struct.RuntimeContext.1810* %context)
  %2 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.1809* %1, i32 0)
  %3 = bitcast i8* %2 to %S0_ch.1838*
  %4 = getelementptr %S0_ch.1838, %S0_ch.1838* %3, i32 0
  %5 = bitcast %S0_ch.1838* %4 to i8*
  %6 = call i8* @get_ch_S0_to_S79(i8* %5)
  %7 = bitcast i8* %6 to [1 x %S31_ch.1826]*
  %8 = bitcast %struct.DenseMeta.1813* %0 to %struct.StructMeta.1812*
  call void @StructMeta_set_snode_id(%struct.StructMeta.1812* %8, i32 79)
  call void @StructMeta_set_element_size(%struct.StructMeta.1812* %8, i64 8)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.1812* %8, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.1812* %8, %struct.RuntimeContext.1810* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.1812* %8, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.1812* %8, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.1812* %8, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.1812* %8, i8* (i8*)* @get_ch_S0_to_S79)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.1812* %8, void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)* @S79_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.1813* %0, i32 0)
  %9 = bitcast %struct.DenseMeta.1813* %0 to i8*
  %10 = bitcast [1 x %S31_ch.1826]* %7 to i8*
  %11 = call i8* @Dense_lookup_element(i8* %9, i8* %10, i32 0)
  %12 = call i8* @get_ch_S79_to_S80(i8* %11)
  %13 = bitcast i8* %12 to i64*
  %14 = call i64 @llvm.nvvm.ldg.global.i.i64.p0i64(i64* %13, i32 64)
  %15 = getelementptr %struct.RuntimeContext.1810, %struct.RuntimeContext.1810* %context, i32 0, i32 0
  %16 = bitcast i8** %15 to { { { i32 }, i64* } }**
  %17 = load { { { i32 }, i64* } }*, { { { i32 }, i64* } }** %16, align 8
  %18 = getelementptr { { { i32 }, i64* } }, { { { i32 }, i64* } }* %17, i32 0, i32 0
  %19 = getelementptr { { i32 }, i64* }, { { i32 }, i64* }* %18, i32 0, i32 1
  %20 = load i64*, i64** %19, align 8
  %21 = getelementptr i64, i64* %20, i32 0
  store i64 %14, i64* %21, align 4
  br label %final
}

; Function Attrs: argmemonly nocallback nounwind readonly
declare i64 @llvm.nvvm.ldg.global.i.i64.p0i64(i64* nocapture, i32) #0

define internal void @S79_refine_coordinates(%struct.PhysicalCoordinates.0.1811* %0, %struct.PhysicalCoordinates.0.1811* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 0, i32 %5)
  %6 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 1)
  %7 = mul i32 %6, 1
  %8 = add i32 %7, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 1, i32 %8)
  %9 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 2)
  %10 = mul i32 %9, 1
  %11 = add i32 %10, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 2, i32 %11)
  %12 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 3)
  %13 = mul i32 %12, 1
  %14 = add i32 %13, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 3, i32 %14)
  %15 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 4)
  %16 = mul i32 %15, 1
  %17 = add i32 %16, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 4, i32 %17)
  %18 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 5)
  %19 = mul i32 %18, 1
  %20 = add i32 %19, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 5, i32 %20)
  %21 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 6)
  %22 = mul i32 %21, 1
  %23 = add i32 %22, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 6, i32 %23)
  %24 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 7)
  %25 = mul i32 %24, 1
  %26 = add i32 %25, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 7, i32 %26)
  %27 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 8)
  %28 = mul i32 %27, 1
  %29 = add i32 %28, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 8, i32 %29)
  %30 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 9)
  %31 = mul i32 %30, 1
  %32 = add i32 %31, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 9, i32 %32)
  %33 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 10)
  %34 = mul i32 %33, 1
  %35 = add i32 %34, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 10, i32 %35)
  %36 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* %0, i32 11)
  %37 = mul i32 %36, 1
  %38 = add i32 %37, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* %1, i32 11, i32 %38)
  ret void
}

define internal i8* @get_ch_S0_to_S79(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.1838*
  %getch = getelementptr %S0_ch.1838, %S0_ch.1838* %1, i32 0, i32 26
  %2 = bitcast [1 x %S31_ch.1826]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S79_to_S80(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S31_ch.1826*
  %getch = getelementptr %S31_ch.1826, %S31_ch.1826* %1, i32 0, i32 0
  %2 = bitcast i64* %getch to i8*
  ret i8* %2
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1811* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.PhysicalCoordinates.0.1811*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.1811* %0, %struct.PhysicalCoordinates.0.1811** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.1811, %struct.PhysicalCoordinates.0.1811* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1811* noundef %0, i32 noundef %1, i32 noundef %2) #1 {
  %4 = alloca %struct.PhysicalCoordinates.0.1811*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.1811* %0, %struct.PhysicalCoordinates.0.1811** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.1811, %struct.PhysicalCoordinates.0.1811* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.1809* @RuntimeContext_get_runtime(%struct.RuntimeContext.1810* noundef %0) #1 {
  %2 = alloca %struct.RuntimeContext.1810*, align 8
  store %struct.RuntimeContext.1810* %0, %struct.RuntimeContext.1810** %2, align 8
  %3 = load %struct.RuntimeContext.1810*, %struct.RuntimeContext.1810** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.1810, %struct.RuntimeContext.1810* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.1809*, %struct.LLVMRuntime.1809** %4, align 8
  ret %struct.LLVMRuntime.1809* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.1812* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.1812* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.1812* noundef %0, i64 noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.1812* noundef %0, i32 (i8*, i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.1812* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.1812* noundef %0, i8* (i8*)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.1812* noundef %0, void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)*, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)* %1, void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)*, void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)** %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)* %5, void (%struct.PhysicalCoordinates.0.1811*, %struct.PhysicalCoordinates.0.1811*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.1812* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.1812* noundef %0, %struct.RuntimeContext.1810* noundef %1) #1 {
  %3 = alloca %struct.StructMeta.1812*, align 8
  %4 = alloca %struct.RuntimeContext.1810*, align 8
  store %struct.StructMeta.1812* %0, %struct.StructMeta.1812** %3, align 8
  store %struct.RuntimeContext.1810* %1, %struct.RuntimeContext.1810** %4, align 8
  %5 = load %struct.RuntimeContext.1810*, %struct.RuntimeContext.1810** %4, align 8
  %6 = load %struct.StructMeta.1812*, %struct.StructMeta.1812** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 8
  store %struct.RuntimeContext.1810* %5, %struct.RuntimeContext.1810** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.1809* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.LLVMRuntime.1809*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.1809* %0, %struct.LLVMRuntime.1809** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.1809*, %struct.LLVMRuntime.1809** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.1809, %struct.LLVMRuntime.1809* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.1813* noundef %0, i32 noundef %1) #1 {
  %3 = alloca %struct.DenseMeta.1813*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.1813* %0, %struct.DenseMeta.1813** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.1813*, %struct.DenseMeta.1813** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.1813, %struct.DenseMeta.1813* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.1812*
  %7 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.1812*
  %10 = getelementptr inbounds %struct.StructMeta.1812, %struct.StructMeta.1812* %9, i32 0, i32 1
  %11 = load i64, i64* %10, align 8
  %12 = load i32, i32* %6, align 4
  %13 = sext i32 %12 to i64
  %14 = mul i64 %11, %13
  %15 = getelementptr inbounds i8, i8* %7, i64 %14
  ret i8* %15
}

attributes #0 = { argmemonly nocallback nounwind readonly }
attributes #1 = { alwaysinline mustprogress nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !3, !5, !5, !5, !5, !6, !6, !5}
!llvm.ident = !{!7}
!nvvmir.version = !{!8}
!llvm.module.flags = !{!9, !10, !11, !12, !13}

!0 = !{void (%struct.RuntimeContext.1810*)* @get_c186_0_kernel_0_serial, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.1810*)* @get_c186_0_kernel_0_serial, !"maxntidx", i32 1}
!2 = !{void (%struct.RuntimeContext.1810*)* @get_c186_0_kernel_0_serial, !"minctasm", i32 2}
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
