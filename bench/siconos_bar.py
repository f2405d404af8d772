"""The jam of painleve-bar by Siconos, beside slipstick.

    /usr/bin/python3 bench/siconos_bar.py [--slipstick PROGRAM] [--solver NAME] [H...]

Needs Debian's python3-siconos and a C compiler (cc). H: steps of Siconos [s], default 1e-3 1e-4 1e-5.

Siconos: Moreau-Jean time stepping (theta 1/2), Newton's impact law with restitution 0; NAME of the
solver is LEMKE (default), NSGS, ENUM or CPG. Its wall time is that of the steps up to the jump alone,
without start-up and without a look at the state. Slipstick's is that of the whole program; `start` is
the same program with a run of 1 ns. All are the least of several.
"""

import argparse
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import numpy as np
    import siconos
    import siconos.kernel as sk
    import siconos.numerics as sn
except ImportError as error:
    print(f"Siconos is not installed for this Python ({error}): nothing to compare with.")
    sys.exit(0)

JAM = 0.5984372943  # [s]
END = 0.61  # of the runs of Siconos [s]
MASS, HALF_LENGTH, INERTIA, MU, WEIGHT = 1.0, 1.0, 1 / 12, 0.9, 1.0
THETA, SLIP = 0.85, -7.0

# Gap and place of A, and their gradients (by columns), of q = (x, y, theta).
CONTACT = """
#include <math.h>
static const double l = %r;
void place(unsigned nq, const double* q, unsigned ny, double* y, unsigned nz, double* z) {
  y[0] = q[1] - l * sin(q[2]);
  y[1] = q[0] - l * cos(q[2]);
}
void gradient(unsigned nq, const double* q, unsigned ny, double* g, unsigned nz, double* z) {
  g[0] = 0, g[2] = 1, g[4] = -l * cos(q[2]);
  g[1] = 1, g[3] = 0, g[5] = l * sin(q[2]);
}
"""


class Bar:
    def __init__(self, plugin, solver, step):
        start = [0, HALF_LENGTH * math.sin(THETA), THETA]
        self.body = sk.LagrangianDS(start, [SLIP, 0, 0], np.diag([MASS, MASS, INERTIA]))
        self.weight = np.array([0, -WEIGHT, 0])
        self.body.setFExtPtr(self.weight)
        relation = sk.LagrangianScleronomousR(f"{plugin}:place", f"{plugin}:gradient")
        law = sk.NewtonImpactFrictionNSL(0.0, 0.0, MU, 2)
        self.contact = sk.Interaction(law, relation)
        self.system = sk.NonSmoothDynamicalSystem(0, END)
        self.system.insertDynamicalSystem(self.body)
        self.system.link(self.contact, self.body)
        integrator = sk.MoreauJeanOSI(0.5)
        # Gaps up to this are closed; with the default, 0, the second step has no force.
        integrator.setConstraintActivationThreshold(1e-6)
        problem = sk.FrictionContact(2, getattr(sn, f"SICONOS_FRICTION_2D_{solver}"))
        clock = sk.TimeDiscretisation(0, step)
        self.stepping = sk.TimeStepping(self.system, clock, integrator, problem)
        self.begun = False

    def advance(self):
        """One step; the state is to be read before the next."""
        if self.begun:
            self.stepping.nextStep()
        self.begun = True
        self.stepping.computeOneStep()

    def slip(self):
        theta, speed = self.body.q()[2], self.body.velocity()
        return speed[0] + HALF_LENGTH * math.sin(theta) * speed[2]


class Overheard:
    """Catches what is written to standard output and error meanwhile, also by compiled code."""

    def __enter__(self):
        self.file = tempfile.TemporaryFile()
        sys.stdout.flush()
        self.kept = [os.dup(1), os.dup(2)]
        os.dup2(self.file.fileno(), 1)
        os.dup2(self.file.fileno(), 2)
        return self

    def __exit__(self, *_):
        ctypes.CDLL(None).fflush(None)
        for number, kept in enumerate(self.kept, 1):
            os.dup2(kept, number)
            os.close(kept)
        self.file.seek(0)
        self.text = self.file.read().decode(errors="replace").strip()
        self.file.close()


def follow(plugin, solver, step):
    """The first step in which the slip jumps (by a tenth of its first value), the force there, and the
    first step without force."""
    bar, jump, force, open_from = Bar(plugin, solver, step), None, 0.0, None
    slip = bar.slip()
    for number in range(1, round(END / step)):
        bar.advance()
        normal = bar.contact.lambda_(1)[0] / step
        before, slip = slip, bar.slip()
        force = max(force, normal)
        if jump is None and abs(slip - before) > 0.1 * abs(SLIP):
            jump = number
        if open_from is None and normal <= 0:
            open_from = number
    return jump, open_from, force


def clock(plugin, solver, step, steps):
    bar = Bar(plugin, solver, step)
    begin = time.perf_counter()
    for _ in range(steps):
        bar.advance()
    return time.perf_counter() - begin


def compare_siconos(plugin, solver, steps):
    print(f"Siconos {siconos.version}, {solver}")
    print(f"{'h [s]':>8} {'jump [s]':>10} {'error [s]':>10} {'no force from':>13} {'largest f_n [N]':>15}"
          f" {'wall [s]':>9} {'runs/s':>8}  says")
    for step in steps:
        with Overheard() as heard:
            jump, open_from, force = follow(plugin, solver, step)
        if jump is None:
            print(f"{step:8.0e} {'none':>10}")
            continue
        wall = min(clock(plugin, solver, step, jump) for _ in range(3))
        left = "-" if open_from is None else f"{open_from * step:.6f}"
        print(f"{step:8.0e} {jump * step:10.6f} {jump * step - JAM:10.1e} {left:>13} {force:15.5g}"
              f" {wall:9.3f} {1 / wall:8.3g}  {heard.text or 'nothing'}")


def compare_slipstick(program):
    def run(until, tolerance):
        command = [program, "simulate", "painleve-bar", "--until", until, "--on-jam", "stop", "--tol",
                   tolerance, "--json"]
        begin = time.perf_counter()
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return time.perf_counter() - begin, json.loads(text)

    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    print(f"\n{version.strip()}")
    print(f"{'tol':>8} {'t* [s]':>14} {'error [s]':>10} {'evaluations':>11} {'wall [s]':>9} {'start [s]':>9}"
          f" {'runs/s':>8}  says")
    for tolerance in ["1e-4", "1e-6", "1e-9", "1e-13"]:
        runs = [(run("0.7", tolerance), run("1e-9", tolerance)) for _ in range(50)]
        wall, start = (min(times) for times in zip(*((full[0], short[0]) for full, short in runs)))
        answer = runs[0][0][1]
        end = answer["end"]
        print(f"{tolerance:>8} {end['time']:14.10f} {end['time'] - JAM:10.1e} {answer['evaluations']:11}"
              f" {wall:9.4f} {start:9.4f} {1 / wall:8.3g}  {end['reason']}")


def find_slipstick():
    builds = Path(__file__).resolve().parent.parent / "build"
    for name in ["release", "bench", "dev"]:
        if (program := builds / name / "apps/cli/slipstick").exists():
            return program
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("steps", metavar="H", nargs="*", type=float, default=[1e-3, 1e-4, 1e-5])
    parser.add_argument("--slipstick", metavar="PROGRAM", default=find_slipstick())
    parser.add_argument("--solver", choices=["LEMKE", "NSGS", "ENUM", "CPG"], default="LEMKE")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "bar.c")
        source.write_text(CONTACT % HALF_LENGTH)
        plugin = source.with_suffix("")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", f"{plugin}.so", source, "-lm"], check=True)
        compare_siconos(plugin, arguments.solver, arguments.steps)
    if arguments.slipstick:
        compare_slipstick(arguments.slipstick)
    else:
        print("\nslipstick is not built.")


if __name__ == "__main__":
    main()
