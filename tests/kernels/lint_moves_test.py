"""scripts/lint-moves finds what Mesa 25 compiles wrongly, and nothing else."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lint-moves"
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("lint_moves", str(PATH))
lint_moves = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint_moves", LOADER))
sys.modules["lint_moves"] = lint_moves # dataclasses look there
LOADER.exec_module(lint_moves)

# Of median/network.comp, as it was when Mesa 25 made wrong pictures of it.
NETWORK = """uvec4 texels[HEIGHT][AROUND];

void move_to(int first, int left, int right, int y) {
    uvec4 next[ROWS][AROUND];
    load_rows(first, left, right, y, next);
    for (int i = 0; i < HEIGHT - ROWS; ++i) {
        texels[i] = texels[i + ROWS];
    }
    for (int j = 0; j < ROWS; ++j) {
        texels[HEIGHT - ROWS + j] = next[j];
    }
}
"""

# Of kinds/gather/resample.comp, likewise.
RESAMPLE = """uvec4 ahead[SRC_TEXELS];

void begin_loads(int i, int line) {
    for (int t = 0; t < SRC_TEXELS; ++t) {
        ahead[t] = texel_at(ivec2(SRC_TEXELS * i + t, line));
    }
}

void load_values(int i, int line, out float values[LANES]) {
    uvec4 held[SRC_TEXELS] = ahead;REASON
    begin_loads(i + 1, line);
    for (int lane = 0; lane < LANES; ++lane) {
        values[lane] = lane_value(held[lane / SRC_LANES], lane % SRC_LANES);
    }
}
"""


def lines(files):
    """Where it finds something in kernels: LINE, or FILE:LINE where there are several."""
    if isinstance(files, str):
        files = {"kernel.comp": files}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        found = lint_moves.lint(pathlib.Path(folder))
    return [f"{file}:{line}".removeprefix("kernel.comp:") for file, line, _ in found]


def in_main(body):
    """The lines of `body`, from 1 on, that it finds in the main function of a kernel with a few arrays."""
    declared = "uint g[4][3]; uint flat_rows[12]; shared uint s_grid[4][3]; void fill(out uint v[3]); "
    return lines(declared + "void fill(out uint v[3]) { v[0] = 1u; } void main() { " + body + "\n}\n")


class Moves(unittest.TestCase):
    def test_finds_the_kernels_that_were_wrong(self):
        self.assertEqual(lines(NETWORK), ["7"])
        self.assertEqual(lines(RESAMPLE.replace("REASON", "")), ["10"])

    def test_finds_moves_of_rows_and_of_elements(self):
        self.assertEqual(in_main("for (int i = 0; i < 3; ++i) g[i] = g[i + 1];"), ["1"])
        self.assertEqual(in_main("g[0] = g[1];\ng[1][2] = g[2][2];"), ["1", "2"])
        self.assertEqual(in_main("uvec4 v[4][2];\nv[i][h] = (v[i + 1][h]);"), ["2"])
        self.assertEqual(in_main("uvec4[2] v[4];\nv[0][h].x = v[1][h].y;"), ["2"])

    def test_finds_moves_by_way_of_a_condition_or_a_variable(self):
        self.assertEqual(in_main("g[i][j] = i < 3 ? g[i + 1][j] : 0u;"), ["1"])
        self.assertEqual(in_main("g[i][j] = a ? 0u : b ? 1u : g[i + 1][j];"), ["1"])
        self.assertEqual(in_main("uint moved = g[i + 1][j];\ng[i][j] = moved;"), ["2"])

    def test_finds_moves_in_macros_and_parameters(self):
        kernel = "#define MOVE(rows, n) \\\n    { \\\n rows[n] = rows[(n) + 1]; \\\n }\nuint g[4][3];\nvoid main() {\n MOVE(g, 2)\n}\n"
        self.assertEqual(lines(kernel), ["7"])
        self.assertEqual(lines(kernel.replace("g[4][3]", "g[12]")), [])
        self.assertEqual(lines("void f(inout uint v[4][3]) {\n v[0] = v[1];\n}\n"), ["2"])

    def test_finds_moves_in_included_files_once(self):
        files = {"a.comp": 'uint g[4][3];\n#include "lib/moves.glsl"\n', "lib/moves.glsl": "void f() {\n g[0] = g[1];\n}\n",
                 "b.comp": 'uint g[4][3];\n#include "lib/moves.glsl"\n'}
        self.assertEqual(lines(files), ["lib/moves.glsl:2"])

    def test_leaves_alone_what_is_right(self):
        self.assertEqual(in_main("for (int k = 0; k < 9; ++k) flat_rows[k] = flat_rows[k + 3];"), [])
        self.assertEqual(in_main("s_grid[0] = s_grid[1];"), [])
        self.assertEqual(in_main("g[i][j] = add(g[i + 1][j], 1u); g[i][j] += g[i + 1][j]; g[i][j] = -g[i + 1][j];"), [])
        self.assertEqual(in_main("g[i][j] = is_new ? texel : g[i][j];"), [])
        self.assertEqual(in_main("uint sum = g[i + 1][j];\nsum += 1u;\ng[i][j] = sum;"), [])
        self.assertEqual(in_main("// g[0] = g[1];\nuint r[3] = g[1];"), [])


class Copies(unittest.TestCase):
    def test_finds_an_original_that_is_written_while_the_copy_is_in_use(self):
        self.assertEqual(in_main("uint a[3];\nuint b[3] = a;\na[0] = 1u;\nuint c = b[0];"), ["2"])
        self.assertEqual(in_main("uint a[3];\nuint b[3] = a;\nfill(a);\nuint c = b[0];"), ["2"])
        self.assertEqual(in_main("uint a[3], b[3];\nfor (int i = 0; i < 9; ++i) {\nuse(b);\nb = a;\n++a[i];\n}"), ["4"])

    def test_leaves_alone_a_copy_that_is_not_needed_by_then(self):
        self.assertEqual(in_main("uint a[3];\nuint b[3] = a;\nuint c = b[0];\na[0] = c;"), [])
        self.assertEqual(in_main("uint a[3];\nuint b[3] = a;\nuint c = b[0] + a[0];"), [])
        self.assertEqual(in_main("uvec4 a;\nuvec4 b = a;\na[0] = 1u;\nuse(b);"), [])

    def test_takes_a_reason_and_no_reason_too_many(self):
        self.assertEqual(lines(RESAMPLE.replace("REASON", " // copy: tested")), [])
        self.assertEqual(lines(RESAMPLE.replace("REASON", " // copy:")), ["10"])
        self.assertEqual(in_main("uint a[3];\n// copy: tested\nuint b[3] = a;\nfill(a);\nuse(b);"), [])
        self.assertEqual(in_main("uint a[3];\nfill(a); // copy: of nothing"), ["2"])
        self.assertEqual(in_main("g[0] = g[1]; // copy: excuses no move"), ["1", "1"])


if __name__ == "__main__":
    unittest.main()
