"""The program to freeze: it runs some steps of the demo on the given arch."""

import sys

import numpy as np

import taichi_aot
from taichi_aot.demo.mpm88 import Fluid

with taichi_aot.Runtime(sys.argv[1]) as rt:
    fluid = Fluid(rt, particles=1000)
    fluid.advance(steps=50)
    speed = fluid.v.to_numpy().mean(axis=0)[1]
    assert np.isclose(speed, -9.8 * 50 * 2e-4, rtol=0.1), speed  # free fall for 50 steps of 0.2 ms

origin = "bundled" if "_bundle" in taichi_aot.library_path() else taichi_aot.library_path()
print(f"it falls on {rt.arch}, computed by the {origin} library")
try:
    taichi_aot.isolated.validate("saxpy.tcm")
except taichi_aot.NotSupportedError as error:
    print(error)
