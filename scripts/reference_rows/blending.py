"""Rows of blend: the formulas of W3C in double precision, OpenCV, Pillow, ImageMagick and vips."""
import shutil

import cv2
import numpy as np
from PIL import Image, ImageChops

from .base import EXACT, ONE_CODE, Bound, Row, tool

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


def dodged(b, s):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b <= 0, 0, np.where(s >= 1, 1, np.minimum(1, b / (1 - s))))


def burnt(b, s):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b >= 1, 1, np.where(s <= 0, 0, 1 - np.minimum(1, (1 - b) / s)))


def luma(c):
    return (c * [0.3, 0.59, 0.11]).sum(-1, keepdims=True)


def spread(c):
    return c.max(-1, keepdims=True) - c.min(-1, keepdims=True)


def with_spread(c, wanted):
    own = spread(c)
    return (c - c.min(-1, keepdims=True)) * wanted / np.where(own > 0, own, 1)


def with_luma(c, wanted):
    c = c + (wanted - luma(c))
    least, most = c.min(-1, keepdims=True), c.max(-1, keepdims=True)
    dark, bright = least < -1e-12, most > 1 + 1e-12
    c = np.where(dark, wanted + (c - wanted) * wanted / np.where(dark, wanted - least, 1), c)
    return np.where(bright, wanted + (c - wanted) * (1 - wanted) / np.where(bright, most - wanted, 1), c)


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


def magick(mode):
    return tool(f"convert under.tif over.tif -compose {mode} -composite -depth 16 out.tif", whole_codes=False)


def vips(mode):
    return tool(f"vips composite2 under.tif over.tif out.tif {mode}")


def row(flags, reference, against, bound, depths=(8, 16, 32), channels=(1, 2, 3, 4)):
    return Row("blend", flags, reference, against, bound, depths=depths, channels=channels, second=True, few=flags != "")


def plus(p, other):
    """Alpha is at most 1, and divides the colours."""
    done = composed(lambda ab, top: 1.0, lambda ab, top: 1.0)(p, other)
    if p.alpha:
        alpha = (p.v[..., -1:] + other.v[..., -1:]) / p.full
        done[..., :-1] *= np.maximum(alpha, 1)
        done[..., -1:] = np.minimum(alpha, 1) * p.full
        return np.round(done, 9)
    return p.colours + other.colours


def rows_of_modes():
    """Every mode of W3C: by its formula in double precision, by ImageMagick and by vips. These have other formulas for the modes of
    hue and saturation, vips for atop, too, and for colours that mix where an image is half transparent."""
    one = lambda ab, top: 1.0
    operators = {"in": (lambda ab, top: ab, lambda ab, top: 0.0), "out": (lambda ab, top: 1 - ab, lambda ab, top: 0.0),
                 "atop": (lambda ab, top: ab, lambda ab, top: 1 - top), "xor": (lambda ab, top: 1 - ab, lambda ab, top: 1 - top)}
    mixing = {"multiply": lambda b, s: b * s, "screen": lambda b, s: b + s - b * s, "overlay": lambda b, s: hard_light(s, b),
              "darken": np.minimum, "lighten": np.maximum, "color-dodge": dodged, "color-burn": burnt, "hard-light": hard_light,
              "soft-light": soft_light, "difference": lambda b, s: abs(b - s), "exclusion": lambda b, s: b + s - 2 * b * s}
    of_colours = {"hue": lambda b, s: with_luma(with_spread(s, spread(b)), luma(b)),
                  "saturation": lambda b, s: with_luma(with_spread(b, spread(s)), luma(b)),
                  "color": lambda b, s: with_luma(s, luma(b)), "luminosity": lambda b, s: with_luma(b, luma(s))}
    rows = [row("", on_top(), BLEND, CODES), row("--opacity 0.25", on_top(opacity=0.25), BLEND, CODES), row("--mode plus", plus, BLEND, CODES)]
    rows += [row(f"--mode {mode}", composed(*weights), BLEND, CODES, channels=(2, 4)) for mode, weights in operators.items()]
    rows += [row(f"--mode {mode}", on_top(mixed), BLEND, CODES) for mode, mixed in mixing.items()]
    # Products of 16 bits are beyond 2^53 there: a value halfway between two codes may become the odd one.
    rows += [row(f"--mode {mode}", on_top(mixed), BLEND, bound, depths=depths, channels=(3, 4)) for mode, mixed in of_colours.items()
             for bound, depths in ((CODES, (8, 32)), (ONE_CODE, (16,)))]
    if shutil.which("convert"):
        rows += [row(f"--mode {mode}", magick(mode.replace("-", "").replace("over", "src-over") if mode != "overlay" else mode), "ImageMagick 6", ONE_CODE,
                     depths=(8, 16), channels=(4,) if mode in operators else (3, 4)) for mode in ("over", *operators, *mixing)]
    if shutil.which("vips"):
        rows += [row(f"--mode {mode}", vips(mode), "vips composite2", ONE_CODE, depths=(8,), channels=(4,)) for mode in ("over", *(set(operators) - {"atop"}))]
        rows += [row(f"--mode {mode}", vips(mode.replace("color", "colour")), "vips composite2", ONE_CODE, depths=(8,), channels=(3,))
                 for mode in mixing]
    return rows


BLEND = "NumPy, by the formulas of W3C"
ROWS = [
    *rows_of_modes(),
    row("", pillow(Image.alpha_composite), "PIL alpha_composite", ONE_CODE, depths=(8,), channels=(4,)),
    row("--mode multiply", pillow(ImageChops.multiply), "PIL ImageChops.multiply", ONE_CODE, depths=(8,), channels=(1, 3)),
    row("--mode screen", pillow(ImageChops.screen), "PIL ImageChops.screen", ONE_CODE, depths=(8,), channels=(1, 3)),
    row("--mode overlay", pillow(ImageChops.overlay), "PIL ImageChops.overlay", ONE_CODE, depths=(8,), channels=(1, 3)),
    row("--mode sum:0.7,0.2,10/255", values(lambda a, b: cv2.addWeighted(a, 0.7, b, 0.2, 10)), "cv2.addWeighted", ONE_CODE, depths=(8,)),
    row("--mode sum:0.5,0.5,0", values(lambda a, b: cv2.addWeighted(a, 0.5, b, 0.5, 0)), "cv2.addWeighted", CODES),
    row("--mode subtract", values(cv2.subtract), "cv2.subtract", CODES),
    row("--mode difference", values(cv2.absdiff), "cv2.absdiff", CODES, channels=(1, 3)),
    row("--mode divide", values(lambda a, b: cv2.divide(a, b, scale=255)), "cv2.divide", ONE_CODE, depths=(8,)),
    row("--mode min", values(cv2.min), "cv2.min", EXACT),
    row("--mode max", values(cv2.max), "cv2.max", EXACT),
    row("--mode and", values(cv2.bitwise_and), "cv2.bitwise_and", EXACT, depths=(8, 16)),
    row("--mode or", values(cv2.bitwise_or), "cv2.bitwise_or", EXACT, depths=(8, 16)),
    row("--mode exclusive-or", values(cv2.bitwise_xor), "cv2.bitwise_xor", EXACT, depths=(8, 16)),
]
