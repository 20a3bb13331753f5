"""One test of `tarry coll`: builds a program, runs it alone and with libtarry-coll, and compares output and exit code; then checks the report.

    preload.py --mpicc mpicc.mpich --fc mpifort.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/errors.c [--ranks 4]
               [--by coll|run|exec|all] [--algorithm LIST] [--off] [--forced OPERATION=CALLS ...] [--finding CHECK]

--by all: by `tarry exec`, with the checker and the recorder before libtarry-coll. --finding: the expected finding of the checker; otherwise none.
--forced: the operation was done by an algorithm of --algorithm, in this many calls on MPI_COMM_WORLD. Exit code 77: skipped, there is no Fortran
compiler."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MPIRUN_HERE = str(HERE.parent.parent / "scripts" / "mpirun-here")
SECONDS = 150


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fc", default="")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--by", choices=["coll", "run", "exec", "all"], default="coll")
    parser.add_argument("--algorithm")
    parser.add_argument("--off", action="store_true")
    parser.add_argument("--forced", nargs="*", default=[])
    parser.add_argument("--finding")
    parser.add_argument("source")
    return parser.parse_args()


def build(options, work):
    program = work / "program"
    fortran = options.source.endswith((".f90", ".f"))
    if fortran and not options.fc:
        print("skipped: no Fortran compiler")
        sys.exit(77)
    flags = ["-O1", "-g", *(["-std=legacy"] if options.source.endswith(".f") else [])] if fortran else ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-pthread", "-Wno-stringop-overflow"]
    subprocess.run([options.fc if fortran else options.mpicc, *flags, "-o", program, os.path.abspath(options.source)], check=True, cwd=work)
    return str(program)


def run(words, work):
    environment = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_osc": "^ucx", "OMPI_MCA_odls_base_sigkill_timeout": "0",
                   "XDG_CACHE_HOME": str(work)}
    done = subprocess.run([MPIRUN_HERE, *words], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=SECONDS, check=False)
    # MPICH's launcher reports a killed process, with its number.
    return done.returncode, sorted(line for line in done.stdout.splitlines() if not line.startswith("=")), done.stderr


def launch(options, program):
    return [options.launcher, "-n", str(options.ranks), program]


def tarry_words(options, program, work):
    tarry = os.path.join(os.path.abspath(options.bin), "tarry")
    choice = (["--algorithm", options.algorithm] if options.algorithm else []) + (["--off"] if options.off else [])
    if options.by == "run":
        return [tarry, "run", "--coll", *choice, "--no-analyze", "-o", "traced", "--", *launch(options, program)]
    if options.by == "exec":
        return [*launch(options, program)[:-1], tarry, "exec", "--coll", *choice, program]
    if options.by == "all":
        return [*launch(options, program)[:-1], tarry, "exec", "--check", "--record", "--coll", *choice, program]
    return [tarry, "coll", *choice, "--json", str(work / "chosen.json"), "--", *launch(options, program)]


def fail(text, *more):
    print(text, *more, sep="\n")
    sys.exit(1)


def check_chosen(options, work):
    chosen = json.loads((work / "chosen.json").read_text())["collectives"]
    if options.off and chosen:
        fail("something was chosen with --off", chosen)
    wanted = dict(part.split("=") for part in options.algorithm.split(",")) if options.algorithm else {}
    for operation, calls in (part.split("=") for part in options.forced):
        found = [c for c in chosen if c["operation"] == operation and c["processes"] == options.ranks and c["forced"]]
        if not any(c["done_by"] == wanted[operation] and c["calls"] == int(calls) for c in found):
            fail(f"{operation} was not done by '{wanted[operation]}' in {calls} calls", chosen)


def check_findings(options, work):
    """The checker sees the program's own calls, whichever library executes them."""
    tarry = os.path.join(os.path.abspath(options.bin), "tarry")
    end = time.monotonic() + SECONDS
    while True:
        done = subprocess.run([tarry, "check", "--show", "program.check", "--json", "findings.json"], cwd=work, stderr=subprocess.PIPE, text=True,
                              check=False)
        # The analyser may end slightly after the job.
        if "Check incomplete" not in done.stderr or time.monotonic() > end:
            break
        time.sleep(0.5)
    found = sorted({finding["id"] for finding in json.loads((work / "findings.json").read_text())["findings"]})
    if found != ([options.finding] if options.finding else []):
        fail(f"the checker found {found}:", done.stderr)


def check_trace(options, work, trace):
    """Each collective is one call, whichever library executed it, and none of our own calls is recorded."""
    tarry = os.path.join(os.path.abspath(options.bin), "tarry")
    text = subprocess.run([tarry, "info", "--json", trace], cwd=work, stdout=subprocess.PIPE, text=True, check=True).stdout
    counts = {f["name"]: f["calls"] for f in json.loads(text)["functions"]}
    source = pathlib.Path(options.source).read_text()
    repeats = int(re.search(r"REPEATS = (\d+)", source).group(1))
    expected = {"MPI_Barrier": 3 * repeats, "MPI_Allgather": 6 * repeats, "MPI_Bcast": 3 * repeats, "MPI_Reduce_scatter": 3 * repeats}
    for name, calls in expected.items():
        if counts.get(name) != calls * options.ranks:
            fail(f"{name}: {counts.get(name)} calls in the trace instead of {calls * options.ranks}")
    for name in ("MPI_Sendrecv", "MPI_Send", "MPI_Isend", "MPI_Comm_create"):
        if name in counts:
            fail(f"{name} in the trace, which the program does not call")


def main():
    options = read_options()
    work = pathlib.Path(options.work).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    program = build(options, work)
    code, output, _ = run(launch(options, program), work)
    coll_code, coll_output, told = run(tarry_words(options, program, work), work)
    if (code, output) != (coll_code, coll_output):
        fail(f"exit code {code} by itself, {coll_code} with Tarry; output:", *output, "with Tarry:", *coll_output, told)
    if options.by == "coll":
        check_chosen(options, work)
    if options.by in ("coll", "run") and not re.search(r"^tarry: collectives", told, re.M):
        fail("nothing was told of collectives:", told)
    if sum(line.startswith("tarry:") for line in told.splitlines()) > 20:
        fail("too much was told:", told)
    if options.by == "run":
        check_trace(options, work, "traced.tarry")
    if options.by == "all":
        check_findings(options, work)
        if not options.finding:
            check_trace(options, work, "program.tarry")
    left = sorted(path.name for path in work.glob("*.coll"))
    if left != (["program.coll"] if options.by in ("exec", "all") else []):
        fail("folders are left:", *left)
    if left:
        tarry = os.path.join(os.path.abspath(options.bin), "tarry")
        told = subprocess.run([tarry, "coll", "--report", "program.coll"], cwd=work, stderr=subprocess.PIPE, text=True, check=True).stderr
        if not told.startswith("tarry: collectives of"):
            fail("nothing was told by --report:", told)


if __name__ == "__main__":
    main()
