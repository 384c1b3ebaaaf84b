#!/usr/bin/env bash
# Record tests, a soak and benchmarks on a GPU for one arch, in a folder.
#
#     benchmarks/record_gpu.sh cuda benchmarks/results/my-gpu
#     benchmarks/record_gpu.sh vulkan benchmarks/results/my-gpu
#     benchmarks/record_gpu.sh vulkan benchmarks/results/my-gpu startup    # only these benchmarks
#
# `python3` needs the extras `test` and `bench`. CuPy, cuda.core, PyTorch and JAX are used if they are installed. Without
# Taichi, TAICHI_AOT_BENCHMARK_MODULES=FOLDER names modules that benchmarks/build_modules.py compiled elsewhere.
set -uo pipefail
arch=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
benchmarks=(launch waits graphs grids fluid transfers allocation scaling throughput startup)
[ $# -gt 2 ] && benchmarks=("${@:3}")
cd "$(dirname "$0")/.."

python3 -m compileall -q taichi_aot  # like an installation
{
  date --iso-8601=seconds
  python3 -c "import taichi_aot; print(*taichi_aot.devices(), sep='\n')"
  TAICHI_AOT_TEST_ARCHS=$arch python3 -m pytest -q -p no:benchmark --all -k "$arch" --ignore tests/test_headers.py \
    --ignore tests/runtime/test_library.py --ignore tests/test_soak.py
  python3 benchmarks/soak.py --minutes 1 --arch "$arch"
} > "$folder/tests-$arch.txt" 2>&1

for benchmark in "${benchmarks[@]}"; do
  python3 "benchmarks/$benchmark.py" --arch "$arch" --json "$folder/$benchmark-$arch.json" \
    >> "$folder/benchmarks-$arch.txt" 2>&1
done
grep -E "passed|failed|^FAILED" "$folder/tests-$arch.txt"
tail -n 12 "$folder/tests-$arch.txt"
