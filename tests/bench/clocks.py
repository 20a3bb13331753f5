"""Timers and the common clock of all processes."""

import bench_job

TIMERS = ("monotonic", "gettimeofday", "mpi_wtime")
BAD = {"backwards": "went back", "coarse": "too coarse"}
# Planted clocks are 123 ms apart: the remaining error must be far less, even on a busy machine.
APART_NS = 123456789


def true_error_ns(results):
    return int(results["facts"]["clock"]["true error max"].split()[0])


def planted_shifts_are_found(job):
    """Each method of synchronisation finds a clock that is set wrong and drifts."""
    for method, ranks in (("linear", 2), ("ring", 3), ("tree", 2)):
        results = job.measure(ranks, "--sync", method, "--plant", "drift:20", "--clock-truth", "--max-runs", "1",
                              "--time-limit", "1", "barrier")
        assert results["facts"]["clock"]["synchronisation"] == method
        assert true_error_ns(results) < APART_NS / 3, (method, results["facts"])


def each_timer_measures(job):
    """Self-tests ran with it, and something was measured."""
    for timer in TIMERS:
        results = job.measure(2, "--timer", timer, "--max-runs", "1", "--time-limit", "1", "barrier")
        assert results["facts"]["clock"]["timer"] == timer
        assert set(results["facts"]["self-tests"]) == {"WaitPatternNull", "WaitPatternUp"}
        assert len(results["points"]) == 1


def bad_timers_are_refused(job):
    """Nothing is measured, and the reason is printed once."""
    for fault, reason in BAD.items():
        code, output, errors = job.start(2, "--plant", f"timer:{fault}", "barrier")
        assert code == 1, f"{fault}: exit code {code}"
        assert errors.count(reason) == 1 and "use another" in errors, errors
        assert "MPI_Barrier" not in output


def unknown_words_are_misuse(job):
    """A sentence with the right words, from one process."""
    for arguments, known in ((["--timer", "sundial"], "monotonic_raw"), (["--sync", "guess"], "linear")):
        code, _, errors = job.start(2, *arguments, "barrier")
        assert code == 2, f"{arguments}: exit code {code}: {errors}"
        assert known in errors and errors.count("tarry-bench:") == 1, errors


bench_job.run_all([planted_shifts_are_found, each_timer_measures, bad_timers_are_refused, unknown_words_are_misuse])
