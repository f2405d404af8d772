"""Model files changed in ways that change no motion, and the way back for the program's answers.

Parameters keep their values: values that are scaled or mirrored are wrapped, `factor*(expression)`, and in expressions the
coordinates, rates and the time are divided by their factors. So `--set` and `--over` of parameters mean the same in both files.
"""
import copy
import json
import re
from dataclasses import dataclass, field

from model import Reader

_WORD = re.compile(r"\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[A-Za-z]\w*")
_SWAPPED = {"P": "N", "N": "P"}


@dataclass
class Change:
    """How the new file's quantities follow from the old ones: new = factor * old."""
    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    start: float = 0.0  # the old time at which the new time is 0
    side: int = 1  # -1: mirrored, x -> -x
    senses: bool = False  # mirrored by turning the senses of angles, which then keep their values
    factors: dict = field(default_factory=dict)  # of coordinates that are not multiplied by 1
    order: list = None  # of contacts: the old index at each new place; None: a new contact
    names: list = None  # of the coordinates
    slips: dict = field(default_factory=dict)  # old contact index: -1 if its tangent was turned
    normals: dict = field(default_factory=dict)  # the same for its normal

    @property
    def energy(self): return self.mass * self.length**2 / self.time**2
    @property
    def force(self): return self.energy / self.length

    def coordinate(self, name): return self.factors.get(name, 1.0)

    def rename(self, text):
        """The expression with the new coordinates, rates and time in it."""
        def put(match):
            word = match.group()
            if word == "t" and (self.time != 1 or self.start): return f"(t/{self.time!r} + {self.start!r})"
            if word not in self.names and not (word.endswith("_dot") and word[:-4] in self.names): return word
            factor = self.of_state(word)
            return word if factor == 1 else f"({word}/{factor!r})"
        return _WORD.sub(put, text)

    def scale(self, value, factor):
        """A number or function of the model file, times the factor."""
        if isinstance(value, str):
            text = self.rename(value)
            return text if factor == 1 else f"{float(factor)!r}*({text})"
        return value if factor == 1 else factor * value

    def vector(self, pair, factor=1.0):
        return [self.scale(pair[0], factor * self.side), self.scale(pair[1], factor)]

    def apply(self, model):
        """The model in other units, or mirrored."""
        self.names = read_names(model)
        self.set_factors(model)
        new = copy.deepcopy(model)
        if "gravity" in new: new["gravity"] = self.vector(new["gravity"], self.length / self.time**2)
        for body in new["bodies"]: self.change_body(body)
        for s in new.get("surfaces", []): self.change_surface(s)
        for c in new.get("contacts", []): self.change_contact(c)
        self.change_loads(new)
        for r in new.get("relabel", []): r["set"] = {k: self.scale(v, self.of_state(k)) for k, v in r["set"].items()}
        new["initial"] = {k: self.change_initial(k, v) for k, v in new.get("initial", {}).items()}
        if self.side < 0: self.slips = {i: -1 for i in range(len(new.get("contacts", [])))}
        return new

    def set_factors(self, model):
        for body in model["bodies"]:
            joint = body["joint"]
            angle = 1 if self.senses else self.side
            own = {"free": [self.length * self.side, self.length, angle], "translation": [self.length * self.side, self.length],
                   "revolute": [angle], "prismatic": [self.length], "fixed": []}[joint["type"]]
            self.factors |= dict(zip(joint.get("coordinates", [joint.get("coordinate")]), own))

    def of_state(self, name):
        """The factor of a coordinate or rate."""
        return self.coordinate(name) if name in self.names else self.coordinate(name[:-4]) / self.time

    def change(self, table, **factors):
        for key, factor in factors.items():
            if key in table: table[key] = self.scale(table[key], factor)

    def change_body(self, body):
        body.pop("shape", None)  # only a picture
        self.change(body, mass=self.mass, inertia=self.mass * self.length**2, gyration=self.length)
        if "com" in body: body["com"] = self.vector(body["com"], self.length)
        for p in body.get("point_masses", []): p.update(mass=self.scale(p["mass"], self.mass), at=self.vector(p["at"], self.length))
        joint = body["joint"]
        if "at" in joint: joint["at"] = self.vector(joint["at"], self.length)
        if "axis" in joint: joint["axis"] = self.vector(joint["axis"])
        self.change(joint, angle=self.side)
        if self.senses and joint["type"] in ("free", "revolute"):
            joint["sense"] = "counter-clockwise" if joint.get("sense") == "clockwise" else "clockwise"

    def change_surface(self, s):
        s["point"] = self.vector(s.get("point", [0, 0]), self.length)
        s["normal"] = self.vector(s.get("normal", [0, 1]))
        self.change(s, speed=self.side * self.length / self.time)

    def change_contact(self, c):
        if "point" in c: c["point"] = self.vector(c["point"], self.length)
        self.change(c, radius=self.length, jump=1 / self.time, mu=1, mu_s=1, restitution=1, active_when=1)

    def change_loads(self, new):
        for s in new.get("springs", []):
            for end in (s["from"], s["to"]):
                if "at" in end: end["at"] = self.vector(end["at"], self.length)
            self.change(s, stiffness=self.mass / self.time**2, length=self.length, damping=self.mass / self.time)
        for s in new.get("torsion_springs", []):
            self.change(s, stiffness=self.energy, angle=self.side, damping=self.energy * self.time)
        for f in new.get("forces", []):
            if "coordinate" in f: self.change(f, value=self.energy / self.coordinate(f["coordinate"]))
            if "at" in f: f["at"] = self.vector(f["at"], self.length)
            if "force" in f: f["force"] = self.vector(f["force"], self.force)
            self.change(f, torque=self.side * self.energy)

    def change_initial(self, name, value):
        factor = self.of_state(name)
        if not isinstance(value, dict): return self.scale(value, factor)
        new = dict(value)
        self.change(new, near=factor)
        if "between" in new: new["between"] = [self.scale(b, factor) for b in new["between"]][::1 if factor > 0 else -1]
        return new

    # --- the way back ---

    def places(self, count):
        """New index of every old contact."""
        order = self.order or list(range(count))
        return [order.index(i) for i in range(count)]

    def word(self, text, count):
        """Letters in the old order and directions."""
        letters = [text[k] for k in self.places(count)]
        return "".join(_SWAPPED.get(l, l) if self.slips.get(i, 1) < 0 else l for i, l in enumerate(letters))

    def rows(self, values, count, factor, signs=None):
        """A list over contacts, in the old order and units."""
        signs = signs or {}
        return [back(values[k], factor * signs.get(i, 1)) for i, k in enumerate(self.places(count))]

    def states(self, values):
        return {k: back(v, self.of_state(k)) for k, v in values.items()}


def back(value, factor):
    """A number, a range or nothing, divided by the factor."""
    if value is None or isinstance(value, bool): return value
    if isinstance(value, list): return [back(v, factor) for v in (value if factor > 0 else value[::-1])]
    return value / factor


# --- reading and writing ---

def read_names(model):
    out = []
    for body in model["bodies"]:
        joint = body["joint"]
        out += joint.get("coordinates", [joint["coordinate"]] if "coordinate" in joint else [])
    return model.get("coordinates", out)


def toml_value(value):
    if isinstance(value, bool): return "true" if value else "false"
    if isinstance(value, str): return json.dumps(value)
    if isinstance(value, list): return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, dict): return "{ " + ", ".join(f"{json.dumps(k)} = {toml_value(v)}" for k, v in value.items()) + " }"
    return repr(value)


def toml_text(model):
    plain, tables = [], []
    for key, value in model.items():
        if isinstance(value, dict): tables += [f"[{key}]"] + [f"{k} = {toml_value(v)}" for k, v in value.items()]
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for entry in value: tables += [f"[[{key}]]"] + [f"{k} = {toml_value(v)}" for k, v in entry.items()]
        else: plain.append(f"{key} = {toml_value(value)}")
    return "\n".join(plain + tables) + "\n"


# --- other transformations: each gives the new model and the way back ---

def change_units(model, random):
    """Powers of two, about 1e-6 to 1e6: they leave all digits as they are, so that a difference is not rounding."""
    change = Change(length=2.0**random.randint(-20, 20), mass=2.0**random.randint(-20, 20), time=2.0**random.randint(-10, 10))
    return change.apply(model), change


def mirror(model, random):
    change = Change(side=-1)
    return change.apply(model), change


def mirror_senses(model, random):
    change = Change(side=-1, senses=True)
    return change.apply(model), change


def _plain(model, **more):
    change = Change(**more)
    change.names = read_names(model)
    return change


def shuffle_bodies(model, random):
    """Bodies, surfaces and loads in another order; so are the coordinates, unless the file names their order."""
    if len(model["bodies"]) + len(model.get("surfaces", [])) < 3: return None
    new = copy.deepcopy(model)
    for key in ("bodies", "surfaces", "forces", "springs", "torsion_springs"):
        if key in new: new[key] = new[key][::-1]
    return new, _plain(new)


def shuffle_contacts(model, random):
    contacts = model.get("contacts", [])
    if len(contacts) < 2: return None
    order = list(range(len(contacts)))
    while order == sorted(order): random.shuffle(order)
    new = dict(copy.deepcopy(model), contacts=[copy.deepcopy(contacts[i]) for i in order])
    return new, _plain(new, order=order)


def turn_normals(model, random):
    """Bilateral contacts of points, each on a surface of its own with the opposite normal (a disc would roll on its other side)."""
    new, turned = copy.deepcopy(model), {}
    for i, c in enumerate(new.get("contacts", [])):
        if not c.get("bilateral") or c.get("radius"): continue
        s = copy.deepcopy(next(s for s in new["surfaces"] if s["name"] == c["surface"]))
        change = _plain(new)
        s.update(name=f"{s['name']} of {c['name']}, turned", normal=[change.scale(x, -1) for x in s.get("normal", [0, 1])],
                 speed=change.scale(s.get("speed", 0), -1))
        new["surfaces"].append(s)
        c["surface"] = s["name"]
        turned[i] = -1
    return (new, _plain(new, slips=turned, normals=dict(turned))) if turned else None


def add_far_contact(model, random, distance):
    """A first contact with a ceiling so far away that nothing reaches it."""
    if len(model.get("contacts", [])) >= 8: return None
    new = copy.deepcopy(model)
    new.setdefault("surfaces", []).append({"name": "far away", "point": [0, distance], "normal": [0, -1]})
    contact = {"name": "never", "body": new["bodies"][-1]["name"], "surface": "far away", "mu": 0.4}
    count = len(model.get("contacts", []))
    new["contacts"] = [contact] + new.get("contacts", [])
    return new, _plain(new, order=[None] + list(range(count)))


def cut_body(model, random):
    """A body in two halves that are fixed to each other, in frames of their own; each has its part of the loads on the body."""
    new = copy.deepcopy(model)
    body = random.choice(new["bodies"])
    at, turn = [round(random.uniform(-1, 1), 3), round(random.uniform(-1, 1), 3)], round(random.uniform(-2, 2), 3)
    half = {"name": body["name"] + " (half)", "joint": {"type": "fixed", "parent": body["name"], "at": at, "angle": turn}}

    def moved(p):
        """The point of the body in the half's frame."""
        x, y = (f"(({v}) - ({a}))" for v, a in zip(p, at))
        return [f"cos({turn})*{x} + sin({turn})*{y}", f"cos({turn})*{y} - sin({turn})*{x}"]

    if "mass" in body: _cut_solid(body, half, moved)
    masses = body.pop("point_masses", [])
    if masses[::2]: half["point_masses"] = [{"mass": p["mass"], "at": moved(p["at"])} for p in masses[::2]]
    if masses[1::2]: body["point_masses"] = masses[1::2]
    new["bodies"].insert(new["bodies"].index(body) + 1, half)
    held = [(c, "point") for c in new.get("contacts", [])]
    held += [(f, "at") for f in new.get("forces", []) if "force" in f] + [(s[e], "at") for s in new.get("springs", []) for e in ("from", "to")]
    for holder, key in [h for h in held if h[0].get("body") == body["name"]][::2]:
        holder["body"], holder[key] = half["name"], moved(holder.get(key, [0, 0]))
    return new, _plain(new)


def _cut_solid(body, half, moved):
    """Two equal masses to both sides of the centre by half the radius of gyration k, each with sqrt(3/4) k of its own."""
    gyration = f"({body['gyration']})" if "gyration" in body else f"sqrt(({body['inertia']})/({body['mass']}))"
    x, y = body.get("com", [0, 0])
    ends = [[f"({x}) + {s}*0.3*{gyration}", f"({y}) + {s}*0.4*{gyration}"] for s in (1, -1)]
    share = {"mass": f"0.5*({body['mass']})", "gyration": f"sqrt(0.75)*{gyration}"}
    body.pop("inertia", None)
    body.update(share, com=ends[0])
    half.update(share, com=moved(ends[1]))


_NOT_NUMBERS = {"force", "torque", "value", "speed", "active_when", "name", "body", "surface", "parent", "coordinate", "coordinates", "to",
                "type", "law", "sense", "measured"}


def freeze(model, path):
    """Numbers that name initial values get these values, so that the state may be set anew."""
    reader, names = Reader(path), read_names(model)
    states = set(names) | {n + "_dot" for n in names}

    def walk(part, key=""):
        if isinstance(part, dict): return {k: walk(v, k) for k, v in part.items()}
        if isinstance(part, list): return [walk(p, key) for p in part]
        if not isinstance(part, str) or key in _NOT_NUMBERS: return part
        return _WORD.sub(lambda m: repr(reader.lookup(m.group()).args[0]) if m.group() in states else m.group(), part)

    numbers = {"gravity", "parameters", "bodies", "surfaces", "contacts", "springs", "torsion_springs", "forces"}
    return {k: walk(v) if k in numbers else v for k, v in model.items()}


def continue_from(model, state, time):
    """The model (frozen) from another state on; loads know by how much the time began later."""
    change = Change(start=time)
    new = change.apply(model)
    change.slips = {}
    new["initial"] = dict(state)
    return new, change


def push(model, factor):
    """All loads times a factor."""
    new = copy.deepcopy(model)
    change = _plain(new)
    if "gravity" in new: new["gravity"] = [change.scale(g, factor) for g in new["gravity"]]
    for s in new.get("springs", []) + new.get("torsion_springs", []): change.change(s, stiffness=factor, damping=factor)
    for f in new.get("forces", []):
        change.change(f, value=factor, torque=factor)
        if "force" in f: f["force"] = [change.scale(c, factor) for c in f["force"]]
    return new
