"""What the charts of scripts/charts are drawn with: an SVG of a few hundred lines of text, whose colours follow the reader's
light or dark theme. Text stays text. The same figures give the same bytes on every machine."""

import math
from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', Helvetica, Arial, sans-serif"

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart; each tool has a shape of its own, too.
LIGHT = {"paper": "#ffffff", "ink": "#1f2328", "quiet": "#59636e", "grid": "#dde3e9",
         "blue": "#0072b2", "orange": "#b35900", "green": "#00734f", "purple": "#9c3d78", "grey": "#59636e"}
DARK = {"paper": "#0d1117", "ink": "#e6edf3", "quiet": "#9198a1", "grid": "#2a313a",
        "blue": "#56b4e9", "orange": "#f0a63a", "green": "#2bc59a", "purple": "#e39bc6", "grey": "#9198a1"}


def rules(colours):
    lines = [f".paper{{fill:{colours['paper']}}}", f"text{{fill:{colours['ink']}}}", f".quiet{{fill:{colours['quiet']}}}",
             f".grid{{stroke:{colours['grid']}}}", f".axis{{stroke:{colours['quiet']}}}"]
    for name in ("blue", "orange", "green", "purple", "grey"):
        lines.append(f".{name}{{fill:{colours[name]}}}.{name}-line{{stroke:{colours[name]}}}")
    return "".join(lines)


def middle(value):
    """Of a figure, or of the lowest and the highest of several."""
    return value if isinstance(value, (int, float)) else math.sqrt(value[0] * value[1])


def digits(value):
    return f"{float(f'{value:.3g}'):.12g}"


def width_of(text, size, bold=False):
    """About how wide a text is; a little more than less."""
    narrow = sum(character in "iljtfr.,:;'|!()[] 1" for character in text)
    return size * (0.62 * (len(text) - narrow) + 0.38 * narrow) * (1.15 if bold else 1)


class Scale:
    """A logarithmic axis: `low` to `high` at `begin` to `end`."""

    def __init__(self, low, high, begin, end):
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def __call__(self, value):
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.begin + part * (self.end - self.begin)


class Svg:
    def __init__(self, width, title, description):
        self.width, self.title, self.description, self.behind, self.parts = width, title, description, [], []

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, text, size=13, anchor="start", kind="", bold=False):
        more = (f' class="{kind}"' if kind else "") + (f' text-anchor="{anchor}"' if anchor != "start" else "")
        more += ' font-weight="600"' if bold else ""
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}"{more}>{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, kind="grid", width=1, behind=False):
        places = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        (self.behind if behind else self.parts).append(f'<line {places} class="{kind}" stroke-width="{width}"/>')

    def path(self, points, kind, width=2):
        steps = " ".join(f"{'L' if i else 'M'}{x:.1f},{y:.1f}" for i, (x, y) in enumerate(points))
        self.add(f'<path d="{steps}" class="{kind}" fill="none" stroke-width="{width}" stroke-linejoin="round"/>')

    def mark(self, x, y, shape, kind, r=5):
        if shape == "circle":
            self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" class="{kind}"/>')
            return
        corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
                   "triangle": [(0, -1.2), (1.2, 1), (-1.2, 1)], "down": [(0, 1.2), (1.2, -1), (-1.2, -1)]}[shape]
        points = " ".join(f"{x + 0.9 * r * dx:.1f},{y + 0.9 * r * dy:.1f}" for dx, dy in corners)
        self.add(f'<polygon points="{points}" class="{kind}"/>')

    def heading(self, x, y, text, size=17):
        """The title in as many lines as it takes; returns where the next text goes."""
        line = ""
        for word in text.split():
            if width_of(f"{line} {word}", size, bold=True) > self.width - 2 * x:
                self.text(x, y, line, size, bold=True)
                line, y = word, y + 1.3 * size
            else:
                line = f"{line} {word}".strip()
        self.text(x, y, line, size, bold=True)
        return y + 1.3 * size

    def finish(self, height):
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {height:.0f}" width="{self.width}"'
                f' height="{height:.0f}" font-family="{FONT}" role="img">')
        style = f"<style>{rules(LIGHT)}@media (prefers-color-scheme:dark){{{rules(DARK)}}}</style>"
        paper = f'<rect width="{self.width}" height="{height:.0f}" rx="6" class="paper"/>'
        named = f"<title>{escape(self.title)}</title><desc>{escape(self.description)}</desc>"
        return "\n".join([head, named, style, paper, *self.behind, *self.parts, "</svg>"]) + "\n"
