"""cmake/glproc_part.cmake: what is built follows the libraries that are there, whatever an earlier configuration found."""
import os
import pathlib
import subprocess
import tempfile
import unittest

CMAKE = pathlib.Path(__file__).resolve().parents[2] / "cmake"
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(parts LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "{cmake}")
include(glproc_part)
glproc_find_libraries(CLAY libclay>=2)
glproc_part(clay "Bake bricks" "libclay 2" "${{CLAY_FOUND}}")
glproc_forget_missing(KILN "${{KILN}}/kiln.h")
find_path(KILN kiln.h PATHS "{root}" NO_DEFAULT_PATH)
set(found OFF)
if(KILN)
  set(found ON)
endif()
glproc_part(kiln "Glaze them" "a kiln" "${{found}}")
message(STATUS "clay ${{with_clay}}, kiln ${{with_kiln}}")
"""
EARLIER = """cmake_minimum_required(VERSION 3.22)
project(parts LANGUAGES NONE)
option(GLPROC_CLAY "Bake bricks" {found})
"""


class Parts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write(PROJECT.format(cmake=CMAKE, root=self.root))

    def write(self, project):
        (self.root / "CMakeLists.txt").write_text(project)

    def install(self, version="2.1"):
        (self.root / "libclay.pc").write_text(f"Name: clay\nDescription: clay\nVersion: {version}\nLibs: -lclay\n")
        (self.root / "kiln.h").touch()

    def remove(self):
        (self.root / "libclay.pc").unlink()
        (self.root / "kiln.h").unlink()

    def configure(self, *options):
        command = ["cmake", "-G", "Ninja", "-S", self.root, "-B", self.root / "build", *options]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PKG_CONFIG_LIBDIR": str(self.root)})

    def parts(self, *options):
        """Which of the two are built."""
        done = self.configure(*options)
        self.assertEqual(done.returncode, 0, done.stderr)
        line = next(line for line in done.stdout.splitlines() if "clay" in line)
        on = ("1", "ON")
        return [word.split()[0] for word in line.removeprefix("-- ").split(", ") if word.split()[-1] in on]

    def test_libraries_are_looked_for_each_time(self):
        self.assertEqual(self.parts(), [])
        self.install()
        self.assertEqual(self.parts(), ["clay", "kiln"])
        self.remove()
        self.assertEqual(self.parts(), [])
        self.install("1.9")
        self.assertEqual(self.parts(), ["kiln"])

    def test_what_was_asked_for_stays(self):
        self.install()
        for option in ("GLPROC_CLAY", "GLPROC_CLAY:BOOL"):
            self.assertEqual(self.parts(f"-D{option}=OFF"), ["kiln"])
            self.assertEqual(self.parts(), ["kiln"])
            self.assertEqual(self.parts("-DGLPROC_CLAY=AUTO"), ["clay", "kiln"])
        self.remove()
        done = self.configure("-DGLPROC_CLAY=ON")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("GLPROC_CLAY=ON needs libclay 2", done.stderr)

    def test_what_an_earlier_version_found_does_not(self):
        for found in ("OFF", "ON"):
            self.write(EARLIER.format(found=found))
            self.assertEqual(self.configure("-UGLPROC_CLAY").returncode, 0)
            self.write(PROJECT.format(cmake=CMAKE, root=self.root))
            self.assertEqual(self.parts(), [])
        self.install()
        self.assertEqual(self.parts(), ["clay", "kiln"])


if __name__ == "__main__":
    unittest.main()
