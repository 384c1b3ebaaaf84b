"""Conversions of half precision for CPUs without instructions for them, in LLVM IR.

LLVM calls functions of the compiler's runtime library for them, which a system need not have. These round to the
nearest number, to even in ties, as the instructions do. Taichi rounds f64 to f32 first.

LLVM decides where it calls them when it makes machine code, so each module has them. They have a section of their own,
which the linker leaves out where nothing calls them.
"""

HALF = """
define linkonce_odr hidden float @__extendhfsf2(half %value) nounwind section ".text.taichi_aot.half" {
  %short = bitcast half %value to i16
  %bits = zext i16 %short to i32
  %sign_bit = and i32 %bits, 32768
  %sign = shl i32 %sign_bit, 16
  %magnitude = and i32 %bits, 32767
  %is_special = icmp uge i32 %magnitude, 31744
  %is_nan = icmp ugt i32 %magnitude, 31744
  %is_small = icmp ult i32 %magnitude, 1024
  %shifted = shl i32 %magnitude, 13
  %normal = add i32 %shifted, 939524096
  %quiet = select i1 %is_nan, i32 2143289344, i32 2139095040
  %special = or i32 %shifted, %quiet
  %count = uitofp i32 %magnitude to float
  %scaled = fmul float %count, 0x3E70000000000000
  %small = bitcast float %scaled to i32
  %finite = select i1 %is_small, i32 %small, i32 %normal
  %result = select i1 %is_special, i32 %special, i32 %finite
  %signed = or i32 %result, %sign
  %float = bitcast i32 %signed to float
  ret float %float
}

define linkonce_odr hidden half @__truncsfhf2(float %value) nounwind section ".text.taichi_aot.half" {
  %bits = bitcast float %value to i32
  %high = lshr i32 %bits, 16
  %sign = and i32 %high, 32768
  %magnitude = and i32 %bits, 2147483647
  %is_large = icmp uge i32 %magnitude, 1199570944
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  %is_small = icmp ult i32 %magnitude, 947912704
  %payload_bits = lshr i32 %magnitude, 13
  %payload = and i32 %payload_bits, 1023
  %nan = or i32 %payload, 32256
  %large = select i1 %is_nan, i32 %nan, i32 31744
  %float = bitcast i32 %magnitude to float
  %sum = fadd float %float, 5.000000e-01
  %sum_bits = bitcast float %sum to i32
  %small = sub i32 %sum_bits, 1056964608
  %odd = and i32 %payload_bits, 1
  %biased = add i32 %magnitude, 3355447295
  %rounded = add i32 %biased, %odd
  %normal = lshr i32 %rounded, 13
  %finite = select i1 %is_small, i32 %small, i32 %normal
  %result = select i1 %is_large, i32 %large, i32 %finite
  %signed = or i32 %result, %sign
  %short = trunc i32 %signed to i16
  %half = bitcast i16 %short to half
  ret half %half
}

@llvm.compiler.used = appending global [2 x i8*] [
  i8* bitcast (float (half)* @__extendhfsf2 to i8*),
  i8* bitcast (half (float)* @__truncsfhf2 to i8*)
], section "llvm.metadata"
"""
