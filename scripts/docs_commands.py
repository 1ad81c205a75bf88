"""Runs the commands of the documentation. For scripts/check-words."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

import docs_pages
import site_registry
import task_pictures

# Measurements, which take hours and other machines; a page whose examples the program's own tests run; and history.
NO_PAGES_OF_COMMANDS = {"bench/notebook.md", "docs/numbers.md", "CHANGELOG.md"}
SECONDS = 300


def help_texts(program):
    """What a reader of the help meets: the list of commands, and each command's page."""
    def ask(*words):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        return done.stdout or done.stderr

    overview = ask("--help")
    yield "glproc --help", overview
    for name in sorted(set(re.findall(r"^### `([a-z0-9]+)", ask("--describe", "reference"), re.M))):
        yield f"glproc {name} --help", ask(name, "--help")


def ppm(width, height, seed):
    """A picture with slopes and a few edges."""
    pixels = bytes((x * 3 + y * (2 + channel) + seed * 31 + 90 * ((x // 9 + y // 7) % 2 == channel % 2)) % 256
                   for y in range(height) for x in range(width) for channel in range(3))
    return f"P6 {width} {height} 255\n".encode() + pixels


def gif(width, height, frames):
    """An animation of a dot that changes its colour."""
    dots = b"".join(b"\x21\xf9\4\0\x0a\0\0\0\x2c\0\0\0\0\1\0\1\0\0\2\2" + code + b"\1\0" for code in (b"\x44", b"\x4c"))
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(range(6)) + dots * (frames // 2) + b";"


def tiff(pages, description="A stack"):
    """Pages of 4 x 2 grey pixels."""
    text = description.encode() + b"\0"
    text += b"\0" * (len(text) % 2)
    file = b"II*\0" + struct.pack("<I", 8 + len(text)) + text
    for page in range(pages):
        tags = ((256, 4, 1, 4), (257, 4, 1, 2), (258, 4, 1, 8), (259, 4, 1, 1), (262, 4, 1, 1), (270, 2, len(text), 8),
                (273, 4, 1, len(file) + 126), (277, 4, 1, 1), (278, 4, 1, 2), (279, 4, 1, 8))
        after = 0 if page + 1 == pages else len(file) + 134
        file += struct.pack("<H", 10) + b"".join(struct.pack("<HHII", *tag) for tag in tags)
        file += struct.pack("<I", after) + bytes(range(page, page + 8))
    return file


def make_files(program, folder):
    """The files that the pages speak of, all of them small."""
    def glproc(*words):
        subprocess.run([program, *words, "-q"], cwd=folder, check=True)

    for name in ("photos", "others", "before", "after", "frames", "scans", "in"):
        (folder / name).mkdir()
    for seed, name in enumerate(("photo", "other")):
        (folder / f"{name}.ppm").write_bytes(ppm(61, 47, seed))
    (folder / "in.ppm").write_bytes(ppm(320, 213, 2))
    for seed, name in enumerate("abc"):
        (folder / "frames" / f"{name}.ppm").write_bytes(ppm(61, 47, seed))
    for name in ("photo", "other", "in"):
        glproc("convert", f"{name}.ppm", f"{name}.jpg", "--quality", "90")
        glproc("convert", f"{name}.ppm", f"{name}.png")
    glproc("convert", "frames", "photos/", "--to", "jpg")
    glproc("blur", "in.png", "blurred.png", "--sigma", "4")
    glproc("adjust", "in.png", "warm.png", "--exposure", "0.3")
    glproc("split", "in.png", "part_{channel}.png")
    for copy in ("others", "before", "after"):
        shutil.copytree(folder / "photos", folder / copy, dirs_exist_ok=True)
    glproc("convert", "frames", "in/", "--to", "png")
    glproc("convert", "frames", "scans/", "--to", "png", "--gray")
    glproc("convert", "frames", "frames/", "--to", "pam")
    glproc("convert", "photo.ppm", "render.exr", "--depth", "f32")
    (folder / "icon.pam").write_bytes(b"P7\nWIDTH 20\nHEIGHT 20\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
                                      + bytes((i * 7) % 256 for i in range(1600)))
    glproc("convert", "icon.pam", "icon.png")
    glproc("convert", "icon.pam", "logo.png")
    for name in ("look.cube", "teal.cube"):
        (folder / name).write_text("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n")
    (folder / "in.gif").write_bytes(gif(400, 300, 4))
    (folder / "scan.tif").write_bytes(tiff(3))
    (folder / "cells.tif").write_bytes(tiff(12, "ImageJ=1.53t\nimages=12\nchannels=2\nslices=3\nframes=2\nunit=um\n"))
    (folder / "look.txt").write_text('levels --auto\ncurve --points "0,0 0.3,0.25 1,1"\nresize 40x\n')
    if (program.parent / "glproc-video").exists():
        for i in range(4):
            (folder / f"frame-{i + 1:04}.ppm").write_bytes(ppm(64, 48, i))
        glproc("convert", *(f"frame-{i + 1:04}.ppm" for i in range(4)), "./", "--to", "png")
        for name in ("in.mp4", "in.mov", "clip.mp4"):
            glproc("video", "frame-%04d.png", name, "--fps", "2", "invert")
    for path in folder.rglob("*.ppm"):
        path.unlink()
    task_pictures.make(program, folder)


def commands_of(page):
    """Line, command, and what it must print, or None where that is not said."""
    for block in page.blocks:
        if block.reason is not None or block.language != "":
            continue
        prompts = any(line.startswith("$ ") for line in block.lines)
        for number, line in enumerate(block.lines, block.line + 1):
            if prompts and line.startswith("$ "):
                printed = []
                for following in block.lines[number - block.line:]:
                    if following.startswith("$ "):
                        break
                    printed.append(following)
                yield number, line[2:], "\n".join(printed)
            elif not prompts and line.strip() and not line.startswith("#"):
                yield number, line, None
    for number, span in page.spans:
        if re.match(r"glproc \S+ [^-]", span) and not re.search(r"…|\b[A-Z]{2,}\b", span):
            yield number, span.replace("\\|", "|"), None


def run_all(root, program, names):
    """What went wrong, for scripts/check-words. Pages run side by side, the commands of each in their order."""
    pages = [docs_pages.read(root, path) for path in docs_pages.paths(root)]
    pages = [page for page in pages if page.name not in NO_PAGES_OF_COMMANDS and (not names or page.name in names)]
    tasks = [(page.name, list(commands_of(page))) for page in pages]
    if not names:
        tasks.append(("docs/operations", chains(program)))
    # The longest first, so that none of them is left when all others are done.
    tasks.sort(key=lambda task: -len(task[1]))
    with tempfile.TemporaryDirectory() as top, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        template = pathlib.Path(top) / "template"
        template.mkdir()
        make_files(program, template)
        results = list(pool.map(lambda task: run_page(root, program, template, *task), tasks))
    print("".join(said for _, _, said in results) + f"{sum(count for count, _, _ in results)} commands ran")
    return [fault for _, faults, _ in results for fault in faults]


def chains(program):
    """The example of each operation as a step of a chain, as the site shows it."""
    sections = site_registry.sections(site_registry.reference(program))
    return [(number, op.chain(), None) for number, op in enumerate((op for _, its in sections for op in its), 1) if op.chain()]


def run_page(root, program, template, name, commands):
    """How many commands ran, what went wrong, and what was left out."""
    found, count, said = [], 0, ""
    folder = template.parent / name.replace("/", "-")
    shutil.copytree(template, folder)
    for beside in ("data", "examples"):
        (folder / beside).symlink_to(root / beside)
    for number, command, printed in commands:
        if missing := what_is_missing(program, command):
            said += f"{name}:{number}: left out, as there is no {missing}: {command}\n"
            continue
        count += 1
        if wrong := run(program, folder, command, printed):
            found.append(("command", f"{name}:{number}: {command}\n  {wrong}"))
    return count, found, said


def what_is_missing(program, command):
    for companion in ("video", "view"):
        if re.search(rf"\bglproc {companion}\b", command) and not (program.parent / f"glproc-{companion}").exists():
            return f"glproc-{companion}"
    for tool in ("ffmpeg", "parallel"):
        if re.search(rf"(^|\| *){tool}\b", command) and not shutil.which(tool):
            return tool
    return None


def run(program, folder, command, printed):
    if command.startswith("glproc view") and "--screenshot" not in command: # a window cannot be closed here
        command = f"{command.split(' #')[0]} --screenshot window.png"
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "NO_COLOR": "1"}
    try:
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, capture_output=True,
                              timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"takes longer than {SECONDS} s"
    text = (done.stdout + done.stderr).decode(errors="replace")
    if printed is not None:
        return None if text.strip() == printed.strip() else f"printed: {text.strip()}"
    return None if done.returncode == 0 else f"exit {done.returncode}: {text.strip()[-300:]}"
