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
    def faults(self, cmake=CMAKE, ask=lint_layers.faults_of, **changed):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "CMakeLists.txt").write_text(cmake)
            added = {k.replace("__", "/") + (".comp" if k.startswith("glsl") else ".hpp"): v for k, v in changed.items()}
            for name, text in {**TREE, **added}.items():
                path = root / name if name.startswith("glsl/") else root / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return ask(root)

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

    def test_front_ends_that_include_each_other_are_found(self):
        both = {"cli__flags": '#include "video/run.hpp"\n', "video__run": '#include "cli/flags.hpp"\n'}
        self.assertEqual(self.faults(**both), ["src/: the includes go in a circle: cli -> video -> cli"])

    def test_the_drawing_has_no_arrow_that_a_longer_way_replaces(self):
        drawn = self.faults(ask=lint_layers.drawing, cli__flags='#include "glproc/files/codec.hpp"\n#include "glproc/image/image.hpp"\n')
        self.assertEqual([line.strip() for line in drawn.splitlines() if "->" in line],
                         ["cli -> job", "files -> image", "image -> base", "job -> files"])
        self.assertIn('cli [label="cli\\n4 lines"]', drawn)

    def test_a_folder_without_a_layer_is_found(self):
        found = self.faults(glproc__maths__pchip="")
        self.assertEqual(found, ["src/glproc/maths/: no glproc_layer(maths ...) in CMakeLists.txt"])

    def test_kernels_from_above_are_found(self):
        cmake = CMAKE + "glproc_layer(kinds LINK glproc_files)\nglproc_layer(ops LINK glproc_kinds)\n"
        blur = {"glproc__ops__blur": 'pass("kinds/direct.comp"); pass("blur/{}.comp");\n', "glsl__blur__up": '#include "kinds/end.glsl"\n'}
        self.assertEqual(self.faults(cmake, **blur, glsl__lib__code='#include "lib/near.glsl"\n'), [])
        found = self.faults(cmake, **blur, glproc__kinds__fast='// "blur/up.comp"\npass("blur/up.comp");\n',
                            glsl__kinds__end='#include "blur.glsl"\n', glsl__lib__code='#include "kinds/end.glsl"\n')
        self.assertEqual(found, ['src/glproc/kinds/fast.hpp:2: kinds names "blur/up.comp" of ops, which stands above it',
                                 'glsl/kinds/end.comp:1: kinds names "blur.glsl" of ops, which stands above it',
                                 'glsl/lib/code.comp:1: lib names "kinds/end.glsl" of kinds, which stands above it'])

    def test_operations_are_named_by_themselves_alone(self):
        cmake = CMAKE + "glproc_layer(ops LINK glproc_files)\n" + "".join(f"glproc_op({name})\n" for name in ("blur", "draw", "matrix", "warp"))
        rates = 'constexpr std::array rates{Rate{"blur", 10},\n                          Rate{"warp", 60}};\n'
        self.assertEqual(self.faults(cmake, glproc__ops__warp=rates, cli__flags='{"warp", 1}, {"matrix", 2}\n// {"draw", 3}\n',
                                     cli__words__magick_flags=rates), [])
        self.assertEqual(self.faults(cmake, cli__device=rates), ["src/cli/device.hpp:1: lists operations: blur, warp"])
        found = self.faults(cmake, cli__examples='{"blur photo.jpg out.jpg", "why"},\n{"glproc draw photo.jpg"}\n')
        self.assertEqual(found, ["src/cli/examples.hpp:1: lists operations: blur, draw"])
        found = self.faults(cmake, view__show='return step.op->name == "warp";\n')
        self.assertEqual(found, ["src/view/show.hpp:1: asks whether it is warp"])


if __name__ == "__main__":
    unittest.main()
