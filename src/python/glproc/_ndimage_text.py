"""The docstrings of glproc.ndimage in NumPy's style. It needs no NumPy, because the pages of the site are made from it, too."""

import functools

from ._ndimage_names import MANY_MODES, MODULES, REAL, SCIPYS, SINGLE

_MODULE_OF = {name: module for module, names in MODULES.items() for name in names}

_EACH = ", or one for each axis"
_MODES = """\
Values beyond the ends of a line a b c d:
    'reflect', 'grid-mirror': d c b a | a b c d | d c b a
    'mirror': d c b | a b c d | c b a
    'nearest': a a a | a b c d | d d d"""
#: Type and meaning of each parameter: of a function ("rotate.axes"), of those along one axis ("1d.size"), of a module, or of all.
PARAMETERS = {
    "input": ("array_like", "Any number of axes; bool, integers of 8 to 64 bits, float32, float64 or complex."),
    "real.input": ("array_like", "Any number of axes; bool, integers of 8 to 64 bits, float32 or float64."),
    "distance.input": ("array_like", "Any number of axes. Distances are those from values other than 0 to the nearest 0."),
    "find_objects.input": ("array_like of int", "Labels, as label() makes them."),
    "fourier.input": ("array_like", "A Fourier transform, of numpy.fft.fftn or rfftn."), "arr": ("array of int", "Any number of axes."),
    "output": ("array or dtype", "Where the result goes, or its type. By default a new array of the input's type."),
    "binary.output": ("array", "Where the result goes. By default a new array of bool."),
    "label.output": ("array or dtype", "Where the labels go, or their type. By default int32, or int64 for more than 2**31 - 3 values."),
    "fourier.output": ("array or type", "Where the result goes, or its type: complex64, complex128, float32 or float64."),
    "fourier_shift.output": ("array or type", "Where the result goes, or its type: complex64 or complex128."),
    "axis": ("int", "Along which axis. A negative number counts from the last one."),
    "fourier.axis": ("int", "The axis of the real transform, if there was one: see `n`."),
    "axes": ("int or tuple of int", "The axes to filter. By default all."), "rotate.axes": ("tuple of two int", "The plane of rotation."),
    "mode": ("str", _MODES + """
    'wrap', 'grid-wrap': b c d | a b c d | a b c
    'constant', 'grid-constant': `cval`"""),
    "splines.mode": ("str", _MODES + """
    'grid-wrap': b c d | a b c d | a b c; with 'wrap' the first value lies on the last one
    'grid-constant': `cval`, with values between it and the edge; 'constant': `cval` at once"""),
    "cval": ("scalar", "The value beyond the ends where `mode` is 'constant'."),
    "origin": ("int, or one for each axis", "Moves the window towards the start of the axis, by so many values. 0 is the middle."),
    "convolve.origin": ("int, or one for each axis", "Moves the window towards the end of the axis, by so many values. 0 is the middle."),
    "convolve1d.origin": ("int", "Moves the window towards the end of the axis, by so many values. 0 is the middle."),
    "morphology.origin": ("int, or one for each axis", "Where the middle of the window is, in values from its centre."),
    "iterate_structure.origin": ("int, or one for each axis", "Where the middle of the structure is. The result has a list of them, too."),
    "origin1": ("int, or one for each axis", "Where the middle of `structure1` is, in values from its centre."),
    "origin2": ("int, or one for each axis", "Where the middle of `structure2` is. By default as `origin1`."),
    "weights": ("array_like", "The weights, with as many axes as `input`. Weights within 2.2e-16 of 0 do not count."),
    "1d.weights": ("array_like", "The weights, in one row."),
    "sigma": ("float, or one for each axis", "Standard deviation of the Gaussian, in values. Axes with 0 stay as they are."),
    "1d.sigma": ("float", "Standard deviation of the Gaussian, in values, above 0."),
    "fourier.sigma": ("float, or one for each axis", "Standard deviation of the Gaussian, in values of the array before its transform."),
    "order": ("int, or one for each axis", "0 blurs; 1, 2 and so on take this derivative of the blurred array."),
    "splines.order": ("int, 0 to 5", "Degree of the spline: 0 takes the nearest value, 1 is linear, 3 cubic."),
    "spline_filter.order": ("int, 2 to 5", "Degree of the spline; 3 is cubic."),
    "truncate": ("float", "Where to cut the Gaussian off, in standard deviations."),
    "radius": ("int, or one for each axis", "Where to cut the Gaussian off, in values, instead of `truncate`."),
    "derivative": ("callable", "derivative(input, axis, output, mode, cval, *extra_arguments, **extra_keywords), such as sobel."),
    "derivative2": ("callable", "derivative2(input, axis, output, mode, cval, *extra_arguments, **extra_keywords)."),
    "function": ("callable", "Gets the values of a window and returns one."),
    "generic_filter1d.function": ("callable", "function(line, result): gets a line with the values beyond its ends, and fills the result."),
    "extra_arguments": ("tuple", "More arguments for the function."), "extra_keywords": ("dict", "The same, by name."),
    "kwargs": ("keywords", "More arguments for gaussian_filter(), such as `truncate`."),
    "size": ("int, or one for each axis", "Lengths of a box, in values."),
    "1d.size": ("int, at least 1", "Length of the window, in values."),
    "footprints.size": ("int, or one for each axis", "Lengths of a box, in values. Needed without a footprint."),
    "morphology.size": ("int, or one for each axis", "Lengths of a box, in values. Needed without a footprint or structure."),
    "fourier.size": ("float, or one for each axis", "Lengths of the box, in values of the array before its transform."),
    "fourier_ellipsoid.size": ("float, or one for each axis", "Diameters of the ellipsoid, in values of the array before its transform."),
    "filter_size": ("int", "Length of the window, in values."), "batch_memory": ("int", "Bytes that the windows may take."),
    "footprint": ("array_like of bool", "A window of any form, where values other than 0 count. As many axes as `input`, or as `axes`."),
    "structure": ("array_like", "The same window with a height for each value. glproc takes heights of 0."),
    "binary.structure": ("array_like of bool", "Which neighbours count. By default the direct ones, and the middle."),
    "label.structure": ("array_like of bool", "Which neighbours are connected: 3 values along each axis. By default the direct ones."),
    "iterate_structure.structure": ("array_like of bool", "A structuring element."),
    "watershed_ift.structure": ("array_like of bool", "Which neighbours are connected. By default the direct ones."),
    "structure1": ("array_like of bool", "Values that must be set. By default the direct neighbours, and the middle."),
    "structure2": ("array_like of bool", "Values that must not be set. By default all that `structure1` leaves out."),
    "markers": ("array_like of int", "Numbers of the regions where they begin. Negative ones are background."),
    "rank": ("int", "Which of the sorted values: 0 is the least, -1 the largest."),
    "generate_binary_structure.rank": ("int", "Number of axes."),
    "connectivity": ("int", "In how many axes a neighbour may differ: 1 for direct ones, `rank` for all."),
    "percentile": ("float, -100 to 100", "0 is the least value, 100 the largest. -20 is the same as 80."),
    "iterations": ("int", "How many times. Less than 1: until nothing changes."),
    "iterate_structure.iterations": ("int", "How large the result is: so many steps from the middle."),
    "mask": ("array_like of bool", "Values that may change, in the shape of `input`. By default all."),
    "border_value": ("int", "The values beyond the array: 0 or 1."),
    "brute_force": ("bool", "Has no effect. It is here because SciPy has it."),
    "coordinates": ("array_like", "Where to take values: an index for each axis of `input` along the first axis, in fractions of a value."),
    "mapping": ("callable", "mapping(indices, *extra_arguments, **extra_keywords): from where in `input` a value comes."),
    "matrix": ("array_like", "A row for each axis of `input`, a column for each of the result; a factor for each axis; or homogeneous."),
    "offset": ("float, or one for each axis", "Added to the places. Of a homogeneous matrix its last column counts instead."),
    "output_shape": ("tuple of int", "Shape of the result. By default the input's."),
    "affine_transform.output_shape": ("tuple of int", "Shape of the result. By default the shape of `output`, or of the input."),
    "prefilter": ("bool", "Whether `input` holds values. False where it holds coefficients from spline_filter()."),
    "shift": ("float, or one for each axis", "How far to move, in values, towards the end of the axis."),
    "zoom": ("float, or one for each axis", "Factor: a length n becomes round(n * zoom)."),
    "grid_mode": ("bool", "Keep the outer edges of the outer values in place, instead of their centres."),
    "angle": ("float", "Degrees, counterclockwise where the first axis of the plane points down and the second to the right."),
    "reshape": ("bool", "Whether the result becomes large enough for all of the input."),
    "max_label": ("int", "Largest label to look for. 0: all."),
    "labels": ("array_like of int", "The group of each value, in a shape that fits `input`. By default all values are one group."),
    "index": ("int, or sequence of int", "The groups to measure. By default one, of all values with a label above 0."),
    "min": ("float", "Where the first bin begins."), "max": ("float", "Where the last bin ends."), "bins": ("int", "Number of bins."),
    "func": ("callable", "func(values), or func(values, positions)."), "out_dtype": ("dtype", "Type of the results."),
    "pass_positions": ("bool", "Whether `func` gets positions, too, which count values in C order."),
    "default": ("scalar", "Result of a group without values."), "ignore_value": ("int", "A value to leave out."),
    "sampling": ("float, or one for each axis", "Distance between neighbours. By default 1."),
    "metric": ("{'chessboard', 'taxicab', 'cityblock', 'manhattan'} or array_like",
               "Steps to all neighbours, or to direct ones. An array of 3 values along each axis says to which."),
    "distance_transform_bf.metric": ("{'euclidean', 'taxicab', 'chessboard'}", "Straight lines, or steps to direct or to all neighbours."),
    "return_distances": ("bool", "Whether to return distances."),
    "return_indices": ("bool", "Whether to return the indices of the nearest 0."),
    "distances": ("array of float64", "Where the distances go."),
    "distance_transform_cdt.distances": ("array of int32", "Where the distances go."),
    "distance_transform_bf.distances": ("array", "Where the distances go: float64 for 'euclidean', uint32 for others."),
    "indices": ("array of int32", "Where the indices go, of shape (axes of the input, *shape of the input)."),
    "n": ("int", "Length of `axis` before a real transform. Negative after a complex one."),
}  # fmt: skip

#: What is returned, where it is not an array of the input's shape.
RETURNS = {
    "binary": ("array of bool", "The shape of `input`. It is `output` if you gave that."),
    "binary_fill_holes": ("array of bool, or None", "The shape of `input`. None if you gave `output`."),
    "generate_binary_structure": ("array of bool", "3 values along each axis."),
    "iterate_structure": ("array of bool, or (array, list)", "The larger structure, and with `origin` where its middle is."),
    "map_coordinates": ("array", "The shape of `coordinates` without its first axis."),
    "affine_transform": ("array", "The shape `output_shape`."), "geometric_transform": ("array", "The shape `output_shape`."),
    "rotate": ("array", "Without `reshape` the shape of `input`."), "zoom": ("array", "Each length times its factor, rounded."),
    "label": ("(array, int), or int", "The labels and how many there are. Only the number if you gave an array as `output`."),
    "find_objects": ("list of tuple of slice", "The box of each label from 1, or None where there is no such label."),
    "measures": ("scalar, or array", "A value for each group in `index`."),
    "center_of_mass": ("tuple of float, or list of tuple", "An index for each group in `index`."),
    "minimum_position": ("tuple of int, or list of tuple", "The first such index of each group in `index`."),
    "maximum_position": ("tuple of int, or list of tuple", "The first such index of each group in `index`."),
    "extrema": ("(minimum, maximum, position, position)", "As of minimum(), maximum(), minimum_position() and maximum_position()."),
    "histogram": ("array of int, or array of arrays", "The counts of each group in `index`; None for a group without values."),
    "labeled_comprehension": ("scalar, or array", "A result for each group in `index`."),
    "value_indices": ("dict", "For each value a tuple of arrays, one for each axis, which can index `arr`."),
    "distance": ("array, or tuple of arrays", "The distances, the indices, or both; without those that you gave an array for."),
}  # fmt: skip

#: What a parameter may raise.
RAISES = {
    "real.input": ("TypeError", "`input` is complex."), "mode": ("RuntimeError", "`mode` is not one of them."),
    "axis": ("AxisError", "`axis` is not one of `input`."),
    "axes": ("ValueError", "`axes` names an axis twice, or one that `input` does not have."),
    "rotate.axes": ("ValueError", "`axes` are not two, or `input` does not have them."),
    "origin": ("ValueError", "`origin` lies outside of the window."), "iterate_structure.origin": None,
    "output": ("RuntimeError", "`output` has another shape than the result."),
    "label.output": ("ValueError", "`output` has another shape than the input."),
    "weights": ("RuntimeError", "`weights` have another number of axes, or there are none."),
    "order": ("ValueError", "`order` is negative."), "splines.order": ("RuntimeError", "`order` is out of range."),
    "radius": ("ValueError", "`radius` is negative, or no int."), "1d.size": ("RuntimeError", "`size` is less than 1."),
    "footprints.size": ("RuntimeError", "There is neither a size nor a footprint, or `size` has not one value for each axis."),
    "morphology.size": ("ValueError", "There is no size, footprint or structure."),
    "footprint": ("RuntimeError", "`footprint` has another number of axes."), "rank": ("RuntimeError", "`rank` is larger than the window."),
    "generate_binary_structure.rank": None, "percentile": ("RuntimeError", "`percentile` is out of range."),
    "iterations": ("TypeError", "`iterations` is no int."), "iterate_structure.iterations": None,
    "structure": ("RuntimeError", "`structure` has another number of axes."), "iterate_structure.structure": None,
    "structure1": ("RuntimeError", "`structure1` has another number of axes."),
    "mask": ("RuntimeError", "`mask` has another shape than `input`."),
    "coordinates": ("RuntimeError", "`coordinates` has not one row for each axis of `input`."),
    "matrix": ("RuntimeError", "`matrix` has another number of rows or columns than there are axes."),
    "histogram.index": ("ValueError", "There is an `index` without `labels`."),
    "labeled_comprehension.index": ("ValueError", "There is an `index` without `labels`."),
    "arr": ("ValueError", "`arr` holds no integers."), "metric": ("RuntimeError", "`metric` is not one of them."),
    "return_distances": ("RuntimeError", "Neither distances nor indices are asked for."),
    "distances": ("RuntimeError", "`distances` has another shape or type."),
    "indices": ("RuntimeError", "`indices` has another shape or type."),
}  # fmt: skip

#: What glproc leaves to SciPy, by module or function.
LEFT = {
    "nan": "arrays with a NaN", "rank": "arrays with a NaN, and floats with zeros of both signs",
    "grey": "structures with heights other than 0, and arrays with a NaN", "binary": "structures without a single value",
    "geometric_transform": "compiled functions", "label": "labels of type bool", "find_objects": "labels that are floats",
    "fourier": "`n` of 0, and sizes that are not finite", "distance": "infinite `sampling`, and arrays without axes",
}
PLACES = {
    **dict.fromkeys(("lines", "footprints", "morphology"), "Large arrays are filtered on the GPU, others on the processor."),
    "splines": "Large arrays of up to three axes are resampled on the GPU, others on the processor.",
    "label": "Large arrays of up to four axes are labelled on the GPU, others on the processor.",
    "distance_transform_edt": "Large arrays run on the GPU if there is no `sampling` and no index to return, others on the processor.",
    **dict.fromkeys(("labels", "measures", "distance", "fourier"), "It runs on the threads of the processor."),
    **dict.fromkeys(("generate_binary_structure", "iterate_structure"), "It runs on the processor."),
}

#: A formula or definition, an example and its result. Indices count values along an axis.
FUNCTIONS = {
    "convolve1d": ("out[i] = Σ_j weights[j] · in[i - j + size // 2 + origin]", "convolve1d([0, 0, 1, 0, 0], [1, 2, 3])",
        "array([0, 1, 2, 3, 0])"),
    "correlate1d": ("out[i] = Σ_j weights[j] · in[i + j - size // 2 - origin]", "correlate1d([0, 0, 1, 0, 0], [1, 2, 3])",
        "array([0, 3, 2, 1, 0])"),
    "gaussian_filter": ("out[i] = Σ_k w[k] · in[i + k] along each axis, with w[k] ∝ exp(-k² / 2σ²) and |k| ≤ truncate · sigma",
        "gaussian_filter([0.0, 0, 1, 0, 0], sigma=1).round(3)", "array([0.058, 0.242, 0.399, 0.242, 0.058])"),
    "gaussian_filter1d": ("out[i] = Σ_k w[k] · in[i + k], with w[k] ∝ exp(-k² / 2σ²), Σ w = 1 and |k| ≤ truncate · sigma",
        "gaussian_filter1d([0.0, 0, 1, 0, 0], sigma=1).round(3)", "array([0.058, 0.242, 0.399, 0.242, 0.058])"),
    "gaussian_gradient_magnitude": ("out = √Σ_axes (∂ blurred / ∂ axis)²",
        "gaussian_gradient_magnitude([0.0, 0, 0, 1, 1, 1], sigma=1).round(3)", "array([0.013, 0.122, 0.364, 0.364, 0.122, 0.013])"),
    "gaussian_laplace": ("out = Σ_axes ∂² blurred / ∂ axis²", "gaussian_laplace([0.0, 0, 1, 0, 0], sigma=1).round(3)",
        "array([ 0.197,  0.002, -0.399,  0.002,  0.197])"),
    "generic_gradient_magnitude": ("out = √Σ_axes derivative(in, axis)²", "generic_gradient_magnitude([0.0, 3, 3, 0], ndimage.sobel)",
        "array([3., 3., 3., 3.])"),
    "generic_laplace": ("out = Σ_axes derivative2(in, axis)",
        "generic_laplace([0.0, 3, 3, 0], lambda *given: ndimage.correlate1d(given[0], [1, -2, 1], *given[1:]))",
        "array([ 3., -3., -3.,  3.])"),
    "laplace": ("out[i] = Σ_axes in[i - 1] - 2 in[i] + in[i + 1]", "laplace([0, 0, 1, 0, 0])", "array([ 0,  1, -2,  1,  0])"),
    "maximum_filter1d": ("out[i] = max of in[i + k], with k of the window", "maximum_filter1d([3, 1, 4, 1, 5], size=3)",
        "array([3, 4, 4, 5, 5])"),
    "minimum_filter1d": ("out[i] = min of in[i + k], with k of the window", "minimum_filter1d([3, 1, 4, 1, 5], size=3)",
        "array([1, 1, 1, 1, 1])"),
    "prewitt": ("The weights are -1 0 1 along the axis, and 1 1 1 along all others.", "prewitt([0, 0, 1, 1])", "array([0, 1, 1, 0])"),
    "sobel": ("The weights are -1 0 1 along the axis, and 1 2 1 along all others.", "sobel([0, 0, 1, 1])", "array([0, 1, 1, 0])"),
    "uniform_filter": ("out = Σ in / count, along each axis in turn", "uniform_filter([0.0, 0, 6, 0, 0], size=3)",
        "array([0., 2., 2., 2., 0.])"),
    "uniform_filter1d": ("out[i] = Σ_k in[i + k] / size, with k of the window", "uniform_filter1d([0.0, 0, 6, 0, 0], size=3)",
        "array([0., 2., 2., 2., 0.])"),
    "convolve": ("out[i] = Σ_j weights[j] · in[i - j + size // 2 + origin], with i and j of all axes",
        "convolve([[0, 0], [1, 0]], [[1, 2], [3, 4]]).tolist()", "[[2, 0], [6, 0]]"),
    "correlate": ("out[i] = Σ_j weights[j] · in[i + j - size // 2 - origin], with i and j of all axes",
        "correlate([[0, 0], [1, 0]], [[1, 2], [3, 4]]).tolist()", "[[0, 0], [7, 3]]"),
    "maximum_filter": ("out[i] = max of in[i + k], with k of the window", "maximum_filter([3, 1, 4, 1, 5], footprint=[1, 0, 1])",
        "array([3, 4, 1, 5, 5])"),
    "median_filter": ("out[i] = sorted[count // 2] of in[i + k], with k of the window", "median_filter([3, 1, 4, 1, 5], size=3)",
        "array([3, 3, 1, 4, 5])"),
    "minimum_filter": ("out[i] = min of in[i + k], with k of the window", "minimum_filter([3, 1, 4, 1, 5], footprint=[1, 0, 1])",
        "array([1, 3, 1, 4, 1])"),
    "percentile_filter": ("out[i] = sorted[int(count · percentile / 100)] of in[i + k], with k of the window",
        "percentile_filter([3, 1, 4, 1, 5], 75, size=5)", "array([3, 3, 4, 5, 5])"),
    "rank_filter": ("out[i] = sorted[rank] of in[i + k], with k of the window", "rank_filter([3, 1, 4, 1, 5], -2, size=3)",
        "array([3, 3, 1, 4, 5])"),
    "binary_closing": ("out = erosion(dilation(in))", "binary_closing([0, 0, 1, 0, 1, 0, 0])",
        "array([False, False,  True,  True,  True, False, False])"),
    "binary_dilation": ("out[i] = any of in[i - k], with k of the structure", "binary_dilation([0, 0, 1, 0, 0])",
        "array([False,  True,  True,  True, False])"),
    "binary_erosion": ("out[i] = all of in[i + k], with k of the structure", "binary_erosion([0, 1, 1, 1, 0])",
        "array([False, False,  True, False, False])"),
    "binary_fill_holes": ("A hole is a part of zeros that does not touch the border.", "binary_fill_holes([0, 1, 0, 1, 0])",
        "array([False,  True,  True,  True, False])"),
    "binary_hit_or_miss": ("out = erosion(in, structure1) and erosion(not in, structure2)",
        "binary_hit_or_miss([0, 1, 0, 1, 1], structure1=[0, 1, 0], structure2=[1, 0, 1])", "array([False,  True, False, False, False])"),
    "binary_opening": ("out = dilation(erosion(in))", "binary_opening([0, 1, 0, 1, 1, 1, 0])",
        "array([False, False, False,  True,  True,  True, False])"),
    "binary_propagation": ("out = dilation(in) within the mask, again and again until nothing changes",
        "binary_propagation([1, 0, 0, 0, 0], mask=[1, 1, 1, 0, 1])", "array([ True,  True,  True, False, False])"),
    "black_tophat": ("out = closing(in) - in", "black_tophat(numpy.array([5, 5, 1, 5, 5]), size=3)", "array([0, 0, 4, 0, 0])"),
    "generate_binary_structure": ("out[k] = Σ_axes |k| ≤ connectivity, with k from -1 to 1 along each axis",
        "generate_binary_structure(2, 1).astype(int).tolist()", "[[0, 1, 0], [1, 1, 1], [0, 1, 0]]"),
    "grey_closing": ("out = erosion(dilation(in))", "grey_closing([5, 5, 1, 5, 5], size=3)", "array([5, 5, 5, 5, 5])"),
    "grey_dilation": ("out[i] = max of in[i - k], with k of the window", "grey_dilation([3, 1, 4, 1, 5], size=3)",
        "array([3, 4, 4, 5, 5])"),
    "grey_erosion": ("out[i] = min of in[i + k], with k of the window", "grey_erosion([3, 1, 4, 1, 5], size=3)", "array([1, 1, 1, 1, 1])"),
    "grey_opening": ("out = dilation(erosion(in))", "grey_opening([1, 1, 7, 1, 1], size=3)", "array([1, 1, 1, 1, 1])"),
    "iterate_structure": ("out = dilation(... dilation(structure, structure) ..., structure)", "iterate_structure([1, 1, 1], 2)",
        "array([ True,  True,  True,  True,  True])"),
    "morphological_gradient": ("out = dilation(in) - erosion(in)", "morphological_gradient([0, 0, 0, 5, 5, 5], size=3)",
        "array([0, 0, 5, 5, 0, 0])"),
    "morphological_laplace": ("out = dilation(in) + erosion(in) - 2 in", "morphological_laplace([0, 0, 0, 5, 5, 5], size=3)",
        "array([ 0,  0,  5, -5,  0,  0])"),
    "white_tophat": ("out = in - opening(in)", "white_tophat(numpy.array([1, 1, 7, 1, 1]), size=3)", "array([0, 0, 6, 0, 0])"),
    "affine_transform": ("out[i] = spline(matrix @ i + offset)", "affine_transform([[1, 2], [3, 4]], [[0, 1], [1, 0]], order=1).tolist()",
        "[[1, 3], [2, 4]]"),
    "geometric_transform": ("out[i] = spline(mapping(i))",
        "geometric_transform([10, 20, 30], lambda at: (at[0] + 0.5,), order=1, mode='nearest')", "array([15, 25, 30])"),
    "map_coordinates": ("out[i] = spline(coordinates[:, i])", "map_coordinates([10.0, 20, 30], [[0.5, 1, 1.25]], order=1)",
        "array([15. , 20. , 22.5])"),
    "rotate": ("out[i] = spline(R @ (i - centre) + centre), with R the rotation", "rotate([[1, 2], [3, 4]], 90, order=1).tolist()",
        "[[2, 4], [1, 3]]"),
    "shift": ("out[i] = spline(i - shift)", "shift([10.0, 20, 30, 40], 0.5, order=1)", "array([ 0., 15., 25., 35.])"),
    "spline_filter": ("Σ_j out[j] · β(i - j) = in[i] along each axis, with β the B-spline", "spline_filter([0.0, 0, 1, 0, 0]).round(3)",
        "array([ 0.25, -0.5 ,  1.75, -0.5 ,  0.25])"),
    "spline_filter1d": ("Σ_j out[j] · β(i - j) = in[i], with β the B-spline", "spline_filter1d([0.0, 0, 1, 0, 0]).round(3)",
        "array([ 0.25, -0.5 ,  1.75, -0.5 ,  0.25])"),
    "zoom": ("out[i] = spline(i · (n - 1) / (m - 1)), from n values to m", "zoom([10.0, 20, 30], 5 / 3, order=1)",
        "array([10., 15., 20., 25., 30.])"),
    "find_objects": ("The box of a label is the smallest one with all of its values.", "find_objects([0, 1, 1, 0, 2])",
        "[(slice(1, 3, None),), (slice(4, 5, None),)]"),
    "label": ("Parts are numbered from 1, by their first value in C order. 0 is background.", "label([0, 7, 7, 0, 5])",
        "(array([0, 1, 1, 0, 2], dtype=int32), 2)"),
    "center_of_mass": ("out = Σ in[i] · i / Σ in[i], for each axis",
        "numpy.ravel(ndimage.center_of_mass(numpy.array([0, 1, 1, 0, 5]), [0, 1, 1, 0, 2], [1, 2]))", "array([1.5, 4. ])"),
    "extrema": ("", "extrema(numpy.array([3, 1, 4, 1]), [1, 1, 2, 2], [1, 2])[:2]", "(array([1, 1]), array([3, 4]))"),
    "histogram": ("A bin holds its lower end, and the last bin its upper end, too.", "histogram([0, 1, 1, 2, 4], min=0, max=4, bins=2)",
        "array([3, 2])"),
    "labeled_comprehension": ("", "labeled_comprehension([3, 1, 4, 1], [1, 1, 2, 2], [1, 2], numpy.ptp, int, 0)", "array([2, 3])"),
    "maximum": ("", "maximum([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])", "array([3, 4])"),
    "maximum_position": ("", "numpy.ravel(ndimage.maximum_position(numpy.array([3, 1, 4, 1]), [1, 1, 2, 2], [1, 2]))", "array([0, 2])"),
    "mean": ("out = Σ v / n, of the n values v of a group", "mean([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])", "array([2. , 2.5])"),
    "median": ("Of an even number of values it is the mean of the two in the middle.", "median([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])",
        "array([2. , 2.5])"),
    "minimum": ("", "minimum([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])", "array([1, 1])"),
    "minimum_position": ("", "numpy.ravel(ndimage.minimum_position(numpy.array([3, 1, 4, 1]), [1, 1, 2, 2], [1, 2]))", "array([1, 3])"),
    "standard_deviation": ("out = √(Σ (v - mean)² / n), of the n values v of a group",
        "standard_deviation([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])", "array([1. , 1.5])"),
    "sum": ("out = Σ v, of the values v of a group", "sum([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])", "array([4., 5.])"),
    "sum_labels": ("out = Σ v, of the values v of a group", "sum_labels([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])", "array([4., 5.])"),
    "value_indices": ("", "value_indices(numpy.array([3, 1, 3]))[3]", "(array([0, 2]),)"),
    "variance": ("out = Σ (v - mean)² / n, of the n values v of a group", "variance([3, 1, 4, 1], [1, 1, 2, 2], [1, 2])",
        "array([1.  , 2.25])"),
    "distance_transform_bf": ("out[i] = min of |i - j|, with j of the zeros", "distance_transform_bf([0, 1, 1, 1, 0])",
        "array([0., 1., 2., 1., 0.])"),
    "distance_transform_cdt": ("out[i] = number of steps from i to the nearest 0", "distance_transform_cdt([0, 1, 1, 1, 0])",
        "array([0, 1, 2, 1, 0], dtype=int32)"),
    "distance_transform_edt": ("out[i] = min of √Σ_axes (sampling · (i - j))², with j of the zeros",
        "distance_transform_edt([0, 1, 1, 1, 0], sampling=0.5)", "array([0. , 0.5, 1. , 0.5, 0. ])"),
    "fourier_ellipsoid": ("out[k] = in[k] · f(π |size k / n|), f(r) = sin r / r, 2 J₁(r) / r, 3 (sin r - r cos r) / r³ of 1 to 3 axes",
        "fourier_ellipsoid([4.0, 4, 4, 4], size=2).round(3)", "array([4.   , 2.546, 0.   , 2.546])"),
    "fourier_gaussian": ("out[k] = in[k] · Π_axes exp(-2 (π sigma k / n)²)", "fourier_gaussian([4.0, 4, 4, 4], sigma=0.5).round(3)",
        "array([4.   , 2.938, 1.165, 2.938])"),
    "fourier_shift": ("out[k] = in[k] · Π_axes exp(-2πi · shift · k / n)", "fourier_shift([4.0, 4, 4, 4], shift=1).round(3)",
        "array([ 4.+0.j,  0.-4.j, -4.+0.j,  0.+4.j])"),
    "fourier_uniform": ("out[k] = in[k] · Π_axes sinc(size k / n), with sinc x = sin πx / πx",
        "fourier_uniform([4.0, 4, 4, 4], size=2).round(3)", "array([4.   , 2.546, 0.   , 2.546])"),
    "generic_filter": ("Filter by a function of the values in a window.", "generic_filter([3.0, 1, 4, 1, 5], max, size=3)",
        "array([3., 4., 4., 5., 5.])"),
    "generic_filter1d": ("Filter lines along an axis by a function.",
        "generic_filter1d([3.0, 1, 4], lambda line, result: result.__setitem__(slice(None), line[1:-1] * 2), 3)", "array([6., 2., 8.])"),
    "vectorized_filter": ("Filter by a function of many windows at once.", "vectorized_filter([3.0, 1, 4, 1, 5], numpy.max, size=3)",
        "array([3., 4., 4., 5., 5.])"),
    "watershed_ift": ("Divide an array into regions around markers.", "watershed_ift(numpy.uint8([0, 9, 0]), numpy.int8([1, 0, 2]))",
        "array([1, 2, 2], dtype=int8)"),
}  # fmt: skip

_EXTREMES = {"maximum_filter", "minimum_filter", "maximum_filter1d", "minimum_filter1d"}
_RANKS = {"median_filter", "percentile_filter", "rank_filter"}


def _groups_of(name):
    """Where a text on a function may be, from the one on it alone to the one on its module."""
    module, is_binary = _MODULE_OF.get(name, ""), name.startswith("binary_")
    kinds = (
        ("1d", name.endswith("1d")), ("real", name in REAL), ("binary", is_binary), ("grey", module == "morphology" and not is_binary),
        ("nan", name in _EXTREMES), ("rank", name in _RANKS),
    )  # fmt: skip
    return (name, *(kind for kind, applies in kinds if applies), module)


def _found(table, groups, parameter=""):
    """The text of the first group that has one."""
    end = "." + parameter if parameter else ""
    return next((table[group + end] for group in groups if group + end in table), table.get(parameter))


@functools.cache  # an import must be quick, and functions of a module share most texts
def _of_parameter(groups, parameter, default, has_many_modes):
    kind, text = _found(PARAMETERS, groups, parameter)
    kind = kind.removesuffix(_EACH) if "1d" in groups else kind
    kind += _EACH if has_many_modes else ""
    kind += "" if default is None else ", optional" if default == "None" else f", default {default}"
    return f"{'**' * (parameter == 'kwargs')}{parameter} : {kind}\n    " + text.replace("\n", "\n    ")


@functools.cache
def _raised(groups, parameter):
    if "" in groups:  # SciPy's own
        return None
    found = _found(RAISES, groups, parameter)
    if found is None and parameter in ("sampling", "shift", "sigma", "size", "zoom") and "1d" not in groups:
        found = "RuntimeError", f"`{parameter}` has not one value for each axis."
    return found


def _for(table, groups, parameter):
    """The groups that matter."""
    return groups if f"{groups[0]}.{parameter}" in table else groups[1:]


def docstring(name, summary, parameters):
    """`parameters` are pairs of names and defaults, which are texts, or None where there is none. SciPy's own have no summary."""
    groups = _groups_of(name)
    definition, call, result = FUNCTIONS[name]
    summary, definition = (summary, definition) if summary else (definition, "")
    kind, meaning = _found(RETURNS, groups) or ("array", "The shape of `input`. It is `output` if that is an array.")
    raised = {}
    for error, text in filter(None, [_raised(_for(RAISES, groups, one), one) for one, _ in parameters]):
        raised.setdefault(error, []).append(text)
    left, notes = _found(LEFT, groups), [_found(PLACES, groups) or "SciPy does it, on the processor."]
    if left:
        notes.append(f"Left to SciPy, if it is installed: {left}.\nWith `ndimage.fallback = 'error'` these raise NotImplementedError.")
    if name in SINGLE and name != "affine_transform":
        notes.append("With `ndimage.precision = 'single'` it is glproc's operation on images, rounded to float32.")
    own = "this function itself." if name in SCIPYS else "the equivalent. Results have the same bits."
    call = call if "ndimage." + name in call else "ndimage." + call
    imports = ">>> import numpy\n" * ("numpy." in call) + ">>> from glproc import ndimage\n"
    sections = {
        "Parameters": "\n".join(_of_parameter(_for(PARAMETERS, groups, one), one, default, one == "mode" and name in MANY_MODES)
                                for one, default in parameters),
        "Returns": f"{kind}\n    {meaning}",
        "Raises": "\n".join("\n    ".join([error, *texts]) for error, texts in raised.items()),
        "See Also": f"scipy.ndimage.{name} : {own}",
        "Notes": "\n".join(notes),
        "Examples": f"{imports}>>> {call}\n{result}",
    }
    parts = [summary, definition if definition[-1:] in (".", "") else "    " + definition]
    parts += [f"{heading}\n{'-' * len(heading)}\n{text}" if text else "" for heading, text in sections.items()]
    return "\n\n".join(filter(None, parts)) + "\n"


def scipys_docstring(name):
    """The same of a function that SciPy does in any case."""
    pairs = [word.partition("=") for word in SCIPYS[name].split()]
    return docstring(name, "", [(parameter, default or None) for parameter, _, default in pairs])
