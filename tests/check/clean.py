"""Runs correct programs under `tarry check`, which must find nothing: all examples and the corpus. The slow programs of each pattern
(examples/patterns/*/bad.c) are also correct.

    clean.py --tarry build/bin/tarry --work DIR --library openmpi,mpicc,mpicxx,mpifort,mpirun,libmpi.so --library … [--every N] [--each]

--every N: a sample of the programs, another one with each commit (tests/turns.py). A program runs under one MPI library, in turn, or
under each (--each). Exit code 77: skipped."""

import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys

import pairs
from pairs import turns

ROOT = os.path.normpath(os.path.join(pairs.HERE, "..", ".."))
EXAMPLES = os.path.join(ROOT, "examples")
CORPUS = os.path.join(ROOT, "tests", "corpus", "programs")
STRETCH = os.path.join(ROOT, "tests", "knowledge", "stretch.h")
# Ranks and arguments of examples that do not specify them.
OTHERS = {"heat/heat.c": ("4", ["20", "1", "1"]), "jacobi/before.c": ("3", []), "jacobi/after.c": ("3", []),
          "own-library/jacobi.c": ("3", ["even"]), "slow-io/slow_io.c": ("3", ["later"])}
# These provoke errors to handle them: exactly those are found.
PROVOKED = {"patterns/ready-send-error/bad.c": {"message.not-ready"}, "patterns/early-ready-send/bad.c": {"message.not-ready"},
            "patterns/wait-irsend/bad.c": {"message.not-ready"}, "bfs.cc": {"argument.rank-outside"}, "retry.c": {"argument.rank-outside"},
            "careful.c": {"argument.rank-outside", "argument.negative-count", "argument.root-outside", "message.truncated", "call.error-returned"}}
# These accept messages in any order and treat all alike: race.message may be reported, or not.
RACING = {"patterns/hot-receiver/bad.c", "patterns/needless-wildcard/bad.c", "patterns/server-queue/bad.c", "patterns/server-queue/good.c",
          "patterns/wrong-order-sources/bad.c", "patterns/wrong-order-sources/good.c", "bfs.cc", "steal.c", "master_worker.c", "services.c",
          "coupled.c", "word_count.py"}
# These would hang if MPI buffered nothing: receives in another order than the sends; two processes that ask each other at the same time.
BUFFERED = {"patterns/wrong-order-send/bad.c", "steal.c"}
FLAGS = {".c": ["-std=gnu11"], ".cc": pairs.FLAGS[".cc"], ".f90": []}


class Program:
    def __init__(self, path):
        self.path, self.suffix = path, os.path.splitext(path)[1]
        with open(path, encoding="utf-8") as file:
            head = "".join(file.readline() for _ in range(12))
        words = re.search(r"(?:tarry-example|corpus):([^\n*]*)", head)
        self.settings = dict(word.partition("=")[::2] for word in words[1].split()) if words else {}
        self.ranks = self.settings.get("ranks", "2")
        self.arguments = [word for word in self.settings.get("args", "").split(",") if word]
        if not words:
            self.ranks, self.arguments = OTHERS[os.path.relpath(path, EXAMPLES)]
        self.name = os.path.relpath(path, ROOT)

    def is_for(self, library):
        compiler = library.compilers.get({".f90": ".F90"}.get(self.suffix, self.suffix), True)
        return self.settings.get("mpi", library.name) == library.name and compiler and library.launcher

    def sources(self):
        beside = os.path.join(os.path.dirname(self.path), "solver.c")
        return [self.path, beside] if os.path.exists(beside) else [self.path]

    def build(self, library, work, before):
        """The command that starts it, or a text that says why not."""
        if self.suffix == ".py":
            python = pairs.python_with(self.settings.get("needs", "sys"))
            return [python, self.path] if python else f"skipped: no Python here has {self.settings['needs']}"
        compiler = library.compilers[{".f90": ".F90"}.get(self.suffix, self.suffix)]
        more = ["-fopenmp"] if "openmp" in self.settings else []
        if self.path.startswith(os.path.join(EXAMPLES, "patterns")):
            more += ["-include", STRETCH, "-DSTRETCH=1"]
        result = subprocess.run([*before, compiler, "-g", "-O1", *FLAGS[self.suffix], *more, "-o", os.path.join(work, "program"),
                                 *self.sources(), "-lm", "-lpthread", "-ldl"], cwd=work, capture_output=True, text=True,
                                check=False)
        return result.stderr if result.returncode else [os.path.join(work, "program")]


def judge(program, result, findings_path):
    provoked = PROVOKED.get(os.path.basename(program.path), PROVOKED.get(os.path.relpath(program.path, EXAMPLES), set()))
    allowed = {"race.message", "race.message-order"} if any(program.path.endswith("/" + name) for name in RACING) else set()
    if any(program.path.endswith("/" + name) for name in BUFFERED):
        allowed.add("deadlock.potential-send")
    if result.returncode != (pairs.EXIT_ERRORS_FOUND if provoked else 0):
        yield f"exit code {result.returncode}"
    if not os.path.exists(findings_path):
        yield "there is no list of findings"
        return
    with open(findings_path, encoding="utf-8") as file:
        found = json.load(file)
    if not found["trust"]["complete"]:
        yield f"the findings are not complete: {found['trust']}"
    if provoked - {finding["id"] for finding in found["findings"]}:
        yield f"not all of these are found: {sorted(provoked)}"
    for finding in (finding for finding in found["findings"] if finding["id"] not in provoked | allowed):
        places = [(call["function"], call["file"], call["line"], call["rank"]) for call in finding["calls"]]
        yield f"{finding['id']} on ranks {finding['ranks']}, {places}: {finding['message']}"


def run(options, program, library):
    """Name, and the error."""
    name = f"{program.name} {library.name}"
    work = os.path.join(options.work, re.sub(r"[^\w.]", "_", name))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    words = program.build(library, work, [options.tarry, "cc", "--"] if options.cc else [])
    if isinstance(words, str):
        return name, [] if words.startswith("skipped") else [words]
    findings_path = os.path.join(work, "findings.json")
    environment = dict(os.environ, MPI_NAME=library.name, MPI_LIBRARY=library.path, OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", **pairs.FOR_OPEN_MPI)
    line = [pairs.ON_ONE_MACHINE, options.tarry, "check", "-o", "run", "--json", findings_path, "--", library.launcher, "-n",
            program.ranks, *words, *program.arguments]
    try:
        result = subprocess.run(line, cwd=work, env=environment, capture_output=True, text=True, errors="replace",
                                timeout=pairs.SECONDS, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return name, [f"did not end within {pairs.SECONDS} s"]
    problems = list(judge(program, result, findings_path))
    if problems:
        problems.append(f"it printed:\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    else:
        shutil.rmtree(work)
    return name, problems


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("tarry", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--library", action="append", required=True, help="name,mpicc,mpicxx,mpifort,launcher,libmpi.so")
    parser.add_argument("--every", type=int, default=1, help="only one of so many programs, in turn")
    parser.add_argument("--cc", action="store_true", help="compiled by `tarry cc`")
    parser.add_argument("--each", action="store_true", help="every program under each MPI library")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time")
    parser.add_argument("sources", nargs="*", help="these only")
    options = parser.parse_args()
    options.tarry, options.work = os.path.abspath(options.tarry), os.path.abspath(options.work)
    return options


def find_sources(options):
    patterns = sorted(glob.glob(os.path.join(EXAMPLES, "patterns", "*", "*.c")))
    others = [os.path.join(EXAMPLES, name) for name in OTHERS]
    corpus = sorted(path for path in glob.glob(os.path.join(CORPUS, "*")) if path.endswith((".c", ".cc", ".f90", ".py")))
    return options.sources or turns.sample(patterns + others + corpus, options.every)


def main():
    options = read_options()
    libraries = [pairs.Library(text) for text in options.library]
    runs, failed = [], 0
    for i, program in enumerate(Program(os.path.abspath(path)) for path in find_sources(options)):
        fit = [library for library in libraries if program.is_for(library)]
        runs += [(program, library) for library in (fit if options.each else [turns.alternate(i, options.every, fit)] if fit else [])]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, problems in pool.map(lambda both: run(options, *both), runs):
            failed += bool(problems)
            if problems:
                print(f"FAILED: {name}:\n  " + "\n  ".join(problems), flush=True)
    print(f"{len(runs)} programs, {failed} failed")
    sys.exit(failed > 0 if runs else 77)


main()
