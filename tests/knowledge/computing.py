"""What computing means: time between calls on a CPU, ready without one, or blocked in the kernel, in the dump and the report of a program that plants each of
them, and of its twin that is always on a CPU.

    computing.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR"""

import json
import os
import re
import shutil
import subprocess
import sys

from planted import HERE, ON_ONE_MACHINE, SECONDS, read_options
from tries import judge

GAP_S = 0.2
BLOCKED = {"sleep", "input", "page"}
TOLERANCE = 0.05
# Of a gap on a CPU.
LEAST = 0.02


def build(options, is_good, stretch):
    program = os.path.join(options.work, "good" if is_good else "bad")
    subprocess.run([*options.mpicc.split(), "-g", "-O1", "-Wall", "-Wextra", "-Werror", f"-DSTRETCH={stretch}", *(["-DGOOD"] if is_good else []), "-o",
                    program, os.path.join(HERE, "computing.c"), "-lpthread"], check=True)
    return program


def gaps_of(tarry, trace):
    """Of rank 1, before every second barrier: its length, and of it the time blocked and ready, in seconds."""
    dump = subprocess.run([tarry, "dump", "--no-source", trace], check=True, capture_output=True, text=True).stdout
    part = re.split(r"^process ", dump, flags=re.MULTILINE)[2]
    rate = int(re.search(r"^clock \S+ (\d+)", part, re.MULTILINE).group(1))
    gaps, end = [], 0
    for start, until, rest in re.findall(r"^(\d+) (\d+) (MPI_.*)$", part, re.MULTILINE):
        times = {key: int(us) / 1e6 for key, us in re.findall(r"(\w+_before)=(\d+)", rest)}
        if rest.startswith("MPI_Barrier"):
            gaps.append(((int(start) - end) / rate, times.get("blocked_before", 0), times.get("delay_before", 0)))
        end = int(until)
    return gaps[1::2]


def dump_faults(kinds, gaps, gap_s, is_good):
    for kind, (length, blocked, ready) in zip(kinds, gaps, strict=True):
        if kind in BLOCKED and not is_good:
            if abs(blocked - gap_s) > TOLERANCE * gap_s:
                yield f"{kind}: blocked for {blocked} s of {length}, not {gap_s}"
        elif blocked > LEAST * length:
            yield f"{kind}: blocked for {blocked} s of {length}, not 0"
        if kind == "ready" and not is_good and not gap_s / 2 < ready < length - gap_s / 2:
            yield f"{kind}: ready for {ready} s of {length}"


def report_faults(tarry, trace, kinds, gap_s, is_good):
    text = subprocess.run([tarry, "report", "--profile", trace], check=True, capture_output=True, text=True).stdout
    run = json.loads(subprocess.run([tarry, "report", "--all", "--json", "-", trace], check=True, capture_output=True).stdout)
    planted = 0 if is_good else gap_s * len(BLOCKED & set(kinds))
    rank = next(row for row in run["summary"]["ranks"] if row["rank"] == 1)
    if abs(rank["blocked_s"] - planted) > max(TOLERANCE * planted, LEAST * gap_s * len(kinds)):
        yield f"rank 1 blocked for {rank['blocked_s']} s, not {planted}"
    causes = [cause for finding in run["findings"] for cause in finding["causes"] if cause["kind"] == "computing" and cause["ranks"] == [1]]
    of_causes = sum(cause["blocked_s"] for cause in causes)
    if not causes or abs(of_causes - planted) > max(TOLERANCE * planted, LEAST * gap_s * len(kinds)):
        yield f"causes blocked for {of_causes} s, not {planted}: {causes}"
    if is_good != (not re.search(r"^ +blocked in the kernel +\d", text, re.MULTILINE)) and not run["summary"]["ready_s"]:
        yield f"wrong table: {text}"


def try_version(options, is_good):
    tarry = os.path.join(options.bin, "tarry")

    def attempt(stretch):
        program = build(options, is_good, stretch)
        trace = program + ".tarry"
        done = subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", options.launcher, "-n", "2", program],
                              check=True, timeout=SECONDS, capture_output=True, text=True, env={**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1"})
        kinds, gap_s = done.stdout.split(), GAP_S * stretch
        if "page" not in kinds:
            print("page faults are not tried: the kernel forbids userfaultfd")
        return [*dump_faults(kinds, gaps_of(tarry, trace), gap_s, is_good), *report_faults(tarry, trace, kinds, gap_s, is_good)]

    return judge("good" if is_good else "bad", attempt)


def main():
    options = read_options(has_folder=False)
    if not os.access("/proc/self/schedstat", os.R_OK):
        print("skipped: the kernel does not count how long threads are ready (schedstat)")
        sys.exit(77)
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    wrong = try_version(options, False) + try_version(options, True)
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
