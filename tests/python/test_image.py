"""Pictures that stay on the GPU, and contexts."""

import gc
import os
import pathlib
import pickle
import tempfile
import threading
import weakref

import numpy
import pytest
from conftest import DESCRIPTIONS, arguments_of, picture

import glproc


def test_what_it_shows():
    image = glproc.Image(picture((12, 17, 3), "uint16"))
    assert (image.shape, image.dtype, repr(image)) == ((12, 17, 3), numpy.uint16, "<glproc.Image 12x17x3 uint16>")
    assert glproc.Image(picture((12, 17))).shape == (12, 17)
    assert glproc.Image(picture((12, 17, 1))).shape == (12, 17, 1)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
@pytest.mark.parametrize("shape", [(12, 17), (12, 17, 3), (12, 17, 4)])
def test_out_of_the_gpu(tmp_path, shape, dtype):
    array = picture(shape, dtype)
    image = glproc.Image(array)
    numpy.testing.assert_array_equal(image.numpy(), array, strict=True)
    numpy.testing.assert_array_equal(numpy.asarray(image), array, strict=True)
    numpy.testing.assert_array_equal(numpy.asarray(image, "float64"), array.astype("float64"), strict=True)
    numpy.testing.assert_array_equal(numpy.from_dlpack(image), array, strict=True)
    out = numpy.zeros_like(array)[::-1]
    assert image.numpy(out) is out
    numpy.testing.assert_array_equal(out, array)
    (tmp_path / "shown.png").write_bytes(image._repr_png_())
    shown = glproc.read(tmp_path / "shown.png")
    expected = (numpy.clip(array, 0, 1) * 255 + 0.5).astype("uint8") if dtype == "float32" else array
    numpy.testing.assert_array_equal(shown, expected, strict=True)


def _viewer(folder, name, *lines):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join(["#!/bin/sh", *lines, ""]))
    (folder / name).chmod(0o755)


@pytest.fixture
def viewers(tmp_path, monkeypatch):
    """A folder for programs that stand for the system's, which PATH names last, after folders that depend on the current one."""
    here, there = tmp_path / "pictures", tmp_path / "bin"
    for name in ("xdg-open", "glproc", "cp"):
        _viewer(here, name, f"touch {tmp_path}/ran-$(basename $0)")
    there.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", f":.:../pictures:{there}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield there
    assert not list(tmp_path.glob("ran-*"))


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_show(viewers, tmp_path, dtype):
    array = picture((12, 17, 3), dtype)
    _viewer(viewers, "glproc", "exit 9")  # the desktop's is asked first
    _viewer(viewers, "xdg-open", f'/bin/cp "$1" {tmp_path}/shown.png', f'echo "$PATH" "$PWD" > {tmp_path}/words')
    glproc.Image(array).show()
    expected = (numpy.clip(array, 0, 1) * 255 + 0.5).astype("uint8") if dtype == "float32" else array
    numpy.testing.assert_array_equal(glproc.read(tmp_path / "shown.png"), expected, strict=True)
    path, folder = (tmp_path / "words").read_text().split()
    assert path == str(viewers)
    assert [name.name for name in pathlib.Path(folder).iterdir()] == ["image.png"]  # for viewers that read it later
    assert pathlib.Path(folder).stat().st_mode & 0o077 == 0


def test_show_in_the_window(viewers, tmp_path):
    _viewer(viewers, "glproc", f'echo "$1" > {tmp_path}/words', f'/bin/cp "$2" {tmp_path}/shown.png')
    array = picture((12, 17))
    glproc.Image(array).show()
    assert (tmp_path / "words").read_text() == "view\n"
    numpy.testing.assert_array_equal(glproc.read(tmp_path / "shown.png"), array, strict=True)


def test_show_does_not_wait(viewers, tmp_path, monkeypatch):
    monkeypatch.setattr(glproc._show, "_patience", 0.05)
    os.mkfifo(tmp_path / "closed")
    _viewer(viewers, "xdg-open", f"read line < {tmp_path}/closed", f"echo $line > {tmp_path}/words")
    glproc.Image(picture((12, 17))).show()
    assert not (tmp_path / "words").exists()
    (tmp_path / "closed").write_text("now\n")
    for thread in threading.enumerate():
        if thread.name.endswith("(wait)"):
            thread.join(20)
    assert (tmp_path / "words").read_text() == "now\n"


def test_show_says_why_not(viewers, tmp_path):
    image = glproc.Image(picture((12, 17)))
    with pytest.raises(glproc.errors.OperationError, match="no program that shows images"):
        image.show()
    _viewer(viewers, "xdg-open", "exit 3")
    with pytest.raises(glproc.errors.OperationError, match=r"xdg-open ended with status 3 \(image.save\(\) writes a file\)"):
        image.show()
    assert not list(tmp_path.glob("glproc-*"))


def test_methods_are_the_functions(folder):
    array = picture((23, 37, 3))
    for name, operation in DESCRIPTIONS.items():
        if operation["input"] != "image":
            assert not hasattr(glproc.Image, name)
            continue
        ours = getattr(glproc.Image(array), name)(**arguments_of(name))
        theirs = getattr(glproc, name)(array, **arguments_of(name))
        if operation["product"] == "report":
            assert repr(ours) == repr(theirs)
        else:
            assert isinstance(ours, glproc.Image) == (operation["product"] == "image")
            numpy.testing.assert_array_equal(numpy.asarray(ours), theirs, strict=True)


def test_one_after_another():
    array = picture((60, 90, 3))
    steps = glproc.resize(glproc.unsharp(glproc.blur(array, 2)), "45x")
    numpy.testing.assert_array_equal(glproc.Image(array).blur(2).unsharp().resize("45x").numpy(), steps)


def test_steps_wait_and_are_refused_at_once():
    image = glproc.Image(picture((60, 90, 3)))
    longer = image.blur(2).invert()
    assert len(longer._state[1]) == 2
    assert (longer.resize("45x").shape, longer.gray().shape) == ((30, 45, 3), (60, 90))
    assert longer._state[1] == ()  # what is needed twice is made once
    with pytest.raises(ValueError, match="sigma"):
        image.blur(-1)
    with pytest.raises(ValueError):
        image.blur(1).crop(rect=(0, 0, 1000, 1000))
    floats = glproc.Image(picture((5, 5), "float32"))
    for name, operation in DESCRIPTIONS.items():
        is_plain = not any(field["required"] for field in operation["fields"])
        if not operation["takes_floats"] and operation["product"] == "image" and is_plain:
            with pytest.raises(TypeError, match=name):
                getattr(floats, name)()


@pytest.mark.parametrize("memory", [0, 1 << 20])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_chains(dtype, memory):
    array = picture((300, 400, 3), dtype)
    chain = glproc.Chain().blur(2).adjust(saturation=1.5).invert().resize("150x").unsharp()
    expected = glproc.unsharp(glproc.resize(glproc.invert(glproc.adjust(glproc.blur(array, 2), saturation=1.5)), "150x"))
    with glproc.context(memory=memory):
        numpy.testing.assert_array_equal(chain(array), expected, strict=True)
    out = numpy.zeros_like(expected)
    assert chain(array, out=out) is out
    numpy.testing.assert_array_equal(out, expected)
    numpy.testing.assert_array_equal(chain(glproc.Image(array)).numpy(), expected, strict=True)
    for result in chain([array, array]):
        numpy.testing.assert_array_equal(result, expected)
    assert chain(numpy.stack([array, array])).shape == (2, *expected.shape)
    assert (len(chain), repr(glproc.Chain().blur(1).gray())) == (5, "<glproc.Chain blur gray>")
    with pytest.raises(ValueError, match="no operations"):
        glproc.Chain()(array)
    with pytest.raises(ValueError, match="sigma"):
        glproc.Chain().blur(-1)(array)
    assert not hasattr(chain, "stats")


def test_contexts():
    array = picture((20, 30, 3))
    expected = glproc.blur(array, 2)
    first, second = glproc.Context(), glproc.context(backend="egl")
    with first:
        outer = glproc.Image(array)
        with second, second:
            inner = glproc.Image(array)
            numpy.testing.assert_array_equal(outer.blur(2).numpy(), expected)
        assert glproc._contexts.session() is first._session
    for image in (outer, inner):
        numpy.testing.assert_array_equal(image.blur(2).numpy(), expected)
        assert glproc.compare(image, outer, max_diff=0)["input"] == "array"
    assert set(glproc.device()) == {"renderer", "vendor", "version", "backend", "software"}
    assert first.device()["renderer"] == glproc.device()["renderer"]


def test_a_picture_keeps_its_context_alive():
    context = glproc.Context()
    with context:
        image = glproc.Image(picture((9, 9)))
    gone = weakref.ref(context)
    del context
    gc.collect()
    assert gone() is None
    numpy.testing.assert_array_equal(image.invert().numpy(), 255 - picture((9, 9)))


def test_environment(monkeypatch):
    monkeypatch.setenv("GLPROC_DEVICE", "no such device")
    with pytest.raises(glproc.Error, match="no such device"):
        glproc.Context().device()
    assert glproc.Context("auto").device()
    monkeypatch.setenv("GLPROC_BACKEND", "nonsense")
    with pytest.raises(ValueError, match="nonsense"):
        glproc.Context()


def test_errors_travel():
    error = pickle.loads(pickle.dumps(glproc.UsageError("--out-black is wrong", "use --out-white")))
    assert (str(error), error.hint) == ("out_black is wrong (use out_white)", "use out_white")
    assert isinstance(error, glproc.UsageError)
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(glproc.Image(picture((3, 3))))
