"""Cuts between nodes, and the time of partitioning: Tarry, METIS and SCOTCH in one run.

    mapping.py BUILD [--random COUNT [--seed NUMBER] [--traffic [FIRST]]]

Cuts are those with exact sizes; "missed" is how many parts had another size before. Times are CPU times, for mappings until the place of
every process is known."""

import argparse
import glob
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS = [("HAVE_METIS", ["-include", "metis.h"], ["-lmetis"]),
         ("HAVE_SCOTCH", ["-I/usr/include/scotch", "-include", "stdio.h", "-include", "stdint.h", "-include", "scotch.h"],
          ["-lscotch", "-lscotcherr", "-lz", "-lm", "-lpthread"])]
# Maximum cut relative to the better of the others.
MOST_CUT = 1.02
# Seconds, by the prefix of a graph's name.
MOST_SECONDS = {"Bruck 64, nodes of 8": 50e-6, "doubling 64, nodes of 8": 50e-6, "Bruck 1048576,": 1.0, "Bruck 1000000,": 1.0}


def compiler():
    return shlex.split(os.environ.get("CC", "cc"))


def has(include, libraries):
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([*compiler(), *include, "-x", "c", "-", "-o", f"{folder}/try", *libraries], input="int main(void) { return 0; }",
                              text=True, stderr=subprocess.DEVNULL).returncode == 0


def compile_driver(folder):
    os.makedirs(folder, exist_ok=True)
    driver, options, libraries = f"{folder}/mapping", [], ["-lm"]
    for name, include, library in PEERS:
        if has(include, library):
            options += [f"-D{name}", *(part for part in include if part.startswith("-I"))]
            libraries += library
        else:
            print(f"{name.removeprefix('HAVE_')} is missing: not compared")
    sources = sorted(glob.glob(f"{ROOT}/src/topo/mapping/*.c")) + [f"{HERE}/{name}.c" for name in ("mapping", "mapping_graphs", "mapping_peers", "mapping_traffic")]
    subprocess.run([*compiler(), "-std=gnu11", "-O2", "-D_GNU_SOURCE", f"-I{ROOT}/src", *options, *sources, "-o", driver, *libraries], check=True)
    return driver


def time_of(seconds):
    for unit, name in ((1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e6:.3g} µs"


def judge(name, ours, peers):
    cut, missed, seconds = ours
    known = [peer[0] for peer in peers if peer[0] >= 0]
    wrong = []
    if missed:
        wrong.append(f"{missed} SIZES MISSED")
    if known and cut > MOST_CUT * min(known):
        wrong.append("MORE CUT")
    if any(name.startswith(start) and seconds > most for start, most in MOST_SECONDS.items()):
        wrong.append("TOO SLOW")
    return wrong


def show(line):
    """Prints one graph. Returns its errors."""
    name, parts, *values = line.rstrip("\n").split("\t")
    results = [(float(values[i]), int(values[i + 1]), float(values[i + 2])) for i in (0, 3, 6)]
    ours, *peers = results
    wrong = judge(name, ours, peers)
    text = f"{name:38} {parts:>7} {ours[0]:>13.0f} {time_of(ours[2]):>8}"
    for cut, missed, seconds in peers:
        text += (f"{cut / ours[0]:9.3f} {missed:6} {seconds / ours[2]:8.3g}" if cut >= 0 and ours[0] else f"{'-':>9} {'-':>6} {'-':>8}")
    print(text + "".join(f"  {word}" for word in wrong), flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--random", type=int, default=0, metavar="COUNT", help="so many layouts drawn at random instead of the usual ones")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    parser.add_argument("--traffic", type=int, nargs="?", const=0, metavar="FIRST",
                        help="with --random: not the graphs of algorithms, but what ranks of programs exchange; the number behind # is FIRST or more")
    arguments = parser.parse_args()
    driver = compile_driver(f"{arguments.build}/bench-coll")
    print(f"{'':38} {'':>7} {'Tarry':>22}{'METIS/Tarry':>25}{'SCOTCH/Tarry':>25}")
    print(f"{'graph':38} {'parts':>7} {'cut':>13} {'time':>8}{'cut':>9} {'missed':>6} {'time':>8}{'cut':>9} {'missed':>6} {'time':>8}")
    words = [str(number) for number in (arguments.random, arguments.seed, arguments.traffic) if number is not None] if arguments.random else []
    wrong = 0
    with subprocess.Popen([driver, *words], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            wrong += bool(show(line))
    if process.returncode:
        raise SystemExit(f"the driver ended with {process.returncode}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
