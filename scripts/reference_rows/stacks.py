"""Rows of operations over a stack of pictures, and of histograms that are matched."""
import numpy as np
from skimage import exposure

from .base import EXACT, ONE_CODE, Bound, Row

CODES = Bound(0, 0, 1e-6)


def stacked(by):
    """Rounded to nine digits: means of codes are ties more often than doubles say."""
    return lambda p, other: np.round(by(np.stack([p.v, other.v]), axis=0), 9)


def matched(p, other):
    return p.with_colours(exposure.match_histograms(p.colours.astype(p.dtype), other.colours.astype(p.dtype), channel_axis=2).astype(float))


ROWS = [
    Row("stack", "--by mean", stacked(np.mean), "numpy.mean", CODES, second=True, joins=True),
    Row("stack", "--by median", stacked(np.median), "numpy.median", CODES, second=True, joins=True),
    Row("stack", "--by max", lambda p, other: np.maximum(p.v, other.v), "numpy.maximum", EXACT, second=True, joins=True),
    Row("match", "", matched, "skimage match_histograms", ONE_CODE, depths=(8, 16), second=True),
]
