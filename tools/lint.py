"""Checks the rules of this tree that no common tool covers. Prints `file:line: message` per problem.

    lint.py               checks every file that git tracks or would add
    lint.py --list EXT... prints the names of such files, each ended by a NUL byte
"""

import re
import subprocess
import sys
from pathlib import Path

# A directory of src/slipstick includes only itself and those before it.
LAYERS = ["core", "model", "contact", "impact", "sim", "analysis", "sweep", "io"]

# The layer of each public header, include/slipstick/NAME.h. Add a new one here.
PUBLIC = {
    "core": ["errors", "interval", "linalg", "tolerances", "version", "why", "words"],
    "model": ["dynamics", "impact_law", "model", "observable", "state"],
    "contact": ["classify", "mode_letters", "mode_word"],
    "impact": ["impact"],
    "sim": ["check", "condition", "run", "simulate", "trajectory", "verdict"],
    "analysis": [
        "critical_friction",
        "gait",
        "gait_answer",
        "gait_branch",
        "gait_perturbation",
        "gait_report",
        "gait_slips",
        "impact_outcomes",
        "jam",
        "jam_design",
        "observe",
        "outcomes",
        "paradox",
        "stability",
        "stability_map",
        "uncertainty",
    ],
    "io": ["families", "json", "model_file", "page", "result_file", "tables"],
}
# Programs outside of the library that use it as it is installed.
OUTSIDE = ("examples/", "python/", "tests/consumer/")

# Packages that the core must do without: the first layer that may use each, and where in it.
PACKAGES = {
    "nlopt.hpp": ("analysis", ""),
    "tbb/": ("analysis", "src/slipstick/analysis/parallel_for.cc"),
    "nlohmann/": ("io", ""),
    "toml++/": ("io", ""),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(slipstick/[^>]+)>)')
KEY = r"[A-Z][A-Za-z]+\d{4}[a-z]?"
CITATION = re.compile(rf"\[({KEY}(?:[,;] ?{KEY})*)\]")
REFERENCES = "docs/references.md"
LEFTOVERS = {
    # Written so that this file does not match itself.
    re.compile(r"\b(T[O]DO|F[I]XME)\b"): "unfinished; do it or say why not",
    re.compile(r"(?<![\w.~-])/(home|root|work|Users)/\w"): "path of one machine",
}


def list_files():
    # The directory may belong to another user than the one who checks, e.g. in a container.
    git = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(git, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted({name for name in names if name and Path(name).is_file()})


def find_layer(name):
    """The layer of a file of the library, by its folder or, for a public header, by the table; None: it has none."""
    parts = Path(name).parts
    if parts[:2] == ("include", "slipstick"):
        found = [layer for layer, headers in PUBLIC.items() if Path(name).stem in headers]
        return found[0] if found else None
    return parts[2] if parts[2] in LAYERS else None


def find_included(line):
    """The file of the library that a line includes, or None."""
    match = INCLUDE.match(line)
    if not match or not (target := match[1] or match[2]).startswith("slipstick/"):
        return None
    return f"{'include' if target.count('/') == 1 else 'src'}/{target}"


def check_layers(name, lines):
    """Each `#include` of the library goes to the same layer or one before it, by its full name."""
    is_public = name.startswith("include/slipstick/")
    if not is_public and not name.startswith("src/slipstick/"):
        return
    layer = find_layer(name)
    if layer is None:
        yield 1, "a public header needs a row in tools/lint.py" if is_public else f"no layer: {', '.join(LAYERS)}"
        return
    for number, line in lines:
        match = INCLUDE.match(line)
        if not match:
            continue
        target = find_included(line)
        if target is None:
            yield number, "include headers of the library as \"slipstick/name.h\" or \"slipstick/layer/name.h\", others in <>"
        elif is_public and target.startswith("src/"):
            yield number, "a public header may not include an internal one"
        elif find_layer(target) not in LAYERS[: LAYERS.index(layer) + 1]:
            yield number, f"{layer} may not include {target}"


def check_public(name, lines):
    """A public header opens with prose and an example, and names no package but Eigen."""
    if not name.startswith("include/slipstick/"):
        return
    text = [line for _, line in lines]
    if text[0] != "#pragma once" or not text[2].startswith("/// "):
        yield 3, "expected prose about the header after #pragma once"
    elif not any(line.startswith("///     ") for line in text[2 : text.index("", 2)]):
        yield 3, "expected an example, indented by four spaces, in the prose of the header"
    for number, line in lines:
        if re.match(r"^\s*#\s*include\s*<(?!Eigen/)[^>]*/", line):
            yield number, "a public header may use the standard library and Eigen only"


def check_outside(name, lines):
    """Who uses the installed library includes its public headers."""
    if not name.startswith(OUTSIDE):
        return
    for number, line in lines:
        if (find_included(line) or "").startswith("src/"):
            yield number, "an internal header, which is not installed; include/slipstick has the public ones"


def check_packages(name, lines):
    """The core and the analyses can be built where the packages of io, and threads, are missing."""
    if not name.startswith("src/slipstick/") or not (of := find_layer(name)):
        return
    for number, line in lines:
        for package, (layer, place) in PACKAGES.items():
            if not re.match(rf'^\s*#\s*include\s*[<"]{re.escape(package)}', line):
                continue
            if LAYERS.index(of) < LAYERS.index(layer):
                yield number, f"{of} may not use {package}; {layer} may"
            elif place and name != place:
                yield number, f"only {place} may use {package}"


def read_includes(names):
    """The parts of the library that each part includes. A part is NAME.h with NAME.cc, or a public header."""
    out = {}
    for name in names:
        if not name.startswith(("include/slipstick/", "src/slipstick/")) or Path(name).suffix not in (".h", ".cc"):
            continue
        found = {target[:-2] for line in Path(name).read_text().splitlines() if (target := find_included(line))}
        part = str(Path(name).with_suffix(""))
        out.setdefault(part, set()).update(found - {part})
    return out


def check_cycles(names):
    """No part of the library includes itself through others, so each can be read and tested after those it uses."""
    includes = read_includes(names)
    done = set()

    def find_cycle(part, way):
        if part in way:
            return way[way.index(part) :]
        if part in done or part not in includes:
            return None
        for other in sorted(includes[part]):
            if cycle := find_cycle(other, [*way, part]):
                return cycle
        done.add(part)
        return None

    for part in sorted(includes):
        if cycle := find_cycle(part, []):
            yield f"{cycle[0]}.h", 1, "includes itself: " + " -> ".join([*cycle, cycle[0]])
            return


def read_reference_keys():
    """Keys with an entry: `- **[Key]**` at the start of a line, or a heading with [Key]."""
    path = Path(REFERENCES)
    text = path.read_text() if path.exists() else ""
    return set(re.findall(rf"^(?:- \*\*|#+ .*)\[({KEY})\]", text, re.MULTILINE))


def check_citations(lines, known):
    for number, line in lines:
        for group in CITATION.findall(line):
            for key in re.findall(KEY, group):
                if key not in known:
                    yield number, f"[{key}] has no entry in {REFERENCES}"


def check_leftovers(lines):
    for number, line in lines:
        for pattern, message in LEFTOVERS.items():
            if pattern.search(line):
                yield number, message


def check_shell(name, lines):
    if not (lines and re.match(r"#!.*\b(ba)?sh\b", lines[0][1])):
        return
    answer = subprocess.run(["bash", "-n", name], capture_output=True, text=True).stderr
    for number, message in re.findall(r": line (\d+): (.*)", answer):
        yield number, message


def main():
    known = read_reference_keys()
    names = list_files()
    for name, number, message in check_cycles(names):
        print(f"{name}:{number}: {message}")
    for name in names:
        try:
            lines = list(enumerate(Path(name).read_text(encoding="utf-8").splitlines(), start=1))
        except UnicodeDecodeError:
            continue  # a binary file
        for check in (
            check_layers(name, lines),
            check_packages(name, lines),
            check_public(name, lines),
            check_outside(name, lines),
            check_citations(lines, known),
            check_leftovers(lines),
            check_shell(name, lines),
        ):
            for number, message in check:
                print(f"{name}:{number}: {message}")


if sys.argv[1:2] == ["--list"]:
    sys.stdout.write("".join(f"{n}\0" for n in list_files() if Path(n).suffix in sys.argv[2:]))
else:
    main()
