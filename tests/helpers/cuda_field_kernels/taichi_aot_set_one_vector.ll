; ModuleID = 'kernel'
source_filename = "kernel"
target triple = "nvptx64-nvidia-cuda"

%struct.RuntimeContext.1775 = type { i8*, %struct.LLVMRuntime.1774*, i32, i64* }
%struct.LLVMRuntime.1774 = type { %struct.PreallocatedMemoryChunk.1769, %struct.PreallocatedMemoryChunk.1769, i8* (i8*, i64, i64)*, void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag.1770*)*, i8*, [512 x i8*], [512 x i64], i8*, void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager.1771*], [1024 x %struct.NodeManager.1772*], [1024 x i8*], i8*, %struct.RandState.1773*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, i32, i32, i64 }
%struct.PreallocatedMemoryChunk.1769 = type { i8*, i8*, i64 }
%struct.__va_list_tag.1770 = type { i32, i32, i8*, i8* }
%struct.ListManager.1771 = type { [131072 x i8*], i64, i64, i32, i32, i32, %struct.LLVMRuntime.1774* }
%struct.NodeManager.1772 = type <{ %struct.LLVMRuntime.1774*, i32, i32, i32, i32, %struct.ListManager.1771*, %struct.ListManager.1771*, %struct.ListManager.1771*, i32, [4 x i8] }>
%struct.RandState.1773 = type { i32, i32, i32, i32, i32 }
%struct.DenseMeta.1778 = type <{ %struct.StructMeta.1777, i32, [4 x i8] }>
%struct.StructMeta.1777 = type { i32, i64, i64, i8* (i8*, i8*, i32)*, i8* (i8*)*, i1 (i8*, i8*, i32)*, i32 (i8*, i8*)*, void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)*, %struct.RuntimeContext.1775* }
%struct.PhysicalCoordinates.0.1776 = type { [12 x i32] }
%S0_ch.1803 = type { [8 x %S1_ch.1779], [8 x %S3_ch.1780], [8 x %S6_ch.1781], [8 x %S8_ch.1782], [8 x %S11_ch.1783], [8 x %S13_ch.1784], [8 x %S16_ch.1785], [8 x %S18_ch.1786], [8 x %S21_ch.1787], [8 x %S23_ch.1788], [8 x %S26_ch.1789], [8 x %S28_ch.1790], [8 x %S31_ch.1791], [8 x %S33_ch.1792], [8 x %S36_ch.1793], [8 x %S38_ch.1794], [8 x %S16_ch.1785], [8 x %S18_ch.1786], [8 x %S21_ch.1787], [8 x %S23_ch.1788], [8 x %S26_ch.1789], [8 x %S28_ch.1790], [8 x %S31_ch.1791], [8 x %S33_ch.1792], [8 x %S61_ch.1795], [1 x %S70_ch.1796], [1 x %S31_ch.1791], [24 x %S26_ch.1789], [24 x %S26_ch.1789], [24 x %S26_ch.1789], [24 x %S26_ch.1789], [96 x %S26_ch.1789], [4 x %S91_ch.1797], [4 x %S11_ch.1783], [4 x %S11_ch.1783], [6 x %S99_ch.1798], [3 x %S105_ch.1800], [6 x %S109_ch.1802] }
%S1_ch.1779 = type { half }
%S3_ch.1780 = type { half, half }
%S6_ch.1781 = type { float }
%S8_ch.1782 = type { float, float }
%S11_ch.1783 = type { double }
%S13_ch.1784 = type { double, double }
%S36_ch.1793 = type { i1 }
%S38_ch.1794 = type { i1, i1 }
%S16_ch.1785 = type { i8 }
%S18_ch.1786 = type { i8, i8 }
%S21_ch.1787 = type { i16 }
%S23_ch.1788 = type { i16, i16 }
%S26_ch.1789 = type { i32 }
%S28_ch.1790 = type { i32, i32 }
%S31_ch.1791 = type { i64 }
%S33_ch.1792 = type { i64, i64 }
%S61_ch.1795 = type { half, half, half, half, half, half, half, half }
%S70_ch.1796 = type { i8, i8, i8, i8, i8, i8, i8, i8 }
%S91_ch.1797 = type { i32, i32, i32 }
%S99_ch.1798 = type { double, double, double, double, i64 }
%S105_ch.1800 = type { [4 x %S106_ch.1799] }
%S106_ch.1799 = type { [4 x %S26_ch.1789] }
%S109_ch.1802 = type { [8 x %S110_ch.1801] }
%S110_ch.1801 = type { i32, i32, i32, i32 }

define void @put_c184_0_kernel_0_serial(%struct.RuntimeContext.1775* byval(%struct.RuntimeContext.1775) %context) {
entry:
  %0 = alloca %struct.DenseMeta.1778, align 8
  br label %body

final:                                            ; preds = %body
  ret void

body:                                             ; preds = %entry
  %1 = getelementptr %struct.RuntimeContext.1775, %struct.RuntimeContext.1775* %context, i32 0, i32 0
  %2 = bitcast i8** %1 to { { { i32 }, i8* } }**
  %3 = load { { { i32 }, i8* } }*, { { { i32 }, i8* } }** %2, align 8
  %4 = getelementptr { { { i32 }, i8* } }, { { { i32 }, i8* } }* %3, i32 0, i32 0
  %5 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %6 = load i8*, i8** %5, align 8
  %7 = getelementptr i8, i8* %6, i32 0
  %8 = load i8, i8* %7, align 1
  %9 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %10 = load i8*, i8** %9, align 8
  %11 = getelementptr i8, i8* %10, i32 1
  %12 = load i8, i8* %11, align 1
  %13 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %14 = load i8*, i8** %13, align 8
  %15 = getelementptr i8, i8* %14, i32 2
  %16 = load i8, i8* %15, align 1
  %17 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %18 = load i8*, i8** %17, align 8
  %19 = getelementptr i8, i8* %18, i32 3
  %20 = load i8, i8* %19, align 1
  %21 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %22 = load i8*, i8** %21, align 8
  %23 = getelementptr i8, i8* %22, i32 4
  %24 = load i8, i8* %23, align 1
  %25 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %26 = load i8*, i8** %25, align 8
  %27 = getelementptr i8, i8* %26, i32 5
  %28 = load i8, i8* %27, align 1
  %29 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %30 = load i8*, i8** %29, align 8
  %31 = getelementptr i8, i8* %30, i32 6
  %32 = load i8, i8* %31, align 1
  %33 = getelementptr { { i32 }, i8* }, { { i32 }, i8* }* %4, i32 0, i32 1
  %34 = load i8*, i8** %33, align 8
  %35 = getelementptr i8, i8* %34, i32 7
  %36 = load i8, i8* %35, align 1
  %37 = call %struct.LLVMRuntime.1774* @RuntimeContext_get_runtime(%struct.RuntimeContext.1775* %context)
  %38 = call i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.1774* %37, i32 0)
  %39 = bitcast i8* %38 to %S0_ch.1803*
  %40 = getelementptr %S0_ch.1803, %S0_ch.1803* %39, i32 0
  %41 = bitcast %S0_ch.1803* %40 to i8*
  %42 = call i8* @get_ch_S0_to_S70(i8* %41)
  %43 = bitcast i8* %42 to [1 x %S70_ch.1796]*
  %44 = bitcast %struct.DenseMeta.1778* %0 to %struct.StructMeta.1777*
  call void @StructMeta_set_snode_id(%struct.StructMeta.1777* %44, i32 70)
  call void @StructMeta_set_element_size(%struct.StructMeta.1777* %44, i64 8)
  call void @StructMeta_set_max_num_elements(%struct.StructMeta.1777* %44, i64 1)
  call void @StructMeta_set_context(%struct.StructMeta.1777* %44, %struct.RuntimeContext.1775* %context)
  call void @StructMeta_set_lookup_element(%struct.StructMeta.1777* %44, i8* (i8*, i8*, i32)* @Dense_lookup_element)
  call void @StructMeta_set_is_active(%struct.StructMeta.1777* %44, i1 (i8*, i8*, i32)* @Dense_is_active)
  call void @StructMeta_set_get_num_elements(%struct.StructMeta.1777* %44, i32 (i8*, i8*)* @Dense_get_num_elements)
  call void @StructMeta_set_from_parent_element(%struct.StructMeta.1777* %44, i8* (i8*)* @get_ch_S0_to_S70)
  call void @StructMeta_set_refine_coordinates(%struct.StructMeta.1777* %44, void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)* @S70_refine_coordinates)
  call void @DenseMeta_set_morton_dim(%struct.DenseMeta.1778* %0, i32 0)
  %45 = bitcast %struct.DenseMeta.1778* %0 to i8*
  %46 = bitcast [1 x %S70_ch.1796]* %43 to i8*
  %47 = call i8* @Dense_lookup_element(i8* %45, i8* %46, i32 0)
  %48 = call i8* @get_ch_S70_to_S71(i8* %47)
  store i8 %8, i8* %48, align 1
  %49 = call i8* @get_ch_S70_to_S72(i8* %47)
  store i8 %12, i8* %49, align 1
  %50 = call i8* @get_ch_S70_to_S73(i8* %47)
  store i8 %16, i8* %50, align 1
  %51 = call i8* @get_ch_S70_to_S74(i8* %47)
  store i8 %20, i8* %51, align 1
  %52 = call i8* @get_ch_S70_to_S75(i8* %47)
  store i8 %24, i8* %52, align 1
  %53 = call i8* @get_ch_S70_to_S76(i8* %47)
  store i8 %28, i8* %53, align 1
  %54 = call i8* @get_ch_S70_to_S77(i8* %47)
  store i8 %32, i8* %54, align 1
  %55 = call i8* @get_ch_S70_to_S78(i8* %47)
  store i8 %36, i8* %55, align 1
  br label %final
}

define internal void @S70_refine_coordinates(%struct.PhysicalCoordinates.0.1776* %0, %struct.PhysicalCoordinates.0.1776* %1, i32 %2) {
entry:
  %3 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 0)
  %4 = mul i32 %3, 1
  %5 = add i32 %4, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 0, i32 %5)
  %6 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 1)
  %7 = mul i32 %6, 1
  %8 = add i32 %7, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 1, i32 %8)
  %9 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 2)
  %10 = mul i32 %9, 1
  %11 = add i32 %10, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 2, i32 %11)
  %12 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 3)
  %13 = mul i32 %12, 1
  %14 = add i32 %13, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 3, i32 %14)
  %15 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 4)
  %16 = mul i32 %15, 1
  %17 = add i32 %16, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 4, i32 %17)
  %18 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 5)
  %19 = mul i32 %18, 1
  %20 = add i32 %19, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 5, i32 %20)
  %21 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 6)
  %22 = mul i32 %21, 1
  %23 = add i32 %22, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 6, i32 %23)
  %24 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 7)
  %25 = mul i32 %24, 1
  %26 = add i32 %25, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 7, i32 %26)
  %27 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 8)
  %28 = mul i32 %27, 1
  %29 = add i32 %28, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 8, i32 %29)
  %30 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 9)
  %31 = mul i32 %30, 1
  %32 = add i32 %31, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 9, i32 %32)
  %33 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 10)
  %34 = mul i32 %33, 1
  %35 = add i32 %34, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 10, i32 %35)
  %36 = call i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* %0, i32 11)
  %37 = mul i32 %36, 1
  %38 = add i32 %37, 0
  call void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* %1, i32 11, i32 %38)
  ret void
}

define internal i8* @get_ch_S0_to_S70(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S0_ch.1803*
  %getch = getelementptr %S0_ch.1803, %S0_ch.1803* %1, i32 0, i32 25
  %2 = bitcast [1 x %S70_ch.1796]* %getch to i8*
  ret i8* %2
}

define internal i8* @get_ch_S70_to_S71(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 0
  ret i8* %getch
}

define internal i8* @get_ch_S70_to_S72(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 1
  ret i8* %getch
}

define internal i8* @get_ch_S70_to_S73(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 2
  ret i8* %getch
}

define internal i8* @get_ch_S70_to_S74(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 3
  ret i8* %getch
}

define internal i8* @get_ch_S70_to_S75(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 4
  ret i8* %getch
}

define internal i8* @get_ch_S70_to_S76(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 5
  ret i8* %getch
}

define internal i8* @get_ch_S70_to_S77(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 6
  ret i8* %getch
}

define internal i8* @get_ch_S70_to_S78(i8* %0) {
entry:
  %1 = bitcast i8* %0 to %S70_ch.1796*
  %getch = getelementptr %S70_ch.1796, %S70_ch.1796* %1, i32 0, i32 7
  ret i8* %getch
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i32 @PhysicalCoordinates_get_val(%struct.PhysicalCoordinates.0.1776* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.PhysicalCoordinates.0.1776*, align 8
  %4 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.1776* %0, %struct.PhysicalCoordinates.0.1776** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776** %3, align 8
  %6 = getelementptr inbounds %struct.PhysicalCoordinates.0.1776, %struct.PhysicalCoordinates.0.1776* %5, i32 0, i32 0
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [12 x i32], [12 x i32]* %6, i64 0, i64 %8
  %10 = load i32, i32* %9, align 4
  ret i32 %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @PhysicalCoordinates_set_val(%struct.PhysicalCoordinates.0.1776* noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca %struct.PhysicalCoordinates.0.1776*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store %struct.PhysicalCoordinates.0.1776* %0, %struct.PhysicalCoordinates.0.1776** %4, align 8
  store i32 %1, i32* %5, align 4
  store i32 %2, i32* %6, align 4
  %7 = load i32, i32* %6, align 4
  %8 = load %struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776** %4, align 8
  %9 = getelementptr inbounds %struct.PhysicalCoordinates.0.1776, %struct.PhysicalCoordinates.0.1776* %8, i32 0, i32 0
  %10 = load i32, i32* %5, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [12 x i32], [12 x i32]* %9, i64 0, i64 %11
  store i32 %7, i32* %12, align 4
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal %struct.LLVMRuntime.1774* @RuntimeContext_get_runtime(%struct.RuntimeContext.1775* noundef %0) #0 {
  %2 = alloca %struct.RuntimeContext.1775*, align 8
  store %struct.RuntimeContext.1775* %0, %struct.RuntimeContext.1775** %2, align 8
  %3 = load %struct.RuntimeContext.1775*, %struct.RuntimeContext.1775** %2, align 8
  %4 = getelementptr inbounds %struct.RuntimeContext.1775, %struct.RuntimeContext.1775* %3, i32 0, i32 1
  %5 = load %struct.LLVMRuntime.1774*, %struct.LLVMRuntime.1774** %4, align 8
  ret %struct.LLVMRuntime.1774* %5
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_snode_id(%struct.StructMeta.1777* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca i32, align 4
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 0
  store i32 %5, i32* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_element_size(%struct.StructMeta.1777* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 1
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_max_num_elements(%struct.StructMeta.1777* noundef %0, i64 noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca i64, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store i64 %1, i64* %4, align 8
  %5 = load i64, i64* %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 2
  store i64 %5, i64* %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_get_num_elements(%struct.StructMeta.1777* noundef %0, i32 (i8*, i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca i32 (i8*, i8*)*, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store i32 (i8*, i8*)* %1, i32 (i8*, i8*)** %4, align 8
  %5 = load i32 (i8*, i8*)*, i32 (i8*, i8*)** %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 6
  store i32 (i8*, i8*)* %5, i32 (i8*, i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_lookup_element(%struct.StructMeta.1777* noundef %0, i8* (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca i8* (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store i8* (i8*, i8*, i32)* %1, i8* (i8*, i8*, i32)** %4, align 8
  %5 = load i8* (i8*, i8*, i32)*, i8* (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 3
  store i8* (i8*, i8*, i32)* %5, i8* (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_from_parent_element(%struct.StructMeta.1777* noundef %0, i8* (i8*)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca i8* (i8*)*, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store i8* (i8*)* %1, i8* (i8*)** %4, align 8
  %5 = load i8* (i8*)*, i8* (i8*)** %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 4
  store i8* (i8*)* %5, i8* (i8*)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_refine_coordinates(%struct.StructMeta.1777* noundef %0, void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)*, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)* %1, void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)** %4, align 8
  %5 = load void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)*, void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)** %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 7
  store void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)* %5, void (%struct.PhysicalCoordinates.0.1776*, %struct.PhysicalCoordinates.0.1776*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_is_active(%struct.StructMeta.1777* noundef %0, i1 (i8*, i8*, i32)* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca i1 (i8*, i8*, i32)*, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store i1 (i8*, i8*, i32)* %1, i1 (i8*, i8*, i32)** %4, align 8
  %5 = load i1 (i8*, i8*, i32)*, i1 (i8*, i8*, i32)** %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 5
  store i1 (i8*, i8*, i32)* %5, i1 (i8*, i8*, i32)** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @StructMeta_set_context(%struct.StructMeta.1777* noundef %0, %struct.RuntimeContext.1775* noundef %1) #0 {
  %3 = alloca %struct.StructMeta.1777*, align 8
  %4 = alloca %struct.RuntimeContext.1775*, align 8
  store %struct.StructMeta.1777* %0, %struct.StructMeta.1777** %3, align 8
  store %struct.RuntimeContext.1775* %1, %struct.RuntimeContext.1775** %4, align 8
  %5 = load %struct.RuntimeContext.1775*, %struct.RuntimeContext.1775** %4, align 8
  %6 = load %struct.StructMeta.1777*, %struct.StructMeta.1777** %3, align 8
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 8
  store %struct.RuntimeContext.1775* %5, %struct.RuntimeContext.1775** %7, align 8
  ret void
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal i8* @LLVMRuntime_get_roots(%struct.LLVMRuntime.1774* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.LLVMRuntime.1774*, align 8
  %4 = alloca i32, align 4
  store %struct.LLVMRuntime.1774* %0, %struct.LLVMRuntime.1774** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load %struct.LLVMRuntime.1774*, %struct.LLVMRuntime.1774** %3, align 8
  %6 = getelementptr inbounds %struct.LLVMRuntime.1774, %struct.LLVMRuntime.1774* %5, i32 0, i32 7
  %7 = load i32, i32* %4, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [512 x i8*], [512 x i8*]* %6, i64 0, i64 %8
  %10 = load i8*, i8** %9, align 8
  ret i8* %10
}

; Function Attrs: alwaysinline mustprogress nounwind uwtable
define internal void @DenseMeta_set_morton_dim(%struct.DenseMeta.1778* noundef %0, i32 noundef %1) #0 {
  %3 = alloca %struct.DenseMeta.1778*, align 8
  %4 = alloca i32, align 4
  store %struct.DenseMeta.1778* %0, %struct.DenseMeta.1778** %3, align 8
  store i32 %1, i32* %4, align 4
  %5 = load i32, i32* %4, align 4
  %6 = load %struct.DenseMeta.1778*, %struct.DenseMeta.1778** %3, align 8
  %7 = getelementptr inbounds %struct.DenseMeta.1778, %struct.DenseMeta.1778* %6, i32 0, i32 1
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
  %6 = bitcast i8* %5 to %struct.StructMeta.1777*
  %7 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %6, i32 0, i32 2
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
  %9 = bitcast i8* %8 to %struct.StructMeta.1777*
  %10 = getelementptr inbounds %struct.StructMeta.1777, %struct.StructMeta.1777* %9, i32 0, i32 1
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

!0 = !{void (%struct.RuntimeContext.1775*)* @put_c184_0_kernel_0_serial, !"kernel", i32 1}
!1 = !{void (%struct.RuntimeContext.1775*)* @put_c184_0_kernel_0_serial, !"maxntidx", i32 1}
!2 = !{void (%struct.RuntimeContext.1775*)* @put_c184_0_kernel_0_serial, !"minctasm", i32 2}
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
