"""Bundles and described modules: how they are made, read and checked."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.archives import make_bundle, make_module, pack, read_archive, write_folder

from taichi_aot import Arch, CorruptedDataError, IncompatibleModuleError, ModuleInfo, inspect
from taichi_aot.adopt._make import common_info
from taichi_aot.adopt._module import describe
from taichi_aot.bundle import _files as container
from taichi_aot.bundle._info import SourceFile

Compiled = Callable[[str], Path]
ARCHS = ("x64", "vulkan")


def module_bytes(compiled, name="basic.tcm"):
    return {Arch(arch): (compiled(arch) / name).read_bytes() for arch in ARCHS}


@pytest.fixture(scope="session")
def bundle(compiled):
    """A bundle of two modules from Taichi, without descriptions."""
    return make_bundle(module_bytes(compiled))


@pytest.fixture(scope="session")
def description(compiled):
    """A description of the module ``basic``, with names, a docstring and shapes."""
    plain = describe(inspect(compiled("vulkan") / "basic.tcm"))
    parameters = tuple(p._replace(shape=("n",) if p.name != "a" else ()) for p in taken(plain))
    saxpy = with_parameters(plain, parameters).kernels["saxpy"]
    saxpy = saxpy._replace(doc="y += a x, für alle n.", file="kernels.py", line=3)
    source = SourceFile("kernels.py", "ab" * 32)
    return plain._replace(source=source, kernels={**plain.kernels, "saxpy": saxpy})


def taken(description):
    return description.kernels["saxpy"].signature.parameters


def with_parameters(description, parameters):
    """Return a description that states other parameters of the kernel ``saxpy``."""
    saxpy = description.kernels["saxpy"]
    saxpy = saxpy._replace(signature=saxpy.signature._replace(parameters=tuple(parameters)))
    return description._replace(kernels={**description.kernels, "saxpy": saxpy})


@pytest.fixture(params=ARCHS)
def described(request, compiled, description):
    """The archive of a module for each arch, with the description."""
    return make_module(read_archive(compiled(request.param) / "basic.tcm"), description)


def test_bundle_info_has_what_its_modules_share(bundle):
    info = inspect(bundle)
    assert (info.family, info.archs, info.version) == ("bundle", (Arch.VULKAN, Arch.X64), (1, 7, 4))
    assert list(info.kernels) == ["saxpy", "iota", "store", "spin", "poke", "swap", "answer"]
    assert str(info.kernels["saxpy"].signature) == "saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])"
    assert list(info.graphs) == ["both", "twice"]
    assert info.kernels["saxpy"].tasks == ()  # tasks differ between archs
    assert info.modules[Arch.X64].kernels["saxpy"].tasks
    assert "bundle of AOT modules for vulkan, x64" in str(info)
    assert set(info.to_dict()["modules"]) == set(ARCHS)


def test_return_values_have_the_same_types_for_all_archs(compiled):
    """Although booleans have one byte on x64 and four on Vulkan."""
    info = common_info({Arch(arch): inspect(compiled(arch) / "returns.tcm") for arch in ARCHS})
    assert info.kernels["scalar_u1"].return_dtype == np.dtype([("ret_0", np.bool_)])
    assert all(kernel.return_dtype is not None for kernel in info.kernels.values() if kernel.signature.returns)


@pytest.mark.parametrize("arch", [None, *ARCHS])
def test_every_truncated_bundle_is_rejected(bundle, arch):
    """A bundle truncated after a module was once read as that module, so the error blamed its arch."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        offsets = [entry.header_offset for entry in opened.infolist()]
        start = opened.start_dir
    ends = {size + more for size in (*offsets, start, len(bundle)) for more in range(-60, 61)}
    for size in sorted({*range(5, len(bundle), 97), *(end for end in ends if 5 <= end < len(bundle))}):
        with pytest.raises(CorruptedDataError, match=r"the module is not a sound \.tcm archive"):
            inspect(bundle[:size] if size > 4096 else bytearray(bundle[:size]), arch)


@pytest.mark.parametrize("arch", ARCHS)
def test_every_arch_has_equal_names_access_and_order(bundle, arch):
    """LLVM modules lack names, access and the order of kernels."""
    info = inspect(bundle, arch)
    assert list(info.kernels) == list(inspect(bundle).kernels)
    kernel = info.kernels["saxpy"].signature
    assert [(p.name, p.access) for p in kernel.parameters] == [("a", ""), ("x", "r"), ("y", "rw")]


def test_bundle_contains_the_given_modules(bundle, compiled):
    for arch, data in module_bytes(compiled).items():
        own, inner = inspect(data), inspect(bundle, arch)
        assert own.archs == inner.archs
        for name, kernel in own.kernels.items():
            assert inner.kernels[name].tasks == kernel.tasks


def test_equal_modules_give_equal_bytes(compiled, bundle):
    modules = module_bytes(compiled)
    backwards = {arch: modules[arch] for arch in reversed(modules)}
    assert make_bundle(backwards) == bundle
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        assert {entry.date_time for entry in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert opened.namelist() == ["bundle.json", "vulkan.tcm", "x64.tcm"]
    with zipfile.ZipFile(io.BytesIO(read_archive(bundle)["x64.tcm"])) as opened:
        assert {entry.compress_type for entry in opened.infolist()} == {zipfile.ZIP_DEFLATED}
        assert opened.namelist() == sorted(opened.namelist())


def test_modules_of_a_bundle_give_the_same_bundle(bundle):
    files = read_archive(bundle)
    assert make_bundle({Arch(arch): files[f"{arch}.tcm"] for arch in ARCHS}) == bundle


def test_description_of_one_module_applies_to_the_others(compiled, description):
    modules = module_bytes(compiled)
    modules[Arch.X64] = make_module(read_archive(compiled("x64") / "basic.tcm"), description)
    for arch in ARCHS:
        kernel = inspect(make_bundle(modules), arch).kernels["saxpy"]
        assert (kernel.doc, kernel.file, kernel.line) == ("y += a x, für alle n.", "kernels.py", 3)
        assert [(p.shape, p.access) for p in kernel.signature.parameters] == [((), ""), (("n",), "r"), (("n",), "rw")]


def test_info_of_a_described_module_has_its_description(described):
    kernel = inspect(described).kernels["saxpy"]
    assert str(kernel.signature) == "saxpy(a: f32, x: ndarray[f32, 1, shape=(n,)], y: ndarray[f32, 1, shape=(n,)])"
    assert (kernel.doc, kernel.file, kernel.line) == ("y += a x, für alle n.", "kernels.py", 3)


def change(description, what):
    """Return a description that contradicts the modules."""
    a, x, y = taken(description)
    parameters = {
        "count": (a, x),
        "shape": (a, x._replace(shape=("n", "m")), y),
        "scalar": (a._replace(shape=("n",)), x, y),
    }
    if what in parameters:
        return with_parameters(description, parameters[what])
    if what == "kernel":
        return description._replace(kernels={"nothing": renamed(description.kernels["saxpy"])})
    graph = description.graphs["both"]
    if what == "graph":
        return description._replace(graphs={"nothing": renamed(graph)})
    signature = graph.signature._replace(parameters=graph.signature.parameters[::-1])
    return description._replace(graphs={"both": graph._replace(signature=signature)})


def renamed(item):
    return item._replace(signature=item.signature._replace(name="nothing"))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("kernel", "kernel 'nothing', which the module lacks"),
        ("count", "'saxpy' has 2 parameters; the module states 3"),
        ("shape", "'x' has a shape of 2 dimensions; the module states ndarray"),
        ("scalar", "'a' has a shape or an access and is no ndarray: f32"),
        ("graph", "graph 'nothing', which the module lacks"),
        ("graph parameters", "'both' has other parameters than the module states"),
    ],
)
@pytest.mark.parametrize("arch", ARCHS)
def test_contradicting_description_is_rejected(
    compiled: Compiled, description: ModuleInfo, arch: str, what: str, message: str
) -> None:
    files = read_archive(compiled(arch) / "basic.tcm")
    wrong = change(description, what)
    with pytest.raises(CorruptedDataError, match=message):
        make_module(files, wrong)


def test_names_that_contradict_a_spirv_module_are_rejected(compiled, description):
    a, x, y = taken(description)
    wrong = with_parameters(description, (a, y, x))
    with pytest.raises(CorruptedDataError, match="'saxpy' has the parameters a, y, x; the module states a, x, y"):
        make_module(read_archive(compiled("vulkan") / "basic.tcm"), wrong)


@pytest.mark.slow
def test_modules_with_different_kernels_are_refused(compiled):
    modules = module_bytes(compiled)
    modules[Arch.X64] = (compiled("x64") / "table.tcm").read_bytes()
    with pytest.raises(ValueError, match="kernel 'saxpy' is in the module for vulkan and not in that for x64"):
        make_bundle(modules)
    with pytest.raises(ValueError, match=r"'instances' is \(ndarray\[f32, 1\]\) -> \(\) for vulkan and \(ndarray"):
        make_bundle(module_bytes(compiled, "kinds.tcm"))
    with pytest.raises(ValueError, match="the module for cuda was compiled for x64"):
        make_bundle({Arch.CUDA: module_bytes(compiled)[Arch.X64]})


@pytest.mark.parametrize(
    ("attribute", "value", "message"),
    [
        ("source", SourceFile("kernels.py", "cd" * 32), "the 'digest of the source' is"),
        ("kernels", None, "kernel 'saxpy', its 'doc' is y \\+= a x, für alle n. for vulkan and another for x64"),
    ],
)
def test_modules_with_different_descriptions_are_refused(
    compiled: Compiled, description: ModuleInfo, attribute: str, value: Any, message: str
) -> None:
    saxpy = description.kernels["saxpy"]._replace(doc="another")
    other = description._replace(**{attribute: value or {**description.kernels, "saxpy": saxpy}})
    modules = {
        Arch(arch): make_module(read_archive(compiled(arch) / "basic.tcm"), each)
        for arch, each in (("vulkan", description), ("x64", other))
    }
    with pytest.raises(ValueError, match=message):
        make_bundle(modules)


def test_error_for_a_missing_arch_lists_the_available_ones(bundle):
    with pytest.raises(
        IncompatibleModuleError,
        match=r"for vulkan, x64 and none for cuda: add one with taichi-aot build --arch vulkan,x64,cuda, or with ",
    ):
        inspect(bundle, "cuda")
    with pytest.raises(ValueError, match="unknown arch 'gpu'"):
        inspect(bundle, "gpu")
    assert inspect(bundle, "opengl").family == "gfx"  # SPIR-V does not state its arch


def test_only_the_module_of_the_arch_is_read(bundle):
    files = read_archive(bundle)
    broken = pack({**files, "vulkan.tcm": b"damaged"})
    assert "saxpy" in inspect(broken, "x64").kernels
    with pytest.raises(CorruptedDataError, match=r"^the module \(vulkan\) is not a sound"):
        inspect(broken, "vulkan")
    missing = pack({name: data for name, data in files.items() if name != "vulkan.tcm"})
    with pytest.raises(CorruptedDataError, match=r"'vulkan\.tcm' is missing"):
        inspect(missing, "vulkan")


def test_module_for_another_arch_is_rejected(bundle):
    files = read_archive(bundle)
    outer = json.loads(files["bundle.json"])
    outer["archs"]["x64"] = outer["archs"]["vulkan"]
    with pytest.raises(CorruptedDataError, match=r"\(x64\) is compiled for vulkan or"):
        inspect(pack({**files, "bundle.json": json.dumps(outer).encode()}), "x64")


def test_unpacked_bundle_is_read(bundle, tmp_path):
    write_folder(tmp_path, read_archive(bundle))
    assert inspect(tmp_path).archs == (Arch.VULKAN, Arch.X64)


def test_sizes_in_a_bundle_are_bounded(bundle, monkeypatch):
    bomb = make_bomb(bundle, 1 << 20)
    monkeypatch.setattr(container, "MAX_TOTAL_BYTES", 1 << 19)
    with pytest.raises(CorruptedDataError, match="too large"):
        inspect(bomb, "x64")


def make_bomb(bundle, size):
    """Return a bundle whose x64 module contains a file of zeros."""
    files = read_archive(bundle)
    inner = pack({**read_archive(files["x64.tcm"]), "zeros.ll": bytes(size)}, zipfile.ZIP_DEFLATED)
    outer = json.loads(files["bundle.json"])
    outer["archs"]["x64"]["sha256"] = hashlib.sha256(inner).hexdigest()
    return pack({**files, "x64.tcm": inner, "bundle.json": json.dumps(outer).encode()})
