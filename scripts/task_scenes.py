"""More files for docs/tasks: a night sky, a slide under uneven light, a dirty scan, a mask, a render. For scripts/task_pictures.py."""
import random

SKY, FRAMES = (360, 240), 6


def make(glproc, folder):
    """`glproc` runs the program in `folder`."""
    make_sky(glproc, folder)
    make_mask(glproc)
    glproc("pipe", "cells/cells1.png", "slide.png", "levels", "--out-black", "35%", "--out-white", "85%", "then", "vignette", "--amount", "0.7", "--start", "0")
    glproc("pipe", "trip/lake.jpg", "render.exr", "resize", "480x", "then", "adjust", "--exposure", "-1.2", "then", "color", "linear", "--depth", "f32", "--transfer", "keep")
    glproc("pipe", "trip/lake.jpg", "noisy.jpg", "resize", "480x", "then", "noise", "--sigma", "6%", "--quality", 92)
    make_scan(glproc, folder)


def make_sky(glproc, folder):
    """The same stars with other noise in each frame, and an aeroplane that crosses one of them."""
    (folder / "stars").mkdir()
    width, height = SKY
    places = random.Random(7)
    pixels = bytearray(bytes((14, 16, 26)) * (width * height))
    for _ in range(90):
        at = 3 * (places.randrange(2, height - 2) * width + places.randrange(2, width - 2))
        light = places.choice((70, 100, 140, 230))
        for step in (0, 3, 3 * width):
            pixels[at + step:at + step + 3] = bytes((light, light, min(light + 20, 255)))
    (folder / "sky.ppm").write_bytes(f"P6 {width} {height} 255\n".encode() + pixels)
    glproc("blur", "sky.ppm", "sky.png", "--sigma", "0.7")
    for frame in range(FRAMES):
        flight = ["draw", "--line", "0,60,360,150", "--stroke", 3, "--color", "#ffd0b0", "then"] if frame == 2 else []
        glproc("pipe", "sky.png", f"stars/{frame + 1}.png", *flight, "noise", "--sigma", "9%", "--seed", frame)
    for name in ("sky.ppm", "sky.png"):
        (folder / name).unlink()


def make_mask(glproc):
    """White where the balloon is, with a soft edge."""
    glproc("pipe", "trip/balloon.jpg", "mask.png", "levels", "--out-white", "0", "then", "draw", "--circle", "233,112,78", "--rect", "208,180,52,58", "--fill", "white", "--stroke", 0, "then",
           "gray", "then", "blur", "--sigma", 4)


def make_scan(glproc, folder):
    """The page of straighten-a-page, flat, with stains and a shadow along the fold."""
    specks = random.Random(3)
    marks = [f"{specks.randrange(600)},{specks.randrange(800)},{specks.choice((0.4, 0.5, 0.7))}" for _ in range(60)]
    steps = [word for mark in marks for word in ("draw", "--circle", mark, "--fill", "#777777", "--stroke", 0, "then")]
    glproc("warp", "page.jpg", "scan.png", "--points", "131,52,588,98,655,751,40,690", "--size", "600x800")
    glproc("pipe", "scan.png", "scan.jpg", *steps, "vignette", "--amount", "0.6", "--start", "0.1", "then", "gray", "--quality", 85)
    (folder / "scan.png").unlink()
