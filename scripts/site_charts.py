"""The chart of an operation's time by size, as an SVG whose colours come from the site's style sheet. For scripts/site."""
import json
import re

from chart_svg import Scale, Svg, digits, middle, width_of

LOOK = ["blue", "orange", "green", "purple", "grey"]
SHAPES = ["circle", "diamond", "square", "triangle", "down"]
WIDTH, HEIGHT, LEFT, RIGHT = 720, 300, 64, 520


def rows(root):
    """Every figure: the operation, a name of the series, megapixels (or million values) and milliseconds."""
    path = root / "bench/results/operations.jsonl"
    own = [json.loads(line) for line in path.read_text().splitlines() if line] if path.exists() else []
    return own + [row for figure in (root / "bench/results/kernels.jsonl").read_text().splitlines() if (row := of_kernel(json.loads(figure)))]


def of_kernel(figure):
    """A row of bench/results/kernels.jsonl, which are measured on a GPU, as a row of this kind: plain images of 8 bits alone."""
    size = re.search(r"--size (\d+)(?:x(\d+))?", figure["command"])
    if not size or "RGBA8" not in figure["image"] and figure["work"] != "prefix sum" or figure["work"] == "copy":
        return None
    name = figure["command"].split()[0]
    setting = figure["setting"] if name != "scan" else "auto"
    return {"operation": name, "method": setting or "auto", "mega": int(size[1]) * int(size[2] or 1) / 1e6, "ms": middle(figure["ms"]["glproc"]),
            "command": f"glproc bench {figure['command']}", "device": figure["device"].replace("NVIDIA ", ""), "driver": f"NVIDIA {figure['driver']}", "date": figure["date"]}


def by_series(figures):
    series = {}
    for row in sorted(figures, key=lambda row: row["mega"]):
        series.setdefault((row["device"], row["method"]), []).append(row)
    return series


def decades(low, high):
    tick, found = 10.0 ** -6, []
    while tick <= high * 10:
        if low <= tick <= high:
            found.append(tick)
        tick *= 10
    return found


def spread(labels, gap=15):
    """Places from top to bottom, none nearer than a line of text to the one above."""
    placed = []
    for y, *rest in sorted(labels):
        y = max(y, placed[-1][0] + gap) if placed else y
        placed.append((y, *rest))
    return placed


def chart(name, figures, unit):
    series = by_series(figures)
    sizes = [row["mega"] for row in figures]
    times = [row["ms"] for row in figures]
    across = Scale(min(sizes) * 0.8, max(sizes) * 1.25, LEFT, RIGHT)
    down = Scale(min(times) * 0.7, max(times) * 1.4, HEIGHT - 44, 20)
    svg = Svg(WIDTH, f"Time of {name} by size", f"Milliseconds of {name} against {unit}, both axes logarithmic.")
    for tick in decades(down.low, down.high):
        svg.line(LEFT, down(tick), RIGHT, down(tick), behind=True)
        svg.text(LEFT - 8, down(tick) + 4, f"{tick:g} ms", 12, "end", "quiet")
    for size in sorted(set(sizes)):
        svg.line(across(size), 20, across(size), HEIGHT - 44, behind=True)
        svg.text(across(size), HEIGHT - 26, digits(size), 12, "middle", "quiet")
    svg.text((LEFT + RIGHT) / 2, HEIGHT - 8, unit, 12, "middle", "quiet")
    labels = []
    for i, ((device, method), its) in enumerate(series.items()):
        colour, shape = LOOK[i % len(LOOK)], SHAPES[i % len(SHAPES)]
        places = [(across(row["mega"]), down(row["ms"])) for row in its]
        svg.path(places, f"{colour}-line")
        for place in places:
            svg.mark(*place, shape, colour, 4)
        labels.append((places[-1][1] + 4, f"{method}, {device} {digits(its[-1]['ms'])}", colour))
    for y, text, colour in spread(labels):
        svg.text(RIGHT + 14, y, text if width_of(text, 12) < WIDTH - RIGHT - 14 else text[:32], 12, kind=colour)
    return plain(svg.finish(HEIGHT))


def plain(text):
    """Without a style and paper of its own: the page gives it both, so that it follows the switch for dark and light."""
    lines = [line for line in text.splitlines() if not line.startswith(("<style>", '<rect width="'))]
    return lines[0].replace("<svg ", '<svg class="chart" ') + "".join(lines[1:])
