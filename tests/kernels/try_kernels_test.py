"""scripts/try-kernels finds each kind of fault, says in which line, and finds nothing else.

    try_kernels_test.py GLPROC_TEST_OPS     the test program, whose dispatches are tried, too
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "try-kernels"

# Turns a row of values round, in groups of 64.
SOUND = """#version 430 core
#define OPERATION none
#line 2 0
layout(local_size_x = 64) in;
layout(std430) readonly buffer b_in { uint source[]; };
layout(std430) writeonly buffer b_out { uint made[]; };
layout(rgba32ui) writeonly uniform uimage2D i_dst;
uniform usampler2D i_src;
uniform int u_none; // 0
uniform float u_large;
shared uint s_values[64];
uint kept;
void main() {
    uint me = gl_LocalInvocationIndex;
    uint first = gl_WorkGroupID.x * 64u;
    int places[3] = int[](1, 2, 3);
    s_values[me] = source[first + me];
    barrier();
    kept = s_values[63u - me];
    imageStore(i_dst, ivec2(first + me, 0), uvec4(1u)); // beyond the image: OpenGL says what that does
    made[first + me] = kept + texelFetch(i_src, ivec2(0), 0).x;
}
"""
GROUPS = 2


def line_of(text, part):
    """The number of the line that has it, as #line counts."""
    return 1 + next(i for i, line in enumerate(text.splitlines()[2:]) if part in line)


# What GLSL leaves undefined: each is found in its line, and changes nothing else.
UNDEFINED = {"buffer": "kept += source[first + me + 64u] * 0u;",
             "shared array": "kept += s_values[me + 1u] * 0u;",
             "local array": "kept += uint(places[3 + u_none] * 0);",
             "negative": "kept += uint(places[u_none - 1] * 0);",
             "shift": "kept += (1u << (32 + u_none)) * 0u;",
             "conversion": "kept += uint(u_large) * 0u;"}

KERNELS = {
    "sound": SOUND,
    "undefined": SOUND.replace("    imageStore", "".join(f"    {fault}\n" for fault in UNDEFINED.values()) + "    imageStore"),
    "missing": SOUND.replace("    barrier();\n", ""),
    "unordered": SOUND.replace("    barrier();\n", "").replace("#define", "// Order decides b_out: for a test\n#define"),
    "unwritten": SOUND.replace("    s_values[me] =", "    if (me != 7u) s_values[me] ="),
    "private": SOUND.replace("    kept = s_values[63u - me];", "    if (me != 7u) kept = s_values[63u - me];"),
    "beyond": SOUND.replace("texelFetch(i_src, ivec2(0)", "texelFetch(i_src, ivec2(0, 1)"),
    "diverging": SOUND.replace("    barrier();", "    if (me < 60u) barrier();"),
}


def put(folder, name, text):
    """A dispatch, whose result shall be that of the sound kernel."""
    folder /= name
    folder.mkdir()
    (folder / "kernel.glsl").write_text(text)
    (folder / "dispatch.txt").write_text(
        f"file {name}.comp\ngroups {GROUPS} 1 1\nbuffer b_in in 0 {256 * GROUPS}\nbuffer b_out out 0 {256 * GROUPS}\n"
        f"image i_dst dst 1 1\nimage i_src src 1 1\nuniform u_none 0\nuniform u_large 7f000000\n")
    values = range(64 * GROUPS)
    made = [value // 64 * 64 + 63 - value % 64 for value in values]
    for file, words in (("in.before", values), ("in.after", values), ("out.before", [9] * len(made)), ("out.after", made),
                        ("src.before", [0] * 4), ("src.after", [0] * 4), ("dst.before", [0] * 4), ("dst.after", [1] * 4)):
        (folder / file).write_bytes(struct.pack(f"<{len(words)}I", *words))


def try_kernels(*arguments):
    """What is printed, line by line. The last line is the summary."""
    done = subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 1) or done.stderr:
        raise AssertionError(done.stdout + done.stderr)
    return done.stdout.splitlines()


def by_kernel(lines):
    found = {name: [] for name in KERNELS}
    for line in lines:
        name, _, what = line.partition(".comp OPERATION=none: ")
        if what:
            found[name].append(what)
    return found


class TryKernels(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for kernel, text in KERNELS.items():
                put(folder, kernel, text)
            subprocess.run([TEST_PROGRAM, "-#", "[#histogram_count_test]"], env=dict(os.environ, GLPROC_TEST_DISPATCHES=name),
                           check=True, capture_output=True)
            cls.lines = try_kernels(folder, *KERNELS, "histogram/fused", "histogram/chunks")
            cls.found = by_kernel(cls.lines)
            cls.races = by_kernel(try_kernels(folder, "sound", "missing", "--races"))

    def test_sound(self):
        self.assertEqual(self.found["sound"], [])
        self.assertEqual(self.races["sound"], [])

    def test_undefined(self):
        found = "\n".join(self.found["undefined"])
        for name, fault in UNDEFINED.items():
            with self.subTest(name):
                self.assertRegex(found, rf"(?m)^undefined.comp:{line_of(KERNELS['undefined'], fault)}\b")
        self.assertEqual(len(self.found["undefined"]), len(UNDEFINED))

    def test_missing_barrier(self):
        text = KERNELS["missing"]
        self.assertRegex("\n".join(self.found["missing"]), r"b_out in \w+ order: word \d+ is \w+, the driver's \w+")
        lines = f"{line_of(text, 's_values[me] =')}|{line_of(text, 'kept = s_values')}"
        self.assertRegex("\n".join(self.races["missing"]), rf"missing.comp:({lines}): .*data race with missing.comp:({lines})")

    def test_what_kernels_say(self):
        self.assertEqual(self.found["unordered"], [])
        loader = importlib.machinery.SourceFileLoader("try_kernels", str(SCRIPT))
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader("try_kernels", loader))
        loader.exec_module(script)
        name = "integral/bands.comp"
        lines = (SCRIPT.parents[1] / "glsl" / name).read_text().splitlines()
        self.assertEqual([i for i in range(1, len(lines) + 1) if script.is_meant(f"{name}:{i}")],
                         [i for i, line in enumerate(lines, 1) if "// race: " in line])
        self.assertTrue(any("// race: " in line for line in lines))

    def test_never_written(self):
        for kernel in ("unwritten", "private", "beyond"):
            self.assertRegex("\n".join(self.found[kernel]), "b_out in rising order")

    def test_barrier_that_some_do_not_reach(self):
        self.assertIn("of 64 invocations do not come to it", "\n".join(self.found["diverging"]))

    def test_kernels_of_the_program(self):
        self.assertEqual([line for line in self.lines if "histogram" in line], [])
        self.assertRegex(self.lines[-1], f"^{len(KERNELS) + 2} programs; {len(KERNELS) + 2} ran; ")


if __name__ == "__main__":
    if not shutil.which("g++"):
        sys.exit(77)
    TEST_PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
