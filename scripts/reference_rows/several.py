"""Rows of operations that join pictures, or take their channels."""
import numpy as np
from skimage import color

from .base import CLOSE, EXACT, Row, colours


def appended(down):
    """The same image twice, with 3 black or transparent pixels between."""
    def run(p, other):
        gap = np.zeros((3, p.v.shape[1], p.v.shape[2]) if down else (p.v.shape[0], 3, p.v.shape[2]))
        return np.concatenate([p.v, gap, other.v], 0 if down else 1)
    return run


def on_a_sheet(p, other):
    """Both images, with 3 white pixels between and around them."""
    height, width, channels = p.v.shape
    sheet = np.full((height + 6, 2 * width + 9, channels), p.full)
    for image, x in ((p.v, 3), (other.v, width + 6)):
        sheet[3:3 + height, x:x + width] = image
    return sheet


def stains(matrix):
    return colours(lambda v: color.separate_stains(v, matrix))


ROWS = [
    Row("channels", "--order bgr", lambda p: p.v[..., [2, 1, 0]], "NumPy", EXACT, channels=(3, 4)),
    Row("channels", "--order a1", lambda p: np.concatenate([p.v[..., -1:], np.full_like(p.v[..., :1], p.full)], 2), "NumPy", EXACT, channels=(2, 4)),
    *[Row("channels", f"--stains {name}", stains(matrix), "skimage separate_stains", CLOSE, channels=(3, 4))
      for name, matrix in (("hed", color.hed_from_rgb), ("hdab", color.hdx_from_rgb))],
    Row("channels", "--extract g", lambda p: p.v[..., 1:2] if p.v.shape[2] > 2 else p.v[..., :1], "NumPy", EXACT),
    Row("montage", lambda p: "--gap 3 --cell {1}x{0}".format(*p.v.shape), on_a_sheet, "NumPy", EXACT, second=True, joins=True,
        shown="--gap 3 --cell WxH"),
    Row("merge", "", lambda p, other: np.concatenate([p.v, other.v], 2), "numpy.dstack", EXACT, channels=(1,), second=True, joins=True),
    Row("append", "--gap 3", appended(False), "numpy.concatenate", EXACT, second=True, joins=True),
    Row("append", "--gap 3 --direction down", appended(True), "numpy.concatenate", EXACT, second=True, joins=True),
]
