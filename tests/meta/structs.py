"""Every struct and union has a name of its own in the whole tree. struct-names.txt lists those that still have not."""

import collections
import os
import re

from tree import finish, lines_of, tracked

KNOWN = os.path.join(os.path.dirname(__file__), "struct-names.txt")
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DEFINITION = re.compile(r"\b(?:struct|union)\s+(\w+)\s*\{")


def main():
    known = {line for line in lines_of(KNOWN) if line and not line.startswith("#")}
    files = collections.defaultdict(set)
    for path in tracked("src/*.c", "src/*.h"):
        for name in DEFINITION.findall(NOT_CODE.sub(" ", "\n".join(lines_of(path)))):
            files[name].add(path)
    problems = [f"struct {name} is defined in {', '.join(sorted(paths))}: give each a name of its own"
                for name, paths in sorted(files.items()) if len(paths) > 1 and name not in known]
    for name in sorted(known):
        if len(files[name]) < 2:
            print(f"struct-names.txt: '{name}' is defined once and can go from the list")
    finish(problems, len(files))


main()
