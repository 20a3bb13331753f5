"""Every struct and union has a unique name in the whole tree."""

import collections
import re

from tree import finish, lines_of, tracked

NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DEFINITION = re.compile(r"\b(?:struct|union)\s+(\w+)\s*\{")


def main():
    files = collections.defaultdict(set)
    for path in tracked("src/*.c", "src/*.h"):
        for name in DEFINITION.findall(NOT_CODE.sub(" ", "\n".join(lines_of(path)))):
            files[name].add(path)
    problems = [f"struct {name} is defined in {', '.join(sorted(paths))}: give each a name of its own"
                for name, paths in sorted(files.items()) if len(paths) > 1]
    finish(problems, len(files))


main()
