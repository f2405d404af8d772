"""Draws the figures of stability.md: stability.py SLIPSTICK, where SLIPSTICK is the program's path."""

import csv
import json
import math
import tempfile
from pathlib import Path

from plot import Plot, run, settings, write

POSTURES = {
    "A": {},
    "B": {"rho": 0.1469, "l1": 0.0161, "l2": 0.0761},
    "D": {"rho": 0.1379, "l1": 0.0288, "l2": 0.0888},
}
COLOURS = {"A": "#1b6ca8", "B": "#3a7d44", "D": "#b5532a"}
VERDICTS = {"stable": "#3a7d44", "unstable, Theorem 1": "#8c2d04", "unstable, Theorem 2": "#e07b39",
            "infeasible": "#e4e4e4", "marginal": "#7a5195", "undecided": "#f2c14e", "painleve": "#1b6ca8"}


def draw_maps():
    parts = []
    quarter = math.pi / 2
    angles = [(-quarter, "-π/2"), (0, "0"), (quarter, "π/2")]
    for column, (name, values) in enumerate(POSTURES.items()):
        answer = json.loads(run("stability", "two-contact-body", *settings(values), "--samples", "501", "--json"))
        left = 60 + 240 * column
        R = Plot(left, 30, 180, 160, (-quarter, quarter), (-quarter, quarter))
        growth = Plot(left, 250, 180, 160, (-quarter, quarter), (0.03, 30), log_y=True)
        R.line([(-quarter, -quarter), (quarter, quarter)], "#999", 1, "4 3")
        growth.line([(-quarter, 1), (quarter, 1)], "#999", 1, "4 3")
        samples = [s for s in answer["samples"] if s["reduced"] is not None]
        R.line([(s["phi"], s["reduced"]) for s in samples], COLOURS[name])
        growth.line([(s["phi"], s["growth"]) for s in samples], COLOURS[name])
        for point in answer["fixed_points"]:
            R.square(point["phi"], point["phi"], COLOURS[name])
            growth.square(point["phi"], point["growth"], COLOURS[name])
        R.ticks(angles, angles)
        growth.ticks(angles, [(0.1, "0.1"), (1, "1"), (10, "10")])
        R.label("φ", "R" if column == 0 else "", f"{name}: {answer['verdict']}, Theorem {answer['theorem']}")
        growth.label("φ", "growth" if column == 0 else "", "")
        parts += R.parts + growth.parts
    write("stability.svg", 770, 460, parts)


def find_farthest(values, kick):
    """[Or2021] eq. (5) along a full run, from a kick that turns the body about foot 1."""
    l1 = values.get("l1", -0.0512)
    start = {"theta_dot": kick, "z_dot": -l1 * kick, "x_dot": -0.1341 * kick}
    with tempfile.TemporaryDirectory() as out:
        run("simulate", "two-contact-body", *settings({**values, **start}), "--until", "0.5", "--max-events", "2000",
            "--out", out)
        rows = list(csv.DictReader(open(Path(out) / "trajectory.csv", encoding="utf-8")))
    h, feet = 0.1341, (l1, values.get("l2", 0.1688))
    farthest = 0.0
    for row in rows:
        theta, turning, rising = (float(row[name]) for name in ("theta", "theta_dot", "z_dot"))
        closing = [abs(rising + (foot * math.cos(theta) + h * math.sin(theta)) * turning) for foot in feet]
        gaps = [math.sqrt(max(0.0, float(row[f"gap_foot{i}"]))) for i in (1, 2)]
        farthest = max([farthest, abs(float(row["slip_foot2"])), *closing, *gaps])
    return farthest


def draw_kicks():
    plot = Plot(70, 20, 330, 230, (1e-5, 1e-1), (1e-6, 10), log_x=True, log_y=True)
    powers = range(-10, -1)
    for name, values in POSTURES.items():
        points = [(10 ** (k / 2), find_farthest(values, 10 ** (k / 2))) for k in powers]
        plot.line(points, COLOURS[name], 2)
        x, y = plot.place(*points[-1])
        plot.parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{COLOURS[name]}">{name}</text>')
    plot.ticks([(10.0**k, f"1e{k}") for k in range(-5, 0)], [(10.0**k, f"1e{k}") for k in range(-6, 2)])
    plot.label("kick: rate of turning [rad/s]", "farthest distance (5)", "")
    write("stability-kicks.svg", 460, 300, plot.parts)


def draw_region():
    text = run("stability-map", "two-contact-body", "--set", "l2=l1+0.06", "--set",
               "rho=sqrt(0.01523+2.046*(0.0718-l1)^2)", "--over", "l1=-0.0203:0.0597:161", "--over", "h=0.06:0.2:141",
               "--json")
    answer = json.loads(text)
    first, second = (axis["values"] for axis in answer["axes"])
    names = [[verdict if verdict != "unstable" else f"unstable, Theorem {theorem}"
              for verdict, theorem in zip(*rows)] for rows in zip(answer["verdict"], answer["theorem"])]
    # The paper's axes: place of the centre of mass from the upper foot, downhill, and height.
    plot = Plot(60, 20, 400, 300, (-first[-1], -first[0]), (second[0], second[-1]))
    half_x, half_y = (first[1] - first[0]) / 2, (second[1] - second[0]) / 2
    for j, h in enumerate(second):
        start = 0
        for i in range(1, len(first) + 1):
            if i < len(first) and names[j][i] == names[j][start]:
                continue
            plot.cell(-first[i - 1] - half_x, h - half_y, -first[start] + half_x, h + half_y,
                      VERDICTS[names[j][start]])
            start = i
    seen = sorted({verdict for row in names for verdict in row})
    for k, verdict in enumerate(seen):
        plot.parts.append(f'<rect x="480" y="{40 + 22 * k}" width="14" height="14" fill="{VERDICTS[verdict]}"/>'
                          f'<text x="500" y="{52 + 22 * k}">{verdict}</text>')
    for name, values in POSTURES.items():
        if name == "A":
            continue
        x, y = plot.place(-values["l1"], 0.1341)
        plot.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/><text x="{x + 5:.1f}" y="{y - 5:.1f}">{name}</text>')
    plot.ticks([(-0.06, "-60"), (-0.04, "-40"), (-0.02, "-20"), (0, "0"), (0.02, "20")],
               [(0.06, "60"), (0.1, "100"), (0.15, "150"), (0.2, "200")])
    plot.label("centre of mass from the upper foot, downhill [mm]", "height h [mm]", "")
    write("stability-region.svg", 640, 370, plot.parts)


draw_maps()
draw_kicks()
draw_region()
