"""scripts/check-words finds what it says it finds, and nothing else."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS))
LOADER = importlib.machinery.SourceFileLoader("check_words", str(SCRIPTS / "check-words"))
check_words = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_words", LOADER))
LOADER.exec_module(check_words)
import docs_commands  # noqa: E402
import docs_comments  # noqa: E402
import docs_pages  # noqa: E402

# A sentence for each worn phrase, in the order of the table.
WORN = [
    "It takes 3 ms in place of 4.", "From sigma 4 on it costs the same.", "Its time is that of the others.", "It took 4 ms, of which 3 to encode.",
    "It is the product of what was counted.", "It reads what cannot be written.", "The line goes through the filter.", "It starts where it ended.",
    "The pixel is looked at.", "The lines are garbled.", "A fax is read.", "Every film stays.", "Colour between samples is lost.",
    "It is read with a note.", "The others are done.", "It fails without a word.", "This is a dilation less the image.",
    "It waits until the whole is there.", "Both inputs would meet in one file.", "Reports have no place in a chain.",
]


def kinds(text):
    return [kind for kind, _ in check_words.check_prose("page:1", text)]


def pages(**texts):
    """Findings in a project of these pages, with dots for __ in their names."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "examples").mkdir()
        (root / "examples/a.cpp").write_text("int main(int, char** argv) {\n    blur(load(argv[1]),  2); // slow\n}\n")
        for name, text in texts.items():
            (root / name.replace("__", ".")).write_text(text)
        docs_pages.read.cache_clear()
        docs_pages.compiled_lines.cache_clear()
        return check_words.check_pages(root)


class Sentences(unittest.TestCase):
    def test_limit(self):
        self.assertEqual(kinds("Word " * 29 + "word."), [])
        self.assertEqual(kinds("Word " * 30 + "word."), ["long"])

    def test_two_short_ones(self):
        self.assertEqual(kinds("Word " * 19 + "word. " + "Word " * 19 + "word."), [])
        self.assertEqual(kinds("Word " * 19 + "word 2.5 " + "Word " * 19 + "word."), ["long"])

    def test_code_and_links_are_short(self):
        self.assertEqual(docs_pages.plain("See `a b c` and [the page](x.md#y) **now**."), "See CODE and the page now.")

    def test_cells_items_and_paragraphs_are_apart(self):
        half = "word " * 16
        self.assertEqual(pages(a__md=f"{half}\n\n{half}\n- {half}\n- {half}\n\n| {half} | {half} |\n"), [])
        self.assertEqual([kind for kind, _ in pages(a__md=f"{half}\n{half}\n")], ["long"])
        self.assertEqual([kind for kind, _ in pages(a__md=f"- {half}\n  {half}\n")], ["long"])


class Phrases(unittest.TestCase):
    def test_each(self):
        self.assertEqual(len(WORN), len(check_words.PHRASES))
        for sentence, (pattern, better) in zip(WORN, check_words.PHRASES.items()):
            with self.subTest(sentence):
                found = [line for kind, line in check_words.check_prose("page:1", sentence) if f"({better})" in line]
                self.assertTrue(found, pattern)

    def test_what_may_be_said(self):
        for sentence in ("Call it from Python on Linux.", "What is it?", "It runs instead of the others.", "It is called from C++ on llvmpipe.",
                         "It is slow: what now?"):
            with self.subTest(sentence):
                self.assertEqual(kinds(sentence), [])

    def test_what_at_the_beginning(self):
        self.assertIn("phrase", kinds("What you change shows at once."))

    def test_code_is_no_prose(self):
        self.assertEqual(pages(a__md="`film.mp4`\n\n```\nglproc video film.mp4 x.mp4 invert\n```\n"), [])


class Links(unittest.TestCase):
    def test_files_and_headings(self):
        found = pages(a__md="# One `two`, three\n\n[x](b.md) [x](b.md#no) [x](#one-two-three) [x](none.md) [x](https://example.org/#a)\n",
                      b__md="# Two\n")
        self.assertEqual([line for _, line in found], ["a.md:3: b.md#no: no such heading", "a.md:3: none.md: no such file"])

    def test_pictures_within_links(self):
        self.assertEqual([line for _, line in pages(a__md="[![x](none.png)](none.md)\n")],
                         ["a.md:1: none.md: no such file", "a.md:1: none.png: no such file"])


class Blocks(unittest.TestCase):
    def test_reasons(self):
        self.assertEqual(pages(a__md="<!-- not run: it needs a camera -->\n```\nx\n```\n"), [])
        self.assertEqual([kind for kind, _ in pages(a__md="<!-- not run: no -->\n```\nx\n```\n")], ["code"])

    def test_a_reason_is_for_one_block(self):
        page = docs_pages.Page
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.md"
            path.write_text("<!-- not run: it needs a camera -->\n```\nx\n```\n\n```\ny\n```\nOr `glproc blur a b --sigma 2`, `glproc blur IN x`.\n")
            page = docs_pages.read(pathlib.Path(folder), path)
        self.assertEqual([command for _, command, _ in docs_commands.commands_of(page)], ["y", "glproc blur a b --sigma 2"])

    def test_cpp_is_compiled_somewhere(self):
        self.assertEqual(pages(a__md='```cpp\nblur(load("in.png"), 2);\n```\n'), [])
        self.assertEqual(pages(a__md='```cpp\nblur(…, 2);\n```\n'), [])
        self.assertEqual([kind for kind, _ in pages(a__md='```cpp\nblur(load("in.png"), 3);\n```\n')], ["code"])

    def test_unknown_languages(self):
        self.assertEqual([kind for kind, _ in pages(a__md="```ruby\nx\n```\n")], ["code"])


class Commands(unittest.TestCase):
    def run_one(self, command, printed=None):
        with tempfile.TemporaryDirectory() as folder:
            return docs_commands.run(pathlib.Path("/bin/true"), folder, command, printed)

    def test_status(self):
        self.assertIsNone(self.run_one("true # comment"))
        self.assertIn("exit 3: why", self.run_one("echo why; exit 3"))
        self.assertIn("exit 1", self.run_one("false | cat"))

    def test_output(self):
        self.assertIsNone(self.run_one("echo a; echo b >&2; exit 2", "a\nb"))
        self.assertIn("printed: a", self.run_one("echo a", "b"))

    def test_prompts(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.md"
            path.write_text("```\n$ one\n1\n11\n$ two\n```\n")
            page = docs_pages.read(pathlib.Path(folder), path)
        self.assertEqual(list(docs_commands.commands_of(page)), [(2, "one", "1\n11"), (5, "two", "")])


class Comments(unittest.TestCase):
    def found(self, text, name="glsl/a.comp"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(text)
            return check_words.check_comments(root)

    def test_sentences_and_phrases(self):
        self.assertEqual([line for _, line in self.found("// It takes 3 ms\n// in place of 4.\n")],
                         ["glsl/a.comp:1: 'in place of' (instead of)"])
        self.assertEqual([kind for kind, _ in self.found("int a; // " + "word " * 31)], ["long"])
        self.assertEqual([kind for kind, _ in self.found("int a; ///< What it is.\n", "src/glproc/op/a.hpp")], ["phrase"])

    def test_paragraphs(self):
        half = "word " * 16
        for text in (f"// {half}\n//\n// {half}\n", f"// - {half}\n// - {half}\n", f"int a; // {half}\nint b; // {half}\n",
                     f"// Reads   i_src   {half}\n// Writes  i_dst   {half}\n", f"// @define A 0|1  {half}\n// @define B 0|1  {half}\n",
                     f"// {half}\n\n// {half}\n"):
            with self.subTest(text):
                self.assertEqual(self.found(text), [])
        for text in (f"// {half}\n// {half}\n", f"// - {half}\n//   {half}\n", f"int a; // {half}\n       // {half}\n",
                     f"// Reads   i_src   {half}\n//                 {half}\n", f"// @define A 0|1  {half}\n//                {half}\n"):
            with self.subTest(text):
                self.assertEqual([kind for kind, _ in self.found(text)], ["long"])

    def test_code_and_literals_are_no_comments(self):
        self.assertEqual(self.found('f("// in place of", R"(// in place of)", \'"\'); // fine\n// @skip A=1 B=in place of\n// `in place of`\n'), [])

    def test_sources_that_are_gone(self):
        for text, kinds in (("// As in glsl/a.comp and a.comp.\n", []), ("// `b.comp`, <op>.cpp, NAME.cpp\n", []), ('f("b.comp");\n', []),
                            ("// As in b.comp.\n", ["file"]), ("int a; // GROUP of glsl/b/a.comp\n", ["file"])):
            with self.subTest(text):
                self.assertEqual([kind for kind, _ in self.found(text)], kinds)

    def test_other_folders_and_files(self):
        self.assertEqual(self.found("// in place of\n", "tests/a.cpp"), [])
        self.assertEqual(self.found("// in place of\n", "glsl/a.txt"), [])

    def test_the_folders_exist(self):
        for folder in docs_comments.FOLDERS:
            self.assertTrue((SCRIPTS.parent / folder).is_dir(), folder)


class Help(unittest.TestCase):
    def test_paragraphs(self):
        text = ("Usage: glproc blur IN... OUT\nGaussian blur.\n\n  --sigma S[,SY]    the deviation of a\n                    film\n"
                "  --radius R,RY\n                    the radius\n\nMore flags (--help=all): --a\n  --b --c\n")
        self.assertEqual(docs_pages.help_paragraphs(text), ["Gaussian blur.", "the deviation of a film", "the radius"])


if __name__ == "__main__":
    unittest.main()
