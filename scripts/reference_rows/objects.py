"""What lies in a picture."""
import cv2
import numpy as np
from scipy import ndimage
from skimage.morphology import skeletonize

from .base import EXACT, Bound, Row
from .tone import luma

SAME_FLOATS = Bound(0, 0, 1e-12)


def distances_to(sites):
    """Of every pixel to the nearest site, as floats; SciPy does not say what they are where there is none."""
    if not sites.any():
        return np.full(sites.shape, np.inf)
    return np.float32(ndimage.distance_transform_edt(~sites)).astype(float)


def distance(threshold=None, to_foreground=False, signed=False, most=np.inf):
    def run(p):
        objects = (p.colours != 0).any(2) if threshold is None else luma(p) > threshold * p.full
        sites = objects if to_foreground else ~objects
        found = distances_to(sites)
        found = np.where(sites, -distances_to(~sites), found) if signed else found
        return np.where(np.abs(found) > most, np.copysign(np.inf, found), found)[..., None] * (1 if p.bits == 32 else p.full)
    return run


def skeleton(p):
    return skeletonize((p.colours != 0).any(2))[..., None] * 255.0


def canny(low, high, squared):
    def run(p):
        image = np.ascontiguousarray(p.colours[..., ::-1].astype(np.uint8))  # OpenCV's order of colours
        return cv2.Canny(image, low, high, L2gradient=squared).astype(float)[..., None]
    return run


EDT = "ndimage.distance_transform_edt"
ROWS = [
    Row("distance", "", distance(), EDT, SAME_FLOATS),
    Row("distance", "--threshold 0.5", distance(0.5), EDT, SAME_FLOATS),
    Row("distance", "--threshold 0.9 --nearest foreground", distance(0.9, True), EDT, SAME_FLOATS),
    Row("distance", "--threshold 0.4 --signed --max-distance 9", distance(0.4, signed=True, most=9), EDT, SAME_FLOATS),
    *[Row("canny", f"--low {low} --high {high} --norm {norm}", canny(low, high, norm == "l2"), "cv2.Canny", EXACT, depths=(8,))
      for low, high, norm in ((100, 200, "l1"), (40, 90, "l2"), (700, 300, "l1"))],
    Row("skeleton", "", skeleton, "skimage skeletonize", EXACT, depths=(8,)),
]
