"""Every kind of module that the compiler writes can be read, loaded, and run as far as the C-API supports it."""

import json
import os

import numpy as np
import pytest
from helpers.archives import pack, read_archive
from helpers.child import in_child

from taichi_aot import (
    Arch,
    CorruptedDataError,
    LibraryNotFoundError,
    NotSupportedError,
    Runtime,
    function,
    inspect,
)


@pytest.fixture
def kinds(rt, modules):
    return rt.load_module(modules / "kinds.tcm")


@pytest.fixture
def files(modules):
    """The files of the module ``kinds``, to change."""
    return read_archive(modules / "kinds.tcm")


def type_names(kernel):
    return [parameter.type_name for parameter in kernel.signature.parameters]


def test_inspect_shows_every_kind(arch, modules):
    kernels = inspect(modules / "kinds.tcm").kernels
    assert type_names(kernels["no_dimensions"]) == ["ndarray[f32, 0]", "ndarray[vector(3, f32), 0]", "ndarray[f32, 1]"]
    assert type_names(kernels["vectors_of_one"]) == ["ndarray[vector(1, f32), 1]", "ndarray[f32, 1]"]
    assert type_names(kernels["takes_struct"]) == ["struct(weight: f32, count: i32)", "ndarray[f32, 1]"]
    assert type_names(kernels["takes_point"]) == ["struct(x: f32, y: f32)", "ndarray[f32, 1]"]
    assert type_names(kernels["takes_pack"]) == ["argpack", "ndarray[f32, 1]"]
    assert kernels["takes_pack"].signature.parameters[0].name == ("arg0" if arch.is_llvm else "_p")
    assert type_names(kernels["unused_texture"]) == ["texture[2]", "ndarray[f32, 1]"]
    assert kernels["several_returns"].signature.returns == (
        "i8",
        "struct(weight: f32, count: i32)",
        "matrix(2, 2, f64)",
    )
    gradients = [p.grad for p in kernels["with_gradient"].signature.parameters]
    assert gradients == [arch.is_llvm, False]
    assert not any(p.grad for p in kernels["without_gradient"].signature.parameters)


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_storage_texture_formats_come_from_the_code(modules):
    parameters = inspect(modules / "kinds.tcm").kernels["store_texels"].signature.parameters
    assert [(p.kind, p.ndim, p.format) for p in parameters] == [("rw_texture", 2, "r32f"), ("rw_texture", 3, "rgba8")]
    assert [p.type_name for p in parameters] == ["rw_texture[r32f, 2]", "rw_texture[rgba8, 3]"]


def test_zero_dimensional_arrays_are_passed(rt, kinds):
    scale, v = rt.full((), 2, "f32"), rt.asarray(np.array([1, 2, 3], np.float32), elem_shape=(3,))
    out = rt.zeros(6)
    kinds.kernels["no_dimensions"](scale, v, out)
    assert out.to_numpy().tolist() == [2, 4, 6, 2, 4, 6]
    number = rt.zeros((), "i32")
    kinds.kernels["write_no_dimensions"](7, number)
    assert number.to_numpy() == 7
    kinds.graphs["graph_no_dimensions"](value=-3, out=number)
    assert number.to_numpy() == -3
    with pytest.raises(TypeError, match=r"expected ndarray\[i32, 0\], got ndarray\[i32, 1\]"):
        kinds.kernels["write_no_dimensions"](7, rt.zeros(1, "i32"))


def test_arrays_have_up_to_12_dimensions(rt, kinds):
    x = rt.zeros((1,) * 10 + (2, 3), "f32", elem_shape=(2, 2))
    launch = kinds.kernels["most_dimensions"].bind(x)
    rt.sequence([launch])(repeat=3)
    sums = 3 * (10.0 * np.arange(2)[:, None] + np.arange(3))
    np.testing.assert_array_equal(x.to_numpy().reshape(2, 3, 4), np.repeat(sums[..., None], 4, axis=2))


@pytest.mark.usefixtures("c_library")
def test_arrays_of_13_dimensions_are_refused(rt, kinds):
    """The library refuses launches with them, although its structure has room for 16."""
    kernel = kinds.kernels["too_many_dimensions"]
    with pytest.raises(ValueError, match=r"^ndarrays and their elements have at most 12 dimensions, not 13$"):
        rt.zeros((1,) * 13)
    with pytest.raises(NotSupportedError, match=r"no array of more than 12 dimensions, and this one has 13$"):
        kernel(rt.zeros((1,) * 12))


def test_non_ascii_names_work(rt, kinds):
    out = rt.zeros(4, "i64")
    kinds.kernels["größe"](2**40, out)
    assert out.to_numpy().tolist() == [i * 2**40 for i in range(4)]
    kinds.graphs["ablauf_ü"](faktor_ö=-5, ziel_ß=out)
    assert out.to_numpy().tolist() == [0, -5, -10, -15]


def test_graph_passes_one_vector_as_several_types(rt, kinds):
    """The compiler compares the shapes only, and a module may state a vector as a column or as a row."""
    out = rt.zeros(3)
    kinds.graphs["graph_one_column"]([1, 2, 3], out)
    assert out.to_numpy().tolist() == [111, 222, 333]
    out.fill(0)
    kinds.graphs["graph_two_signs"]([-1, 0, 1], out)
    assert out.to_numpy().tolist() == [2**32, 0, 2]
    assert str(kinds.graphs["graph_two_signs"].signature.parameters[0]) == "v: vector(3, i32)"


def test_vectors_of_one_number_are_passed(rt, kinds):
    out = rt.zeros(4)
    kinds.kernels["vectors_of_one"](rt.full(4, 1.5, "f32", 1), out)
    assert out.to_numpy().tolist() == [3] * 4


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_kernel_may_ignore_a_texture(rt, kinds):
    out = rt.zeros(4)
    kinds.kernels["unused_texture"](rt.allocate_image((4, 4), "r8"), out)
    assert out.to_numpy().tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_llvm_kernels_have_no_textures(rt, kinds):
    with pytest.raises(NotSupportedError, match="'arg0': this arch has no textures"):
        kinds.kernels["unused_texture"](1, rt.zeros(4))


@pytest.mark.usefixtures("c_library")
def test_kernel_that_cannot_be_called_says_so_for_any_arguments(rt, kinds, modules, arch):
    name = "takes_pack"
    kernel, out = kinds.kernels[name], rt.zeros(4)
    words = rf"{name}\(\) parameter '\w+': an argument pack cannot be passed to a module that Taichi wrote"
    for call in (kernel, kernel.bind):
        for arguments, named in (((), {}), ((1, out), {}), ((out, 1, 2), {}), ((), {"p": 1, "out": out})):
            with pytest.raises(NotSupportedError, match=words):
                call(*arguments, **named)
    with pytest.raises(NotSupportedError, match=words):
        function(modules / "kinds.tcm", name, out="out", arch=arch)


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@in_child(env={"TAICHI_C_API_INSTALL_DIR": os.devnull})
def test_kernel_that_needs_the_missing_library_says_why(modules):
    with Runtime("vulkan") as rt:
        kinds = rt.load_module(modules / "kinds.tcm")
        words = (
            r"^only the C library can launch kernel takes_pack \(a parameter of kind argpack\), and .* was not found"
        )
        with pytest.raises(LibraryNotFoundError, match=words):
            _ = kinds.kernels["takes_pack"]


def test_kernel_without_an_effect_runs(rt, kinds):
    """On Vulkan the code lacks a binding of the metadata, which the library must not bind."""
    kinds.kernels["without_effect"]([1, 2, 3])
    rt.wait()


def test_kernel_does_not_take_names_of_another_one(rt, kinds, arch):
    """The compiler's cache compiles kernels with the same code once, with the first one's names."""
    kernel = kinds.kernels["back"]
    assert str(kernel.signature) == "back(arg0: ndarray[f32, 1], arg1: ndarray[f32, 1])"
    assert kinds.info.kernels["back"].names_of == ("" if arch.is_llvm else "forth")
    assert kinds.info.kernels["forth"].names_of == ""
    x, y = rt.full(2, 1.0, "f32"), rt.full(2, 5.0, "f32")
    for call in (kernel, kernel.bind, kernel.bind(y, x).update):
        with pytest.raises(
            TypeError, match=r"back\(\) .*'[xy]'.*does not state the names.*rename\(\).*taichi-aot build"
        ):
            call(y=y, x=x)
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'arg1'$"):
        kernel(y)
    kernel(y, x)
    assert (x.to_numpy().tolist(), y.to_numpy().tolist()) == ([10, 10], [5, 5])
    kernel.rename("y", "x")(x=y, y=x)
    assert y.to_numpy().tolist() == [20, 20]


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@pytest.mark.parametrize(
    ("name", "names_of"),
    [("forth|n=2,", ""), ("forth#1", ""), ("forth_c9_0", "forth"), ("forth_", "forth"), ("größe", "forth")],
)
def test_tasks_tell_whose_parameter_names_a_kernel_has(files, name, names_of):
    """Instances have their kernel's names; a kernel added under another name may have any kernel's."""
    metadata = json.loads(files["metadata.json"])
    forth = next(raw for raw in metadata["kernels"] if raw["name"] == "forth")
    metadata["kernels"] = [{**forth, "name": name}]
    content = {**files, "metadata.json": json.dumps(metadata).encode(), "graphs.json": b"[]"}
    kernel = inspect(pack(content)).kernels[name]
    assert kernel.names_of == names_of
    assert [p.name for p in kernel.signature.parameters] == (["arg0", "arg1"] if names_of else ["x", "y"])


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@pytest.mark.parametrize(("first", "then", "names_of"), [("other", "forth", "other"), ("forth", "other", "")])
def test_kernel_with_the_code_of_an_earlier_one_has_its_names(files, first, then, names_of):
    """Of kernels with the same code, the compiler compiled the first."""
    metadata = json.loads(files["metadata.json"])
    forth = next(raw for raw in metadata["kernels"] if raw["name"] == "forth")
    metadata["kernels"] = [{**forth, "name": name} for name in (first, then)]
    content = {**files, "metadata.json": json.dumps(metadata).encode(), "graphs.json": b"[]"}
    assert inspect(pack(content)).kernels["forth"].names_of == names_of


def test_kernel_that_uses_a_gradient_takes_it_from_the_array(rt, kinds, arch):
    if not arch.is_llvm:
        pytest.skip("gfx code uses the array instead of its gradient")
    x, out = rt.full(4, 2, "f32"), rt.zeros(4)
    with pytest.raises(TypeError, match=r"with_gradient.*'arg0'.*no gradient; create it with grad=True"):
        kinds.kernels["with_gradient"](x, out)
    kinds.kernels["with_gradient"](rt.full(4, 2, "f32", grad=True), out)
    assert out.to_numpy().tolist() == [2] * 4
    kinds.kernels["with_gradient"](x, out, grads={"arg0": rt.full(4, 3, "f32")})
    assert out.to_numpy().tolist() == [5] * 4
    kinds.kernels["without_gradient"](x, out)
    assert out.to_numpy().tolist() == [2] * 4


def test_instances_of_one_kernel_run(rt, kinds, arch):
    """LLVM modules contain the last instance that was added."""
    floats, integers = rt.zeros(4), rt.zeros(4, "i32")
    if not arch.is_llvm:
        kinds.kernels["instances"](floats)
        assert floats.to_numpy().tolist() == [7] * 4
    kinds.kernels["instances" if arch.is_llvm else "instances#1"](integers)
    assert integers.to_numpy().tolist() == [7] * 4
    assert "größe#1" not in kinds.kernels  # both instances are the same


def test_module_without_kernels_loads(rt, modules):
    module = rt.load_module(modules / "empty.tcm")
    assert len(module.kernels) == len(module.graphs) == 0
    assert module.info.to_dict()["kernels"] == {}
    with pytest.raises(KeyError, match="no kernel 'saxpy', it has none"):
        module.kernels["saxpy"]


def in_the_graph(files, graph, change):
    graphs = json.loads(files["graphs.json"])
    (raw,) = (raw for raw in graphs if raw["key"] == graph)
    change(raw["value"]["dispatches"][0])
    files["graphs.json"] = json.dumps(graphs).encode()


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_graph_may_pass_scalars_as_vectors_of_one_number(rt, files):
    in_the_graph(files, "ablauf_ü", lambda step: step["symbolic_args"][1].update(element_shape=[1]))
    module, out = rt.load_module(pack(files)), rt.zeros(4, "i64")
    module.graphs["ablauf_ü"](2, out)
    assert out.to_numpy().tolist() == [0, 2, 4, 6]
    in_the_graph(files, "ablauf_ü", lambda step: step["symbolic_args"][1].update(element_shape=[2]))
    with pytest.raises(CorruptedDataError, match="kernel that takes"):
        inspect(pack(files))


def in_the_kernel(name, change):
    def damage(metadata):
        kernel = next(kernel for kernel in metadata["kernels"] if kernel["name"] == name)
        change(kernel["ctx_attribs"], kernel["tasks_attribs"])

    return damage


def argument(context, number):
    (value,) = (entry["value"] for entry in context["arg_attribs_vec_"] if entry["key"] == [number])
    return value


def members(context, number):
    return context["args_type_"]["content"]["elements_"][number]["type"]["content"]["elements_"]


def dims(context, number):
    return members(context, number)[0]["type"]["content"]["elements_"]


DAMAGE = {
    "zero-dimensional array without a dimension": in_the_kernel("no_dimensions", lambda c, t: dims(c, 0).clear()),
    "zero-dimensional array with two dimensions": in_the_kernel(
        "no_dimensions", lambda c, t: dims(c, 0).append(dims(c, 0)[0])
    ),
    "an array with an extra dimension": in_the_kernel("no_dimensions", lambda c, t: argument(c, 2).update(field_dim=2)),
    "a dimension elsewhere": in_the_kernel("no_dimensions", lambda c, t: dims(c, 0)[0].update(offset=1 << 20)),
    "a pointer far away": in_the_kernel("no_dimensions", lambda c, t: members(c, 0)[1].update(offset=1 << 20)),
    "a texture with a member missing": in_the_kernel("store_texels", lambda c, t: dims(c, 0).pop()),
    "a texture of 4 dimensions": in_the_kernel("store_texels", lambda c, t: argument(c, 0).update(field_dim=4)),
    "a texture that is not an array": in_the_kernel("store_texels", lambda c, t: argument(c, 0).update(is_array=False)),
    "a texture of an array": in_the_kernel("store_texels", lambda c, t: t[0]["texture_binds"][0].update(arg_id=[7])),
    "a binding of a scalar": in_the_kernel("größe", lambda c, t: t[0]["buffer_binds"][0]["buffer"].update(root_id=[0])),
    "a binding that neither code nor kernel has": in_the_kernel(
        "without_effect", lambda c, t: t[0]["buffer_binds"][0]["buffer"].update(type=5, root_id=[9])
    ),
    "a binding elsewhere": in_the_kernel("größe", lambda c, t: t[0]["buffer_binds"][0].update(binding=7)),
    "a binding of nothing": in_the_kernel("größe", lambda c, t: t[0]["buffer_binds"][0]["buffer"].update(root_id=[9])),
    "a scalar that is an array": in_the_kernel("größe", lambda c, t: argument(c, 0).update(is_array=True)),
    "a struct with a dtype": in_the_kernel("takes_struct", lambda c, t: argument(c, 0).update(dtype=1)),
    "a struct without members": in_the_kernel("takes_struct", lambda c, t: members(c, 0).clear()),
    "a pack that is not one": in_the_kernel("takes_pack", lambda c, t: argument(c, 0).update(is_argpack=False)),
    "a pack without a pointer": in_the_kernel("takes_pack", lambda c, t: members(c, 0).clear()),
    "a member without a pack": in_the_kernel(
        "takes_struct",
        lambda c, t: c["arg_attribs_vec_"].append({"key": [0, 0], "value": {**argument(c, 0), "indices": [0, 0]}}),
    ),
    "an argument beyond the buffer": in_the_kernel("größe", lambda c, t: c.update(args_bytes_=20)),
    "a buffer of a gigabyte": in_the_kernel("größe", lambda c, t: c.update(args_bytes_=1 << 30)),
    "attributes without return values": in_the_kernel(
        "größe",
        lambda c, t: c["ret_attribs_vec_"].append({**argument(c, 0), "index": 0}) or pop_indices(c["ret_attribs_vec_"]),
    ),
    "return values without attributes": in_the_kernel("several_returns", lambda c, t: c["ret_attribs_vec_"].clear()),
    "return values without members": in_the_kernel(
        "several_returns", lambda c, t: c["rets_type_"]["content"]["elements_"].clear()
    ),
    "return values without a buffer": in_the_kernel("several_returns", lambda c, t: c.update(rets_bytes_=0)),
    "a return buffer that is too small": in_the_kernel("several_returns", lambda c, t: c.update(rets_bytes_=8)),
    "a return value far away": in_the_kernel("several_returns", lambda c, t: returned(c, 1).update(offset=1 << 20)),
    "a return value before the buffer": in_the_kernel("several_returns", lambda c, t: returned(c, 1).update(offset=-1)),
    "a return value of an unknown type": in_the_kernel(
        "several_returns", lambda c, t: returned(c, 0)["type"]["content"].update(type=14)
    ),
    "a returned matrix of gigabytes": in_the_kernel(
        "several_returns", lambda c, t: returned(c, 2)["type"]["content"].update(shape_=[2**31 - 1, 2])
    ),
    "a return value with a wrong number": in_the_kernel(
        "several_returns", lambda c, t: returned(c, 2).update(name="ret_3")
    ),
    "a binding of return values in a kernel without any": in_the_kernel(
        "größe", lambda c, t: t[0]["buffer_binds"][0]["buffer"].update(type=3, root_id=[-1])
    ),
}


def returned(context, number):
    return context["rets_type_"]["content"]["elements_"][number]


def pop_indices(attributes):
    for attribute in attributes:
        for key in ("indices", "is_argpack"):
            attribute.pop(key)


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_metadata_is_rejected(files, damage):
    assert inspect(pack(files)).kernels
    metadata = json.loads(files["metadata.json"])
    damage(metadata)
    files["metadata.json"] = json.dumps(metadata).encode()
    with pytest.raises(CorruptedDataError, match=r"unknown|argument|return|binds|bindings|expected"):
        inspect(pack(files))


def test_module_that_only_lists_kernels_is_rejected(arch, modules):
    files = read_archive(modules / "empty.tcm")
    files["__content__"] = b"kernel:saxpy\ncgraph:g"
    with pytest.raises(CorruptedDataError, match=r"lists saxpy but does not contain kernels: only the first save\(\)"):
        inspect(pack(files))


def test_info_has_the_contents_of_the_files(arch, modules):
    info = inspect(modules / "fields.tcm")
    described = json.loads(json.dumps(info.to_dict()))
    assert described["family"] == info.family
    assert described["root_buffer_size"] == info.root_buffer_size >= 64
    (task, *_) = info.kernels["increase"].tasks
    assert described["kernels"]["increase"]["tasks"][0] == task._asdict() | {"codes": []}
    assert task.kind in ("serial", "range_for", "struct_for", "listgen")
    if arch is Arch.VULKAN:
        assert task.block > 0
        assert task.grid == -(-task.threads // task.block)
    basic = inspect(modules / "basic.tcm").to_dict()["kernels"]["saxpy"]
    assert [p["type"] for p in basic["parameters"]] == ["f32", "ndarray[f32, 1]", "ndarray[f32, 1]"]
    assert [p["access"] for p in basic["parameters"]] == (["", "r", ""] if arch.is_llvm else ["", "r", "rw"])
    assert len(repr(info)) < 100
    assert repr(info.kernels["increase"]).startswith("<KernelInfo increase()")


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_needed_capabilities_have_names(modules):
    info = inspect(modules / "table.tcm")
    assert {"spirv_has_int8", "spirv_has_float64"} <= set(info.capabilities)
    assert "capabilities: " in str(info)
    with Runtime("vulkan") as rt:
        assert {capability.name.lower() for capability in info.device_capabilities} <= {
            capability.name.lower() for capability, level in rt.capabilities.items() if level
        }
