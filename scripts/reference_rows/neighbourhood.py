"""Neighbourhood: the filters of SciPy, scikit-image, OpenCV and ImageMagick."""
import shutil

import cv2
import numpy as np
from scipy import ndimage
from skimage import filters

from .base import CLOSE, EXACT, FAST, ONE_CODE, Bound, Row, colour_planes, planes, tool, weighted
from .tone import luma

MODES = {"clamp": "nearest", "mirror": "mirror", "symmetric": "reflect", "wrap": "wrap", "constant": "constant"}


def gauss(sigma, mode="nearest", truncate=4.0):
    return lambda v: ndimage.gaussian_filter(v, sigma, mode=mode, truncate=truncate)


def box(rx, ry, mode="nearest"):
    return lambda v: ndimage.uniform_filter1d(ndimage.uniform_filter1d(v, 2 * rx + 1, 1, mode=mode),
                                              2 * ry + 1, 0, mode=mode)


def gradient(filter, part=None):
    def run(v):
        x, y = filter(v, 1), filter(v, 0)
        return {"x": x, "y": y}[part] if part else np.hypot(x, y)
    return run


def sobel(v, axis, mode="nearest"):
    return ndimage.sobel(v, axis, mode=mode)


def scharr(v, axis):
    return cv2.Scharr(v, cv2.CV_64F, int(axis == 1), int(axis == 0), borderType=cv2.BORDER_REPLICATE)


def prewitt(v, axis):
    return ndimage.prewitt(v, axis, mode="nearest")


def directions(p):
    """In radians, whatever the unit of values; alpha is kept. Small differences of floats have no exact direction."""
    def plane(v):
        y, x = sobel(v, 0), sobel(v, 1)
        return np.where((p.bits == 32) & (np.hypot(x, y) < 0.25), np.nan, np.arctan2(y, x) * p.full)
    return colour_planes(plane)(p)


def sharpened(sigma, amount, threshold):
    def run(p):
        def plane(v):
            away = v - gauss(sigma)(v)
            done = v + amount * np.where(np.abs(away) > threshold * p.full, away, 0)
            undecided = p.full * (1e-6 if p.bits != 8 else 4e-5)  # 8 bits: 1/100 of a code
            return np.where((threshold > 0) & (np.abs(np.abs(away) - threshold * p.full) < undecided), np.nan, done)
        return planes(plane)(p)
    return run


def gauss_of_opencv(sigma):
    """Cut off at 4 sigma, as here."""
    size = 2 * int(4 * sigma + 0.5) + 1
    return lambda v: cv2.GaussianBlur(v, (size, size), sigma, borderType=cv2.BORDER_REPLICATE)


def gauss_of_bytes(v):
    """Their own arithmetic, in whole numbers."""
    return gauss_of_opencv(2)(v.astype(np.uint8)).astype(float)


def sharpened_by_opencv(v):
    return cv2.addWeighted(v, 1.8, gauss_of_opencv(1.5)(v), -0.8, 0)


def guided_plane(v, guide, radius, eps):
    """By the formulas of He, Sun and Tang, in double precision."""
    mean = box(radius, radius, "reflect")
    slope = (mean(v * guide) - mean(v) * mean(guide)) / (mean(guide * guide) - mean(guide) ** 2 + eps)
    return mean(slope) * guide + mean(mean(v) - slope * mean(guide))


def guided_by_opencv(v, guide, radius, eps):
    return cv2.ximgproc.guidedFilter(np.float32(guide), np.float32(v), radius, eps).astype(float)


def guided(plane, radius, eps):
    """Of each colour, guided by itself or by the luma of another image."""
    def run(p, other=None):
        colours = [p.colours[..., c] / p.full for c in range(p.colours.shape[2])]
        done = [plane(v, v if other is None else luma(other) / p.full, radius, eps) for v in colours]
        return p.with_colours(np.stack(done, 2) * p.full)
    return run


def mirrored(n, margin):
    """Indices of a line of n pixels with a margin at both ends."""
    period = max(2 * (n - 1), 1)
    i = np.abs(np.arange(-margin, n + margin)) % period
    return np.minimum(i, period - i)


def denoised(strength, noise, patch, search):
    """Non-local means by their definition, an offset at a time."""
    def run(p):
        v = p.colours / p.full
        height, width, channels = v.shape
        inner = v[np.ix_(mirrored(height, patch), mirrored(width, patch))]
        outer = v[np.ix_(mirrored(height, patch + search), mirrored(width, patch + search))]
        sums, weights = np.zeros_like(v), np.zeros((height, width, 1))
        for dy in range(2 * search + 1):
            for dx in range(2 * search + 1):
                other = outer[dy:dy + height + 2 * patch, dx:dx + width + 2 * patch]
                squares = np.lib.stride_tricks.sliding_window_view(((inner - other) ** 2).sum(2), (2 * patch + 1,) * 2)
                d = squares.sum((2, 3)) / ((2 * patch + 1) ** 2 * channels)
                weight = np.exp(-np.maximum(d - 2 * noise ** 2, 0) / strength ** 2)[..., None]
                sums += weight * other[patch:patch + height, patch:patch + width]
                weights += weight
        return p.with_colours(sums / weights * p.full)
    return run


def bilateral(sigma, codes, radius, border):
    def run(p):
        image = np.squeeze(p.v.astype(np.uint8), 2) if p.v.shape[2] == 1 else p.v.astype(np.uint8)
        return cv2.bilateralFilter(image, 2 * radius + 1, codes, sigma, borderType=border).astype(float).reshape(p.v.shape)
    return run


def deviation(radius, mode="nearest", squared=False):
    def run(p):
        def plane(v):
            mean = box(radius, radius, mode)
            whole = v - np.mean(v)
            variance = np.maximum(mean(whole**2) - mean(whole)**2, 0)
            return variance / p.full if squared else np.sqrt(variance)
        return colour_planes(plane)(p)
    return run


def extent(radius):
    def plane(v):
        size = 2 * radius + 1
        return ndimage.maximum_filter(v, size, mode="nearest") - ndimage.minimum_filter(v, size, mode="nearest")
    return colour_planes(plane)


RANDOM5 = np.random.default_rng(7).integers(-40, 100, (5, 5)) / 100
EVEN = [[1, 2, 3, 2], [0, 5, 1, 2]]
BINOMIAL = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]


def kernel_text(kernel):
    return "; ".join(" ".join(str(x) for x in row) for row in np.asarray(kernel).tolist())


def convolved(kernel, scale=1.0, mode="nearest"):
    return lambda v: scale * ndimage.convolve(v, np.array(kernel, float), mode=mode)


def disk(r):
    y, x = np.mgrid[-r:r + 1, -r:r + 1]
    return x * x + y * y <= r * r


def cross(r):
    y, x = np.mgrid[-r:r + 1, -r:r + 1]
    return x * y == 0


def morphed(operation, rx, ry):
    """OpenCV: each step with its own border."""
    def plane(v, p):
        kernel = np.ones((2 * ry + 1, 2 * rx + 1), np.uint8)
        done = cv2.morphologyEx(np.ascontiguousarray(v).astype(p.dtype), operation, kernel,
                                borderType=cv2.BORDER_REPLICATE)
        return done.reshape(v.shape).astype(float)
    all_channels = operation in (cv2.MORPH_ERODE, cv2.MORPH_DILATE, cv2.MORPH_OPEN, cv2.MORPH_CLOSE)
    return lambda p: (planes if all_channels else colour_planes)(lambda v: plane(v, p))(p)


def grey_morphed(f, footprint):
    return planes(lambda v: f(v, footprint=footprint, mode="nearest"))


def opened(v, footprint, mode):
    return ndimage.grey_dilation(ndimage.grey_erosion(v, footprint=footprint, mode=mode), footprint=footprint, mode=mode)


def median(rx, ry, percentile=50):
    size = (2 * ry + 1, 2 * rx + 1)
    if percentile == 50:
        return planes(lambda v: ndimage.median_filter(v, size=size, mode="nearest"))
    return planes(lambda v: ndimage.percentile_filter(v, percentile, size=size, mode="nearest"))


def outliers(radius, below, above):
    """The median where a value is that share of white below it, or above."""
    def run(p):
        medians = median(radius, radius)(p)
        differs = (p.v - medians > above * p.full) | (medians - p.v > below * p.full)
        return np.where(differs, medians, p.v)
    return run


def by_magick(operation, flags, words):
    """ImageMagick's weights are means over parts of a pixel, not samples in its middle."""
    if not shutil.which("convert"):
        return []
    made = tool(f"convert under.tif -virtual-pixel edge {words} -depth 16 out.tif", whole_codes=False)
    return [Row(operation, flags, made, "ImageMagick 6", MAGICK, depths=(8,), channels=(1, 3))]


MAGICK = Bound(2, 100, 0)
ROWS = [
    Row("blur", "--sigma 2", weighted(gauss(2)), "scipy gaussian_filter"),
    Row("blur", "--sigma 1.3 --alpha straight", planes(gauss(1.3)), "scipy gaussian_filter"),
    *[Row("blur", f"--sigma 1.5 --border {name}", weighted(gauss(1.5, mode)), "scipy gaussian_filter")
      for name, mode in MODES.items() if name != "clamp"],
    Row("blur", "--sigma 6 --truncate 8 --alpha straight --method fast", planes(gauss(6, truncate=8)), "scipy gaussian_filter", FAST),
    Row("blur", "--sigma 2 --alpha straight", planes(lambda v: filters.gaussian(v, 2, preserve_range=True)), "skimage gaussian"),
    Row("blur", "--sigma 2 --alpha straight", planes(gauss_of_opencv(2)), "cv2.GaussianBlur, doubles"),
    Row("blur", "--sigma 2 --alpha straight", planes(gauss_of_bytes), "cv2.GaussianBlur", ONE_CODE, depths=(8,)),
    *by_magick("blur", "--sigma 2", "-blur 8x2"),
    Row("box", "--radius 3", weighted(box(3, 3)), "scipy uniform_filter"),
    Row("box", "--radius 9,2 --border mirror", weighted(box(9, 2, "mirror")), "scipy uniform_filter"),
    Row("median", "--radius 1", median(1, 1), "scipy median_filter", EXACT),
    Row("median", "--radius 2", median(2, 2), "scipy median_filter", EXACT),
    Row("median", "--radius 6,3", median(6, 3), "scipy median_filter", EXACT),
    Row("median", "--radius 2 --outliers both --threshold 20%", outliers(2, 0.2, 0.2), "scipy median_filter, where it differs", EXACT,
        channels=(1, 3)),
    Row("median", "--radius 1 --outliers bright --threshold 10%", outliers(1, np.inf, 0.1), "scipy median_filter, where it differs", EXACT,
        channels=(1, 3)),
    Row("median", "--radius 3 --percentile 20", median(3, 3, 20), "scipy percentile_filter", EXACT),
    *[Row("morphology", f"--do {name} --radius 3,2", morphed(kind, 3, 2), "cv2.morphologyEx",
          Bound(0, 0, 1e-6 if kind in (cv2.MORPH_GRADIENT, cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT) else 0))
      for name, kind in [("erode", cv2.MORPH_ERODE), ("dilate", cv2.MORPH_DILATE), ("open", cv2.MORPH_OPEN),
                         ("close", cv2.MORPH_CLOSE), ("gradient", cv2.MORPH_GRADIENT),
                         ("tophat", cv2.MORPH_TOPHAT), ("blackhat", cv2.MORPH_BLACKHAT)]],
    Row("morphology", "--do erode --radius 4 --shape disk", grey_morphed(ndimage.grey_erosion, disk(4)),
        "scipy grey_erosion", EXACT),
    Row("morphology", "--do open --radius 2 --shape disk", grey_morphed(opened, disk(2)), "scipy grey_erosion, grey_dilation", EXACT),
    Row("morphology", "--do dilate --radius 3 --shape cross", grey_morphed(ndimage.grey_dilation, cross(3)),
        "scipy grey_dilation", EXACT),
    *[Row("guided", f"--radius {radius} --eps {eps} --border symmetric", guided(guided_plane, radius, eps), "the formula in NumPy",
          CLOSE, second=second) for radius, eps, second in ((14, 0.001, False), (5, 0.02, True))],
    Row("guided", "--radius 3 --eps 0.01 --border symmetric", guided(guided_by_opencv, 3, 0.01), "cv2.ximgproc.guidedFilter",
        Bound(4, 0.1, 5e-5)),
    Row("denoise", "--strength 0.05 --patch 2 --search 4", denoised(0.05, 0, 2, 4), "the definition in NumPy", CLOSE),
    Row("denoise", "--strength 0.1 --noise 0.05 --search 3", denoised(0.1, 0.05, 3, 3), "the definition in NumPy", CLOSE),
    *[Row("bilateral", f"--sigma {sigma} --range {codes}/255 --radius {radius} --border {border}",
          bilateral(sigma, codes, radius, mode), "cv2.bilateralFilter", Bound(1, 0.1, 0), depths=(8,), channels=(1, 3))
      for sigma, codes, radius, border, mode in [(2, 25, 3, "clamp", cv2.BORDER_REPLICATE), (3.5, 40, 5, "mirror", cv2.BORDER_REFLECT_101)]],
    Row("local", "--measure stddev --radius 3", deviation(3), "scipy uniform_filter"),
    Row("local", "--measure variance --radius 6 --border mirror", deviation(6, "mirror", True), "scipy uniform_filter"),
    Row("local", "--measure range --radius 2", extent(2), "scipy maximum_filter, minimum_filter"),
    Row("unsharp", "--sigma 1.5 --amount 0.8 --alpha straight", sharpened(1.5, 0.8, 0), "scipy gaussian_filter"),
    Row("unsharp", "--sigma 1 --threshold 0.031 --alpha straight", sharpened(1, 1, 0.031), "scipy gaussian_filter"),
    Row("unsharp", "--sigma 1.5 --amount 0.8 --alpha straight --border symmetric",
        planes(lambda v: filters.unsharp_mask(v, 1.5, 0.8, preserve_range=True)), "skimage unsharp_mask"),
    Row("unsharp", "--sigma 1.5 --amount 0.8 --alpha straight", planes(sharpened_by_opencv), "cv2.addWeighted, GaussianBlur"),
    *by_magick("unsharp", "--sigma 1.5 --amount 0.8", "-unsharp 6x1.5+0.8+0"),
    Row("sobel", "", colour_planes(gradient(sobel)), "scipy sobel"),
    Row("sobel", "--border wrap", colour_planes(gradient(lambda v, a: sobel(v, a, "wrap"))), "scipy sobel"),
    Row("sobel", "--output x", colour_planes(gradient(sobel, "x")), "scipy sobel"),
    Row("sobel", "--output y", colour_planes(gradient(sobel, "y")), "scipy sobel"),
    Row("sobel", "--output angle", directions, "scipy sobel, arctan2"),
    Row("sobel", "--operator scharr --scale 0.0625", colour_planes(lambda v: gradient(scharr)(v) / 16), "cv2.Scharr"),
    Row("sobel", "--operator prewitt", colour_planes(gradient(prewitt)), "scipy prewitt"),
    Row("laplacian", "", colour_planes(lambda v: np.abs(ndimage.laplace(v, mode="nearest"))), "scipy laplace"),
    Row("laplacian", "--output signed", colour_planes(lambda v: ndimage.laplace(v, mode="nearest")), "scipy laplace"),
    Row("laplacian", "--sigma 1.5 --output signed",
        colour_planes(lambda v: ndimage.gaussian_laplace(v, 1.5, mode="nearest")), "scipy gaussian_laplace"),
    Row("convolve", ["--kernel", kernel_text(BINOMIAL), "--scale", "0.0625"], weighted(convolved(BINOMIAL, 1 / 16)),
        "scipy convolve", shown="--kernel '1 2 1; 2 4 2; 1 2 1' --scale 0.0625"),
    Row("convolve", ["--kernel", kernel_text(EVEN), "--scale", "0.0625", "--border", "symmetric"],
        weighted(convolved(EVEN, 1 / 16, "reflect")), "scipy convolve",
        shown=f"--kernel '{kernel_text(EVEN)}' --scale 0.0625 --border symmetric"),
    Row("convolve", ["--kernel", kernel_text(RANDOM5), "--alpha", "straight"], planes(convolved(RANDOM5)),
        "scipy convolve", shown="--kernel 5x5.txt --alpha straight"),
]
