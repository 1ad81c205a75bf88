"""Puts every page where mkdocs takes it from, with links that hold within the site. For scripts/site."""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

import site_errors
import site_pages
import site_python
import site_registry

# Pages of the root folder and of bench, by the names that they have on the site.
ELSEWHERE = {"CHANGELOG.md": "project/changes.md", "CONTRIBUTING.md": "project/contributing.md", "SECURITY.md": "project/security.md",
             "bench/README.md": "project/bench.md", "README.md": "project/readme.md", "docs/operations/README.md": "operations/README.md"}
LINK = re.compile(r"(!?\[(?:[^\[\]]|!?\[[^\]]*\](?:\([^)]*\))?)*\])\(([^()\s]+)\)")
PYTHON_PAGES = """
Reference: [`glproc`](python/glproc.md) · [operations](python-functions.md) · [`glproc.ndimage`](python/ndimage.md) ·
[`glproc.dask`](python/dask.md)
"""
KATEX = pathlib.Path("/usr/share/javascript/katex")


def with_bars(row):
    """A row of a table: code with bars in it as HTML, because mkdocs shows their backslashes."""
    return re.sub(r"`([^`]*\\\|[^`]*)`", lambda code: f"<code>{html.escape(code[1]).replace(chr(92) + '|', '&#124;')}</code>", row)


class Stage:
    def __init__(self, root, to):
        self.root, self.to = root, to
        self.pages = dict(ELSEWHERE)
        for path in [*root.glob("docs/*.md"), *root.glob("docs/*/*.md")]:
            name = path.relative_to(root).as_posix()
            if not name.startswith("docs/site/") and name not in self.pages:
                self.pages[name] = name.removeprefix("docs/")
        self.copied = {} # other files that pages link to

    def write(self, name, text):
        path = self.to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(re.sub(r"^\|.*", lambda row: with_bars(row[0]), text, flags=re.M), encoding="utf-8")

    def place_of(self, name):
        """Where a file of the project is on the site; it is put there if it is no page."""
        if name in self.pages:
            return self.pages[name]
        if name.startswith("docs/pictures/") or name.startswith("docs/charts/"):
            return name.removeprefix("docs/")
        path = self.root / name
        if path.is_dir():
            listed = f"source/{name}/README.md"
            if listed not in self.copied:
                self.copied[listed] = name
                files = sorted(file for file in path.iterdir() if file.is_file())
                links = "\n".join(f"- [{file.name}]({os.path.relpath(self.place_of(f'{name}/{file.name}'), os.path.dirname(listed))})" for file in files)
                self.write(listed, f"# {name}\n\n{links}\n")
            return listed
        place = f"source/{name}.txt" if path.suffix != ".txt" else f"source/{name}"
        if place not in self.copied:
            self.copied[place] = name
            (self.to / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.to / place)
        return place

    def link(self, page, place, target):
        """A link of `page`, which is at `place` on the site."""
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return target
        name = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if not (self.root / name).exists():
            return target # the link checker finds it
        return os.path.relpath(self.place_of(name), os.path.dirname(place) or ".") + (f"#{anchor}" if anchor else "")

    def converted(self, page, place, text):
        """Markdown as forges read it, for mkdocs."""
        parts = re.split(r"(^[ ]*```.*?^[ ]*```[ ]*$)", text, flags=re.M | re.S)
        parts[::2] = [LINK.sub(lambda match: f"{self.inner(page, place, match[1])}({self.link(page, place, match[2])})", part) for part in parts[::2]]
        lines, fenced = [], False
        for line in "".join(parts).splitlines():
            if line.lstrip().startswith("```"):
                fenced = not fenced
                if fenced and line.strip() == "```":
                    line += "sh"
            elif not fenced:
                if re.fullmatch(r"\s*<!--.*?-->\s*", line):
                    continue
                starts_list = re.match(r"(?:[-*]|\d+\.) ", line)
                if starts_list and lines and lines[-1].strip() and not re.match(r"\s*(?:[-*]|\d+\.) |  ", lines[-1]):
                    lines.append("")
            lines.append(line)
        text = site_pages.math("\n".join(lines)) + "\n"
        has_filter = place.startswith("coming-from/") and not place.endswith("README.md") or place == "how-do-i.md"
        return re.sub(r"\n(?=\n\|)", '\n\n<div class="filtered"></div>\n', text, count=1) if has_filter else text

    def inner(self, page, place, text):
        """Pictures within a link's text."""
        return text[0] + LINK.sub(lambda match: f"{match[1]}({self.link(page, place, match[2])})", text[1:])


def gallery_page(text):
    """Each picture leads to the page of its operation."""
    def linked(match):
        name = re.sub(r"\d+$", "", match[2])
        return f"[{match[0]}](operations/{name}.md)" if name != "in" else match[0]
    return re.sub(r"!\[([^\]]*)\]\(pictures/([a-z]+\d*)\.\w+\)", linked, text).replace("\n## ", '\n<div class="even"></div>\n\n## ', 1)


def functions_page(site):
    """Every function of the Python package, with its parameters."""
    lines = ["# Functions of the Python package", "",
             "Each operation is a function, and a method of `Image` and `Chain` where it takes one image. Parameters have the defaults of the command; the page of",
             "an operation explains them. `help(glproc.blur)` prints the same.", "", '<div class="filtered"></div>', "", "| function | parameters | example |", "|---|---|---|"]
    for op in site.operations:
        names = ", ".join(f"`{site_registry.python_name(parameter.name)}`" for parameter in op.parameters)
        lines.append(f"| [`{op.name}`](operations/{op.name}.md) | {names} | `{op.python()}` |")
    return "\n".join(lines) + "\n"


def checksums_part(root):
    """The table that scripts/checksums makes."""
    done = subprocess.run([sys.executable, "-B", root / "scripts/checksums", "--table"], capture_output=True, text=True, check=True)
    return ("\n## All checksums\n\nOf each command on each kind of image, the first half of the checksum of its pixels. `scripts/checksums` makes this table.\n\n"
            '<div class="filtered sums"></div>\n\n' + done.stdout)


def index_of(site):
    """The list of all operations."""
    lines = []
    for heading, operations in site.sections:
        lines += [f"## {heading}", "", "| operation | for |", "|---|---|"]
        lines += [f"| [`{op.name}`]({op.name}.md) | {op.summary} |" for op in operations] + [""]
    return "\n".join(lines)


def stage(root, to):
    """Everything except the configuration; returns the operations."""
    site, stage = site_pages.Site(root), Stage(root, to)
    for folder in ("pictures", "charts"):
        shutil.copytree(root / "docs" / folder, to / folder)
    (to / "site").mkdir(parents=True)
    for name in ("extra.css", "extra.js"):
        shutil.copyfile(root / "docs/site" / name, to / "site" / name)
    stage.write("index.md", (root / "docs/site/index.md").read_text(encoding="utf-8"))
    stage.write("errors.md", site_errors.page(root))
    stage.write("reference.md", site.reference)
    stage.write("operations/agreement.md", site_pages.agreement_page(site))
    stage.write("python-functions.md", functions_page(site))
    for place, text in site_python.pages(root, site).items():
        stage.write(place, text)
    for page, place in sorted(stage.pages.items()):
        name = pathlib.Path(page).stem
        if page.startswith("docs/operations/") and name != "README":
            continue
        text = (root / page).read_text(encoding="utf-8")
        if page == "docs/gallery.md":
            text = gallery_page(text)
        if page == "docs/python.md":
            text = text.replace("\n- [Install]", PYTHON_PAGES + "\n- [Install]", 1)
        if page == "docs/operations/README.md":
            text = text.rstrip() + "\n\n" + index_of(site)
        text = stage.converted(page, place, text)
        if page == "docs/determinism.md":
            text += checksums_part(root)
        stage.write(place, text)
    for op in site.operations:
        stage.write(f"operations/{op.name}.md", site_pages.operation_page(site, op))
    shutil.copytree(KATEX, to / "katex", ignore=lambda _, names: [n for n in names if n in ("contrib", "katex.js", "katex.css") or n.endswith((".mjs", ".ttf", ".woff"))])
    return site
