"""The Python code of the pages works as it stands, prints what it says, and makes its pictures."""

import contextlib
import io
import os
import re
import shutil
from pathlib import Path

import numpy

import glproc

ROOT = Path(__file__).resolve().parent.parent.parent


def test_tour(tmp_path, monkeypatch):
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 7
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "docs/pictures").mkdir(parents=True)
    names = {}
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(block, names)  # noqa: S102
        expected = re.findall(r"^ *print\(.*\) +# (.*)$", block, re.MULTILINE)
        assert printed.getvalue().splitlines() == expected
    made = sorted(path.name for path in (tmp_path / "docs/pictures").iterdir())
    assert made == sorted(set(re.findall(r"pictures/(python_\w+\.jpg)", page)))
    for name in made:
        kept = ROOT / "docs/pictures" / name
        if os.environ.get("GLPROC_UPDATE_PICTURES"):
            shutil.copy(tmp_path / "docs/pictures" / name, kept)
        difference = numpy.int16(glproc.read(kept)) - glproc.read(tmp_path / "docs/pictures" / name)
        assert numpy.abs(difference).max() <= 2, name


def test_other_pages(tmp_path, monkeypatch):
    (tmp_path / "in.png").symlink_to(ROOT / "data/sample.png")
    monkeypatch.chdir(tmp_path)
    count = 0
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        if page.name != "python.md":
            for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
                exec(block, {})  # noqa: S102
                count += 1
    assert count >= 1
    assert (tmp_path / "out.png").exists()


def test_tables_name_what_there_is():
    from glproc import ndimage

    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    rows = "".join(re.findall(r"^\| (`\w+`.*) \| \d+ \| \d+ \|$", page, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", rows)) == set(ndimage.coverage())
    for name in re.findall(r"`glproc\.(\w+(?:\.\w+)?)", page):
        thing = glproc
        for part in name.split("."):
            thing = getattr(thing, part)
