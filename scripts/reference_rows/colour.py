"""Rows of color and profile: other colour spaces."""
import ctypes
import ctypes.util
import pathlib

import cv2
import numpy as np
from skimage import color

from .base import ONE_CODE, Bound, Row
from .tone import encoded, linear_of

BOUND = Bound(1, 0.1, 1e-5)
SCALES = {  # codes of 8 bits from values as they are
    "lab": ([2.55, 1, 1], [0, 128, 128]),
    "luv": ([2.55, 255 / 354, 255 / 262], [0, 134 * 255 / 354, 140 * 255 / 262]),
    "hsv": ([0.5, 255, 255], [0, 0, 0]),
    "xyz": ([255, 255, 255], [0, 0, 0]),
}


def skimage(space, f):
    """Of floats and of codes of 8 bits."""
    def run(p):
        values = f(p.colours / p.full)
        if space == "hsv":
            values = values * [360, 1, 1]
        values[..., 0] = np.where((p.bits == 8) & (values[..., 0] >= 359 - 1e-9), 0, values[..., 0])
        if p.bits == 32:
            return p.with_colours(values)
        factor, offset = SCALES[space]
        return p.with_colours(values * factor + offset)
    return run


def opencv(code, order=(0, 1, 2)):
    return lambda p: p.with_colours(cv2.cvtColor(np.ascontiguousarray(p.colours).astype(p.dtype), code)[..., order].astype(float))


def opencv_hsl():
    """OpenCV leaves some hues at 180, which is 0."""
    def run(p):
        done = opencv(cv2.COLOR_RGB2HLS, (0, 2, 1))(p)
        if p.bits == 8:
            done[..., 0] %= 180
        return done
    return run


def opencv_floats(code, space):
    factor, offset = SCALES[space]
    return lambda p: p.with_colours(cv2.cvtColor(np.float32(p.colours / p.full), code).astype(float) * factor + offset)


def display_p3(p):
    """CSS Color 4. Profiles hold the primaries with 16 bits behind the point."""
    matrix = np.array([[0.8224621, 0.177538, 0], [0.0331941, 0.9668058, 0], [0.0170827, 0.0723974, 0.9105199]])
    return p.with_colours(encoded(linear_of(p.colours / p.full) @ matrix.T) * p.full)


def lab_of_codes(p):
    """In slices, for memory. Of floats of the program, values as they are; they are divided by 255 once more."""
    return np.concatenate([color.rgb2lab(rows / 255) * 255 for rows in np.array_split(p.v, 64)])


PROFILES = pathlib.Path("/usr/share/color/icc")  # icc-profiles-free: of RGB it has matrices, no tables
FLOATS_OF_RGB = 1 << 22 | 4 << 16 | 3 << 3 | 4  # TYPE_RGB_FLT


def little_cms(source, target):
    """Its transform of floats, perceptually."""
    def run(p):
        lcms = ctypes.CDLL(ctypes.util.find_library("lcms2"))
        lcms.cmsOpenProfileFromFile.restype = lcms.cmsCreateTransform.restype = ctypes.c_void_p
        profiles = [ctypes.c_void_p(lcms.cmsOpenProfileFromFile(str(PROFILES / name).encode(), b"r")) for name in (source, target)]
        transform = ctypes.c_void_p(lcms.cmsCreateTransform(profiles[0], FLOATS_OF_RGB, profiles[1], FLOATS_OF_RGB, 0, 0))
        colours = np.ascontiguousarray(p.colours / p.full, np.float32)
        done = np.empty_like(colours)
        lcms.cmsDoTransform(transform, colours.ctypes.data_as(ctypes.c_void_p), done.ctypes.data_as(ctypes.c_void_p),
                            colours.shape[0] * colours.shape[1])
        lcms.cmsDeleteTransform(transform)
        return p.with_colours(done.astype(float) * p.full)
    return run


def profile_rows():
    ways = [("sRGB.icc", "compatibleWithAdobeRGB1998.icc"), ("compatibleWithAdobeRGB1998.icc", "sRGB.icc"), ("CineonLog_M.icc", "sRGB.icc"),
            ("LStar-RGB.icc", "compatibleWithAdobeRGB1998.icc"), ("sRGB.icc", "LStar-RGB.icc")]
    return [Row("profile", f"--from {PROFILES / source} --to {PROFILES / target} --floats srgb", little_cms(source, target), "Little CMS 2, floats",
                ONE_CODE, channels=(3, 4), shown=f"{source} to {target}") for source, target in ways if (PROFILES / source).exists()]


def row(flags, reference, against, bound=BOUND, depths=(8, 32)):
    return Row("color", flags, reference, against, bound, depths=depths, channels=(3, 4))


ROWS = [
    row("--space lab", skimage("lab", color.rgb2lab), "skimage.color.rgb2lab"),
    row("--space luv", skimage("luv", color.rgb2luv), "skimage.color.rgb2luv", Bound(1, 0.1, 2e-5)),
    row("--space xyz", skimage("xyz", color.rgb2xyz), "skimage.color.rgb2xyz"),
    row("--space hsv", skimage("hsv", color.rgb2hsv), "skimage.color.rgb2hsv", Bound(1, 2, 1e-5)),  # half hues are ties
    row("--space lab", opencv_floats(cv2.COLOR_RGB2LAB, "lab"), "cv2.cvtColor of floats", Bound(1, 100, 0), (8,)),
    # Its way for 8 bits has tables of its own.
    row("--space lab", opencv(cv2.COLOR_RGB2LAB), "cv2.cvtColor", Bound(3, 100, 0), (8,)),
    row("--space luv", opencv(cv2.COLOR_RGB2LUV), "cv2.cvtColor", Bound(1, 100, 0), (8,)),
    row("--space hsv", opencv(cv2.COLOR_RGB2HSV), "cv2.cvtColor", Bound(1, 100, 0), (8,)),
    row("--space hsl", opencv_hsl(), "cv2.cvtColor", Bound(1, 100, 1e-5)),
    row("--space ycbcr", opencv(cv2.COLOR_RGB2YCrCb, (0, 2, 1)), "cv2.cvtColor", Bound(1, 100, 1e-3)),
    Row("color", "--space lab --depth f32", lab_of_codes, "skimage.color.rgb2lab, all 2^24 codes", Bound(0, 0, 1e-5), depths=(8,), channels=(3,), every_code=True),
    Row("color", "color --space lab then color --space srgb --from lab --depth f32", lambda p: p.v, "the image itself, all 2^24 codes", Bound(0, 0, 2e-6),
        depths=(8,), channels=(3,), every_code=True, command="pipe", shown="lab, then back in floats"),
    Row("profile", "--to display-p3", display_p3, "NumPy", Bound(1, 1, 0), depths=(8,), channels=(3, 4)),
    *profile_rows(),
]
