"""Operations on images that are Dask arrays, part by part, on as many machines as there are workers.

>>> import dask.array
>>> import glproc.dask
>>> slide = dask.array.from_zarr("slide.zarr")
>>> glproc.dask.blur(slide, sigma=20).to_zarr("soft.zarr")

Every operation that makes an image is a function of this module, with the parameters that it has in glproc. The bits of the
result do not depend on how the array is split, because each part comes with the neighbouring pixels that the operation needs.
Parts that are too small for that, or begin in a wrong place, are cut anew. Operations such as equalize need the whole image first, so
they read it twice: the parts are counted, then mapped by the sum of the counts.
"""

import math

import dask.array
from dask import delayed

from .. import _contexts, _glproc
from .._calls import tells_words
from .._functions import make_bound, settings_of

__all__ = ["histogram", "stats"]

_BITS = {"uint8": 8, "uint16": 16, "float32": 32}


def _operate(operation, array, settings):
    if array.ndim not in (2, 3) or str(array.dtype) not in _BITS:
        raise TypeError(f"{operation['name']} takes Dask arrays of shape (height, width) or (height, width, channels), of uint8, "
                        f"uint16 or float32; this one has shape {array.shape} and {array.dtype}")  # fmt: skip
    whole = (*array.shape[:2], array.shape[2] if array.ndim == 3 else 1, _BITS[str(array.dtype)])
    plan = _contexts.session().parts(operation["name"], whole, settings)
    call = {"name": operation["name"], "settings": settings, "whole": whole}
    if array.ndim == 2 and plan["shape"][2] > 1:
        array = array[:, :, None]
    if plan["moves"]:
        return _of_elsewhere(array, plan, call)
    counts = _sum(array, _count_part, lambda parts: delayed(sum)(parts), call) if plan["counts"] else None
    return _of_neighbours(array, plan, call, counts)


def _shape_of(array, plan, chunks):
    """The chunks of a result, which is as flat as glproc makes it."""
    channels = plan["shape"][2]
    is_flat = array.ndim == 2 or (channels == 1 and array.shape[2] > 1)
    return chunks if is_flat and channels == 1 else (*chunks, (channels,))


def _of_neighbours(array, plan, call, counts):
    """Each part of the result is made of the same part of the picture, and of what overlaps it."""
    chunks, depths = [], []
    for lengths, halo, grain in zip(array.chunks, plan["halo"], plan["grain"]):
        depth = halo + grain if plan["repeats"] else halo  # beyond an edge that is no multiple of the grain
        chunks.append(_cut(lengths, max(depth, grain), grain))
        depths.append(depth if len(chunks[-1]) > 1 else 0)
    array = array.rechunk(dict(enumerate([*chunks, -1][: array.ndim])))
    chunks = tuple(chunks)
    result = _shape_of(array, plan, chunks)
    return dask.array.map_overlap(
        _part, array, depth=dict(enumerate([*depths, 0][: array.ndim])), trim=False, align_arrays=False, dtype=plan["dtype"],
        boundary={axis: "periodic" if plan["repeats"] and depths[axis] else "none" for axis in (0, 1)},
        meta=_empty(plan, result), chunks=result, drop_axis=[2] if len(result) < array.ndim else None,
        call=call, lengths=chunks, depths=depths, repeats=plan["repeats"], counts=counts,
    )  # fmt: skip


def _part(block, call, lengths, depths, repeats, counts, block_info=None):
    """On a worker: a part of the result."""
    spans = []  # of the part, and of what there is of the picture
    for axis, index in enumerate(block_info[0]["chunk-location"][:2]):
        first = sum(lengths[axis][:index])
        end = first + lengths[axis][index]
        begin, stop = first - depths[axis], end + depths[axis]
        if not (repeats and depths[axis]):
            begin, stop = max(begin, 0), min(stop, call["whole"][axis])
        spans.append((first, end, begin, stop))
    (top, bottom, above, below), (left, right, before, after) = spans
    result = _contexts.session().run_part(
        call["name"], block, call["settings"], call["whole"],
        (before, above, after - before, below - above), (left, top, right - left, bottom - top), counts,
    )  # fmt: skip
    return result[top - above : bottom - above, left - before : right - before]


def _of_elsewhere(array, plan, call):
    """Each part of the result is made of a rectangle of the picture, of which its plan says where it is."""
    if array.ndim == 3:
        array = array.rechunk({2: -1})
    spans = []
    for length, lengths, grain in zip(plan["shape"], array.chunks, plan["grain"]):
        step = -(-max(lengths) // grain) * grain
        spans.append([(first, min(step, length - first)) for first in range(0, length, step)])
    chunks = tuple(tuple(size for _, size in axis) for axis in spans)
    channels = _shape_of(array, plan, chunks)[2:]
    meta = _empty(plan, [(), (), *channels])
    make = delayed(_elsewhere, pure=True)
    rows = []
    for top, height in spans[0]:
        parts = []
        for left, width in spans[1]:
            tile = (left, top, width, height)
            source = _contexts.session().source_of(call["name"], call["whole"], call["settings"], tile)
            x, y, columns, lines = source
            part = make(_across(_across(array, 0, y, lines), 1, x, columns), call, source, tile)
            shape = (height, width, *(channel for (channel,) in channels))
            parts.append(dask.array.from_delayed(part, shape, meta=meta))
        rows.append(dask.array.concatenate(parts, axis=1))
    return dask.array.concatenate(rows, axis=0)


def _across(array, axis, first, count):
    """So many rows or columns, over the edge where the picture repeats."""
    length = array.shape[axis]
    first %= length
    cut = (slice(None),) * axis
    parts = [array[(*cut, slice(first, first + count))], array[(*cut, slice(0, max(first + count - length, 0)))]]
    return dask.array.concatenate([part for part in parts if part.shape[axis]], axis)


def _elsewhere(block, call, source, tile):
    return _contexts.session().run_part(call["name"], block, call["settings"], call["whole"], source, tile, None)


def _empty(plan, chunks):
    import numpy

    return numpy.empty((0,) * len(chunks), plan["dtype"])


def _cut(lengths, least, grain):
    """Parts like these that begin at multiples of the grain, none of which is smaller than `least`."""
    total, at, ends = sum(lengths), 0, [0]
    for length in lengths[:-1]:
        at += length
        end = at - at % grain
        if end - ends[-1] >= least:
            ends.append(end)
    while len(ends) > 1 and total - ends[-1] < least:
        ends.pop()
    return tuple(end - first for first, end in zip(ends, [*ends[1:], total]))


def histogram(array, /, *arguments, **named):
    """The counts of glproc.histogram() as a delayed object: `.compute()` gives its dict, without mean, stddev and median."""
    operation = _OPERATIONS["histogram"]
    return _counts(array, settings_of(operation, arguments, named))


@tells_words
def stats(array, /, *, percentiles=(), hidden=False):
    """The dict of glproc.stats() as a delayed object, of integers alone: sums of floats would depend on the parts."""
    if str(array.dtype) not in ("uint8", "uint16"):
        raise TypeError(f"stats takes Dask arrays of uint8 or uint16; this one holds {array.dtype}")
    count = array.shape[2] if array.ndim == 3 else 1
    channels = ["r"] if count < 3 else ["r", "g", "b"]
    channels += ["a"] if count in (2, 4) else []
    named = {"bins": 1 << _BITS[str(array.dtype)], "channels": channels, "hidden": hidden}
    counts = _counts(array, settings_of(_OPERATIONS["histogram"], (), named))
    return delayed(_stats)(counts, [float(percent) for percent in percentiles])


def _sum(array, count, add, *arguments):
    """What `count` makes of each part, added up by sixteens."""
    if array.ndim == 3:
        array = array.rechunk({2: -1})
    parts = [delayed(count)(block, *arguments) for block in array.to_delayed().ravel()]
    while len(parts) > 1:
        parts = [add(parts[i : i + 16]) for i in range(0, len(parts), 16)]
    return parts[0]


def _count_part(block, call):
    return _contexts.session().count_part(call["name"], block, call["settings"], call["whole"])


def _counts(array, settings):
    total = _sum(array, _count, delayed(_add), settings)
    return delayed(_add)([total], array.shape)


def _count(block, settings):
    return _contexts.session().run("histogram", block, settings, None)


def _add(reports, shape=None):
    channels = []
    for same in zip(*(report["channels"] for report in reports)):
        channel = {}
        for key, value in same[0].items():
            each = [part[key] for part in same]
            if key == "name":
                channel[key] = value
            elif key == "counts":
                channel[key] = [sum(counts) for counts in zip(*each)]
            elif key in ("outside", "nan"):
                channel[key] = sum(each)
            elif key in ("min", "max"):
                channel[key] = (min if key == "min" else max)([one for one in each if one == one] or each)
        hidden = sum(part.get("hidden", 0) for part in same)
        channels.append({**channel, "hidden": hidden} if hidden else channel)
    size = {} if shape is None else {"height": shape[0], "width": shape[1], "pixels": shape[0] * shape[1]}
    return {**reports[0], **size, "channels": channels}


def _stats(report, percentiles):
    names = {"r": "grey"} if len(report["channels"]) < 3 else {}
    channels = [_channel(names.get(one["name"], one["name"]), one["counts"], percentiles) for one in report["channels"]]
    sizes = {key: report[key] for key in ("input", "width", "height", "depth")}
    return {"schema": "glproc.stats/1", **sizes, "channels": channels}


def _channel(name, counts, percentiles):
    """The figures that glproc.stats() makes of the counts of codes, which are exact integers up to the last step."""
    n = sum(counts)
    if n == 0:  # nothing can be seen
        none = dict.fromkeys(("min", "max", "mean", "stddev", "median"), math.nan)
        return {"name": name, "count": 0, "nan": 0, **none,
                "percentiles": [{"percent": p, "value": math.nan} for p in percentiles], "entropy": math.nan}  # fmt: skip
    total = sum(code * count for code, count in enumerate(counts))
    squares = sum(code * code * count for code, count in enumerate(counts))
    used = [code for code, count in enumerate(counts) if count]

    def of_rank(rank):
        for code in used:
            if rank < counts[code]:
                return float(code)
            rank -= counts[code]

    return {
        "name": name, "count": n, "nan": 0, "min": float(used[0]), "max": float(used[-1]), "mean": total / n,
        "stddev": math.sqrt(squares * n - total * total) / n, "median": of_rank((n - 1) // 2),
        "percentiles": [{"percent": p, "value": of_rank(math.floor((n - 1) * p / 100))} for p in percentiles],
        "entropy": max(-sum(counts[code] / n * math.log2(counts[code] / n) for code in used), 0.0),
    }  # fmt: skip


_OPERATIONS = {operation["name"]: operation for operation in _glproc.describe()}
for _operation in _OPERATIONS.values():
    if _operation["product"] == "image" and not _operation["joins"]:
        _function = make_bound(_operation, _operate)
        for _name in (_operation["name"], *_operation["aliases"]):
            globals()[_name] = _function
            __all__.append(_name)
del _operation, _function, _name

from . import ndimage  # noqa: E402, F401, it takes _cut from here
