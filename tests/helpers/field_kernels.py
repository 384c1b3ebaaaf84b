"""Dense fields of every layout and dtype, with kernels that use them; compiled by `taichi_aot.build`.

Each field ``NAME`` in `NUMBERED` has a kernel ``number_NAME``, which writes each element's number, and ``check_NAME``,
which counts elements with another value.
"""

import taichi as ti

DTYPES = ("f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64")
VECTORS = ("u1", "i8", "f16", "f32", "i64")  # one of each size
IS_LLVM = ti.cfg.arch in (ti.x64, ti.cuda)
PARTICLE = ti.types.struct(position=ti.types.vector(3, ti.f64), state=ti.types.struct(mass=ti.f64, cell=ti.i64))
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)

fields = {}
for name in DTYPES if IS_LLVM else [name for name in DTYPES if name != "u1"]:
    fields[f"scalar_{name}"] = ti.field(getattr(ti, name), (4, 2))
for name in VECTORS if IS_LLVM else VECTORS[1:]:
    fields[f"vector_{name}"] = ti.Vector.field(2, getattr(ti, name), (4, 2))
fields["matrix"] = ti.Matrix.field(2, 4, ti.f16, 8)
fields["one_vector"] = ti.Vector.field(8, ti.i8, ())
fields["one"] = ti.field(ti.i64, ())
fields["soa"] = ti.Vector.field(3, ti.i32, (4, 6), layout=ti.Layout.SOA)
fields["shifted"] = ti.field(ti.i32, (4, 6), offset=(-2, 3))
fields["eight"] = ti.field(ti.i32, (2, 1, 3, 2, 1, 2, 2, 2))
fields["column"] = ti.Matrix.field(3, 1, ti.i32, 4)
fields["derived"] = ti.field(ti.f64, 4, needs_grad=True)
fields["particle"] = PARTICLE.field(shape=6)
fields["nested"] = ti.field(ti.i32)
ti.root.dense(ti.j, 3).dense(ti.i, 4).dense(ti.ij, (2, 2)).place(fields["nested"])
fields["beside"], fields["other"] = ti.field(ti.i32), ti.Vector.field(3, ti.i32)
ti.root.dense(ti.ij, (3, 2)).dense(ti.jk, (4, 2)).place(fields["beside"], fields["other"], offset=(7, -3, 0))

NUMBERED = ("soa", "shifted", "eight", "column", "nested", "beside", "other")


@ti.func
def number_of(index, field: ti.template(), shape: ti.template(), first: ti.template()):
    """Return the number of an element in C order."""
    number = 0
    for axis in ti.static(range(len(shape))):
        number = number * shape[axis] + index[axis] - first[axis]
    return number


def make_kernels(field):
    shape, first = field.shape, tuple(field.snode.ptr.offset) or (0,) * len(field.shape)
    size = ti.static(field.n * field.m if isinstance(field, ti.MatrixField) else 1)
    ranges = [(low, low + count) for low, count in zip(first, shape, strict=True)]
    members = [ti.ScalarField(member) for member in field.vars]

    @ti.kernel
    def number():
        for index in ti.grouped(ti.ndrange(*ranges)):
            for c in ti.static(range(size)):
                members[c][index] = number_of(index, field, shape, first) * size + c

    @ti.kernel
    def check(wrong: I32_1D):
        for index in ti.grouped(ti.ndrange(*ranges)):
            for c in ti.static(range(size)):
                if members[c][index] != number_of(index, field, shape, first) * size + c:
                    wrong[0] += 1

    return number, check


@ti.kernel
def double():
    for i, j in fields["scalar_f32"]:
        fields["scalar_f32"][i, j] *= 2


def build(module):
    for name, field in fields.items():
        module.add_field(name, field)
    module.add_field("derived_grad", fields["derived"].grad)
    for name in NUMBERED:
        number, check = make_kernels(fields[name])
        module.add_kernel(number, name=f"number_{name}")
        module.add_kernel(check, name=f"check_{name}")
    module.add_kernel(double)
