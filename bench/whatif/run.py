#!/usr/bin/env python3
"""How far predictions of 'tarry whatif' are true: the bad program of each pair is recorded and predicted; the good program shows what a fix really saves.

    run.py BUILD [--mpi NAME] [--where here|cluster] [--keep FOLDER] [PAIR...]

Pairs are the patterns (examples/patterns) and the programs of PROGRAMS below, under each MPI library, on this machine and on two nodes of the emulated cluster
(tests/cluster). The run of the bad program is predicted with all findings fixed. If the good program is another fix, the bad one says which
(`tarry-example: … whatif=NAME`): a condition of 'tarry whatif', as `balanced`, or the first finding of a problem, as `mpi.wait-for-transfer`; or `none`.

Errors are parts of the length of the bad run. Budgets: 95 % of the reliable predictions are within 10 %, their median error is at most 3 %, and none is off by
more than 20 %. Ranks sleep while they wait, and begin together (calm.c). Runs are repeated until two of them, without ranks that lack a CPU, are equally long; the shortest counts. A pair is
not compared if a good run stays disturbed, if no second run is nearly as short, or if the programs do different work; the table says so.
With --keep, runs in FOLDER are not repeated. Exit code 1: a budget is exceeded."""

import argparse
import collections
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(ROOT, "tests", "knowledge"), os.path.join(ROOT, "tests", "cluster")]

from cluster import Cluster  # noqa: E402
from jobs_here import ON_ONE_MACHINE, find_mpis  # noqa: E402
from plan import settings_of  # noqa: E402

EXAMPLES = os.path.join(ROOT, "examples")
KNOWLEDGE = os.path.join(ROOT, "tests", "knowledge")
# Besides patterns: the program before and after the fix.
PROGRAMS = {"jacobi": ("jacobi/before.c", "jacobi/after.c"), "adaptive-mesh": ("adaptive-mesh/bad.c", "adaptive-mesh/good.c")}
NO_FIX = "none"
PLACES = ("here", "cluster")
NODES, MBIT, DELAY_US = 2, 1000, 25
TRIES = 4
# The recorder compares the clocks of nodes after MPI_Init. Longer runs in the cluster: that is a small part of them.
STRETCH_ON_NODES = 4
# Parts of the bad run that ranks lost without a CPU.
CALM, DISTURBED = 0.02, 0.05
# Runs whose lengths differ by less confirm each other.
SAME_LENGTH = 0.03
SECONDS = 30
NEAR, FAR, MEDIAN, NEAR_PART = 0.10, 0.20, 0.03, 0.95
# What a good program may still save, of the length of the bad run.
STILL = 0.1
# Of the length of the bad run, for each rank: sleeping is not exact.
SAME_WORK = 0.05

Pair = collections.namedtuple("Pair", "name bad good")
Job = collections.namedtuple("Job", "tarry mpi cluster folder")


def find_pairs():
    patterns = os.path.join(EXAMPLES, "patterns")
    pairs = [Pair(name, *(os.path.join(patterns, name, kind + ".c") for kind in ("bad", "good"))) for name in sorted(os.listdir(patterns))]
    pairs += [Pair(name, *(os.path.join(EXAMPLES, source) for source in sources)) for name, sources in PROGRAMS.items()]
    return [pair for pair in pairs if os.path.exists(pair.bad)]


def compile_program(mpi, source, settings, program, stretch):
    slow = settings["slow"].split(",") if "slow" in settings else []
    words = ["-include", os.path.join(KNOWLEDGE, "stretch.h"), f"-DSTRETCH={stretch}", *(f"-DSLOW_{name}" for name in slow)]
    if slow:
        words += ["-DSLOW_US=1000", os.path.join(KNOWLEDGE, "slow.c")]
    subprocess.run([mpi.compiler, "-g", "-O1", "-w", *words, "-rdynamic", "-o", program, source, os.path.join(HERE, "calm.c"), "-ldl"],
                   check=True)


def run_here(job, ranks, command, tarry):
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_osc="^ucx")
    subprocess.run([ON_ONE_MACHINE, *tarry, "--", job.mpi.launcher, "-n", str(ranks), *command],
                   check=True, timeout=SECONDS, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run_on_nodes(job, ranks, command, tarry):
    counts = [(ranks + NODES - 1 - node) // NODES for node in range(NODES)]
    options = ("--mca", "osc", "^ucx") if job.mpi.name == "openmpi" else ()
    result = job.cluster.run_job(job.mpi.name, command, ranks_per_node=counts, tarry=tarry, options=options, timeout=SECONDS, cwd=job.folder)
    if result.returncode:
        raise OSError(f"the job ended with {result.returncode}: {result.stderr[-300:]}")


def record(job, source, base):
    """False: the program is not for this library, or not for several nodes."""
    settings = settings_of(source)
    ranks = int(settings["ranks"])
    if settings.get("mpi", job.mpi.name) != job.mpi.name or (job.cluster and ranks < NODES):
        return False
    compile_program(job.mpi, source, settings, base, STRETCH_ON_NODES if job.cluster else 1)
    command = [base, *(settings["args"].split(",") if settings.get("args") else [])]
    tarry = [job.tarry, "run", "--no-analyze", "--replace", "-o", base + ".tarry"]
    (run_on_nodes if job.cluster else run_here)(job, ranks, command, tarry)
    return True


def json_of(tarry, command, trace):
    return json.loads(subprocess.run([tarry, command, "--json", "-", trace], check=True, capture_output=True).stdout)


def answers_of(tarry, trace):
    """The answers of 'tarry whatif', with the work of each rank and the mean time that ranks had no CPU. `calm_s` is the length without that time and without
    the work of the recorder, which compares the clocks of nodes at the start."""
    answers, report = json_of(tarry, "whatif", trace), json_of(tarry, "report", trace)
    ranks = report["summary"]["ranks"]
    noise = next(answer for answer in answers["conditions"] if answer["name"] == "no_noise")
    return {**answers, "work": [rank["computing_s"] for rank in ranks], "noise_s": report["run"]["without_processor_s"] / len(ranks),
            "calm_s": answers["length_s"] - noise["saves_s"]}


def calmest_run(job, name, source):
    """The answers of the shortest run: a disturbed machine or network only makes runs longer. It counts once a second run is as short, both without loss of CPU.
    None: the program does not run there."""
    runs = []
    for number in range(TRIES):
        base = os.path.join(job.folder, f"{name}-{number}")
        try:
            if not os.path.exists(base + ".tarry") and not record(job, source, base):
                return None
        except (subprocess.SubprocessError, OSError) as error:
            print(f"{name}, try {number + 1}: {error}", file=sys.stderr)
            continue
        runs.append(answers_of(job.tarry, base + ".tarry"))
        runs.sort(key=lambda run: (run["noise_s"] >= CALM * run["length_s"], run["calm_s"]))
        if len(runs) > 1 and runs[1]["noise_s"] < CALM * runs[1]["length_s"] and runs[1]["calm_s"] < (1 + SAME_LENGTH) * runs[0]["calm_s"]:
            break
    if not runs:
        return None
    return {**runs[0], "is_confirmed": any(run["calm_s"] < (1 + NEAR) * runs[0]["calm_s"] for run in runs[1:])}


def answer_for(bad, wanted):
    """The prediction of the fix that the good program has; None: there is no finding."""
    if not wanted:
        return bad["together"]
    for answer in bad["conditions"]:
        if answer["name"] == wanted:
            return answer
    return next((finding for finding in bad["findings"] if finding["problem"] == wanted), None)


def does_the_same_work(bad, good, wanted):
    """Compares the work of all ranks if the fix distributes work, otherwise the work of the busiest rank."""
    margin = SAME_WORK * bad["length_s"]
    remedies = {finding["remedy"] for finding in bad["findings"] if not wanted or finding["problem"] == wanted}
    if wanted == "balanced" or remedies & {"work", "share", "serve"}:
        return abs(sum(bad["work"]) - sum(good["work"])) <= margin * len(bad["work"])
    return abs(max(bad["work"]) - max(good["work"])) <= margin


def reason_against(bad, good, wanted, answer):
    """None: the prediction is called reliable, and the good program shows whether it is true."""
    if wanted == NO_FIX:
        return "the good program changes more than one fix"
    if not answer:
        return "no finding"
    if answer["doubt"]:
        return answer["doubt"]
    if not wanted and any(finding["doubt"] == "no_remedy" for finding in bad["findings"]):
        return "no_remedy"
    if not bad["is_confirmed"] or not good["is_confirmed"]:
        return "no two runs are equally long"
    if good["noise_s"] > DISTURBED * bad["length_s"]:
        return "good run disturbed"
    if not wanted and good["together"] and good["together"]["saves_s"] > STILL * bad["length_s"]:
        return "the good program still waits"
    return None if does_the_same_work(bad, good, wanted) else "other work"


class Row:
    def __init__(self, pair, mpi, place, bad, good):
        wanted = settings_of(pair.bad).get("whatif")
        answer = answer_for(bad, wanted)
        self.pair, self.mpi, self.place, self.wanted, self.length = pair, mpi, place, wanted, bad["length_s"]
        self.doubt = reason_against(bad, good, wanted, answer)
        self.predicted = answer["saves_s"] if answer else 0
        self.real = bad["calm_s"] - good["calm_s"]
        self.error = (self.predicted - self.real) / self.length

    def text(self):
        return (f"| {self.pair.name} | {self.mpi.name} | {self.place} | {self.wanted or 'all findings'} | {self.length:.3f} "
                f"| {self.predicted / self.length:.1%} | {self.real / self.length:.1%} "
                f"| {self.error:+.1%} | {'no: ' + self.doubt if self.doubt else 'yes'} |")


def row_of(job, pair, place):
    """None: the pair does not run there."""
    try:
        runs = []
        for kind in ("bad", "good"):
            runs.append(calmest_run(job, f"{pair.name}-{job.mpi.name}-{place}-{kind}", getattr(pair, kind)))
            if not runs[-1]:
                return None
    except (subprocess.SubprocessError, OSError) as error:
        print(f"{pair.name} under {job.mpi.name} ({place}): {error}", file=sys.stderr)
        return None
    return Row(pair, job.mpi, place, *runs)


def rows_at(options, place, folder, cluster):
    tarry = os.path.abspath(os.path.join(options.build, "bin", "tarry"))
    for pair in find_pairs():
        if options.pairs and pair.name not in options.pairs:
            continue
        for mpi in find_mpis(options.build):
            row = options.mpi in (None, mpi.name) and row_of(Job(tarry, mpi, cluster, folder), pair, place)
            if row:
                yield row


def rows_of(options, folder):
    if options.where != "cluster":
        yield from rows_at(options, "here", folder, None)
    if options.where != "here":
        with Cluster(nodes=NODES, mbit=MBIT, delay_us=DELAY_US, build=os.path.join(options.build, "tests", "cluster")) as cluster:
            yield from rows_at(options, "cluster", folder, cluster)


def judge(rows):
    reliable = [abs(row.error) for row in rows if not row.doubt]
    if not reliable:
        sys.exit("no prediction is reliable")
    near = sum(error <= NEAR for error in reliable) / len(reliable)
    median, far = statistics.median(reliable), sum(error > FAR for error in reliable)
    print(f"\n{len(rows)} pairs, {len(reliable)} compared: {near:.0%} within {NEAR:.0%} of the run (budget {NEAR_PART:.0%}), "
          f"median error {median:.1%} (budget {MEDIAN:.0%}), {far} off by more than {FAR:.0%} (budget 0)")
    for reason, count in collections.Counter(row.doubt for row in rows if row.doubt).most_common():
        print(f"{count} not compared: {reason}")
    if near < NEAR_PART or median > MEDIAN or far:
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("build")
    parser.add_argument("--mpi")
    parser.add_argument("--where", choices=PLACES)
    parser.add_argument("--keep", default="")
    parser.add_argument("pairs", nargs="*")
    options = parser.parse_intermixed_args()
    folder = os.path.abspath(options.keep or os.path.join(options.build, "bench-whatif"))
    os.makedirs(folder, exist_ok=True)
    if not options.keep:
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
    print("| pair | library | place | fix | run, s | predicted | real | error | compared |\n|---|---|---|---|--:|--:|--:|--:|---|")
    rows = []
    for row in rows_of(options, folder):
        rows.append(row)
        print(row.text(), flush=True)
    judge(rows)


if __name__ == "__main__":
    main()
