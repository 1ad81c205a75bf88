"""The calls that the pages of operations show run as they stand."""

import pathlib
import sys

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import site_registry  # noqa: E402

import glproc  # noqa: E402

OPERATIONS = [op for _, its in site_registry.sections(site_registry.reference()) for op in its]


def test_all_are_shown():
    assert {op.name for op in OPERATIONS} == set(glproc.operations) | {"compare", "split", "merge", "append", "montage"}


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.name)
def test_call(op, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "look.cube").write_text("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n")
    photo = numpy.random.default_rng(1).integers(0, 256, (90, 110, 3), numpy.uint8)
    other = photo[::-1].copy()
    images = [photo[..., channel].copy() for channel in range(3)] if op.name == "merge" else [photo, other, photo]
    names = {"glproc": glproc, "photo": photo, "other": other, "logo": other[:20, :20], "first": images[0], "second": images[1],
             "third": images[2], "values": numpy.arange(9, dtype=numpy.uint32)}
    exec(op.python(), names)
