"""The operations as the program describes them: its reference, taken apart. For scripts/site."""
import dataclasses
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys

REPORTS = {"compare", "contours", "spots", "stats", "histogram"} # make no image
ARRAYS = {"integral", "scan"}
SEVERAL = {"append", "montage", "merge", "stack"} # take many images at once
NOT_IN_CHAINS = REPORTS | ARRAYS | SEVERAL | {"split"} # as the program says of each


@functools.lru_cache(maxsize=None)
def reference(program=None):
    """Every command with its flags, as a page: by GLPROC_PROGRAM, or the program of build/release, unless told."""
    built = pathlib.Path(__file__).resolve().parent.parent / "build/release/glproc"
    program = program or os.environ.get("GLPROC_PROGRAM") or built
    if not os.access(program, os.X_OK):
        sys.exit(f"no program {program}\n  scripts/build release")
    return subprocess.run([program, "--describe", "reference"], capture_output=True, text=True, check=True).stdout


@dataclasses.dataclass
class Parameter:
    flag: str # as the table has it
    row: str

    @property
    def name(self):
        return re.sub(r"[\[= ].*", "", self.flag.split(",")[-1].strip().lstrip("-"))


@dataclasses.dataclass
class Operation:
    name: str
    section: str
    summary: str
    example: str
    other: tuple # what a second example does, and the example
    aliases: list
    parameters: list
    values: list # heading and lines of each table of values
    shared: list # names of flags and anchors of what several operations share

    def words(self):
        """Of the example, without files: the flags, and values that stand bare."""
        words = shlex.split(self.example)[2:]
        while words and re.search(r"\.(png|tif|npy|json|svg)$", words[0]):
            words.pop(0)
        return words

    def chain(self):
        """The example as a step of a chain, or nothing."""
        if self.name in NOT_IN_CHAINS:
            return None
        words = " ".join(shlex.quote(word) for word in self.words())
        return f"glproc pipe in.png out.{'tif' if self.name in ('color', 'distance') else 'png'} {self.name} {words}".strip() + AFTER.get(self.name, " then resize 50%")

    def makes_image(self):
        """Whether it is for Dask arrays, too: it makes an image of one image, if nothing else is asked for."""
        return self.name not in NOT_IN_CHAINS | {"components", "maxima"}

    def python(self):
        """The example as a call from Python."""
        named, words = [], self.words()
        while words:
            word = words.pop(0)
            if word.startswith("--"):
                flag = word[2:]
                is_switch = not words or words[0].startswith("--")
                named.append((flag, True if is_switch else words.pop(0)))
            else:
                named.append((self.parameters[0].name, "x" if word == "horizontal" else word))
        image = {"scan": "values", **dict.fromkeys(SEVERAL, "[first, second, third]")}.get(self.name, "photo")
        if self.name in SPECIAL:
            return SPECIAL[self.name]
        arguments = ", ".join([image, *(f"{python_name(name)}={python_value(name, value)}" for name, value in named)])
        result = "report" if self.name in REPORTS | {"components", "maxima"} else "out"
        return f"{result} = glproc.{self.name}({arguments})"


SPECIAL = {"compare": "report = glproc.compare(photo, other)", "split": "red = glproc.channels(photo, extract=\"r\")"} # that follow no rule
AFTER = {"resize": " then unsharp", "maxima": " then morphology --do dilate --radius 1", "distance": " then levels --white 40"}


def python_name(flag):
    name = flag.replace("-", "_")
    return f"{name}_" if name in ("with", "from") else name


def python_value(flag, value):
    if value is True:
        return "True"
    if flag == "with":
        return {"logo.png": "logo"}.get(value, "other")
    if flag in ("percentiles",):
        return f"[{value.replace(',', ', ')}]"
    if flag == "channels":
        return repr(value.split(","))
    return value if re.fullmatch(r"-?\d+(\.\d+)?", value) else f'"{value}"'


def block_after(text, begin):
    match = re.search(r"```\n(.*?)\n```", text[begin:], re.S)
    return match[1].replace("\n", " ") if match else None


def operation_of(name, section, text):
    flags = re.search(r"^\| flag \|.*\n\|---.*\n((?:\|.*\n)+)", text, re.M)
    rows = flags[1].splitlines() if flags else []
    parameters = [Parameter(re.match(r"\| `([^`]+)`", row)[1].replace("\\|", "|"), row) for row in rows]
    values = re.findall(r"^(Values of `[^`]+`:)\n\n((?:\|.*\n)+)", text + "\n", re.M)
    shared = re.findall(r"\[`(--[\w-]+)`\]\((#[^)]*)\)", text)
    second = re.search(r"^([A-Z][^\n]*):\n\n```\n(.*?)\n```", text, re.M | re.S)
    aliases = re.search(r"^Also: (.*)\.$", text, re.M)
    return Operation(name, section, text.strip().splitlines()[0], block_after(text, 0), second.groups() if second and not second[1].startswith("Values") else None,
                     re.findall(r"`(\w[\w-]*)`", aliases[1]) if aliases else [], parameters, values, shared)


def sections(text):
    """The headings of the reference, and the operations under each."""
    found = []
    for part in re.split(r"^## ", text.split("\n## Chains, video and device")[0], flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        names = re.split(r"^### `(\w+)`\n", body, flags=re.M)
        found.append((heading, [operation_of(name, heading, text) for name, text in zip(names[1::2], names[2::2])]))
    return found


def shared_values(reference):
    """The tables of values that several operations share, by anchor."""
    found = {}
    for part in re.split(r"^### ", reference.split("\n## Values of flags")[1].split("\n## Exit")[0], flags=re.M)[1:]:
        heading, _, body = part.partition("\n")
        anchor = "#" + re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")
        found[anchor] = body.strip()
    return found
