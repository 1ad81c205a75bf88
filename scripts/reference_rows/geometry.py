"""Geometry: Pillow's resize, NumPy's moves, SciPy's and OpenCV's warps."""
import functools

import cv2
import numpy as np
from PIL import Image
from scipy import ndimage

from .base import EXACT, ONE_CODE, Bound, Row, planes, weighted

PILLOW = {"lanczos3": Image.Resampling.LANCZOS, "cubic": Image.Resampling.BICUBIC, "linear": Image.Resampling.BILINEAR,
          "box": Image.Resampling.BOX, "nearest": Image.Resampling.NEAREST}


def size_times(p, rx, ry):
    return max(round(p.v.shape[1] * rx), 1), max(round(p.v.shape[0] * ry), 1)


def resized(filter, rx, ry):
    """Of 8 bits, Pillow clips what it has after the first of its two passes. Alpha of 8 bits it weighs in 8 bits; here its mode F
    does that."""
    def run(p):
        size = size_times(p, rx, ry)
        def plane(v):
            between = Image.fromarray(v.astype(np.float32), "F").resize((size[0], len(v)), PILLOW[filter])
            if p.bits == 8:
                between = Image.fromarray(np.asarray(between).clip(0, p.full), "F")
            return np.asarray(between.resize(size, PILLOW[filter])).astype(float)
        if p.bits == 8 and not p.alpha and filter != "nearest":
            pixels = p.v.astype(np.uint8)
            image = Image.fromarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels).resize(size, PILLOW[filter])
            done = np.asarray(image).astype(float).reshape(size[1], size[0], -1)
        else:
            mix = planes if filter == "nearest" else functools.partial(
                weighted, has_lobes=filter in ("lanczos3", "cubic"), clips=True)
            done = mix(plane)(p)
        done[:, by_rounding(filter, size[0], p.v.shape[1])] = np.nan
        done[by_rounding(filter, size[1], p.v.shape[0])] = np.nan
        return done
    return run


def by_rounding(filter, count, old):
    """Where Pillow's sums decide by their rounding: a new centre on the edge of two old pixels (nearest), or the edge of a new
    pixel on an old centre (box, shrinking), which may then count in neither of two new pixels."""
    o = np.arange(count)
    if filter == "nearest":
        return (2 * o + 1) * old % (2 * count) == 0
    on_centre = lambda edge: (2 * edge * old) % (2 * count) == count
    return on_centre(o) | on_centre(o + 1) if filter == "box" and old > count else np.zeros(count, bool)


def resize_row(filter, rx, ry):
    bound = EXACT if filter == "nearest" else ONE_CODE
    return Row("resize", lambda p: "{}x{}".format(*size_times(p, rx, ry)) + f" --filter {filter}",
               resized(filter, rx, ry), "Pillow resize", bound, shown=f"{rx * 100:g}% x {ry * 100:g}% --filter {filter}")


def part_of(p):
    h, w = p.v.shape[:2]
    return w // 3, h // 4, w - w // 3 - w // 5, h - h // 4 - h // 6


def cropped(p):
    x, y, w, h = part_of(p)
    return p.v[y:y + h, x:x + w]


def padded(mode, **more):
    return lambda p: np.pad(p.v, ((1, 2), (3, 4), (0, 0)), mode, **more)


def catmull_rom(t):
    t = np.abs(t)
    return np.where(t < 1, (1.5 * t - 2.5) * t * t + 1, np.where(t < 2, ((-0.5 * t + 2.5) * t - 4) * t + 2, 0))


def triangle(t):
    return np.maximum(1 - np.abs(t), 0)


def rotated(degrees, weight, taps):
    """Clockwise, of the same size, with nothing beyond the edges."""
    def plane(v):
        h, w = v.shape
        a = np.radians(degrees)
        y, x = np.mgrid[0:h, 0:w] + 0.5 - np.array([h, w]).reshape(2, 1, 1) / 2
        from_x = np.cos(a) * x + np.sin(a) * y + w / 2 - 0.5
        from_y = -np.sin(a) * x + np.cos(a) * y + h / 2 - 0.5
        done = np.zeros_like(v)
        for j in range(1 - taps // 2, taps // 2 + 1):
            for i in range(1 - taps // 2, taps // 2 + 1):
                at_x, at_y = np.floor(from_x).astype(int) + i, np.floor(from_y).astype(int) + j
                inside = (at_x >= 0) & (at_x < w) & (at_y >= 0) & (at_y < h)
                value = v[np.clip(at_y, 0, h - 1), np.clip(at_x, 0, w - 1)]
                done += np.where(inside, value, 0) * weight(at_x - from_x) * weight(at_y - from_y)
        return done
    return weighted(plane, has_lobes=taps > 2)


AFFINE = (0.913705917, 0.231113711, 3.171317, -0.311719317, 1.073193171, 5.293931)
SEEN = (0.93, 0.11, 2.377, 0.07, 1.13, -1.219, 0.00101, -0.00207, 1.003)
LENS = (0.21, -0.07, 0.011, -0.023, 0.013)  # OpenCV's order: k1, k2, p1, p2, k3


LENS_BOUND = Bound(2, 100, 1e-4)  # OpenCV's map is one of floats


def affine(order):
    a, b, c, d, e, f = AFFINE
    def plane(v):
        offset = [(d + e) / 2 + f - 0.5, (a + b) / 2 + c - 0.5]  # SciPy counts from the centre of the first pixel
        return ndimage.affine_transform(v, [[e, d], [b, a]], offset, order=order, mode="grid-constant")
    return weighted(plane) if order else planes(plane)


def mapped(points, order=1, samples=1):
    """`points` makes x and y in the source, from the corner of it, of x and y in the result."""
    def plane(v):
        h, w = v.shape
        y, x = (np.mgrid[0:h * samples, 0:w * samples] + 0.5) / samples
        from_x, from_y = points(x, y, w, h)
        fine = ndimage.map_coordinates(v, [from_y - 0.5, from_x - 0.5], order=order, mode="grid-constant")
        return fine.reshape(h, samples, w, samples).mean((1, 3))
    return weighted(plane) if order else planes(plane)


def seen(x, y, w, h):
    depth = SEEN[6] * x + SEEN[7] * y + SEEN[8]
    ahead = depth > 0
    depth = np.where(ahead, depth, 1)
    return tuple(np.where(ahead, (SEEN[i] * x + SEEN[i + 1] * y + SEEN[i + 2]) / depth, -99) for i in (0, 3))


def undistorted(x, y, w, h):
    unit = np.hypot(w, h) / 2
    camera = np.array([[unit, 0, w / 2], [0, unit, h / 2], [0, 0, 1]])
    # Of whole pixels, OpenCV's maps count from their centres: the camera stands half a pixel off.
    camera[:2, 2] -= 0.5
    by = cv2.initUndistortRectifyMap(camera, np.array(LENS), None, camera, (w, h), cv2.CV_32FC1)
    return by[0] + 0.5, by[1] + 0.5


def polar(x, y, w, h):
    reach, angle = min(w, h) / 2 * x / w, 2 * np.pi * y / h
    return w / 2 + reach * np.cos(angle), h / 2 + reach * np.sin(angle)


def trimmed(tolerance):
    """Without rows and columns that are as good as black."""
    def run(p):
        seen = p.colours * p.v[..., -1:] / p.full if p.alpha else p.colours
        seen = np.concatenate([seen, p.full - p.v[..., -1:]], 2) if p.alpha else seen
        codes = tolerance if p.bits == 32 else np.floor(tolerance * p.full)
        unlike = (seen > codes + 1e-7).any(2)
        (top, *_, bottom), (left, *_, right) = (np.flatnonzero(unlike.any(axis)).repeat(2) for axis in (1, 0))
        return p.v[top:bottom + 1, left:right + 1]
    return run


def text_of(numbers):
    return ",".join(map(str, numbers))


ROWS = [
    *[resize_row(filter, rx, ry) for filter in ("lanczos3", "cubic", "linear", "box", "nearest")
      for rx, ry in ((0.5, 0.4), (1.5, 1.25))],
    Row("crop", lambda p: "--rect {},{},{},{}".format(*part_of(p)), cropped, "NumPy", EXACT, shown="--rect X,Y,W,H"),
    Row("trim", "--background black --tolerance 20%", trimmed(0.2), "NumPy", EXACT),
    Row("pad", "--margin 3,1,4,2", padded("constant"), "numpy.pad", EXACT),
    *[Row("pad", f"--margin 3,1,4,2 --border {name}", padded(mode), "numpy.pad", EXACT)
      for name, mode in (("clamp", "edge"), ("mirror", "reflect"), ("symmetric", "symmetric"), ("wrap", "wrap"))],
    Row("flip", "--axis x", lambda p: p.v[:, ::-1], "NumPy", EXACT),
    Row("flip", "--axis y", lambda p: p.v[::-1], "NumPy", EXACT),
    *[Row("rotate", f"--angle {90 * n}", lambda p, n=n: np.rot90(p.v, -n), "numpy.rot90", EXACT) for n in (1, 2, 3)],
    Row("rotate", "--angle 10 --keep-size", rotated(10, catmull_rom, 4), "NumPy"),
    Row("rotate", "--angle 33 --keep-size --filter linear", rotated(33, triangle, 2), "NumPy"),
    Row("warp", f"--filter linear --affine {text_of(AFFINE)}", affine(1), "scipy affine_transform", shown="--affine … --filter linear"),
    Row("warp", f"--filter nearest --affine {text_of(AFFINE)}", affine(0), "scipy affine_transform", EXACT, shown="--affine … --filter nearest"),
    Row("warp", f"--filter linear --samples 1 --perspective {text_of(SEEN)}", mapped(seen), "scipy map_coordinates", shown="--perspective …"),
    Row("warp", "--filter linear --polar --samples 1", mapped(polar), "scipy map_coordinates"),
    Row("warp", "--filter linear --polar --samples 3", mapped(polar, samples=3), "scipy map_coordinates, means of 9"),
    Row("warp", f"--filter linear --samples 1 --lens {text_of((LENS[0], LENS[1], LENS[4], LENS[2], LENS[3]))}", mapped(undistorted),
        "cv2.initUndistortRectifyMap", LENS_BOUND, shown="--lens …"),
]
