"""The rules of this tree that no common tool knows. Prints `file:line: message` per problem.

    lint.py               checks every file that git knows or would take
    lint.py --list EXT... prints the names of such files, each ended by a NUL byte
"""

import re
import subprocess
import sys
from pathlib import Path

# A directory of src/slipstick includes only itself and those before it.
LAYERS = ["core", "model", "contact", "impact", "sim", "analysis", "sweep", "io"]

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
    # Written so that this file does not find itself.
    re.compile(r"\b(T[O]DO|F[I]XME)\b"): "unfinished; do it or say why not",
    re.compile(r"(?<![\w.~-])/(home|root|work|Users)/\w"): "path of one machine",
}


def list_files():
    # The directory may belong to another user than the one who checks, e.g. in a container.
    git = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(git, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted({name for name in names if name and Path(name).is_file()})


def check_layers(name, lines):
    """Each `#include` of the library goes to the same layer or one before it, by its full name."""
    parts = Path(name).parts
    if parts[:2] != ("src", "slipstick"):
        return
    layer = parts[2]
    if layer not in LAYERS:
        yield 1, f"'{layer}' is not a layer; they are {', '.join(LAYERS)}"
        return
    for number, line in lines:
        if not (match := INCLUDE.match(line)):
            continue
        target = (match[1] or match[2]).split("/")
        if target[0] != "slipstick" or len(target) < 3:
            yield number, "include headers of the library as \"slipstick/layer/name.h\", others in <>"
        elif target[1] not in LAYERS[: LAYERS.index(layer) + 1]:
            yield number, f"{layer} may not include {target[1]}"


def check_packages(name, lines):
    """The core and the analyses can be built where the packages of io, and threads, are missing."""
    parts = Path(name).parts
    if parts[:2] != ("src", "slipstick") or parts[2] not in LAYERS:
        return
    for number, line in lines:
        for package, (layer, place) in PACKAGES.items():
            if not re.match(rf'^\s*#\s*include\s*[<"]{re.escape(package)}', line):
                continue
            if LAYERS.index(parts[2]) < LAYERS.index(layer):
                yield number, f"{parts[2]} may not use {package}; {layer} may"
            elif place and name != place:
                yield number, f"only {place} may use {package}"


def read_includes(names):
    """Headers that each part of the library includes. A part is NAME.h with NAME.cc."""
    out = {}
    for name in names:
        path = Path(name)
        if path.parts[:2] != ("src", "slipstick") or path.suffix not in (".h", ".cc"):
            continue
        found = re.findall(r'^\s*#\s*include\s*"(slipstick/[^"]+)\.h"', path.read_text(), re.MULTILINE)
        part = str(path.relative_to("src").with_suffix(""))
        out.setdefault(part, set()).update(other for other in found if other != part)
    return out


def check_cycles(names):
    """No part of the library includes itself through others: each can be read and tested after those it uses."""
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
            yield f"src/{cycle[0]}.h", 1, "includes itself: " + " -> ".join([*cycle, cycle[0]])
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
            continue  # a picture or the like
        for check in (
            check_layers(name, lines),
            check_packages(name, lines),
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
