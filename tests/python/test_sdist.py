"""The source distribution: what it contains, and that CMake configures it for a wheel."""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import glproc

ROOT = Path(__file__).resolve().parent.parent.parent


def sources():
    """The files that a build reads, by git if it is a clone."""
    folders = ["cmake", "data", "examples", "glsl", "src", "tests", "tools"]
    if (ROOT / ".git").exists() and shutil.which("git"):
        listed = subprocess.check_output(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", *folders], text=True).splitlines()
    else:
        listed = [str(path.relative_to(ROOT)) for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    return {name for name in listed if not name.endswith(".pyc") and (ROOT / name).exists()}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    # Of a copy: the source may be read-only, and setuptools puts the files together in it.
    copy = shutil.copytree(ROOT, folder / "copy", ignore=shutil.ignore_patterns(".git", "build"), symlinks=True)
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", folder, "sdist", "-d", folder]
    subprocess.run(command, check=True, cwd=copy, stderr=subprocess.DEVNULL)
    (archive,) = folder.glob("*.tar.gz")
    assert archive.name == f"glproc-{glproc.__version__}.tar.gz"
    with tarfile.open(archive) as file:
        file.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


def test_content(unpacked):
    found = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert sources() - found == set()
    assert {"CMakeLists.txt", "LICENSE", "README.md", "docs/python.md", "pyproject.toml", "setup.py", "PKG-INFO"} <= found
    assert not [name for name in found if name.endswith(".pyc") or name.startswith(("build/", ".git/"))]
    words = (unpacked / "PKG-INFO").read_text(encoding="utf-8")
    assert f"Version: {glproc.__version__}" in words and "Requires-Python: >=3.11" in words and "# Python" in words


def test_it_configures(unpacked, tmp_path):
    """Without tests, window and video, as a wheel is built."""
    options = [f"-DGLPROC_{name}=OFF" for name in ("TESTS", "GLFW", "VIDEO", "VIEW")]
    options += ["-DGLPROC_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}", "-G", "Ninja"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = ["cmake", "-S", unpacked, "-B", tmp_path, *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
