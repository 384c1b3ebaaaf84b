"""Sparse and quantized fields, and one in a second tree, with kernels on their cells; for x64 and CUDA."""

import taichi as ti

from helpers.exports import export_kernels

I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)

fields = {}
fields["pointer"] = ti.field(ti.f32)
ti.root.pointer(ti.ij, (4, 4)).dense(ti.ij, (2, 2)).place(fields["pointer"], offset=(-4, 0))
fields["bitmasked"] = ti.Vector.field(3, ti.i16)
ti.root.pointer(ti.i, 4).bitmasked(ti.i, 4).place(fields["bitmasked"])
fields["bitmasked_u1"] = ti.field(ti.u1)
bits = ti.root.bitmasked(ti.i, 16)
bits.place(fields["bitmasked_u1"])
fields["dynamic"] = ti.field(ti.i32)
ti.root.dense(ti.i, 3).dynamic(ti.j, 16, chunk_size=4).place(fields["dynamic"])
fields["hollow"] = ti.field(ti.i32)  # too large for a dense array
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

# Fields with deactivated cells, and the index of one cell each.
cells = {}
fields["pointers"] = ti.field(ti.f64)
cells["pointers"] = ti.root.pointer(ti.i, 3).pointer(ti.j, 4), (1, 2)
cells["pointers"][0].place(fields["pointers"])
fields["masks"] = ti.field(ti.f32)
cells["masks"] = ti.root.bitmasked(ti.j, 3), (1,)
cells["masks"][0].bitmasked(ti.i, 4).dense(ti.j, 2).place(fields["masks"], offset=(-4, 7))
fields["mask"] = ti.Vector.field(2, ti.i32)
cells["mask"] = ti.root.dense(ti.i, 2).bitmasked(ti.i, 4), (5,)
cells["mask"][0].dense(ti.i, 2).place(fields["mask"])
fields["apart"] = ti.Matrix.field(1, 2, ti.f32)
cells["apart"] = ti.root.bitmasked(ti.i, 4), (2,)
cells["apart"][0].place(fields["apart"].get_scalar_field(0, 0))
ti.root.pointer(ti.i, 2).bitmasked(ti.i, 2).place(fields["apart"].get_scalar_field(0, 1))
fields["masked_list"] = ti.field(ti.u8)
cells["masked_list"] = ti.root.bitmasked(ti.i, 3), (1,)
cells["masked_list"][0].dynamic(ti.j, 8).place(fields["masked_list"])
fields["list"] = ti.field(ti.i64)
cells["list"] = ti.root.dense(ti.i, 3), (1,)
lists = cells["list"][0].dynamic(ti.j, 8, chunk_size=4)
lists.place(fields["list"])
fields["quant_mask"] = ti.field(ti.types.quant.int(8))
cells["quant_mask"] = ti.root.bitmasked(ti.i, 4), (3,)
cells["quant_mask"][0].quant_array(ti.i, 4, max_num_bits=32).place(fields["quant_mask"])
fields["packed_mask"] = ti.field(ti.types.quant.fixed(bits=10, max_value=64.0))
packed_mask = ti.BitpackedFields(max_num_bits=32)
packed_mask.place(fields["packed_mask"])
cells["packed_mask"] = ti.root.bitmasked(ti.i, 4), (0,)
cells["packed_mask"][0].place(packed_mask)
names = tuple(cells)
numbers = {name: [ti.ScalarField(number) for number in fields[name].vars] for name in cells}
shapes = {name: fields[name].shape for name in cells}
firsts = {name: fields[name].snode.ptr.offset or [0] * len(shape) for name, shape in shapes.items()}

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


@ti.func
def number_elements(step: ti.template()):
    """Write 1, 2, 3, ... to every element, or to every `step`-th."""
    for name in ti.static(names):
        for index in ti.grouped(ti.ndrange(*shapes[name])):
            number = 0
            for axis in ti.static(range(len(shapes[name]))):
                number = number * shapes[name][axis] + index[axis]
            if number % step == 0:
                for part in ti.static(numbers[name]):
                    part[index + ti.Vector(firsts[name], ti.i32)] = number + 1


@ti.kernel
def number_all():
    number_elements(1)


@ti.kernel
def number_some():
    number_elements(3)


@ti.kernel
def deactivate():
    for name in ti.static(names):
        if ti.static(name == "list"):
            ti.deactivate(lists, [1])
        else:
            ti.deactivate(cells[name][0], cells[name][1])


@ti.kernel
def deactivate_bits():
    for i in range(4):
        ti.deactivate(bits, [4 * i])


def build(module):
    for name, field in fields.items():
        module.add_field(name, field)


export_kernels(vars())
