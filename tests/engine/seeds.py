"""Random programs, one seed after the other."""

import os
import sys


def try_all(check, tool_count, wanted, enough=20):
    """Checks seeds as given on the command line: TOOL... [COUNT [FIRST]]. `check` returns the names of observed features;
    from this many seeds on, all wanted features must have been observed."""
    tools, rest = sys.argv[1:1 + tool_count], sys.argv[1 + tool_count:]
    count = (int(rest[0]) if rest else 60) * int(os.environ.get("TARRY_MORE_SEEDS", 1))
    first = int(rest[1]) if len(rest) > 1 else 1
    seen = set()
    for seed in range(first, first + count):
        try:
            seen |= check(tools, seed)
        except AssertionError as wrong:
            sys.exit("seed %d: %s" % (seed, wrong))
    missing = set(wanted) - seen
    if count >= enough and missing:
        sys.exit("never seen: %s" % ", ".join(sorted(missing)))
