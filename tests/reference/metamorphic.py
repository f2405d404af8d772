"""metamorphic.py [--count N] [--seed S] [--save DIR] PROGRAM: the same mechanisms written in other ways must get the same answers.

Every built-in model, and N mechanisms by seed (random ones, and built-in ones with random data), are transformed by transform.py.
The verbs are asked about both files, the answers about the transformed one are mapped back, and compared. README.md says what
counts as agreement.
"""
import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass, field

import numpy as np

import transform
from compare import write_model
from model import Reader
from transform import Change

LIMIT = 1e-8  # of the answer's own scales: steps keep 1e-13, some hundred of them, magnified some hundred times
NOISE = 1e-12  # effect of other rounding: other steps, each with a local error of 1e-13
LOOSE_LIMIT, LOOSE_NOISE = 1e-7, 1e-10  # the same for steps that keep 1e-11: a hundred times the noise, and its effect on 1e-9
MAGNIFIED = 30.0  # times the effect of noise in the loads on the answer: as in compare.py
CLUSTER = 2e-4  # of the run: as in compare.py, events this close belong to one accumulation, if one of them ends bounces
SETTLED = 1e-6  # the program ends rebounds slower than 1e-7 of the motion: what holds after the last of a cluster has that, and what follows from it
TOGETHER = 1e-10  # of the run: events this close are one; the laws do not determine their order
MOST_EVENTS = 300
# (case, class, verb): why the program is wrong there today
KNOWN = {("seed98", "parts", "simulate"): "the continued run ends one of nested accumulations earlier; not looked into"}
WORDS = re.compile(r"[FSPN]+")

# Built-in models with other data: ranges of parameters and initial values.
RANGES = {
    "two-contact-body": dict(mu1=(.05, 1.2), mu2=(.05, 1.2), rho=(.05, .3), l1=(-.2, .02), l2=(.05, .2), h=(.05, .25), alpha=(-.5, .5),
                             phi1=(-.3, .3), phi2=(-.3, .3)),
    "weighted-biped": dict(mu1=(.2, 1), mu2=(.2, 1), position=(.01, .08), alpha=(-.4, .5)),
    "compass-biped": dict(alpha=(.01, .07), mu=(.3, .9)),
    "rimless-wheel": dict(n=(6, 12), alpha=(.08, .25), mu=(.2, .8), theta_dot=(.4, 1.2)),
    "painleve-bar": dict(mu=(.3, 1.5), theta=(.3, 1.4), slip=(-9, 9), jump=(0, 4)),
    "sliding-rod": dict(mu=(.3, 1), theta=(-.8, -.1), slip=(1, 100)),
    "jamming-chain": dict(mu=(.3, .9), theta=(-.7, -.1), x_dot=(.5, 3)),
    "jamming-chain-level": dict(mu=(.3, .9), theta=(-.7, -.1), x_dot=(.5, 3)),
    "klein-bar": dict(mu=(.3, 1.6), theta=(.6, 1.4), force=(-2, 2), arm=(-.5, .5), torque=(-.5, .5), x_dot=(-1, 1)),
    "two-link-rail": dict(mu=(.2, 1), theta1=(.4, .65), e=(0, .5), rail_speed=(-.5, .5)),
    "bouncing-ball": dict(e=(.2, .9), height=(.5, 2)),
    "sliding-block": dict(v0=(-4, 4), mu=(.1, .9)),
}
UNTIL = {"bouncing-ball": 5, "compass-biped": 4, "rimless-wheel": 6, "two-link-rail": 3}  # [s], else 4


@dataclass
class Facts:
    """The content of an answer at one place: words that must be equal, and numbers, each with its kind (which sets its scale)."""
    words: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)
    marginal: bool = False
    cut: bool = False  # bounces too slow to follow end here

    def add(self, label, kind, value):
        """A number, a list or a table of numbers; nothing is a word."""
        if isinstance(value, dict): value = list(value.values())
        if isinstance(value, list):
            for i, v in enumerate(value): self.add(f"{label}[{i}]", kind, v)
        elif value is None or isinstance(value, (bool, str)): self.words[label] = value
        else: self.numbers[label] = (value, kind)


def find_difference(a, b, scales):
    """(size, what): the largest difference of two facts; infinite if words differ."""
    if a is None or b is None: return math.inf, f"no counterpart of {describe(a or b)}"
    for label in {**a.words, **b.words}:
        if a.words.get(label, "-") != b.words.get(label, "-"):
            return math.inf, f"{label}: {a.words.get(label, '-')} and {b.words.get(label, '-')}"
    missing = a.numbers.keys() ^ b.numbers.keys()
    if missing: return math.inf, f"only one has {sorted(missing)[0]}"
    worst = (0.0, "")
    for label, (value, kind) in a.numbers.items():
        size = abs(value - b.numbers[label][0]) / scales[kind]
        worst = max(worst, (size, f"{label}: {value!r} and {b.numbers[label][0]!r}"))
    return worst


def same(facts): return facts
def describe(facts): return ", ".join(f"{k} {v}" for k, v in facts.words.items())


class Mechanism:
    """The data of a model that are needed to read answers about it."""

    def __init__(self, model, path):
        reader = Reader(path)
        self.model, self.path = model, path
        read = reader.read()
        self.names = read.coordinates
        self.angles = {n for n, angle in zip(read.coordinates, read.angles) if angle}
        self.contacts = [c.name for c in read.contacts]
        self.length, self.gravity = read.length, read.gravity
        self.mass = sum(m for m, *_ in reader.read_masses()[0]) or 1.0
        self.start = dict(zip(self.names, read.start[0]))
        self.start_speed = max(abs(v) * (self.length if n in self.angles else 1) for n, v in zip(self.names, read.start[1]))
        # Without friction sticking and sliding are the same.
        self.smooth = {i for i, c in enumerate(read.contacts) if c.mu_s == 0}

    def kind(self, name):
        if name in self.names: return "angle" if name in self.angles else "length"
        return "turning" if name[:-4] in self.angles else "speed"

    def find_scales(self, facts):
        """Of each kind the largest number in the answer; and what the mechanism itself has, where the answer has only zeros."""
        out = dict(time=0.0, length=self.length, angle=1.0, speed=0.0, turning=0.0, impulse=0.0, energy=0.0, force=self.mass * self.gravity,
                   acceleration=self.gravity, turning_rate=0.0, mobility=1 / self.mass, one=1.0,
                   coarse=100.0)  # the friction for a jam is an optimum over several coordinates, promised to 1e-6
        for f in facts:
            for value, kind in f.numbers.values(): out[kind] = max(out[kind], abs(value))
        # A turn is known only as well as the speeds of points allow, and a speed as well as the turns.
        out["speed"] = max(out["speed"], self.length * out["turning"], 1e-3 * math.sqrt(self.gravity * self.length)) or 1.0
        out["speed"] = max(out["speed"], self.start_speed)
        out["turning"] = max(out["turning"], 1e-3 * out["speed"] / self.length, 1e-3 * math.sqrt(self.gravity / self.length))
        # If a run has only weak events, its motion still gives the scale.
        out["energy"] = max(out["energy"], 1e-3 * self.mass * out["speed"]**2)
        out["impulse"] = max(out["impulse"], 1e-3 * self.mass * out["speed"])
        out["acceleration"] = max(out["acceleration"], self.length * out["turning_rate"])
        out["turning_rate"] = max(out["turning_rate"], 1e-3 * out["acceleration"] / self.length)
        for kind in out: out[kind] = out[kind] or 1.0
        return out


# --- answers to facts, in the names and units of the first model ---

class Reading:
    def __init__(self, mechanism, change):
        self.m, self.c, self.count = mechanism, change, len(mechanism.contacts)

    def word(self, text):
        letters = self.c.word(text, self.count)
        return "".join("C" if i in self.m.smooth and l != "F" else l for i, l in enumerate(letters))

    def rows(self, facts, label, kind, values, factor, signs=None):
        facts.add(label, kind, self.c.rows(values, self.count, factor, signs))

    def state(self, facts, label, values):
        for name, value in self.c.states(values).items(): facts.add(f"{label} {name}", self.m.kind(name), value)

    def rates(self, facts, label, values, kinds, power):
        """Velocities or accelerations by coordinate (single values or ranges)."""
        for name in self.m.names:
            if name in values: facts.add(f"{label} {name}", kinds[name in self.m.angles], transform.back(values[name], self.c.coordinate(name) / self.c.time**power))

    def alternative(self, text):
        """A word of modes, or a sentence whose numbers (of other units) are left out."""
        if WORDS.fullmatch(text) and len(text) == len(self.c.order or range(self.count)): return self.word(text)
        return re.sub(r"[-+]?\d[\d.e+-]*", "#", text)

    # simulate

    def group_events(self, events, end):
        """Events of one time are one."""
        out = []
        for e in events:
            if e["type"] in ("stick", "slip", "slip-reversal") and all(self.m.contacts.index(c) in self.m.smooth for c in e["contacts"]): continue
            if out and e["time"] - out[-1][-1]["time"] <= TOGETHER * end: out[-1].append(e)
            else: out.append([e])
        return [self.read_group(g) for g in out]

    def read_group(self, group):
        f, c, first, last = Facts(), self.c, group[0], group[-1]
        f.words["types"] = sorted((e["type"], sorted(e["contacts"])) for e in group)
        f.words["modes"] = self.word(first["modes_before"]) + " -> " + self.word(last["modes_after"])
        f.add("time", "time", first["time"] / c.time + c.start)
        self.state(f, "before", first["state_before"])
        self.state(f, "after", last["state_after"])
        f.add("energy before", "energy", first["energy_before"] / c.energy)
        f.add("energy after", "energy", last["energy_after"] / c.energy)
        f.words["alternatives"] = sorted({self.alternative(a) for e in group for a in e.get("alternatives", [])})
        f.words["policy"] = sorted({e["policy"] for e in group if "policy" in e})
        for e in group:
            if "impulse_n" in e: self.read_impact(f, e)
            if "exponent" in e: f.add("exponent", "one", e["exponent"])
            f.marginal |= any("marginal" in n for n in e.get("notes", []))
            f.cut |= e["type"] == "zeno" or any("too slow" in n for n in e.get("notes", []))
        return f

    def read_impact(self, f, e):
        """Impulses, or of a family their ranges: which member stands beside it is the program's choice."""
        source, c = e.get("family", e), self.c
        label = f"{e['type']} of {sorted(e['contacts'])}"
        unit = c.force * c.time
        self.rows(f, label + " impulse_n", "impulse", source["impulse_n"], unit, c.normals)
        self.rows(f, label + " impulse_t", "impulse", source["impulse_t"], unit, c.slips)
        if "family" in e: f.words[label + " dimension"] = source["dimension"]

    def simulate(self, d):
        end = Facts({"end": d["end"]["reason"], "check": d.get("check", {}).get("passed")})
        end.add("time", "time", d["end"]["time"] / self.c.time + self.c.start)
        self.state(end, "last", d["state"])
        return self.group_events(d["events"], d["end"]["time"]) + [end]

    # classify

    def classify(self, d):
        f, c, force = Facts(marginal=bool(d["marginal"])), self.c, self.c.force
        f.words |= {"class": d["class"], "p_matrix": d["p_matrix"]}
        entries = {e["name"]: e for e in d["contacts"]}
        for i, name in enumerate(self.m.contacts):
            e, n, s = entries[name], c.normals.get(i, 1), c.slips.get(i, 1)
            f.words[name] = e["status"]
            f.add(f"gap {name}", "length", e["gap"] / c.length * n)
            f.add(f"gap rate {name}", "speed", e["gap_rate"] / c.length * c.time * n)
            f.add(f"slip {name}", "speed", e["slip"] / c.length * c.time * s)
            if n > 0: f.add(f"p {name}", "mobility", transform.back(e["p"], 1 / c.mass))  # of a turned one the force has the other sign
            f.add(f"b {name}", "acceleration", transform.back(e["b"], n * c.length / c.time**2))
        solutions = [self.read_solution(s, force) for s in d["solutions"]]
        solutions.sort(key=lambda s: (s.words["modes"], [v for v, _ in s.numbers.values()]))
        return [f] + solutions

    def read_solution(self, s, force):
        f, source = Facts({"modes": self.word(s["modes"])}), s.get("family", s)
        self.rows(f, "normal force", "force", source["normal_force"], force, self.c.normals)
        self.rows(f, "tangential force", "force", source["tangential_force"], force, self.c.slips)
        self.rates(f, "acceleration", source.get("acceleration", s["acceleration"]), ("acceleration", "turning_rate"), 2)
        f.words["dimension"] = source.get("dimension", 0)
        return f

    # impact

    def impact(self, d):
        f = Facts({"kind": d["kind"], "contacts": sorted(d["contacts"]), "check": d["check"]["passed"], "laws": [(l["law"], l["outcomes"]) for l in d["laws"]]})
        outcomes = [self.read_outcome(o) for o in d["outcomes"]]
        outcomes.sort(key=lambda o: (o.words["law"], o.words["modes"], [v for v, _ in o.numbers.values()]))
        return [f] + outcomes

    def read_outcome(self, o):
        """As of an event; of a continuum of velocities the ranges."""
        f = Facts({"law": o["law"], "modes": self.word(o["modes_before"]) + " -> " + self.word(o["modes_after"])})
        self.read_impact(f, {"type": "impact", "contacts": o["contacts"], **{k: v for k, v in o.items() if k != "family" or v}})
        self.rates(f, "velocity", (o["family"] or {}).get("velocity", o["velocity_after"]), ("speed", "turning"), 1)
        if not o["family"]: f.add("energy after", "energy", o["energy_after"] / self.c.energy)
        return f

    # paradox, critical-friction

    def paradox(self, d):
        f, kind = Facts(), self.m.kind(d["along"])
        for key in ("intervals", "reachable"):
            ends = transform.back(d[key], self.c.coordinate(d["along"]))
            f.words["number of " + key] = len(ends)
            f.add(key, kind, ends)
        return [f]

    def critical_friction(self, d):
        """Not where it is attained: a minimum's place is known to the square root of rounding only, and there may be several."""
        f = Facts()
        for key in ("mu_min", "scale"): f.add(key, "one", d[key])
        f.add("mu_jam", "coarse", d["mu_jam"])
        for e in sorted(d["contacts"], key=lambda e: e["name"]): f.add("mu_min of " + e["name"], "one", e["mu_min"])
        return [f]

    # stability

    def stability(self, d):
        f = Facts({"verdict": d["verdict"]}, marginal=d["verdict"] == "marginal")
        f.words["labels"] = d["labels"]
        f.words |= {k: d[k] for k in ("theorem", "persistence", "monotone")}
        side = -1 if self.c.slips else 1
        points = sorted(([side * p["phi"], p["growth"], p["slope"]] for p in d["fixed_points"]), key=lambda p: p[0])
        f.words["fixed points"] = len(points)
        f.add("fixed point", "one", points)
        pieces = sorted(sorted([side * p["from"], side * p["to"]]) for p in d["pieces"])
        f.words["pieces"] = len(pieces)
        f.add("piece", "one", pieces)
        for name, other in (("minus", "plus"), ("plus", "minus")):
            end = (d["ends"] or {}).get(other if side < 0 else name) or {}
            f.words["kind " + name] = end.get("kind")
            if "growth" in end: f.add("growth " + name, "one", end["growth"])
            if "reduced" in end: f.add("reduced " + name, "one", [side * end["reduced"], end["scaled_growth"]])
        return [f, self.read_margins(d)]

    def read_margins(self, d):
        f = Facts(marginal=d["verdict"] == "marginal")
        for m in d.get("margins") or []:
            turned = self.c.side < 0 and m["parameter"] in ("com_x", "slope")
            unit = self.c.length if m["parameter"].startswith("com") else 1
            for key, other in (("below", "above"), ("above", "below")):
                label = f"margin {m['contact'] or m['parameter']} {key}"
                edge = m[other if turned else key]
                f.words[label] = edge and edge["verdict"]
                if edge: f.add(label, "length" if unit != 1 or m["parameter"].startswith("com") else "one", edge["distance"] / unit)
        return f

    def stability_map(self, d):
        f = Facts({"verdict": d["verdict"]})
        f.add("growth", "one", d["growth"])
        return [f]

    # gait

    def gait(self, d):
        f, c = Facts({"found": d["state"] is not None, "stable": d.get("stable")}), self.c
        if not d["state"]: return [f]
        self.state(f, "state", d["state"])
        f.add("period", "time", d["period"] / c.time)
        advance = self.m.model["gait"].get("advance")
        f.add("step", "length", transform.back(d["step_length"], c.coordinate(advance) if advance else 1))
        for i, (re_, im) in enumerate(d["multipliers"]): f.add(f"multiplier {i}", "one", [re_, im])
        for key in ("mu_stick", "impulse_ratio"): f.add(key, "one", d[key])
        least = d["least_normal_force"]
        f.add("least force", "force", least and least["value"] / c.force)
        for key, other in (("exposure", "exposure_backward"), ("exposure_backward", "exposure")):
            f.add(key, "time", transform.back(d[other if c.slips else key], c.time))
        return [f] + self.group_events(d["events"], d["period"])


# --- questions ---

@dataclass
class Question:
    verb: str
    options: callable = lambda mechanism, change: []  # of the change, so that both files are asked the same

    def ask(self, program, path, mechanism, change):
        """(facts, status of the program, its message). A failure to answer is an answer, too."""
        call = [program, self.verb, path, "--json", *self.options(mechanism, change)]
        done = subprocess.run(call, capture_output=True, text=True, timeout=200)
        try: document = json.loads(done.stdout)
        except json.JSONDecodeError: return [Facts({"status": done.returncode})], done.returncode, done.stderr.strip()
        reading = getattr(Reading(mechanism, change), self.verb.replace("-", "_"))
        return reading(document), done.returncode, ""


def find_range(mechanism, change):
    """For paradox: an angle if there is one, by 1.2 to both sides of its start."""
    name = next((n for n in mechanism.names if n in mechanism.angles), mechanism.names[0])
    width = 1.2 if name in mechanism.angles else 2 * mechanism.length
    ends = sorted(change.coordinate(name) * (mechanism.start[name] + s * width) for s in (-1, 1))
    return ["--along", f"{name}={ends[0]!r}:{ends[1]!r}", "--direction", "both"]


def run_for(until, *more):
    return lambda mechanism, change: ["--until", repr(until * change.time), "--max-events", str(MOST_EVENTS), *more]


def list_questions(case):
    out = [Question("simulate", run_for(case.until)), Question("classify"), Question("impact"), Question("critical-friction"), Question("paradox", find_range)]
    if "gait" in case.model: out.append(Question("gait", lambda m, c: ["--until", repr(10 * c.time)]))
    if len(case.mechanism.contacts) == 2:
        out.append(Question("stability"))
        over = {"two-contact-body": ["mu1=0.1:1:5", "h=0.06:0.22:4"], "weighted-biped": ["mu1=0.1:1:5", "position=0.01:0.08:4"]}.get(case.builtin)
        if over: out.append(Question("stability-map", lambda m, c: ["--over", over[0], "--over", over[1]]))
    return out


# --- cases ---

class Case:
    def __init__(self, name, text, until, folder, builtin=None, data=None):
        self.name, self.until, self.builtin = name, until, builtin
        self.model = tomllib.loads(text)
        self.path = os.path.join(folder, f"{name}.toml")
        for key, value in (data or {}).items():
            self.model["parameters" if key in self.model["parameters"] else "initial"][key] = value
        self.write(self.model, self.path)
        self.mechanism = Mechanism(self.model, self.path)
        self.folder, self.spreads, self.answers = folder, {}, {}

    def write(self, model, path):
        with open(path, "w") as file: file.write(transform.toml_text(model))
        return path

    def ask(self, program, question):
        if question.verb not in self.answers:
            self.answers[question.verb] = question.ask(program, self.path, self.mechanism, Change(names=self.mechanism.names))
        return self.answers[question.verb]

    def spread(self, program, question, noise, view=same):
        """Per fact, the largest difference so far that noise in all loads causes."""
        key = (question.verb, noise, view)
        if key not in self.spreads:
            facts = view(self.ask(program, question)[0])
            scales, worst = self.mechanism.find_scales(facts), np.zeros(len(facts))
            for sign in (1, -1):
                path = self.write(transform.push(self.model, 1 + sign * noise), self.path[:-5] + "-pushed.toml")
                other = view(question.ask(program, path, self.mechanism, Change(names=self.mechanism.names))[0])
                sizes = [s for s, _ in compare(facts, other, scales)][:len(facts)]
                worst = np.maximum(worst, np.maximum.accumulate(sizes))
                os.remove(path)
            self.spreads[key] = worst
        return self.spreads[key]


def make_cases(program, first, count, folder):
    listing = json.loads(subprocess.run([program, "models", "--json"], capture_output=True, text=True).stdout)
    names = [m["name"] for m in listing["models"]]
    sources = {n: subprocess.run([program, "models", n, "--source"], capture_output=True, text=True).stdout for n in names}
    for n in names: yield Case(n, sources[n], UNTIL.get(n, 4), folder, n)
    for seed in range(first, first + count):
        if seed % 3 == 0:
            n, r = names[seed // 3 % len(names)], random.Random(seed)
            data = {k: round(r.uniform(*ends), 4 if k != "n" else None) for k, ends in RANGES.get(n, {}).items()}
            yield Case(f"{n}-{seed}", sources[n], UNTIL.get(n, 4), folder, n, data)
        else:
            path, until = write_model(seed, folder)
            with open(path) as file: yield Case(f"seed{seed}", file.read(), until, folder)


# --- classes of transformations ---

def far_contact(case, program, rng):
    """A hundred times farther than the run goes and the mechanism is long."""
    facts = case.ask(program, Question("simulate", run_for(case.until)))[0]
    reach = case.mechanism.find_scales(facts)["length"]
    return transform.add_far_contact(case.model, rng, 100.0 * (case.mechanism.length * len(case.model["bodies"]) + 2 * reach))


CLASSES = {
    "units": lambda case, program, rng: transform.change_units(case.model, rng),
    "mirror": lambda case, program, rng: transform.mirror(case.model, rng),
    "mirror-senses": lambda case, program, rng: transform.mirror_senses(case.model, rng),
    "bodies": lambda case, program, rng: transform.shuffle_bodies(case.model, rng),
    "contacts": lambda case, program, rng: transform.shuffle_contacts(case.model, rng),
    "normals": lambda case, program, rng: transform.turn_normals(case.model, rng),
    "halves": lambda case, program, rng: transform.cut_body(case.model, rng),
    "far": far_contact,
}


def compare(a, b, scales):
    n = max(len(a), len(b))
    pad = lambda facts: facts + [None] * (n - len(facts))
    return [find_difference(x, y, scales) for x, y in zip(pad(a), pad(b))]


@dataclass
class Verdict:
    kind: str  # "agrees", "sensitive", "marginal", "refused", "differs"
    facts: int = 0
    text: str = ""


def judge(case, program, question, a, b, limit, noise, view=same):
    """The first difference beyond the limit, unless noise in the loads causes as much or the answer itself says marginal."""
    scales = case.mechanism.find_scales(a)
    for i, (size, what) in enumerate(compare(a, b, scales)):
        if size <= limit: continue
        if any(f[i].marginal for f in (a, b) if i < len(f)): return Verdict("marginal", i)
        spread = case.spread(program, question, noise, view)[min(i, len(a) - 1)]
        if size <= MAGNIFIED * spread: return Verdict("sensitive", i)
        if question.verb == "simulate" and is_settled(a, b, i, scales): return Verdict("settled", i)
        where = f" at t = {a[i].numbers['time'][0]:.9g}" if i < len(a) and "time" in a[i].numbers else ""
        return Verdict("differs", i, f"{i} of {len(a)}{where}: {what} ({size:.2g}; noise makes {spread:.2g})")
    return Verdict("agrees", len(a))


def is_settled(a, b, i, scales):
    """Whether the runs differ only in the last bounces of an accumulation, whose number depends on when they are too slow to follow."""
    near = [f for f in a[max(0, i - 20):i + 1] + b[max(0, i - 20):i + 1] if f.cut]
    return bool(near) and all(size <= SETTLED for size, _ in compare(settle(a), settle(b), scales))


class Test:
    def __init__(self, program):
        self.program, self.counts, self.bad = program, {}, []

    def count(self, case, name, question, verdict):
        tally = self.counts.setdefault((name, question.verb), {})
        tally[verdict.kind] = tally.get(verdict.kind, 0) + 1
        tally["facts"] = tally.get("facts", 0) + verdict.facts
        key = (case.name, name, question.verb)
        if (verdict.kind == "differs") == (key in KNOWN): return
        self.bad.append(key)
        print(f"{case.name} {name} {question.verb}: {verdict.text or 'agrees, but is listed in KNOWN'}", flush=True)

    def run_case(self, case):
        questions = list_questions(case)
        for name, make in CLASSES.items():
            made = make(case, self.program, random.Random(f"{case.name} {name}"))
            if made: self.compare_files(case, name, questions, *made)
        self.compare_tolerances(case, questions[0])
        paused = self.compare_parts(case, questions[0])
        if paused: self.run_paused(pause_case(case, paused))

    def run_paused(self, case):
        bad = len(self.bad)
        for name, make in CLASSES.items():
            made = None if name == "far" else make(case, self.program, random.Random(f"{case.name} {name}"))
            if made: self.compare_files(case, name + "@", [Question("classify"), Question("impact")], *made)
        if len(self.bad) == bad: os.remove(case.path)

    def compare_files(self, case, name, questions, model, change):
        path, bad = case.write(model, f"{case.path[:-5]}-{name}.toml"), len(self.bad)
        for q in questions:
            a, status, _ = case.ask(self.program, q)
            b, _, message = q.ask(self.program, path, case.mechanism, change)
            verdict = judge(case, self.program, q, *alike(name, q, a, b), LIMIT, NOISE)
            if status and verdict.kind == "agrees": verdict.kind = "refused"
            if message: verdict.text += f" [{message}]"
            self.count(case, name, q, verdict)
        if len(self.bad) == bad: os.remove(path)

    def compare_tolerances(self, case, question):
        a = case.ask(self.program, question)[0]
        loose = Question("simulate", run_for(case.until, "--tol", "1e-11"))
        b = loose.ask(self.program, case.path, case.mechanism, Change(names=case.mechanism.names))[0]
        self.count(case, "tolerance", question, judge(case, self.program, question, a, b, LOOSE_LIMIT, LOOSE_NOISE))

    def compare_parts(self, case, question):
        """The run up to a time between two events, and on from its state."""
        a, status, _ = case.ask(self.program, question)
        at = find_pause(a, case)
        if status or at is None or a[-1].words["end"] == "event-limit": return  # the second part would count its events anew
        call = [self.program, "simulate", case.path, "--json", "--until", repr(at), "--max-events", str(MOST_EVENTS)]
        first = json.loads(subprocess.run(call, capture_output=True, text=True).stdout)
        if first["end"]["reason"] != "time": return self.count(case, "parts", question, Verdict("differs", text=f"no end at {at!r}"))
        model, change = transform.continue_from(transform.freeze(case.model, case.path), first["state"], at)
        path, bad = case.write(model, case.path[:-5] + "-parts.toml"), len(self.bad)
        b, _, message = Question("simulate", run_for(case.until - at)).ask(self.program, path, case.mechanism, change)
        before = Reading(case.mechanism, Change(names=case.mechanism.names)).simulate(first)[:-1]
        view = lambda facts: without_bounces(facts, at)
        if "outside its surface" in message and "active_when" in str(case.model):
            # A contact that began to exist below its surface: no run can start there (docs/model-format.md).
            return self.count(case, "parts", question, Verdict("refused"))
        b = before + [f for f in b if not is_choice_again(f, at)]
        verdict = judge(case, self.program, question, view(a), view(b), LIMIT, NOISE, view)
        if verdict.kind == "differs" and is_same_after_bounces(a, b, at, case.mechanism.find_scales(a)): verdict = Verdict("settled", verdict.facts)
        verdict.text += f" [{message}]" * bool(message)
        self.count(case, "parts", question, verdict)
        if len(self.bad) == bad: os.remove(path)
        return model


def pause_case(case, model):
    """The state in which the run was interrupted, for the verbs that look at one state: there contacts stick and slide."""
    return Case(case.name + "@", transform.toml_text(model), case.until, case.folder)


def find_pause(facts, case):
    """A time inside a random interval without events that is longer than a hundredth of the run."""
    times = [0.0] + [f.numbers["time"][0] for f in facts if "time" in f.numbers]
    spans = [(t0, t1) for t0, t1 in zip(times, times[1:]) if t1 - t0 > 0.01 * case.until]
    rng = random.Random(case.name)
    if not spans: return None
    t0, t1 = rng.choice(spans)
    return t0 + rng.uniform(0.2, 0.8) * (t1 - t0)


def alike(name, question, a, b):
    """The parts of both answers that must be equal."""
    if name.startswith("normals") and question.verb == "classify":  # p is that of a force along the normal: of a turned one it is another number
        turned = {k for k in a[0].words.keys() | a[0].numbers.keys() if k.startswith("p ")} - b[0].words.keys() - b[0].numbers.keys()
        kept = lambda table: {k: v for k, v in table.items() if k not in turned}
        a = [Facts(kept(a[0].words), kept(a[0].numbers), a[0].marginal)] + a[1:]
    # If the contacts have changed their places and the maps belong to the other one, only the verdict is compared.
    swapped = question.verb == "stability" and "labels" in a[0].words and a[0].words["labels"] != b[0].words.get("labels")
    if name == "contacts" and (swapped or question.verb == "stability-map"):
        return ([Facts({"verdict": f[0].words.get("verdict")}, marginal=f[0].marginal)] for f in (a, b))
    return a, b


def impact_contacts(facts):
    """The contacts of a group that has nothing but impacts, else none."""
    types = facts.words.get("types", [])
    return {c for _, names in types for c in names} if types and all(t == "impact" for t, _ in types) else set()


def without_bounces(facts, since):
    """Without the impacts after a time that lead to an accumulation: a run that begins there has to see some of them first."""
    out = []
    for f in facts:
        types = f.words.get("types", [])
        if any(t == "zeno" for t, _ in types):
            bouncing = {c for _, names in types for c in names} | (impact_contacts(out[-1]) if out else set())  # two may bounce in turns
            while out and out[-1].numbers["time"][0] > since and impact_contacts(out[-1]) and impact_contacts(out[-1]) <= bouncing: out.pop()
            f = only_after(f)
        out.append(f)
    return out


def is_choice_again(f, since):
    """An indeterminate state in which the laws left a choice before asks for it again; the same policy makes it."""
    return "types" in f.words and f.numbers["time"][0] <= since and all(t == "indeterminate" for t, _ in f.words["types"])


def is_same_after_bounces(a, b, since, scales):
    """Whether what follows the last bounces agrees: where slips turn between them, how many are seen depends on where the run began."""
    def rest(facts):
        cuts = [i for i, f in enumerate(facts) if f.cut and f.numbers["time"][0] > since]
        return [only_after(facts[cuts[-1]])] + facts[cuts[-1] + 1:] if cuts else None
    x, y = rest(a), rest(b)
    if any("types" in f.words and f.numbers["time"][0] == since for f in b): return False  # an event of the interruption itself
    return x is not None and y is not None and all(size <= SETTLED for size, _ in compare(x, y, scales))


def only_after(f):
    """What holds after a group of events."""
    numbers = {k: v for k, v in f.numbers.items() if k == "time" or k.startswith("after")}
    return Facts({"modes after": f.words["modes"].split()[-1]}, numbers, f.marginal, f.cut)


def settle(facts):
    """Events that follow each other closely, if one of them ends bounces, as one: what holds after the last."""
    out, span = [], CLUSTER * max((f.numbers["time"][0] for f in facts if "time" in f.numbers), default=1.0)
    for f in facts:
        if "modes" not in f.words:
            out.append(f)
            continue
        new = only_after(f)
        if out and "time" in out[-1].numbers and new.numbers["time"][0] - out[-1].numbers["time"][0] < span:
            new.cut |= out.pop().cut
        out.append(new)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="", help="folder for the models that disagree")
    parser.add_argument("--only", default="", help="name of one case")
    options = parser.parse_args()
    folder = options.save or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    test, started = Test(options.program), time.time()
    for case in make_cases(options.program, options.seed, options.count, folder):
        if options.only and case.name != options.only:
            os.remove(case.path)
            continue
        bad = len(test.bad)
        test.run_case(case)
        if len(test.bad) == bad: os.remove(case.path)
    print(f"{len(test.bad)} of {sum(sum(v for k, v in t.items() if k != 'facts') for t in test.counts.values())} comparisons differ, "
          f"{time.time() - started:.0f} s")
    for (name, verb), tally in sorted(test.counts.items()):
        print(f"  {name:14} {verb:18}" + ", ".join(f"{k} {v}" for k, v in tally.items()))
    return 1 if test.bad else 0


if __name__ == "__main__":
    sys.exit(main())
