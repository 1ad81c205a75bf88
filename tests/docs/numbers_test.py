"""docs/numbers.md stays short enough to read, its charts and tables are those of bench/results, and its programs exist."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/numbers.md"
MOST_WORDS, MOST_COLUMNS = 2200, 6


def columns(line):
    return len(re.sub(r"`[^`]*`", "", line).strip().strip("|").split("|"))


def faults_of(page):
    """What a reader would have too much of. scripts/check-words looks at the sentences."""
    faults = []
    if len(page.split()) > MOST_WORDS:
        faults.append(f"{len(page.split())} words, {MOST_WORDS} at most")
    for line in page.splitlines():
        if line.startswith("|") and columns(line) > MOST_COLUMNS:
            faults.append(f"{columns(line)} columns, {MOST_COLUMNS} at most: {line[:60]}")
    return faults


class Numbers(unittest.TestCase):
    def test_page(self):
        self.assertEqual(faults_of(PAGE.read_text()), [])

    def test_faults_are_seen(self):
        self.assertIn("2201 words", faults_of("word. " * 2201)[0])
        self.assertIn("7 columns", faults_of("| " + "a | " * 7)[0])
        self.assertEqual(faults_of("| `a|b` | " + "c | " * 5), [])

    def test_charts_and_tables_are_those_of_the_results(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/charts", "--check"], capture_output=True, text=True)
        self.assertEqual((done.stdout + done.stderr, done.returncode), ("", 0))

    def test_charts_are_svg(self):
        for chart in sorted(PAGE.parent.glob("charts/*.svg")):
            names = {element.tag.rpartition("}")[2] for element in xml.parse(chart).iter()}
            self.assertTrue({"svg", "title", "desc", "style", "text"} <= names, chart)
            self.assertIn(f"charts/{chart.name}", PAGE.read_text())
            self.assertLess(chart.stat().st_size, 40000)

    def test_figures_say_where_they_are_from(self):
        for name in ("commands.jsonl", "kernels.jsonl"):
            for line in (ROOT / "bench/results" / name).read_text().splitlines():
                row = json.loads(line)
                self.assertTrue({"command", "device", "date"} <= row.keys(), line)
                self.assertRegex(row["date"], r"^20\d\d-\d\d-\d\d$")

    def test_programs_exist(self):
        for program in set(re.findall(r"`((?:bench|scripts)/[\w/.]+)", PAGE.read_text())):
            self.assertTrue((ROOT / program).exists(), program)

    def test_taken_figures_replace_those_of_the_same_job(self):
        with tempfile.TemporaryDirectory() as name:
            copy = Path(name)
            for folder in ("scripts", "bench/results", "docs/charts"):
                (copy / folder).mkdir(parents=True)
            for path in ("scripts/charts", "scripts/chart_svg.py", "bench/results/commands.jsonl", "bench/results/kernels.jsonl",
                         "docs/numbers.md"):
                (copy / path).write_bytes((ROOT / path).read_bytes())
            seconds = {"seconds": {"median": 1.25}}
            report = {"cores": 3, "tools": [{"name": "glproc", "version": "glproc 9 on a device"}],
                      "jobs": [{"job": "median_jpg", "results": {"glproc": seconds, "ImageMagick": seconds, "Pillow": seconds}}]}
            (copy / "report.json").write_text(json.dumps(report))
            subprocess.run([sys.executable, "-B", copy / "scripts/charts", "--take", copy / "report.json"], check=True, capture_output=True)
            rows = [json.loads(line) for line in (copy / "bench/results/commands.jsonl").read_text().splitlines()]
            row = next(row for row in rows if row["command"].endswith("median_jpg"))
            self.assertEqual((row["seconds"], row["device"]), ({"glproc": 1.25, "ImageMagick": 1.25}, "a device, 3 cores"))
            self.assertEqual(len(rows), len((ROOT / "bench/results/commands.jsonl").read_text().splitlines()))
            self.assertIn("| 1.25 |", (copy / "docs/numbers.md").read_text())


if __name__ == "__main__":
    unittest.main()
