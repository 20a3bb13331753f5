"""More computing ranks than CPUs: they wait for each other, and only a note is given that says why. If one of them also
sleeps, the waits for it are found.

    crowded.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR

Exit code 77: skipped, because the kernel does not report scheduling delays."""

import argparse
import json
import os
import shutil
import subprocess

from crowd import attempt, blamed_without_reason, skip_without_schedstat, sleeper_missed, stay_on_few_cores

HERE = os.path.dirname(os.path.abspath(__file__))
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
RANKS, SLEEP_MS, TIMES = 4, 20, 15
SECONDS = 200


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("mpi", "mpicc", "launcher", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    return parser.parse_args()


def report_of(options, program, *arguments):
    trace, tarry = os.path.join(options.work, "crowded.tarry"), os.path.join(options.bin, "tarry")
    environment = dict(os.environ, OMPI_MCA_hwloc_base_binding_policy="none", PRTE_MCA_hwloc_default_binding_policy="none")
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", options.launcher, "-n",
                    str(RANKS), program, *arguments], check=True, timeout=SECONDS, preexec_fn=stay_on_few_cores,
                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run([tarry, "analyze", "--json", "-", trace], check=True, capture_output=True)
    return json.loads(done.stdout)


def wrong_when_crowded(report, _stretch):
    wrong = blamed_without_reason(report, "processes")
    if not wrong and report["metrics"]["late-sender"]["total_s"] <= 0:
        return "nobody waited at all"
    return wrong


def wrong_when_one_sleeps(report, stretch):
    # Two neighbours wait for each sleep.
    return sleeper_missed(report, RANKS - 1, stretch * SLEEP_MS * 1e-3 * TIMES)


def main():
    options = read_options()
    skip_without_schedstat()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    program = os.path.join(options.work, "crowded")
    subprocess.run([*options.mpicc.split(), "-g", "-O1", "-Wall", "-Wno-stringop-overflow", "-o", program,
                    os.path.join(HERE, "crowded.c")], check=True)
    attempt("crowded", wrong_when_crowded, lambda _: report_of(options, program))
    attempt("one sleeps", wrong_when_one_sleeps, lambda stretch: report_of(options, program, str(stretch * SLEEP_MS)))
    print("crowded: a note, and no finding; with one that sleeps: it is found")


main()
