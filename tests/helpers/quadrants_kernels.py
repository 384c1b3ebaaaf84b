"""Kernels of Quadrants, as a user writes them, for `tests/quadrants`."""

import dataclasses

import quadrants as qd

from taichi_aot.build import export, export_field

qd.init(arch=qd.cpu)


def array(dtype, ndim=1):
    return qd.types.ndarray(dtype=dtype, ndim=ndim)


grid = qd.field(qd.f32, shape=(4, 5))
count = qd.field(qd.i32, shape=())
export_field("grid", grid)
export_field("count", count)

second_tree = qd.FieldsBuilder()
wind = qd.Vector.field(3, qd.f64)
second_tree.dense(qd.i, 7).place(wind)
second_tree.finalize()
export_field("wind", wind)


@qd.func
def smooth(x):
    return x * x * (3.0 - 2.0 * x)


@export(shapes={"x": "n", "y": "n"})
@qd.kernel
def saxpy(a: qd.f32, x: array(qd.f32), y: array(qd.f32)):
    """Add a * x to y."""
    for i in y:
        y[i] = a * x[i] + y[i]


@export
@qd.kernel
def total(x: array(qd.i32)) -> qd.i64:
    result = qd.i64(0)
    for i in x:
        result += x[i]
    return result


@export
@qd.kernel
def waves(x: array(qd.f32, 2), y: array(qd.f64, 2)):
    for i, j in x:
        x[i, j] = qd.sin(x[i, j]) + qd.exp(-x[i, j]) + smooth(x[i, j])
        y[i, j] = qd.sqrt(y[i, j]) + y[i, j] * 0.7


@export
@qd.kernel
def integers(a: array(qd.i8, 3), b: array(qd.u16, 3), c: array(qd.i64, 3), d: array(qd.u64, 3)):
    for i, j, k in a:
        c[i, j, k] += qd.cast(a[i, j, k], qd.i64) * b[i, j, k]
        d[i, j, k] ^= qd.cast(c[i, j, k], qd.u64) << 3
        a[i, j, k] = qd.cast(a[i, j, k] + 1, qd.i8)


@export
@qd.kernel
def halves(x: array(qd.f16)):
    for i in x:
        x[i] = x[i] * qd.cast(0.5, qd.f16) + qd.cast(1.0, qd.f16)


@export
@qd.kernel
def turn(
    m: qd.types.matrix(2, 3, qd.f32), v: qd.types.vector(3, qd.f32), x: array(qd.types.vector(2, qd.f32), 2)
) -> tuple[qd.types.vector(2, qd.f32), qd.i32]:
    for i, j in x:
        x[i, j] += m @ v
    return m @ v, 3


@export
@qd.kernel(graph=True)
def pairs(x: array(qd.i32, 2), n: qd.i32):
    for i, j in qd.ndrange(n, (2, 5)):
        k = 0
        while k < n:
            k += 1
            if k % 3 == 0:
                continue
            x[i, j] = x[i, j] + k  # Mesa's lavapipe loses some of the additions of `+=`, also with code of Taichi
    for i in range(n):
        for j in range(i):
            qd.atomic_max(x[i, j], j)


@export
@qd.kernel(graph=True)
def settle(x: array(qd.f32), left: array(qd.i32, 0), inner: array(qd.i32, 0)):
    for i in x:
        x[i] += 1.0
    while qd.graph.do_while(left):
        inner[()] = left[()]
        while qd.graph.do_while(inner):
            for i in x:
                x[i] *= 0.75
            inner[()] -= 1
        left[()] -= 1
    for i in x:
        x[i] -= 0.5


@export
@qd.kernel(graph=True)
def bits(x: array(qd.i32), y: array(qd.i32)):
    with qd.graph.parallel_context():
        with qd.graph.parallel():
            for i in x:
                low = qd.math.popcnt(qd.cast(x[i], qd.u32)) - x[i] // 3
                x[i] = qd.select(x[i] > 9, (x[i] << 2) ^ ~(x[i] >> 1), low)
        with qd.graph.parallel():
            for i in range(64):
                qd.atomic_and(y[0], 31 - i % 2)
                qd.atomic_or(y[1], i)
                qd.atomic_xor(y[2], i)
                qd.atomic_min(y[3], i)
                qd.atomic_sub(y[4], i)
                qd.atomic_mul(y[5], 3)


@export
@qd.kernel
def matrices(m: array(qd.types.matrix(3, 3, qd.f32)), v: array(qd.types.vector(3, qd.f32))):
    qd.loop_config(serialize=True)
    for i in range(m.shape[0]):
        left, values, right = qd.svd(m[i])
        turned, stretched = qd.polar_decompose(m[i])
        w, _ = qd.sym_eig(m[i] + m[i].transpose())
        product = left @ values @ right.transpose() + turned @ stretched
        m[i] = product + w[0] + m[i].inverse() * m[i].determinant()
    qd.loop_config(block_dim=32)
    for i in v:
        v[i] = v[i].normalized().cross(qd.math.clamp(v[i], 0.2, 0.7)) + qd.math.fract(3.0 * v[i][i % 3])
        v[i] += qd.solve(qd.Matrix.identity(qd.f32, 3) + v[i].outer_product(v[i]), v[i])


LANES = 4


@qd.dataclass
class Tile:
    r: qd.types.vector(LANES, qd.f32, unpacked=True)


@qd.func
def both(x):
    return x, 2 * x


@export(template_types={"more": None})
@qd.kernel
def unpack(x: array(qd.f32), more: array(qd.f32) | None):
    qd.static_assert(LANES == 4)
    for i in x:
        tile = Tile()
        for j in qd.static(range(LANES)):
            tile.r[j] = x[i] * j
        a, b = both(tile.r[3])
        x[i] = a + b if qd.static(more is None) else a


@export
@qd.kernel
def fill(value: qd.f32):
    for i, j in grid:
        grid[i, j] = value + 10 * i + j
    for i in wind:
        wind[i] = [value, i, qd.cast(i, qd.f64) / 3]
    count[None] += 1


@export
@qd.kernel
def noise(x: array(qd.f32)):
    for i in x:
        x[i] = qd.random(qd.f32)


@qd.dataclass
class Ball:
    place: qd.types.vector(3, qd.f32)
    mass: qd.f32

    @qd.func
    def moment(self):
        return self.place * self.mass


balls = Ball.field(shape=6, layout=qd.Layout.AOS)
export_field("balls", balls)


@export(shapes={"x": 6})
@qd.kernel
def put(ball: Ball, x: array(qd.f32)) -> Ball:
    for i in balls:
        balls[i] = Ball(place=ball.moment() + x[i], mass=ball.mass)
    for i in x:
        x[i] = balls[i].moment().sum()
    return Ball(place=ball.place * 2.0, mass=ball.mass)


@qd.data_oriented(template_primitives=False)
class Simulation:
    def __init__(self):
        self.count = 0
        self.speed = qd.ndarray(qd.f32, shape=(20,))

    @qd.kernel
    def advance(self, dt: float):
        for i in range(qd.min(self.count, self.speed.shape[0])):
            self.speed[i] += dt * i


simulation = Simulation()
export(name="advance")(simulation.advance)


@dataclasses.dataclass
class Body:
    mass: qd.Tensor
    step: qd.f32


@dataclasses.dataclass
class World:
    body: Body
    level: qd.Template
    height: array(qd.f32, 2)


@export(
    shapes={"world.body.mass": 4, "world.height": (4, 5)},
    template_types={"world.body.mass": array(qd.f32), "world.level": grid, "half": 0.5},
)
@qd.kernel
def rise(world: World, half: qd.Template):
    for i, j in world.height:
        world.level[i, j] = i + 2.0 * j
        world.height[i, j] += world.body.mass[i] * world.body.step + half * world.level[i, j]


@export(grad=True)
@qd.kernel
def energy(x: array(qd.types.vector(2, qd.f32)), at: array(qd.i32), y: array(qd.f32)):
    for i in x:
        y[at[i]] += qd.sin(x[i][0]) * x[i].dot(x[i])


@dataclasses.dataclass
class Particles:
    place: array(qd.f32)
    speed: array(qd.f32)
    unused: array(qd.f32)
    step: qd.f32


@export
@qd.kernel
def move(particles: Particles, force: qd.f32):
    for i in particles.place:
        particles.speed[i] += force * particles.step
        particles.place[i] += particles.speed[i] * particles.step
