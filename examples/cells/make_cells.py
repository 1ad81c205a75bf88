#!/usr/bin/env python3
"""Draws pictures of cells for count.sh: make_cells.py FOLDER [PICTURES]

Bright discs with soft edges on a dark ground, some with a dark nucleus, some touching, some cut by the edge. The same pictures on
every machine. Says how many cells of each picture lie inside it as a whole.
"""
import math
import pathlib
import random
import sys

WIDTH, HEIGHT = 480, 320


def cells_of(chance):
    """Centres and radii. A new cell may overlap another by a third of its radius at most."""
    cells = []
    for _ in range(400):
        x, y, r = chance.uniform(0, WIDTH), chance.uniform(0, HEIGHT), chance.uniform(13, 19)
        if len(cells) < 42 and all(math.hypot(x - u, y - v) > r + s - min(r, s) / 3 for u, v, s in cells):
            cells.append((x, y, r))
    return cells


def picture(cells, chance):
    pixels = bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            value = 30 + 20 * x / WIDTH # the light is uneven
            for i, (u, v, r) in enumerate(cells):
                distance = math.hypot(x - u, y - v)
                if distance < r + 2:
                    nucleus = 70 if i % 3 == 0 and distance < r / 3 else 0
                    value += max((150 - nucleus) * min(1, (r + 1 - distance) / 2), 0) if value < 100 else 0
            pixels.append(min(255, max(0, round(value + chance.gauss(0, 6)))))
    return bytes(pixels)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, int(sys.argv[2]) + 1 if len(sys.argv) > 2 else 4):
        chance = random.Random(number)
        cells = cells_of(chance)
        whole = sum(r < x < WIDTH - 1 - r and r < y < HEIGHT - 1 - r for x, y, r in cells)
        (folder / f"cells{number}.pgm").write_bytes(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + picture(cells, chance))
        print(f"cells{number}.pgm: {whole} whole cells of {len(cells)}")


if __name__ == "__main__":
    main()
