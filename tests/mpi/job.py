"""One test: builds a program of this folder with the wrappers of an MPI library, runs it alone and under `tarry`, and
compares: the same output, the same exit code, and a trace with the planted calls.

    job.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/io.c

Exit code 77: skipped, something that the program needs is not here."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import check
import dumped
import planted
import watched

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
INCLUDE = os.path.join(HERE, "..", "..", "include")
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
# -O1 makes no sibling calls, which have no line. GCC takes MPICH's MPI_STATUSES_IGNORE for an array that is too
# small.
FLAGS = {
    ".c": ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-misleading-indentation",
           "-Wno-stringop-overflow", "-Wno-stringop-overread"],
    ".cc": ["-O1", "-g", "-Wall", "-Wextra", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"],
    ".f": ["-O0", "-g", "-std=legacy"],
    ".f90": ["-O0", "-g"],
}
SECONDS = 200
# What a clock is called on the command line, and in the trace.
CLOCKS = {"clock_gettime": "monotonic", "gettimeofday": "realtime", "MPI_Wtime": "wtime"}
UNSHARE = ["unshare", "--mount", "--map-root-user"]
# Waiting ranks yield to others. Debian disables the only kind of windows that needs nothing from the machine,
# `pt2pt`: this enables it. Processes that are to be killed get no time to end by themselves.
FOR_OPEN_MPI = {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_osc": "^ucx", "OMPI_MCA_odls_base_sigkill_timeout": "0"}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("mpicxx", "fc", "library"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--by", choices=["run", "exec"], default="run", help="how the recording is started")
    parser.add_argument("--how", choices=["plain", "valgrind", "full-disk"], default="plain")
    parser.add_argument("--timer", choices=CLOCKS, help="the clock to record with")
    parser.add_argument("source")
    options = parser.parse_args()
    options.source, options.work = os.path.abspath(options.source), os.path.abspath(options.work)
    return options


def build(source, options):
    """Path of the program, or of the script that needs no building."""
    suffix = os.path.splitext(source)[1]
    if suffix in (".py", ".sh"):
        return source
    compiler = {".c": options.mpicc, ".cc": options.mpicxx}.get(suffix, options.fc)
    if not compiler:
        skip(f"{options.mpi} has no compiler for '{source}'")
    program = os.path.join(options.work, os.path.splitext(os.path.basename(source))[0])
    module = planted.read_settings(source).get("module")
    sources = [os.path.join(INCLUDE, module), source] if module else [source]
    line = [compiler, *FLAGS[suffix], "-I", INCLUDE, "-o", program, *sources, "-lpthread", "-ldl"]
    result = subprocess.run(line, cwd=options.work, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"'{source}' does not compile:\n{result.stderr}")
    return program


def python_with(module):
    for python in filter(None, map(shutil.which, ("python3", "/usr/bin/python3"))):
        if not module or subprocess.run([python, "-c", f"import {module}"], capture_output=True,
                                        check=False).returncode == 0:
            return python
    return skip(f"no Python here has the module '{module}'")


def sources_of(source, settings):
    """The source itself and those of the programs that run with it."""
    others = [settings[key] + ".c" for key in ("with", "runs") if key in settings]
    return [source] + [os.path.join(PROGRAMS, other) for other in others]


def without_numbers_of_processes(text):
    """MPICH's launcher prints them when a process is killed."""
    return re.sub(r"PID \d+", "PID", text)


def has_checksum(text):
    return "checksum" in text


class Job:
    def __init__(self, options):
        self.options = options
        self.settings = planted.read_settings(options.source)
        self.sources = sources_of(options.source, self.settings)
        shutil.rmtree(options.work, ignore_errors=True)
        os.makedirs(options.work)
        self.programs = [build(source, options) for source in self.sources]
        self.trace = os.path.join(options.work, "trace.tarry")
        self.tarry = os.path.join(options.bin, "tarry")

    def words(self, program):
        if program.endswith(".py"):
            return [python_with(self.settings.get("needs")), program]
        return [program]

    def launch_line(self, before=()):
        """mpirun -n 2 [before] program, and the other programs of the job after a colon."""
        started = self.programs if "with" in self.settings else self.programs[:1]
        line = [self.options.launcher]
        for i, program in enumerate(started):
            line += [":"] if i else []
            line += ["-n", self.settings["ranks"], *before, *self.words(program)]
        return line

    def run(self, line, seconds=SECONDS):
        environment = dict(os.environ, PROGRAM_FOLDER=self.options.work, MPI_LIBRARY=self.options.library,
                           MPI_NAME=self.options.mpi, **FOR_OPEN_MPI)
        line = [ON_ONE_MACHINE, *line]
        if "exit" in self.settings:
            return watched.run(line, has_checksum, seconds, self.options.work, env=environment)
        return subprocess.run(line, cwd=self.options.work, env=environment, text=True, timeout=seconds, capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)

    def run_traced(self, before=()):
        options = ["-o", self.trace, *filter(None, [self.settings.get("options")])]
        if self.options.timer:
            options += ["--timer", self.options.timer]
        if self.options.by == "exec":
            return self.run(self.launch_line([self.tarry, "exec", *options, *before]))
        return self.run([self.tarry, "run", *options, "--", *self.launch_line(before)])

    def compare(self, plain, traced):
        """Changes by recording, of which there must be none."""
        if "incomplete" not in self.settings and "exit" not in self.settings and plain.returncode:
            yield f"the program itself fails with {plain.returncode}:\n{plain.stdout}{plain.stderr}"
        if self.settings.get("exit", "any") not in ("any", str(plain.returncode)):
            yield f"the program itself ends with {plain.returncode}, not {self.settings['exit']}"
        if plain.returncode != traced.returncode:
            yield f"the exit code {plain.returncode} is {traced.returncode} when recorded:\n{traced.stderr}"
        if without_numbers_of_processes(plain.stdout) != without_numbers_of_processes(traced.stdout):
            yield f"the output is\n{plain.stdout}but when recorded\n{traced.stdout}"

    def dump(self):
        """The trace as text. If it was not merged, because its job was killed, it is merged first. Open MPI also
        kills processes that are still in MPI_Finalize when another has ended with an exit code."""
        killed = "incomplete" in self.settings or self.settings.get("exit", "0") != "0"
        if killed and not os.path.exists(self.trace):
            self.must([self.tarry, "recover", self.trace])
        if os.path.exists(self.trace + ".parts"):
            sys.exit(f"'{self.trace}.parts' was left behind: {os.listdir(self.trace + '.parts')}")
        return self.must([self.tarry, "dump", self.trace])

    def must(self, line):
        result = subprocess.run(line, capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"{' '.join(line)} failed with {result.returncode}: {result.stderr}")
        return result.stdout

    def plan(self):
        plan = planted.join_plans([planted.read_plan(source) for source in self.sources])
        plan.settings = dict(self.settings, more=len(self.programs) - 1 if "with" in self.settings else 0)
        return plan

    def test(self):
        plain, traced = self.run(self.launch_line()), self.run_traced()
        problems = list(self.compare(plain, traced))
        if not problems:
            text = self.dump()
            problems = check.check_text(self.plan(), text) + list(self.check_clocks(text))
            problems += self.check_matching()
        return problems

    def check_matching(self):
        """In a program that ran to its end, all messages were received, and all members joined all collectives."""
        if "exit" in self.settings or "incomplete" in self.settings or "unmatched" in self.settings:
            return
        told = json.loads(self.must([self.tarry, "info", "--json", self.trace]))
        for key, count in told["matching"].items():
            if count and key not in ("messages", "collectives", "cancelled"):
                yield f"the replay has {key} {count}"
        if told["violations_left"]["messages"] or told["violations_left"]["collectives"]:
            yield f"corrected times leave violations: {told['violations_left']}"

    def check_clocks(self, text):
        """All processes have the clock that was asked for, and their own time goes forward."""
        for process in dumped.read_dump(text) if self.options.timer else ():
            if not process.properties["clock"][0].startswith(CLOCKS[self.options.timer] + "@"):
                yield f"rank {process.rank} has the clock {process.properties['clock']}"
            events = process.threads[0]
            if not all(before.end <= event.start for before, event in zip(events, events[1:], strict=False)):
                yield f"the events of rank {process.rank} are not in order"

    def test_with_valgrind(self):
        """Only errors of our libraries count: MPI libraries have many of their own."""
        valgrind = shutil.which("valgrind") or skip("valgrind is missing")
        log = os.path.join(self.options.work, "valgrind.%p.xml")
        traced = self.run_traced([valgrind, "-q", "--leak-check=full", "--xml=yes", f"--xml-file={log}"])
        logs = [name for name in os.listdir(self.options.work) if name.endswith(".xml")]
        if traced.returncode or len(logs) < int(self.settings["ranks"]):
            return [f"the job failed with {traced.returncode}, {len(logs)} logs:\n{traced.stderr}"]
        problems = [error for name in logs for error in our_errors(os.path.join(self.options.work, name))]
        return problems or check.check_text(self.plan(), self.dump())

    def test_on_full_disk(self):
        """The program does not notice, and the trace says from when on events were lost."""
        if subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode:
            skip("no file system of its own can be had here")
        small, text = (os.path.join(self.options.work, name) for name in ("small", "dump.txt"))
        os.mkdir(small)
        plain = self.run(self.launch_line())
        traced = self.run([*UNSHARE, "sh", os.path.join(HERE, "full_disk.sh"),
                           self.tarry, small, text, self.settings["options"], *self.launch_line()])
        if traced.returncode == 77:
            skip("no small file system can be mounted here")
        problems = list(self.compare(plain, traced))
        if not problems and not os.path.exists(text):
            problems = [f"there is no trace:\n{traced.stderr}"]
        if not problems:
            with open(text, encoding="utf-8") as file:
                if not any(process.loss for process in dumped.read_dump(file.read())):
                    problems = [f"the trace does not say that events were lost:\n{traced.stderr}"]
        return problems


def is_ours(frames):
    """Whether the error occurred in one of our libraries, rather than in MPI below it. The C library acts for its
    caller."""
    objects = [os.path.basename(frame[3]) for frame in frames]
    callers = [name for name in objects if not name.startswith(("vgpreload", "libc.", "ld-"))]
    return bool(callers) and callers[0].startswith("libtarry-")


def our_errors(path):
    for error in xml.etree.ElementTree.parse(path).getroot().findall("error"):
        frames = [[frame.findtext(key, "") for key in ("fn", "file", "line", "obj")]
                  for frame in error.iter("frame")]
        if is_ours(frames):
            what = error.findtext("what") or error.findtext("xwhat/text") or error.findtext("kind")
            yield "\n\t".join([what] + [" ".join(frame) for frame in frames])


def main():
    options = read_options()
    job = Job(options)
    tests = {"plain": job.test, "valgrind": job.test_with_valgrind, "full-disk": job.test_on_full_disk}
    problems = tests[options.how]()
    for problem in problems[:40]:
        print(problem)
    if len(problems) > 40:
        print(f"… and {len(problems) - 40} more")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
