"""Sums over a loop whose tasks add their parts in the order of the tasks, so that each launch computes the same bits.

The compiler's tasks add their parts by atomic operations when they end, in whatever order that is. Here each keeps its
part in a place of its own, and the caller adds them when all have ended. Minima, products of bits and the like too.
"""

from __future__ import annotations

from typing import Any

from ...adopt.llvm._instructions import TOKEN, read_instruction

# The runtime's task of a loop gets the loop's struct: the address of the context, three functions (before a task's
# elements, for one, and after them) and the bytes of the memory that these share, at 32. What is passed in its place
# begins with its address; the parts follow. The context's last two members, which the code of compilers does not use,
# tell the function after the elements where to keep the part, and its size.
CODE = """
%struct.context = type { i8*, i8*, i32, i8*, i32, i64, i8* }
%struct.loop = type { %struct.context*, i8*, i8*, void (%struct.context*, i8*)*, i64, i32, i32, i32, i32 }
define i64 @taichi_aot.parts.size(i8* %loop) nounwind {
  %loop.q = bitcast i8* %loop to %struct.loop*
  %size.p = getelementptr inbounds %struct.loop, %struct.loop* %loop.q, i64 0, i32 4
  %size = load i64, i64* %size.p, align 8
  %up = add i64 %size, 7
  %whole = and i64 %up, -8
  ret i64 %whole
}
define i64 @taichi_aot.parts.bytes(i8* %loop, i32 %tasks) nounwind {
  %size = call i64 @taichi_aot.parts.size(i8* %loop)
  %count = zext i32 %tasks to i64
  %all = mul i64 %size, %count
  %bytes = add i64 %all, 8
  ret i64 %bytes
}
define i8* @taichi_aot.parts.at(i8* %parts, i64 %size, i32 %task) nounwind {
  %number = zext i32 %task to i64
  %before = mul i64 %size, %number
  %offset = add i64 %before, 8
  %part = getelementptr inbounds i8, i8* %parts, i64 %offset
  ret i8* %part
}
define void @taichi_aot.parts.keep(%struct.context* %context, i8* %own) nounwind {
  %size.p = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 5
  %part.p = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 6
  %size = load i64, i64* %size.p, align 8
  %part = load i8*, i8** %part.p, align 8
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %part, i8* align 8 %own, i64 %size, i1 false)
  ret void
}
define void @taichi_aot.parts.task(i8* %parts, i32 %thread, i32 %task) nounwind {
  %own = alloca %struct.context, align 8
  %copy = alloca %struct.loop, align 8
  %loop.q = bitcast i8* %parts to %struct.loop**
  %loop = load %struct.loop*, %struct.loop** %loop.q, align 8
  %context.p = getelementptr inbounds %struct.loop, %struct.loop* %loop, i64 0, i32 0
  %context = load %struct.context*, %struct.context** %context.p, align 8
  %bytes.p = getelementptr inbounds %struct.loop, %struct.loop* %loop, i64 0, i32 4
  %bytes = load i64, i64* %bytes.p, align 8
  %loop.b = bitcast %struct.loop* %loop to i8*
  %size = call i64 @taichi_aot.parts.size(i8* %loop.b)
  %part = call i8* @taichi_aot.parts.at(i8* %parts, i64 %size, i32 %task)
  %context.b = bitcast %struct.context* %context to i8*
  %own.b = bitcast %struct.context* %own to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %own.b, i8* align 8 %context.b, i64 56, i1 false)
  %own.size = getelementptr inbounds %struct.context, %struct.context* %own, i64 0, i32 5
  store i64 %bytes, i64* %own.size, align 8
  %own.part = getelementptr inbounds %struct.context, %struct.context* %own, i64 0, i32 6
  store i8* %part, i8** %own.part, align 8
  %copy.b = bitcast %struct.loop* %copy to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %copy.b, i8* align 8 %loop.b, i64 56, i1 false)
  %copy.context = getelementptr inbounds %struct.loop, %struct.loop* %copy, i64 0, i32 0
  store %struct.context* %own, %struct.context** %copy.context, align 8
  %copy.after = getelementptr inbounds %struct.loop, %struct.loop* %copy, i64 0, i32 3
  store void (%struct.context*, i8*)* @taichi_aot.parts.keep, void (%struct.context*, i8*)** %copy.after, align 8
  call void @TASK(i8* %copy.b, i32 %thread, i32 %task)
  %failed.p = getelementptr inbounds %struct.context, %struct.context* %own, i64 0, i32 4
  %failed = load i32, i32* %failed.p, align 8
  %has.failed = icmp ne i32 %failed, 0
  br i1 %has.failed, label %fail, label %done
fail:
  %all.failed = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 4
  store i32 %failed, i32* %all.failed, align 8
  br label %done
done:
  ret void
}
define void @taichi_aot.parts.add(i8* %parts, i32 %tasks) nounwind {
start:
  %loop.q = bitcast i8* %parts to %struct.loop**
  %loop = load %struct.loop*, %struct.loop** %loop.q, align 8
  %loop.b = bitcast %struct.loop* %loop to i8*
  %size = call i64 @taichi_aot.parts.size(i8* %loop.b)
  %members = load %struct.loop, %struct.loop* %loop, align 8
  %context = extractvalue %struct.loop %members, 0
  %after = extractvalue %struct.loop %members, 3
  %failed.p = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 4
  %failed = load i32, i32* %failed.p, align 8
  %holds = icmp eq i32 %failed, 0
  %has.parts = icmp ne void (%struct.context*, i8*)* %after, null
  %adds = and i1 %holds, %has.parts
  br i1 %adds, label %each, label %done
each:
  %task = phi i32 [ 0, %start ], [ %next, %each ]
  %part = call i8* @taichi_aot.parts.at(i8* %parts, i64 %size, i32 %task)
  call void %after(%struct.context* %context, i8* %part)
  %next = add i32 %task, 1
  %more = icmp slt i32 %next, %tasks
  br i1 %more, label %each, label %done
done:
  ret void
}
declare void @TASK(i8*, i32, i32)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i1)
"""
DECLARED = """
declare i64 @taichi_aot.parts.bytes(i8*, i32)
declare void @taichi_aot.parts.task(i8*, i32, i32)
declare void @taichi_aot.parts.add(i8*, i32)
"""


def with_ordered_sums(llvm: Any, module: Any, task: str) -> Any:
    """Return a module in which loops add the parts of sums in order; `task` is the name of the runtime's function."""
    defined = {f"@{each.name}": each for each in module.functions if not each.is_declaration}
    changes: dict[str, str] = {}
    for own, function in defined.items():
        text = str(function)
        calls = [line for line in text.splitlines() if f"@{task}" in line and not line.startswith("define ")]
        # One that has no sums names the function for an element only.
        if len(calls) == 1 and len(defined.keys() & set(TOKEN.findall(text)) - {own, f"@{task}"}) > 1:
            changes[text] = text.replace(calls[0], _ordered(calls[0]))
    if not changes:
        return module
    code = str(module)
    for old, new in changes.items():
        assert code.count(old) == 1
        code = code.replace(old, new)
    found = llvm.parse_assembly(code + DECLARED)
    found.link_in(llvm.parse_assembly(CODE.replace("TASK", task)))
    return found


def _ordered(call: str) -> str:
    """The call that starts the tasks of a loop, with room for their parts, which are added after it."""
    made = read_instruction(call)
    _, tasks, _, loop, _ = made.operands
    made.operands[3:] = ["%parts", "@taichi_aot.parts.task"]
    return f"""\
  %parts.bytes = call i64 @taichi_aot.parts.bytes(i8* {loop}, i32 {tasks})
  %parts = alloca i8, i64 %parts.bytes, align 16
  %parts.loop = bitcast i8* %parts to i8**
  store i8* {loop}, i8** %parts.loop, align 8
{made}
  call void @taichi_aot.parts.add(i8* %parts, i32 {tasks})"""
