"""Filters along lines: each value from others along one axis. Their bits are those of SciPy."""

import numbers
import operator

import numpy

from ._ndimage_support import array_of, axes_of, axis_of, border_of, complex_of, each_of, output_of, real_of, refuse, run_lines


def _sum_pass(weights, axis, mode, cval, origin):
    """A pass for weights that lie as in correlate1d."""
    weights = numpy.asarray(weights)
    if weights.dtype.kind == "c":
        refuse("weights", "complex numbers")
    weights = numpy.ascontiguousarray(weights, numpy.float64)
    if weights.ndim != 1 or len(weights) < 1:
        raise RuntimeError("no filter weights given")
    origin = int(origin)  # NumPy's narrow numbers would overflow
    if not 0 <= len(weights) // 2 + origin < len(weights):
        raise ValueError(
            "Invalid origin; origin must satisfy -(len(weights) // 2) <= origin <= (len(weights)-1) // 2"
        )
    return _pass("sum", axis, mode, cval, origin, len(weights), weights)


def _window_pass(what, size, axis, mode, cval, origin):
    size, origin = int(size), int(origin)
    if size < 1:
        raise RuntimeError("incorrect filter size")
    if not 0 <= size // 2 + origin < size:
        raise ValueError("invalid origin")
    return _pass(what, axis, mode, cval, origin, size, None)


def _pass(what, axis, mode, cval, origin, size, weights):
    border, constant = border_of(mode), real_of(cval)
    return {"what": what, "axis": axis, "border": border, "constant": constant, "origin": origin, "size": size, "weights": weights}


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Correlate with weights along an axis."""
    input = array_of(input)
    weights = numpy.asarray(weights)
    if input.dtype.kind == "c" or weights.dtype.kind == "c":

        def part(values, by, to, constant):
            return correlate1d(values, by, axis, to, mode, constant, origin)

        return complex_of(part, input, weights.conj(), output, cval)
    output = output_of(output, input)
    axis = axis_of(axis, input.ndim)
    return run_lines(input, output, [_sum_pass(weights, axis, mode, cval, origin)])


def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Convolve with weights along an axis."""
    weights = numpy.asarray(weights)[::-1]
    weights = weights.conj() if weights.dtype.kind == "c" else weights
    return correlate1d(input, weights, axis, output, mode, cval, -int(origin) - 1 + len(weights) % 2)


def gaussian_weights(sigma, order, radius):
    """Of a Gaussian or its derivative of this order: that is a polynomial times the Gaussian. As in SciPy, sigma is squared in its
    own type, which may be a float32.
    """
    order = operator.index(order)
    if order < 0:
        raise ValueError("order must be non-negative")
    x = numpy.arange(-radius, radius + 1)
    gaussian = numpy.exp(-0.5 / (sigma * sigma) * x**2)
    gaussian = gaussian / gaussian.sum()
    if order == 0:
        return gaussian
    # q' + q p' of a polynomial q, with the Gaussian's own p' = -x / sigma^2, as a matrix on its coefficients. The order of the
    # sums is SciPy's.
    powers = numpy.arange(order + 1)
    step = numpy.diag(powers[1:], 1) + numpy.diag(numpy.ones(order) / -(sigma * sigma), -1)
    polynomial = numpy.zeros(order + 1)
    polynomial[0] = 1
    for _ in range(order):
        polynomial = step.dot(polynomial)
    return (x[:, None] ** powers).dot(polynomial) * gaussian


def gaussian_radius(sigma, truncate, radius):
    """Where the weights end, which `radius` may say."""
    radius = int(truncate * float(sigma) + 0.5) if radius is None else radius
    if not isinstance(radius, numbers.Integral) or radius < 0:
        raise ValueError("Radius must be a nonnegative integer.")
    return int(radius)


def _gaussian(sigma, order, truncate, radius):
    return gaussian_weights(sigma, order, gaussian_radius(sigma, truncate, radius))[::-1]


def gaussian_filter1d(
    input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None
):  # fmt: skip
    """Blur with a Gaussian along an axis, or take a derivative of the blurred array."""
    return correlate1d(input, _gaussian(sigma, order, truncate, radius), axis, output, mode, cval, 0)


def gaussian_filter(
    input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None
):  # fmt: skip
    """Blur with a Gaussian, or take a derivative of the blurred array."""
    input = array_of(input)
    axes = axes_of(axes, input.ndim)
    rows = zip(axes, *(each_of(value, len(axes)) for value in (sigma, order, mode, radius)))
    rows = [row for row in rows if row[1] > 1e-15]
    if input.dtype.kind == "c":
        output = output_of(output, input, is_complex=True)
        for axis, one_sigma, one_order, one_mode, one_radius in rows:
            gaussian_filter1d(input, one_sigma, axis, one_order, output, one_mode, cval, truncate, radius=one_radius)
            input = output
        if not rows:
            output[...] = input[...]
        return output
    output = output_of(output, input)
    passes = [_sum_pass(_gaussian(s, o, truncate, r), axis, m, cval, 0) for axis, s, o, m, r in rows]
    return run_lines(input, output, passes)


def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Take the gradient along an axis, with Prewitt's weights."""
    return _gradient(input, axis, output, mode, cval, [1, 1, 1])


def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Take the gradient along an axis, with Sobel's weights."""
    return _gradient(input, axis, output, mode, cval, [1, 2, 1])


def _gradient(input, axis, output, mode, cval, across):
    input = array_of(input)
    axis = axis_of(axis, input.ndim)
    modes = each_of(mode, input.ndim)
    if input.dtype.kind == "c":
        output = output_of(output, input, is_complex=True)
        correlate1d(input, [-1, 0, 1], axis, output, modes[axis], cval)
        for other in (other for other in range(input.ndim) if other != axis):
            correlate1d(output, across, other, output, modes[other], cval)
        return output
    output = output_of(output, input)
    passes = [_sum_pass([-1, 0, 1], axis, modes[axis], cval, 0)]
    passes += [_sum_pass(across, other, modes[other], cval, 0) for other in range(input.ndim) if other != axis]
    return run_lines(input, output, passes)


def generic_laplace(
    input, derivative2, output=None, mode="reflect", cval=0.0, extra_arguments=(), extra_keywords=None, *, axes=None
):  # fmt: skip
    """Add up second derivatives, which a function gives."""
    input = array_of(input)
    axes = axes_of(axes, input.ndim)
    output = output_of(output, input, is_complex=input.dtype.kind == "c")
    modes = each_of(mode, len(axes))
    for i, (axis, one_mode) in enumerate(zip(axes, modes)):
        to = output if i == 0 else output.dtype
        part = derivative2(input, axis, to, one_mode, cval, *extra_arguments, **(extra_keywords or {}))
        if i > 0:
            output += part
    if not axes:
        output[...] = input[...]
    return output


def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """Add up second differences of neighbours."""

    def second(values, axis, to, one_mode, constant):
        return correlate1d(values, [1, -2, 1], axis, to, one_mode, constant, 0)

    return generic_laplace(input, second, output, mode, cval, axes=axes)


def _orders(axis, order, rank, axes):
    """Orders of a derivative along one axis, for gaussian_filter(axes=axes)."""
    return [order if other == axis else 0 for other in axes_of(axes, rank)]


def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """Add up second derivatives of the blurred array (Laplacian of Gaussian)."""
    input = array_of(input)

    def second(values, axis, to, one_mode, constant, one_sigma, **more):
        orders = _orders(axis, 2, values.ndim, axes)
        return gaussian_filter(values, one_sigma, orders, to, one_mode, constant, axes=axes, **more)

    return generic_laplace(
        input, second, output, mode, cval, extra_arguments=(sigma,), extra_keywords=kwargs, axes=axes
    )  # fmt: skip


def generic_gradient_magnitude(
    input, derivative, output=None, mode="reflect", cval=0.0, extra_arguments=(), extra_keywords=None, *, axes=None
):  # fmt: skip
    """Take the length of the gradient, whose parts a function gives."""
    input = array_of(input)
    axes = axes_of(axes, input.ndim)
    output = output_of(output, input, is_complex=input.dtype.kind == "c")
    modes = each_of(mode, len(axes))
    for i, (axis, one_mode) in enumerate(zip(axes, modes)):
        to = output if i == 0 else output.dtype
        part = derivative(input, axis, to, one_mode, cval, *extra_arguments, **(extra_keywords or {}))
        if i == 0:
            numpy.multiply(output, output, output)
        else:
            numpy.multiply(part, part, part)
            output += part
    if axes:
        numpy.sqrt(output, output, casting="unsafe")
    else:
        output[...] = input[...]
    return output


def gaussian_gradient_magnitude(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, **kwargs):
    """Take the length of the gradient of the blurred array."""
    input = array_of(input)

    def first(values, axis, to, one_mode, constant, one_sigma, **more):
        orders = _orders(axis, 1, values.ndim, axes)
        return gaussian_filter(values, one_sigma, orders, to, one_mode, constant, axes=axes, **more)

    return generic_gradient_magnitude(
        input, first, output, mode, cval, extra_arguments=(sigma,), extra_keywords=kwargs, axes=axes
    )  # fmt: skip


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Take means along an axis."""
    input = array_of(input)
    axis = axis_of(axis, input.ndim)
    return _by_parts(input, output, cval, lambda constant: [_window_pass("mean", size, axis, mode, constant, origin)])


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Take means over a box."""
    input = array_of(input)
    rows = _rows(input, axes, size, mode, origin)

    def passes(constant):
        return [_window_pass("mean", one, axis, one_mode, constant, first) for axis, one, one_mode, first in rows]

    return _by_parts(input, output, cval, passes)


def _rows(input, axes, size, mode, origin):
    """Axis, size, mode and origin of a box, where it has more than one value."""
    axes = axes_of(axes, input.ndim)
    rows = zip(axes, *(each_of(value, len(axes)) for value in (size, mode, origin)))
    return [row for row in rows if row[1] > 1]


def _by_parts(input, output, cval, passes):
    """Passes for the real and the imaginary part alike."""
    if input.dtype.kind != "c":
        return run_lines(input, output_of(output, input), passes(cval))
    output = output_of(output, input, is_complex=True)
    run_lines(input.real, output.real, passes(numpy.real(cval)))
    run_lines(input.imag, output.imag, passes(numpy.imag(cval)))
    return output


def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Take the least values along an axis."""
    return _extreme("minimum", input, size, axis, output, mode, cval, origin)


def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Take the largest values along an axis."""
    return _extreme("maximum", input, size, axis, output, mode, cval, origin)


def _extreme(what, input, size, axis, output, mode, cval, origin):
    input = _comparable(input)
    axis = axis_of(axis, input.ndim)
    return run_lines(input, output_of(output, input), [_window_pass(what, size, axis, mode, cval, origin)])


def _comparable(input):
    """The input, if its values have an order."""
    input = array_of(input)
    if input.dtype.kind == "c":
        raise TypeError("Complex type not supported")
    # What SciPy makes of a NaN depends on all of the line before it.
    if input.dtype.kind == "f" and input.size and numpy.isnan(numpy.min(input)):
        refuse("input", "values that are no number")
    return input


def box_extreme(what, input, size, output, mode, cval, origin, axes=None):
    """The least or largest values under a box."""
    input = _comparable(input)
    output = output_of(output, input)
    rows = _rows(input, axes, size, mode, origin)
    passes = [_window_pass(what, one, axis, one_mode, cval, first) for axis, one, one_mode, first in rows]
    return run_lines(input, output, passes)
