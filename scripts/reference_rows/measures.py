"""Measures and arrays."""
import numpy as np
from skimage import metrics

from .base import EXACT, Bound, Row


def stats_of(p):
    rows = []
    for c in range(p.v.shape[2]):
        v = np.sort(p.v[..., c].ravel())
        n = v.size
        counts = np.bincount(v.astype(np.int64)) if p.bits != 32 else np.ones(1)
        share = counts[counts > 0] / counts.sum()
        row = [n, v[0], v[-1], v.mean(), v.std(), v[(n - 1) // 2], v[(n - 1) // 10], v[(n - 1) * 9 // 10]]
        rows.append(row + ([-(share * np.log2(share)).sum()] if p.bits != 32 else []))
    return np.array(rows)


def stats_figures(report, p):
    names = ["count", "min", "max", "mean", "stddev", "median"]
    def row(c):
        return [c[name] for name in names] + [x["value"] if isinstance(x, dict) else x for x in c["percentiles"]] + (
            [c["entropy"]] if p.bits != 32 else [])
    return np.array([row(c) for c in report["channels"]], float)


def seen(v, other, has_alpha):
    """A pixel that is fully transparent has no colour of its own: it gets the other picture's."""
    hidden = has_alpha & (v[..., -1:] == 0)
    return np.where(hidden & (np.arange(v.shape[2]) < v.shape[2] - 1), other, v)


def compare_of(p, q):
    a, b = seen(p.v, q.v, p.alpha), seen(q.v, p.v, p.alpha)
    b = np.where((p.v[..., -1:] == 0) & (q.v[..., -1:] == 0) & p.alpha, a, b)  # which shows nothing in either
    difference = a - b
    mse = (difference ** 2).mean()
    figures = [mse, 10 * np.log10(p.full ** 2 / mse), np.abs(difference).max()]
    if min(p.v.shape[:2]) >= 11:
        figures.append(metrics.structural_similarity(a, b, data_range=p.full, channel_axis=2, gaussian_weights=True))
    return np.array(figures)


def compare_figures(report, p):
    names = ["mse", "psnr", "max_diff"] + (["ssim"] if min(p.v.shape[:2]) >= 11 else [])
    return np.array([report[name] for name in names], float)


def counts_of(p):
    bins = 64
    inside = [p.colours[..., c] for c in range(3)]
    return np.array([np.histogram(v, bins, (0, p.full))[0] if p.bits == 32 else
                     np.bincount((v.astype(np.int64) * bins // int(p.full)).clip(max=bins - 1).ravel(), minlength=bins)
                     for v in inside], float)


def counts_figures(report, p):
    return np.array([c["counts"] for c in report["channels"]], float)


def wrapped(p, sums):
    return sums if p.bits == 32 else sums % 2 ** 32


ROWS = [
    Row("compare", "--json", compare_of, "NumPy, skimage structural_similarity", Bound(1, 100, 1e-6), result="json",
        figures=compare_figures, second=True),
    Row("stats", "--percentiles 10,90 --json", stats_of, "NumPy", Bound(1, 100, 1e-6), result="json", figures=stats_figures),
    Row("histogram", "--bins 64 --channels r,g,b --json", counts_of, "numpy.histogram", EXACT, channels=(3, 4),
        result="json", figures=counts_figures),
    Row("integral", "--wrap", lambda p: wrapped(p, p.v.cumsum(0).cumsum(1)), "numpy.cumsum", Bound(0, 0, 1e-6), result="out.npy"),
    Row("scan", "--exclusive", lambda p: wrapped(p, np.cumsum(p.v) - p.v.ravel()), "numpy.cumsum", Bound(0, 0, 1e-6), result="out.npy"),
]
