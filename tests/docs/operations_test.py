"""The page of each operation has picture, formula, contract, agreement and time, and the site's own pages lead somewhere."""

import ast
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
import docs_pages  # noqa: E402
import site_errors  # noqa: E402
import site_pages  # noqa: E402
import site_python  # noqa: E402
import site_stage  # noqa: E402

GUIDE = (ROOT / "docs/adding-an-operation.md").read_text()
SITE = site_pages.Site(ROOT)
PYTHON = site_python.pages(ROOT, SITE)
BLUR = next(op for op in SITE.operations if op.name == "blur")


def faults_of(op, **changes):
    """With other parts of its page: None takes one away."""
    site = site_pages.Site(ROOT)
    parts = {**site.parts(op.name), **{key: value for key, value in changes.items() if isinstance(value, str)}}
    site.parts = lambda name: parts
    for table in ("gallery", "agreement", "times"):
        if table in changes:
            getattr(site, table).pop(op.name)
    return site_pages.missing_in(site, op)


class Operations(unittest.TestCase):
    def test_each_page_is_complete(self):
        self.assertGreater(len(SITE.operations), 50)
        for op in SITE.operations:
            with self.subTest(op.name):
                self.assertEqual(site_pages.missing_in(SITE, op), [], "docs/adding-an-operation.md says under 'Write its page' what makes each")
                self.assertIn("## Time", site_pages.operation_page(SITE, op))

    def test_each_part_belongs_to_an_operation(self):
        names = {path.stem for path in (ROOT / "docs/operations").glob("*.md")} - {"README"}
        self.assertEqual(names, {op.name for op in SITE.operations})

    def test_faults_are_seen(self):
        self.assertEqual(faults_of(BLUR), [])
        self.assertEqual(faults_of(BLUR, gallery=None), ["picture"])
        self.assertEqual(faults_of(BLUR, cpp=""), ["call from C++"])
        self.assertEqual(faults_of(BLUR, Definition="It blurs."), ["formula"])
        self.assertEqual(faults_of(BLUR, Exactness="Contract: **good**."), ["contract"])
        self.assertEqual(faults_of(BLUR, agreement=None), ["agreement"])
        self.assertEqual(faults_of(BLUR, agreement=None, Agreement="None published."), ["agreement"])
        self.assertEqual(faults_of(BLUR, times=None), ["time"])
        self.assertEqual(faults_of(BLUR, Related=""), ["related operations"])

    def test_related_operations_exist(self):
        names = {op.name for op in SITE.operations}
        for op in SITE.operations:
            self.assertLessEqual(set(re.findall(r"\[`(\w+)`\]", SITE.parts(op.name).get("Related", ""))), names, op.name)


class Guide(unittest.TestCase):
    """What docs/adding-an-operation.md says must be written for a new operation is all there is to write."""

    def test_files_that_name_all_operations_are_in_the_guide(self):
        names = {op.name for op in SITE.operations}
        found = set()
        for folder in ("bench", "cmake", "docs", "scripts", "src", "tests"):
            for path in (ROOT / folder).rglob("*"):
                if path.is_file() and path.suffix not in (".jpg", ".png", ".gif"):
                    words = set(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="ignore")))
                    found |= {str(path.relative_to(ROOT))} if len(names & words) > 0.9 * len(names) else set()
        self.assertIn("bench/results/operations.jsonl", found)
        self.assertEqual({path for path in found if f"`{path}`" not in GUIDE}, set())

    def test_what_the_guide_lists_is_there_for_each_operation(self):
        operations = re.findall(r"^glproc_op\((\w+)", (ROOT / "CMakeLists.txt").read_text(), re.M)
        listed = {path for path in re.findall(r"`(\S*)`", GUIDE) if re.search(r"/invert(_test)?\.", path)}
        self.assertEqual(listed, {"glsl/invert.glsl", "src/glproc/ops/invert.hpp", "tests/ops/invert_test.cpp", "docs/operations/invert.md"})
        for path in listed - {"glsl/invert.glsl"}: # others have a folder of kernels, or share one
            for name in operations:
                self.assertTrue((ROOT / path.replace("invert", name)).exists(), path.replace("invert", name))


class Pages(unittest.TestCase):
    def test_links_of_the_front_page(self):
        text = (ROOT / "docs/site/index.md").read_text()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        stage = site_stage.Stage(ROOT, pathlib.Path(folder.name))
        stage.place_of("LICENSE")
        places = {*stage.pages.values(), *stage.copied, *PYTHON, "errors.md", "cpp.md", *(page.removeprefix("docs/") for page in docs_pages.MADE)}
        for target in re.findall(r"\]\(([^)#]+)", text):
            self.assertIn(target, places)
        for target in re.findall(r'src="(pictures/[^"]+)"', text):
            self.assertTrue((ROOT / "docs" / target).exists(), target)

    def test_each_python_function_has_its_place(self):
        names, _ = site_python.texts_of_ndimage(ROOT)
        entries = dict(re.findall(r"^### `(\w+)` \{.*?\n(.*?)^</div>", PYTHON["python/ndimage.md"], re.M | re.S))
        self.assertEqual(set(entries), {*names.SCIPYS, *(name for its in names.MODULES.values() for name in its)})
        for name, text in entries.items():
            call = ast.parse("def " + re.search(r"^```python\n(.*?)\n```", text, re.M | re.S)[1] + ": ...").body[0]
            told = re.findall(r"^\| `\**(\w+)` \| \S.* \| \S.* \|$", text, re.M)
            self.assertEqual((call.name, [parameter for parameter, _ in site_python.parameters_of(call)]), (name, told))
            self.assertIn("scipy.ndimage." + name, text)
            self.assertIn(">>> from glproc import ndimage", text)
        for name in ("read", "write", "Image", "Chain", "Context", "device"):
            self.assertIn(f"### `{name}` {{ #{name} }}", PYTHON["python/glproc.md"])

    def test_tasks_are_listed(self):
        listed = set(re.findall(r"\]\((\S+?\.md)\)", (ROOT / "docs/tasks/README.md").read_text()))
        self.assertLessEqual({path.name for path in (ROOT / "docs/tasks").glob("*.md")} - {"README.md"}, listed)
        self.assertGreaterEqual(len(listed), 20)

    def test_forty_calls_of_each_tool(self):
        for path in (ROOT / "docs/coming-from").glob("*.md"):
            if path.name != "README.md":
                self.assertGreaterEqual(len(re.findall(r"^\| `[^`]+`.*\| `glproc ", path.read_text(), re.M)), 40, path.name)

    def test_errors_come_from_the_source(self):
        rows = {message: hint for _, _, message, hint in site_errors.rows(ROOT)}
        self.assertGreater(len(rows), 300)
        self.assertIn("a lower --tolerance leaves more of it", rows["trim: all of the image is border, so nothing would be left"])
        self.assertIn("the image has no alpha channel to count", rows)


if __name__ == "__main__":
    unittest.main()
