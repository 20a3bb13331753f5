"""Whether pairs.py notices errors in a list of findings, and whether each check has several pairs, also in Fortran."""

import collections
import contextlib
import glob
import io
import os
import sys
import tempfile
import types

import pairs

SOURCE = """/* pair: check=message.lost also=leak.request ranks=3 at=0,1 {words} */
	MPI_Send(&a, 1, MPI_INT, 1, 0, comm); /* FOUND */
	MPI_Isend(&a, 1, MPI_INT, 1, 0, comm,
	          &request); /* PARTNER FOUND: leak.request */
	MPI_Start(&request); /* MAY */
	MPI_Barrier(comm);
"""
SEVERITIES = {"message.lost": "error", "leak.request": "warning", "end.crash": "error"}
VALUES = {"message.lost": {"tag"}, "leak.request": set(), "end.crash": set()}


def finding(check, ranks, lines, severity=None, file="pair.c", values=None):
    calls = [{"function": "MPI_Send", "file": file, "line": line, "arguments": "count = 1, dest = 2"} for line in lines]
    values = dict.fromkeys(VALUES[check] if values is None else values, "")
    return {"id": check, "severity": severity or SEVERITIES[check], "ranks": ranks, "calls": calls, "message": "text",
            "values": values}


LOST, LEAK = finding("message.lost", [0, 1], [2, 3]), finding("leak.request", [2], [3])
CRASH = finding("end.crash", [1], [6])
# What is found, in which program, with which words in its first line; and what has to be said of it.
CASES = [
    ([LOST, LEAK], "wrong", "", None),
    ([finding("message.lost", [0, 1], [2, 3, 5]), LEAK], "wrong", "", None),
    ([LEAK], "wrong", "", "is not found: message.lost"),
    ([LOST], "wrong", "", "is not found: leak.request"),
    ([LOST, LEAK, CRASH], "wrong", "", "should not be found: end.crash"),
    ([LOST, LEAK, CRASH], "wrong", "dies", "should not be found: end.crash"),
    ([finding("message.lost", [1], [2]), LEAK], "wrong", "dies", None),
    ([LOST], "right", "dies", "should not be found: message.lost"),
    ([], "right", "", None),
    ([LOST, LEAK], "wrong", "SHOWS: count = 1", None),
    ([LOST, LEAK], "wrong", "SHOWS: count = 2", "no call has the arguments 'count = 2'"),
    ([finding("message.lost", [0, 1], [2, 3], "warning"), LEAK], "wrong", "", "has severity warning"),
    ([finding("message.lost", [0, 1, 2], [2, 3]), LEAK], "wrong", "", "is found on ranks [0, 1, 2], not on 0,1"),
    ([finding("message.lost", [0], [2, 3]), LEAK], "wrong", "", "is found on ranks [0], not on 0,1"),
    ([finding("message.lost", [0, 1], [3, 2]), LEAK], "wrong", "", "its first call is not in line [2]"),
    ([finding("message.lost", [0, 1], [2]), LEAK], "wrong", "", "is found in lines [2], not in [2, 3]"),
    ([finding("message.lost", [0, 1], [2, 3, 6]), LEAK], "wrong", "", "line 6 has nothing to do with it"),
    ([finding("message.lost", [0, 1], [2, 3], file="other.c"), LEAK], "wrong", "", "'other.c' line 2 has nothing to do"),
    ([finding("message.lost", [0, 1], [None]), LEAK], "wrong", "", "line None has nothing to do with it"),
    ([finding("message.lost", [0, 1], [2, 3], values=["dest"]), LEAK], "wrong", "", "has values ['dest'], not ['tag']"),
]
# Exit code, what was printed, in which program, with which words in its first line; and what has to be said of it.
ENDS = [
    (4, "", "wrong", "", None),
    (0, "", "wrong", "", "the exit code is not 4"),
    (0, "ok\n", "right", "", None),
    (4, "ok\n", "right", "", "the exit code is not 0"),
    (0, "", "right", "", "it did not print `ok`"),
    (0, "ok\nok\n", "right", "", "it did not print `ok`"),
    (4, "", "wrong", "output", "it did not print `ok`"),
]
LIBRARIES = [f"{name},cc,c++,fc,run,lib" for name in ("openmpi", "mpich")]
CHECKS = os.path.join(pairs.HERE, "..", "..", "src", "check", "checks", "mpi.checks")
FEWEST = 2
# Kinds of checks that programs in Fortran never need: calls of OpenSHMEM's Fortran interface are not seen.
NOT_IN_FORTRAN = ("shmem.",)


def run_of(folder, kind, words):
    path = os.path.join(folder, "pair.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SOURCE.format(words=words))
    options = types.SimpleNamespace(work=folder, severities=SEVERITIES, values=VALUES)
    return pairs.Run(options, pairs.Pair(path), pairs.Library("fake,cc,c++,fc,run,lib"), kind)


def expect(problems, wanted, case):
    if not problems and wanted is None:
        return
    if wanted is None or not any(wanted in problem for problem in problems):
        sys.exit(f"FAILED: {case}: {problems}, not: {wanted}")


def expect_pairs(suffixes_of, checks):
    """What is missing: a check has several pairs, one of them in Fortran."""
    for check in checks:
        suffixes = suffixes_of[check]
        if len(suffixes) < FEWEST:
            yield f"{check} has {len(suffixes)} pairs, fewer than {FEWEST}"
        if {".F", ".F90"}.isdisjoint(suffixes) != check.startswith(NOT_IN_FORTRAN):
            yield f"{check} has {'a' if check.startswith(NOT_IN_FORTRAN) else 'no'} pair in Fortran"


def expect_complete():
    suffixes_of = collections.defaultdict(list)
    for path in pairs.find_sources(sorted(glob.glob(os.path.join(pairs.HERE, "pairs", "*")))):
        pair = pairs.Pair(path)
        for check in pair.expected:
            suffixes_of[check].append(pair.suffix)
    missing = list(expect_pairs(suffixes_of, pairs.read_severities(CHECKS)))
    if missing:
        sys.exit("FAILED: " + "\n".join(missing))
    # It notices missing pairs.
    expect(list(expect_pairs({"a": [".c", ".c"]}, ["a"])), "a has no pair in Fortran", "no Fortran")
    expect(list(expect_pairs({"a": [".F90"]}, ["a"])), "a has 1 pairs", "one pair")


def planned(folder, every):
    """Which programs `make test` runs of a folder, under which library."""
    options = types.SimpleNamespace(library=LIBRARIES, every=every, each=False, kind=None, work="/nowhere", sources=[folder],
                                    severities=pairs.read_severities(CHECKS))
    return {run.name for run in pairs.plan_runs(options)}


def expect_each_in_turn():
    """Consecutive commits run every pair under every library."""
    pairs.python_with = lambda module: "python3"
    pairs.has_watchpoints = pairs.watchpoints_tell_stores = lambda: True
    for every in (1, 3, 6):
        for folder in sorted(glob.glob(os.path.join(pairs.HERE, "pairs", "*"))):
            ran = set()
            for turn in range(100, 100 + every * len(LIBRARIES)):
                os.environ["TARRY_TEST_TURN"] = str(turn)
                ran |= planned(folder, every)
            all_runs = sum(bool(pair.is_for(library)) * (1 + (pair.check != "none")) for library in map(pairs.Library, LIBRARIES)
                           for pair in map(pairs.Pair, pairs.find_sources([folder])))
            if len(ran) != all_runs:
                sys.exit(f"FAILED: of {all_runs} programs in '{folder}', {len(ran)} run in turn, one of {every}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for findings, kind, words, wanted in CASES:
            report = {"findings": findings, "trust": {"complete": True}}
            expect(list(run_of(folder, kind, words).judge(report)), wanted, (findings, kind, words))
        report = {"findings": [LOST, LEAK], "trust": {"complete": False}}
        expect(list(run_of(folder, "wrong", "").judge(report)), "are not complete", report)
        for code, printed, kind, words, wanted in ENDS:
            result = types.SimpleNamespace(returncode=code, stdout=printed)
            expect(list(run_of(folder, kind, words).judge_output(result)), wanted, (code, printed, kind, words))
    expect_complete()
    with contextlib.redirect_stdout(io.StringIO()):
        expect_each_in_turn()
    print(f"{len(CASES) + len(ENDS) + 1} cases")


main()
