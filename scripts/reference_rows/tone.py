"""Colour and tone."""
import cv2
import numpy as np
from scipy.interpolate import PchipInterpolator
from skimage import filters

from .base import EXACT, ONE_CODE, Bound, Row, colour_planes, colours

REC709 = np.array([2126, 7152, 722]) / 10000
REC601 = np.array([299, 587, 114]) / 1000


def luma(p, weights=REC709):
    """In codes, one channel."""
    c = p.colours
    if c.shape[2] == 1:
        return c[..., 0]
    units = np.rint(weights * 10000)  # so that integers stay exact
    return (c * units).sum(2) / 10000 if p.bits != 32 else (c * weights).sum(2)


def levels(v, black=0.0, white=1.0, gamma=1.0, low=0.0, high=1.0):
    return low + (high - low) * np.clip((v - black) / (white - black), 0, 1) ** (1 / gamma)


def levels_of_red(p):
    done = p.v.copy()
    done[..., 0] = levels(p.v[..., 0] / p.full, low=0.21, high=0.93) * p.full
    return done


def bins_of(p, values):
    """numerics.md: 256 or 65536 bins, the last one closed; of floats those from 0 to 1."""
    count = 256 if p.bits == 8 else 65536
    values = values[(values >= 0) & (values <= p.full)] if p.bits == 32 else values
    return np.minimum(np.floor(values * count / p.full + 1e-9 * (p.bits != 32)), count - 1).astype(np.int64), count


def stretched(p, v, of, percent):
    """v as levels --auto has it by the histogram of `of`, in codes, where halves are exact."""
    bins, count = bins_of(p, of)
    clipped = int(of.size * percent / 100)
    total = np.cumsum(np.bincount(bins.ravel(), minlength=count))
    from_top = np.cumsum(np.bincount(count - 1 - bins.ravel(), minlength=count))
    black = int(np.searchsorted(total, clipped, side="right"))
    white = count - 1 - int(np.searchsorted(from_top, clipped, side="right"))
    if black >= white:
        return np.clip(v, 0, p.full)
    if p.bits == 32:
        black, white = black / count, (white + 1) / count
    return np.clip((v - black) * p.full / (white - black), 0, p.full)


def auto_levels(p):
    return p.with_colours(stretched(p, p.colours, luma(p), 0.1))


def auto_levels_per_channel(p):
    c = p.colours
    return p.with_colours(np.stack([stretched(p, c[..., i], c[..., i], 2) for i in range(c.shape[2])], 2))


CURVE = [(0, 0.05), (0.25, 0.15), (0.6, 0.8), (0.9, 0.85)]


def curve(v):
    x, y = np.array(CURVE).T
    return PchipInterpolator(x, y)(np.clip(v, x[0], x[-1]))


def linear_of(v):
    return np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0.04045) + 0.055) / 1.055) ** 2.4)


def encoded(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.maximum(v, 0.0031308) ** (1 / 2.4) - 0.055)


def turned(v, saturation, degrees):
    """Saturation, and a turn about the grey axis of what is left without luma."""
    if v.shape[2] == 1:
        return v
    grey = np.outer(np.ones(3), REC709)
    a = np.radians(degrees)
    axis = np.ones(3) / np.sqrt(3)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    turn = np.eye(3) + np.sin(a) * cross + (1 - np.cos(a)) * cross @ cross  # Rodrigues
    colour = np.eye(3) - grey
    return v @ (grey + saturation * colour @ turn @ colour).T


def adjusted(v):
    return turned((encoded(linear_of(v) * 2 ** 0.7) - 0.1 - 0.5) * 2 ** 0.6 + 0.5, 1.4, 25)


def matrix(rows):
    m = np.array(rows)
    def run(v):
        v = np.repeat(v, 3, 2) if v.shape[2] == 1 else v
        return v @ m[:, :3].T + (m[:, 3] if m.shape[1] == 4 else 0)
    return run


SEPIA = [[.393, .769, .189], [.349, .686, .168], [.272, .534, .131]]
OFFSETS = [[0.5317, 0.2713, 0, 0.1123], [0, 1.2171, -0.3319, 0], [-0.2111, 0, 0.9719, 0.2337]]


def text_of(rows):
    return ",".join(str(x) for row in rows for x in row)


def grey(weights):
    return lambda p: p.with_colours(luma(p, weights)[..., None])


def split(p, at):
    white = np.where(luma(p) > at, p.full, 0.0)[..., None]
    return p.with_colours(np.repeat(white, p.colours.shape[2], 2))


def counted(p):
    """The luma of pixels that are not fully transparent."""
    return luma(p)[p.v[..., -1] > 0] if p.alpha else luma(p)


def above_bin(p, of_bins):
    """White where luma lies in a bin after the one that `of_bins` names."""
    bins, count = bins_of(p, counted(p))
    return split(p, p.full * (of_bins(bins, count) + 1) / count - 1e-9) if p.bits == 8 else \
        split(p, np.nextafter(p.full * (of_bins(bins, count) + 1) / count, 0))


def nearest_level(levels):
    """Codes as ImageMagick rounds them; floats as their products are rounded."""
    def run(p):
        unit = np.clip(p.colours, 0, p.full) * (levels - 1) / p.full
        nearest = np.floor((np.float32(unit).astype(float) if p.bits == 32 else unit) + 0.5) * p.full / (levels - 1)
        return p.with_colours(nearest if p.bits == 32 else np.floor(nearest + 0.5))
    return run


def cv_threshold(kind):
    return lambda p: above_bin(p, lambda bins, count: cv2.threshold(bins.astype(np.uint8), 0, 255, kind)[0])


def otsu_of_many(p):
    def of_bins(bins, count):
        counts = np.bincount(bins.ravel(), minlength=count)
        return 0 if (counts > 0).sum() < 2 else filters.threshold_otsu(hist=(counts, np.arange(count)))
    return above_bin(p, of_bins)


def multi_otsu(classes):
    """Of 256 bins. scikit-image refuses fewer values than classes, and its sums of 32 bits may miss the best splits of a few pixels."""
    def run(p):
        bins_in = lambda values: np.floor(values * 256 / p.full + 1e-9 * (p.bits != 32))
        values = counted(p)
        inside = values[(values >= 0) & (values <= p.full)]
        counts = np.bincount(np.minimum(bins_in(inside), 255).astype(np.int64), minlength=256)
        if (counts > 0).sum() < classes:
            return np.full(p.v.shape, np.nan)
        splits = filters.threshold_multiotsu(classes=classes, hist=(counts, np.arange(256)))
        level = np.searchsorted(splits, bins_in(luma(p))) * p.full / (classes - 1)
        level = level if p.bits == 32 else np.floor(level + 0.5)
        return p.with_colours(np.repeat(level[..., None], p.colours.shape[2], 2))
    return run


def mean_split(p):
    return above_bin(p, lambda bins, count: int(bins.mean()) if bins.size else 0)


def in_range(p):
    """A bound that is a code counts."""
    low, high = (np.float32(share) if p.bits == 32 else share * p.full for share in (0.2, 0.6))
    c = np.nan_to_num(p.colours, nan=-1)
    mask = cv2.inRange(c, (float(low),) * 4, (float(high),) * 4) if c.shape[2] > 1 else cv2.inRange(c[..., 0], float(low), float(high))
    return p.with_colours(np.repeat(mask[..., None] / 255 * p.full, c.shape[2], 2))


def adaptive(kind, radius, c):
    """cv2.adaptiveThreshold knows 8 bits and one channel."""
    def run(p):
        grey = p.v[..., 0] if p.v.ndim == 3 else p.v
        white = cv2.adaptiveThreshold(grey.astype(np.uint8), 255, kind, cv2.THRESH_BINARY, 2 * radius + 1, c)
        return white[..., None].astype(float) if p.v.ndim == 3 else white.astype(float)
    return run


def sauvola(radius):
    """Undecided within the last bits of the threshold; smaller pictures than the window cannot be mirrored there."""
    def run(p):
        v = p.v[..., 0] / p.full
        if min(v.shape) <= radius:
            return np.full(p.v.shape, np.nan)
        above = v - filters.threshold_sauvola(v, 2 * radius + 1, k=0.2, r=0.5)
        return np.where(np.abs(above) < 1e-5, np.nan, (above > 0) * p.full)[..., None]
    return run


def grey_world(p):
    c = p.colours
    if c.shape[2] == 1:
        return p.v
    light = linear_of(c / p.full)
    counted = light
    if p.bits == 32:  # in steps, and none beyond 0 to 1
        inside = (c >= 0) & (c <= 1)
        counted = np.where(inside, linear_of((np.minimum(np.floor(c * 65536), 65535) + 0.5) / 65536), 0)
        means = counted.sum((0, 1)) / np.maximum(inside.sum((0, 1)), 1)
    else:
        means = counted.mean((0, 1))
    return p.with_colours(encoded(light * np.where(means > 0, means.mean() / np.where(means > 0, means, 1), 1)) * p.full)


def flattened(back):
    def run(p):
        alpha = p.v[..., -1:] / p.full
        return p.colours * alpha + np.array(back) * p.full * (1 - alpha) if p.alpha else p.v
    return run


def clahe(tiles, clip):
    """OpenCV's, on grey."""
    made = cv2.createCLAHE(clip, tiles)

    def run(p):
        return p.with_colours(made.apply(p.v[..., 0].astype(p.dtype)).astype(float)[..., None])
    return run


def equalized(p):
    """numerics.md's table for each colour; cv2.equalizeHist for 8 bits."""
    def plane(v):
        if p.bits == 8:
            return cv2.equalizeHist(v.astype(np.uint8)).astype(float)
        counts = np.bincount(v.astype(np.int64).ravel(), minlength=65536)
        first = counts[counts > 0][0]
        if first == v.size:
            return v
        table = np.rint(p.full * (np.cumsum(counts) - first) / (v.size - first))
        return table[v.astype(np.int64)]
    return colour_planes(plane)(p)


def cube_text(table, size):
    """Red changes fastest."""
    body = "\n".join(" ".join(f"{x:.6f}" for x in table[r, g, b])
                     for b in range(size) for g in range(size) for r in range(size))
    return f"LUT_3D_SIZE {size}\n{body}\n"


def tetrahedral(table):
    """From corner to corner along the axes, the largest fraction first."""
    size = len(table)
    def run(v):
        v = np.repeat(v, 3, 2) if v.shape[2] == 1 else v
        place = np.clip(v, 0, 1) * (size - 1)
        corner = np.minimum(place.astype(int), size - 2)
        rest = place - corner
        order = np.argsort(-rest, axis=2)
        sorted_rest = np.take_along_axis(rest, order, 2)
        done = table[tuple(np.moveaxis(corner, 2, 0))]
        done = done * 1.0
        for step in range(3):
            before = table[tuple(np.moveaxis(corner, 2, 0))]
            np.put_along_axis(corner, order[..., step:step + 1],
                              np.take_along_axis(corner, order[..., step:step + 1], 2) + 1, 2)
            done += (table[tuple(np.moveaxis(corner, 2, 0))] - before) * sorted_rest[..., step:step + 1]
        return done
    return run


CUBE = np.random.default_rng(5).integers(0, 1000001, (5, 5, 5, 3)) / 1e6
RAMP = np.random.default_rng(6).integers(0, 1000001, (7, 3)) / 1e6
FILES = {
    "cube3.cube": cube_text(CUBE, 5),
    "cube1.cube": "LUT_1D_SIZE 7\n" + "\n".join(" ".join(f"{x:.6f}" for x in row) for row in RAMP) + "\n",
}


def ramp(v):
    v = np.repeat(v, 3, 2) if v.shape[2] == 1 else v
    return np.stack([np.interp(v[..., c], np.linspace(0, 1, 7), RAMP[:, c]) for c in range(3)], 2)


ROWS = [
    Row("levels", "--black 0.1 --white 0.8 --gamma 1.4", colours(lambda v: levels(v, 0.1, 0.8, 1.4)), "NumPy"),
    Row("levels", "--channels r --out-black 0.21 --out-white 0.93", levels_of_red, "NumPy", channels=(3, 4)),
    # All pixels of a code whose exact result is a half go up or down together.
    Row("levels", "--auto", auto_levels, "NumPy", ONE_CODE),
    Row("levels", "--auto=2 --per-channel", auto_levels_per_channel, "NumPy", ONE_CODE),
    Row("curve", "--points " + ",".join(f"{x},{y}" for x, y in CURVE), colours(curve), "SciPy PchipInterpolator"),
    Row("adjust", "--exposure 0.7", colours(lambda v: encoded(linear_of(v) * 2 ** 0.7)), "NumPy"),
    Row("adjust", "--saturation 0.3 --hue 200", colours(lambda v: turned(v, 0.3, 200)), "NumPy"),
    Row("adjust", "--exposure 0.7 --brightness -0.1 --contrast 0.3 --saturation 1.4 --hue 25", colours(adjusted), "NumPy"),
    Row("matrix", "--matrix " + text_of(SEPIA), colours(matrix(SEPIA)), "NumPy"),
    Row("matrix", "--matrix=" + text_of(OFFSETS), colours(matrix(OFFSETS)), "NumPy"),
    Row("balance", "--rule gray-world", grey_world, "NumPy"),
    Row("gray", "", grey(REC709), "NumPy", Bound(0, 0, 1e-6)),
    Row("gray", "--luma rec601", grey(REC601), "NumPy", Bound(0, 0, 1e-6)),
    Row("invert", "", colours(lambda v: 1 - v), "NumPy", Bound(0, 0, 1e-6)),
    Row("posterize", "--levels 4", nearest_level(4), "NumPy", Bound(0, 0, 1e-6)),
    Row("posterize", "--levels 7", nearest_level(7), "NumPy", Bound(0, 0, 1e-6)),
    Row("threshold", "--at 0.4", lambda p: split(p, 0.4 * p.full + 1e-9 * (p.bits != 32)), "NumPy", EXACT),
    Row("threshold", "--rule otsu", cv_threshold(cv2.THRESH_OTSU), "cv2.threshold", EXACT, depths=(8,)),
    Row("threshold", "--rule otsu", otsu_of_many, "skimage threshold_otsu", EXACT, depths=(16, 32)),
    Row("threshold", "--rule otsu:3", multi_otsu(3), "skimage threshold_multiotsu", EXACT, depths=(8,)),
    Row("threshold", "--rule otsu:3 --bins 256", multi_otsu(3), "skimage threshold_multiotsu", Bound(0, 0, 1e-7), depths=(16, 32)),
    Row("threshold", "--rule otsu:4", multi_otsu(4), "skimage threshold_multiotsu", EXACT, depths=(8,), few=True),
    Row("threshold", "--rule triangle", cv_threshold(cv2.THRESH_TRIANGLE), "cv2.threshold", EXACT, depths=(8,)),
    Row("threshold", "--rule mean", mean_split, "NumPy", EXACT),
    Row("threshold", "--range 20%,60%", in_range, "cv2.inRange", EXACT),
    Row("threshold", "--local mean --radius 7 --k 0.0392156862745098",
        adaptive(cv2.ADAPTIVE_THRESH_MEAN_C, 7, 10), "cv2.adaptiveThreshold", EXACT, depths=(8,), channels=(1,)),
    Row("threshold", "--local gauss --radius 3 --k 0.0392156862745098",
        adaptive(cv2.ADAPTIVE_THRESH_GAUSSIAN_C, 3, 10), "cv2.adaptiveThreshold", EXACT, depths=(8,), channels=(1,)),
    Row("threshold", "--local sauvola --border mirror", sauvola(7), "skimage threshold_sauvola", EXACT,
        depths=(8, 16), channels=(1,)),
    Row("lut", "--cube cube3.cube", colours(tetrahedral(CUBE)), "NumPy"),
    Row("lut", "--cube cube1.cube", colours(ramp), "numpy.interp"),
    Row("convert", "--alpha add",
        lambda p: p.v if p.alpha else np.concatenate([p.v, np.full_like(p.v[..., :1], p.full)], 2), "NumPy", EXACT),
    Row("convert", "--alpha drop", lambda p: p.colours, "NumPy", EXACT),
    Row("convert", "--alpha flatten:1,0.4,0.2", flattened([1, 0.4, 0.2]), "NumPy", channels=(3, 4)),
    Row("convert", "--alpha flatten:0.4", flattened([0.4]), "NumPy", channels=(1, 2)),
    *[Row("clahe", f"--tiles {across}x{down} --clip {clip:g}", clahe((across, down), clip), "cv2.createCLAHE", EXACT, depths=(8, 16),
          channels=(1, 2)) for across, down, clip in ((8, 8, 2.0), (3, 5, 40.0), (1, 2, 0.0))],
    Row("equalize", "", equalized, "cv2.equalizeHist, NumPy", EXACT, depths=(8, 16), channels=(1, 2)),
    Row("equalize", "--per-channel", equalized, "cv2.equalizeHist, NumPy", EXACT, depths=(8, 16), channels=(3, 4)),
]
