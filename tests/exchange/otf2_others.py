#!/usr/bin/env python3
"""Content of other tools' archives besides MPI does not become MPI, and their information is used. Usage: otf2_others.py TARRY
MAKE_ARCHIVE"""

import json
import os
import subprocess
import sys
import tempfile

from common import check, dump, events_of, finish, lines_of, replay_fault, run


class Archives:
    def __init__(self, tarry, maker, folder):
        self.tarry, self.maker, self.folder, self.known = tarry, maker, folder, {}

    def imported(self, kind):
        """(path of the trace, its text, what the import said)"""
        if kind not in self.known:
            self.known[kind] = self.make(kind)
        return self.known[kind]

    def make(self, kind):
        place, trace = os.path.join(self.folder, kind), os.path.join(self.folder, kind + ".tarry")
        subprocess.run([self.maker, kind, place], check=True)
        code, _, errors = run(self.tarry, "import", "-o", trace, os.path.join(place, "traces.otf2"))
        check(code == 0, "cannot import %s: %s" % (kind, errors))
        check(not replay_fault(self.tarry, trace), "%s: %s" % (kind, replay_fault(self.tarry, trace)))
        return trace, dump(self.tarry, trace), errors.removesuffix("tarry: trace: %s\n" % trace)

    def analyzed(self, trace):
        code, text, errors = run(self.tarry, "report", "--all", "--json", "-", trace)
        check(code == 0, "cannot analyze %s: %s" % (trace, errors))
        return json.loads(text)


def close_to(value, expected):
    return abs(value - expected) < 2e-6


def check_hybrid(archives):
    """Of 300 us each process computes for 100; three of its four threads do not use MPI."""
    trace, text, said = archives.imported("hybrid")
    comms = {line.rsplit('"', 2)[1] for line in lines_of(text, "comm")}
    check(comms == {"MPI_COMM_WORLD", "half"}, "communicators are %s" % comms)
    check(not lines_of(text, "object"), "there are windows: %s" % lines_of(text, "object"))
    calls = sorted({event.name for event in events_of(text) if event.name.startswith("MPI_")})
    check(calls == ["MPI_Barrier", "MPI_Comm_split", "MPI_Finalize", "MPI_Init"], "calls are %s" % calls)
    check("other records have no counterpart" in said, "records of CUDA are left out in silence: %s" % said)
    split = next(event for event in events_of(text) if event.name == "MPI_Comm_split")
    check(split.values("comm") == ["0x1"] and split.values("newcomm") == ["0x2"], "the split is %s" % split.fields)
    report = archives.analyzed(trace)
    efficiency = report["summary"]["efficiency"]
    check(close_to(efficiency["parallel"], 1 / 3), "the efficiency is %s" % efficiency)
    ranks = [(rank["computing_s"], rank["communication_s"]) for rank in report["summary"]["ranks"]]
    check(all(close_to(computing, 1e-4) and close_to(communication, 2e-4) for computing, communication in ranks),
          "ranks have %s" % ranks)
    shares = {row["call"]: row["share"] for row in report["summary"]["functions"]}
    check(close_to(shares["MPI_Barrier"], 2 / 3), "shares are %s" % shares)


def check_call_path(archives):
    """Regions of the program are the call path."""
    trace, _, _ = archives.imported("hybrid")
    shown = run(archives.tarry, "dump", trace)[1].decode()
    barriers = [line for line in shown.splitlines() if " MPI_Barrier " in line]
    check(barriers and all(line.endswith("# exchange in solve.c < main in solve.c") for line in barriers), "barriers are at %s" % barriers)
    report = archives.analyzed(trace)
    paths = {row["call"]: row for row in report["summary"]["call_paths"]}
    way = [step["function"] for step in paths["MPI_Barrier"]["path"]]
    check(paths["MPI_Barrier"]["function"] == "exchange" and way == ["main"], "the way to MPI_Barrier is %s" % paths["MPI_Barrier"])


def check_small_sends(archives):
    """Messages up to 1000 bytes need no receiver; that of 50000 may."""
    trace, _, said = archives.imported("small_sends")
    check(not said, "the import said: %s" % said)
    found = {finding["pattern"]: finding["occurrences"] for finding in archives.analyzed(trace)["findings"]}
    waits = {pattern: count for pattern, count in found.items() if pattern.startswith("mpi.wait-")}
    check(waits == {"mpi.wait-irecv-isend": 1, "mpi.wait-isend": 1}, "waits are %s" % waits)


def check_offsets(archives):
    trace, text, _ = archives.imported("offsets")
    clocks = [line for line in lines_of(text, "property") if line.startswith("property clock ")]
    check(clocks == ['property clock "otf2"', 'property clock "otf2 of process 1"'], "clocks are %s" % clocks)
    report = archives.analyzed(trace)
    check(3e-6 <= report["run"]["uncertainty_s"] <= 5e-6, "clocks are off by %s" % report["run"]["uncertainty_s"])
    starts = {event.process[1]: event.start for event in events_of(text) if event.name == "MPI_Barrier"}
    check(starts == {"0": 100000, "1": 150000}, "times are %s" % starts)
    waited = report["metrics"]["barrier-wait"]["total_s"]
    check(close_to(waited, 5e-5), "the wait is %s" % waited)


def findings_of_teams(archives, kind):
    """pattern -> (microseconds, lines, ranks), and nothing else is found."""
    trace, _, said = archives.imported(kind)
    check(not said, "the import said of %s: %s" % (kind, said))
    found = {}
    for finding in archives.analyzed(trace)["findings"]:
        if finding["pattern"].startswith("omp."):
            total, lines, ranks = found.get(finding["pattern"], (0, set(), set()))
            found[finding["pattern"]] = total + finding["total_s"] * 1e6, lines | {finding["line"]}, ranks | set(finding["processes"])
    return {pattern: (round(total), lines, ranks) for pattern, (total, lines, ranks) in found.items()}


def check_teams(archives):
    """Waits of threads of OpenMP, each with the same program without the wait. A process is charged what a thread waits, divided by the
    two threads of its team."""
    both = {0, 1}
    found = findings_of_teams(archives, "late_thread")
    check(found == {"omp.barrier-wait": (300, {24, 26}, both)}, "a late thread: %s" % found)
    found = findings_of_teams(archives, "contended")
    check(found == {"omp.critical-wait": (100, {31}, both), "omp.lock-wait": (50, {None}, both)}, "locks: %s" % found)
    found = findings_of_teams(archives, "serial_work")
    check(found == {"omp.idle-threads": (2000, {30}, both)}, "serial work: %s" % found)
    for kind in ("even_team", "without_teams"):
        found = findings_of_teams(archives, kind)
        check(not found, "%s: %s" % (kind, found))


def check_team_figures(archives):
    """Activity of OpenMP threads does not affect the efficiency between processes; the same trace is exported and imported again."""
    trace, text, _ = archives.imported("contended")
    report = archives.analyzed(trace)
    check(close_to(report["run"]["time_s"], 2 * 3990e-6), "the run takes %s s" % report["run"]["time_s"])
    advice = {finding["pattern"]: finding["advice"] for finding in report["findings"]}
    check("thread 1 waited up to 100 us" in advice["omp.critical-wait"] and "until thread 0 released it" in advice["omp.critical-wait"],
          "the advice is: %s" % advice["omp.critical-wait"])
    place, again = os.path.join(archives.folder, "out"), os.path.join(archives.folder, "again.tarry")
    code, _, errors = run(archives.tarry, "export", "--otf2", place, trace)
    check(code == 0, "cannot export: %s" % errors)
    code, _, errors = run(archives.tarry, "import", "-o", again, place)
    check(code == 0 and dump(archives.tarry, again) == text, "the way there and back changes the trace: %s" % errors)


def main(tarry, maker):
    with tempfile.TemporaryDirectory() as folder:
        archives = Archives(tarry, maker, folder)
        check_hybrid(archives)
        check_call_path(archives)
        check_small_sends(archives)
        check_offsets(archives)
        check_teams(archives)
        check_team_figures(archives)
    finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
