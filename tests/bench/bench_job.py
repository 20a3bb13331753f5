"""Runs the benchmark's program as a job, and reads its results."""

import argparse
import json
import os
import subprocess
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ON_ONE_MACHINE = os.path.join(HERE, "..", "..", "scripts", "mpirun-here")
SECONDS = 200


class Job:
    """One program of one MPI library, and the folder for the output of its jobs."""

    def __init__(self, options):
        self.program, self.mpi, self.launcher, self.work = options.program, options.mpi, options.launcher, options.work
        os.makedirs(self.work, exist_ok=True)

    def start(self, ranks, *arguments):
        """Exit code, stdout, stderr."""
        command = [ON_ONE_MACHINE, self.launcher, "-n", str(ranks), self.program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        return done.returncode, done.stdout, done.stderr

    def measure(self, ranks, *arguments):
        """The results of a job that must succeed."""
        path = os.path.join(self.work, "results.json")
        if os.path.exists(path):
            os.remove(path)
        code, _, errors = self.start(ranks, "--json", path, *arguments)
        assert code == 0, f"{arguments} ended with {code}: {errors}"
        with open(path, encoding="utf-8") as file:
            results = json.load(file)
        assert results["complete"], "a job that succeeded is complete"
        return results

    def point(self, ranks, *arguments):
        """The only point of such a job."""
        points = self.measure(ranks, *arguments)["points"]
        assert len(points) == 1, f"one point is wanted, not {len(points)}"
        return points[0]


def processors():
    return len(os.sched_getaffinity(0))


def options_of(*further):
    """The options of every test of jobs, and further ones."""
    parser = argparse.ArgumentParser()
    for name in ("program", "mpi", "launcher", "work", *further):
        parser.add_argument(f"--{name}", required=True)
    return parser.parse_args()


def run_all(checks, job=None):
    """Each check gets the job; all are run, and failures are printed."""
    job = job or Job(options_of())
    failed = 0
    for check in checks:
        try:
            check(job)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"{check.__name__}: {check.__doc__}")
            traceback.print_exc()
    print(f"{len(checks) - failed} of {len(checks)} checks passed")
    raise SystemExit(1 if failed else 0)
