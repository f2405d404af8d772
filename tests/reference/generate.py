"""Random mechanisms as model files: the same text for the same seed, everywhere."""
import random

LAWS = ["inelastic", "poisson", "newton", "stronge"]


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.initial = []
        self.contacts = 0
        self.until = 1.0

    def number(self, low, high): return round(self.random.uniform(low, high), 4)
    def chance(self, p): return self.random.random() < p
    def choose(self, *items): return self.random.choice(items)
    def add(self, *lines): self.lines += lines

    def text(self): return "\n".join(self.lines + ["[initial]"] + self.initial) + "\n"

    def add_contact(self, body, point, surface, **more):
        law = self.choose(*LAWS)
        e = 0 if law == "inelastic" else self.restitution()
        mu = 0 if self.chance(0.1) else self.number(0.05, 1.0)
        keys = {"mu": mu, "restitution": e, "law": f'"{law}"'}
        if self.chance(0.25): keys["mu_s"] = round(mu * self.number(1.05, 1.5), 4)
        keys.update(more)
        self.add("[[contacts]]", f'name = "c{self.contacts}"', f'body = "{body}"', f"point = [{point[0]}, {point[1]}]",
                 f'surface = "{surface}"', *(f"{k} = {v}" for k, v in keys.items()))
        self.contacts += 1
        return f"c{self.contacts - 1}"

    def restitution(self):  # mostly small, so that bounces end soon
        return self.choose(0, self.number(0.02, 0.3), self.number(0.02, 0.3), self.number(0.3, 0.6))

    def speed(self):
        kind = self.choose("still", "still", "constant", "shaking", "starting")
        a, w = self.number(-1.0, 1.0), self.number(1.0, 12.0)
        return {"still": "0", "constant": str(a), "shaking": f'"{a}*sin({w}*t)"', "starting": f'"{a}*t/(1 + t)"'}[kind]

    def add_surface(self, name, point, normal):
        self.add("[[surfaces]]", f'name = "{name}"', f"point = [{point[0]}, {point[1]}]",
                 f"normal = [{normal[0]}, {normal[1]}]", f"speed = {self.speed()}")

    def add_solid(self, name, joint, com=(0, 0)):
        self.add("[[bodies]]", f'name = "{name}"')
        if self.chance(0.25):
            self.add("point_masses = [" + ", ".join(
                f"{{ mass = {self.number(0.2, 2)}, at = [{self.number(-0.3, 0.3)}, {self.number(-0.3, 0.3)}] }}"
                for _ in range(2)) + "]")
        else:
            self.add(f"mass = {self.number(0.3, 3)}", f"gyration = {self.number(0.08, 0.4)}", f"com = [{com[0]}, {com[1]}]")
        self.add(f"joint = {{ {joint} }}")

    def add_loads(self, bodies, coordinates):
        for _ in range(self.choose(0, 0, 1, 2)):
            body = self.choose(*bodies)
            at = f"[{self.number(-0.3, 0.3)}, {self.number(-0.3, 0.3)}]"
            kind = self.choose("spring", "damper", "torsion", "point", "coordinate")
            if kind in ("spring", "damper"):
                self.add("[[springs]]", f"from = {{ at = [{self.number(-1, 1)}, {self.number(0.5, 2)}] }}",
                         f'to = {{ body = "{body}", at = {at} }}', f"stiffness = {self.number(2, 60)}",
                         f"length = {self.number(0.1, 1)}", f"damping = {self.number(0.1, 2) if kind == 'damper' else 0}")
            elif kind == "torsion":
                to = self.choose("world", *[b for b in bodies if b != body])
                self.add("[[torsion_springs]]", f'body = "{body}"', f'to = "{to}"', f"stiffness = {self.number(0, 8)}",
                         f"angle = {self.number(-1, 1)}", f"damping = {self.number(0, 0.3)}")
            elif kind == "point":
                f = self.number(-8, 8)
                self.add("[[forces]]", f'body = "{body}"', f"at = {at}",
                         f'force = ["{f}*cos({self.number(1, 8)}*t)", {self.number(-3, 3)}]', f"torque = {self.number(-0.5, 0.5)}")
            else:
                c = self.choose(*coordinates)
                self.add("[[forces]]", f'coordinate = "{c}"',
                         f'value = "{self.number(-4, 4)}*sin({self.number(1, 6)}*t) - {self.number(0, 0.5)}*{c}_dot"')

    # --- kinds of mechanisms ---

    def write_tree(self):
        """Bodies on a free, hinged, sliding or translating base, with points and discs over one or two surfaces."""
        self.add(f"gravity = [{self.number(-1, 1)}, -9.81]")
        bodies, coordinates, base = [], [], self.choose("free", "free", "translation", "revolute", "prismatic")
        count = self.choose(1, 2, 2, 3) if base != "prismatic" else self.choose(2, 3)
        for i in range(count):
            name = f"b{i}"
            kind = base if i == 0 else self.choose("revolute", "revolute", "prismatic", "fixed")
            sense = self.choose("", "", ', sense = "clockwise"', ', measured = "absolute"')
            at = "" if i == 0 else f', parent = "b{self.random.randrange(i)}", at = [{self.number(-0.3, 0.3)}, {self.number(-0.4, 0.1)}]'
            turn = f", angle = {self.number(-0.5, 0.5)}" if self.chance(0.3) else ""
            new = {"free": ["x", "y", "a0"], "translation": ["x", "y"], "fixed": []}.get(kind, [f"a{i}"])
            if kind == "free" and "absolute" in sense: sense = ""
            joint = f'type = "{kind}"{at}{turn}'
            if kind in ("free", "translation"): joint += f", coordinates = {new}".replace("'", '"')
            if kind in ("revolute", "prismatic"): joint += f', coordinate = "a{i}"'
            if kind == "prismatic": joint += f", axis = [{self.number(-1, 1)}, {self.number(0.2, 1)}]"
            if kind in ("free", "revolute"): joint += sense
            self.add_solid(name, joint, (self.number(-0.15, 0.15), self.number(-0.2, 0.1)))
            if kind == "prismatic":  # a spring holds it
                self.add("[[forces]]", f'coordinate = "a{i}"', f'value = "-{self.number(30, 90)}*a{i} - {self.number(0.5, 3)}*a{i}_dot"')
            bodies.append(name)
            coordinates += new
        free = base in ("free", "translation")
        surfaces = self.choose(1, 1, 2)
        for i in range(surfaces):
            self.add_surface(f"s{i}", (0, 0 if free else self.number(-0.8, -0.4)), (self.number(-0.5, 0.5) if self.chance(0.6) else 0, 1))
        self.add_loads(bodies, coordinates)
        for i in range(self.choose(1, 2, 2, 3, 4)):
            more = {}
            if self.chance(0.3): more["radius"] = self.number(0.03, 0.12)
            if self.chance(0.12): more["active_when"] = self.choose(f'"t < {self.number(0.2, 0.8)}"', f'"{coordinates[0]} < {self.number(0, 1)}"')
            bilateral = i == 0 and free and self.chance(0.15)
            if bilateral: more["bilateral"] = "true"; more["law"] = '"inelastic"'; more["restitution"] = 0; more.pop("active_when", 0)
            self.add_contact(self.choose(*bodies), (self.number(-0.4, 0.4), self.number(-0.6, -0.1)), f"s{self.random.randrange(surfaces)}", **more)
            if bilateral: self.bilateral = True
        closes = free and (getattr(self, "bilateral", False) or self.chance(0.3))
        for c in coordinates:
            if c == "y":
                self.initial.append('y = { close = "c0", near = 1 }' if closes else f"y = {self.number(0.6, 1.6)}")
                continue
            scale = 0.2 if c != "x" and c[0] == "a" else 1.0
            self.initial.append(f"{c} = {self.number(-scale, scale)}")
            self.initial.append(f"{c}_dot = {self.number(-2, 2)}")
        self.until = 1.5

    def write_dropped(self):
        """Ordinary bodies dropped on a floor, with a wall or a belt or a hinged link."""
        self.add("gravity = [0, -9.81]")
        self.add_surface("floor", (0, 0), (0, 1)) if self.chance(0.3) else self.add("[[surfaces]]", 'name = "floor"')
        wall = self.chance(0.4)
        if wall: self.add("[[surfaces]]", 'name = "wall"', f"point = [{self.number(0.5, 1)}, 0]", "normal = [-1, 0]")
        boxes = self.choose(1, 1, 1, 2)
        for i in range(boxes):
            w, h = self.number(0.1, 0.4), self.number(0.1, 0.4)
            self.add("[[bodies]]", f'name = "box{i}"', f"mass = {self.number(0.5, 3)}", f"gyration = {round((w * w + h * h)**0.5 / 3**0.5, 4)}",
                     f'joint = {{ type = "free", coordinates = ["x{i}", "y{i}", "a{i}"] }}')
            corners = [(-w, -h), (w, -h), (w, h), (-w, h)][:self.choose(2, 2, 4) if boxes == 1 else 2]
            law, e, mu = self.choose(*LAWS), self.restitution(), self.number(0.1, 0.9)
            for c in corners:
                self.add_contact(f"box{i}", c, "floor", law=f'"{law}"', restitution=e, mu=mu, mu_s=round(mu * self.choose(1, 1, 1.2), 4))
            if wall: self.add_contact(f"box{i}", (w, h), "wall", law=f'"{law}"', restitution=e, mu=mu, mu_s=mu)
            height = round(h + self.number(0.05, 0.4), 4)
            self.initial += [f"y{i} = {height}", f"x{i} = {self.number(-0.5, 0)}", f"a{i} = {self.number(-0.5, 0.5)}",
                             f"x{i}_dot = {self.number(-1, 2)}", f"a{i}_dot = {self.number(-2, 2)}"]
        if self.chance(0.3):
            self.add("[[bodies]]", 'name = "link"', f"mass = {self.number(0.1, 1)}", f"gyration = {self.number(0.05, 0.2)}",
                     f"com = [0, {self.number(0.05, 0.3)}]", 'joint = { type = "revolute", parent = "box0", at = [0, 0.1], coordinate = "b" }')
            self.initial.append(f"b = {self.number(-1, 1)}")
            if self.chance(0.5): self.add("[[torsion_springs]]", 'body = "link"', 'to = "box0"', f"stiffness = {self.number(1, 10)}", "damping = 0.05")
            if self.chance(0.5): self.add_contact("link", (0, 0.4), "floor")
        self.until = 2.0

    def write_wheel(self):
        """A wheel of spokes without a rim that rolls down a slope: names change at every step."""
        n = self.choose(6, 8, 10, 12)
        alpha, kappa = self.number(0.02, 0.3), self.number(0.1, 0.6)
        self.add(f"gravity = ['9.81*sin({alpha})', '-9.81*cos({alpha})']", "[[bodies]]", 'name = "wheel"', f"mass = {self.number(0.5, 3)}",
                 f"gyration = {kappa}", "com = [0, 1]", 'joint = { type = "free", coordinates = ["x", "y", "theta"], sense = "clockwise" }',
                 "[[surfaces]]", 'name = "slope"')
        mu = self.number(0.3, 1.2)
        for spoke in (0, -1, 1):
            turn = f"(2*pi*{spoke}/{n})"
            self.add_contact("wheel", (f"'-sin({turn})'", f"'1 - cos({turn})'"), "slope", mu=mu, mu_s=mu, restitution=0, law='"inelastic"')
        for contact, names, s in (("c1", '{ c1 = "c0", c0 = "c2" }', "-"), ("c2", '{ c2 = "c0", c0 = "c1" }', "+")):
            new = f"(theta {s} 2*pi/{n})"
            self.add("[[relabel]]", f'after = "{contact}"', f"contacts = {names}", "[relabel.set]", f'theta = "{new}"',
                     f'x = "x + sin(theta) - sin{new}"', f'y = "y + cos(theta) - cos{new}"',
                     f'x_dot = "x_dot + theta_dot*(cos(theta) - cos{new})"', f'y_dot = "y_dot - theta_dot*(sin(theta) - sin{new})"')
        self.initial += [f"theta = {self.number(-0.25, 0.2)}", f"theta_dot = {self.number(0, 3)}"]
        if self.chance(0.3): self.initial.append(f"x_dot = {self.number(-0.5, 1)}")
        self.until = 1.5


def make_model(seed, attempt=0):
    """(text of the model file, end of the run). Another attempt of a seed is another mechanism."""
    writer = Writer(1000 * seed + attempt)
    kind = writer.random.random()
    if kind < 0.55: writer.write_tree()
    elif kind < 0.92: writer.write_dropped()
    else: writer.write_wheel()
    return writer.text(), writer.until
