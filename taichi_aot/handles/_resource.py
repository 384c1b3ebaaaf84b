"""Base classes of the public owners of resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from ..values._errors import ArgumentTypeError, ObjectStateError, with_article
from ..values._items import is_absent

if TYPE_CHECKING:
    # the public names, for annotations: the classes are in higher folders
    from .. import NdArray as NdArray
    from .. import Runtime as Runtime

Self = TypeVar("Self", bound="Resource")


class Unique:
    """A public object that represents a resource of this process: it cannot be copied, pickled or initialized twice."""

    __slots__ = ("__weakref__",)
    _created_by: ClassVar[str]  # of a class whose constructor users cannot call

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError(f"{with_article(type(self).__name__)} is created by {self._created_by}")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not is_absent(type(self), name)]

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        other = "its to_numpy()" if hasattr(type(self), "to_numpy") else "a taichi_aot.function()"
        name = with_article(type(self).__name__)
        raise ArgumentTypeError(f"cannot pickle or copy {name}: it belongs to this process; {other} can be pickled")

    def _initialize_once(self, attribute: str) -> None:
        """Raise TypeError if `attribute` is set, which `__init__` sets last."""
        if hasattr(self, attribute):
            raise ArgumentTypeError(
                f"{type(self).__name__}.__init__ was called before: the object cannot be initialized twice"
            )


class Resource(Unique):
    """A public owner of a resource: `close`, `closed`, and the context manager."""

    __slots__ = ()

    @property
    def closed(self) -> bool:
        """Whether this object or its runtime was closed; every other use then raises ValueError."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the resource. Closing it again does nothing."""
        raise NotImplementedError

    def __enter__(self: Self) -> Self:
        if self.closed:
            raise ObjectStateError(f"{self!r} cannot be entered again")
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class OwnedResource(Resource):
    """A resource that belongs to a `Runtime`."""

    __slots__ = ("_runtime",)

    _handle: Any
    _runtime: Runtime

    @property
    def closed(self) -> bool:
        """Whether this object or its runtime was closed; every other use then raises ValueError."""
        return bool(self._handle.closed)

    @property
    def runtime(self) -> Runtime:
        """The runtime that this object belongs to."""
        return self._runtime
