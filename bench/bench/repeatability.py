"""How well a measurement repeats from job to job: `tarry bench` against a typical simple benchmark."""

import math
import random
from statistics import mean, median, stdev

JOBS = 10  # over which a standard error is taken
# Of so many jobs: the ratio of two standard errors of ten values is mostly random, and in some groups the machine itself changes
# its state, which affects all contenders alike.
GROUPS = 5
# Enough that the scatter from run to run (8 % of a barrier) is below the differences between jobs.
RUNS = 4000
# In the same time: its runs follow each other at once, those of `tarry bench` wait for their starts. A barrier of 0.33 us takes it
# 0.7 us with the barrier before, and us 2 us with all that is between runs and stages; longer operations differ less.
NAIVE_RUNS = 3 * RUNS
NAIVE_WARM_UP = 200
RUNS_WANTED = ("--max-right", str(RUNS), "--min-right", str(RUNS), "--max-runs", str(2 * RUNS))
# The budget is for the operation that depends most on the start of processes, which is also that of the paper.
OPERATIONS = (("barrier", "MPI_Barrier", 0, 0.5), ("allreduce", "MPI_Allreduce", 8192, None), ("bcast", "MPI_Bcast", 65536, None))
RESAMPLES = 2000


def standard_error(values):
    """Of the mean of repeated measurements, in percent."""
    return stdev(values) / (mean(values) * math.sqrt(len(values))) * 100


def groups(values):
    return [values[first:first + JOBS] for first in range(0, len(values), JOBS)]


def typical_error(values):
    return median(standard_error(group) for group in groups(values))


def ratio_of_groups(ours, theirs):
    return median(standard_error(one) / standard_error(other) for one, other in zip(groups(ours), groups(theirs)))


def redraw(pairs, chance):
    """The same number of rounds, drawn with replacement from each group."""
    return [chance.choice(group) for group in groups(pairs) for _ in group]


def likely_ratios(ours, theirs, chance):
    """The range of nine of ten ratios if rounds are drawn again."""
    pairs = list(zip(ours, theirs))
    ratios = sorted(ratio_of_groups(*zip(*redraw(pairs, chance))) for _ in range(RESAMPLES))
    return ratios[RESAMPLES // 20], ratios[-RESAMPLES // 20]


def measure_in_turns(jobs, mpi, operation, name, size, chance):
    """A job of each contender in each round, in random order: changes of the machine affect all alike."""
    sizes = ["--sizes", str(size), "--cache", "warm"] if size else []
    times = {"window": [], "average": [], "slowest": []}

    def measure():
        times["window"].append(jobs.measure(mpi, 2, operation, *sizes, *RUNS_WANTED).mean(name))

    def measure_naively():
        found = jobs.measure_naively(mpi, 2, operation, size, NAIVE_RUNS, NAIVE_WARM_UP)
        times["average"].append(found["average"])
        times["slowest"].append(found["barrier"])

    contenders = [measure, measure_naively]
    for _ in range(GROUPS * JOBS):
        chance.shuffle(contenders)
        for contender in contenders:
            contender()
    return times


def repeatability(jobs, report):
    """The loop may print the mean of all processes' times or the longest: the more repeatable one counts."""
    mpi, chance = jobs.mpis[0], random.Random(1)
    report.head(f"Repeatability: relative standard error of {JOBS} jobs, the median of {GROUPS} times {JOBS} in turns; {mpi}, 2 ranks, "
                f"{RUNS} runs; the loop: {NAIVE_RUNS}, in the same time")
    for operation, name, size, budget in OPERATIONS:
        times = measure_in_turns(jobs, mpi, operation, name, size, chance)
        errors = {what: typical_error(values) for what, values in times.items()}
        loop = min("average", "slowest", key=errors.get)
        low, high = likely_ratios(times["window"], times[loop], chance)
        report.add(f"{name}, {size} bytes: window / barrier loop", ratio_of_groups(times["window"], times[loop]), "", budget,
                   f"{low:.2f} to {high:.2f}; {errors['window']:.2f} % / {errors[loop]:.2f} %, {loop} process")
