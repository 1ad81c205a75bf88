"""Builds the wheel by CMake: pip install --no-build-isolation .

GLPROC_BUILD names a folder in which the CMake target `python` was built already; without it everything is built anew.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class CMakeBuild(build_ext):
    """What `cmake --install` makes of the component `python` is the package: modules, types, the library and its formats."""

    def build_extension(self, extension):
        build = os.environ.get("GLPROC_BUILD")
        if not build:
            build = str(Path(self.build_temp).resolve())
            # Contexts of a wheel are EGL's: GLFW would be one more library to have.
            without = ["-DGLPROC_TESTS=OFF", "-DGLPROC_GLFW=OFF", "-DGLPROC_VIDEO=OFF", "-DGLPROC_VIEW=OFF"]
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DGLPROC_PYTHON=ON", *without]
            self.cmake("-S", str(ROOT), "-B", build, "-G", "Ninja", *options, f"-DPython3_EXECUTABLE={sys.executable}")
            self.cmake("--build", build, "--target", "python")
        prefix = Path(self.build_temp).resolve() / "install"
        shutil.rmtree(prefix, ignore_errors=True)
        self.cmake("--install", build, "--component", "python", "--strip", "--prefix", str(prefix))
        (package,) = (found.parent for found in prefix.rglob("glproc/__init__.py"))
        shutil.copytree(package, Path(self.get_ext_fullpath(extension.name)).resolve().parent, dirs_exist_ok=True)

    def cmake(self, *arguments):
        subprocess.run(["cmake", *arguments], check=True)


(ROOT / "build").mkdir(exist_ok=True)
setup(
    version=re.search(r"project\(glproc VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1],
    packages=[],
    ext_modules=[Extension("glproc._glproc", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"egg_info": {"egg_base": "build"}},  # the source may be read-only
)
