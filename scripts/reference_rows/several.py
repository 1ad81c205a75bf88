"""Rows of operations that read further pictures."""
import cv2
import numpy as np
from PIL import Image, ImageChops

from .base import EXACT, ONE_CODE, Bound, Row

CODES = Bound(0, 0, 1e-6)


def composed(fa, fb, mixed=lambda b, s: s, opacity=1.0):
    """W3C's formulas in double precision."""
    def run(p, other):
        has_alpha = p.alpha
        b, ab = p.colours / p.full, (p.v[..., -1:] / p.full if has_alpha else 1.0)
        s, top = other.colours / p.full, (other.v[..., -1:] / p.full if has_alpha else 1.0) * opacity
        ab, top = np.broadcast_to(ab, b[..., :1].shape), np.broadcast_to(top, b[..., :1].shape)
        wa, wb = fa(ab, top) * top, fb(ab, top) * ab
        alpha = wa + wb
        colour = (wa * ((1 - ab) * s + ab * mixed(b, s)) + wb * b) / np.where(alpha > 0, alpha, 1)
        colour = np.round(colour * p.full, 9)  # ties that doubles miss
        return p.with_colours(colour) if not has_alpha else np.concatenate([colour, np.round(alpha * p.full, 9)], 2)
    return run


def on_top(mixed=lambda b, s: s, opacity=1.0):
    return composed(lambda ab, top: 1.0, lambda ab, top: 1 - top, mixed, opacity)


def soft_light(b, s):
    bent = np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(b))
    return np.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (bent - b))


def hard_light(b, s):
    return np.where(s <= 0.5, 2 * b * s, b + (2 * s - 1) - b * (2 * s - 1))


def values(f):
    """Of colours as an array of their type; alpha is kept."""
    return lambda p, other: p.with_colours(f(p.colours.astype(p.dtype), other.colours.astype(p.dtype)).reshape(p.colours.shape))


def pillow(f):
    def run(p, other):
        mode = {1: "L", 3: "RGB", 4: "RGBA"}[p.v.shape[2]]
        a, b = (Image.fromarray(np.ascontiguousarray(v[..., 0] if mode == "L" else v).astype(np.uint8), mode)
                for v in (p.v, other.v))
        done = np.asarray(f(a, b)).reshape(p.v.shape).astype(float)
        if p.alpha:
            done[done[..., -1] == 0] = np.nan  # what is transparent has no colour
        return done
    return run


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


BLEND = "NumPy, by the formulas of W3C"
ROWS = [
    Row("blend", "", on_top(), BLEND, CODES, second=True),
    Row("blend", "--opacity 0.25", on_top(opacity=0.25), BLEND, CODES, second=True),
    Row("blend", "--mode atop", composed(lambda ab, top: ab, lambda ab, top: 1 - top), BLEND, CODES, channels=(2, 4), second=True),
    Row("blend", "--mode xor", composed(lambda ab, top: 1 - ab, lambda ab, top: 1 - top), BLEND, CODES, channels=(2, 4), second=True),
    Row("blend", "--mode multiply", on_top(lambda b, s: b * s), BLEND, CODES, second=True),
    Row("blend", "--mode screen", on_top(lambda b, s: b + s - b * s), BLEND, CODES, second=True),
    Row("blend", "--mode overlay", on_top(lambda b, s: hard_light(s, b)), BLEND, CODES, second=True),
    Row("blend", "--mode soft-light", on_top(soft_light), BLEND, CODES, second=True),
    Row("blend", "--mode difference", on_top(lambda b, s: abs(b - s)), BLEND, CODES, second=True),
    Row("blend", "", pillow(Image.alpha_composite), "PIL alpha_composite", ONE_CODE, depths=(8,), channels=(4,), second=True),
    Row("blend", "--mode multiply", pillow(ImageChops.multiply), "PIL ImageChops.multiply", ONE_CODE, depths=(8,), channels=(1, 3), second=True),
    Row("blend", "--mode screen", pillow(ImageChops.screen), "PIL ImageChops.screen", ONE_CODE, depths=(8,), channels=(1, 3), second=True),
    Row("blend", "--mode overlay", pillow(ImageChops.overlay), "PIL ImageChops.overlay", ONE_CODE, depths=(8,), channels=(1, 3), second=True),
    Row("blend", "--mode sum:0.7,0.2,10/255", values(lambda a, b: cv2.addWeighted(a, 0.7, b, 0.2, 10)), "cv2.addWeighted", ONE_CODE, depths=(8,), second=True),
    Row("blend", "--mode sum:0.5,0.5,0", values(lambda a, b: cv2.addWeighted(a, 0.5, b, 0.5, 0)), "cv2.addWeighted", CODES, second=True),
    Row("blend", "--mode subtract", values(cv2.subtract), "cv2.subtract", CODES, second=True),
    Row("blend", "--mode difference", values(cv2.absdiff), "cv2.absdiff", CODES, channels=(1, 3), second=True),
    Row("blend", "--mode divide", values(lambda a, b: cv2.divide(a, b, scale=255)), "cv2.divide", ONE_CODE, depths=(8,), second=True),
    Row("blend", "--mode min", values(cv2.min), "cv2.min", EXACT, second=True),
    Row("blend", "--mode max", values(cv2.max), "cv2.max", EXACT, second=True),
    Row("blend", "--mode and", values(cv2.bitwise_and), "cv2.bitwise_and", EXACT, depths=(8, 16), second=True),
    Row("blend", "--mode or", values(cv2.bitwise_or), "cv2.bitwise_or", EXACT, depths=(8, 16), second=True),
    Row("blend", "--mode exclusive-or", values(cv2.bitwise_xor), "cv2.bitwise_xor", EXACT, depths=(8, 16), second=True),
    Row("channels", "--order bgr", lambda p: p.v[..., [2, 1, 0]], "NumPy", EXACT, channels=(3, 4)),
    Row("channels", "--order a1", lambda p: np.concatenate([p.v[..., -1:], np.full_like(p.v[..., :1], p.full)], 2), "NumPy", EXACT, channels=(2, 4)),
    Row("channels", "--extract g", lambda p: p.v[..., 1:2] if p.v.shape[2] > 2 else p.v[..., :1], "NumPy", EXACT),
    Row("montage", lambda p: "--gap 3 --cell {1}x{0}".format(*p.v.shape), on_a_sheet, "NumPy", EXACT, second=True, joins=True,
        shown="--gap 3 --cell WxH"),
    Row("merge", "", lambda p, other: np.concatenate([p.v, other.v], 2), "numpy.dstack", EXACT, channels=(1,), second=True, joins=True),
    Row("append", "--gap 3", appended(False), "numpy.concatenate", EXACT, second=True, joins=True),
    Row("append", "--gap 3 --direction down", appended(True), "numpy.concatenate", EXACT, second=True, joins=True),
]
