"""Draws gaits.svg of gaits.md: gaits.py SLIPSTICK, where SLIPSTICK is the program's path."""

import json
import math
from itertools import groupby

from plot import Plot, run, write

OUTCOMES = {"stick": "#dfe8ef", "separate": "#3a7d44", "impact": "#b5532a", "step": "#f2c14e", "jam": "#7a5195",
            "indeterminate": "#e07b39", "other": "#999999"}
SHADE = {False: "rgba(0, 0, 0, 0.3)"}  # the gait is not regained
DEGREE = math.pi / 180


def draw_branch(plot, branch, colour):
    points = [(p["value"] / DEGREE, p["state"]["theta1"] / DEGREE, p["stable"]) for p in branch]
    for stable, piece in groupby(range(len(points)), key=lambda i: points[i][2]):
        piece = list(piece)
        until = min(piece[-1] + 1, len(points) - 1)  # pieces touch
        plot.line([p[:2] for p in points[piece[0]:until + 1]], colour, 2, "" if stable else "5 4")


def draw_branches():
    answer = json.loads(run("gait", "compass-biped", "--continue", "alpha=0.5*deg:6.2*deg", "--switch", "--json"))
    plot = Plot(70, 30, 260, 240, (0, 6.5), (-20, -4))
    draw_branch(plot, answer["branch"], "#1b6ca8")
    draw_branch(plot, answer["doubled"]["branch"], "#b5532a")
    for found in answer["bifurcations"] + answer["doubled"]["bifurcations"]:
        plot.square(found["value"] / DEGREE, found["state"]["theta1"] / DEGREE, "black")
    plot.ticks([(k, str(k)) for k in range(7)], [(k, str(k)) for k in (-20, -16, -12, -8, -4)])
    plot.label("slope α [°]", "θ₁ just after the impact [°]", "")
    return plot.parts


def draw_slips():
    answer = json.loads(run("gait", "compass-biped", "--slips", "-0.4:0.4:60", "--phases", "60", "--json"))
    slips, period = answer["slips"], answer["period"]
    dt, ds = period / len(slips["times"]), slips["slips"][1] - slips["slips"][0]
    plot = Plot(430, 30, 260, 240, (0, period), (-0.4 - ds / 2, 0.4 + ds / 2))
    for time, outcomes, regained in zip(slips["times"], slips["outcome"], slips["regained"]):
        for words, colour in ((outcomes, OUTCOMES.get), (regained, SHADE.get)):
            for word, piece in groupby(range(len(words)), key=lambda j: words[j]):
                low, *_, high = [*piece] * 2
                if colour(word):
                    plot.cell(time - dt / 2, slips["slips"][low] - ds / 2, time + dt / 2, slips["slips"][high] + ds / 2,
                              colour(word))
    for key, slip in (("exposure", 0.01), ("exposure_backward", -0.01)):
        for low, high in answer[key]:
            plot.line([(low, slip), (high, slip)], "black", 2)
    seen = sorted({word for row in slips["outcome"] for word in row})
    for k, word in enumerate(seen):
        plot.parts.append(f'<rect x="705" y="{40 + 22 * k}" width="14" height="14" fill="{OUTCOMES[word]}"/>'
                          f'<text x="725" y="{52 + 22 * k}">{word}</text>')
    plot.ticks([(0.1 * k, f"{0.1 * k:.1f}") for k in range(0, 8, 2)], [(k / 5, f"{k / 5:.1f}") for k in range(-2, 3)])
    plot.label("time since the impact [s]", "slip [m/s]", "")
    return plot.parts


write("gaits.svg", 810, 320, draw_branches() + draw_slips())
