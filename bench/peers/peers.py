#!/usr/bin/env python3
"""Times what CuPy, torchvision and OpenCV do, so that `glproc bench` can be laid beside them.

  bench/peers/peers.py [--json] [--op scan|histogram|blur|box|integral|equalize] [--library NAME] [--input I]

Libraries that are not installed, or find no GPU, are named on stderr and left out. --json prints the lines of
`glproc bench --json` (schema glproc.bench/1). Each result is verified on the CPU, by sample where the whole would take
long, before it is timed: 15 times, or as often as fits into --seconds. Exit status 1 means that a result was wrong
or that there is no library.
"""

import argparse
import json
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit("peers.py: error: needs NumPy")

SIZES = [(2448, 1505), (8192, 8192)]
COUNTS = [2**20, 2**24, 2**28]
RUNS = 15
WARM_UP_MS = 100


# ---- input and truth --------------------------------------------------------------------------------------------


def made_up(kind, shape, dtype):
    if kind == "constant":
        return np.full(shape, 0x7F7F7F7F & np.iinfo(dtype).max, dtype)
    return np.random.default_rng(1).integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)


def gaussian(sigma, radius):
    weights = np.exp(-(np.arange(-radius, radius + 1) ** 2) / (2 * sigma**2))
    return weights / weights.sum()


def filtered_right(image, result, weights):
    """Whether pixels far enough from the border are within a step and a half of the exact answer: some libraries
    round between the passes. Borders differ from one library to the next and are left out."""
    radius = len(weights) // 2
    height, width = image.shape[:2]
    for part in (0.01, 0.3, 0.62, 0.99):
        y = radius + int(part * (height - 2 * radius - 1))
        x = radius + int((1 - part) * (width - 2 * radius - 1))
        window = image[y - radius : y + radius + 1, x - radius : x + radius + 1].astype(np.float64)
        exact = np.tensordot(weights, np.tensordot(weights, window, (0, 0)), (0, 0))
        if np.abs(result[y, x].astype(np.float64) - exact).max() > 1.5:
            return False
    return True


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


# ---- the libraries: each operation yields (name, least bytes to move, run, verify) ----------------------------------


class Events:
    """Times runs queued one after the other on a GPU."""

    timer = "CUDA events"

    def __init__(self, new_event, elapsed, wait):
        self.new_event, self.elapsed, self.wait = new_event, elapsed, wait

    def times(self, run, runs):
        events = [self.new_event() for _ in range(runs + 1)]
        events[0].record()
        for event in events[1:]:
            run()
            event.record()
        self.wait()
        return sorted(self.elapsed(a, b) for a, b in zip(events, events[1:]))


class Clock:
    timer = "wall clock"

    def times(self, run, runs):
        times = []
        for _ in range(runs):
            begin = time.perf_counter()
            run()
            times.append(1000 * (time.perf_counter() - begin))
        return sorted(times)


class CuPy:
    def __init__(self):
        import cupy
        import cupyx.scipy.ndimage

        self.cp, self.ndimage = cupy, cupyx.scipy.ndimage
        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.device = f"{name}, CuPy {cupy.__version__}"
        cuda = cupy.cuda
        self.clock = Events(cuda.Event, cuda.get_elapsed_time, cuda.Device().synchronize)

    def scan(self, values):
        source = self.cp.asarray(values)
        run = lambda: self.cp.cumsum(source, dtype=self.cp.uint32)
        yield "CuPy cumsum", 2 * values.nbytes, run, lambda: scan_right(values, run().get())

    def histogram(self, rgba, grey):
        source = self.cp.asarray(grey)
        run = lambda: self.cp.histogram(source, 256, (0, 256))[0]
        yield "CuPy histogram, 1 byte a pixel", grey.nbytes, run, lambda: bool((run().get() == counts_of(grey)).all())

    def blur(self, rgba, grey):
        source = self.cp.asarray(grey)
        for sigma in (2, 10, 50):
            run = lambda: self.ndimage.gaussian_filter(source, sigma, mode="nearest")
            weights = gaussian(sigma, 4 * sigma)
            verify = lambda: filtered_right(grey, run().get(), weights)
            yield f"CuPy gaussian_filter sigma {sigma}, 1 channel", 2 * grey.nbytes, run, verify


class TorchVision:
    def __init__(self):
        import torch
        import torchvision.transforms.v2.functional as functional

        if not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no GPU")
        import torchvision

        self.torch, self.blurred = torch, functional.gaussian_blur
        self.device = f"{torch.cuda.get_device_name()}, torchvision {torchvision.__version__}"
        new_event = lambda: torch.cuda.Event(enable_timing=True)
        self.clock = Events(new_event, lambda a, b: a.elapsed_time(b), torch.cuda.synchronize)

    def blur(self, rgba, grey):
        source = self.torch.from_numpy(rgba).cuda().permute(2, 0, 1).contiguous()
        for sigma in (2, 10):
            taps = 6 * sigma + 1
            run = lambda: self.blurred(source, [taps, taps], [float(sigma), float(sigma)])
            weights = gaussian(sigma, 3 * sigma)
            verify = lambda: filtered_right(rgba, run().permute(1, 2, 0).cpu().numpy(), weights)
            yield f"torchvision gaussian_blur sigma {sigma}, {taps} taps", 2 * rgba.nbytes, run, verify


class OpenCV:
    def __init__(self):
        import cv2

        self.cv = cv2
        self.device = f"CPU, {cv2.getNumThreads()} threads, OpenCV {cv2.__version__}"
        self.clock = Clock()

    def blur(self, rgba, grey):
        for sigma in (2, 10, 50):
            taps = 6 * sigma + 1
            run = lambda: self.cv.GaussianBlur(rgba, (taps, taps), sigma, borderType=self.cv.BORDER_REPLICATE)
            weights = gaussian(sigma, 3 * sigma)
            verify = lambda: filtered_right(rgba, run(), weights)
            yield f"OpenCV GaussianBlur sigma {sigma}, {taps} taps", 2 * rgba.nbytes, run, verify

    def box(self, rgba, grey):
        for radius in (5, 15, 100):
            side = 2 * radius + 1
            run = lambda: self.cv.blur(rgba, (side, side), borderType=self.cv.BORDER_REPLICATE)
            verify = lambda: filtered_right(rgba, run(), np.full(side, 1 / side))
            yield f"OpenCV blur radius {radius}", 2 * rgba.nbytes, run, verify

    def histogram(self, rgba, grey):
        run = lambda: self.cv.calcHist([grey], [0], None, [256], [0, 256])
        # calcHist counts in float: whole numbers up to 2^24.
        verify = lambda: bool((run().ravel() == counts_of(grey).astype(np.float32)).all())
        yield "OpenCV calcHist, 1 byte a pixel", grey.nbytes, run, verify

    def integral(self, rgba, grey):
        run = lambda: self.cv.integral(grey)
        yield "OpenCV integral", 5 * grey.nbytes, run, lambda: integral_right(grey, run())

    def equalize(self, rgba, grey):
        run = lambda: self.cv.equalizeHist(grey)
        yield "OpenCV equalizeHist", 2 * grey.nbytes, run, lambda: equalized_right(grey, run())


# ---- measuring and reporting ----------------------------------------------------------------------------------------


def measured(clock, run, seconds):
    spent = last = 0.0
    while spent < WARM_UP_MS:
        last = clock.times(run, 1)[0]
        spent += max(last, 0.1)
    runs = int(min(max(1000 * seconds / last, 1), RUNS))
    if last < WARM_UP_MS:
        run()  # keeps a GPU busy until the first timed run is queued
    return clock.times(run, runs)


def row_of(library, name, least_bytes, run, verify, seconds):
    try:
        verified = bool(verify())
        times = measured(library.clock, run, seconds)
    except Exception as error:  # the library refuses, or memory is short: said in the report, the rest goes on
        return {"name": name, "unavailable": f"{type(error).__name__}: {error}".splitlines()[0]}
    median = times[len(times) // 2]
    return {
        "name": name,
        "ms": {"median": round(median, 6), "min": round(times[0], 6), "max": round(times[-1], 6)},
        "gbps": round(least_bytes / 1e6 / median, 3),
        "verified": verified,
        "timer": library.clock.timer,
        "runs": len(times),
    }


def print_table(report):
    print(f"{report['op']}  {report['size']}  {report['input']}\n{report['device']}\n")
    print(f"{'variant':<48} {'median ms':>9} {'min':>9} {'max':>9} {'runs':>5} {'GB/s':>8}  verified")
    for row in report["variants"]:
        if "unavailable" in row:
            print(f"{row['name']:<48} not run: {row['unavailable']}")
            continue
        ms = row["ms"]
        print(
            f"{row['name']:<48} {ms['median']:9.4f} {ms['min']:9.4f} {ms['max']:9.4f} {row['runs']:5} "
            f"{row['gbps']:8.2f}  {'yes' if row['verified'] else 'NO'}"
        )
    print()


def available(wanted):
    libraries = []
    for library in (CuPy, TorchVision, OpenCV):
        if wanted and library.__name__.lower() != wanted.lower():
            continue
        try:
            libraries.append(library())
        except Exception as error:
            print(f"peers.py: {library.__name__} is left out: {error}", file=sys.stderr)
    return libraries


def inputs(kind, op):
    """The sizes of an operation and what its functions are called with."""
    if op == "scan":
        for count in COUNTS:
            yield count, (made_up(kind, count, np.uint32),)
        return
    for width, height in SIZES:
        rgba = made_up(kind, (height, width, 4), np.uint8)
        yield f"{width}x{height}", (rgba, np.ascontiguousarray(rgba[:, :, 1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ops = ["scan", "histogram", "blur", "box", "integral", "equalize"]
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--op", choices=ops, help="this one alone")
    parser.add_argument("--library", help="CuPy, TorchVision or OpenCV alone")
    parser.add_argument("--input", choices=["random", "constant"], help="this one alone")
    parser.add_argument("--seconds", type=float, default=3, help="the longest that a variant is timed (default 3)")
    options = parser.parse_args()

    libraries = available(options.library)
    all_right = True
    for kind in [options.input] if options.input else ["random", "constant"]:
        for op in [options.op] if options.op else ops:
            if not any(hasattr(library, op) for library in libraries):
                continue
            for size, arguments in inputs(kind, op):
                for library in libraries:
                    if not hasattr(library, op):
                        continue
                    # Each row is measured before the next is made: the closures see this turn's values.
                    rows = [row_of(library, *variant, options.seconds) for variant in getattr(library, op)(*arguments)]
                    all_right = all_right and all(row.get("verified", True) for row in rows)
                    report = {"schema": "glproc.bench/1", "device": library.device, "op": op, "size": size,
                              "input": kind, "variants": rows}
                    if options.json:
                        print(json.dumps(report, separators=(",", ":")), flush=True)
                    else:
                        print_table(report)
    return 0 if libraries and all_right else 1


if __name__ == "__main__":
    sys.exit(main())
