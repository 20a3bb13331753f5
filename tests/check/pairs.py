"""Runs wrong programs and their right twins (pairs/) under `tarry check`. The wrong one has to give the finding that its first line
names, at the line that is marked, and nothing else; the right one has to give nothing.

    pairs.py --tarry build/bin/tarry --checks src/check/checks/mpi.checks --work DIR \\
             --library openmpi,mpicc,mpicxx,mpifort,mpirun,libmpi.so --library mpich,… [--each] [--every N] [--times N] pairs/message ...

One source is both programs: with WRONG defined it is the wrong one (of Python: with the argument `wrong`). Its first line says

    pair: check=ID ranks=N [at=RANKS] [among=RANKS] [also=ID,…] [mpi=NAME] [dies] [exit=CODE] [output] [notes] [races] [watchpoints[=stores]] [options=WORDS] [always=WORDS] [flags=WORDS]
          [watched=WAYS]

    check   that has to be found; none: there is only the right program
    at      exactly these ranks take part in the finding; among: these and perhaps others
    also    what has to be found besides
    mpi     the only MPI library that can run it
    dies    MPI may end the wrong program for it: then not all ranks may get so far
    exit    of the wrong program, where only warnings are found: a code, or any; otherwise 0
    options of tarry check for the wrong program, with commas between them
    always  such options for both programs
    flags   of the compiler, with commas between them
    watched ways in which `tarry cc` compiles it, such as gcc-O2,clang-O2: one of them in turn, or each (--each)
    output  the wrong program also prints `ok`, because what it sees of MPI has to be as without the checker
    notes   MPI rejects calls of both programs and returns the error: call.error-returned may be found, or not
    races   it takes messages in whatever order they come: race.message may be found, or not

    watchpoints   it is found only if the kernel allows watchpoints of the processor; =stores: only if these tell stores from loads, too

Comments mark lines: FOUND is where the finding is (FOUND: ID for one of `also`), PARTNER another call of it, MAY one that it may name, USED where
the program uses memory, or starts a thread, ACCESSED the same if the finding has no call, SEEN where it does so and a watchpoint is needed to know the
line, CRASHED where a signal ends it, RELEASED where it frees memory: there the finding is. SHOWS: TEXT in a comment (its last words) is in the arguments of a call of the
wrong program's findings.

--every N: a sample of the pairs, another one with each commit (tests/turns.py). A pair runs under one MPI library, in turn, or under each of
them (--each). Exit code 77: skipped."""

import argparse
import concurrent.futures
import ctypes
import glob
import json
import os
import platform
import re
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))

import turns  # noqa: E402

ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
SUFFIXES = (".c", ".cc", ".F", ".F90", ".py")
NO_WARNINGS_IN_MPI = ["-Wno-stringop-overflow", "-Wno-stringop-overread"]
FLAGS = {
    ".c": ["-std=gnu11", "-Wall", "-Wextra", "-Werror", *NO_WARNINGS_IN_MPI],
    ".cc": ["-std=c++17", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"],
    ".F": ["-ffixed-line-length-none", "-fallow-argument-mismatch", "-w"],
    ".F90": ["-ffree-line-length-none", "-fallow-argument-mismatch", "-w"],
}
# Waiting ranks and threads make room for others; windows work on one machine; killed processes get no second to end by themselves.
FOR_OPEN_MPI = {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_osc": "^ucx", "OMPI_MCA_odls_base_sigkill_timeout": "0"}
CLANG = {"OMPI_CC": "clang", "OMPI_CXX": "clang++", "MPICH_CC": "clang", "MPICH_CXX": "clang++"}
SLEEPING_THREADS = {"OMP_WAIT_POLICY": "passive"}
SECONDS = 150
EXIT_ERRORS_FOUND = 4
ENDS_THE_RUN = {"deadlock.cycle", "deadlock.mismatch", "deadlock.finished-process", "deadlock.hang"}
MARK = re.compile(r"\b(FOUND|PARTNER|MAY|USED|SEEN|ACCESSED|CRASHED|RELEASED)\b(?:: ([a-z.-]+))?")
# Marks of lines without an MPI call, and the marks that they correspond to.
NOT_CALLS = {"USED": "PARTNER", "SEEN": "MAY", "ACCESSED": "FOUND", "CRASHED": "FOUND", "RELEASED": "FOUND"}
SHOWN = re.compile(r"\bSHOWS: (.*?)(?: \*/|$)")
CALL = re.compile(r"\b(P?MPI|shmem)_\w+ ?\(", re.IGNORECASE)


class Library:
    def __init__(self, text):
        self.name, mpicc, mpicxx, fortran, self.launcher, self.path = text.split(",")
        self.compilers = {".c": mpicc, ".cc": mpicxx, ".F": fortran, ".F90": fortran}

    def can_run(self, suffix):
        return self.launcher and (suffix == ".py" or self.compilers[suffix])


def numbers(text):
    return {int(word) for word in text.split(",") if word}


class Pair:
    """A source and its expected findings."""

    def __init__(self, path):
        self.path, self.suffix = path, os.path.splitext(path)[1]
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().splitlines()
        words = self.lines[0].partition("pair:")[2].replace("*/", "").split()
        self.settings = dict(word.partition("=")[::2] for word in words)
        if not {"check", "ranks"} <= set(self.settings):
            sys.exit(f"'{path}': its first line does not say `pair: check=ID ranks=N`")
        self.check, self.ranks = self.settings["check"], self.settings["ranks"]
        self.dies = "dies" in self.settings
        self.expected = [self.check, *self.words_of("also")]
        self.marks = list(self.read_marks())
        self.shown = [text for line in self.lines for text in SHOWN.findall(line)]
        for check in self.expected:
            if check != "none" and not self.lines_of(check, "FOUND"):
                sys.exit(f"'{path}': no line is marked with FOUND for {check}")

    def words_of(self, setting):
        return [word for word in self.settings.get(setting, "").split(",") if word]

    def read_marks(self):
        """(kind, check, line of the call) of all marks. A call of several lines has its mark in any of them."""
        for number, line in enumerate(self.lines[1:], 2):
            for kind, check in MARK.findall(line):
                first = number
                if kind in NOT_CALLS:
                    yield NOT_CALLS[kind], check or self.check, number
                    continue
                while self.suffix != ".py" and first > number - 4 and not CALL.search(self.lines[first - 1]):
                    first -= 1
                yield kind, check or self.check, first

    def lines_of(self, check, *kinds):
        return {line for kind, marked, line in self.marks if kind in kinds and marked == check}

    def is_for(self, library):
        return self.settings.get("mpi", library.name) == library.name and library.can_run(self.suffix)

    def has(self, kind):
        return kind == "right" or self.check != "none"


def read_severities(path):
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(r"^check (\S+)\n(?:\t.*\n)*?\tseverity (\S+)", file.read(), re.MULTILINE))


def read_values(path):
    """The values that findings of each check must have, for its texts."""
    values, check = {}, None
    with open(path, encoding="utf-8") as file:
        for words in map(str.split, file):
            if words[:1] == ["check"]:
                check = values.setdefault(words[1], set())
            elif words[:1] == ["values"] and check is not None:
                check.update(words[1:])
    return values


class Run:
    """One of the two programs of a pair under one MPI library."""

    def __init__(self, options, pair, library, kind, way=None):
        self.options, self.pair, self.library, self.kind, self.way = options, pair, library, kind, way
        self.name = " ".join(filter(None, (os.path.relpath(pair.path, os.path.join(HERE, "pairs")), kind, library.name, way)))
        self.work = os.path.join(options.work, re.sub(r"[^\w.]", "_", self.name))
        self.problems = []

    def build(self):
        suffix, path = self.pair.suffix, self.pair.path
        if suffix == ".py":
            return [python_with("mpi4py"), path, self.kind]
        program = os.path.join(self.work, "program")
        wrong = ["-DWRONG", "-w"] if self.kind == "wrong" else []
        flags = [*FLAGS[suffix], *self.pair.words_of("flags")]
        line, environment = [self.library.compilers[suffix], "-g", "-O0", *flags], dict(os.environ)
        if self.way:
            compiler, level, *options = self.way.split("-")
            line = [self.options.tarry, "cc", *("--" + option for option in options), "--", *line, "-" + level]
            if compiler == "clang":
                environment |= CLANG
                line.append("-Wno-unknown-warning-option")
        line += [*wrong, "-o", program, path, "-lpthread"]
        result = subprocess.run(line, cwd=self.work, capture_output=True, text=True, check=False, env=environment)
        if result.returncode:
            self.problems.append(f"does not compile:\n{result.stderr}")
        return [program]

    def execute(self):
        """Builds it and runs it as often as requested: the result must be right each time."""
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        program = self.build()
        for time in range(self.options.times):
            if self.problems:
                break
            self.run(program)
            if self.problems and self.options.times > 1:
                self.problems.insert(0, f"run {time + 1} of {self.options.times}:")
        if not self.problems:
            shutil.rmtree(self.work)
        return self

    def run(self, program):
        findings_path = os.path.join(self.work, "findings.json")
        if os.path.exists(findings_path):
            os.remove(findings_path)
        chosen = self.pair.words_of("always") + (self.pair.words_of("options") if self.kind == "wrong" else [])
        line = [ON_ONE_MACHINE, self.options.tarry, "check", "-o", "run", "--json", findings_path, *chosen, "--",
                self.library.launcher, "-n", self.pair.ranks, *program]
        try:
            result = subprocess.run(line, cwd=self.work, env=dict(os.environ, **FOR_OPEN_MPI, **SLEEPING_THREADS),
                                    capture_output=True, text=True, errors="replace", timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            self.problems.append(f"did not end within {SECONDS} s")
            return
        self.problems += self.judge_output(result)
        if os.path.exists(findings_path):
            with open(findings_path, encoding="utf-8") as file:
                self.problems += self.judge(json.load(file))
        else:
            self.problems.append("there is no list of findings")
        if self.problems:
            self.problems.append(f"exit code {result.returncode}; it printed:\n{result.stdout[-2000:]}{result.stderr[-4000:]}")

    def judge_output(self, result):
        errors = any(self.options.severities.get(check) == "error" for check in self.pair.expected)
        wanted = "0" if self.kind == "right" else self.pair.settings.get("exit", "0")
        if self.kind == "wrong" and errors:
            wanted = str(EXIT_ERRORS_FOUND)
        if wanted not in ("any", str(result.returncode)):
            yield f"the exit code is not {wanted}"
        if (self.kind == "right" or "output" in self.pair.settings) and result.stdout != "ok\n":
            yield "it did not print `ok`, and nothing else"

    def judge(self, report):
        findings = report["findings"]
        may_be_incomplete = self.kind == "wrong" and (self.pair.dies or self.pair.settings.get("exit") == "any")
        # A run that was ended is incomplete only for that reason.
        stopped = self.kind == "wrong" and set(self.pair.expected) & ENDS_THE_RUN and len(report["trust"].get("reasons", ())) == 1
        if not report["trust"]["complete"] and not may_be_incomplete and not stopped:
            yield f"the findings are not complete: {report['trust']}"
        for finding in findings:
            yield from self.judge_finding(finding)
        if self.kind == "wrong":
            for check in self.pair.expected:
                yield from self.judge_check(check, [finding for finding in findings if finding["id"] == check])
            arguments = [call["arguments"] for finding in findings for call in finding["calls"]]
            yield from (f"no call has the arguments '{text}': {arguments}" for text in self.pair.shown
                        if not any(text in shown for shown in arguments))

    def judge_finding(self, finding):
        check, severity = finding["id"], finding["severity"]
        calls = [(call["function"], call["file"], call["line"]) for call in finding["calls"]]
        text = f"{check} on ranks {finding['ranks']}, {calls}: {finding['message']}"
        if (check, True) in (("race.message", "races" in self.pair.settings),
                             ("race.message-order", "races" in self.pair.settings),
                             ("call.error-returned", "notes" in self.pair.settings)):
            return
        if self.kind == "right" or check not in self.pair.expected:
            yield f"should not be found: {text}"
            return
        if severity != self.options.severities[check]:
            yield f"has severity {severity}: {text}"
        if set(finding["values"]) != self.options.values[check]:
            yield f"has values {sorted(finding['values'])}, not {sorted(self.options.values[check])}: {text}"
        allowed = self.pair.lines_of(check, "FOUND", "PARTNER", "MAY") | self.pair.lines_of(self.pair.check, "MAY", "PARTNER")
        for _, file, line in calls:
            if not file or os.path.basename(file) != os.path.basename(self.pair.path) or line not in allowed:
                yield f"'{file}' line {line} has nothing to do with it: {text}"
        if not calls or calls[0][2] not in self.pair.lines_of(check, "FOUND"):
            yield f"its first call is not in line {sorted(self.pair.lines_of(check, 'FOUND'))}: {text}"

    def judge_check(self, check, findings):
        if not findings:
            yield f"is not found: {check}"
            return
        named = {call["line"] for finding in findings for call in finding["calls"]}
        wanted = self.pair.lines_of(check, "FOUND", "PARTNER")
        if not (named & wanted if self.pair.dies else named >= wanted):
            yield f"{check} is found in lines {sorted(named)}, not in {sorted(wanted)}"
        if check != self.pair.check:
            return
        ranks = {rank for finding in findings for rank in finding["ranks"] if rank is not None}
        at, among = (self.pair.settings.get(key) for key in ("at", "among"))
        fits = ranks <= numbers(at) and ranks if at and self.pair.dies else ranks == numbers(at) if at else True
        if not fits or not (among is None or self.pair.dies or ranks >= numbers(among)):
            yield f"{check} is found on ranks {sorted(ranks)}, not on {at or among}"


def has_watchpoints():
    """Whether the kernel lets a process watch its own memory (perf_event_open, a hardware breakpoint on one byte)."""
    number = {"aarch64": 241, "x86_64": 298}.get(platform.machine())
    watched = ctypes.c_int()
    attributes = ctypes.create_string_buffer(struct.pack("=IIQQQQQIIQQ", 5, 128, 0, 1, 0, 0, 1 | 1 << 5 | 1 << 6, 0, 2,
                                                         ctypes.addressof(watched), 4).ljust(128, b"\0"))
    fd = ctypes.CDLL(None).syscall(number, attributes, 0, -1, -1, 0) if number else -1
    if fd >= 0:
        os.close(fd)
    return fd >= 0


def watchpoints_tell_stores():
    """x86-64 has watchpoints for stores and for both, and no way to tell a load from a store of the same value."""
    return platform.machine() != "x86_64"


def python_with(module):
    for python in filter(None, map(shutil.which, ("python3", "/usr/bin/python3"))):
        if subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("tarry", "checks", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--library", action="append", required=True, help="name,mpicc,mpicxx,mpifort,launcher,libmpi.so")
    parser.add_argument("--each", action="store_true", help="every pair under each MPI library")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time")
    parser.add_argument("--kind", choices=("wrong", "right"), help="only these programs of the pairs")
    parser.add_argument("--every", type=int, default=1, help="only one of so many pairs, in turn")
    parser.add_argument("--times", type=int, default=1, help="runs of each program")
    parser.add_argument("sources", nargs="+", help="folders or files")
    options = parser.parse_args()
    options.tarry, options.work = os.path.abspath(options.tarry), os.path.abspath(options.work)
    options.severities = read_severities(options.checks)
    options.values = read_values(options.checks)
    return options


def find_sources(names):
    for name in names:
        found = [name] if os.path.isfile(name) else sorted(glob.glob(os.path.join(name, "*")))
        yield from (os.path.abspath(path) for path in found if path.endswith(SUFFIXES))


def read_known_missing():
    """Path and library, and why this cannot pass yet."""
    with open(os.path.join(HERE, "known_missing.txt"), encoding="utf-8") as file:
        lines = [line.partition(": ") for line in file.read().splitlines() if line and not line.startswith("#")]
    return {name: reason for name, _, reason in lines}


def plan_runs(options):
    libraries = [Library(text) for text in options.library]
    for i, pair in enumerate(map(Pair, turns.sample(find_sources(options.sources), options.every))):
        unknown = [check for check in pair.expected if check != "none" and check not in options.severities]
        if unknown:
            sys.exit(f"'{pair.path}': {unknown} are no checks")
        if pair.suffix == ".py" and not python_with("mpi4py"):
            print(f"{pair.path}: skipped, no Python here has mpi4py")
            continue
        if "watchpoints" in pair.settings and not has_watchpoints():
            print(f"{pair.path}: skipped, the kernel allows no watchpoints")
            continue
        if pair.settings.get("watchpoints") == "stores" and not watchpoints_tell_stores():
            print(f"{pair.path}: skipped, watchpoints of this processor do not tell stores from loads")
            continue
        fit = [library for library in libraries if pair.is_for(library)]
        for library in fit if options.each else [turns.alternate(i, options.every, fit)] if fit else []:
            ways = [way for way in pair.words_of("watched") if shutil.which(way.partition("-")[0])] or [None]
            for way in ways if options.each else [turns.alternate(i, options.every, ways)]:
                yield from (Run(options, pair, library, kind, way) for kind in ("wrong", "right")
                            if pair.has(kind) and options.kind in (None, kind))


def main():
    options = read_options()
    runs, missing, failed = list(plan_runs(options)), read_known_missing(), 0
    if not runs:
        print("skipped: no MPI library here can run any of these")
        sys.exit(77)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for run in pool.map(Run.execute, runs):
            reason = missing.get(run.name)
            if reason and run.problems:
                print(f"KNOWN TO BE MISSING: {run.name}: {reason}", flush=True)
                continue
            if reason:
                run.problems.append("passes: take it out of known_missing.txt")
            failed += bool(run.problems)
            if run.problems:
                print(f"FAILED: {run.name}:\n  " + "\n  ".join(run.problems), flush=True)
    print(f"{len(runs)} programs, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
