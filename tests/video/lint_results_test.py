"""scripts/lint-results finds results that nobody looks at, and nothing where somebody does."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lint-results"
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("lint_results", str(PATH))
lint_results = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint_results", LOADER))
LOADER.exec_module(lint_results)


class LintResults(unittest.TestCase):
    def faults(self, text):
        return lint_results.faults_in(text, "a.cpp")

    def test_a_status_that_is_dropped_is_found(self):
        for text in ("{\n    av_audio_fifo_write(fifo, planes, count);\n}", "if (any)\n    avcodec_send_packet(codec, nullptr);",
                     "else\n    av_dict_set(&options, name(), value, 0);", "x(); swr_convert(a, b(c), d, e, f);",
                     "{\n    av_frame_copy_props(\n        copy.get(), from);\n}", "// why\nav_read_frame(a, b);"):
            self.assertEqual(len(self.faults(text)), 1, text)

    def test_the_line_is_named(self):
        self.assertEqual(self.faults("\n/* av_read_frame(a, b);\n*/\nav_read_frame(a, b);"),
                         ["a.cpp:4: the result of av_read_frame() is not looked at"])

    def test_what_is_used_is_none(self):
        for text in ("int s = av_read_frame(a, b);", "check(av_dict_set(&a, b, c, 0));", "if (av_read_frame(a, b) < 0) {}",
                     "return {av_inv_q(av_mul_q(a, b)), rate};", "while (avcodec_receive_frame(a, b) >= 0)\n;",
                     "static_cast<void>(avcodec_send_packet(a, b)); // it may know", "x = y +\n    av_read_frame(a, b);",
                     "av_frame_unref(frame);", "// av_read_frame(a, b);"):
            self.assertEqual(self.faults(text), [], text)

    def test_the_project_has_none(self):
        self.assertEqual(lint_results.faults_of(PATH.parent.parent), [])


if __name__ == "__main__":
    unittest.main()
