"""SHA-256 of messages of up to 55 bytes, each of one padded block of 16 words."""

import taichi as ti

from taichi_aot.build import export

BLOCKS = ti.types.ndarray(dtype=ti.types.vector(16, ti.u32), ndim=1)
DIGESTS = ti.types.ndarray(dtype=ti.types.vector(8, ti.u32), ndim=1)
WORDS = ti.types.ndarray(dtype=ti.u32, ndim=1)


@ti.func
def turned(word: ti.u32, bits: ti.u32) -> ti.u32:
    return (word >> bits) | (word << (ti.u32(32) - bits))


@export(shapes={"start": 8, "constants": 64, "blocks": "n", "digests": "n"})
@ti.kernel
def digest(start: WORDS, constants: WORDS, blocks: BLOCKS, digests: DIGESTS):
    for n in blocks:
        w = blocks[n]
        h = ti.Vector([start[i] for i in ti.static(range(8))])
        s = h
        for i in range(64):
            k = i % 16
            if i >= 16:
                a, b = w[(k + 1) % 16], w[(k + 14) % 16]
                w[k] += (turned(a, 7) ^ turned(a, 18) ^ (a >> ti.u32(3))) + w[(k + 9) % 16]
                w[k] += turned(b, 17) ^ turned(b, 19) ^ (b >> ti.u32(10))
            choice = (s[4] & s[5]) ^ (~s[4] & s[6])
            majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
            first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + choice + constants[i] + w[k]
            second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority
            s = ti.Vector([first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]])
        digests[n] = h + s
