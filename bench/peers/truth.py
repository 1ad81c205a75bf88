"""Made-up input, and what the results have to be."""

import numpy as np


def made_up(kind, shape, dtype):
    if kind == "constant":
        return np.full(shape, 0x7F7F7F7F & np.iinfo(dtype).max, dtype)
    return np.random.default_rng(1).integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)


def gaussian(sigma, radius):
    weights = np.exp(-(np.arange(-radius, radius + 1) ** 2) / (2 * sigma**2))
    return weights / weights.sum()


def right_at(image, result, radius, exact, tolerance):
    """Whether pixels far enough from the border are what `exact` makes of the square around them. Borders differ from one
    library to the next and are left out."""
    height, width = image.shape[:2]
    for part in (0.01, 0.3, 0.62, 0.99):
        y = radius + int(part * (height - 2 * radius - 1))
        x = radius + int((1 - part) * (width - 2 * radius - 1))
        window = image[y - radius : y + radius + 1, x - radius : x + radius + 1].astype(np.float64)
        if np.abs(result[y, x].astype(np.float64) - exact(window)).max() > tolerance:
            return False
    return True


def filtered_right(image, result, weights):
    """By the same weights along both axes, within a step and a half: some libraries round between the passes."""
    exact = lambda window: np.tensordot(weights, np.tensordot(weights, window, (0, 0)), (0, 0))
    return right_at(image, result, len(weights) // 2, exact, 1.5)


def square_kernel(side):
    """Half turns leave it as it is, so that it does not matter which way round a library takes it; of full rank."""
    j, i = np.mgrid[-(side // 2) : side // 2 + 1, -(side // 2) : side // 2 + 1]
    square = 2 + np.cos(1.7 * i * j) + np.sin(0.9 * i) * np.sin(0.4 * j)
    return square / square.sum()


def weighed_right(image, result, square, tolerance=1.0):
    exact = lambda window: np.tensordot(square, window, ((0, 1), (0, 1)))
    lowest, highest = (0, 255) if result.dtype == np.uint8 else (-np.inf, np.inf)
    return right_at(image, result, len(square) // 2, lambda window: exact(window).clip(lowest, highest), tolerance)


def ranked_right(image, result, radius, rank):
    """`rank` of the sorted values, from 0 (the least) to 1."""
    exact = lambda window: np.quantile(window, rank, axis=(0, 1), method="nearest")
    return right_at(image, result, radius, exact, 0)


def mean_right(image, result):
    """Shrunk to a whole fraction: each pixel is the mean of what it covers."""
    factor = image.shape[0] // result.shape[0]
    for y, x in ((0, 0), (result.shape[0] // 3, result.shape[1] // 2), (result.shape[0] - 1, result.shape[1] - 1)):
        block = image[y * factor : (y + 1) * factor, x * factor : (x + 1) * factor]
        if np.abs(result[y, x] - block.mean(axis=(0, 1))).max() > 1:
            return False
    return True


def gamma_right(image, result, gamma):
    some = (slice(None, None, 37), slice(None, None, 41))
    exact = 255 * (image[some] / 255.0) ** gamma
    return bool(np.abs(result[some] - exact).max() <= 1)


def scan_right(values, result):
    return bool((np.cumsum(values, dtype=np.uint32) == result).all())


def counts_of(grey):
    return np.bincount(grey.ravel(), minlength=256)


def integral_right(grey, result):
    """OpenCV's has a row and a column more; sums are modulo 2^32."""
    for y, x in ((203, 301), grey.shape):
        if (int(result[y, x]) - int(grey[:y, :x].sum(dtype=np.int64))) % 2**32 != 0:
            return False
    return not result[0].any()


def equalized_right(grey, result):
    counts = counts_of(grey)
    lowest = counts[np.flatnonzero(counts)[0]]
    if lowest == grey.size:
        return bool((result == grey).all())
    table = np.round(255 * (np.cumsum(counts) - lowest) / (grey.size - lowest)).clip(0, 255)
    some = (slice(None, None, 17), slice(None, None, 13))
    return bool((np.abs(table[grey[some]] - result[some]) <= 1).all())
