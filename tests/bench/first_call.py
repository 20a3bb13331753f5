"""First and second call: whose time counts, jobs that started apart, and the printed ratio."""

import os
import subprocess

import bench_job

SLEEP_US = 300000
VARIANTS = ["first call", "second call", "first call on rank 0", "second call on rank 0"]


def by_variant(results):
    return {point["variant"]: point for point in results["points"]}


def a_slow_first_call_shows(job):
    """Rank 1 sleeps in its first call: the slowest rank shows it, rank 0 of a broadcast does not."""
    points = by_variant(job.measure(2, "--first-call", "--sizes", "64", "--plant", f"slow:1:{SLEEP_US}", "bcast"))
    assert list(points) == VARIANTS, list(points)
    assert all(point["ranks"] == 2 and point["bytes"] == 64 and point["runs"] == 1 for point in points.values())
    if points["first call"]["right"]:
        assert points["first call"]["median_s"] >= SLEEP_US * 1e-6
        assert points["first call"]["median_s"] > points["first call on rank 0"]["median_s"]


def a_late_start_is_not_valid(job):
    """Nothing is reported of a job in which one rank started late."""
    points = by_variant(job.measure(2, "--first-call", "--sizes", "64", "--plant", "late:1", "bcast"))
    assert all(point["right"] == 0 and point["median_s"] is None for point in points.values()), points


def one_call_is_the_first(job):
    """Several operations or sizes in one job are rejected, and operations that need messages
    before."""
    for words, sentence in ((["bcast", "reduce"], "name one operation"), (["--sizes", "1,2", "bcast"], "give one size"),
                            (["--sizes", "8", "neighbor_allgather"], "must communicate"),
                            (["--memory"], "different things"), (["--ranks", "2", "bcast"], "leave out '--ranks'")):
        code, _, errors = job.start(2, "--first-call", *words)
        assert code != 0 and sentence in errors, (words, code, errors)


def the_command_starts_fresh_jobs(job):
    """Five for each operation; the table has a ratio for each, and `show` prints the same table."""
    tarry = os.path.join(os.path.dirname(job.program), "tarry")
    path = os.path.join(job.work, "first.json")
    command = [bench_job.ON_ONE_MACHINE, tarry, "bench", "--mpi", job.mpi, "--first-call", "-n", "2", "-o", path, "barrier"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=bench_job.SECONDS, check=False, cwd=job.work)
    assert done.returncode == 0, done
    (row,) = [line.split() for line in done.stdout.splitlines() if line.startswith("MPI_Barrier")]
    assert len(row) == 10 and row[2] == "2" and row[-1].startswith("5/"), row
    shown = subprocess.run([tarry, "bench", "show", path], capture_output=True, text=True, check=True)
    assert shown.stdout == done.stdout, (shown.stdout, done.stdout)
    assert not [name for name in os.listdir(job.work) if name.startswith(".tarry-")], os.listdir(job.work)


bench_job.run_all([a_slow_first_call_shows, a_late_start_is_not_valid, one_call_is_the_first, the_command_starts_fresh_jobs])
