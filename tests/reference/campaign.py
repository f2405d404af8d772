"""campaign.py [--count N] [--seed S] [--save DIR] [--jobs J] PROGRAM: random mechanisms by the program's own check alone.

Much faster than laws.py: no row is read here. Prints the runs that end as a failure, and how many ended in which way.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import time

from generate import make_model

FAILURES = 1e-3  # share of the runs that may end as `failure`; some 3e-4 do
ATTEMPTS = 100  # at a mechanism that starts outside its surfaces
SECONDS = 100  # a longer run counts as hanging


def run(program, seed, folder):
    """(path, end of the run, message). The first attempt of the seed that the program does not refuse."""
    path = os.path.join(folder, f"seed{seed}.toml")
    for attempt in range(ATTEMPTS):
        text, until = make_model(seed, attempt)
        with open(path, "w") as file: file.write(text)
        call = [program, "simulate", path, "--until", str(until), "--json", "--max-events", "1000"]
        try:
            done = subprocess.run(call, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return path, "hangs", f"longer than {SECONDS} s"
        if done.returncode == 2 and ("penetrat" in done.stderr or "below" in done.stderr): continue
        if done.returncode not in (0, 3): return path, "refused", f"exit {done.returncode}: {done.stderr.strip()}"
        end = json.loads(done.stdout)["end"]
        return path, end["reason"], end.get("detail", "")
    raise RuntimeError(f"seed {seed} gives no model")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", required=True, help="folder for the models whose runs fail")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.save, exist_ok=True)
    ends, started = collections.Counter(), time.time()
    seeds = range(options.seed, options.seed + options.count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, end, message in pool.map(lambda seed: run(options.program, seed, options.save), seeds):
            ends[end] += 1
            if end in ("failure", "refused", "hangs"):
                print(f"{os.path.basename(path)} ({end}): {message}", flush=True)
            else:
                os.remove(path)
    told = ", ".join(f"{count} {end}" for end, count in ends.most_common())
    print(f"{options.count} mechanisms: {told}; {time.time() - started:.0f} s")
    return 1 if ends["failure"] > FAILURES * options.count or ends["refused"] + ends["hangs"] else 0


if __name__ == "__main__":
    sys.exit(main())
