"""Kernels with structs as parameters."""

import taichi as ti

from helpers.exports import export_kernels

F32_1D = ti.types.ndarray(ti.f32, 1)
SHAPE = ti.types.struct(a=ti.f32, m=ti.types.matrix(2, 2, ti.f32))
BODY = ti.types.struct(mass=ti.f32, pos=ti.math.vec3, id=ti.i32, shape=SHAPE, kind=ti.u32)
NARROW = ti.types.struct(a=ti.i8, b=ti.f16, c=ti.u16, d=ti.f64, e=ti.i64, f=ti.u8)
MANY = ti.types.struct(head=ti.i32, m=ti.types.matrix(5, 8, ti.f32), tail=ti.f32)
NUMBERED = ti.types.struct(p_0=ti.f32, p_1=ti.f32)


@ti.dataclass
class Weight:
    factor: ti.f32
    count: ti.i32

    @ti.func
    def product(self):
        return self.factor * self.count


@ti.dataclass
class Switch:
    on: bool
    weight: Weight

    @ti.func
    def product(self):
        return ti.select(self.on, self.weight.product(), -1)


@ti.kernel
def weigh(n: ti.i32, body: BODY, w: Weight, out: F32_1D):
    for i in out:
        out[i] = body.mass + body.pos[1] + body.id + body.shape.a + body.shape.m[1, 0] + body.kind + w.product() + n


@ti.kernel
def narrow(s: NARROW, out: ti.types.ndarray(ti.f64, 1)):
    out[0], out[1], out[2] = ti.cast(s.a, ti.f64), ti.cast(s.b, ti.f64), ti.cast(s.c, ti.f64)
    out[3], out[4], out[5] = s.d, ti.cast(s.e, ti.f64), ti.cast(s.f, ti.f64)


@ti.kernel
def many(before: ti.f32, s: MANY, after: ti.f32, out: F32_1D):
    for i in out:
        total = before + after + s.head + s.tail
        for row, column in ti.static(ti.ndrange(5, 8)):
            total += s.m[row, column] * (row * 8 + column)
        out[i] = total


@ti.kernel
def numbered(p: NUMBERED, out: F32_1D):
    out[0] = p.p_0 - p.p_1


@ti.kernel
def scaled(w: Weight, out: F32_1D):
    for i in out:
        out[i] = w.factor * w.count


@ti.kernel
def returned(w: Weight) -> Weight:
    return Weight(factor=w.factor * 2, count=w.count + 1)


@ti.kernel
def switched(switch: Switch) -> ti.f32:
    other = switch
    other.weight.count += 1
    return 10 * other.product() + switch.product()


if ti.cfg.arch in (ti.x64, ti.cuda):  # Vulkan has no real functions

    @ti.real_func
    def sum_of(body: BODY, switch: Switch) -> ti.f32:
        return body.mass + body.pos[1] + body.id + body.shape.a + body.shape.m[1, 0] + body.kind + switch.product()

    @ti.kernel
    def summed(body: BODY, switch: Switch) -> ti.f32:
        return sum_of(body, switch)


export_kernels(vars())
