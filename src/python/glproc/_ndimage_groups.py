"""Tables of measures, a row for each group of values, in one pass over an array. The bits are those of NumPy's ways.

`Groups` is for arrays of plain real numbers; `groups_of` gives None for others.
"""

import numpy

from . import _glproc
from ._ndimage_support import tight

_PLAIN = frozenset(numpy.dtype(one) for one in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8", "?"))
_MOST = 2**31 - 1
_TIES = {"least": 4, "largest": 8, "least at": 1, "largest at": 2}


def groups_of(values, rows):
    """Of an array and for each of its values the row of a table, from 0 up."""
    if type(values) is not numpy.ndarray or values.dtype.newbyteorder("=") not in _PLAIN or values.size == 0:
        return None
    count = int(rows.max()) + 1
    return None if count > _MOST else Groups(values, rows, count)


class Groups:
    """Values, and the row of each."""

    def __init__(self, values, rows, count):
        self.values = tight(values)
        self.dtype = values.dtype
        self.rows = numpy.ascontiguousarray(rows, numpy.int32)
        self.count = count

    def sums(self):
        """How many values there are, and their sum."""
        counts, sums = numpy.zeros(self.count, numpy.int64), numpy.zeros(self.count)
        _glproc.sums(self.values, self.rows, counts, sums)
        return counts, sums

    def squares(self, means):
        """The sum of the squared distances from the means."""
        sums = numpy.zeros(self.count)
        _glproc.squares(self.values, self.rows, means, sums)
        return sums

    def sums_by_index(self, axis):
        """The sum of the values times their indices along an axis."""
        sums = numpy.zeros(self.count)
        shape = self.values.shape
        step = int(numpy.prod(shape[axis + 1 :], dtype=numpy.int64))
        _glproc.by_index(self.values, self.rows, step, shape[axis], sums)
        return sums

    def extremes(self, what, wanted):
        """Tables of "least", "least at", "largest" or "largest at", with a row of zeros more. None if it matters for a wanted row
        which of equal values a sort puts first.
        """
        values = [numpy.zeros(self.count + 1, self.values.dtype) for _ in range(2)]
        places = [numpy.zeros(self.count + 1, numpy.int64) for _ in range(2)]
        flags = numpy.zeros(self.count + 1, numpy.uint8)
        _glproc.extremes(self.values, self.rows, *values, *places, flags)
        if (flags[wanted] & sum(_TIES[one] for one in what)).any():
            return None
        values = [table.astype(self.dtype, copy=False) for table in values]  # in the array's byte order
        tables = dict(zip(("least", "largest", "least at", "largest at"), (*values, *places)))
        return [tables[one] for one in what]

    def middles(self):
        """The two values in the middle, which may be one, or None if zeros of both signs may be among them. A row without values,
        and one more, has the least value of the first group.
        """
        first = self.values[self.rows == self.rows.min()]
        below = numpy.full(self.count + 1, numpy.sort(first)[0] if numpy.isnan(first.min()) else first.min())
        above = below.copy()
        _glproc.middles(self.values, self.rows, below, above)
        is_open = self.values.dtype.kind == "f" and ((below == 0) | (above == 0)).any() and _has_negative_zero(self.values)
        return None if is_open else (below, above)


def _has_negative_zero(array):
    return bool((numpy.signbit(array) & (array == 0)).any())


def places_of(rows, count):
    """Where the places of each row begin, and the places, one row after another."""
    starts, places = numpy.zeros(count + 1, numpy.int64), numpy.empty(rows.size, numpy.int64)
    _glproc.places(numpy.ascontiguousarray(rows, numpy.int32), starts, places)
    return starts, places
