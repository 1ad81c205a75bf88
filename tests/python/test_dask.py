"""Parts of pictures on two processes give the bits of the whole on one."""

import os
import signal
import time

import numpy
import pytest
from conftest import DESCRIPTIONS, PICTURES, arguments_of, function, picture

import glproc

dask_array = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")
zarr = pytest.importorskip("zarr")

from glproc import dask as glproc_dask  # noqa: E402


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    os.environ["DASK_TEMPORARY_DIRECTORY"] = str(tmp_path_factory.mktemp("dask"))
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


NOT_IN_PARTS = {"trim", "canny", "clahe", "components", "distance", "maxima", "skeleton", "watershed"}  # pixels depend on all others
IN_ONE_PART = {"background"}  # it looks farther than these images are wide


@pytest.mark.parametrize("dtype, channels", [("uint8", 3), ("float32", 1)])
@pytest.mark.parametrize("name", PICTURES)
def test_every_operation(folder, name, dtype, channels):
    """In threads, which is enough for the bits."""
    image = picture((90, 131, channels) if channels > 1 else (90, 131), dtype)
    parts = dask_array.from_array(image, chunks=(37, 45, 2) if channels > 1 else (37, 45))
    if name in NOT_IN_PARTS:
        takes_it = dtype != "float32" or DESCRIPTIONS[name]["takes_floats"]
        with pytest.raises(glproc.OperationError if takes_it else TypeError, match="needs the whole image" if takes_it else "uint8"):
            getattr(glproc_dask, name)(parts, **arguments_of(name))
        return
    try:
        expected = function(name)(image, **arguments_of(name))
    except (glproc.Error, TypeError) as error:
        with pytest.raises(type(error)):
            getattr(glproc_dask, name)(parts, **arguments_of(name))
        return
    result = getattr(glproc_dask, name)(parts, **arguments_of(name))
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    assert result.npartitions > 1 or expected.size < 400 or name in IN_ONE_PART
    numpy.testing.assert_array_equal(result.compute(scheduler="synchronous"), expected, strict=True)


BORDERED = [("blur", {"sigma": 2}), ("blur", {"sigma": (9, 5)}), ("box", {"radius": (30, 13)}), ("median", {"radius": (1, 3)})]


@pytest.mark.parametrize("border", ["clamp", "mirror", "symmetric", "wrap", "constant:0.5"])
@pytest.mark.parametrize("name, arguments", BORDERED)
def test_borders(name, arguments, border):
    for chunks in [(64, 200), (150, 64), (40, 33), (7, 7), (150, 200)]:
        image = picture((150, 200), "float32" if name == "box" else "uint8")
        expected = function(name)(image, border=border, **arguments)
        result = getattr(glproc_dask, name)(dask_array.from_array(image, chunks=chunks), border=border, **arguments)
        numpy.testing.assert_array_equal(result.compute(scheduler="synchronous"), expected, strict=True)


@pytest.mark.parametrize("border", ["clamp", "mirror", "symmetric", "wrap", "constant:0.5"])
@pytest.mark.parametrize("name, arguments", [("pad", {"margin": (30, 7, 250, 160)}), ("rotate", {"angle": 20})])
def test_borders_of_what_lies_elsewhere(name, arguments, border):
    image = picture((150, 200))
    expected = function(name)(image, border=border, **arguments)
    for chunks in [(64, 77), (150, 30)]:
        result = getattr(glproc_dask, name)(dask_array.from_array(image, chunks=chunks), border=border, **arguments)
        numpy.testing.assert_array_equal(result.compute(scheduler="synchronous"), expected, strict=True)


def test_a_halo_that_is_too_small_shows(monkeypatch):
    """With 7 pixels instead of 8 a blur of sigma 2 has other bits: what the plan says is what it takes."""
    image = 255 * (picture((256, 256)) > 127).astype("uint8")
    expected = glproc.blur(image, sigma=2)
    parts = dask_array.from_array(image, chunks=64)
    numpy.testing.assert_array_equal(glproc_dask.blur(parts, sigma=2).compute(scheduler="synchronous"), expected)
    session = glproc._contexts.session()

    class Less:
        run_part = session.run_part

        def parts(self, *arguments):
            plan = session.parts(*arguments)
            assert plan["halo"][0] == 8
            return {**plan, "halo": (7, plan["halo"][1])}

    monkeypatch.setattr(glproc._contexts, "session", Less)
    assert (glproc_dask.blur(parts, sigma=2).compute(scheduler="synchronous") != expected).any()


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stores")
    image = picture((700, 900, 3))
    stored = zarr.open_array(str(folder / "in.zarr"), mode="w", shape=image.shape, chunks=(256, 256, 3), dtype=image.dtype)
    stored[...] = image
    return folder, image


def test_two_processes(client, stores):
    folder, image = stores
    assert len(client.run(os.getpid)) == 2 and os.getpid() not in client.run(os.getpid).values()
    source = dask_array.from_zarr(str(folder / "in.zarr"))
    glproc_dask.blur(source, sigma=5).to_zarr(str(folder / "soft.zarr"))
    numpy.testing.assert_array_equal(zarr.load(str(folder / "soft.zarr")), glproc.blur(image, sigma=5), strict=True)
    chain = glproc_dask.resize(glproc_dask.unsharp(glproc_dask.gray(source), sigma=1), "400x")
    numpy.testing.assert_array_equal(
        chain.compute(), glproc.resize(glproc.unsharp(glproc.gray(image), sigma=1), "400x"), strict=True
    )
    with pytest.raises(ValueError, match="sigma"):
        glproc_dask.blur(source, sigma=-1)


LOOKS = [("equalize", {}), ("equalize", {"per_channel": True}), ("levels", {"auto": 0.5}), ("threshold", {"method": "otsu"})]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
@pytest.mark.parametrize("name, arguments", LOOKS)
def test_what_looks_at_the_whole_picture_first(name, arguments, dtype):
    """A gradient, so that no part is like the whole."""
    image = picture((150, 200, 3), dtype)
    image = (image * numpy.linspace(0.2, 0.9, 200)[None, :, None]).astype(dtype)
    parts = dask_array.from_array(image, chunks=(64, 77, 3))
    if dtype == "float32" and name == "equalize":
        with pytest.raises(TypeError):
            glproc_dask.equalize(parts)
        return
    result = getattr(glproc_dask, name)(parts, **arguments)
    numpy.testing.assert_array_equal(
        result.compute(scheduler="synchronous"), function(name)(image, **arguments), strict=True
    )


def test_equalize_on_two_processes(client, stores):
    folder, image = stores
    result = glproc_dask.equalize(dask_array.from_zarr(str(folder / "in.zarr")))
    numpy.testing.assert_array_equal(result.compute(), glproc.equalize(image), strict=True)


def test_reductions(client, stores):
    folder, image = stores
    source = dask_array.from_zarr(str(folder / "in.zarr"))
    expected = glproc.histogram(image, bins=64, channels="luma,r,g")
    result = glproc_dask.histogram(source, bins=64, channels="luma,r,g").compute()
    for ours, theirs in zip(result["channels"], expected["channels"]):
        assert ours == {key: theirs[key] for key in ours}
        assert list(ours) == ["name", "counts", "min", "max"]
    assert {**result, "channels": 0} == {**expected, "channels": 0}
    hiding = numpy.dstack([image, numpy.where(image[:, :, :1] > 128, 255, 0).astype("uint8")])
    counted = glproc_dask.histogram(dask_array.from_array(hiding, chunks=300), channels="r").compute()["channels"][0]
    assert counted["hidden"] == (hiding[:, :, 3] == 0).sum() > 0
    for one, channels in [(image, 3), (image[:, :, 0].astype("uint16") * 200, 1), (hiding, 4)]:
        parts = dask_array.from_array(one, chunks=300)
        ours, theirs = glproc_dask.stats(parts, percentiles=(1, 99.5)).compute(), glproc.stats(one, percentiles=(1, 99.5))
        assert len(ours["channels"]) == channels
        for a, b in zip(ours["channels"], theirs["channels"]):
            assert a.pop("entropy") == pytest.approx(b.pop("entropy"), rel=1e-12)
        assert ours == theirs
    with pytest.raises(TypeError, match="uint8 or uint16"):
        glproc_dask.stats(source.astype("float32"))


def after_a_kill(client, image):
    """What is made although a worker is killed in the middle of it."""
    source = image.map_blocks(lambda block: (time.sleep(0.05), block)[1], dtype="uint8")
    future = client.compute(glproc_dask.blur(source, sigma=3))
    time.sleep(1.5)
    assert not future.done()
    os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    return future.result(timeout=60)


def test_a_worker_is_killed_in_the_middle(client, stores):
    """Distributed 2022.12 itself may lose a task with its worker, and waits for ever: then no worker does anything."""
    folder, image = stores
    source = dask_array.from_zarr(str(folder / "in.zarr")).rechunk((64, 64, 3))
    for _ in range(3):
        try:
            return numpy.testing.assert_array_equal(after_a_kill(client, source), glproc.blur(image, sigma=3), strict=True)
        except distributed.TimeoutError:
            assert not any(client.call_stack().values())
            client.restart()
    pytest.fail("three times no worker did anything")


def test_what_it_does_not_take():
    for array in [dask_array.zeros((5, 5)), dask_array.zeros((2, 5, 5, 3), dtype="uint8"), dask_array.zeros(9, dtype="uint8")]:
        with pytest.raises(TypeError, match="blur takes Dask arrays"):
            glproc_dask.blur(array, sigma=1)
    assert set(glproc_dask.__all__) >= set(PICTURES)
    assert all(getattr(glproc_dask, alias) for name in PICTURES for alias in DESCRIPTIONS[name]["aliases"])
