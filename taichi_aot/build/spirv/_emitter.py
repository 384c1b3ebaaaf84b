"""New code of a shader, written forwards: values, conditions and loops."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ...adopt.spirv._editor import FUNCTION, Block, Instruction, Op, Shader, text_words

GLSL = "GLSL.std.450"


class Emitter:
    """Writes instructions at the end of a block that does not have an end yet, and of those that follow it."""

    def __init__(self, shader: Shader, block: Block) -> None:
        self.shader = shader
        self._block = block
        self.bool = shader.type(Op.TYPE_BOOL)
        self.uint = shader.int_type()

    def do(self, op: int, *operands: int) -> None:
        self._block.body.append(Instruction(op, *operands))

    def make(self, op: int, type_: int, *operands: int) -> int:
        """Add an instruction; return its result."""
        made = self.shader.new_id()
        self.do(op, type_, made, *operands)
        return made

    def load(self, type_: int, pointer: int) -> int:
        return self.make(Op.LOAD, type_, pointer)

    def store(self, pointer: int, value: int) -> None:
        self.do(Op.STORE, pointer, value)

    def at(self, storage: int, target: int, base: int, *indices: int) -> int:
        """Return a pointer to a part of a variable."""
        return self.make(Op.ACCESS_CHAIN, self.shader.pointer(storage, target), base, *indices)

    def extended(self, type_: int, number: int, *operands: int) -> int:
        """Add an instruction of GLSL's extended set."""
        return self.make(Op.EXT_INST, type_, extended_set(self.shader), number, *operands)

    def local(self, type_: int, value: int) -> int:
        """Return a variable of the function, to which a value is stored here."""
        made = self.shader.variable(FUNCTION, type_)
        self.store(made, value)
        return made

    def barrier(self) -> None:
        """Let the threads of a group wait for each other, and see what they have written to their shared memory."""
        group, acquire_release = self.shader.uint(2), 8
        self.do(Op.CONTROL_BARRIER, group, group, self.shader.uint(0x100 | acquire_release))

    def begin(self, label: int) -> None:
        """Go on in a new block."""
        self._block = Block(label)
        self.shader.blocks.append(self._block)

    @contextmanager
    def when(self, condition: int) -> Generator[None]:
        """Emit code that only runs if the condition holds."""
        inside, after = self.shader.new_id(), self.shader.new_id()
        self.do(Op.SELECTION_MERGE, after, 0)
        self.do(Op.BRANCH_CONDITIONAL, condition, inside, after)
        self.begin(inside)
        yield
        self.do(Op.BRANCH, after)
        self.begin(after)

    @contextmanager
    def steps(self, start: int, end: int, step: int) -> Generator[int]:
        """Emit a loop over unsigned numbers from `start` to below `end`."""
        header, test, inside, next_, after = (self.shader.new_id() for _ in range(5))
        counter = self.local(self.uint, start)
        self.do(Op.BRANCH, header)
        self.begin(header)
        self.do(Op.LOOP_MERGE, after, next_, 0)
        self.do(Op.BRANCH, test)
        self.begin(test)
        number = self.load(self.uint, counter)
        self.do(Op.BRANCH_CONDITIONAL, self.make(Op.U_LESS_THAN, self.bool, number, end), inside, after)
        self.begin(inside)
        yield number
        self.do(Op.BRANCH, next_)
        self.begin(next_)
        self.store(counter, self.make(Op.I_ADD, self.uint, number, step))
        self.do(Op.BRANCH, header)
        self.begin(after)


def extended_set(shader: Shader) -> int:
    """The id of GLSL's extended instructions, which the compiler always imports."""
    words = text_words(GLSL)
    return next(e.operands[0] for e in shader.preamble if e.op == Op.EXT_INST_IMPORT and e.operands[1:] == words)
