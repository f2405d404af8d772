"""A model file, read anew: its equations follow from the positions of its points by differentiation."""
import math
import tomllib
from dataclasses import dataclass, field

import numpy as np

from symbolic import compile_nodes, const, cos, parse, rate, sin, sqrt, var


@dataclass
class Contact:
    name: str
    mu: float
    mu_s: float
    restitution: float
    law: str
    bilateral: bool


@dataclass
class Sample:
    """Everything about a state: M a = force + W f; gap'' = Wn a + bias_n, slip' = Wt a + bias_t."""
    M: np.ndarray
    force: np.ndarray
    gap: np.ndarray
    gap_rate: np.ndarray
    slip: np.ndarray
    bias_n: np.ndarray
    bias_t: np.ndarray
    active: np.ndarray
    Wn: np.ndarray  # a row per contact
    Wt: np.ndarray


@dataclass
class Model:
    coordinates: list
    contacts: list
    relabels: list = field(default_factory=list)
    angles: np.ndarray = None  # which coordinates are angles
    length: float = 1.0  # size of the bodies [m]
    gravity: float = 0.0
    depends_on_time: bool = False
    start: tuple = None

    def sample(self, t, q, v):
        values, n, k = self._all(t, *q, *v), len(q), len(self.contacts)
        M = np.empty((n, n))
        M[self._upper] = values[:len(self._upper[0])]
        M.T[self._upper] = M[self._upper]
        rest = np.array(values[len(self._upper[0]):])
        rows = rest[n:].reshape(k, 6 + 2 * n)
        return Sample(M, rest[:n], *(rows[:, i] for i in range(6)), rows[:, 6:6 + n], rows[:, 6 + n:])

    def relabelled(self, relabel, t, q, v):
        values = relabel["set"](t, *q, *v)
        return np.array(values[:len(q)]), np.array(values[len(q):])


def rotated(phi, point):
    x, y = point
    return cos(phi) * x - sin(phi) * y, sin(phi) * x + cos(phi) * y


class Reader:
    def __init__(self, path, settings=()):
        with open(path, "rb") as file: self.file = tomllib.load(file)
        self.settings = dict(settings)
        self.values = {"pi": const(math.pi), "deg": const(math.pi / 180)}
        self.busy = set()
        self.bodies = {"world": ((const(0), const(0)), const(0))}
        self.angle_names = set()
        self.names = self.read_names()
        self.rate_of = {c: var(c + "_dot") for c in self.names} | {"t": const(1)}

    def read_names(self):
        out = []
        for body in self.file["bodies"]:
            joint = body["joint"]
            out += joint.get("coordinates", [joint["coordinate"]] if "coordinate" in joint else [])
        return self.file.get("coordinates", out)

    # Numbers: parameters and initial values, in any order.
    def lookup(self, name):
        if name in self.values: return self.values[name]
        if name in self.busy: raise ValueError(f"{name} depends on itself")
        self.busy.add(name)
        source = self.settings.get(name, self.file.get("parameters", {}).get(name))
        if source is None: source = self.file.get("initial", {}).get(name, 0)
        if isinstance(source, dict): raise ValueError(f"{name} is not known yet")
        self.values[name] = parse(source, self.lookup)
        return self.values[name]

    def number(self, value): return parse(value, self.lookup).args[0]
    def pair(self, value): return tuple(self.number(v) for v in value)

    # Functions of time and state.
    def function(self, value):
        def lookup(name):
            state = name == "t" or name in self.names or (name.endswith("_dot") and name[:-4] in self.names)
            return var(name) if state else self.lookup(name)
        return parse(value, lookup)

    def total(self, node): return rate(node, self.rate_of, "time")  # d/dt without accelerations
    def partial(self, node, name): return rate(node, {name: 1}, name)

    def place(self, body, point):
        (x, y), phi = self.bodies[body]
        dx, dy = rotated(phi, self.pair(point))
        return x + dx, y + dy

    def read_body(self, body):
        joint = body["joint"]
        parent = joint.get("parent", "world")
        origin, parent_turn = self.place(parent, joint.get("at", [0, 0])), self.bodies[parent][1]
        sign = -1 if joint.get("sense") == "clockwise" else 1
        turn = const(self.number(joint.get("angle", 0)))
        if joint.get("measured") != "absolute": turn = turn + parent_turn
        names = joint.get("coordinates", [joint.get("coordinate")])
        if joint["type"] in ("translation", "free"):
            origin = origin[0] + var(names[0]), origin[1] + var(names[1])
        if joint["type"] == "prismatic":
            axis = np.array(self.pair(joint["axis"]))
            dx, dy = rotated(parent_turn, tuple(axis / np.hypot(*axis)))
            origin = origin[0] + dx * var(names[0]), origin[1] + dy * var(names[0])
        if joint["type"] in ("revolute", "free"):
            self.angle_names.add(names[-1])
            turn = turn + var(names[-1]) * sign
        self.bodies[body["name"]] = origin, turn

    def read_masses(self):
        """(mass, x, y) of every point and (inertia, angle) of every solid."""
        points, solids = [], []
        for body in self.file["bodies"]:
            if "mass" in body:
                mass = self.number(body["mass"])
                inertia = self.number(body["inertia"]) if "inertia" in body else mass * self.number(body["gyration"])**2
                points.append((mass, *self.place(body["name"], body.get("com", [0, 0]))))
                solids.append((inertia, self.bodies[body["name"]][1]))
            for p in body.get("point_masses", []):
                points.append((self.number(p["mass"]), *self.place(body["name"], p["at"])))
        return points, solids

    def read_equations(self):
        """M (upper part, as a list) and the generalised forces without those of contacts."""
        points, solids = self.read_masses()
        terms = [(m, c) for m, *r in points for c in r] + solids  # (weight, scalar that moves)
        slopes = [[self.partial(c, q) for q in self.names] for _, c in terms]
        n = len(self.names)
        M = [sum((s[i] * s[j] * m for (m, _), s in zip(terms, slopes)), const(0)) for i in range(n) for j in range(i, n)]
        force = [const(0)] * n

        def push(amount, scalar):  # a force `amount` along the scalar
            for i, q in enumerate(self.names): force[i] = force[i] + self.partial(scalar, q) * amount

        for m, c in terms: push(self.total(self.total(c)) * -m, c)
        gravity = self.pair(self.file.get("gravity", [0, 0]))
        for m, x, y in points:
            push(m * gravity[0], x)
            push(m * gravity[1], y)
        self.read_springs(push)
        for f in self.file.get("forces", []):
            if "coordinate" in f:
                push(self.function(f["value"]), var(f["coordinate"]))
                continue
            x, y = self.place(f["body"], f.get("at", [0, 0]))
            fx, fy = (self.function(c) for c in f.get("force", [0, 0]))
            push(fx, x)
            push(fy, y)
            push(self.function(f.get("torque", 0)), self.bodies[f["body"]][1])
        return M, force

    def read_springs(self, push):
        for s in self.file.get("springs", []):
            ends = [self.place(e.get("body", "world"), e.get("at", [0, 0])) for e in (s["from"], s["to"])]
            dx, dy = (b - a for a, b in zip(*ends))
            k, rest, c = (self.number(s.get(key, 0)) for key in ("stiffness", "length", "damping"))
            if rest == 0 and c == 0:  # smooth also where the ends meet
                push(dx * -k, dx)
                push(dy * -k, dy)
                continue
            distance = sqrt(dx * dx + dy * dy)
            push(-((distance - rest) * k + self.total(distance) * c), distance)
        for s in self.file.get("torsion_springs", []):
            turn = self.bodies[s["body"]][1] - self.bodies[s.get("to", "world")][1]
            k, rest, c = (self.number(s.get(key, 0)) for key in ("stiffness", "angle", "damping"))
            push(-((turn - rest) * k + self.total(turn) * c), turn)

    def read_contact(self, c):
        """The contact, and the nodes gap, gap_rate, slip, bias_n, bias_t, active, Wn..., Wt..."""
        surface = next(s for s in self.file["surfaces"] if s["name"] == c["surface"])
        normal = np.array(self.pair(surface.get("normal", [0, 1])))
        nx, ny = normal / np.hypot(*normal)
        x0, y0 = self.pair(surface.get("point", [0, 0]))
        x, y = self.place(c["body"], c.get("point", [0, 0]))
        radius = self.number(c.get("radius", 0))
        speed = self.function(surface.get("speed", 0))
        gap = (x - x0) * nx + (y - y0) * ny - radius
        path = x * ny - y * nx + self.bodies[c["body"]][1] * radius  # t = n turned by -90 degrees
        slip = self.total(path) - speed
        active = self.function(c.get("active_when", 1))
        nodes = [gap, self.total(gap), slip, self.total(self.total(gap)), self.total(slip), active]
        nodes += [self.partial(gap, q) for q in self.names] + [self.partial(path, q) for q in self.names]
        mu = self.number(c.get("mu", 0))
        contact = Contact(c["name"], mu, self.number(c.get("mu_s", mu)), self.number(c.get("restitution", 0)),
                          c.get("law", "inelastic"), c.get("bilateral", False))
        return contact, nodes

    def read_relabel(self, r, contacts):
        names = self.names + [q + "_dot" for q in self.names]
        nodes = [self.function(r["set"][n]) if n in r["set"] else var(n) for n in names]
        index = {c.name: i for i, c in enumerate(contacts)}
        taken = {index[new]: index[old] for old, new in r.get("contacts", {}).items()}  # new -> old
        for i in range(len(contacts)):  # a contact that is not named keeps its name if that is free
            if i not in taken and i not in taken.values(): taken[i] = i
        free = [i for i in range(len(contacts)) if i not in taken]
        taken |= dict(zip(free, (i for i in range(len(contacts)) if i not in taken.values())))
        order = [taken[i] for i in range(len(contacts))]
        return {"after": index[r["after"]], "set": compile_nodes(nodes, ["t"] + names), "order": order}

    def read(self):
        for body in self.file["bodies"]: self.read_body(body)
        M, force = self.read_equations()
        contacts, rows = [], []
        for c in self.file.get("contacts", []):
            contact, nodes = self.read_contact(c)
            contacts.append(contact)
            rows += nodes
        model = Model(self.names, contacts)
        names = ["t"] + self.names + [q + "_dot" for q in self.names]
        model._all = compile_nodes(M + force + rows, names)
        model._upper = np.triu_indices(len(self.names))
        model.relabels = [self.read_relabel(r, contacts) for r in self.file.get("relabel", [])]
        model.angles = np.array([q in self.angle_names for q in self.names])
        model.gravity = float(np.hypot(*self.pair(self.file.get("gravity", [0, 0]))))
        model.length = self.find_length()
        model.depends_on_time = any(uses_time(n) for n in force + rows)
        model.start = self.find_start(model)
        return model

    def find_length(self):
        """The largest offset within a body [m]."""
        offsets = [b.get("com", [0, 0]) for b in self.file["bodies"]] + [b["joint"].get("at", [0, 0]) for b in self.file["bodies"]]
        offsets += [p["at"] for b in self.file["bodies"] for p in b.get("point_masses", [])]
        offsets += [c.get("point", [0, 0]) for c in self.file.get("contacts", [])]
        size = max(math.hypot(*self.pair(p)) for p in offsets)
        return max([size] + [self.number(c.get("radius", 0)) for c in self.file.get("contacts", [])]) or 1.0

    def find_start(self, model):
        """The initial state: coordinates that close contacts by Newton's method or bisection, then rates that keep them closed."""
        initial, n = self.file.get("initial", {}), len(self.names)
        closings = [(i, initial[q]) for i, q in enumerate(self.names)
                    if isinstance(initial.get(q), dict) and q not in self.settings]
        index = {c.name: i for i, c in enumerate(model.contacts)}
        which = [i for i, _ in closings]
        rows = [index[c["close"]] for _, c in closings]
        q = np.zeros(n)
        for i, name in enumerate(self.names):
            if i in which:
                c = dict(closings)[i]
                between = [self.number(b) for b in c.get("between", [0, 0])]
                q[i] = self.number(c["near"]) if "near" in c else sum(between) / 2
            else:
                q[i] = self.lookup(name).args[0]
        bracket = len(closings) == 1 and closings[0][1].get("between")
        if bracket: q[which[0]] = self.bisect(model, q, which[0], rows[0], self.pair(bracket))
        for _ in range(100 if closings else 0):
            s = model.sample(0.0, q, np.zeros(n))
            step = np.linalg.solve(s.Wn[np.ix_(rows, which)], s.gap[rows])
            q[which] -= step
            if np.abs(step).max() <= 1e-15 * (1 + np.abs(q).max()): break
        for i in which: self.values[self.names[i]] = const(q[i])
        v = np.zeros(n)
        follow = [k for k, i in enumerate(which) if self.names[i] + "_dot" not in initial
                  and self.names[i] + "_dot" not in self.settings]
        for i, name in enumerate(self.names):
            if i not in [which[k] for k in follow]: v[i] = self.lookup(name + "_dot").args[0]
        if follow:
            s = model.sample(0.0, q, v)
            r, w = [rows[k] for k in follow], [which[k] for k in follow]
            v[w] -= np.linalg.solve(s.Wn[np.ix_(r, w)], s.gap_rate[r])
        return q, v

    def bisect(self, model, q, i, row, ends):
        def gap(x):
            at = q.copy()
            at[i] = x
            return model.sample(0.0, at, np.zeros(len(q))).gap[row]
        low, high = ends
        for _ in range(60):
            middle = (low + high) / 2
            if (gap(middle) > 0) == (gap(high) > 0): high = middle
            else: low = middle
        return (low + high) / 2


def uses_time(node, seen=None):
    seen = set() if seen is None else seen
    if node in seen or node.op == "const": return False
    seen.add(node)
    return node.args[0] == "t" if node.op == "var" else any(uses_time(a, seen) for a in node.args)


def read_model(path, settings=()):
    return Reader(path, settings).read()
