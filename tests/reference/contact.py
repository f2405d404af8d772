"""Contact laws by brute force: every combination of the contacts' modes is tried, and those that obey the laws are kept.

The same enumeration serves forces and accelerations at a state, and impulses and velocities at an impact. Entries 2 i and
2 i + 1 of a vector belong to the normal and the tangent of contact i of the list at hand.
"""
import itertools
from dataclasses import dataclass

import numpy as np

RANK = 1e-9  # relative: forces that differ by less of a mobility act alike
MARGIN = 1e-7  # relative: an inequality is called marginal below this; rounding and integration leave some 1e-11


@dataclass
class Place:
    """One contact of the list: friction of motion and at rest, sign of the slip (0: at rest), least impulse of restitution."""
    mu: float
    mu_s: float
    slip_sign: int
    bilateral: bool
    given: float = 0.0


@dataclass
class Choice:
    """The mode of one contact: `active` keeps it closed by a force of sign `side`; letter F, S, P or N."""
    active: bool
    letter: str
    side: int = 1


@dataclass
class Solution:
    choices: tuple
    force: np.ndarray
    acceleration: np.ndarray  # of the contacts
    slacks: np.ndarray  # relative; all must be >= 0
    family: bool  # other forces satisfy the laws, too
    unique: bool  # all of them give the same motion

    @property
    def word(self): return "".join(c.letter for c in self.choices)

    @property
    def margin(self): return self.slacks.min() if len(self.slacks) else np.inf


def list_choices(place):
    letters = "S" if place.mu_s == 0 else {0: "SPN", 1: "P", -1: "N"}[place.slip_sign]
    if place.mu_s == 0 and place.slip_sign: letters = {1: "P", -1: "N"}[place.slip_sign]
    sides = (1, -1) if place.bilateral and place.mu_s > 0 else (1,)
    out = [Choice(True, letter, side) for letter in letters for side in sides]
    if place.bilateral: return out
    return out + ([Choice(False, letter) for letter in letters] if place.given > 0 else [Choice(False, "F")])


def friction(place, choice):
    """Tangential force per normal force while sliding."""
    return 0.0 if choice.letter in "SF" else -place.mu * choice.side * (1 if choice.letter == "P" else -1)


def solve_word(G, free, places, choices, floor):
    """Forces for one combination, or None if its equations have no solution. `floor`: the least acceleration that counts."""
    k = len(places)
    columns, rows, fixed = [], [], np.zeros(2 * k)
    for i, (p, c) in enumerate(zip(places, choices)):
        fixed[2 * i], fixed[2 * i + 1] = p.given, friction(p, c) * p.given
        if c.active:
            column = np.zeros(2 * k)
            column[2 * i], column[2 * i + 1] = 1.0, friction(p, c)
            columns.append(column)
            rows.append(2 * i)
        if c.letter == "S" and p.mu_s > 0:
            columns.append(np.eye(2 * k)[2 * i + 1])
            rows.append(2 * i + 1)
    F = np.array(columns).T if columns else np.zeros((2 * k, 0))
    force, kernel, unique = fixed, np.zeros((2 * k, 0)), True
    if rows:
        E, r = (G @ F)[rows], -(free + G @ fixed)[rows]
        u, s, vt = np.linalg.svd(E)
        rank = int((s > RANK * max(s[0], np.abs(G).max() * 1e-3)).sum())
        x = vt[:rank].T @ ((u[:, :rank].T @ r) / s[:rank])
        force = fixed + F @ x
        if rank < len(rows):
            if np.abs(E @ x - r).max() > 1e-7 * max(np.abs(free).max(), floor): return None
            kernel = F @ vt[rank:].T
            unique = np.abs(G @ kernel).max() <= 1e-7 * np.abs(G).max()
    f_scale = np.abs(force).max() + floor / np.abs(np.diag(G)).max()
    a_scale = np.abs(free).max() + floor
    S, s = list_slacks(places, choices, fixed, k)
    # Inequalities on (force, acceleration), each relative to its size.
    weights = np.repeat([1 / f_scale, 1 / a_scale], 2 * k)
    full = S * weights
    at = lambda f: full @ np.concatenate([f, free + G @ f]) + s / f_scale
    slacks = at(force)
    if kernel.shape[1]:
        change = full[:, :2 * k] @ kernel + full[:, 2 * k:] @ (G @ kernel)
        force = force + kernel @ maximise_least(slacks, change * f_scale) * f_scale
        slacks = at(force)
        if unique: slacks = np.array([slacks.min()]) if len(slacks) else slacks
    return Solution(tuple(choices), force, free + G @ force, slacks, kernel.shape[1] > 0, unique)


def list_slacks(places, choices, fixed, k):
    """Rows S and constants s: S (force, acceleration) + s >= 0."""
    rows, constants = [], []

    def demand(constant=0.0, **parts):
        row = np.zeros(4 * k)
        for key, value in parts.items():
            row[{"n": 2 * i, "t": 2 * i + 1, "an": 2 * k + 2 * i, "at": 2 * k + 2 * i + 1}[key]] = value
        rows.append(row)
        constants.append(constant)

    for i, (p, c) in enumerate(zip(places, choices)):
        if c.active and not (p.bilateral and p.mu_s == 0): demand(-fixed[2 * i] * c.side, n=c.side)
        if not c.active: demand(an=1)
        if c.letter == "S" and p.mu_s > 0:
            demand(n=p.mu_s * c.side, t=1)
            demand(n=p.mu_s * c.side, t=-1)
        if c.letter in "PN" and p.slip_sign == 0: demand(at=1 if c.letter == "P" else -1)
    return np.array(rows).reshape(-1, 4 * k), np.array(constants)


def maximise_least(values, change):
    """z for which min(values + change z) is largest, but not above 1: brute force over the corners of this linear program."""
    u, s, vt = np.linalg.svd(change)
    rank = int((s > 1e-10).sum())
    basis = vt[:rank].T
    A = np.vstack([np.hstack([change @ basis, -np.ones((len(values), 1))]), np.eye(rank + 1)[-1:] * -1])
    b = np.append(values, 1.0)  # A (z, m) + b >= 0
    subsets = np.array(list(itertools.combinations(range(len(b)), rank + 1)))
    if not len(subsets): return np.zeros(change.shape[1])
    systems = A[subsets]
    regular = np.abs(np.linalg.det(systems)) > 1e-12
    corners = np.linalg.solve(systems[regular], -b[subsets[regular]][..., None])[..., 0]
    feasible = (corners @ A.T + b >= -1e-9).all(axis=1)
    if not feasible.any(): return np.zeros(change.shape[1])
    best = corners[feasible][np.argmax(corners[feasible][:, -1])]
    # Of several equally good corners their mean.
    ties = corners[feasible][corners[feasible][:, -1] >= best[-1] - 1e-9]
    return basis @ ties[:, :-1].mean(axis=0)


def enumerate_words(G, free, places, floor):
    """Every combination whose inequalities hold, marginal ones among them."""
    out = []
    for choices in itertools.product(*(list_choices(p) for p in places)):
        solution = solve_word(G, free, places, choices, floor)
        if solution is not None and solution.margin >= -MARGIN: out.append(solution)
    return out
