"""What lies in a picture."""
import cv2
import numpy as np
from scipy import ndimage
from skimage.feature import blob_dog, blob_log, peak_local_max
from skimage.morphology import local_minima, reconstruction, skeletonize
from skimage.segmentation import clear_border, watershed

from .base import EXACT, Bound, Row
from .tone import luma

SAME_FLOATS = Bound(0, 0, 1e-12)
PRINTED = Bound(0, 0, 1e-7)


def distances_to(sites, metric="euclidean"):
    """Of every pixel to the nearest site, as floats; SciPy does not say what they are where there is none."""
    if not sites.any():
        return np.full(sites.shape, np.inf)
    if metric != "euclidean":
        return ndimage.distance_transform_cdt(~sites, metric).astype(float)
    return np.float32(ndimage.distance_transform_edt(~sites)).astype(float)


def sites_of(p, threshold, to_foreground):
    objects = (p.colours != 0).any(2) if threshold is None else luma(p) > threshold * p.full
    return objects if to_foreground else ~objects


def distance(threshold=None, to_foreground=False, signed=False, most=np.inf, metric="euclidean"):
    def run(p):
        sites = sites_of(p, threshold, to_foreground)
        found = distances_to(sites, metric)
        found = np.where(sites, -distances_to(~sites, metric), found) if signed else found
        return np.where(np.abs(found) > most, np.copysign(np.inf, found), found)[..., None] * (1 if p.bits == 32 else p.full)
    return run


def nearest(threshold, metric):
    return lambda p: distances_to(sites_of(p, threshold, False), metric)


def lengths(across, down, metric):
    across, down = abs(across), abs(down)
    return np.maximum(across, down) if metric == "chessboard" else across + down if metric == "taxicab" else np.sqrt(across**2 + down**2)


def at_indices(metric, threshold):
    """Where the nearest sites are: SciPy takes any of several, so what is compared is how far they are, and that they are sites."""
    def figures(indices, p):
        rows, columns = indices.astype(float)
        y, x = np.indices(rows.shape)
        sites = sites_of(p, threshold, False)
        is_site = sites[indices[0], indices[1]] if sites.any() else np.ones_like(sites)
        found = np.where(indices[0] < 0, np.inf, lengths(columns - x, rows - y, metric))
        return np.where(is_site, np.float32(found).astype(float), -1)
    return figures


def skeleton(p):
    return skeletonize((p.colours != 0).any(2))[..., None] * 255.0


def canny(low, high, squared):
    def run(p):
        image = np.ascontiguousarray(p.colours[..., ::-1].astype(np.uint8))  # OpenCV's order of colours
        return cv2.Canny(image, low, high, L2gradient=squared).astype(float)[..., None]
    return run


def points(p, found):
    """Column, row and value of each, row by row."""
    found = np.array(sorted(map(tuple, found)), int).reshape(-1, 2)
    return np.column_stack([found[:, 1], found[:, 0], p.v[found[:, 0], found[:, 1], 0]])


def maxima(distance, at=None, border=True):
    """Without ties what peak_local_max finds; it keeps more than one pixel of a plateau, so of those the first."""
    def run(p):
        grey = p.v[..., 0]
        level = grey.min() if at is None else at * p.full
        peaks = peak_local_max(grey, min_distance=distance, threshold_abs=level, exclude_border=border)
        if len(np.unique(grey[tuple(peaks.T)])) == len(peaks):
            return points(p, peaks)
        largest = (grey == ndimage.maximum_filter(grey, 2 * distance + 1, mode="nearest")) & (grey > level)
        if border:
            inside = np.zeros_like(largest)
            inside[distance:-distance, distance:-distance] = True
            largest &= inside
        labels, count = ndimage.label(largest, np.ones((3, 3)))
        firsts = np.argwhere(largest)[np.unique(labels[largest], return_index=True)[1]] if count else np.zeros((0, 2), int)
        kept = []
        for y, x in sorted(firsts.tolist(), key=lambda at: (-grey[tuple(at)], at)):
            if all(max(abs(y - v), abs(x - u)) >= distance for v, u in kept):
                kept.append((y, x))
        return points(p, kept)
    return run


def maxima_figures(report, _):
    return np.array(sorted([m["x"], m["y"], m["value"]] for m in report["maxima"]), float).reshape(-1, 3)


def spots(find, low, high, threshold):
    def run(p):
        return np.array(sorted([x, y] for y, x, _ in find(p.v[..., 0] / p.full, low, high, threshold=threshold)), float).reshape(-1, 2)
    return run


def spots_figures(report, _):
    return np.array(sorted([s["x"], s["y"]] for s in report["spots"]), float).reshape(-1, 2)


def by_column(reference):
    return lambda p: np.array(sorted(reference(p).tolist()), float).reshape(-1, 3)


def as_mask(f):
    """A function of a mask of objects; the result has the depth of the picture."""
    return lambda p: f((p.colours != 0).any(2))[..., None] * p.full


def hit_or_miss(p):
    """--pattern '0 0 0; - 1 -; 1 1 1'"""
    hit, miss = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 1]]), np.array([[1, 1, 1], [0, 0, 0], [0, 0, 0]])
    return ndimage.binary_hit_or_miss((p.colours != 0).any(2), hit, miss)[..., None] * 255.0


def reconstructed(p, q):
    planes = [reconstruction(np.minimum(p.colours[..., c], q.colours[..., c]), q.colours[..., c]) for c in range(p.colours.shape[2])]
    return p.with_colours(np.stack(planes, 2))


def decided(grey, minima, structure):
    """Pixels from which a way of lowest neighbours leads down to a minimum, and no two neighbours on it are equally low."""
    height, width = grey.shape
    above, places = np.pad(grey, 1, constant_values=np.inf), np.pad(np.arange(grey.size).reshape(grey.shape), 1)
    around = [(slice(y, y + height), slice(x, x + width)) for y, x in np.argwhere(structure) if (y, x) != (1, 1)]
    values = np.stack([above[part] for part in around])
    least = values.min(0)
    good = (minima | ((least < grey) & ((values == least).sum(0) == 1))).ravel()
    lowest = np.take_along_axis(np.stack([places[part] for part in around]), values.argmin(0)[None], 0)[0]
    follows = np.where(minima.ravel(), np.arange(grey.size), lowest.ravel())
    for _ in range(grey.size.bit_length()): # each time twice as far
        good, follows = good & good[follows], follows[follows]
    return good.reshape(grey.shape)


def regions(connectivity):
    """From all minima. scikit-image decides ties in the order of its queue, so nothing is said (NaN) of pixels that depend on it."""
    structure = ndimage.generate_binary_structure(2, connectivity)

    def run(p):
        grey = p.v[..., 0] if p.v.shape[2] < 3 else np.rint(luma(p))
        minima = local_minima(grey, connectivity=connectivity) if np.ptp(grey) else np.ones(grey.shape, bool)
        found = watershed(grey, ndimage.label(minima, structure)[0], connectivity=connectivity)
        return np.where(decided(grey, minima, structure), found, np.nan)
    return run


EDT = "ndimage.distance_transform_edt"
CDT = "ndimage.distance_transform_cdt"
ROWS = [
    Row("distance", "", distance(), EDT, SAME_FLOATS),
    Row("distance", "--threshold 0.5", distance(0.5), EDT, SAME_FLOATS),
    Row("distance", "--threshold 0.9 --nearest foreground", distance(0.9, True), EDT, SAME_FLOATS),
    Row("distance", "--threshold 0.4 --signed --max-distance 9", distance(0.4, signed=True, most=9), EDT, SAME_FLOATS),
    *[Row("distance", f"--threshold 0.6 --metric {metric}", distance(0.6, metric=metric), CDT, EXACT)
      for metric in ("chessboard", "taxicab")],
    Row("distance", "--threshold 0.8 --metric taxicab --signed", distance(0.8, signed=True, metric="taxicab"), CDT, EXACT),
    *[Row("distance", f"--threshold 0.7 --metric {metric} --indices near.npy", nearest(0.7, metric),
          EDT if metric == "euclidean" else CDT, EXACT, figures=at_indices(metric, 0.7), beside="near.npy")
      for metric in ("euclidean", "chessboard", "taxicab")],
    *[Row("canny", f"--low {low} --high {high} --norm {norm}", canny(low, high, norm == "l2"), "cv2.Canny", EXACT, depths=(8,))
      for low, high, norm in ((100, 200, "l1"), (40, 90, "l2"), (700, 300, "l1"))],
    Row("morphology", "--do fill", as_mask(ndimage.binary_fill_holes), "ndimage.binary_fill_holes", EXACT),
    Row("morphology", "--do clear-border", as_mask(clear_border), "skimage clear_border", EXACT),
    Row("morphology", ["--do", "hitmiss", "--pattern", "0 0 0; - 1 -; 1 1 1"], hit_or_miss, "ndimage.binary_hit_or_miss", EXACT,
        shown="--do hitmiss --pattern …"),
    Row("morphology", "--do reconstruct", reconstructed, "skimage reconstruction", EXACT, second=True, shown="--do reconstruct --with OTHER"),
    Row("maxima", "--json", by_column(maxima(1)), "skimage peak_local_max", PRINTED, channels=(1, 2), result="json",
        figures=maxima_figures, shown="one point of a plateau"),
    Row("maxima", "--distance 4 --threshold 0.4 --border --json", by_column(maxima(4, 0.4, False)), "skimage peak_local_max", PRINTED,
        channels=(1, 2), result="json", figures=maxima_figures, shown="--distance 4 --threshold 0.4 --border"),
    *[Row("watershed", f"--connectivity {neighbours}", regions(connectivity), "skimage watershed, where no tie decides", EXACT,
          depths=depths, channels=channels, result="out.npy", shown="to .npy" if neighbours == 4 else "--connectivity 8, to .npy")
      for neighbours, connectivity in ((4, 1), (8, 2)) for depths, channels in (((8, 16), (1, 2, 3, 4)), ((32,), (1, 2)))],
    *[Row("spots", f"--radius 2,6 --method {name} --threshold 0.1 --json", spots(find, 2 / 2**0.5, 6 / 2**0.5, 0.1), f"skimage blob_{name}", EXACT,
          channels=(1,), result="json", figures=spots_figures, shown=f"--radius 2,6 --method {name} --threshold 0.1")
      for name, find in (("log", blob_log), ("dog", blob_dog))],
    Row("skeleton", "", skeleton, "skimage skeletonize", EXACT, depths=(8,)),
]
