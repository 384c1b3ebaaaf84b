"""Kernels of Quadrants for GPUs: threads of a block that share memory and sum, and one that prints."""

import quadrants as qd

from taichi_aot.build import export

BLOCK = 64
Numbers = qd.types.ndarray(dtype=qd.i32, ndim=1)


@export
@qd.kernel
def turn_blocks(x: Numbers, y: Numbers):
    qd.loop_config(block_dim=BLOCK)
    for i in x:
        part = qd.simt.block.SharedArray((BLOCK,), qd.i32)
        part[i % BLOCK] = x[i]
        qd.simt.block.sync()
        y[i] = part[BLOCK - 1 - i % BLOCK]
        if qd.static(qd.cfg.arch == qd.cuda):  # code for any Vulkan device has no operations of subgroups
            y[i] += qd.simt.block.reduce_all_add(x[i], BLOCK, qd.i32)
            y[i] += qd.simt.subgroup.shuffle_xor(x[i], qd.u32(1))


@export
@qd.kernel
def tell(x: Numbers):
    for _ in range(1):
        print("x is", x[0], 0.5)
