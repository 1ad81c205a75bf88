"""A wheel in a virtual environment, without a network."""

import os
import subprocess
import sys
from pathlib import Path

import numpy
from conftest import picture

import glproc

ROOT = Path(__file__).resolve().parent.parent.parent


def test_wheel(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    build = Path(glproc.__file__).resolve().parent.parent.parent
    pip = [python, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--quiet", str(ROOT)]
    built = {"GLPROC_BUILD": str(build)} if (build / "CMakeCache.txt").exists() else {}  # else all is built
    subprocess.run(pip, check=True, env={**environment, **built})
    image = picture((20, 30, 3))
    numpy.save(tmp_path / "in.npy", image)
    text = """
        import glproc, glproc.ndimage, numpy
        numpy.save("out.npy", glproc.blur(numpy.load("in.npy"), sigma=2))
        glproc.write("out.webp", numpy.load("in.npy")) # by a module of the wheel
        print(glproc.__file__)
    """
    lines = subprocess.check_output([python, "-c", "\n".join(map(str.strip, text.splitlines()))], cwd=tmp_path, env=environment)
    assert lines.decode().startswith(str(tmp_path / "venv"))
    numpy.testing.assert_array_equal(numpy.load(tmp_path / "out.npy"), glproc.blur(image, sigma=2))
    assert (tmp_path / "out.webp").exists()
