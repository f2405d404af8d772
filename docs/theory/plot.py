"""What the scripts that draw figures share: answers of the program, whose path is their argument, and plots in SVG."""

import math
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(*args):
    out = subprocess.run([sys.argv[1], *args], check=True, capture_output=True, text=True)
    return out.stdout


def settings(values):
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


class Plot:
    """Axes from (left, bottom) with a size, in SVG units; `log` scales the second one."""

    def __init__(self, left, top, width, height, x, y, log_x=False, log_y=False):
        self.box = left, top, width, height
        self.x, self.y = x, y
        self.log_x, self.log_y = log_x, log_y
        self.parts = [f'<path d="M{left},{top} v{height} h{width}" fill="none" stroke="black"/>']

    def place(self, x, y):
        left, top, width, height = self.box

        def part(value, ends, log):
            f = math.log10 if log else float
            return (f(value) - f(ends[0])) / (f(ends[1]) - f(ends[0]))

        return (left + width * part(x, self.x, self.log_x),
                top + height * (1 - min(1.05, max(-0.05, part(y, self.y, self.log_y)))))

    def line(self, points, colour, width=1.5, dash=""):
        text = " ".join("{:.1f},{:.1f}".format(*self.place(*p)) for p in points)
        self.parts.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}" '
                          f'stroke-dasharray="{dash}"/>')

    def square(self, x, y, colour):
        px, py = self.place(x, y)
        self.parts.append(f'<rect x="{px - 3:.1f}" y="{py - 3:.1f}" width="6" height="6" fill="{colour}"/>')

    def cell(self, x0, y0, x1, y1, colour):
        (a, b), (c, d) = self.place(x0, y0), self.place(x1, y1)
        self.parts.append(f'<rect x="{a:.1f}" y="{d:.1f}" width="{c - a + 0.3:.1f}" height="{b - d + 0.3:.1f}" '
                          f'fill="{colour}"/>')

    def ticks(self, xs, ys):
        left, top, _, height = self.box
        for value, text in xs:
            px, _ = self.place(value, self.y[0])
            self.parts.append(f'<text x="{px:.1f}" y="{top + height + 16}" text-anchor="middle">{text}</text>')
        for value, text in ys:
            _, py = self.place(self.x[0], value)
            self.parts.append(f'<text x="{left - 6}" y="{py + 4:.1f}" text-anchor="end">{text}</text>')

    def label(self, x, y, text):
        left, top, width, height = self.box
        self.parts.append(f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{x}</text>')
        self.parts.append(f'<text x="{left - 38}" y="{top + height / 2}" text-anchor="middle" '
                          f'transform="rotate(-90 {left - 38} {top + height / 2})">{y}</text>')
        self.parts.append(f'<text x="{left + 6}" y="{top - 6}" font-weight="bold">{text}</text>')


def write(name, width, height, parts):
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>"]
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
