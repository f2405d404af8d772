"""Impacts: one contact along its path in impulse space, several by the velocities after it. Laws: docs/theory/impact.md."""
import math

import numpy as np

from contact import Place, enumerate_words


class Undecided(Exception):
    """The laws leave a choice that the reference does not make, or have no answer."""


def strike_one(G, gap_rate, slip, mu, e, law):
    """(P_n, P_t) at one contact. G = [[nn, nt], [nt, tt]]; the normal impulse takes the place of time."""
    nn, nt, tt = G[0, 0], G[0, 1], G[1, 1]
    phases = []  # (length in P_n, d gap_rate, d slip, d P_t), each per P_n
    s = math.copysign(1, slip) if abs(slip) > 0 else 0
    if s and mu > 0:
        fall = nt - s * mu * tt
        length = -slip / fall if s * fall < 0 else math.inf
        phases.append((length, nn - s * mu * nt, fall, -s * mu))
    elif s: phases.append((math.inf, nn, nt, 0.0))
    if not phases or phases[0][0] < math.inf:
        if mu == 0: phases.append((math.inf, nn, nt, 0.0))
        elif abs(nt) <= mu * tt: phases.append((math.inf, nn - nt * nt / tt, 0.0, -nt / tt))
        else: phases.append((math.inf, nn - mu * abs(nt), nt - math.copysign(mu, nt) * tt, -math.copysign(mu, nt)))

    def at(P):
        """gap rate, P_t and the work of the normal impulse after the normal impulse P."""
        u, pt, work = gap_rate, 0.0, 0.0
        for length, du, _, dt in phases:
            d = min(P, length)
            work += u * d + du * d * d / 2
            u, pt, P = u + du * d, pt + dt * d, P - d
            if P <= 0: break
        return u, pt, work

    def find(target, start, which):
        """The first P >= start at which the gap rate (which 0) or the work (2) rises to the target."""
        high = max(start, abs(gap_rate) / nn) + 1e-12
        while at(high)[which] < target:
            high *= 2
            if not math.isfinite(high): raise Undecided("no impulse")
        low = start
        for _ in range(200):
            middle = (low + high) / 2
            if at(middle)[which] < target: low = middle
            else: high = middle
        return high

    # One degree of freedom: a contact that sticks cannot move. Impulses of restitution have no effect.
    wedges = nn * tt - nt * nt <= 1e-10 * nn * tt and mu > 0 and abs(nt) <= mu * tt
    if wedges and not phases[0][0] < math.inf: raise Undecided("wedging at rest")
    if wedges and (phases[0][1] <= 0 or at(phases[0][0])[0] < -1e-9 * abs(gap_rate)): raise Undecided("a surface drags a contact in")
    if wedges and at(phases[0][0])[0] <= 1e-9 * abs(gap_rate):
        P = phases[0][0] * (1 + e if law in ("poisson", "newton", "stronge") else 1)
        return np.array([P, at(P)[1]])
    # Without collision the gap rate falls at first: the compression ends where it has come back.
    first = phases[0][0] if gap_rate >= 0 and phases[0][1] < 0 else 0.0
    Pc = find(0.0, first, 0)
    P = Pc
    # One degree of freedom: once it sticks nothing moves any more, and Poisson's law replaces one that asks for more.
    if wedges and law == "newton" and at(phases[0][0])[0] < -e * gap_rate: law = "poisson"
    if law == "poisson": P = (1 + e) * Pc
    if law == "newton" and gap_rate < 0: P = find(-e * gap_rate, Pc, 0)
    if law == "stronge" and e > 0: P = find((1 - e * e) * at(Pc)[2], Pc, 2)
    return np.array([P, at(P)[1]])


def list_struck(G, colliding):
    """The contacts that feel an impulse at those that collide, directly or through others."""
    k = len(G) // 2
    mobility = [G[2 * i, 2 * i] + G[2 * i + 1, 2 * i + 1] for i in range(k)]
    feels = lambda i, j: np.abs(G[2 * i:2 * i + 2, 2 * j:2 * j + 2]).max() > 1e-12 * math.sqrt(mobility[i] * mobility[j])
    struck = set(colliding)
    while more := {i for i in range(k) if i not in struck and any(feels(i, j) for j in struck)}: struck |= more
    return sorted(struck)


def pick(solutions, order):
    """The preferred outcome; equally good ones must have the same effect."""
    if not solutions: raise Undecided("no impulse ends the impact")
    solutions = sorted(solutions, key=order)
    best = solutions[0]
    for other in solutions[1:]:
        if order(other) == order(best) and np.abs(other.acceleration - best.acceleration).max() > 1e-7 * (
                np.abs(best.acceleration).max() + 1e-3): raise Undecided("several impacts, equally preferred")
    if not best.unique: raise Undecided("a family of impacts")
    return best


def strike_several(G, rates, contacts, floor):
    """Impulses at several contacts: the inelastic outcome, then Poisson's expansion. `rates`: gap rates and slips."""
    places = [Place(c.mu, c.mu, 0, c.bilateral) for c in contacts]
    closed = lambda s: sum(c.letter != "F" for c in s.choices)
    sticking = lambda s: sum(c.letter == "S" for c in s.choices)
    compressions = [s for s in enumerate_words(G, rates, places, floor)]
    compression = pick(compressions, lambda s: (-closed(s), -sticking(s)))
    elastic = [0.0 if c.law in ("inelastic", "fremond") or c.bilateral else c.restitution for c in contacts]
    if not any(elastic): return compression.force
    normal = compression.force[::2]
    if compression.family and is_family_in_normals(G, compression, places): raise Undecided("restitution of a family")
    for p, e, P in zip(places, elastic, normal): p.given = e * max(P, 0.0)
    after = rates + G @ compression.force
    expansions = enumerate_words(G, after, places, floor)
    active = lambda s: sum(c.active for c in s.choices)
    expansion = pick(expansions, lambda s: (active(s), -sticking(s)))
    return compression.force + expansion.force


def is_family_in_normals(G, solution, places):
    """Whether normal impulses may differ with the same velocities."""
    k = len(places)
    columns = [2 * i for i, c in enumerate(solution.choices) if c.active]
    columns += [2 * i + 1 for i, c in enumerate(solution.choices) if c.letter == "S" and places[i].mu > 0]
    u, s, vt = np.linalg.svd(G[np.ix_(columns, columns)])
    kernel = vt[int((s > 1e-9 * s[0]).sum()):]
    normals = [j for j, c in enumerate(columns) if c % 2 == 0]
    return bool(np.abs(kernel[:, normals]).max(initial=0.0) > 1e-6)
