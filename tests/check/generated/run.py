"""Runs random programs (generate.py, interpreter.c) under `tarry check`. In correct programs nothing may be found but the races that the generator
knows; a planted deadlock must be found, without a time-out, and must end the run.

    run.py --tarry build/bin/tarry --work DIR --library openmpi,mpicc,mpicxx,mpifort,mpirun,libmpi.so … --first SEED --correct N --accesses N --planted N

Seeds count up from --first; each runs under one MPI library, in turn, or under each of them (--each), with each of the options that --with names.
A script that failed stays in DIR. Exit code 77: skipped."""

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys

import generate

HERE = os.path.dirname(os.path.abspath(__file__))
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "..", "scripts", "mpirun-here")
ENVIRONMENT = {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_osc": "^ucx", "OMPI_MCA_odls_base_sigkill_timeout": "0"}
SECONDS = 150
EXIT_ERRORS_FOUND = 4
DEADLOCKS = {"deadlock.cycle", "deadlock.finished-process"}
# Other findings of a planted error.
BESIDES = {"message.tag-mismatch", "message.unmatched-receive", "race.message", "race.message-order"}


def compile_interpreter(work, library, compiler):
    name, mpicc = library.split(",")[:2]
    program = os.path.join(work, f"interpreter-{name}")
    subprocess.run([*compiler, mpicc, "-g", "-O1", "-w", "-fopenmp", "-pthread", "-o", program, os.path.join(HERE, "interpreter.c")], check=True)
    return program


def judge_correct(script, result, report):
    allowed = {"race.message"} if script.races else set()
    # Messages of one line are the same to the program: a note.
    found = {finding["id"].removesuffix("-order") for finding in report["findings"]}
    if not report["trust"]["complete"]:
        yield "the findings are not complete"
    if found - allowed:
        yield f"should not be found: {sorted(found - allowed)}"
    if allowed - found:
        yield f"not found: {sorted(allowed - found)}"
    if result.returncode != 0 or result.stdout != "ok\n":
        yield "the program did not end well"


def judge_planted(result, report):
    found = {finding["id"] for finding in report["findings"]}
    if not found & DEADLOCKS:
        yield f"no deadlock is found: {sorted(found)}"
    if found - DEADLOCKS - BESIDES:
        yield f"should not be found: {sorted(found - DEADLOCKS - BESIDES)}"
    if result.returncode != EXIT_ERRORS_FOUND:
        yield f"the exit code is not {EXIT_ERRORS_FOUND}"


def run_one(options, seed, kind, library, option):
    is_planted = kind == "planted"
    script = generate.Script(seed, is_planted, kind == "accesses")
    name, launcher = library.split(",")[0], library.split(",")[4]
    title = " ".join(filter(None, (kind, str(seed), name, script.planted, option)))
    work = os.path.join(options.work, title.replace(" ", "-"))
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    with open(os.path.join(work, "script"), "w", encoding="utf-8") as file:
        file.write("\n".join(script.lines) + "\n")
    line = [ON_ONE_MACHINE, options.tarry, "check", "-o", "run", "--json", "findings.json", *filter(None, [option]), "--", launcher, "-n", str(script.size),
            options.programs[name], "script", *(["threads" if script.threads else "accesses"] if script.accesses else [])]
    try:
        result = subprocess.run(line, cwd=work, env=dict(os.environ, **ENVIRONMENT), capture_output=True, text=True, errors="replace",
                                timeout=SECONDS, stdin=subprocess.DEVNULL, check=False)
        with open(os.path.join(work, "findings.json"), encoding="utf-8") as file:
            report = json.load(file)
        problems = list(judge_planted(result, report) if is_planted else judge_correct(script, result, report))
        if problems:
            problems.append(f"exit code {result.returncode}; it printed:\n{result.stdout[-1000:]}{result.stderr[-3000:]}")
    except subprocess.TimeoutExpired:
        problems = [f"did not end within {SECONDS} s"]
    except OSError as error:
        problems = [f"there is no list of findings: {error}: {result.stderr[-3000:]}"]
    if not problems:
        shutil.rmtree(work)
    return title, problems


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tarry", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--library", action="append", required=True, help="name,mpicc,mpicxx,mpifort,launcher,libmpi.so")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--correct", type=int, default=0)
    parser.add_argument("--planted", type=int, default=0)
    parser.add_argument("--accesses", type=int, default=0, help="correct ones that load and store in windows and buffers, with threads")
    parser.add_argument("--cc", action="store_true", help="compiled by `tarry cc`")
    parser.add_argument("--each", action="store_true", help="every program under each MPI library")
    parser.add_argument("--with", dest="words", default="", help="options of tarry check, with commas between them: every program runs with each; empty: none")
    parser.add_argument("--jobs", type=int, default=2, help="programs that run at the same time")
    options = parser.parse_args()
    options.tarry, options.work = os.path.abspath(options.tarry), os.path.abspath(options.work)
    options.library = [library for library in options.library if library.split(",")[1]]
    return options


def main():
    options = read_options()
    if not options.library:
        print("skipped: no MPI library here has a compiler")
        sys.exit(77)
    os.makedirs(options.work, exist_ok=True)
    options.programs = {library.split(",")[0]: compile_interpreter(options.work, library, [options.tarry, "cc", "--"] if options.cc else []) for library in options.library}
    runs = [(seed, kind, library, option) for kind in ("correct", "accesses", "planted")
            for seed in range(options.first, options.first + getattr(options, kind))
            for i, library in enumerate(options.library) if options.each or i == seed % len(options.library)
            for option in options.words.split(",")]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for title, problems in pool.map(lambda run: run_one(options, *run), runs):
            failed += bool(problems)
            if problems:
                print(f"FAILED: {title}:\n  " + "\n  ".join(problems), flush=True)
    print(f"{len(runs)} runs, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
