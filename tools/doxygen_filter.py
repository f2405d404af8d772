"""What Doxygen reads instead of a public header, line by line: doxygen_filter.py HEADER.

The prose that opens a header is the file's, and the comment behind several names is that of each of them.
"""

import re
import sys
from pathlib import Path

NAMES = re.compile(r"^( +)([\w:<>, ]+?) (\w+(?: = [^,;]+)?(?:, \w+(?: = [^,;]+)?)+);( +///<.*(?:\n +///<.*)*)", re.MULTILINE)


def split(match):
    indent, kind, names, comment = match.groups()
    text = " ".join(re.findall(r"///< *(.*)", comment))
    each = " ".join(f"{kind} {name}; /**< {text} */" for name in names.split(", "))
    return indent + each + "\n" * comment.count("\n")


header = Path(sys.argv[1]).read_text()
print(NAMES.sub(split, header.replace("#pragma once\n\n", "#pragma once\n/// @file\n", 1)), end="")
