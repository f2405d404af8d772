"""laws.py [--count N] [--seed S] [--save DIR] PROGRAM [MODEL --until T]: the laws of contact at every row and event of runs.

Reads the program's output alone, with the reference's own kinematics: gaps, rates, forces, cones, equations of motion,
momentum and energy at impacts. Without MODEL: N random mechanisms.
"""
import argparse
import os
import sys
import tempfile
import time

import numpy as np

from compare import run_program, write_model
from model import read_model

GAP = 1e-8  # of the length: the program promises 1e-9 of the size, in its own measure of it
RATE = 1e-6  # of the speed: a rate is the derivative of an interpolant
FORCE = 1e-5  # of the largest force or the weight: slopes of interpolants near their ends
MOTION = 1e-6  # of the length: rows against each other, by the rule of fifth order below
IMPULSE = 1e-8  # of the momentum
LYING = 1e-4  # [s]: longer than the last bounces, in which a contact just leaves its surface
# seed: why the program is wrong there today
KNOWN = {}  # seed: why the program is wrong there today
KINETIC = {"P": 1, "N": -1}


class Check:
    def __init__(self, model, document):
        self.model, self.document, self.broken = model, document, []
        rows = document["trajectory"]
        names = model.coordinates
        self.t = np.array(rows["t"])
        self.q = np.array([rows[c] for c in names]).T.reshape(-1, len(names))
        self.v = np.array([rows[c + "_dot"] for c in names]).T.reshape(-1, len(names))
        self.modes = rows["modes"]
        column = lambda key, i: [x if x is not None else 0.0 for x in rows[f"{key}_{model.contacts[i].name}"]]
        k = range(len(model.contacts))
        self.f_n = np.array([column("force_n", i) for i in k]).T.reshape(len(self.t), len(k))
        self.f_t = np.array([column("force_t", i) for i in k]).T.reshape(len(self.t), len(k))
        self.weight = np.where(model.angles, model.length, 1.0)
        self.sunk = np.zeros(len(model.contacts), bool)
        self.lies_since = np.full(len(model.contacts), np.inf)  # since when an open contact has lain on its surface

    def say(self, law, contact, t, size):
        name = self.model.contacts[contact].name if contact is not None else "-"
        self.broken.append(f"{law} of {name} at t = {t:.9g}: {size:.3g}")

    def speed(self, v):
        L = self.model.length
        return max(np.abs(v * self.weight).max(), np.sqrt(max(self.model.gravity, 1e-3) * L))

    def run(self):
        accelerations = [self.check_row(i) for i in range(len(self.t))]
        for i in range(1, len(self.t)): self.check_pair(i, accelerations[i - 1], accelerations[i])
        for e in self.document["events"]:
            if "impulse_n" in e and len(self.t): self.check_impact(e)
        return self.broken

    def check_row(self, i):
        """The laws at one row; the acceleration that its forces give."""
        m, t, q, v = self.model, self.t[i], self.q[i], self.v[i]
        s, L, speed = m.sample(t, q, v), m.length, self.speed(v)
        a = np.linalg.solve(s.M, s.force + s.Wn.T @ self.f_n[i] + s.Wt.T @ self.f_t[i])
        weight = max(m.gravity * s.M[~m.angles][:, ~m.angles].trace() / 2 if (~m.angles).any() else s.M.trace() / L**2 * m.gravity, 1e-3)
        size = max(np.abs(self.f_n[i]).max(initial=0.0), np.abs(self.f_t[i]).max(initial=0.0), weight)
        free = np.abs(np.linalg.solve(s.M, s.force)).max() + size * np.abs(np.diag(np.linalg.inv(s.M))).max()
        for c, contact in enumerate(m.contacts):
            letter, f_n, f_t = self.modes[i][c], self.f_n[i][c], self.f_t[i][c]
            # A contact that begins to exist below its surface is a matter of the model, not of the motion.
            if s.active[c] == 0 or s.gap[c] >= 0: self.sunk[c] = s.gap[c] < 0
            if s.active[c] != 0 and s.gap[c] < -GAP * L and not self.sunk[c]: self.say("gap", c, t, s.gap[c])
            lies = letter == "F" and s.active[c] != 0 and abs(s.gap[c]) < 1e-10 * L and abs(s.gap_rate[c]) < 1e-9 * speed
            self.lies_since[c] = min(self.lies_since[c], t) if lies else np.inf
            if t - self.lies_since[c] > LYING: self.say("open on its surface", c, t, s.gap[c])
            if letter == "F":
                if abs(f_n) + abs(f_t) > 0: self.say("force of an open contact", c, t, abs(f_n) + abs(f_t))
                continue
            if abs(s.gap[c]) > GAP * L: self.say("closed", c, t, s.gap[c])
            if abs(s.gap_rate[c]) > RATE * speed: self.say("gap rate", c, t, s.gap_rate[c])
            if f_n < -FORCE * size and not contact.bilateral: self.say("normal force", c, t, f_n)
            if letter == "S" and contact.mu_s > 0:
                if abs(s.slip[c]) > RATE * speed: self.say("slip of a sticking contact", c, t, s.slip[c])
                over = abs(f_t) - contact.mu_s * abs(f_n)
                if over > FORCE * size: self.say("cone", c, t, over)
                if abs(s.Wt[c] @ a + s.bias_t[c]) > 10 * FORCE * free: self.say("tangential acceleration", c, t, s.Wt[c] @ a + s.bias_t[c])
            elif letter in KINETIC and contact.mu_s > 0:
                if KINETIC[letter] * s.slip[c] < -RATE * speed: self.say("direction of slip", c, t, s.slip[c])
                off = f_t + KINETIC[letter] * contact.mu * abs(f_n)
                if abs(off) > FORCE * size: self.say("sliding friction", c, t, off)
            if abs(s.Wn[c] @ a + s.bias_n[c]) > 10 * FORCE * free: self.say("normal acceleration", c, t, s.Wn[c] @ a + s.bias_n[c])
        return a

    def check_pair(self, i, a0, a1):
        """Two rows of one mode: q1 - q0 = h (v0 + v1) / 2 - h^2 (a1 - a0) / 12 up to fifth order."""
        h = self.t[i] - self.t[i - 1]
        if h < 0: self.say("order of rows in time", None, self.t[i], h)
        if h <= 0 or self.modes[i] != self.modes[i - 1]: return
        off = self.q[i] - self.q[i - 1] - h * (self.v[i] + self.v[i - 1]) / 2 + h * h * (a1 - a0) / 12
        scale = MOTION * (self.model.length + h * np.abs(self.v[i] * self.weight).max())
        if np.abs(off * self.weight).max() > scale: self.say("equations of motion", None, self.t[i], np.abs(off * self.weight).max())

    def check_impact(self, e):
        m, t = self.model, e["time"]
        at = np.flatnonzero(self.t <= t)[-1] if (self.t <= t).any() else 0
        first = np.flatnonzero(self.t == self.t[at])[0]
        q = self.q[first]
        before, after = (np.array(list(e[key].values())) for key in ("velocity_before", "velocity_after"))
        s, plus = m.sample(t, q, before), m.sample(t, q, after)
        P_n, P_t = np.array(e["impulse_n"]), np.array(e["impulse_t"])
        speed, size = self.speed(before), np.abs(s.M @ before).max() + np.abs(P_n).max()
        if self.t[first] == t:
            off = np.abs(s.M @ (after - before) - s.Wn.T @ P_n - s.Wt.T @ P_t).max()
            if off > IMPULSE * size: self.say("momentum", None, t, off)
        for c, contact in enumerate(m.contacts):
            if P_n[c] < -IMPULSE * size and not contact.bilateral: self.say("normal impulse", c, t, P_n[c])
            over = abs(P_t[c]) - contact.mu * abs(P_n[c])
            if over > IMPULSE * size and e["law"] != "fremond": self.say("cone of impulses", c, t, over)
            if self.t[first] == t and s.active[c] != 0 and abs(s.gap[c]) < 1e-15 * m.length and plus.gap_rate[c] < -RATE * speed:
                self.say("gap rate after an impact", c, t, plus.gap_rate[c])
        gain = e["energy_after"] - e["energy_before"] - e["work_of_surface"]
        if gain > 1e-8 * (e["energy_before"] + 1e-12) and not any("created energy" in n for n in e.get("notes", [])):
            self.say("energy of an impact", None, t, gain)


def check(program, path, until):
    """(broken laws, how the run ended)."""
    document, message = run_program(program, path, until)
    if document is None: return [f"no document: {message}"], "none"
    end = document["end"]["reason"]
    broken = Check(read_model(path), document).run()
    if end == "failure": broken.append(f"failure at t = {document['end']['time']:.9g}: {document['end'].get('detail')}")
    return broken, end


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("model", nargs="?")
    parser.add_argument("--until", type=float, default=2.0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="", help="folder for the models that break a law")
    options = parser.parse_args()
    if options.model:
        broken, end = check(options.program, options.model, options.until)
        print("\n".join(broken + [f"end: {end}, {len(broken)} broken"]))
        return 1 if broken else 0
    folder = options.save or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    bad, started = 0, time.time()
    for seed in range(options.seed, options.seed + options.count):
        path, until = write_model(seed, folder)
        broken, end = check(options.program, path, until)
        if bool(broken) == (seed in KNOWN):
            os.remove(path)
            continue
        bad += 1
        what = f"({end}, {len(broken)} broken): {broken[0]}" if broken else "breaks no law, but is listed in KNOWN"
        print(f"seed {seed} {what}\n  {path}", flush=True)
    print(f"{options.count} mechanisms, {bad} break a law, {time.time() - started:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
