"""scripts/lint-layers finds arrows that go up or in a circle, and nothing in a tree that has none."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lint-layers"
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("lint_layers", str(PATH))
lint_layers = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint_layers", LOADER))
LOADER.exec_module(lint_layers)

CMAKE = """glproc_layer(base LINK fmt::fmt)
glproc_layer(image LINK glproc_base)
glproc_layer(files LINK glproc_image ZLIB::ZLIB)
"""
TREE = {
    "glproc/base/error.hpp": "#include <string>\n",
    "glproc/image/image.hpp": '#include "glproc/base/error.hpp"\n',
    "glproc/files/codec.cpp": '#include "glproc/files/codec.hpp"\n\n#include "glproc/base/error.hpp"\n',
    "glproc/files/codec.hpp": '#include "glproc/image/image.hpp"\n',
    "job/pages.hpp": '#include "glproc/files/codec.hpp"\n',
    "cli/main.cpp": '#include "glproc/files/codec.hpp"\n#include "job/pages.hpp"\n',
}


class LintLayers(unittest.TestCase):
    def faults(self, cmake=CMAKE, **changed):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "CMakeLists.txt").write_text(cmake)
            for name, text in {**TREE, **{k.replace("__", "/") + ".hpp": v for k, v in changed.items()}}.items():
                path = root / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return lint_layers.faults_of(root)

    def test_a_tree_whose_arrows_go_down_has_no_faults(self):
        self.assertEqual(self.faults(), [])

    def test_an_include_from_above_is_found(self):
        found = self.faults(glproc__image__image='#include "glproc/base/error.hpp"\n#include "glproc/files/codec.hpp"\n')
        self.assertEqual(found, ["src/glproc/image/image.hpp:2: image includes glproc/files/codec.hpp, but files is not below image"])

    def test_a_front_end_and_the_public_header_are_above_all(self):
        for above in ("cli/main.hpp", "glproc/glproc.hpp"):
            found = self.faults(glproc__files__codec=f'#include "{above}"\n')
            self.assertEqual(found, [f"src/glproc/files/codec.hpp:1: files includes {above}, which stands above it"])

    def test_the_roads_of_pictures_know_no_front_end(self):
        found = self.faults(job__pages='#include "glproc/files/codec.hpp"\n#include "cli/arguments.hpp"\n')
        self.assertEqual(found, ["src/job/pages.hpp:2: job includes cli/arguments.hpp, which stands above it"])
        found = self.faults(glproc__files__codec='#include "job/pages.hpp"\n')
        self.assertEqual(found, ["src/glproc/files/codec.hpp:1: files includes job/pages.hpp, which stands above it"])

    def test_arrows_in_a_circle_are_found(self):
        found = self.faults(CMAKE.replace("LINK fmt::fmt", "LINK glproc_files"))
        self.assertEqual(found, ["CMakeLists.txt: the layers go in a circle: base -> files -> image -> base"])

    def test_a_folder_without_a_layer_is_found(self):
        found = self.faults(glproc__maths__pchip="")
        self.assertEqual(found, ["src/glproc/maths/: no glproc_layer(maths ...) in CMakeLists.txt"])


if __name__ == "__main__":
    unittest.main()
