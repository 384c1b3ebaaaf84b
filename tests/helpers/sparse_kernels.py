"""Sparse and quantized fields, and one in a second tree, with a kernel that counts cells; for x64 and CUDA."""

import taichi as ti

I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)

fields = {}
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


@ti.kernel
def count_cells(counts: I32_1D):
    for i in range(counts.shape[0]):
        counts[i] = 0
    for _cell in ti.grouped(fields["pointer"]):
        counts[0] += 1
    for _cell in fields["bitmasked"]:
        counts[1] += 1
    for _cell in fields["bitmasked_u1"]:
        counts[2] += 1
    for i in range(3):
        counts[3 + i] = fields["dynamic"][i].length()


@ti.kernel
def activate():
    for i in range(3):
        for j in range(2 * i):
            fields["dynamic"][i].append(10 * i + j)
    fields["pointer"][-4, 7] = 3
    fields["later"][5] = 5


def build(module):
    for name, field in fields.items():
        module.add_field(name, field)
    module.add_kernel(count_cells)
    module.add_kernel(activate)
