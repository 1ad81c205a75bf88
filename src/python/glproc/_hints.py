"""The library's words, which are those of its command line, as a program in Python would have them."""

import functools
import re

_FILE = re.compile(r"[\w{}./-]+\.[a-z][a-z0-9]{2,3}$|IN$|OUT$")


def of_python(text: str) -> str:
    """`glproc crop in.png out.png 640x480` is glproc.crop(image, '640x480'), and --out-black the parameter out_black."""
    if "glproc " in text:
        text = re.sub(r"glproc ([a-z]+)((?: \S+)*)", _call, text)
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: flag[1].replace("-", "_"), text) if "--" in text else text


@functools.cache
def _operations() -> set[str]:
    from . import _glproc

    return {operation["name"] for operation in _glproc.describe()}


def _call(command: re.Match[str]) -> str:
    """A command as a call, and the words after it. Of its files the last one is the result."""
    name, words = command[1], command[2].split()
    if name not in _operations():
        return command[0]
    files = 0
    while files < len(words) and _FILE.match(words[files]):
        files += 1
    if files == 0:
        return " ".join([f"glproc.{name}()", *words])
    words = words[files:]
    given = ["[" + ", ".join(["first", "second", "third"][: files - 1]) + "]" if files > 2 else "image"]
    while words and (words[0].startswith("--") or any(map(str.isdigit, words[0]))):
        word = words.pop(0)
        if not word.startswith("--"):
            given.append(repr(word))
        elif words and not words[0].startswith("--"):
            given.append(f"{word[2:].replace('-', '_')}={words.pop(0)!r}")
        else:
            given.append(f"{word[2:].replace('-', '_')}=True")
    return " ".join([f"glproc.{name}({', '.join(given)})", *words])
