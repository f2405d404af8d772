"""Runs clang-tidy on the C++ sources: tidy.py BUILD_DIR [--tests], where BUILD_DIR/compile_commands.json is.

Tests are left out unless asked for: they are half of the files and would double the time of ./test.

Prints `file:line: message` per problem. A file that passed is not checked again until it changes, or a header of ours
that it includes, its command, a .clang-tidy or clang-tidy itself; BUILD_DIR/passed has one empty file per pass.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path.cwd()
BUILD = Path(sys.argv[1]).resolve()
PASSED = BUILD / "passed"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PROBLEM = re.compile(r"^(?:(.+?):(\d+):\d+: )?(?:error|warning): (.*)$", re.MULTILINE)


@cache
def direct_includes(path):
    """Headers of ours that a file names; they are beside it, or in include/, src/ or tests/."""
    names = INCLUDE.findall(path.read_text())
    places = (path.parent, ROOT / "include", ROOT / "src", ROOT / "tests")
    found = (place / name for name in names for place in places)
    return frozenset(header.resolve() for header in found if header.is_file())


def all_includes(path):
    seen, waiting = set(), [path]
    while waiting:
        if (file := waiting.pop()) not in seen:
            seen.add(file)
            waiting.extend(direct_includes(file))
    return sorted(seen)


@cache
def settings():
    version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True).stdout
    configs = [ROOT / ".clang-tidy", *(ROOT / d / ".clang-tidy" for d in ("src", "apps", "tests", "bench"))]
    return version + b"".join(config.read_bytes() for config in configs if config.exists())


def pass_mark(path, command):
    digest = hashlib.sha256(settings() + command.encode())
    for file in all_includes(path):
        digest.update(f"\0{file}\0".encode() + file.read_bytes())
    return PASSED / digest.hexdigest()


def check(path):
    """The problems of one source, those in its headers included; none: it passed."""
    run = subprocess.run(["clang-tidy", "--quiet", "-p", BUILD, path], capture_output=True, text=True)
    problems = [
        f"{os.path.relpath(file or path, ROOT)}:{line or 1}: {message.replace(',-warnings-as-errors', '')}"
        for file, line, message in PROBLEM.findall(run.stdout)
    ]
    if run.returncode != 0 and not problems:
        problems.append(f"{path.relative_to(ROOT)}:1: clang-tidy failed: {' '.join(run.stderr.split())[-300:]}")
    return problems


def main():
    PASSED.mkdir(exist_ok=True)
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if "--tests" not in sys.argv and path.is_relative_to(ROOT / "tests"):
            continue
        if not path.is_relative_to(BUILD.parent):  # made by the build
            commands.setdefault(path, entry["command"])
    marks = {path: pass_mark(path, command) for path, command in commands.items()}
    waiting = [path for path, mark in marks.items() if not mark.exists()]
    if waiting:
        print(f"clang-tidy: {len(waiting)} of {len(marks)} files", file=sys.stderr)

    printed = set()  # a header's problem comes once per source that includes it
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, problems in zip(waiting, pool.map(check, waiting)):
            if not problems:
                marks[path].touch()
            for problem in problems:
                if problem not in printed:
                    print(problem, flush=True)
                printed.add(problem)


main()
