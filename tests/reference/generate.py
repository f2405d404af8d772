"""Random mechanisms as model files: the same text for the same seed, everywhere."""
import random

LAWS = ["inelastic", "poisson", "newton", "stronge"]
ODD = 10_000_000  # seeds from here on: mechanisms at the edges of the laws
SHARED = 40_000_000  # seeds from here on: several bodies on redundant feet, ties, discs, in metres or millimetres


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


class OddWriter(Writer):
    """Cases that random numbers hardly ever give: redundant feet, corners, redundant slides, exact ties, loads that jump."""

    def add_contact(self, body, point, surface, **more):
        law, mu = self.choose(*LAWS), self.choose(0, 0.5, 1, 2, 10, self.number(0.05, 0.3), self.number(0.05, 1.2))
        keys = {"mu": mu, "restitution": self.choose(0, 0.5, 1, self.number(0.02, 0.3)), "law": f'"{law}"'}
        static = self.choose(1, 1, 1.2, 1.5, 2)
        keys.update(more)
        if "mu_s" not in more: keys["mu_s"] = round(keys["mu"] * static, 4)
        if keys["law"] == '"inelastic"': keys["restitution"] = 0
        super().add_contact(body, point, surface, **keys)

    def alike(self):
        """Keys for contacts that are all alike."""
        mu = self.choose(0, 0.2, 0.5, 1, self.number(0.05, 1.2))
        return {"mu": mu, "mu_s": round(mu * self.choose(1, 1.3), 4), "law": f'"{self.choose(*LAWS)}"', "restitution": self.choose(0, 0.5, 1)}

    def wave(self, size):
        """A function of time: smooth, bent, with jumps, pulses."""
        a, w, t = self.number(-size, size), self.number(2, 25), self.number(0.1, 0.8)
        return self.choose("0", f"{a}", f"{a}*sin({w}*t)", f"{a}*t", f"t > {t} ? {a} : 0", f"sin({w}*t) > 0 ? {a} : {-a}", f"max(0, {a}*(t - {t}))",
                           f"abs({a}*sin({w}*t))", f"t > {t} && t < {t} + 0.05 ? {a} : 0", f"{a}*rint(3*t)")

    def speed(self): return f'"{self.choose("0", "0", self.wave(1))}"'

    def add_base(self, com=(0, 0), free=True):
        more = 'type = "free", coordinates = ["x", "y", "a"]' if free else 'type = "translation", coordinates = ["x", "y"]'
        self.add("[[bodies]]", 'name = "b"', f"mass = {self.number(0.5, 3)}", f"gyration = {self.number(0.08, 0.4)}",
                 f"com = [{com[0]}, {com[1]}]", f"joint = {{ {more} }}")

    def add_pushes(self, size):
        for _ in range(self.choose(0, 1, 1, 2)):
            if self.chance(0.7):
                self.add("[[forces]]", 'body = "b"', f"at = [{self.number(-0.3, 0.3)}, {self.number(-0.3, 0.3)}]",
                         f'force = ["{self.wave(size)}", "{self.choose("0", self.wave(size))}"]')
            else:
                self.add("[[springs]]", f"from = {{ at = [{self.number(-1, 1)}, {self.number(0.5, 1.5)}] }}", 'to = { body = "b", at = [0.1, 0.1] }',
                         f"stiffness = {self.choose(5, 50, 500, 5000)}", f"length = {self.number(0.1, 1)}", f"damping = {self.choose(0, 0, 1)}")

    def add_slope(self, most):
        angle = self.choose(0, self.number(-most, most))
        self.add(f"gravity = ['9.81*sin({angle})', '-9.81*cos({angle})']")

    def write_feet(self):
        """A body on three to six feet in a row, on one or two belts."""
        self.add_slope(0.5)
        n, h, drop = self.choose(3, 3, 4, 5, 6), self.number(0.05, 0.6), self.choose(0, 0, self.number(0.01, 0.3))
        free = self.chance(0.75)
        self.add_surface("s0", (0, 0), (0, 1))
        self.add_surface("s1", (0, 0), (0, 1))
        self.add_base((self.number(-0.2, 0.2), self.choose(0, 0.1)), free)
        keys = self.alike() if self.chance(0.6) else {}
        for i in range(n):
            more = dict(keys, active_when=f'"t < {self.number(0.1, 0.8)}"') if self.chance(0.06) else keys
            x = round(-0.4 + 0.8 * i / (n - 1), 4) if self.chance(0.7) else self.number(-0.4, 0.4)
            self.add_contact("b", (x, -h), self.choose("s0", "s0", "s1"), **more)
        self.add_pushes(20)
        self.initial += [f"y = {round(h + drop, 4)}", f"x_dot = {self.choose(0, self.number(-2, 2))}"]
        if free and drop: self.initial.append(f"a_dot = {self.choose(0, self.number(-1, 1))}")

    def write_corner(self):
        """A box, rod or disc in a groove, between floor and ceiling, or between walls; often symmetric."""
        self.add_slope(0.3)
        kind, alike, w, h = self.choose("groove", "groove", "gap", "room"), self.chance(0.4), self.number(0.1, 0.3), self.number(0.1, 0.3)
        shape = self.choose("box", "disc", "rod")
        s = self.choose(0.5, 1, self.number(0.2, 2))
        lines = {"groove": [((0, 0), (s, 1)), ((0, 0), (-(s if alike else self.number(0.2, 2)), 1))],
                 "gap": [((0, 0), (0, 1)), ((0, round(2 * max(w, h) + self.number(0.01, 0.2), 4)), (0, -1))],
                 "room": [((0, 0), (0, 1)), ((-0.6, 0), (1, 0)), ((0.6, 0), (-1, 0))]}[kind]
        for i, (point, normal) in enumerate(lines): self.add_surface(f"s{i}", point, normal)
        self.add_base()
        keys = self.alike() if alike else {}
        corners = {"box": [(-w, -h), (w, -h), (w, h), (-w, h)], "rod": [(-w, 0), (w, 0)], "disc": [(0, 0)]}[shape]
        if shape == "disc": keys = dict(keys, radius=w)
        for corner in corners[:8 // len(lines)]:
            for i in range(len(lines)): self.add_contact("b", corner, f"s{i}", **keys)
        self.add_pushes(20)
        self.initial.append(f"y = {round((w if shape == 'disc' else h) + 0.004, 4) if kind == 'gap' else self.number(0.5, 1.2)}")
        if not alike: self.initial += [f"x_dot = {self.number(-2, 2)}", f"a_dot = {0 if kind == 'gap' else self.number(-3, 3)}"]

    def write_slide(self):
        """Two or three bilateral contacts on a rail, struck by a wall."""
        self.add_slope(0.4)
        self.add_surface("s0", (0, 0), (0, 1))
        self.add_base((self.number(-0.1, 0.1), self.number(-0.3, 0.3)))
        for x in (-0.2, 0.2, 0)[:self.choose(2, 2, 3)]:
            self.add_contact("b", (x, 0), "s0", mu=self.choose(0, 0.2, self.number(0.05, 1.5)), bilateral="true", law='"inelastic"')
        self.add_surface("s1", (self.number(0.5, 1), 0), (-1, 0))
        self.add_contact("b", (0.25, self.number(-0.3, 0.3)), "s1")
        self.add_pushes(20)
        self.initial.append(f"x_dot = {self.number(-2, 3)}")

    def write_rod(self):
        """A slender rod with much friction on a floor, perhaps with a wall: jams and impacts without collision."""
        self.add_slope(0.2)
        half, angle = self.number(0.15, 0.5), self.number(-1.4, 1.4)
        self.add_surface("s0", (0, 0), (0, 1))
        self.add_base()
        self.add_contact("b", (0, -half), "s0", mu=self.choose(0.8, 1.5, 2, 3, 10, self.number(0.5, 3)))
        self.add_contact("b", (0, half), "s0")
        if self.chance(0.4):
            self.add_surface("s1", (self.number(0.6, 1), 0), (-1, 0))
            for y in (half, -half): self.add_contact("b", (0, y), "s1")
        if self.chance(0.3): self.add_pushes(10)
        height = f"half*cos({angle})".replace("half", str(half))
        self.initial += ['y = { close = "c0", near = "' + height + '" }' if self.chance(0.6) else f'y = "{height} + 0.3"',
                         f"a = {angle}", f"x_dot = {self.number(-6, 6)}", f"a_dot = {self.number(-8, 8)}"]

    def write_tie(self):
        """A box of round numbers at thresholds: slopes of tan = mu, loads that reach the cone and stay there, flat falls."""
        w, h, mu, keys = self.choose(0.1, 0.2, 0.25), self.choose(0.1, 0.2, 0.5), self.choose(0.2, 0.5, 1), self.alike()
        keys.update(mu=mu, mu_s=self.choose(mu, mu, 2 * mu))
        kind = self.choose("slope", "push", "fall")
        self.add(f"gravity = [{10 * mu if kind == 'slope' else 0}, -10]")
        self.add("[[surfaces]]", 'name = "s0"', f"speed = {self.choose(0, 0, 0.5, -0.5) if kind == 'slope' else 0}")
        self.add("[[bodies]]", 'name = "b"', "mass = 2", f"gyration = {round(((w * w + h * h) / 3)**0.5, 6)}",
                 'joint = { type = "free", coordinates = ["x", "y", "a"] }')
        for x in (-w, w, 0)[:self.choose(2, 2, 3)]: self.add_contact("b", (x, -h), "s0", **keys)
        if kind == "push":
            f = 20 * mu * self.choose(1, 1, 2)
            wave = self.choose(f"{f}*t", f"{f}", f"{f}*sin(10*t)", f"t > 0.5 ? {f} : 0", f"sin(20*t) > 0 ? {f} : -{f}", f"min({f}, {f}*t)")
            self.add("[[forces]]", 'body = "b"', f"at = [0, {self.choose(0, -h)}]", f'force = ["{wave}", 0]')
        self.initial += [f"y = {h + 0.2 if kind == 'fall' else h}", f"x_dot = {self.choose(0, 0.5, -0.5, 1)}"]
        if kind == "fall": self.initial.append(f"a_dot = {self.choose(0, 0, 1)}")


class SharedWriter(Writer):
    """Two and three bodies on redundant feet and discs, on tilted belts that move, at exact ties, in metres or millimetres."""

    def __init__(self, seed):
        super().__init__(seed)
        self.unit = self.choose(1, 1, 1000)  # of a metre
        self.mu = self.choose(0.2, 0.5, 1)  # of all feet

    def long(self, low, high): return round(self.unit * self.random.uniform(low, high), 4)

    def speed(self):
        a, w = self.long(-1, 1), self.number(1, 12)
        return self.choose("0", "0", str(a), f'"{a}*sin({w}*t)"')

    def add_feet(self, body, feet, height):
        """Redundant feet in a row, points or discs, with restitution or without."""
        law = self.choose("inelastic", "inelastic", *LAWS)
        e = 0 if law == "inelastic" else self.number(0.05, 0.4)
        static = self.choose(1, 1, 1.4)
        radius = self.choose(0, 0, round(0.03 * self.unit, 4))
        for i in range(feet):
            x = round(self.unit * (-0.3 + 0.6 * i / max(1, feet - 1)), 4)
            more = {"mu": self.mu, "mu_s": round(static * self.mu, 4), "law": f'"{law}"', "restitution": e}
            if radius: more["radius"] = radius
            self.add_contact(body, (x, round(radius - height, 4)), self.choose("s0", "s0", "s1"), **more)

    def write_stack(self):
        """Boxes on feet on a slope, with hinged links or rolling discs, side by side."""
        slope = self.mu if self.chance(0.4) else self.number(0, 0.8)  # tan; the first is a tie
        g = self.unit * 9.81
        self.add(f"gravity = ['{g}*{slope}/sqrt(1 + {slope}^2)', '-{g}/sqrt(1 + {slope}^2)']")
        tilt = self.choose(0, self.number(-0.3, 0.3))
        self.add_surface("s0", (0, 0), (tilt, 1))
        self.add_surface("s1", (0, 0), (tilt, 1))
        for i in range(self.choose(1, 2, 2)):
            height = self.long(0.05, 0.3)
            self.add("[[bodies]]", f'name = "b{i}"', f"mass = {self.number(0.5, 3)}", f"gyration = {self.long(0.1, 0.3)}",
                     f'joint = {{ type = "free", coordinates = ["x{i}", "y{i}", "a{i}"] }}')
            self.add_feet(f"b{i}", self.choose(2, 3) if i else self.choose(2, 3, 4), height)
            self.initial += [f"a{i} = 'atan2(-{tilt}, 1)'", f'y{i} = {{ close = "c{self.contacts - 1}", near = {height} }}',
                             f"x{i} = {round(2 * self.unit * i, 4)}", f"x{i}_dot = {self.choose(0, self.long(-1, 1))}"]
        if self.chance(0.5):
            self.add("[[bodies]]", 'name = "link"', f"mass = {self.number(0.1, 1)}", f"gyration = {self.long(0.05, 0.2)}", f"com = [0, {self.long(-0.2, 0.2)}]",
                     f'joint = {{ type = "revolute", parent = "b0", at = [0, {self.long(0, 0.1)}], coordinate = "q" }}')
            self.initial += [f"q = {self.number(-1, 1)}", f"q_dot = {self.number(-2, 2)}"]
        else:
            radius = self.long(0.05, 0.2)
            self.add("[[bodies]]", 'name = "disc"', f"mass = {self.number(0.2, 2)}", f"gyration = {round(radius * self.choose(0.5, 0.7071, 1), 5)}",
                     'joint = { type = "free", coordinates = ["xd", "yd", "ad"] }')
            name = self.add_contact("disc", (0, 0), "s0", radius=radius, mu=self.mu, mu_s=self.mu)
            self.initial += [f'yd = {{ close = "{name}", near = {radius} }}', f"xd = {-2 * self.unit}", f"xd_dot = {self.choose(0, self.long(-1, 1))}", f"ad_dot = {self.choose(0, self.number(-4, 4))}"]


def make_shared_model(seed, attempt):
    writer = SharedWriter(1000 * seed + attempt)
    writer.write_stack()
    return writer.text(), 1.0


def make_odd_model(seed, attempt):
    writer = OddWriter(1000 * seed + attempt)
    writer.choose(writer.write_feet, writer.write_corner, writer.write_slide, writer.write_rod, writer.write_tie)()
    return writer.text(), 1.5


def make_model(seed, attempt=0):
    """(text of the model file, end of the run). Another attempt of a seed is another mechanism."""
    if seed >= SHARED: return make_shared_model(seed, attempt)
    if seed >= ODD: return make_odd_model(seed, attempt)
    writer = Writer(1000 * seed + attempt)
    kind = writer.random.random()
    if kind < 0.55: writer.write_tree()
    elif kind < 0.92: writer.write_dropped()
    else: writer.write_wheel()
    return writer.text(), writer.until
