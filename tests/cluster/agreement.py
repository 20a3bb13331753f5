"""`tarry coll` in a job on two nodes whose processes cannot or need not agree by themselves: settings that differ or are damaged, a process without
the library or with another version, folders that are not shared, and a machine that was calibrated. The program's output is always the same.

    agreement.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR [--sample] options.c"""

import os
import shutil
import subprocess
import sys

from cluster import HERE, Cluster
from options import Done, Jobs, read_options

sys.path.insert(0, os.path.join(HERE, "..", "mpi"))
import job

PROGRAM = "app"
FORCED = "TARRY_COLL_ALGORITHM=allgather%3Dring"
BY_RING = "MPI_Allgather of 4 bytes: by 'ring', as requested"
LEFT = "collectives: all calls used the MPI library"


class Rig:
    """Two ranks of one job, each on its node and started in its own way."""

    def __init__(self, jobs, tarry):
        self.jobs, self.tarry = jobs, tarry
        self.program = os.path.join(jobs.options.work, PROGRAM)
        self.printed = jobs.run([self.program]).printed
        assert len(self.printed) == 2, self.printed

    def run(self, first, second, tarry=("coll",), by=None, **how):
        words = [*first, self.program, ":", "-n", "1", *second, self.program]
        cluster, options = self.jobs.cluster, self.jobs.options
        words_of_tarry = [by or self.tarry, *tarry] if tarry else []
        result = cluster.run_job(options.mpi, words, launcher=options.launcher, tarry=words_of_tarry, first_count=1,
                                 timeout=150, **{"cwd": options.work, **how})
        done = Done(result, options)
        assert (done.printed, result.returncode) == (self.printed, 0), f"{done.printed} {result.returncode}:\n{result.stderr}"
        return result.stderr


def expect(text, *wanted):
    """Each is printed once."""
    for sentence in wanted:
        assert text.count(sentence) == 1, f"'{sentence}' is said {text.count(sentence)} times:\n{text}"


def check_different(rig):
    """Those of process 0 apply."""
    expect(rig.run(["env", FORCED], []), BY_RING)
    said = rig.run([], ["env", FORCED, "TARRY_COLL_LEVELS=node%3D1e-09%2C1e%2B12"])
    assert "as requested" not in said and "of 2 processes on 2 nodes" in said, said


def check_damaged(rig):
    expect(rig.run(["env", "TARRY_COLL_ALGORITHM=nonsense"], []), LEFT, "'nonsense' is not a list of algorithms")
    expect(rig.run(["env", "TARRY_COLL_LEVELS=nonsense"], []), LEFT, "'nonsense' are not latencies")
    expect(rig.run(["env", FORCED], ["env", "TARRY_COLL_ALGORITHM=nonsense"]), BY_RING)


def check_without_library(rig):
    without = ["env", "-u", "TARRY_COLL", f"LD_PRELOAD={rig.jobs.cluster.built('libstay_connected.so')}"]
    expect(rig.run([], without), LEFT, "only 1 of 2 processes run with this version of libtarry-coll")
    expect(rig.run(without, []), LEFT, "process 0 does not run with this version of libtarry-coll")


def other_version(options):
    """The same installation except for the version of libtarry-coll, in a folder whose name Open MPI takes for a variable."""
    prefix = os.path.join(options.work, "other=1")
    for folder in ("bin", "lib"):
        shutil.copytree(os.path.join(options.bin, "..", folder), os.path.join(prefix, folder), ignore=shutil.ignore_patterns("test-*", "*.a"))
    version = subprocess.run([os.path.join(options.bin, "tarry"), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    library = os.path.join(prefix, "lib", f"libtarry-coll-{options.mpi}.so")
    with open(library, "rb") as file:
        content = file.read()
    mark = version.encode() + b"\0"
    assert mark in content, f"'{library}' does not have version {version}"
    with open(library, "wb") as file:
        file.write(content.replace(mark, b"9" * len(version) + b"\0"))
    return os.path.join(prefix, "bin", "tarry")


def check_version(rig):
    other = other_version(rig.jobs.options)
    rig.run([rig.tarry, "exec", "--coll"], [other, "exec", "--coll"], tarry=())
    check_report(rig, rig.jobs.options.work, "only 1 of 2 processes")
    expect(rig.run(["env", FORCED], [], by=other), BY_RING)


def check_report(rig, folder, wanted):
    report = rig.jobs.cluster.run_on(0, [rig.tarry, "coll", "--report", f"{PROGRAM}.coll"], cwd=folder)
    expect(report.stderr, LEFT, wanted)


def check_unshared(rig):
    """Each node has its own /dev/shm."""
    each = [rig.tarry, "exec", "--coll"]
    rig.run(each, each, tarry=(), cwd="/dev/shm")
    check_report(rig, "/dev/shm", "only 1 of 2 processes")


def check_calibrated(rig):
    """The levels are a setting with all kinds of characters."""
    cluster, options = rig.jobs.cluster, rig.jobs.options
    measured = cluster.run_job(options.mpi, [], launcher=options.launcher, tarry=[rig.tarry, "coll", "calibrate", "--mpi", options.mpi],
                               cwd=options.work)
    assert measured.returncode == 0, measured.stderr
    assert "of 2 processes on 2 nodes" in rig.run([], [])


SAMPLE = (check_different,)
ALL = (*SAMPLE, check_calibrated, check_damaged, check_without_library, check_version, check_unshared)


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    subprocess.run([options.mpicc, *job.FLAGS[".c"], "-fopenmp", "-o", os.path.join(options.work, PROGRAM), options.source], check=True)
    with Cluster(nodes=2) as cluster:
        rig = Rig(Jobs(options, cluster, None), os.path.join(options.bin, "tarry"))
        for check in SAMPLE if options.sample else ALL:
            check(rig)
            print(check.__name__, "is right")


if __name__ == "__main__":
    main()
