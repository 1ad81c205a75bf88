#!/usr/bin/env python3
"""Times what CuPy, torchvision and OpenCV do, so that `glproc bench` can be laid beside them.

  bench/peers/peers.py [--json] [--op OP] [--library NAME] [--input random|constant] [--size 8192x8192] [--seconds S]

Libraries that are not installed, or find no GPU, are named on stderr and left out. --json prints the lines of
`glproc bench --json` (schema glproc.bench/1). Each result is verified on the CPU, by sample where the whole would take
long, before it is timed: 15 times, or as often as fits into --seconds. Exit status 1 means that a result was wrong
or that there is no library.
"""

import argparse
import json
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("peers.py: error: needs NumPy")

from libraries import CuPy, OpenCV, TorchVision
from truth import made_up

OPS = ["scan", "histogram", "blur", "box", "integral", "equalize", "levels", "sobel", "laplacian", "unsharp", "median",
       "morphology", "convolve", "resize"]
SIZES = [(2448, 1505), (8192, 8192)]
COUNTS = [2**20, 2**24, 2**28]
RUNS = 15
WARM_UP_MS = 100


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


def inputs(kind, op, wanted):
    """The sizes of an operation and what its functions are called with."""
    if op == "scan":
        for count in COUNTS:
            if wanted in ("", str(count)):
                yield count, (made_up(kind, count, np.uint32),)
        return
    for width, height in SIZES:
        if wanted not in ("", f"{width}x{height}"):
            continue
        rgba = made_up(kind, (height, width, 4), np.uint8)
        yield f"{width}x{height}", (rgba, np.ascontiguousarray(rgba[:, :, 1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--op", choices=OPS, help="this one alone")
    parser.add_argument("--library", help="CuPy, TorchVision or OpenCV alone")
    parser.add_argument("--input", choices=["random", "constant"], help="this one alone")
    parser.add_argument("--size", default="", help="this one alone: 2448x1505 or 8192x8192, of scan a number")
    parser.add_argument("--seconds", type=float, default=3, help="the longest that a variant is timed (default 3)")
    options = parser.parse_args()

    libraries = available(options.library)
    all_right = True
    for kind in [options.input] if options.input else ["random", "constant"]:
        for op in [options.op] if options.op else OPS:
            if not any(hasattr(library, op) for library in libraries):
                continue
            for size, arguments in inputs(kind, op, options.size):
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
