"""The programs in examples/ that are written in Python."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import glproc

ROOT = Path(__file__).resolve().parent.parent.parent


def run(name, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(Path(glproc.__file__).parent.parent)}
    command = [sys.executable, "-B", ROOT / "examples" / name, *arguments]
    return subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True).stdout


@pytest.mark.parametrize("store", ["memmap", "zarr"])
def test_a_volume_in_parts(tmp_path, store):
    pytest.importorskip("dask.array")
    if store == "zarr":
        pytest.importorskip("zarr")
    words = run("volume.py", tmp_path, "--shape", "140", "150", "260", "--check", *(["--zarr"] if store == "zarr" else []))
    assert "the part in the middle is the same" in words
    if store == "memmap":
        mask = numpy.load(tmp_path / "mask.npy")
        assert f"{mask.sum()} bright values" in words and 0 < mask.sum() < mask.size / 10


def test_scikit_image_on_glproc(monkeypatch):
    for module in ("skimage", "scipy"):
        pytest.importorskip(module)
    assert "the same bits" in run("skimage_on_glproc.py", "data/sample.png")
    spec = importlib.util.spec_from_file_location("skimage_on_glproc", ROOT / "examples/skimage_on_glproc.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    import scipy.ndimage
    import skimage.filters

    from glproc import ndimage

    calls = []
    ours = ndimage.gaussian_filter
    monkeypatch.setattr(ndimage, "gaussian_filter", lambda *arguments, **named: calls.append(1) or ours(*arguments, **named))
    theirs = scipy.ndimage.gaussian_filter
    with example.glproc_filters():
        skimage.filters.gaussian(numpy.zeros((70, 70)), sigma=2)
    assert calls and scipy.ndimage.gaussian_filter is theirs


def test_objects():
    pytest.importorskip("scipy")
    words = run("objects.py", "--shape", "20", "30", "40", "--runs", "1")
    photo, volume = words.splitlines()
    for line in (photo, volume):
        assert "the same bits" in line and int(line.split(": ")[1].split(" objects")[0]) > 1


def test_times_beside_others():
    """A line for each function, shape and type, with as many cells as the head has."""
    build = Path(glproc.__file__).parent.parent.parent
    command = [sys.executable, "-B", ROOT / "scripts/scipy_peers", "--build", build, "--shapes", "40x50,9x10x11", "--seconds", "0"]
    lines = subprocess.run([*command, "--types", "uint16"], check=True, capture_output=True, text=True).stdout.splitlines()
    head, _, *rows = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
    assert len(rows) == 20 and all(len(row) == len(head) for row in rows)
    if "scipy" in lines[0]:
        assert {row[-1 if " cupy differ " not in head else -2].strip() for row in rows} == {"0"}
