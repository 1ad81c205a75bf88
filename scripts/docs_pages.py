"""The pages of the documentation, taken apart: prose, links, headings and blocks of code. For scripts/check-words."""
import dataclasses
import functools
import re

NOT_RUN = re.compile(r"<!-- not run: (.*?) *-->")
LINK = re.compile(r"!?\[((?:[^\[\]]|!?\[[^\]]*\](?:\([^)]*\))?)*)\]\(([^()\s]+)\)")
MADE = {"docs/reference.md", "docs/operations/agreement.md"} # by scripts/site; scripts/check-site follows the links to them
LIST_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")


@dataclasses.dataclass
class Block:
    line: int
    language: str
    lines: list
    reason: str | None # why nothing runs it


@dataclasses.dataclass
class Page:
    name: str
    prose: list = dataclasses.field(default_factory=list) # line and text of each paragraph, item and cell
    links: list = dataclasses.field(default_factory=list) # line and target
    anchors: set = dataclasses.field(default_factory=set)
    blocks: list = dataclasses.field(default_factory=list)
    spans: list = dataclasses.field(default_factory=list) # line and text of code within prose


def paths(root):
    """All pages that a reader meets."""
    found = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("docs/*/*.md"), *root.glob("bench/*.md")]
    return sorted(path for path in found if path.parent != root / "docs/site") # links of that folder hold on the site alone


def anchor_of(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", LINK.sub(r"\1", heading).replace("`", "").lower()).replace(" ", "-")


def plain(text):
    """Prose as it is read: a span of code is one word, a link its text."""
    text = re.sub(r"`[^`]+`", "CODE", text)
    for _ in range(2): # pictures within links
        text = LINK.sub(r"\1", text)
    return re.sub(r"<!--.*?-->|\*\*|(?<!\w)[*_](?=\w)|(?<=[\w.])[*_](?!\w)", "", text)


@functools.lru_cache(maxsize=None)
def read(root, path):
    page = Page(path.resolve().relative_to(root.resolve()).as_posix())
    paragraph, begin, block, reason = [], 0, None, None

    def end_paragraph():
        text = " ".join(paragraph)
        if LINK.sub("", text).strip(): # an entry of a table of contents is no sentence
            page.prose.append((begin, plain(text)))
        paragraph.clear()

    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None:
            if line.strip() == "```":
                page.blocks.append(block)
                block = None
            else:
                block.lines.append(line)
            continue
        if line.lstrip().startswith("```"):
            end_paragraph()
            block = Block(number, line.strip()[3:].strip(), [], reason)
            reason = None
            continue
        if match := NOT_RUN.search(line):
            reason = match[1]
            if line.strip() == match[0]:
                end_paragraph()
                continue
        elif line.strip():
            reason = None
        page.links += [(number, match[2]) for match in LINK.finditer(line)]
        # Pictures and links within a link's text.
        page.links += [(number, inner[2]) for match in LINK.finditer(line) for inner in LINK.finditer(match[1])]
        if not NOT_RUN.search(line):
            page.spans += [(number, span) for span in re.findall(r"`([^`]+)`", line)]
        if line.startswith("#"):
            end_paragraph()
            page.anchors.add(anchor_of(line.lstrip("#").strip()))
        elif not line.strip() or line.startswith(">"):
            end_paragraph()
        elif line.startswith("|"):
            end_paragraph()
            cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
            page.prose += [(number, plain(cell)) for cell in cells if re.search(r"[A-Za-z]", cell)]
        else:
            if LIST_ITEM.match(line):
                end_paragraph()
                line = LIST_ITEM.sub("", line, count=1)
            if not paragraph:
                begin = number
            paragraph.append(line.strip())
    end_paragraph()
    return page


def help_paragraphs(text):
    """Of a help text: usage lines and commands are no prose; a flag's text begins after two blanks."""
    paragraphs = [[]]
    for line in text.splitlines():
        match = re.match(r"(\s*)(\S.*)", line)
        if not match or re.match(r"(Usage|Examples?):|More flags|\s*--[\w-]+( --[\w-]+)*$", line):
            paragraphs.append([])
        elif re.match(r" {2,4}\S", line):
            paragraphs.append(re.split(r"\s{2,}", match[2], maxsplit=1)[1:])
        else:
            paragraphs[-1].append(match[2])
    return [plain(" ".join(parts)) for parts in paragraphs if parts]


@functools.lru_cache(maxsize=None)
def compiled_lines(root):
    files = [path for pattern in ("examples/*.cpp", "src/glproc/ops/*.cpp", "src/glproc/kinds/separable/*.cpp", "glsl/*.glsl")
             for path in root.glob(pattern)]
    # Pages write file names where the examples take them from the command line.
    return {squeezed(line).replace("argv[1]", '"in.png"').replace("argv[2]", '"out.png"')
            for path in files for line in path.read_text(encoding="utf-8").splitlines()}


def squeezed(line):
    return re.sub(r"\s+", " ", re.sub(r"//.*", "", line)).strip()


def is_compiled(root, line):
    """Whether a file that is compiled has this line, in which … may stand for anything."""
    pattern = re.compile(".*".join(map(re.escape, squeezed(line).split("…"))))
    return not squeezed(line) or squeezed(line) in compiled_lines(root) or any(map(pattern.fullmatch, compiled_lines(root)))
