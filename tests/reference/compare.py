"""compare.py [--count N] [--seed S] [--save DIR] PROGRAM: random mechanisms, event by event, by PROGRAM and by the reference.

What counts as agreement, and what as an explanation: README.md.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

import numpy as np

from generate import make_model
from model import read_model
from simulate import Simulation, list_changes

TIME = 1e-8  # [s] and of the state's own scales: errors of 1e-13 a step, magnified some thousand times
SAME = 1e-10  # [s]: events this close are one
CLUSTER = 2e-4  # [s]: events this close belong to one accumulation, if one of them ends bounces
SETTLED = 5e-5  # after a rebound of 1e-7 of the speed was cut (SLOW of simulate.py), with what follows from it
MAGNIFIED = 30.0  # times the effect of a change of the loads by 1e-10 on the motion
CHANGE = 1e-10
CUT = 1e-7  # the same once a rebound was cut, which changes the motion by as much (SLOW of simulate.py)
MOST_EVENTS = 80
KNOWN = {}  # seed: why the program is wrong there today
PASSING = {"paradox", "graze", "rest", "sample"}  # events of the program that change no motion


@dataclass
class Group:
    """All that the program reports for one time."""
    time: float
    types: set
    contacts: list
    before: str
    after: str
    impulse: np.ndarray
    state: np.ndarray
    choice: bool
    zeno: bool
    settled: bool = False


@dataclass
class Verdict:
    text: str = "agrees"
    events: int = 0
    why: str = ""  # why the comparison ended early
    explained: bool = True


def run_program(program, path, until, extra=()):
    """(document or None, message). Choices that the laws leave end the run."""
    call = [program, "simulate", path, "--until", str(until), "--json", "--trajectory", "--max-events", "400",
            "--on-indeterminate", "stop", "--on-jam", "stop", *extra]
    done = subprocess.run(call, capture_output=True, text=True, timeout=100)
    try:
        return json.loads(done.stdout), done.stderr.strip()
    except json.JSONDecodeError:
        return None, f"exit {done.returncode}: {done.stderr.strip()}"


def read_groups(document, model):
    """Events by time, with the state after each from the rows of the trajectory."""
    rows = document["trajectory"]
    times = np.array(rows["t"])
    names = model.coordinates + [c + "_dot" for c in model.coordinates]
    table = np.array([rows[n] for n in names]).T
    out = []
    for e in document["events"]:
        smooth = all(c.mu_s == 0 for c in model.contacts if c.name in e["contacts"]) and e["type"] in ("stick", "slip", "slip-reversal")
        if e["type"] in PASSING or smooth: continue
        impulse = np.zeros(2 * len(model.contacts))
        if "impulse_n" in e: impulse[::2], impulse[1::2] = e["impulse_n"], e["impulse_t"]
        contacts = [i for i, c in enumerate(model.contacts) if c.name in e["contacts"]]
        if out and e["time"] - out[-1].time <= SAME:
            g = out[-1]
            g.types.add(e["type"])
            g.contacts = sorted(set(g.contacts) | set(contacts))
            g.after, g.impulse = e["modes_after"], g.impulse + impulse
        else:
            at = np.flatnonzero(times <= e["time"])
            out.append(Group(e["time"], {e["type"]}, contacts, e["modes_before"], e["modes_after"], impulse,
                             table[at[-1]] if len(at) and times[at[-1]] == e["time"] else None, False, False))
        if "velocity_after" in e and not model.relabels and out[-1].state is not None:  # no row follows the last bounce of an accumulation
            out[-1].state = np.concatenate([out[-1].state[:len(model.coordinates)], list(e["velocity_after"].values())])
        if "state_after" in e: out[-1].state = np.array(list(e["state_after"].values()))
        out[-1].choice |= bool(e.get("alternatives"))
        out[-1].zeno |= e["type"] == "zeno"
        out[-1].settled |= any("too slow" in note for note in e.get("notes", []))
    if out and document["end"]["time"] == out[-1].time: out[-1].state = np.array(list(document["state"].values()))
    return out


def letters(word, model):
    """Without friction sticking and sliding are the same."""
    return "".join("C" if c.mu_s == 0 and l != "F" else l for l, c in zip(word, model.contacts))


def is_telling(before, after, types, model):
    return bool(types & {"impact", "tangential-impact", "zeno", "jam", "inconsistent", "indeterminate"}) or \
        letters(before, model) != letters(after, model)


def find_clusters(groups, n, events, j):
    """The last of the events from n and j on that follow each other, or one of the other list, within CLUSTER."""
    end = groups[n].time
    while True:
        if n + 1 < len(groups) and groups[n + 1].time < end + CLUSTER: n, end = n + 1, max(end, groups[n + 1].time)
        elif j + 1 < len(events) and events[j + 1].time < end + CLUSTER: j, end = j + 1, max(end, events[j + 1].time)
        else: return n, j


def scales(model, sim):
    length = np.where(model.angles, 1.0, model.length)
    return np.concatenate([length, length * np.sqrt(max(model.gravity, 1.0) / model.length)])


class Comparison:
    def __init__(self, program, path, until):
        self.model = read_model(path)
        self.path, self.until = path, until
        self.reference = Simulation(self.model, until, most_events=MOST_EVENTS).run()
        self.document, self.message = run_program(program, path, until)
        self.changed = {}  # by the change of the loads: events

    def spread(self, i, difference, change=CHANGE):
        """The effect of a change of all loads on event i of the reference; infinite if the sequence differs."""
        if change not in self.changed:
            self.changed[change] = Simulation(self.model, self.until, push=1 + change, most_events=MOST_EVENTS).run().events
        a, b = self.reference.events, self.changed[change]
        if any(x.after != y.after or x.types != y.types for x, y in zip(a[:i + 1], b)): return np.inf
        return difference(a[i], b[i]) if i < min(len(a), len(b)) else np.inf

    def judge(self):
        if self.document is None: return Verdict(f"the program gives no document: {self.message}", explained=False)
        if self.document["end"]["reason"] == "failure":
            return Verdict(f"the program fails: {self.document['end'].get('detail')}", explained=False)
        return self.judge_events()

    def judge_events(self):
        model, size = self.model, scales(self.model, self.reference)
        groups = [g for g in read_groups(self.document, model) if is_telling(g.before, g.after, g.types, model)]
        events = [e for e in self.reference.events if is_telling(e.before, e.after, e.types, model)]
        index = {id(e): i for i, e in enumerate(self.reference.events)}
        tolerance, n, j = TIME, 0, 0
        difference = lambda a, b: max(abs(a.time - b.time), np.abs((np.concatenate([a.q, a.v]) - np.concatenate([b.q, b.v])) / size).max())
        while n < len(groups):
            done = Verdict(events=n)
            last_n, last_j = find_clusters(groups, n, events, j)
            cut = any(x.zeno or x.settled for x in groups[n:last_n + 1]) or any(x.settled for x in events[j:last_j + 1])
            if cut:
                n, j, tolerance = last_n, last_j, SETTLED  # one of them did not follow all bounces: only their end is compared
            g = groups[n]
            stopped = self.reference.end in ("event-limit", "undecided") and self.reference.t < g.time + CLUSTER
            if j >= len(events) or (j + 1 == len(events) and cut and stopped):
                return self.judge_missing(g, done)
            e = events[j]
            what = self.find_difference(g, e, tolerance, size)
            if what:
                spread = self.spread(index[id(e)], difference, CHANGE if tolerance == TIME else CUT)
                if spread * MAGNIFIED > tolerance: what = self.find_difference(g, e, MAGNIFIED * spread, size) if np.isfinite(spread) else ""
                stopped = self.reference.end == "undecided" and e is self.reference.events[-1] and g.time >= self.reference.t - SAME
                if not what: done.why = "a change of 1e-10 makes as much"
                elif tolerance > TIME and self.are_together(groups[n:], e): done.why = "impacts nearer to each other than both runs are"
                elif stopped: done.why = self.reference.why  # what it could not follow happened at the same time
                elif g.choice: done.why = "the program chose"
                else: return Verdict(f"event {n} at {g.time:.10g} (reference {e.time:.10g}): {what}", n, explained=False)
                return done
            n, j = n + 1, j + 1
        return self.judge_end(groups, events, j, tolerance, size)

    def are_together(self, groups, e):
        """The reference has one impact where the program has two, closer than an ended rebound leaves certain."""
        if len(e.contacts) < 2 or len(groups) < 2 or not all(g.types == {"impact"} for g in groups[:2]): return False
        apart = groups[1].time - groups[0].time
        return set(groups[0].contacts + groups[1].contacts) >= set(e.contacts) and apart < MAGNIFIED * abs(e.time - groups[0].time)

    def find_difference(self, g, e, limit, size):
        """The differences between the program's event and the reference's, or ""."""
        model = self.model
        if abs(g.time - e.time) > limit * max(1, self.until): return f"time differs by {g.time - e.time:.2g}, {sorted(g.types)} for {sorted(e.types)}, {g.before}->{g.after} for {e.before}->{e.after}"
        if letters(g.after, model) != letters(e.after, model): return f"{sorted(g.types)} {g.before}->{g.after} for {sorted(e.types)} {e.before}->{e.after}"
        if limit >= SETTLED: return self.find_state_difference(g, e, limit, size)
        types = list_changes(letters(e.before, model), letters(e.after, model)) if e.impulse is None else e.types
        if "impact" not in e.types and g.types != types: return f"type {sorted(g.types)} for {sorted(types)}"
        if "impact" in e.types and not g.types & {"impact", "zeno"}: return f"type {sorted(g.types)} for {sorted(e.types)}"
        what = self.find_state_difference(g, e, limit, size)
        if what: return what
        if e.impulse is not None and e.impulse_is_unique and not g.zeno:
            apart = np.abs(g.impulse - e.impulse).max()
            if apart > 100 * limit * max(1.0, np.abs(e.impulse).max()): return f"impulses differ by {apart:.2g} N s"
        return ""

    def find_state_difference(self, g, e, limit, size):
        if g.state is not None:
            apart = np.abs((g.state - np.concatenate([e.q, e.v])) / size)
            if apart.max() > 10 * limit: return f"state differs by {apart.max():.2g} in component {int(apart.argmax())}"
        return ""

    def judge_missing(self, g, done):
        """The program goes on where the reference has no further event."""
        r = self.reference
        if r.end == "undecided" and g.time >= r.t - CLUSTER: done.why = r.why
        elif r.end == "event-limit" and g.time >= r.t - CLUSTER: done.why = "event limit"
        elif r.events and self.spread(len(r.events) - 1, lambda a, b: 0.0) == np.inf: done.why = "a change of 1e-10 makes as much"
        else: return Verdict(f"event {done.events} at {g.time:.10g}: {sorted(g.types)} {g.before}->{g.after}, but the reference "
                             f"has none ({r.end} {r.why} at {r.t:.10g})", done.events, explained=False)
        return done

    def judge_end(self, groups, events, j, tolerance, size):
        r, end = self.reference, self.document["end"]
        done = Verdict(events=len(groups))
        if r.end == "undecided": done.why = r.why
        if end["reason"] in ("jam", "indeterminate", "inconsistent", "event-limit"):
            done.why = done.why or "the program ends: " + end["reason"]
            return done
        if j < len(events) and events[j].time < end["time"] - 1e-6 or (j < len(events) and end["reason"] == "rest"):
            e = events[j]
            if r.end == "undecided" and e is events[-1]: return done
            if self.spread(len(events) - 1, lambda a, b: 0.0) == np.inf:
                done.why = "a change of 1e-10 makes as much"
                return done
            return Verdict(f"reference has {sorted(e.types)} {e.before}->{e.after} at {e.time:.10g}, the program ends ({end['reason']} at {end['time']:.10g})", len(groups), explained=False)
        if r.end in ("time", "rest") and end["reason"] in ("time", "rest"):
            stands = end["reason"] == "rest" and self.model.depends_on_time  # the reference cannot know that no event follows
            if r.end != end["reason"] and not stands: return Verdict(f"the program ends by {end['reason']} at {end['time']}, the reference by {r.end} at {r.t}", len(groups), explained=False)
            apart = np.abs((np.array(list(self.document["state"].values())) - np.concatenate([r.q, r.v])) / size).max()
            if apart > 10 * tolerance:
                changed = Simulation(self.model, self.until, push=1 + CHANGE, most_events=MOST_EVENTS).run()
                spread = np.abs((np.concatenate([changed.q, changed.v]) - np.concatenate([r.q, r.v])) / size).max()
                if apart > MAGNIFIED * spread: return Verdict(f"last state differs by {apart:.2g} (a change of 1e-10: {spread:.2g})", len(groups), explained=False)
                done.why = "a change of 1e-10 makes as much"
        return done


def write_model(seed, folder):
    """The first attempt of a seed that starts outside its surfaces: (path, end of the run)."""
    path = os.path.join(folder, f"seed{seed}.toml")
    for attempt in range(100):
        text, until = make_model(seed, attempt)
        with open(path, "w") as file: file.write(text)
        model = read_model(path)
        s = model.sample(0.0, *model.start)
        if all(s.gap[s.active != 0] > -1e-12): return path, until
    raise RuntimeError(f"seed {seed} gives no model")


def compare(program, seed, folder):
    path, until = write_model(seed, folder)
    comparison = Comparison(program, path, until)
    return comparison, comparison.judge()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="", help="folder for the models that disagree")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    folder = options.save or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    bad, refused, events, early = [], 0, 0, {}
    started = time.time()
    for seed in range(options.seed, options.seed + options.count):
        begin = time.time()
        comparison, verdict = compare(options.program, seed, folder)
        path = os.path.join(folder, f"seed{seed}.toml")
        events += verdict.events
        if verdict.why: early[verdict.why] = early.get(verdict.why, 0) + 1
        if verdict.explained != (seed not in KNOWN):
            bad.append(seed)
            print(f"seed {seed}: {verdict.text if not verdict.explained else 'agrees, but is listed in KNOWN'}\n  {path}", flush=True)
        else: os.remove(path)
        if options.verbose: print(f"seed {seed} {time.time() - begin:.2f} s: {verdict}", flush=True)
    print(f"{options.count} mechanisms, {events} events compared, {len(bad)} disagree, {time.time() - started:.0f} s")
    for why, count in sorted(early.items(), key=lambda x: -x[1]): print(f"  ended early {count}: {why}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
