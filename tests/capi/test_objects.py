"""Objects made from C-API handles, in child processes: a double or early free would crash the process."""

import pytest
from helpers.child import run_in_child
from scenarios import capi_objects

from taichi_aot import AotModule, Arch, Capability, IncompatibleModuleError, Memory, NotSupportedError, Runtime, capi

# Another binding that creates OpenGL runtimes must set this itself.
NO_DEVICE = {"EGL_PLATFORM": "surfaceless"}


def test_objects_borrow_from_another_binding(arch, basic):
    run_in_child(
        capi_objects.borrow_from_another_binding, str(arch), str(basic), env=NO_DEVICE, quiet=arch is Arch.VULKAN
    )


@pytest.fixture
def ownable(arch):
    """An arch whose runtimes can be owned."""
    if arch is Arch.CUDA:
        pytest.skip("runtimes of CUDA cannot be owned")
    return arch


def test_objects_own_handles_of_another_binding(ownable):
    run_in_child(capi_objects.own_from_another_binding, str(ownable), env=NO_DEVICE, quiet=ownable is Arch.VULKAN)


def test_objects_and_functions_share_handles(arch, modules):
    run_in_child(capi_objects.share_with_capi, str(arch), f"{modules}/basic.tcm")


def test_functions_take_handles_of_objects(arch, modules):
    run_in_child(capi_objects.give_handles, str(arch), f"{modules}/basic.tcm")


@pytest.mark.parametrize("scenario", [capi_objects.read_handles_and_drop, capi_objects.find_by_address])
def test_handles_keep_their_objects_alive(arch, modules, scenario):
    if arch is Arch.OPENGL:
        pytest.skip("no test module is compiled for OpenGL")
    run_in_child(scenario, str(arch), f"{modules}/basic.tcm")


def test_functions_take_handles_of_images(available):
    if Arch.VULKAN not in available:
        pytest.skip("needs Vulkan")
    run_in_child(capi_objects.give_handles_of_images)


def test_foreign_module_is_destroyed_with_the_runtime(ownable, modules):
    quiet = ownable is not Arch.OPENGL
    run_in_child(capi_objects.own_a_module, str(ownable), f"{modules}/basic", env=NO_DEVICE, quiet=quiet)


def test_forked_child_drops_inherited_objects(ownable):
    run_in_child(capi_objects.fork_with_borrowed, str(ownable), env=NO_DEVICE, quiet=ownable is Arch.VULKAN)


def test_process_ends_with_open_objects(ownable, modules):
    quiet = ownable is not Arch.OPENGL
    run_in_child(capi_objects.leave_open, str(ownable), f"{modules}/basic.tcm", env=NO_DEVICE, quiet=quiet)


def test_wrong_handles_raise(rt, module, modules):
    memory = rt.allocate(16)
    saxpy = module.kernels["saxpy"]
    for call in (
        lambda: Runtime.from_handle(memory.handle),
        lambda: Memory.from_handle(rt, rt.handle, 16),
        lambda: Memory.from_handle(rt, int(memory.handle), 16),
        lambda: Memory.from_handle(rt.handle, memory.handle, 16),
        lambda: Memory.from_handle(rt, memory.handle, "16"),
        lambda: AotModule.from_handle(rt, saxpy.handle, modules / "basic.tcm"),
    ):
        with pytest.raises(TypeError):
            call()
    for refused in (
        lambda: Memory.from_handle(rt, capi.TiMemory(), 16),
        lambda: Memory.from_handle(rt, memory.handle, 17),
        lambda: Memory.from_handle(rt, memory.handle, -1),
        lambda: AotModule.from_handle(rt, capi.TiAotModule(), modules / "basic.tcm"),
        lambda: AotModule.from_handle(rt, module.handle, modules / "basic.tcm", owned=True),
        lambda: Memory.from_handle(rt, memory.handle, 16, owned=True),
        lambda: Runtime.from_handle(rt.handle, owned=True),
    ):
        with pytest.raises(ValueError, match=r"null|size|belongs"):
            refused()


def test_memory_of_another_runtime_is_refused(arch, rt):
    with Runtime(arch) as other:
        memory = other.allocate(16)
        with pytest.raises(ValueError, match="belongs to another runtime"):
            Memory.from_handle(rt, memory.handle, 16)


def test_kernel_that_returns_a_value_has_no_handle(rt, modules):
    path = modules / "returns.tcm"
    module = rt.load_module(path)
    name = next(name for name, kernel in module.info.kernels.items() if kernel.return_dtype is not None)
    for call in (lambda: module.kernels[name].handle, lambda: capi.get_aot_module_kernel(module.handle, name)):
        with pytest.raises(NotSupportedError, match=name):
            call()
    plain = AotModule.from_handle(rt, capi.load_aot_module(rt.handle, str(path)), path)
    with pytest.raises(NotSupportedError, match=name):
        plain.kernels[name]


def test_capabilities_of_an_open_runtime_can_be_changed(arch, modules):
    with Runtime(arch) as rt:
        before = dict(rt.capabilities)
        if arch.is_llvm:
            with pytest.raises(NotSupportedError, match="no capabilities"):
                rt.set_capabilities({})
            return
        rt.set_capabilities({Capability.SPIRV_VERSION: 0x10000})
        assert rt.capabilities == {Capability.SPIRV_VERSION: 0x10000}
        with pytest.raises(IncompatibleModuleError):
            rt.load_module(modules / "basic.tcm")
        rt.set_capabilities(before)
        assert rt.capabilities == before
        assert rt.load_module(modules / "basic.tcm").kernels
        if arch is Arch.OPENGL:
            with pytest.raises(NotSupportedError, match="no addresses"):
                rt.set_capabilities({**before, Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER: 1})
        for levels in ({Capability.SPIRV_VERSION: -1}, {Capability.SPIRV_VERSION: 1 << 32}, {12345: 1}):
            with pytest.raises(ValueError, match=r"out of range|12345"):
                rt.set_capabilities(levels)
        for wrong in ([Capability.SPIRV_VERSION], {Capability.SPIRV_VERSION: "1"}):
            with pytest.raises(TypeError):
                rt.set_capabilities(wrong)
        assert rt.capabilities == before
    with pytest.raises(ValueError, match="closed"):
        rt.set_capabilities(before)


def test_current_stream_is_that_of_the_innermost_context(arch, rt):
    if arch is not Arch.CUDA:
        with pytest.raises(NotSupportedError, match="no streams"):
            _ = rt.current_stream
        return
    assert rt.current_stream == 0
    with rt.stream(2):  # the per-thread default stream
        assert rt.current_stream == 2
        with rt.stream(1):
            assert rt.current_stream == 1
        assert rt.current_stream == 2
    assert rt.current_stream == 0


def test_opengl_runtime_and_memory_are_exported(available):
    if Arch.OPENGL not in available:
        pytest.skip("needs OpenGL")
    run_in_child(capi_objects.export_opengl)
