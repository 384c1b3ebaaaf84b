"""Fields in every layout and of every type, with kernels that use them; compiled by `taichi_aot.build`.

Each field ``NAME`` that is in `NUMBERED` has a kernel ``number_NAME``, which writes to each element its own number, and
``check_NAME``, which counts elements in which something else is.
"""

import taichi as ti

DTYPES = ("f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64")
IS_LLVM = ti.cfg.arch in (ti.x64, ti.cuda)
PARTICLE = ti.types.struct(position=ti.types.vector(3, ti.f64), state=ti.types.struct(mass=ti.f64, cell=ti.i64))
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)

fields = {}
for name in DTYPES if IS_LLVM else [name for name in DTYPES if name != "u1"]:
    dtype = getattr(ti, name)
    fields[f"scalar_{name}"] = ti.field(dtype, (4, 2))
    fields[f"vector_{name}"] = ti.Vector.field(2, dtype, (4, 2))
    fields[f"matrix_{name}"] = ti.Matrix.field(2, 4, dtype, 8)
    fields[f"single_{name}"] = ti.Vector.field(8, dtype, ())
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

if IS_LLVM:
    fields["pointer"] = ti.field(ti.f32)
    ti.root.pointer(ti.ij, (4, 4)).dense(ti.ij, (2, 2)).place(fields["pointer"], offset=(-4, 0))
    fields["bitmasked"] = ti.Vector.field(3, ti.i16)
    ti.root.pointer(ti.i, 4).bitmasked(ti.i, 4).place(fields["bitmasked"])
    fields["bitmasked_u1"] = ti.field(ti.u1)
    ti.root.bitmasked(ti.i, 16).place(fields["bitmasked_u1"])
    fields["dynamic"] = ti.field(ti.i32)
    ti.root.dense(ti.i, 3).dynamic(ti.j, 16, chunk_size=4).place(fields["dynamic"])
    fields["hollow"] = ti.field(ti.i32)  # too large for an array
    ti.root.pointer(ti.ij, 1 << 10).dense(ti.ij, 1 << 8).place(fields["hollow"])

    packed = ti.BitpackedFields(max_num_bits=64)
    fields["quant_int"] = ti.field(ti.types.quant.int(5))
    fields["quant_uint"] = ti.field(ti.types.quant.int(3, signed=False))
    fields["quant_fixed"] = ti.field(ti.types.quant.fixed(bits=10, max_value=2.0))
    fields["quant_float"] = ti.field(ti.types.quant.float(exp=5, frac=10))
    packed.place(*(fields[f"quant_{kind}"] for kind in ("int", "uint", "fixed", "float")))
    ti.root.dense(ti.i, 7).place(packed)
    fields["quant_array"] = ti.field(ti.types.quant.int(5))
    ti.root.dense(ti.i, 4).quant_array(ti.i, 6, max_num_bits=32).place(fields["quant_array"])
    fields["quant_sparse"] = ti.field(ti.types.quant.int(8))
    ti.root.pointer(ti.i, 4).quant_array(ti.i, 4, max_num_bits=32).place(fields["quant_sparse"])

    later = ti.FieldsBuilder()
    fields["later"] = ti.field(ti.i32)
    later.dense(ti.i, 6).place(fields["later"])
    later.finalize()

NUMBERED = ("soa", "shifted", "eight", "column", "nested", "beside", "other", *(("dynamic", "later") * IS_LLVM))


@ti.func
def number_of(index, field: ti.template(), shape: ti.template(), first: ti.template()):
    """The number of an element in C order."""
    number = 0
    for axis in ti.static(range(len(shape))):
        number = number * shape[axis] + index[axis] - first[axis]
    return number


def make_kernels(field):
    shape, first = field.shape, tuple(field.snode.ptr.offset) or (0,) * len(field.shape)
    size = ti.static(field.n * field.m if isinstance(field, ti.MatrixField) else 1)
    members = [ti.ScalarField(member) for member in field.vars]

    @ti.kernel
    def number():
        for index in ti.grouped(ti.ndrange(*[(low, low + count) for low, count in zip(first, shape)])):
            for c in ti.static(range(size)):
                members[c][index] = number_of(index, field, shape, first) * size + c

    @ti.kernel
    def check(wrong: I32_1D):
        for index in ti.grouped(ti.ndrange(*[(low, low + count) for low, count in zip(first, shape)])):
            for c in ti.static(range(size)):
                if members[c][index] != number_of(index, field, shape, first) * size + c:
                    wrong[0] += 1

    return number, check


@ti.kernel
def count_cells(counts: I32_1D):
    for i in range(counts.shape[0]):
        counts[i] = 0
    for i, j in fields["pointer"]:
        counts[0] += 1
    for i in fields["bitmasked"]:
        counts[1] += 1
    for i in fields["bitmasked_u1"]:
        counts[2] += 1
    for i in range(3):
        counts[3 + i] = fields["dynamic"][i].length()


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
    if IS_LLVM:
        module.add_kernel(count_cells)
