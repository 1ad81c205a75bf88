"""Functions of ndimage by the operations on pictures: two axes, of float32, uint8 or uint16, computed in float32.

Results of float32 equal SciPy's up to float32 rounding. Results of integers are rounded once, to the nearest value, while SciPy
truncates after each axis.
"""

from . import _arrays, _contexts, _glproc
from ._functions import parameters_of, settings_in
from ._ndimage_support import Refused

_OPERATIONS = {operation["name"]: operation for operation in _glproc.describe()}
_BORDERS = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "mirror", "nearest": "clamp", "wrap": "wrap",
    "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip


class RefusedType(Refused, TypeError):
    """A type of values that these functions do not take."""


def _run(name, image, out, **arguments):
    operation = _OPERATIONS[name]
    return _contexts.session().run(name, image, settings_in(parameters_of(operation)[0], arguments), out)


def _refuse(parameter, words):
    raise Refused(f"{parameter}: {words}")


def _image(input, name, signed=False):
    """The array, if it is one that the function takes."""
    import numpy

    try:
        image = _arrays.array_of(input, name)
    except TypeError as error:
        raise RefusedType(str(error)) from None
    if image.dtype == numpy.float64:
        raise RefusedType(f"{name} takes float32, uint8 or uint16, not float64: input.astype(numpy.float32) converts it")
    if image.dtype not in (numpy.float32, numpy.uint8, numpy.uint16):
        raise RefusedType(f"{name} takes float32, uint8 or uint16, not {image.dtype}: input.astype(numpy.float32) converts it")
    if signed and image.dtype != numpy.float32:
        raise RefusedType(f"{name} has negative results, which {image.dtype} does not hold: input.astype(numpy.float32) converts it")
    if image.ndim != 2:
        _refuse("input", f"arrays of {image.ndim} dimensions; {name} takes two, and no axis is taken for colours")
    if image.size == 0:
        _refuse("input", "no pixels")
    return image


def _out(image, output):
    """The array for the result, or None for a new one of the image's type."""
    import numpy

    if output is None:
        return None
    is_array = isinstance(output, numpy.ndarray)
    dtype = output.dtype if is_array else numpy.dtype(output)
    if dtype != image.dtype:
        _refuse("output", f"the type {dtype}; the result is of the input's, {image.dtype}")
    return output if is_array else None


def _pair(value, parameter):
    """One for each axis, as SciPy has them: of rows first."""
    values = list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else [value, value]
    if len(values) != 2:
        raise RuntimeError(f"{parameter} must have length equal to input rank")  # SciPy's words
    return values


def _border(image, mode, cval):
    first, second = _pair(mode, "mode")
    if first != second:
        _refuse("mode", "one of its own for each axis")
    if first not in _BORDERS:
        raise RuntimeError("boundary mode not supported")
    if _BORDERS[first] != "constant":
        return _BORDERS[first]
    full = 1 if image.dtype.kind == "f" else 255 if image.dtype.itemsize == 1 else 65535
    if not 0 <= cval <= full and full != 1:
        _refuse("cval", f"{cval}, which {image.dtype} does not hold")
    return f"constant:{float(cval)!r}" if full == 1 else f"constant:{round(cval)}/{full}"


def _no_origin(origin):
    if any(_pair(origin, "origin")):
        _refuse("origin", "anything but 0")


def _radius(size):
    """(x, y) of a box of this size, which SciPy gives as (rows, columns)."""
    for length in _pair(size, "size"):
        if length != int(length) or length < 1:
            raise RuntimeError("incorrect filter size")
        if length % 2 == 0:
            _refuse("size", f"{length}; odd sizes only")
    rows, columns = _pair(size, "size")
    return int(columns) // 2, int(rows) // 2


def _shape(size, footprint, structure=None):
    """(radius, shape) of a flat neighbourhood: a box, or what scipy.ndimage.generate_binary_structure(2, 1) makes, of any size."""
    import numpy

    if structure is not None:
        structure = numpy.asarray(structure)
        if structure.any():
            _refuse("structure", "anything but zeros; a footprint says which pixels count")
        footprint = numpy.ones(structure.shape, bool) if footprint is None else footprint
    if footprint is None:
        if size is None:
            raise RuntimeError("no footprint or filter size provided")
        return _radius(size), "box"
    footprint = numpy.asarray(footprint, bool)
    if footprint.ndim != 2:
        raise RuntimeError("footprint array has incorrect shape.")
    radius = _radius(footprint.shape)
    cross = numpy.zeros(footprint.shape, bool)
    cross[radius[1], :] = cross[:, radius[0]] = True
    if footprint.all():
        return radius, "box"
    if (footprint == cross).all():
        return radius, "cross"
    _refuse("footprint", "other shapes than a box and a cross")


def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    """Gaussian blur. Not: `order` other than 0."""
    if any(_pair(order, "order")):
        _refuse("order", "derivatives of a Gaussian")
    image = _image(input, "gaussian_filter")
    sigmas = [float(value) for value in reversed(_pair(sigma, "sigma"))]
    radii = [int(truncate * value + 0.5) for value in sigmas] if radius is None else list(reversed(_pair(radius, "radius")))
    radii = [reach if value > 0 else 0 for reach, value in zip(radii, sigmas)]  # SciPy leaves such an axis alone
    method = "direct" if max(sigmas) >= 4 else "auto"  # from there on it may take the method that is only near
    arguments = {"sigma": sigmas, "radius": radii, "method": method, "border": _border(image, mode, cval)}
    return _run("blur", image, _out(image, output), nan="propagate", **arguments)


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0):
    """Mean over a box. Not: even sizes, `origin`."""
    image = _image(input, "uniform_filter")
    _no_origin(origin)
    border = _border(image, mode, cval)
    return _run("box", image, _out(image, output), radius=_radius(size), border=border, nan="propagate")


def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    """The middle value under a box. Not: other footprints, even sizes, `origin`."""
    return _rank("median_filter", input, 50, size, footprint, output, mode, cval, origin)


def percentile_filter(input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Another percentile than 50. Not: other footprints, even sizes, `origin`."""
    percentile = percentile + 100.0 if percentile < 0 else percentile
    if not 0 <= percentile <= 100:
        raise RuntimeError("invalid percentile")
    return _rank("percentile_filter", input, percentile, size, footprint, output, mode, cval, origin)


def _rank(name, input, percentile, size, footprint, output, mode, cval, origin):
    image = _image(input, name)
    _no_origin(origin)
    radius, shape = _shape(size, footprint)
    if shape != "box":
        _refuse("footprint", "other shapes than a box")
    border = _border(image, mode, cval)
    return _run("median", image, _out(image, output), radius=radius, percentile=percentile, border=border)


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """The gradient along an axis, of float32. Not: `cval` other than 0."""
    return _gradient("sobel", input, axis, output, mode, cval)


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """The gradient along an axis by weights of 1, of float32. Not: `cval` other than 0."""
    return _gradient("prewitt", input, axis, output, mode, cval)


def _gradient(name, input, axis, output, mode, cval):
    image = _image(input, name, signed=True)
    if not -2 <= axis < 2:
        raise ValueError("invalid axis")  # SciPy's words
    _no_cval(mode, cval)
    part = "x" if axis % 2 == 1 else "y"
    return _run("sobel", image, _out(image, output), operator=name, output=part, border=_border(image, mode, cval))


def _no_cval(mode, cval):
    """SciPy puts it around the result of one axis, too, before it goes along the other."""
    if cval != 0 and "constant" in str(mode):
        _refuse("cval", "anything but 0")


def laplace(input, output=None, mode="reflect", cval=0.0):
    """Second differences of neighbours, of float32."""
    image = _image(input, "laplace", signed=True)
    return _run("laplacian", image, _out(image, output), output="signed", border=_border(image, mode, cval))


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, **kwargs):
    """Second derivatives of a Gaussian blur, of float32. Not: a sigma for each axis, `truncate`, `cval` other than 0."""
    image = _image(input, "gaussian_laplace", signed=True)
    for name, value in kwargs.items():
        if name != "truncate" or value != 4:
            _refuse(name, "any value")
    first, second = _pair(sigma, "sigma")
    if first != second:
        _refuse("sigma", "one of its own for each axis")
    if first <= 0:
        _refuse("sigma", "0 or less")
    _no_cval(mode, cval)
    border = _border(image, mode, cval)
    return _run("laplacian", image, _out(image, output), sigma=float(first), output="signed", border=border)


def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    """Weighted sums, the weights turned by 180 degrees. Not: weights that reach farther than 31 pixels."""
    image, weights = _image(input, "convolve"), _weights(weights)
    # In SciPy the middle of an even number of weights is another one when they are turned.
    origins = [-int(first) - 1 + length % 2 for first, length in zip(_pair(origin, "origin"), weights.shape)]
    return _weigh(image, weights[::-1, ::-1], output, mode, cval, origins)


def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0):
    """Weighted sums. Not: weights that reach farther than 31 pixels."""
    image, weights = _image(input, "correlate"), _weights(weights)
    return _weigh(image, weights, output, mode, cval, [int(first) for first in _pair(origin, "origin")])


def _weights(weights):
    import numpy

    weights = numpy.asarray(weights)
    if weights.dtype.kind == "c":
        _refuse("weights", "complex numbers")
    if weights.ndim != 2 or weights.size == 0:
        raise RuntimeError("filter weights array has incorrect shape.")
    return weights.astype(numpy.float64)


def _weigh(image, weights, output, mode, cval, origins):
    """With zeros around the weights, so that the middle one is where SciPy has it."""
    import numpy

    zeros = []
    for length, first in zip(weights.shape, origins):
        before = length // 2 + first
        after = length - 1 - before
        if before < 0 or after < 0:
            raise ValueError("invalid origin")
        reach = max(before, after)
        if reach > 31:
            _refuse("weights", f"{length} along an axis, which reach {reach} pixels; 31 are built")
        zeros.append((reach - before, reach - after))
    kernel = numpy.pad(weights, zeros)[::-1, ::-1]
    return _run("convolve", image, _out(image, output), kernel=kernel, border=_border(image, mode, cval))


def grey_erosion(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """The least value under a box or a cross. Not: heights in `structure`, other footprints, even sizes, `origin`."""
    return _morph("grey_erosion", "erode", input, size, footprint, structure, output, mode, cval, origin)


def grey_dilation(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """The largest value under a box or a cross. Not: as grey_erosion()."""
    return _morph("grey_dilation", "dilate", input, size, footprint, structure, output, mode, cval, origin)


def grey_opening(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Erosion, then dilation. Not: as grey_erosion()."""
    return _morph("grey_opening", "open", input, size, footprint, structure, output, mode, cval, origin)


def grey_closing(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0):
    """Dilation, then erosion. Not: as grey_erosion()."""
    return _morph("grey_closing", "close", input, size, footprint, structure, output, mode, cval, origin)


def _morph(name, do, input, size, footprint, structure, output, mode, cval, origin):
    if size is None and footprint is None and structure is None:
        raise ValueError("size, footprint, or structure must be specified")  # SciPy's words
    image = _image(input, name)
    _no_origin(origin)
    radius, shape = _shape(size, footprint, structure)
    border = _border(image, mode, cval)
    return _run("morphology", image, _out(image, output), do=do, radius=radius, shape=shape, border=border)


def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    """Another size, with order=0 or order=1, mode='nearest' and grid_mode=True. Not: splines; order=1 for smaller sizes."""
    image = _image(input, "zoom")
    if order not in (0, 1):
        _refuse("order", f"{order}; splines, of which 0 and 1 alone are built")
    if not grid_mode:
        _refuse("grid_mode", "False; pixels are areas here")
    if mode != "nearest":
        _refuse("mode", f"{mode!r}; 'nearest' only")
    sizes = [int(round(length * factor)) for length, factor in zip(image.shape, _pair(zoom, "zoom"))]
    if order == 1 and any(new < old for new, old in zip(sizes, image.shape)):
        _refuse("zoom", "below 1 with order=1, where SciPy leaves pixels out")
    return _run("resize", image, _out(image, output), size=(sizes[1], sizes[0]), filter="linear" if order else "nearest")


def rotate(
    input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):  # fmt: skip
    """Turned by multiples of 90 degrees; by other angles with order=1, mode='grid-constant' and reshape=False."""
    image = _image(input, "rotate")
    if sorted(axis % 2 for axis in axes) != [0, 1]:
        raise ValueError("axes must be different")
    if angle % 90 != 0:
        if order != 1:
            _refuse("order", f"{order}; splines, of which 1 alone is built")
        if mode != "grid-constant":
            _refuse("mode", f"{mode!r}; 'grid-constant' only")
        if reshape:
            _refuse("reshape", "True, but for multiples of 90 degrees")
    elif not reshape and angle % 180 != 0:
        _refuse("reshape", "False, for a quarter of a turn")
    keep_size = angle % 90 != 0
    border = _border(image, "constant", cval)
    return _run(
        "rotate", image, _out(image, output), angle=-float(angle), keep_size=keep_size, filter="linear", border=border
    )  # fmt: skip


def affine_transform(input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0,
                     prefilter=True):  # fmt: skip
    """Refused: rotate() and zoom() are what there is."""
    _refuse("matrix", "affine transforms are not built; rotate() and zoom() are")


def histogram(input, min, max, bins, labels=None, index=None):
    """How many values lie in each of `bins` equal parts of `min` to `max`. Not: `labels`, `index`.

    Integers are counted exactly as by numpy.histogram(). A float32 within a rounding of the edge of a bin may count in the other.
    """
    import numpy

    if labels is not None:
        _refuse("labels", "parts of an image")
    if index is not None:
        _refuse("index", "parts of an image")
    image = _image(input, "histogram")

    def counts(**arguments):
        channels = _run("histogram", image, None, channels="luma", **arguments)["channels"]
        return numpy.array(channels[0]["counts"])

    if image.dtype.kind == "f":
        return counts(bins=bins, range=(float(min), float(max)))
    codes = numpy.iinfo(image.dtype).max + 1
    each = counts(bins=codes)
    return numpy.histogram(numpy.arange(codes), bins, (min, max), weights=each)[0].astype(each.dtype)
