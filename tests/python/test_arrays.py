"""Arrays of every kind, in and out."""

import re
import subprocess
import sys

import numpy
import pytest
from conftest import picture

import glproc

TYPES = ["uint8", "uint16", "float32"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 17), (19, 1), (13, 11), (13, 11, 1), (13, 11, 2), (13, 11, 3), (13, 11, 4)])
def test_shape_and_type_stay(shape, dtype):
    image = picture(shape, dtype)
    result = glproc.blur(image, sigma=1.5, alpha="straight")
    assert (result.shape, result.dtype) == (shape, numpy.dtype(dtype))
    if len(shape) == 3:
        for channel in range(shape[2]):  # each is filtered as a picture of its own
            alone = glproc.blur(image[:, :, channel], sigma=1.5)
            numpy.testing.assert_array_equal(result[:, :, channel], alone)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "view",
    [
        lambda a: a[::-1],
        lambda a: a[:, ::-1],
        lambda a: a[:, :, ::-1],
        lambda a: a[::-2, 1::3, ::-1],
        lambda a: a[:, :, :3],
        lambda a: a[:, :, 1:2],
        lambda a: a[:, :, 2],
        lambda a: a.transpose(1, 0, 2),
        lambda a: numpy.asfortranarray(a),
        lambda a: numpy.broadcast_to(a[:1, :, :], a.shape),
        lambda a: numpy.broadcast_to(a[:, :, :1], a.shape),
    ],
)
def test_strides(dtype, view):
    image = view(picture((12, 17, 4), dtype))
    image.flags.writeable = False
    before = image.copy()
    expected = glproc.box(numpy.ascontiguousarray(image), radius=1)
    numpy.testing.assert_array_equal(glproc.box(image, radius=1), expected, strict=True)
    numpy.testing.assert_array_equal(glproc.Image(image).box(1).numpy(), expected, strict=True)
    numpy.testing.assert_array_equal(image, before)


def test_unaligned():
    raw = numpy.zeros(4 * 35 + 1, "uint8")
    image = raw[1:].view("float32").reshape(5, 7)
    image[:] = picture((5, 7), "float32")
    assert not image.flags.aligned
    numpy.testing.assert_array_equal(glproc.invert(image), 1 - image)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("view", [lambda a: a, lambda a: a[::-1, :, ::-1], lambda a: a[:, ::2], numpy.asfortranarray])
def test_out(dtype, view):
    image = picture((12, 10, 3), dtype)
    expected = glproc.blur(image, sigma=1)
    out = view(numpy.zeros((12, 20 if view(image).shape[1] == 5 else 10, 3), dtype))
    assert glproc.blur(image, sigma=1, out=out) is out
    numpy.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("memory", [0, 1 << 20])
@pytest.mark.parametrize("view", [lambda a: (a, a), lambda a: (a, a[::-1]), lambda a: (a[:-7], a[7:]), lambda a: (a[7:], a[:-7])])
def test_out_shares_memory_with_the_picture(view, memory):
    image, out = view(picture((700, 500), "float32"))
    expected = glproc.blur(image.copy(), sigma=3)
    with glproc.context(memory=memory):
        glproc.blur(image, sigma=3, out=out)
    numpy.testing.assert_array_equal(out, expected)


def test_out_is_the_picture_upside_down_and_larger_than_what_is_read_ahead():
    """Then rows are written that were not read yet."""
    image = numpy.random.default_rng(1).integers(0, 256, (20000, 8000), numpy.uint8)
    expected = 255 - image[::-1]  # what is written upside down
    with glproc.context(memory=16 << 20):
        assert not glproc._contexts.session().parts("invert", (*image.shape, 1, 8), [])["fits"]
        glproc.invert(image, out=image[::-1])
    assert (image == expected).all()


def test_out_that_cannot_be_it():
    image = picture((6, 5, 3))
    locked = numpy.zeros_like(image)
    locked.flags.writeable = False
    for out, kind, words in [
        (numpy.zeros((5, 6, 3), "uint8"), ValueError, r"shape \(6, 5, 3\) and uint8; it has shape \(5, 6, 3\)"),
        (numpy.zeros((6, 5, 3), "uint16"), ValueError, "it has shape .* and uint16"),
        (numpy.zeros((6, 5, 3), "float64"), TypeError, "out takes arrays of uint8, uint16 or float32"),
        (locked, ValueError, "read-only"),
        ([0], TypeError, "out must be a NumPy array"),
    ]:
        with pytest.raises(kind, match=words):
            glproc.invert(image, out=out)
    assert not locked.any()
    with pytest.raises(TypeError, match="stays on the GPU"):
        glproc.invert(glproc.Image(image), out=image)


def test_lists_and_stacks():
    images = [picture((5 + i, 7, 3), seed=i) for i in range(3)]
    for one, result in zip(images, glproc.blur(images, sigma=1)):
        numpy.testing.assert_array_equal(result, glproc.blur(one, sigma=1))
    stack = picture((4, 6, 5, 3))
    blurred = glproc.blur(stack, sigma=1)
    assert blurred.shape == stack.shape
    for one, result in zip(stack, blurred):
        numpy.testing.assert_array_equal(result, glproc.blur(one, sigma=1))
    out = numpy.zeros_like(stack)
    assert glproc.blur(stack, sigma=1, out=out) is out
    numpy.testing.assert_array_equal(out, blurred)
    assert glproc.gray(stack).shape == (4, 6, 5)
    assert glproc.integral(stack, padded=True).shape == (4, 7, 6, 3)
    assert [report["width"] for report in glproc.stats(stack)] == [5] * 4
    assert glproc.blur([], sigma=1) == []
    with pytest.raises(ValueError, match="no pictures"):
        glproc.blur(stack[:0], sigma=1)
    with pytest.raises(ValueError, match="out has 3 parts for 4 pictures"):
        glproc.blur(stack, sigma=1, out=out[:3])


@pytest.mark.parametrize(
    "array, words",
    [
        (numpy.zeros((4, 4)), r"float64: a.astype\(numpy.float32\)"),
        (numpy.zeros((4, 4), "float16"), "float16"),
        (numpy.zeros((4, 4), "int64"), "int64"),
        (numpy.zeros((4, 4), "int16"), "int16"),
        (numpy.zeros((4, 4), bool), r"a.astype\(numpy.uint8\) \* 255"),
        (numpy.zeros((4, 4), complex), "complex128"),
        (numpy.zeros((4, 4), ">u2"), ">u2"),
        (numpy.zeros((4, 4), ">f4"), ">f4"),
        (numpy.array([["a"]]), "<U1"),
        (None, "not None"),
    ],
)
def test_types_that_are_no_pictures(array, words):
    for call in (lambda: glproc.blur(array, sigma=1), lambda: glproc.Image(array)):
        with pytest.raises(TypeError, match=words):
            call()


@pytest.mark.parametrize("shape", [(), (5,), (0, 5), (5, 0), (5, 5, 0), (5, 5, 5), (2, 2, 2, 2, 2)])
def test_shapes_that_are_no_pictures(shape):
    with pytest.raises(ValueError, match=r"\(height, width\)"):
        glproc.blur(numpy.zeros(shape, "uint8"), sigma=1)


def test_parameters():
    image = picture((9, 8, 3))
    expected = glproc.blur(image, sigma="2,3")
    for sigma in [(2, 3), [2, 3.0], numpy.array([2, 3]), numpy.array([2, 3], "float32")]:
        numpy.testing.assert_array_equal(glproc.blur(image, sigma=sigma), expected)
    for sigma in [2, 2.0, numpy.float32(2), numpy.array(2)]:
        numpy.testing.assert_array_equal(glproc.blur(image, sigma), glproc.blur(image, sigma="2"))
    kernel = numpy.array([[0, 1, 0], [1, 2, 1], [0, 1, 0]])
    numpy.testing.assert_array_equal(
        glproc.convolve(image, kernel=kernel, scale=1 / 6), glproc.convolve(image, kernel="0 1 0;1 2 1;0 1 0", scale=1 / 6)
    )
    numpy.testing.assert_array_equal(glproc.resize(image, (4, 5)), glproc.resize(image, size="4x5"))
    numpy.testing.assert_array_equal(glproc.integral(image, padded=numpy.bool_(True)), glproc.integral(image, padded=True))
    assert glproc.histogram(image, channels=["r", "g"])["channels"][1]["name"] == "g"
    assert glproc.histogram(image, bins=numpy.int64(4))["bins"] == 4


@pytest.mark.parametrize(
    "call, kind, words",
    [
        (lambda a: glproc.blur(a), TypeError, "missing a required argument: 'sigma'"),
        (lambda a: glproc.blur(a, sigma=-1), glproc.UsageError, "sigma"),
        (lambda a: glproc.blur(a, sigma=-1), ValueError, "sigma"),
        (lambda a: glproc.blur(a, sigma=float("nan")), ValueError, "sigma"),
        (lambda a: glproc.blur(a, sigma=True), TypeError, "sigma takes a value, not True"),
        (lambda a: glproc.blur(a, sigma=object()), TypeError, "sigma: .* is not a number"),
        (lambda a: glproc.blur(a, sigma=(1, 2, 3)), ValueError, "sigma"),
        (lambda a: glproc.blur(a, sigma=1, radios=2), TypeError, "radios"),
        (lambda a: glproc.blur(a, sigma=1, border="clmp"), ValueError, "did you mean 'clamp'"),
        (lambda a: glproc.blur(a, sigma=1, method="cpuu"), ValueError, "cpuu"),
        (lambda a: glproc.integral(a, padded="yes"), TypeError, "padded is True or False, not 'yes'"),
        (lambda a: glproc.levels(a, out_black=1e9), ValueError, "^out_black"),
        (lambda a: glproc.lut(a, cube="missing.cube"), glproc.InputError, "missing.cube"),
        (lambda a: glproc.lut(a, cube="missing.cube"), OSError, "missing.cube"),
        (lambda a: glproc.compare(a, a[:5]), glproc.OperationError, "9x8.*9x5|9x5.*9x8|size"),
        (lambda a: glproc.compare(a, 255 - a, max_diff=1), glproc.OperationError, "more than max_diff 1"),
        (lambda a: glproc.crop(a, rect=(0, 0, 100, 100)), glproc.Error, ""),
        (lambda a: glproc.read("missing.png"), OSError, "missing.png: no such file"),
        (lambda a: glproc.write("no/such/folder.png", a), glproc.OutputError, "folder"),
        (lambda a: glproc.write("a.xyz", a), glproc.UsageError, "xyz"),
        (lambda a: glproc.write("a.png", a.astype("float32")), glproc.UsageError, "png|float"),
        (lambda a: glproc.write("a.png", a.astype("float64")), TypeError, "write takes arrays of"),
        (lambda a: glproc.Context(backend="wgl"), ValueError, "backend is 'auto', 'glfw' or 'egl'"),
        (lambda a: glproc.Context(memory=-1), ValueError, "memory"),
        (lambda a: glproc.Context("no such device").device(), glproc.Error, "no such device"),
        (lambda a: glproc.nonsense, AttributeError, "no attribute 'nonsense'"),
    ],
)
def test_errors(tmp_path, monkeypatch, call, kind, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=words) as raised:
        call(picture((9, 8, 3)))
    assert not re.search("--[a-z]", str(raised.value))
    assert list(tmp_path.iterdir()) == []


def test_read_limits(tmp_path):
    glproc.write(tmp_path / "a.png", picture((20, 30, 3)))
    with pytest.raises(glproc.InputError, match="30x20 pixels are more than the limit of 599"):
        glproc.read(tmp_path / "a.png", max_pixels=599)
    assert glproc.read(tmp_path / "a.png", max_pixels=600).shape == (20, 30, 3)


def test_files(tmp_path):
    for dtype, shape, name in [("uint8", (5, 7, 3), "a.png"), ("uint16", (5, 7), "b.png"), ("float32", (5, 7, 3), "c.pfm")]:
        image = picture(shape, dtype)
        glproc.write(tmp_path / name, image)
        numpy.testing.assert_array_equal(glproc.read(str(tmp_path / name)), image, strict=True)
    glproc.write(tmp_path / "d.jpg", glproc.Image(picture((50, 70, 3))), quality=5)
    glproc.write(tmp_path / "e.jpg", glproc.Image(picture((50, 70, 3))), quality=95)
    assert (tmp_path / "d.jpg").stat().st_size < (tmp_path / "e.jpg").stat().st_size


def test_a_mask_is_not_dropped_without_a_word():
    image = picture((13, 11), "float32")
    masked = numpy.ma.masked_less(image, float(image.mean()))
    for call in (
        lambda: glproc.blur(masked, sigma=1),
        lambda: glproc.stats(masked),
        lambda: glproc.compare(image, masked),
        lambda: glproc.Image(masked),
        lambda: glproc.Chain().invert()(masked),
        lambda: glproc.write("never.png", masked),
    ):
        with pytest.raises(TypeError, match=r"masked.*filled"):
            call()
    nothing_masked = numpy.ma.masked_array(image)
    numpy.testing.assert_array_equal(glproc.blur(nothing_masked, sigma=1), glproc.blur(image, sigma=1))


def test_nothing_depends_on_where_numpy_keeps_its_facts(tmp_path):
    """NumPy 2 keeps them elsewhere. Here nobody finds the table by which C finds its functions and types."""
    code = """
        import numpy
        multiarray = getattr(numpy, "_core", None) or numpy.core
        del multiarray.multiarray._ARRAY_API
        import glproc
        from glproc import ndimage
        ndimage.fallback = "error"
        image = numpy.arange(9 * 7 * 3, dtype="uint8").reshape(9, 7, 3)
        glproc.write("in.png", image)
        assert (glproc.read("in.png") == image).all()
        assert (glproc.invert(image[:, ::-1]) == 255 - image[:, ::-1]).all()
        assert (glproc.Image(image).invert().numpy() == 255 - image).all()
        assert glproc.integral(image)[-1, -1].tolist() == image.sum((0, 1)).tolist()
        assert glproc.scan(numpy.arange(5, dtype="int32")).tolist() == [0, 1, 3, 6, 10]
        assert glproc.stats(image)["channels"][0]["min"] == 0
        assert glproc.compare(image, image)["mse"] == 0
        assert ndimage.uniform_filter1d([2.0, 8, 5], 3).tolist() == [4, 5, 6]
    """
    code = "\n".join(map(str.strip, code.splitlines()))
    made = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(13, 11), (13, 11, 3)])
def test_strides_are_those_of_numpy(shape, dtype):
    result = glproc.invert(picture(shape, dtype))
    assert result.strides == numpy.empty(shape, dtype).strides
    assert result.flags.c_contiguous


def test_threshold_counts_within_a_mask():
    image = picture((40, 50))
    image[:, :20] //= 3
    mask = numpy.zeros((40, 50), "uint8")
    mask[:, :20] = 1
    made = glproc.threshold(image, rule="otsu", mask=mask)
    numpy.testing.assert_array_equal(made[:, :20], glproc.threshold(image[:, :20].copy(), rule="otsu"))
    assert (made != glproc.threshold(image, rule="otsu")).any()
    numpy.testing.assert_array_equal(glproc.Chain().threshold(rule="otsu", mask=mask)(image), made)
    with pytest.raises(glproc.UsageError, match="50x39 pixels, and the image 50x40"):
        glproc.threshold(image, rule="otsu", mask=mask[1:])
