"""Draws disc-feet.svg from the table of disc-feet.md: mu_min over the radius of the foot, each curve against its value
for a point foot."""

from pathlib import Path

HERE = Path(__file__).parent
CURVES = {1: ("wheel, κ = 0.02", "#1b6ca8"), 5: ("wheel, κ = 1/3", "#b5532a"), 6: ("biped", "#3a7d44")}
LEFT, TOP, WIDTH, HEIGHT = 60, 20, 380, 220
LARGEST_RADIUS, LOW, HIGH = 0.6, 1.0, 1.3


def read_rows():
    lines = (HERE / "disc-feet.md").read_text(encoding="utf-8").splitlines()
    return [[float(cell) for cell in line.strip("|").split("|")] for line in lines if line.startswith("| 0")]


def place(radius, ratio):
    x = LEFT + WIDTH * radius / LARGEST_RADIUS
    y = TOP + HEIGHT * (HIGH - ratio) / (HIGH - LOW)
    return f"{x:.1f},{y:.1f}"


def draw(rows):
    yield '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 290" font-family="sans-serif" font-size="12">'
    yield '<rect width="560" height="290" fill="white"/>'
    yield f'<path d="M{LEFT},{TOP} v{HEIGHT} h{WIDTH}" fill="none" stroke="black"/>'
    for tick in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
        x, y = place(tick, LOW).split(",")
        yield f'<text x="{x}" y="{float(y) + 18:.1f}" text-anchor="middle">{tick}</text>'
    for tick in (1.0, 1.1, 1.2, 1.3):
        x, y = place(0.0, tick).split(",")
        yield f'<text x="{float(x) - 8:.1f}" y="{float(y) + 4:.1f}" text-anchor="end">{tick}</text>'
    yield f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 40}" text-anchor="middle">radius of the foot / length</text>'
    yield f'<text x="16" y="{TOP + HEIGHT / 2}" transform="rotate(-90 16 {TOP + HEIGHT / 2})" text-anchor="middle">' \
          "μ_min / μ_min of a point foot</text>"
    for column, (name, colour) in CURVES.items():
        points = [place(row[0], row[column] / rows[0][column]) for row in rows]
        x, y = points[-1].split(",")
        yield f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield f'<text x="{float(x) + 8:.1f}" y="{float(y) + 4:.1f}" fill="{colour}">{name}</text>'
    yield "</svg>"


(HERE / "disc-feet.svg").write_text("\n".join(draw(read_rows())) + "\n", encoding="utf-8")
