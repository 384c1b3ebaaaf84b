"""Run an example of Taichi's wheel to its last picture, by Taichi or as a ported program; see `helpers.ported`.

    python run_ported.py jit|aot EXAMPLE NUMBERS.npz OPTIONS THREADS|(PORTED BUNDLE)

The file gets the numbers of all fields. The last line of the output is JSON: the seconds to the first picture, and
those of each later one.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

clock = time.perf_counter
begin = clock()


class Closed(BaseException):
    """The window was closed after its last picture."""


class Nothing:
    """All that a window has besides."""

    value = 1

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class Constants(type):
    """Names of keys and events, which are their own values."""

    def __getattr__(cls, name: str) -> str:
        return name


class Window(metaclass=Constants):
    """A window that shows nothing and closes itself."""

    pictures = 0
    pressed = False
    shown: list[float] = []  # noqa: RUF012
    objects: list[Any] = []  # noqa: RUF012

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.running, self.event, self.frame = True, None, 0

    def show(self, *arguments: Any, **options: Any) -> None:
        self.frame += 1
        Window.shown.append(clock())
        if self.frame >= Window.pictures:
            Window.objects = list(filter(is_of_class, gc.get_objects()))  # which end with the program's functions
            raise Closed

    def get_event(self, *kinds: Any) -> bool:
        return False

    def get_events(self, *kinds: Any) -> list[Any]:
        return []

    @classmethod
    def Window(cls, *arguments: Any, **options: Any) -> Window:  # noqa: N802
        return cls()

    def is_pressed(self, *keys: Any) -> bool:
        return Window.pressed and "LMB" in keys

    def get_cursor_pos(self) -> tuple[float, float]:
        return 0.25 + 0.125 * self.frame, 0.5

    def slider(self, text: str, low: float, high: float, step: float = 1) -> SimpleNamespace:
        return SimpleNamespace(value=low)

    def __getattr__(self, name: str) -> Any:
        return name if name.isupper() else Nothing()


def numbers_of_taichi(variables: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of all fields of a program, by the names that a build gives them."""
    from taichi_aot.build.compile import _recorded

    vars(_recorded)["is_of_source"] = lambda file: file == variables["__file__"]
    known = {id(each) for each in variables.values()}
    objects = Window.objects or filter(is_of_class, gc.get_objects())
    roots = [*variables.items(), *((type(each).__name__, each) for each in objects if id(each) not in known)]
    found: dict[str, Any] = {}
    seen: set[int] = set()
    for name, _, field in _recorded._fields_in(roots):
        if id(field) not in seen:
            seen.add(id(field))
            found.update(parts_of(name, field))
    return found


def is_of_class(each: object) -> bool:
    """Return whether an object is one of a class with kernels."""
    return type(each).__module__ == "__main__" and "_data_oriented" in dir(type(each))


def parts_of(name: str, field: Any) -> Iterator[tuple[str, Any]]:
    if hasattr(field, "get_member_field"):
        for key in field.keys:
            yield from parts_of(f"{name}.{key}", field.get_member_field(key))
    else:
        yield name, field.to_numpy()


def stand_still() -> None:
    """Let clocks and random numbers of the host be the same in every run."""
    ticks = iter(range(1, 1 << 40))
    for name in ("time", "perf_counter"):
        setattr(time, name, lambda: 0.01 * next(ticks))
    time.time_ns = lambda: 10_000_000 * next(ticks)
    np.random.seed(7)


def program_module(path: str) -> dict[str, Any]:
    """Return the variables of the program, whose classes name it."""
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__file__ = path
    sys.argv = [path]
    sys.path.insert(0, str(Path(path).parent))
    return vars(module)


def run_jit(path: str, start: Path, options: Mapping[str, Any], threads: int) -> dict[str, Any]:
    import taichi as ti

    own = {"cpu_max_num_threads": threads} if threads else {}
    own |= {"force_scalarize_matrix": True} if options["vectors"] else {}
    init, kind = ti.init, ti.lang.kernel_impl.Kernel
    call = kind.__call__

    def init_on_cpu(arch: Any = None, print_ir: bool = False, **given: Any) -> None:
        init(arch=ti.cpu, offline_cache=False, **given, **own)

    def launch(kernel: Any, *arguments: Any, **named: Any) -> Any:
        result = call(kernel, *arguments, **named)
        if kernel.func.__name__ == options["random"]:
            kind.__call__ = call
            np.savez(start, **numbers_of_taichi(variables))
        return result

    ti.init, ti.GUI, ti.ui, ti.tools.imshow = init_on_cpu, Window, Window, Nothing()
    kind.__call__ = launch if options["random"] else call
    stand_still()
    variables = program_module(path)
    with suppress(Closed):
        exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec", dont_inherit=True), variables)
    ti.sync()
    return numbers_of_taichi(variables)


def run_aot(path: str, start: Path, options: Mapping[str, Any], ported: str, bundle: str) -> dict[str, Any]:
    stand_still()
    tools = SimpleNamespace(imresize=lambda image, *size: np.asarray(image), imshow=Nothing())
    variables = program_module(path)

    def resumed(kernel: Callable[..., Any]) -> Callable[..., Any]:
        """Return a kernel whose first launch gives all fields the numbers of Taichi's run."""
        done: list[bool] = []

        def launch(*arguments: Any, **named: Any) -> Any:
            result = kernel(*arguments, **named)
            if not done:
                done.append(True)
                for name, array in np.load(start).items():
                    variables["module"].fields[name].write(array)
            return result

        return launch

    def members(module: Any, owner: str) -> dict[str, Any]:
        """Return the fields and kernels of an object, by the names that they have in its class."""
        found = {name.removeprefix(f"{owner}_"): each for name, each in module.fields.items()}
        instances = {name: info.instance for name, info in module.info.kernels.items() if info.instance}
        found |= {of.of: module.kernels[name] for name, of in instances.items() if of.values.get("self") == owner}
        if options["random"]:
            found[options["random"]] = resumed(found[options["random"]])
        return found

    windows = SimpleNamespace(GUI=Window, ui=Window, tools=tools)
    variables.update(ti=windows, BUNDLE=bundle, OWNER=options["owner"], MEMBERS=members, RESUMED=resumed)
    with suppress(Closed):
        exec(compile(Path(ported).read_text(encoding="utf-8"), ported, "exec", dont_inherit=True), variables)
    assert "taichi" not in sys.modules
    return {name: field.to_numpy() for name, field in variables["module"].fields.items()}


def main(mode: str, path: str, numbers: str, stated: str, *rest: str) -> None:
    options = json.loads(stated)
    Window.pictures, Window.pressed = options["pictures"], options["pressed"]
    start = Path(numbers).with_name("random.npz")
    found = run_jit(path, start, options, int(*rest)) if mode == "jit" else run_aot(path, start, options, *rest)
    shown = [each - begin for each in Window.shown] or [clock() - begin]
    np.savez(numbers, **found)
    print(json.dumps({"first": shown[0], "each": (shown[-1] - shown[0]) / max(1, len(shown) - 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
