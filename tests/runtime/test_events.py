"""`Runtime.record_event` and `Runtime.timer`."""

import asyncio
import re

import numpy as np
import pytest
from helpers.inside import pretend_pending

from taichi_aot import Event, InvalidArgumentError, ObjectStateError, Runtime, Timer, object_counts

UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def test_event_comes_after_what_was_launched(rt, module):
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
    before = rt.record_event()
    for _ in range(100):
        module.kernels["saxpy"](1.0, x, y)
    after = rt.record_event()
    after.wait()
    assert before.done
    assert after.done
    assert (y.to_numpy() == 100).all()
    assert before.elapsed(after) > 0
    assert after.elapsed(before) == pytest.approx(-before.elapsed(after))
    assert before.elapsed(before) == 0
    assert after.runtime is rt
    assert repr(after) == f"<done Event of {rt.arch}:{rt.device_index}>"


def test_copies_are_before_an_event_too(rt):
    x, y = rt.asarray(np.arange(100)), rt.zeros(100, "i64")
    y.copy_from(x)
    rt.record_event().wait(timeout=60)
    assert y.to_numpy()[-1] == 99


def test_event_can_be_awaited(own_rt, monkeypatch):
    async def main():
        event = own_rt.record_event()
        await event
        assert event.done
        await asyncio.gather(*(asyncio.ensure_future(wait(own_rt.record_event())) for _ in range(10)))

    async def wait(event):
        await event

    asyncio.run(main())
    event = own_rt.record_event()
    pretend_pending(monkeypatch)
    with pytest.raises(RuntimeError, match=r"no event loop runs.*wait\(\)"):
        event.__await__()


def test_pending_event_is_not_waited_for(rt, monkeypatch):
    event, other = rt.record_event(), rt.record_event()
    other.wait()
    asked = pretend_pending(monkeypatch)
    assert not event.done
    assert repr(event).startswith("<pending Event of ")
    with pytest.raises(ObjectStateError, match=r"has not reached this event; call wait\(\) of the later event first"):
        event.elapsed(other)
    pretend_pending(monkeypatch, event)
    with pytest.raises(ObjectStateError, match="has not reached the other event"):
        event.elapsed(other)
    assert asked == [0, 0, 0]
    with pytest.raises(TimeoutError, match=r"0\.001 s"):
        other.wait(timeout=0.001)


@pytest.mark.usefixtures("c_library")
def test_events_of_two_runtimes_do_not_compare(rt, own_rt):
    with pytest.raises(InvalidArgumentError, match=r"belong to different runtimes.*record both with one runtime"):
        rt.record_event().elapsed(own_rt.record_event())
    event, other = Runtime.from_handle(rt.handle).record_event(), rt.record_event()
    other.wait()
    assert event.elapsed(other) >= 0
    with pytest.raises(TypeError, match="timeout is a number of seconds, not str '1'"):
        other.wait(timeout="1")
    with pytest.raises(TypeError, match="other must be an Event, not int 3"):
        rt.record_event().elapsed(3)


def test_timer_measures_what_is_in_it(rt, module):
    step = module.kernels["saxpy"].bind(1.0, rt.zeros(100), rt.zeros(100))
    timer = rt.timer()
    assert timer.runtime is rt
    assert repr(timer) == f"<Timer of {rt.arch}:{rt.device_index}, not entered>"
    with timer as entered:
        assert entered is timer
        step()
        assert repr(timer).endswith(", entered>")
        with pytest.raises(ObjectStateError, match=r"no time yet; read it after `with runtime\.timer\(\) as timer"):
            _ = timer.seconds
    assert repr(timer).endswith(", not read>")
    seconds = timer.seconds
    assert seconds > 0
    assert timer.seconds == seconds
    number, unit = re.fullmatch(r"<Timer .*, ([\d.]+) (s|ms|us|ns)>", repr(timer)).groups()
    assert float(number) * UNITS[unit] == pytest.approx(seconds, rel=1e-3)
    with timer:
        pass
    assert timer.seconds >= 0


def test_timer_has_no_time_of_what_raised(rt):
    timer = rt.timer()
    with timer:
        pass
    with pytest.raises(ZeroDivisionError), timer:
        _ = 1 / 0
    with pytest.raises(ObjectStateError, match="no time yet"):
        _ = timer.seconds


def test_events_of_a_closed_runtime_cannot_be_used(own_rt):
    event = own_rt.record_event()
    read, unread = own_rt.timer(), own_rt.timer()
    with unread, read:
        pass
    assert read.seconds >= 0
    own_rt.close()
    assert read.seconds >= 0
    for use in (
        own_rt.record_event,
        own_rt.timer,
        event.wait,
        event.__await__,
        read.__enter__,
        lambda: event.done,
        lambda: event.elapsed(event),
        lambda: unread.seconds,
    ):
        with pytest.raises(ObjectStateError, match="the runtime is closed"):
            use()
    assert repr(event).startswith("<closed Event of ")


def test_classes_are_not_called():
    with pytest.raises(TypeError, match=r"an Event is created by Runtime\.record_event\(\)"):
        Event()
    with pytest.raises(TypeError, match=r"a Timer is created by Runtime\.timer\(\)"):
        Timer()


def test_dropped_events_are_freed(rt):
    rt.record_event().wait()
    before = len(rt._handle.releases)
    for _ in range(100):
        with rt.timer() as timer:
            pass
    del timer
    rt.wait()
    assert len(rt._handle.releases) == before


def test_event_keeps_its_runtime(arch):
    before = object_counts()["runtimes"]
    event = Runtime(arch).record_event()
    assert object_counts()["runtimes"] == before + 1
    event.wait()
    del event
    assert object_counts()["runtimes"] == before
