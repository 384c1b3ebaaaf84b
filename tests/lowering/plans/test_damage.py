"""Damaged kernel code leads to a reason, or to a plan with the same arguments; nothing is raised."""

import random

import pytest
from helpers.mutants import mutate
from helpers.plans import lowered, plans_of

SEED = 17
WORDS = [b"%4", b"i32", b"{", b"}*", b"9" * 20, b"label", b"-1"]


def mutate_lines(code, dice):
    """Drop, double or swap one line, or change a name or number in it."""
    lines = code.split(b"\n")
    where, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    kind = dice.randrange(4)
    if kind == 0:
        del lines[where]
    elif kind == 1:
        lines.insert(other, lines[where])
    elif kind == 2:
        lines[where], lines[other] = lines[other], lines[where]
    else:
        words = lines[where].split(b" ")
        words[dice.randrange(len(words))] = dice.choice(
            [b"%4", b"i32", b"{", b"}*", b"99999999999999999999", b"label", b"-1"]
        )
        lines[where] = b" ".join(words)
    return b"\n".join(lines)


@pytest.mark.scaled
@pytest.mark.parametrize("change", [mutate, mutate_lines])
def test_damaged_code(build_source, mutant_count, change):
    module = lowered(build_source("loop_kernels", "cuda"))
    whole = plans_of(module)
    counts = {"plans": 0, "reasons": 0}
    for name in module.info.all_kernels:
        file = f"{name}.ll"
        dice = random.Random(f"{SEED} {name}")
        for _ in range(mutant_count):
            plan = plans_of(module, {file: change(module.files[file], dice)})[name]
            if not isinstance(plan, str):
                assert plan[:2] == whole[name][:2]
                assert [task._replace(length=()) for task in plan.tasks] == [
                    task._replace(length=()) for task in whole[name].tasks
                ]
            counts["reasons" if isinstance(plan, str) else "plans"] += 1
    assert min(counts.values()) > mutant_count // 5, counts
