"""The page of errors, made of the texts in the program's source. For scripts/site.

Every `Error(ErrorCode::KIND, message, hint)`, and what makes one of them, is a row; `…` stands for names and numbers that the program puts in."""
import re

TOKEN = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*')
BEGIN = re.compile(r"\bError\(\s*ErrorCode::(?P<kind>\w+)\s*,|(?P<usage>\bthrow (?:usage|wrong)\()|(?P<input>\bfail\((?:source|source_|name|name_),)")
# Of each kind: its exit status, what has happened, and what helps where the program says nothing better.
KINDS = {
    "usage": (2, "A command, a flag or a value is wrong", "Nothing was read or written. Correct the command; `glproc help COMMAND` lists flags and ranges."),
    "input": (3, "An input is missing, unreadable or corrupt", "Look at the file with `glproc info FILE`. `--keep-partial` keeps the readable rows of a damaged image."),
    "output": (4, "An output cannot be written", "Check that the folder exists, that you may write there and that the disk is not full. The old file is whole."),
    "operation": (1, "The operation failed", "Try `--method auto`, a smaller image, or `glproc selftest OPERATION`, and report it if it stays."),
    "no_context": (5, "There is no usable OpenGL 4.3", "`glproc info` says what was tried. Install `libgl1-mesa-dri` for the software renderer, or leave out `--require-gpu`."),
    "gpu": (6, "GPU memory ran out, or the GPU was reset", "Give `--memory` a smaller size, which works in smaller tiles, or use `--device cpu`."),
}
# Faults of a program that uses the library, or of a kernel, which no command of a user can cause.
NOT_FOR_USERS = ("src/glproc/gl/", "src/glproc/shader/", "src/python/")


def arguments(text, begin):
    """The arguments of a call whose opening parenthesis is before `begin`, without comments."""
    depth, start, found, at = 1, begin, [], begin
    while at < len(text):
        token = TOKEN.match(text, at)
        if token:
            at = token.end()
            continue
        letter = text[at]
        depth += (letter in "({[") - (letter in ")}]")
        if depth == 0 or (depth == 1 and letter == ","):
            found.append(text[start:at])
            start = at + 1
        if depth == 0:
            return found
        at += 1
    return found


def words_of(argument):
    """The literals of an argument as one text; nothing where it has none of its own."""
    parts = [match[1] for match in TOKEN.finditer(argument) if match[1] is not None]
    if not parts or argument.count("?") and ":" in argument and "fmt::format" not in argument:
        return "" if not parts else " / ".join(parts)
    head = re.match(r'\s*(?:fmt::format\()?\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)', argument)
    text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', head[1])) if head else ""
    return re.sub(r"\{[^{}]*\}", "…", text.replace("{{", "\0").replace("}}", "\1")).replace("\0", "{").replace("\1", "}").replace('\\"', '"').replace("\\n", " ")


def rows(root):
    """Kind, folder, message and hint of each error."""
    for path in sorted((root / "src").rglob("*.[ch]pp")):
        text = path.read_text(encoding="utf-8")
        for match in BEGIN.finditer(text):
            found = arguments(text, match.end())
            message = words_of(found[0]) if found else ""
            if len(message.replace("…", "").split()) > 0:
                folder = path.parent.relative_to(root).as_posix() + "/"
                kind = match["kind"] or ("usage" if match["usage"] else "input")
                yield kind, folder, message, words_of(found[1]) if len(found) > 1 else ""


def cell(text):
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`"


def page(root):
    found = {}
    for kind, folder, message, hint in rows(root):
        its = found.setdefault(kind, {})
        if not folder.startswith(NOT_FOR_USERS) or kind in ("no_context", "gpu"):
            its[message] = hint or its.get(message, "")
    count = sum(len(its) for its in found.values())
    lines = ["# Errors", "",
             f"The {count} messages that glproc may print, by exit status, with their cure. `…` stands for a name or a number. The program prints the",
             "message after `glproc: error:` and the cure as a hint below it.", "", '<div class="filtered"></div>', ""]
    for kind, (status, cause, cure) in KINDS.items():
        lines += [f"## {cause}: exit status {status}", "", f"{cure}", "", "| message | cure |", "|---|---|"]
        lines += [f"| {cell(message)} | {cell(hint) if hint else 'as above'} |" for message, hint in sorted(found.get(kind, {}).items(), key=lambda row: row[0].lower())]
        lines.append("")
    return "\n".join(lines)
