"""The comments of C++ and GLSL, taken apart into paragraphs. For scripts/check-words."""
import dataclasses
import re

import docs_pages

# Comments of these folders are written as the pages are.
FOLDERS = ("glsl", "src/glproc/arrays", "src/glproc/gl", "src/glproc/gpu_codecs", "src/glproc/kinds", "src/glproc/math",
           "src/glproc/op", "src/glproc/ops", "src/glproc/shader")
SUFFIXES = {".comp", ".cpp", ".glsl", ".hpp"}

# Literals come first, because "//" means nothing within them.
TOKEN = re.compile(r'R"(\w*)\((?s:.)*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|//[/!]?<?(?P<text>[^\n]*)')
ITEM = re.compile(r" *(?:[-*] |\d+\. |@\w)")
# The first column of a table, "Reads   i_src   ", or the mark of an item: the text begins after it.
LEAD = re.compile(r" *(?:[-*] +|\d+\. +|@define +\S+ +\S+ *|@\w+ *|.*\S {2,})(?=\S|$)")


@dataclasses.dataclass
class Line:
    number: int
    column: int
    is_alone: bool # no code before it
    text: str

    @property
    def indent(self):
        return len(self.text) - len(self.text.lstrip())


def lines_of(source):
    for match in TOKEN.finditer(source):
        if match["text"] is not None:
            begin = source.rfind("\n", 0, match.start()) + 1
            is_alone = not source[begin:match.start()].strip()
            yield Line(source.count("\n", 0, begin) + 1, match.start() - begin, is_alone, match["text"])


def lead_of(line):
    match = LEAD.match(line.text)
    return match[0] if match else ""


def continues(paragraph, line):
    """Whether a line belongs to the lines before it: below them, in the same column of the file and of a table."""
    last = paragraph[-1]
    if line.number != last.number + 1 or not line.is_alone or line.column != last.column or ITEM.match(line.text):
        return False
    lead = lead_of(paragraph[0])
    if not lead:
        return line.indent == paragraph[0].indent and not lead_of(line)
    return line.indent == len(lead) or len(paragraph) > 1 and line.indent == last.indent > 1


def paragraphs(source):
    """The lines of each, of all comments in order."""
    found, last = [], None
    for line in lines_of(source):
        if not line.text.strip():
            last = None
        elif last and continues(last, line):
            last.append(line)
        else:
            last = [line]
            found.append(last)
    return found


def prose(source):
    """Line and text of each paragraph as a reader sees it: without directives and addresses."""
    found = []
    for lines in paragraphs(source):
        if not lines[0].text.lstrip().startswith("@skip"):
            parts = [lines[0].text[len(lead_of(lines[0])):], *(line.text for line in lines[1:])]
            text = re.sub(r"https?://\S+", "ADDRESS", " ".join(part.strip() for part in parts))
            found.append((lines[0].number, docs_pages.plain(text)))
    return found


def sources_named(text):
    """Names of kernels and C++ in a paragraph: "glsl/box.comp", "gl/pass.hpp"; not "<op>.cpp" or "NAME.cpp"."""
    return re.findall(r"(?<![\w/<>{}*.-])(?:[\w-]+/)*[a-z]\w*\.(?:comp|glsl|hpp|cpp)\b", text)


def sources(root):
    """All that a comment may name."""
    return [path for folder in ("glsl", "src", "tests", "tools") for path in (root / folder).rglob("*") if path.suffix in SUFFIXES]


def files(root):
    return sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in SUFFIXES)
