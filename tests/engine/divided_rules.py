"""Processes divide an analysis with all shipped rules. A rule that compares ranks by rows that the leader does not get would make one process analyse
every trace alone.

Usage: divided_rules.py TARRY ANALYZE MPIRUN
"""

import sys

from random_peers import check, text_of

# Programs without calls that only one process can analyse.
SEEDS = (1, 2)


def main(tarry, analyze, mpirun):
    for seed in SEEDS:
        assert check(tarry, analyze, mpirun.split(), text_of(seed), (2,)), (
            "one process analyses the trace of seed %d alone: which rule needs rows of other ranks? (rules_divide in src/analysis/engine)" % seed)


if __name__ == "__main__":
    main(*sys.argv[1:])
