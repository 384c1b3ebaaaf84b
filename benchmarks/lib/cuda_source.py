"""The same kernels in CUDA, for CuPy and cuda.core.

NVRTC compiles them. For a machine without it, ``kernels.ptx`` in the folder of modules is compiled beforehand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

CUDA_SOURCE = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy4(float a, const float4 *x, float4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 u = x[i], v = y[i];
  v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
  y[i] = v;
}

extern "C" __global__ void copy(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

extern "C" __global__ void copy4(const float4 *x, float4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

extern "C" __global__ void sines(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = sinf(x[i]) + expf(-x[i]);
}

extern "C" __global__ void histogram(const int *x, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i]], 1);
}

extern "C" __global__ void transpose(const float *x, float *y, int side) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < side && j < side) y[j * side + i] = x[i * side + j];
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int side) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= side || j >= side) return;
  float sum = 0;
  for (int k = 0; k < side; ++k) sum += a[i * side + k] * b[k * side + j];
  c[i * side + j] = sum;
}

extern "C" __global__ void julia(float c, float *steps, int side) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= side || j >= side) return;
  float x = 3.0f * i / side - 1.5f, y = 3.0f * j / side - 1.5f;
  int n = 0;
  for (; x * x + y * y < 4.0f && n < 200; ++n) {
    float next = x * x - y * y - 0.8f;
    y = 2 * x * y + c, x = next;
  }
  steps[i * side + j] = n;
}

extern "C" __global__ void added(const float *x, const float *y, float *out) { out[0] = x[0] + y[0]; }

extern "C" __global__ void reduction(const float *x, float *total, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffff, sum, k);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

extern "C" __global__ void stencil(const float *old, float *out, int side) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= side - 1 || j >= side - 1) return;
  const float *here = old + (size_t)i * side + j;
  out[(size_t)i * side + j] = 0.25f * (here[-side] + here[side] + here[-1] + here[1]);
}

extern "C" __global__ void nbody(const float *position, float *acceleration, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = position[3 * i], y = position[3 * i + 1], z = position[3 * i + 2], ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    float dx = position[3 * j] - x, dy = position[3 * j + 1] - y, dz = position[3 * j + 2] - z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
    float weight = inverse * inverse * inverse;
    ax += dx * weight, ay += dy * weight, az += dz * weight;
  }
  acceleration[3 * i] = ax, acceleration[3 * i + 1] = ay, acceleration[3 * i + 2] = az;
}
"""


def cupy_module(folder: Path) -> Any:
    """Return CuPy's RawModule of these kernels."""
    import cupy

    path = folder / "kernels.ptx"
    return cupy.RawModule(path=str(path)) if path.is_file() else cupy.RawModule(code=CUDA_SOURCE)


def cuda_core_module(folder: Path, device: Any) -> Any:
    """Return the object code of these kernels for cuda.core."""
    from cuda.core import ObjectCode, Program, ProgramOptions

    path = folder / "kernels.ptx"
    if path.is_file():
        return ObjectCode.from_ptx(path.read_bytes())
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    return Program(CUDA_SOURCE, code_type="c++", options=options).compile("cubin")
