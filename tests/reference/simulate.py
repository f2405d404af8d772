"""The motion, slowly: extrapolated midpoint steps in one mode, events by bisection on repeated steps, brute force at each of them."""
import math
from dataclasses import dataclass, field

import numpy as np

from contact import MARGIN, Place, enumerate_words, solve_word
from impact import Undecided, list_struck, strike_one, strike_several

TOLERANCE = 1e-12  # relative error of a step
CLOSED = 1e-9  # of the length: below, the integration cannot distinguish a gap from zero
ARRIVED = 1e-13  # of the length: error of a gap that was set to zero; the last bounces are not much higher
DIP = 1e-12  # of the length: a gap that only touches zero is no impact
STILL = 1e-9  # of the speed: a slip or gap rate that is zero
SLOW = 1e-7  # of the speed: a rebound that is not followed (docs/theory/motion.md, Accumulating impacts)
PARTS = 8  # samples of a step; with a turn of at most 0.4 rad in a step curves bend no more often
MOST_CLOSED = 6  # contacts: 4^6 combinations


@dataclass
class Event:
    time: float
    types: set
    contacts: list  # of an impact: those that collide; else those that change
    before: str
    after: str
    q: np.ndarray  # after it
    v: np.ndarray
    impulse: np.ndarray = None  # normal and tangential, of all contacts
    impulse_is_unique: bool = True
    settled: bool = False  # a slow rebound was ended here


@dataclass
class Mode:
    """The modes of the closed contacts: contact -> Choice."""
    choices: dict
    family: bool = False

    def word(self, k): return "".join(self.choices[i].letter if i in self.choices else "F" for i in range(k))


@dataclass
class Simulation:
    model: object
    until: float
    push: float = 1.0  # all loads times this: a small change shows how the motion magnifies errors
    most_events: int = 60
    events: list = field(default_factory=list)
    end: str = ""
    why: str = ""

    def __post_init__(self):
        self.t, (self.q, self.v) = 0.0, (x.copy() for x in self.model.start)
        self.closed = {}  # contact -> sign of its slip, 0 at rest
        self.mode = Mode({})
        self.active = None
        self.weight = np.where(self.model.angles, self.model.length, 1.0)  # [m] per coordinate
        self.pace = 0.0

    # --- the field of a mode ---

    def sample(self, t, q, v):
        s = self.model.sample(t, q, v)
        s.force *= self.push
        return s

    def rate(self):
        """Of the motion now [1/s]."""
        turn = np.abs(self.v * self.weight).max() / self.model.length
        return max(turn, math.sqrt(self.model.gravity / self.model.length), 1e-3)

    def speed(self): return self.model.length * self.rate()
    def floor(self): return self.speed() * self.rate()

    def forces(self, s, mode):
        """(acceleration, {contact: (f_n, f_t)}) in a mode; of a family of forces one with the right acceleration."""
        M, n = s.M, len(s.force)
        if not mode.choices: return np.linalg.solve(M, s.force), {}
        columns, rows, bias, owner = [], [], [], []
        for i, c in mode.choices.items():
            mu = self.model.contacts[i].mu
            slope = 0.0 if c.letter == "S" else -mu * c.side * (1 if c.letter == "P" else -1)
            columns.append(s.Wn[i] + slope * s.Wt[i])
            rows.append(s.Wn[i])
            bias.append(s.bias_n[i])
            owner.append((i, 1.0, slope))
            if c.letter == "S" and self.model.contacts[i].mu_s > 0:
                columns.append(s.Wt[i])
                rows.append(s.Wt[i])
                bias.append(s.bias_t[i])
                owner.append((i, 0.0, 1.0))
        C, R = np.array(columns), np.array(rows)
        if mode.family:
            inverse = np.linalg.inv(M)
            free = inverse @ s.force
            x = np.linalg.lstsq(R @ inverse @ C.T, -(R @ free + bias), rcond=1e-9)[0]
            a = free + inverse @ (C.T @ x)
        else:
            m = len(C)
            A = np.zeros((n + m, n + m))
            A[:n, :n], A[:n, n:], A[n:, :n] = M, -C.T, R
            both = np.linalg.solve(A, np.concatenate([s.force, -np.array(bias)]))
            a, x = both[:n], both[n:]
        out = {i: [0.0, 0.0] for i in mode.choices}
        for (i, along_n, along_t), f in zip(owner, x):
            out[i][0] += along_n * f
            out[i][1] += along_t * f
        return a, out

    def field(self, t, y):
        n = len(y) // 2
        a, _ = self.forces(self.sample(t, y[:n], y[n:]), self.mode)
        return np.concatenate([y[n:], a])

    # --- steps ---

    def advance(self, t, y, slope, H):
        """Gragg's midpoint rule with 2, 4, 6, ... substeps, extrapolated to none: (y at t + H, error over the tolerance)."""
        n = len(y) // 2
        size = np.concatenate([self.model.length / self.weight + np.abs(y[:n]),
                               self.speed() / self.weight + np.abs(y[n:])])
        table, error = [], math.inf
        for column in range(8):
            count = 2 * column + 2
            h, before, now = H / count, y, y + H / count * slope
            for i in range(1, count): before, now = now, before + 2 * h * self.field(t + i * h, now)
            row = [now]
            for j, older in enumerate(table[-1] if table else []):
                row.append(row[j] + (row[j] - older) / ((count / (count - 2 * (j + 1)))**2 - 1))
            table.append(row)
            if column > 0: error = np.abs((row[-1] - row[-2]) / size).max() / TOLERANCE
            if not np.isfinite(row[-1]).all(): return row[-1], math.inf
            if column > 1 and error <= 1: break
        return table[-1][-1], error

    def hold(self, t, q, v):
        """Takes a state onto its closed contacts: gaps, gap rates, slips of those that stick; the least change in energy."""
        if not self.mode.choices: return q, v
        closed = list(self.mode.choices)
        s = self.sample(t, q, v)
        W = s.Wn[closed]
        B = np.linalg.solve(s.M, W.T)
        q = q - B @ np.linalg.lstsq(W @ B, s.gap[closed], rcond=1e-9)[0]
        return q, self.stop(t, q, v, closed, [i for i, c in self.mode.choices.items() if c.letter == "S"])

    def stop(self, t, q, v, normals, tangents):
        s = self.sample(t, q, v)
        tangents = [i for i in tangents if self.model.contacts[i].mu_s > 0]
        W = np.vstack([s.Wn[normals], s.Wt[tangents]])
        if not len(W): return v
        B = np.linalg.solve(s.M, W.T)
        rates = np.concatenate([s.gap_rate[normals], s.slip[tangents]])
        return v - B @ np.linalg.lstsq(W @ B, rates, rcond=1e-9)[0]

    # --- guards ---

    def places(self, closed):
        contacts = self.model.contacts
        return [Place(contacts[i].mu, contacts[i].mu_s, sign, contacts[i].bilateral) for i, sign in closed.items()]

    def mobility(self, s, contacts):
        """G and the accelerations (or M^-1 W) of these contacts."""
        W = np.empty((2 * len(contacts), len(s.force)))
        W[::2], W[1::2] = s.Wn[contacts], s.Wt[contacts]
        B = np.linalg.solve(s.M, W.T)
        return W @ B, B

    def solve_mode(self, s, closed, choices):
        """The solution of one combination at a sample, with its inequalities."""
        ids = list(closed)
        G, B = self.mobility(s, ids)
        free = B.T @ s.force
        free[::2] += s.bias_n[ids]
        free[1::2] += s.bias_t[ids]
        return solve_word(G, free, self.places(closed), choices, self.floor())

    def guards(self, t, y):
        """{name: value}: each is positive as long as the mode holds."""
        n = len(y) // 2
        s = self.sample(t, y[:n], y[n:])
        out = {}
        for i, c in enumerate(self.model.contacts):
            if (s.active[i] != 0) != self.active[i]: out["active", i] = -1.0
            elif i in self.mode.choices: out["active", i] = 1.0
            if i not in self.mode.choices and self.active[i]: out["gap", i] = s.gap[i] / self.model.length
            if i in self.mode.choices and c.mu > 0 and self.mode.choices[i].letter in "PN":
                out["slip", i] = s.slip[i] * (1 if self.mode.choices[i].letter == "P" else -1) / self.speed()
        if self.mode.family:
            sliding = {i: {"S": 0, "P": 1, "N": -1}[c.letter] for i, c in self.mode.choices.items()}
            solution = self.solve_mode(s, sliding, list(self.mode.choices.values()))
            out["force", -1] = -1.0 if solution is None else solution.margin
            return out
        _, forces = self.forces(s, self.mode)
        mass = s.M.trace()
        scale = max([abs(f) for pair in forces.values() for f in pair] + [self.floor() * mass * 1e-3])
        for i, (f_n, f_t) in forces.items():
            contact, choice = self.model.contacts[i], self.mode.choices[i]
            if not contact.bilateral or contact.mu_s > 0: out["force", i] = choice.side * f_n / scale
            if choice.letter == "S" and contact.mu_s > 0:
                out["cone+", i] = (contact.mu_s * choice.side * f_n - f_t) / scale
                out["cone-", i] = (contact.mu_s * choice.side * f_n + f_t) / scale
        return out

    # --- from event to event ---

    def run(self):
        try:
            with np.errstate(all="ignore"):  # a trial step may overflow; it is repeated with a shorter length
                self.begin()
                while not self.end: self.follow_mode()
        except (Undecided, np.linalg.LinAlgError) as reason:
            self.end, self.why = "undecided", str(reason)
        return self

    def begin(self):
        s = self.sample(0.0, self.q, self.v)
        self.active = s.active != 0
        for i, c in enumerate(self.model.contacts):
            if not self.active[i] or abs(s.gap[i]) > CLOSED * self.model.length: continue
            if abs(s.gap_rate[i]) <= STILL * self.speed(): self.closed[i] = self.sign_of_slip(s, i)
        self.decide(set(), "", first=True)

    def sign_of_slip(self, s, i, still=STILL): return 0 if abs(s.slip[i]) <= still * self.speed() else int(np.sign(s.slip[i]))

    def longest_step(self, s):
        a, _ = self.forces(s, self.mode)
        turn = np.abs(self.v[self.model.angles]).max(initial=0.0) + np.sqrt(np.abs(a[self.model.angles]).max(initial=0.0) * 0.4)
        H = min(self.until / 50, 0.4 / max(turn, 1e-9))
        for i in range(len(self.model.contacts)):  # no more than three flights
            if i in self.mode.choices or not self.active[i] or s.gap[i] < -CLOSED: continue
            fall = s.Wn[i] @ a + s.bias_n[i]
            under = s.gap_rate[i]**2 - 2 * fall * max(s.gap[i], 0.0)
            if fall < 0 and under > 0:
                root = math.sqrt(under)  # the form without cancellation
                flight = (s.gap_rate[i] + root) / -fall if s.gap_rate[i] > 0 else 2 * max(s.gap[i], 0.0) / (root - s.gap_rate[i])
                H = min(H, 3 * flight + 1e-9 / self.rate())
        return H

    def follow_mode(self):
        """One step, up to the first event in it."""
        n = len(self.q)
        y = np.concatenate([self.q, self.v])
        slope = self.field(self.t, y)
        H = min(self.longest_step(self.sample(self.t, self.q, self.v)), self.until - self.t)
        if self.pace: H = min(H, 2 * self.pace)
        shortest = 1e-10 / self.rate()
        at_start = self.guards(self.t, y)
        while True:
            if H < min(shortest, (self.until - self.t) / 2): raise Undecided("steps too short")
            end, error = self.advance(self.t, y, slope, H)
            if error > 1:
                H /= 2
                continue
            found = self.find_event(y, slope, end, H, at_start)
            if found == "shorter": H /= 4
            else: break
        self.pace = H
        if found: H, names = found
        if found: end, _ = self.advance(self.t, y, slope, H)
        self.t = self.t + H if found or H < self.until - self.t else self.until
        self.q, self.v = self.hold(self.t, end[:n], end[n:])
        if found: self.handle(names)
        elif self.t >= self.until: self.end = "time"

    def find_event(self, y, slope, end, H, at_start):
        """None, "shorter", or (time to the first event, the guards that end there)."""
        n = len(self.q)
        last = self.field(self.t + H, end)
        at = lambda theta: end if theta == 1 else interpolate(y, slope, end, last, H, theta) if theta else y
        sample = lambda theta: self.sample(self.t + theta * H, at(theta)[:n], at(theta)[n:])
        previous, low, rates = at_start, 0.0, sample(0).gap_rate
        for j in range(1, PARTS + 1):
            theta = j / PARTS
            now = self.guards(self.t + theta * H, at(theta))
            fallen = [k for k in now if now[k] < 0 and previous.get(k, 1.0) > (1e-9 if j == 1 else 0)]
            # A guard that starts at zero rises first; a force may be rounding there.
            low_start = [k for k in now if j == 1 and previous.get(k, 1.0) <= 1e-9]
            if any(now[k] < (0 if k[0] == "gap" else -1e-9) for k in low_start): return "shorter"
            if fallen: return self.locate(y, slope, low * H, theta * H, fallen)
            before, rates = rates, sample(theta).gap_rate
            for kind, i in now:  # a gap that dips between two samples
                if kind != "gap" or not before[i] < 0 < rates[i]: continue
                lowest = bisect(lambda x: sample(x).gap_rate[i], low, theta)
                found = self.locate(y, slope, low * H, lowest * H, [(kind, i)]) if sample(lowest).gap[i] < -DIP * self.model.length else None
                if found: return found
            previous, low = now, theta
        return None

    def locate(self, y, slope, low, high, names):
        """Bisection with secants (Illinois) on steps that are repeated from the start, for each guard; the first counts."""
        best, first = high, []
        for name in names:
            value = lambda h: self.guards(self.t + h, self.advance(self.t, y, slope, h)[0]).get(name, 1.0) if h else 1.0
            a, b = low, high
            fa, fb = value(a) if a else 1.0, value(b)
            if a == 0.0: fa = self.guards(self.t, y).get(name, 1.0)
            if fb > 0: continue  # only the interpolation fell below zero
            if fa < 0: return "shorter"
            for i in range(100):
                if b - a <= 1e-15 * max(self.t, high) or abs(fb) < 1e-15: break
                c = b - fb * (b - a) / (fb - fa) if fb != fa and name[0] != "active" and i % 5 != 4 else (a + b) / 2
                fc = value(c)
                if (fc > 0) == (fa > 0): a, fa, fb = c, fc, fb / 2 if i % 5 else fb
                else: b, fb, fa = c, fc, fa / 2 if i % 5 else fa
            if b < best - 1e-13: best, first = b, [name]
            elif b <= best + 1e-13: best, first = min(b, best), first + [name]
        return (best, first) if first else None if high > 0 else "shorter"

    def put_down(self, arrived):
        """The gaps of these contacts and of the closed ones are zero, which the root was not to the last digit."""
        contacts = list(self.mode.choices) + arrived
        s = self.sample(self.t, self.q, self.v)
        W = s.Wn[contacts]
        B = np.linalg.solve(s.M, W.T)
        return self.q - B @ np.linalg.lstsq(W @ B, s.gap[contacts], rcond=1e-9)[0] if contacts else self.q

    def handle(self, names):
        """What ended the mode, then what comes next."""
        self.q = self.put_down([i for kind, i in names if kind == "gap"])
        s = self.sample(self.t, self.q, self.v)
        self.closed = {i: self.sign_of_slip(s, i) if c.letter in "PN" else 0 for i, c in self.mode.choices.items()}
        before = self.mode.word(len(self.model.contacts))
        for kind, i in names:
            if kind == "slip": self.closed[i] = 0
        stopped = [i for i, sign in self.closed.items() if sign == 0]
        self.v = self.stop(self.t, self.q, self.v, list(self.closed), stopped)
        for kind, i in names:
            if kind != "active": continue
            self.active[i] = not self.active[i]
            self.closed.pop(i, None)
            if self.active[i] and s.gap[i] < CLOSED * self.model.length: raise Undecided("a contact begins to exist at its surface")
        self.decide({i for kind, i in names if kind == "gap"}, before)

    def decide(self, arrived, before, first=False):
        """Impacts while something collides, then the mode. One event for all that happens at this time."""
        types, impulse, unique, settled = set(), None, True, False
        k = len(self.model.contacts)
        hit = []
        for _ in range(20):
            s = self.sample(self.t, self.q, self.v)
            near = (CLOSED if first else ARRIVED) * self.model.length
            touching = [i for i in range(k) if i not in self.closed and self.active[i] and s.gap[i] <= near]
            colliding = [i for i in touching if s.gap_rate[i] < -STILL * self.speed()]
            if not colliding: break
            if impulse is not None: raise Undecided("impacts that follow each other at once")
            types.add("impact")
            hit = colliding
            impulse, unique, settled = self.collide(s, colliding)
        for i in touching:
            if abs(s.gap_rate[i]) <= STILL * self.speed() and i in arrived: self.closed[i] = self.sign_of_slip(s, i)
        if types: self.relabel(hit)
        letters = self.choose_mode()
        if not letters:  # no force exists: the contact is struck without a collision
            if impulse is not None or len(self.closed) != 1: raise Undecided("inconsistent")
            before = before or self.word_of_slips()
            types, hit = {"inconsistent", "tangential-impact"}, list(self.closed)
            if self.model.contacts[hit[0]].law == "fremond": raise Undecided("inconsistent")
            impulse, unique, settled = self.collide(self.sample(self.t, self.q, self.v), hit)
            letters = self.choose_mode()
            if not letters: raise Undecided("inconsistent")
        if first and not types: before = letters
        after = letters
        if before != after and not types: types |= list_changes(before, after)
        if types:
            changed = hit or [i for i in range(k) if before[i] != after[i]]
            self.events.append(Event(self.t, types, changed, before, after, self.q, self.v, impulse, unique, settled))
        if len(self.events) >= self.most_events: self.end = "event-limit"
        self.look_for_rest()

    def collide(self, s, colliding):
        """Changes velocities and closed contacts; the impulses of all contacts, whether unique, whether a slow rebound ended."""
        all_contacts = sorted(set(self.closed) | set(colliding))
        G, B = self.mobility(s, all_contacts)
        struck = list_struck(G, [all_contacts.index(i) for i in colliding])
        rows = [r for j in struck for r in (2 * j, 2 * j + 1)]
        ids = [all_contacts[j] for j in struck]
        contacts = [self.model.contacts[i] for i in ids]
        if len(ids) > MOST_CLOSED: raise Undecided("too many contacts")
        rates = np.array([x for i in ids for x in (s.gap_rate[i], s.slip[i])])
        for j, i in enumerate(ids):
            if abs(rates[2 * j + 1]) <= STILL * self.speed(): rates[2 * j + 1] = 0.0
        if len(ids) == 1:
            c = contacts[0]
            P = strike_one(G[np.ix_(rows, rows)], rates[0], rates[1], c.mu, c.restitution, c.law)
        else:
            P = strike_several(G[np.ix_(rows, rows)], rates, contacts, np.abs(rates[::2]).max())
        self.v = self.v + B[:, rows] @ P
        after = self.sample(self.t, self.q, self.v)
        ended = 0.0
        for i in ids:
            if after.gap_rate[i] > SLOW * self.speed():
                self.closed.pop(i, None)
                continue
            ended = max(ended, after.gap_rate[i])
            self.closed[i] = 0
        after = self.sample(self.t, self.q, self.stop(self.t, self.q, self.v, list(self.closed), []))
        still = SLOW if ended > 1e-12 * self.speed() else STILL  # a slip of the size of the rebound ends with it
        self.closed = {i: self.sign_of_slip(after, i, still) if i in ids else sign for i, sign in self.closed.items()}
        self.v = self.stop(self.t, self.q, self.v, list(self.closed), [i for i in self.closed if self.closed[i] == 0])
        impulse = np.zeros(2 * len(self.model.contacts))
        for j, i in enumerate(ids): impulse[2 * i:2 * i + 2] = P[2 * j:2 * j + 2]
        singular = np.linalg.svd(G[np.ix_(rows, rows)], compute_uv=False)
        return impulse, singular[-1] > 1e-9 * singular[0], ended > 1e-12 * self.speed()

    def relabel(self, hit):
        for r in self.model.relabels:
            if r["after"] not in hit: continue
            self.q, self.v = self.model.relabelled(r, self.t, self.q, self.v)
            order = r["order"]
            self.closed = {new: self.closed[old] for new, old in enumerate(order) if old in self.closed}
            self.active = self.sample(self.t, self.q, self.v).active != 0
            return

    def choose_mode(self):
        """The one admissible mode, by its letters, "" if there is none; raises Undecided if the laws leave several motions."""
        if len(self.closed) > MOST_CLOSED: raise Undecided("too many contacts")
        s = self.sample(self.t, self.q, self.v)
        ids = list(self.closed)
        solutions = []
        if ids:
            G, B = self.mobility(s, ids)
            free = B.T @ s.force
            free[::2] += s.bias_n[ids]
            free[1::2] += s.bias_t[ids]
            found = enumerate_words(G, free, self.places(self.closed), self.floor())
            solutions = [x for x in found if x.margin > MARGIN or self.holds_on(x, ids)]
            if not solutions: return ""
            best = self.prefer(solutions, ids)
            if not best.unique: raise Undecided("a family of motions")
            choices = {i: c for i, c in zip(ids, best.choices) if c.letter != "F"}
            self.mode = Mode(choices, best.family)
        else:
            self.mode = Mode({})
        self.closed = {i: self.closed[i] for i in self.mode.choices}
        self.pace = 0.0
        return self.mode.word(len(self.model.contacts))

    def word_of_slips(self):
        return "".join({None: "F", 0: "S", 1: "P", -1: "N"}[self.closed.get(i)] for i in range(len(self.model.contacts)))

    def prefer(self, solutions, ids):
        """Of solutions with one motion the one with most closed, then most sticking contacts; static friction sticks."""
        order = lambda x: (sum(c.letter != "F" for c in x.choices), sum(c.letter == "S" for c in x.choices))
        solutions = sorted(solutions, key=order, reverse=True)
        best = max(solutions, key=lambda x: (sum(c.letter == "S" for c in x.choices), order(x)))
        static = any(self.model.contacts[i].mu_s > self.model.contacts[i].mu for i in ids)
        same = lambda a, b: np.abs(a.acceleration - b.acceleration).max() <= 1e-6 * (np.abs(a.acceleration).max() + self.floor())
        if all(same(solutions[0], x) for x in solutions): return solutions[0]
        def extends(x):  # sticks wherever the other does, and more where friction at rest is larger
            return all(a.letter == "S" or b.letter != "S" for a, b in zip(x, other.choices))
        for other in solutions:
            if not static or not extends(best.choices): raise Undecided("indeterminate " + " ".join(x.word for x in solutions))
        return best

    def holds_on(self, solution, ids):
        """Whether a marginal solution's own motion keeps to its inequalities."""
        saved = self.mode, self.closed
        closed = self.closed
        self.mode = Mode({i: c for i, c in zip(ids, solution.choices) if c.letter != "F"}, solution.family)
        try:
            y = np.concatenate([self.q, self.v])
            n = len(self.q)
            for part in (1e-6, 1e-5, 1e-4):
                H = part / self.rate()
                later, _ = self.advance(self.t, y, self.field(self.t, y), H)
                new = self.solve_mode(self.sample(self.t + H, later[:n], later[n:]), closed, solution.choices)
                if new is None: return False
                change = new.slacks - solution.slacks
                small = np.abs(solution.slacks) <= MARGIN
                if (np.abs(change[small]) > 1e-9).any(): return not (change[small] < -1e-9).any()
            return True
        except np.linalg.LinAlgError:
            return False
        finally:
            self.mode, self.closed = saved

    def look_for_rest(self):
        if self.end or self.model.depends_on_time or not self.mode.choices: return
        a, _ = self.forces(self.sample(self.t, self.q, self.v), self.mode)
        moving = np.abs(self.v * self.weight).max() > 1e-8 * math.sqrt(self.model.gravity * self.model.length)
        pushed = np.abs(a * self.weight).max() > 1e-8 * max(self.model.gravity, 1e-6)
        if not moving and not pushed: self.end = "rest"


def interpolate(y, slope, end, last, H, theta):
    """Quintic through coordinates, rates and accelerations at both ends of a step."""
    n = len(y) // 2
    q0, v0, a0, q1, v1, a1 = y[:n], y[n:] * H, slope[n:] * H * H, end[:n], end[n:] * H, last[n:] * H * H
    d = q1 - q0 - v0 - a0 / 2
    e, f = v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10 * d - 4 * e + f / 2, -15 * d + 7 * e - f, 6 * d - 3 * e + f / 2
    q = q0 + theta * (v0 + theta * (a0 / 2 + theta * (c3 + theta * (c4 + theta * c5))))
    v = (v0 + theta * (a0 + theta * (3 * c3 + theta * (4 * c4 + theta * 5 * c5)))) / H
    return np.concatenate([q, v])


def bisect(value, low, high):
    """Where a value that rises through zero is zero."""
    for _ in range(50):
        middle = (low + high) / 2
        if value(middle) < 0: low = middle
        else: high = middle
    return middle


def list_changes(before, after):
    """Names of what happened to the contacts."""
    out = set()
    for a, b in zip(before, after):
        if a == b: continue
        out.add("touchdown" if a == "F" else "liftoff" if b == "F" else "stick" if b == "S" else
                "slip" if a == "S" else "slip-reversal")
    return out
