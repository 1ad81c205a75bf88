"""A page for each operation: from the reference, the hand-written part in docs/operations, pictures, and figures. For scripts/site."""
import html
import importlib.machinery
import importlib.util
import json
import re
import sys

import chart_svg
import site_charts
import site_registry

CONTRACTS = {"exact", "rounded", "codes 1", "tolerance 1e-6", "tolerance 1e-3"}
NO_PICTURE = { # operations that make no picture to show, and what shows them instead
    "contours": "writes polygons; [components](components.md) draws them",
    "spots": "lists what it finds; [maxima](maxima.md) marks points",
    "stats": "prints figures; [histogram](histogram.md) draws them",
    "integral": "makes an array of sums",
    "scan": "works on arrays",
    "split": "makes grey images; [channels](channels.md) shows them",
    "thumbnail": "as of [resize](resize.md)",
}
BORROWED = {"contours": "components", "spots": "maxima", "thumbnail": "resize", "stats": "histogram", "split": "channels"} # whose picture stands on the page, too


def gallery(root):
    """The captions and commands of scripts/gallery."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("gallery", str(root / "scripts/gallery"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("gallery", loader))
    loader.exec_module(module)
    return module.COMMANDS


def parts_of(path):
    """A hand-written page, by heading; what stands before the first one is 'purpose'."""
    pieces = re.split(r"^## (.*)\n", path.read_text(encoding="utf-8"), flags=re.M)
    found = dict(zip(pieces[1::2], (piece.strip() for piece in pieces[2::2])))
    head = pieces[0].split("\n", 1)[1]
    code = re.search(r"```cpp\n(.*?)\n```", head, re.S)
    return {"purpose": head.split("```")[0].strip(), "cpp": code[1] if code else "", **found}


AGREEMENT_HEAD = """# Measured agreement

How far glproc is from the packages of Debian 12 that people know: SciPy 1.10, OpenCV 4.6, scikit-image 0.19, Pillow 9.4, NumPy 1.24,
ImageMagick 6.9 and vips 8.14. `scripts/references` measured it. Each row is a photo and noise of awkward sizes, from grey to RGBA.
Differences are in codes; of floats in values, relative where values are above 1.

| operation | reference | depth | largest difference | values that differ | allowed | within | driver, date |
|---|---|---|---|---|---|---|---|"""


def agreement_rows(root):
    """What scripts/references has measured, by operation."""
    found = {}
    for row in map(json.loads, (root / "bench/results/agreement.jsonl").read_text(encoding="utf-8").splitlines()):
        found.setdefault(row["operation"].split()[0], []).append(row)
    return found


def agreement_line(row, *keys):
    """A line of a table."""
    said = {**row, "operation": f"`{row['operation']}`", "within": "yes" if row["within"] else "**no**", "when": f"{row.get('driver', '')}, {row.get('date', '')}"}
    return f"| {' | '.join(said[key] for key in keys)} |"


def agreement_page(site):
    """All of it."""
    keys = ("operation", "reference", "depth", "largest", "differ", "allowed", "within", "when")
    return "\n".join([AGREEMENT_HEAD, *(agreement_line(row, *keys) for _, rows in sorted(site.agreement.items()) for row in rows)]) + "\n"


class Site:
    """Everything that pages are made of."""

    def __init__(self, root):
        self.root = root
        self.reference = site_registry.reference()
        self.sections = site_registry.sections(self.reference)
        self.operations = [op for _, its in self.sections for op in its]
        self.shared = site_registry.shared_values(self.reference)
        self.gallery = gallery(root)
        self.agreement = agreement_rows(root)
        self.times = {}
        for row in site_charts.rows(root):
            self.times.setdefault(row["operation"], []).append(row)

    def parts(self, name):
        path = self.root / f"docs/operations/{name}.md"
        return parts_of(path) if path.exists() else {}

    def pictures(self, name):
        """File, caption and command of each picture of an operation."""
        cells = self.gallery.get(name, [])
        for number, (caption, words) in enumerate(cells, 1):
            file = f"{name}{number if number > 1 else ''}.{'png' if name == 'histogram' else 'jpg'}"
            yield file, caption, words if words.startswith("pipe ") else f"{name} {words}"


def picture_part(site, op):
    shown = [*site.pictures(BORROWED.get(op.name, op.name))]
    lines = ['<div class="pair" markdown="0">']
    if shown:
        lines.append('<figure><img src="../pictures/in.jpg" alt="the photo"><figcaption>in.png</figcaption></figure>')
    for file, caption, words in shown:
        text = html.escape(caption)
        lines.append(f'<figure><img src="../pictures/{file}" alt="{text}"><figcaption>{text}<br><code>glproc {html.escape(words)}</code></figcaption></figure>')
    lines.append("</div>")
    said = [f"This operation {NO_PICTURE[op.name]}."] if op.name in NO_PICTURE and op.name not in BORROWED else []
    return ["\n".join(lines)] * bool(shown) + said


def tab(name, language, code):
    body = "\n".join(f"    {line}" for line in code.splitlines())
    return f'=== "{name}"\n\n    ```{language}\n{body}\n    ```'


def calls_part(op, parts):
    calls = [tab("Command", "sh", op.example)]
    if op.chain():
        calls.append(tab("Chain", "sh", op.chain()))
    calls += [tab("C++", "cpp", parts["cpp"]), tab("Python", "python", op.python())]
    other = [f"{op.other[0]}:", f"```sh\n{op.other[1]}\n```"] if op.other else []
    also = [f"Also called {', '.join(f'`{alias}`' for alias in op.aliases)}."] if op.aliases else []
    no_step = [] if op.chain() else [f"`{op.name}` cannot be a step of a chain."]
    return ["## How to call it", "\n\n".join(calls), *no_step, *other, *also]


def method_names(op):
    return [name for name in ("method", "variant") if any(parameter.name == name for parameter in op.parameters)]


def own_values(op):
    """Tables of values, those of methods apart."""
    is_method = lambda heading: any(f"`--{name}`" in heading for name in method_names(op))
    chooses = [table for heading, table in op.values if is_method(heading) and "auto" in table]
    others = [(heading, table) for heading, table in op.values if not (is_method(heading) and "auto" in table)]
    return chooses, others


def parameters_part(op):
    if not op.parameters:
        return ["## Parameters", "None of its own; see [shared flags](../reference.md#shared-flags)."]
    table = "\n".join(["| flag | default | range | meaning |", "|---|---|---|---|", *(parameter.row for parameter in op.parameters)])
    linked = [f"[`{name}`](../reference.md{anchor})" for name, anchor in op.shared if name not in ("--method", "--variant")]
    values = [text for heading, rows in own_values(op)[1] for text in (heading, rows)]
    return ["## Parameters", table, *values, *([f"Values that operations share: {', '.join(linked)}."] if linked else []),
            "Every command also takes [shared flags](../reference.md#shared-flags) for files, formats and devices."]


def agreement_part(site, op, parts):
    rows = site.agreement.get(op.name, [])
    if not rows:
        return ["### Measured agreement", parts.get("Agreement", "")]
    lines = ["| call | beside | depth | largest difference | values that differ |", "|---|---|---|---:|---:|"]
    lines += [agreement_line(row, "operation", "reference", "depth", "largest", "differ") for row in rows]
    return ["### Measured agreement", "\n".join(lines),
            "Differences are in codes; of floats in values. On photos and noise of awkward sizes, by `scripts/references`: [all figures](agreement.md)."]


def times_part(site, op):
    figures = site.times.get(op.name, [])
    if not figures:
        return ["## Time"]
    unit = "million values" if op.name == "scan" else "megapixels"
    dates = {f"{row['device']} ({row['driver']}, {row['date']})" for row in figures}
    commands = sorted({f"`{row['command']}`" for row in figures if row["device"] == "llvmpipe"})
    elsewhere = "" if all(row["device"] == "llvmpipe" for row in figures) else " Figures of a GPU and of libraries beside it: [Numbers](../numbers.md)."
    rates = {(row["device"], row["method"]): row for row in sorted(figures, key=lambda row: row["mega"])}
    lines = [f"- {method}, {device}: **{chart_svg.digits(row['ms'])} ms** for {chart_svg.digits(row['mega'])} {unit}"
             for (device, method), row in rates.items()]
    is_whole = figures[0]["method"] == "whole command"
    said = "Milliseconds of the process from its start to its end, files included." if is_whole else "Milliseconds of the device, without files."
    return ["## Time", site_charts.chart(op.name, figures, unit), "\n".join(lines),
            f"{said} By {', '.join(commands)}. {'; '.join(sorted(dates))}.{elsewhere}"]


def methods_part(site, op):
    own = own_values(op)[0]
    shared = [site.shared[anchor] for name, anchor in op.shared if name in ("--method", "--variant") and anchor in site.shared]
    if not own + shared:
        return ["## Methods", "There is one method, so there is nothing to choose."]
    return ["## Methods", f"`--{(method_names(op) or ['method'])[-1]}` chooses one; `auto` is the default and says here which it takes.", *(own + shared)]


def math(text):
    """Blocks that forges draw as formulas, for KaTeX."""
    return re.sub(r"```math\n(.*?)\n```", lambda block: f'<div class="math">{html.escape(block[1])}</div>', text, flags=re.S)


def operation_page(site, op):
    parts = site.parts(op.name)
    page = [f"# `{op.name}`", f"**{op.summary}** {parts['purpose']}", *picture_part(site, op), *calls_part(op, parts), *parameters_part(op),
            "## Definition", parts["Definition"], "## Exactness", parts["Exactness"] + " The [contracts](README.md#contracts) say what the word promises.",
            *agreement_part(site, op, parts), "## Borders, alpha, depths", parts["Borders, alpha, depths"], *times_part(site, op), *methods_part(site, op),
            "## Related", parts["Related"]]
    return math("\n\n".join(text for text in page if text)) + "\n"


def missing_in(site, op):
    """What a reader of an operation's page would look for in vain."""
    parts = site.parts(op.name)
    contract = re.match(r"Contract: \*\*(.*?)\*\*", parts.get("Exactness", "").replace("\n", " "))
    agreement = parts.get("Agreement", "")
    faults = []
    files = [file for file, _, _ in site.pictures(BORROWED.get(op.name, op.name))]
    if not (files and all((site.root / "docs/pictures" / file).exists() for file in files)) and op.name not in NO_PICTURE:
        faults.append("picture")
    if not parts.get("cpp"):
        faults.append("call from C++")
    if not re.search(r"```math\n.+\n```", parts.get("Definition", ""), re.S):
        faults.append("formula")
    if not contract or contract[1] not in CONTRACTS:
        faults.append("contract")
    if not parts.get("Related"):
        faults.append("related operations")
    if not site.agreement.get(op.name) and not (agreement.startswith("None published.") and len(agreement.split()) > 6):
        faults.append("agreement")
    if not site.times.get(op.name):
        faults.append("time")
    return faults
