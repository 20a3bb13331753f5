"""The first run of a user, under one MPI library: all findings are correct, and none is missing.

    truth.py --mpi mpich --mpicc mpicc.mpich --fc mpifort.mpich --launcher mpiexec.mpich --bin build/bin --work DIR [--times N]

* truth/heat.f90 with four ranks, of which the last sleeps in each step, and with an empty cache: every finding that is shown
  comes from this rank;
* truth/*.c and truth/halo.f90 have nothing to find: nothing of weight is shown of them, with more ranks than cores, however busy the
  machine is.

A clean program may be tried once more. `--times`: so often, one after the other and nothing tried again, what has nothing to find also with two
ranks. Exit code 77: skipped."""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

from tries import HOST_MAY_TAKE, processor_times, stretch_now, taken_by_host

HERE = os.path.dirname(os.path.abspath(__file__))
TRUTH = os.path.join(HERE, "truth")
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
SECONDS = 300
RANKS = 4
SLOW_MS = 20
# A part of a finding may result from noise on a busy machine.
NOISE = 0.1
# Smaller costs are insignificant: runs are short, and no two processes arrive at the same moment. A run of a tenth of a second shows the effect of a
# single time slice on each rank.
WEIGHT = 0.02
SLICE_S = 0.010


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fc", default="")
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    options.tarry = os.path.join(os.path.abspath(options.bin), "tarry")
    return options


def build(options, source):
    program = os.path.join(options.work, os.path.splitext(os.path.basename(source))[0])
    words = ([options.mpicc, "-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow"] if source.endswith(".c")
             else [options.fc])
    subprocess.run([*words, "-g", "-O2", "-o", program, source, "-lm"], check=True, cwd=options.work)
    return program


def shown(options, ranks, *program):
    """The findings that a new user of Tarry sees."""
    cache, trace = os.path.join(options.work, "cache"), os.path.join(options.work, "run.tarry")
    shutil.rmtree(cache, ignore_errors=True)
    environment = dict(os.environ, XDG_CACHE_HOME=cache, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_osc="^ucx")
    subprocess.run([ON_ONE_MACHINE, options.tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", options.launcher,
                    "-n", str(ranks), *program], check=True, timeout=SECONDS, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    done = subprocess.run([options.tarry, "report", "--json", "-", trace], check=True, capture_output=True, env=environment)
    return json.loads(done.stdout)["findings"]


def line_of(source, text):
    with open(source, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def is_from_slow(finding, line):
    """The slow rank is the cause: it computes longer, a message came from it, or it arrived last."""
    if finding["pattern"] == "mpi.imbalance":
        return finding["processes"] == [RANKS - 1]
    others = sum(partner["total_s"] for partner in finding["partners"]
                 if partner["line"] != line and partner["ranks"] != [RANKS - 1])
    return finding["partners"] and others <= NOISE * finding["total_s"]


def told(finding):
    partners = ", ".join(f"{partner['place']} of {partner['ranks']}: {partner['total_s']:.3f} s" for partner in finding["partners"])
    return (f"{finding['pattern']} at {finding['place']} on {finding['processes']}, {100 * finding['share']:.1f} %, "
            f"{finding['total_s']:.3f} s ({partners})")


def wrong_in_heat(options, program, line):
    findings = shown(options, RANKS, program, str(SLOW_MS * stretch_now()))
    named = [finding for finding in findings if is_from_slow(finding, line)]
    return [f"heat: false: {told(finding)}" for finding in findings if finding not in named] or \
           ([] if named else ["heat: the slow rank is not found"])


def has_weight(finding, ranks):
    return finding["share"] >= WEIGHT and finding["total_s"] >= SLICE_S * ranks


def run_clean(options, program, ranks):
    return [f"{os.path.basename(program)} with {ranks} ranks: {told(finding)}" for finding in shown(options, ranks, program)
            if has_weight(finding, ranks)]


def judge(options, run, *arguments):
    """The errors of a run. A run with steal time does not count (tries.py): then there are none, but it is skipped."""
    before = processor_times()
    wrong = run(options, *arguments)
    taken = taken_by_host(before)
    if wrong and taken > HOST_MAY_TAKE:
        print(f"it does not count, the host of this machine took {taken:.0%} of its processors' time: {'; '.join(wrong)}", flush=True)
        options.disturbed += 1
        return []
    return wrong


def wrong_with(options, program, ranks):
    """One of two runs may fail by chance, unless all are evaluated (`--times`)."""
    wrong = judge(options, run_clean, program, ranks)
    if not wrong or options.times > 1:
        return wrong
    print(f"tried again: {'; '.join(wrong)}", flush=True)
    return judge(options, run_clean, program, ranks)


def wrong_in_clean(options, programs):
    sizes = (2, RANKS) if options.times > 1 else (RANKS,)
    return [fault for program in programs for ranks in sizes for fault in wrong_with(options, program, ranks)]


def main():
    options = read_options()
    if not options.fc:
        print("skipped: no Fortran compiler of this MPI library")
        sys.exit(77)
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    source = os.path.join(TRUTH, "heat.f90")
    heat, line = build(options, source), line_of(source, "from the slow rank on")
    clean = [build(options, program) for program in [*sorted(glob.glob(os.path.join(TRUTH, "*.c"))), os.path.join(TRUTH, "halo.f90")]]
    wrong, options.disturbed = [], 0
    for number in range(1, options.times + 1):
        found = judge(options, wrong_in_heat, heat, line) + wrong_in_clean(options, clean)
        print(f"run {number} of {options.times}: {'; '.join(found) or 'as it is'}", flush=True)
        wrong += found
    if wrong:
        sys.exit(f"FAILED: {len(wrong)} times something was wrong")
    if options.disturbed:
        print("skipped: the host of this machine takes its processors away")
        sys.exit(77)


main()
