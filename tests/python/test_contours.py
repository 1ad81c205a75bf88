"""Outlines as a dict, where there is OpenGL and where there is none."""

import os
import subprocess
import sys

import numpy
import pytest

import glproc

RING = numpy.zeros((6, 7), "uint8")
RING[1:4, 1:4] = 255
RING[2, 2] = 0
RING[5, 6] = 1


def test_outlines_have_points_and_hierarchy():
    report = glproc.contours(RING, simplify=True)
    assert (report["schema"], report["width"], report["height"], report["count"]) == ("glproc.contours/1", 7, 6, 3)
    speck, ring, hole = report["contours"]
    assert speck["points"] == [[6, 5]]
    assert ring == {"next": -1, "previous": 0, "first_child": 2, "parent": -1, "hole": 0, "closed": 1, "area": 4,
                    "box": [1, 1, 3, 3], "points": [[1, 1], [1, 3], [3, 3], [3, 1]]}
    assert (hole["parent"], hole["hole"], hole["points"]) == (1, 1, [[1, 2], [2, 1], [3, 2], [2, 3]])


def test_lines_at_a_level_are_between_pixels():
    values = numpy.array([[0, 4], [0, 4]], "float32")
    (line,) = glproc.contours(values, level=1.0)["contours"]
    assert line["points"] == [[0.25, 1], [0.25, 0]] and line["closed"] == 0
    with pytest.raises(ValueError):
        glproc.contours(values, level=1.0, simplify=True)


def test_no_opengl_is_needed():
    without = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    without["__EGL_VENDOR_LIBRARY_FILENAMES"] = "/nonexistent"
    code = "import numpy, glproc; print(glproc.contours(numpy.eye(3, dtype='uint8'))['contours'][0]['points'])"
    done = subprocess.run([sys.executable, "-c", code], env=without, capture_output=True, text=True, check=True)
    assert done.stdout == "[[0, 0], [1, 1], [2, 2], [1, 1]]\n"
