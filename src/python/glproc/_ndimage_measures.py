"""Measures of labelled parts. Sums are NumPy's, in the order of the array, so that the bits are those of SciPy."""

import numpy

from ._ndimage_groups import groups_of, places_of
from ._ndimage_support import array_of, check_type, refuse


def _values_of(input):
    """The input as an array, which may be of a class of its own, as SciPy keeps that."""
    if numpy.ma.isMaskedArray(input):
        refuse("input", "masked arrays")
    return numpy.asanyarray(input)


def _together(input, labels):
    if numpy.ma.isMaskedArray(labels):
        refuse("labels", "masked arrays")
    return numpy.broadcast_arrays(input, labels)


def _mask_of_one(labels, index):
    """Where the only group is, or None if `index` names several."""
    if index is None:
        return labels > 0
    return labels == index if numpy.isscalar(index) else None


def _are_table_indices(labels):
    """Whether a table with a row for each number up to the largest label is small enough."""
    kind, bytes_of_int = labels.dtype.kind, numpy.dtype(int).itemsize
    is_narrow = labels.dtype.itemsize <= bytes_of_int - (kind == "u")
    return kind in "iu" and is_narrow and labels.min() >= 0 and labels.max() <= labels.size


def _rows(labels, index):
    """The labels as rows of a table, the rows that `index` asks for, and which of these there are."""
    if _are_table_indices(labels):
        wanted = numpy.asanyarray(index, numpy.int_).copy()
        return labels, wanted, (wanted >= 0) & (wanted <= labels.max())
    distinct, rows = numpy.unique(labels, return_inverse=True)
    wanted = numpy.searchsorted(distinct, index)
    wanted[wanted >= distinct.size] = 0
    return rows.reshape(labels.shape), wanted, distinct[wanted] == index


def _sums(input, labels, index, is_centred=False):
    """How many values each group has, their sum and, if asked for, that of their squared distances from the mean."""
    input = _values_of(input)
    values = input
    if labels is not None:
        input, labels = _together(input, labels)
        mask = _mask_of_one(labels, index)
        if mask is None:
            return _sums_of_many(input, labels, index, is_centred)
        values = input[mask]
    if not is_centred:
        return values.size, values.sum()
    apart = values - values.mean()
    return values.size, values.sum(), (apart * apart.conjugate()).sum()


def _sums_of_many(input, labels, index, is_centred):
    rows, wanted, is_found = _rows(labels, index)
    groups = groups_of(input, rows)
    tables = list(groups.sums()) if groups else [numpy.bincount(rows.ravel()), numpy.bincount(rows.ravel(), input.ravel())]
    if is_centred:
        means = tables[1] / tables[0]
        tables.append(groups.squares(means) if groups else _squares(input, rows, means))
    return tuple(_looked_up(table, wanted, is_found) for table in tables)


def _squares(input, rows, means):
    apart = input - means[rows]
    return numpy.bincount(rows.ravel(), (apart * apart.conjugate()).ravel())


def _looked_up(table, wanted, is_found):
    """0 where there is no such group."""
    wanted[~is_found] = 0
    made = table[wanted]
    made[~is_found] = 0
    return made


def sum_labels(input, labels=None, index=None):
    """Add up the values of each group."""
    return _sums(input, labels, index)[1]


def sum(input, labels=None, index=None):
    """Add up the values of each group: sum_labels() by its older name."""
    return sum_labels(input, labels, index)


def _per_value(total, count):
    return total / numpy.asanyarray(count).astype(numpy.float64)


def mean(input, labels=None, index=None):
    """Take the mean of each group."""
    count, total = _sums(input, labels, index)
    return _per_value(total, count)


def variance(input, labels=None, index=None):
    """Take the variance of each group."""
    count, _, total = _sums(input, labels, index, is_centred=True)
    return _per_value(total, count)


def standard_deviation(input, labels=None, index=None):
    """Take the standard deviation of each group."""
    return numpy.sqrt(variance(input, labels, index))


def _select(input, labels, index, what):
    """Those of "least", "least at", "largest", "largest at" and "middle" of each group. Positions count values in C order."""
    input = _values_of(input)
    places = numpy.arange(input.size).reshape(input.shape) if any(one.endswith("at") for one in what) else None
    values = input
    if labels is not None:
        input, labels = _together(input, labels)
        mask = _mask_of_one(labels, index)
        if mask is None:
            return _select_of_many(input, labels, index, places, what)
        values = input[mask]
        places = None if places is None else places[mask]
    made = {
        "least": lambda: values.min(),
        "least at": lambda: places[values == values.min()][0],
        "largest": lambda: values.max(),
        "largest at": lambda: places[values == values.max()][0],
        "middle": lambda: numpy.median(values),
    }
    return [made[one]() for one in what]


def _select_of_many(input, labels, index, places, what):
    rows, wanted, is_found = _rows(labels, index)
    beyond = int(rows.max()) + 1  # a row of zeros
    wanted[~is_found] = beyond
    # Which of equal values comes first is the sort's choice, and so must be the very sort of SciPy. Of bytes some are always equal.
    made = None if places is not None and input.dtype.itemsize == 1 else _select_by_groups(input, rows, wanted, what)
    if made is not None:
        return made
    order = numpy.lexsort((input.ravel(), rows.ravel())) if "middle" in what else input.ravel().argsort()
    values, rows = input.ravel()[order], rows.ravel()[order]
    places = None if places is None else places.ravel()[order]

    def first(array, dtype):
        return _last_of_each(rows[::-1], array[::-1], beyond, dtype)[wanted]

    def last(array, dtype):
        return _last_of_each(rows, array, beyond, dtype)[wanted]

    made = {
        "least": lambda: first(values, values.dtype),
        "least at": lambda: first(places, int),
        "largest": lambda: last(values, values.dtype),
        "largest at": lambda: last(places, int),
        "middle": lambda: _middle(values, first(numpy.arange(len(rows)), int), last(numpy.arange(len(rows)), int)),
    }
    return [made[one]() for one in what]


def _select_by_groups(input, rows, wanted, what):
    """Without a sort, or None if it cannot be done."""
    groups = groups_of(input, rows)
    if groups is None:
        return None
    if what == ["middle"]:
        pair = groups.middles()
        return None if pair is None else [_mean_of_two(*(table[wanted] for table in pair))]
    tables = groups.extremes(what, wanted)
    return None if tables is None else [table[wanted] for table in tables]


def _last_of_each(rows, array, beyond, dtype):
    table = numpy.zeros(beyond + 1, dtype)
    table[rows] = array
    return table


def _middle(values, first, last):
    """The mean of the two values in the middle between two places, which may be one."""
    half = (last - first) // 2
    return _mean_of_two(values[first + half], values[last - half])


def _mean_of_two(below, above):
    if below.dtype.kind in "uib":
        below, above = below.astype("d"), above.astype("d")
    return (below + above) / 2.0


def minimum(input, labels=None, index=None):
    """Take the least value of each group."""
    return _select(input, labels, index, ["least"])[0]


def maximum(input, labels=None, index=None):
    """Take the largest value of each group."""
    return _select(input, labels, index, ["largest"])[0]


def median(input, labels=None, index=None):
    """Take the middle value of each group."""
    return _select(input, labels, index, ["middle"])[0]


def _indices(places, shape):
    """An index for each place, counted in C order."""
    shape = numpy.array(shape)
    steps = numpy.cumprod([1, *shape[:0:-1]])[::-1]
    if numpy.isscalar(places):
        return tuple(places // steps % shape)
    return [tuple(index) for index in places.reshape(-1, 1) // steps % shape]


def minimum_position(input, labels=None, index=None):
    """Find the least value of each group."""
    return _indices(_select(input, labels, index, ["least at"])[0], numpy.shape(input))


def maximum_position(input, labels=None, index=None):
    """Find the largest value of each group."""
    return _indices(_select(input, labels, index, ["largest at"])[0], numpy.shape(input))


def extrema(input, labels=None, index=None):
    """Find the least and the largest value of each group, and where they are."""
    what = ["least", "largest", "least at", "largest at"]
    least, largest, least_at, largest_at = _select(input, labels, index, what)
    return least, largest, _indices(least_at, numpy.shape(input)), _indices(largest_at, numpy.shape(input))


def center_of_mass(input, labels=None, index=None):
    """Take the mean index of each group, weighted by its values."""
    input = _values_of(input)
    middles = _middles_of_many(input, labels, index)
    if middles is not None:
        return [tuple(middle) for middle in middles.T]
    total = sum_labels(input, labels, index)
    grids = numpy.ogrid[tuple(slice(0, length) for length in input.shape)]
    middles = [sum_labels(input * grid.astype(float), labels, index) / total for grid in grids]
    if numpy.isscalar(middles[0]):
        return tuple(middles)
    return [tuple(middle) for middle in numpy.array(middles).T]


def _middles_of_many(input, labels, index):
    """An axis a row, or None where there are no groups of plain values."""
    is_one = index is None or numpy.isscalar(index) or numpy.ndim(index) != 1
    if labels is None or is_one or numpy.shape(labels) != input.shape or input.ndim == 0 or numpy.ma.isMaskedArray(labels):
        return None
    rows, wanted, is_found = _rows(numpy.asarray(labels), index)
    groups = groups_of(input, rows)
    if groups is None:
        return None
    total = _looked_up(groups.sums()[1], wanted, is_found)
    return numpy.array([_looked_up(groups.sums_by_index(axis), wanted, is_found) / total for axis in range(input.ndim)])


def histogram(input, min, max, bins, labels=None, index=None):
    """Count the values of each group in bins."""
    edges = numpy.linspace(min, max, bins + 1)
    counts = _counts_of_many(input, labels, index, edges)
    if counts is not None:
        return counts

    def count(values):
        return numpy.histogram(values, edges)[0]

    return _comprehend(input, labels, index, count, object, None, False, "stable")


def _are_plain(input, labels, index):
    """Numbers of one shape with labels that are integers, and a list of these."""
    if type(input) is not numpy.ndarray or type(labels) is not numpy.ndarray or numpy.ndim(index) != 1 or input.shape != labels.shape:
        return False
    are_integers = labels.dtype.kind in "iu" and numpy.asarray(index).dtype.kind in "iu"
    return input.dtype.kind in "iuf" and are_integers and input.size > 0 and len(index) > 0


def _counts_of_many(input, labels, index, edges):
    """The same of several groups without a sort, or None where it is not that simple."""
    bins = len(edges) - 1
    if not _are_plain(input, labels, index) or bins < 1 or not (numpy.diff(edges) > 0).all():
        return None
    index = numpy.asarray(index)
    as_labels = index.astype(labels.dtype)
    if (as_labels != index).any():
        return None
    first, last = as_labels.min(), as_labels.max()
    # Few are seldom all that there are, so that to look takes longer than it saves.
    if len(index) < 16 or labels.min() < first or labels.max() > last:
        is_near = (labels >= first) & (labels <= last)
        input, labels = input[is_near], labels[is_near]
    if labels.size == 0 or not _are_table_indices(labels) or int(labels.max()) * bins > labels.size:
        return None
    rows, wanted, is_found = _rows(labels, index)
    wanted[~is_found] = 0
    is_found &= numpy.bincount(rows.ravel())[wanted] > 0
    values = input.ravel()
    places = numpy.searchsorted(edges, values, side="right") - 1
    places[values == edges[-1]] = bins - 1  # the last one is closed
    is_inside = (places >= 0) & (places < bins)
    table = numpy.bincount((rows.ravel().astype(numpy.intp) * bins + places)[is_inside], minlength=(int(labels.max()) + 1) * bins).reshape(-1, bins)
    made = numpy.empty(len(index), object)
    for i, (row, found) in enumerate(zip(wanted, is_found)):
        made[i] = table[row].copy() if found else None
    return made


def labeled_comprehension(input, labels, index, func, out_dtype, default, pass_positions=False):
    """Call a function with the values of each group."""
    # SciPy's sort, as func may depend on the order.
    return _comprehend(input, labels, index, func, out_dtype, default, pass_positions, "quicksort")


def _comprehend(input, labels, index, func, out_dtype, default, pass_positions, sort):
    input = array_of(input)
    arrays = [input]
    if pass_positions:
        arrays.append(numpy.arange(input.size).reshape(input.shape))
    if labels is None:
        if index is not None:
            raise ValueError("index without defined labels")
        return func(*(array.ravel() for array in arrays))
    try:
        arrays[0], labels = _together(input, labels)
    except ValueError as error:
        raise ValueError("input and labels must have the same shape (excepting dimensions with width 1)") from error
    if index is None:
        return func(*(array[labels > 0] for array in arrays))
    wanted = numpy.atleast_1d(index)
    as_labels = wanted.astype(labels.dtype)
    if (as_labels.astype(wanted.dtype) != wanted).any():
        raise ValueError(
            f"Cannot convert index values from <{wanted.dtype}> to <{labels.dtype}> (labels' type) without loss of precision"
        )
    made = _comprehended(arrays, labels, as_labels, func, out_dtype, default, sort)
    return made[0] if numpy.isscalar(index) else made


def _comprehended(arrays, labels, wanted, func, out_dtype, default, sort):
    in_range = (labels >= wanted.min()) & (labels <= wanted.max())
    labels, arrays = labels[in_range], [array[in_range] for array in arrays]
    order = labels.argsort(kind=sort)
    labels, arrays = labels[order], [array[order] for array in arrays]
    by_label = wanted.argsort()
    ordered = wanted[by_label]
    results = numpy.empty(wanted.shape, out_dtype)
    results[:] = default
    ends = zip(numpy.searchsorted(labels, ordered, side="left"), numpy.searchsorted(labels, ordered, side="right"))
    for i, (first, end) in enumerate(ends):
        if first != end:
            results[i] = func(*(array[first:end] for array in arrays))
    unordered = numpy.zeros(wanted.shape, out_dtype)
    unordered[by_label] = results
    return unordered


def value_indices(arr, *, ignore_value=None):
    """Find all places of each value."""
    if not isinstance(arr, numpy.ndarray):
        raise AttributeError(f"{type(arr).__name__!r} object has no attribute 'dtype'")
    if arr.dtype.kind not in "iu":
        raise ValueError("Parameter 'arr' must be an integer array")
    check_type(arr.dtype, "arr")
    ignored = None if ignore_value is None else arr.dtype.type(ignore_value)
    if arr.size == 0:
        return {}
    distinct, starts, places = _places_by_value(arr.ravel())
    axes = numpy.unravel_index(places, arr.shape)  # of all at once: a call for each value would take longer than the rest
    return {
        value: tuple(axis[first:end] for axis in axes)
        for value, first, end in zip(distinct, starts[:-1].tolist(), starts[1:].tolist())
        if ignored is None or value != ignored
    }


def _places_by_value(flat):
    """The values that there are, where the places of each begin, and the end, and all places."""
    least, extent = flat.min(), int(flat.max()) - int(flat.min())
    if extent <= max(flat.size, 255):
        # Differences of unsigned numbers are right even where those of signed ones would be too large.
        rows = (flat.astype(numpy.uint64) - least.astype(numpy.uint64)).astype(numpy.int32)
        starts, places = places_of(rows, extent + 1)
        used = numpy.flatnonzero(starts[1:] > starts[:-1])
        distinct, starts = (used.astype(numpy.uint64) + least.astype(numpy.uint64)).astype(flat.dtype), starts[[*used, -1]]
    else:
        places = flat.argsort(kind="stable")
        ordered = flat[places]
        starts = numpy.flatnonzero(numpy.concatenate(([True], ordered[1:] != ordered[:-1])))
        distinct, starts = ordered[starts], numpy.append(starts, flat.size)
    return distinct, starts, places
