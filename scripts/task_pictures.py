"""The files that the commands of docs/tasks work on, all of them painted. For scripts/gallery and scripts/docs_commands.py."""
import json
import pathlib
import subprocess
import sys

import task_scenes

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data/sample.png"

# Photos of a day at the lake: parts of the sample.
TRIP = {"balloon": "480x320+330+60", "cabin": "300x200+190+400", "lake": "1280x853+0+0", "meadow": "480x320+300+533",
        "mountains": "720x480+400+80", "sun": "480x320+720+110"}
PHONE = {"balloon": "360x360+380+40", "meadow": "360x360+300+493"}
FRAMES = 48 # of the video, two seconds

WORDS = """Take the road along the northern shore until the asphalt ends. The last two miles are gravel, and steep after rain.

The key hangs behind the third shutter. Wood is under the porch, and water comes from the spring.

Balloons rise at dawn from the meadow. They drift across the lake when the wind comes from the south, and land by noon.

Please close the boathouse at night. Foxes like the cushions."""
PAGE = [{"rect": [0, 0, 600, 800], "fill": "#f4f0e6", "stroke": 0},
        {"text": "The lake house", "at": [60, 60], "size": 48, "font": "Serif Bold", "color": "#222222"},
        {"line": [60, 136, 540, 136], "stroke": 2, "color": "#222222"},
        {"text": WORDS, "at": [60, 160], "size": 23, "font": "Serif", "wrap": 480, "color": "#333333"}]
# Corners of the page and where the camera sees them, clockwise from the top left.
CORNERS = "0,0,131,52 600,0,588,98 600,800,655,751 0,800,40,690"


def make(program, folder):
    """Needs the module for text, and glproc-video for the video."""
    def glproc(*words, data=None):
        done = subprocess.run([program, *map(str, words), "-q"], cwd=folder, capture_output=True, input=data, check=False)
        if done.returncode != 0:
            sys.exit(f"task_pictures: glproc {' '.join(map(str, words))}: {done.stderr.decode().strip()}")
        return done.stdout

    for name in ("trip", "cells", "phone"):
        (folder / name).mkdir()
    for name, part in TRIP.items():
        glproc("crop", SAMPLE, f"trip/{name}.jpg", part, "--quality", 88)
    for name, part in PHONE.items(): # the same values mean stronger colours to a camera with Display P3
        glproc("pipe", SAMPLE, f"phone/{name}.jpg", "crop", part, "then", "profile", "--assign", "display-p3", "--quality", 90)
    glproc("resize", ROOT / "data/sample_alpha.png", "balloon.png", "160x")
    subprocess.run([sys.executable, "-B", ROOT / "examples/cells/make_cells.py", folder / "cells", "3"], check=True,
                   capture_output=True)
    glproc("convert", "cells", "cells/", "--to", "png")
    for path in folder.glob("cells/*.pgm"):
        path.unlink()
    make_page(glproc, folder)
    task_scenes.make(glproc, folder)
    if (program.parent / "glproc-video").exists():
        make_video(glproc, folder)


def make_page(glproc, folder):
    """A page on a table."""
    (folder / "page.json").write_text(json.dumps(PAGE))
    (folder / "table.ppm").write_bytes(b"P6 720 800 255\n" + bytes((96, 64, 42)) * (720 * 800))
    glproc("pipe", "table.ppm", "table.png", "noise", "--sigma", "20%", "--mono", "then", "blur", "--sigma", "24,0.6", "--border", "mirror")
    glproc("crop", "table.ppm", "blank.png", "600x800+0+0")
    glproc("pipe", "blank.png", "seen.png", "draw", "--from", "page.json", "then", "convert", "--alpha", "add", "then",
           "warp", "--points", CORNERS, "--size", "720x800")
    glproc("pipe", "table.png", "page.jpg", "blend", "--with", "seen.png", "then", "vignette", "--amount", "0.5", "then", "noise", "--sigma", "1%",
           "--quality", 90)
    for name in ("page.json", "table.ppm", "table.png", "blank.png", "seen.png"):
        (folder / name).unlink()


def make_video(glproc, folder):
    """A camera that pans over the lake."""
    lake = glproc("resize", SAMPLE, "-", "720x", "--to", "ppm")
    width, height, seen = 720, 480, 480
    pixels = memoryview(lake)[-3 * width * height:]
    for frame in range(FRAMES):
        left, top = frame * (width - seen) // (FRAMES - 1), 60
        rows = [pixels[3 * (y * width + left):3 * (y * width + left + seen)] for y in range(top, top + 270)]
        (folder / f"pan-{frame:04}.ppm").write_bytes(b"P6 %d 270 255\n" % seen + b"".join(rows))
    glproc("video", "pan-%04d.ppm", "lake.mp4", "--fps", "24", "--crf", "18", "convert")
    for path in folder.glob("pan-*.ppm"):
        path.unlink()
