"""The model's view of one-sided communication in a real job: exposures, waits for locks, and ends of accesses. Calls are
compared by function and rank, never by time.

    relations.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --printer PRINT_RELATIONS --work DIR
                 programs/rma_waits.c"""

import collections
import re
import shutil
import sys

import job

FENCES = ["gathering: 0.0 Win_fence@0; 0.1 Win_fence@1; 0.2 Win_fence@2"] * 2
# With the last access to each, which is its left neighbour's.
FENCED = ["fence " + "; ".join(f"{rank} Win_fence@{rank} {last} accesses={count} origins={count}" for rank, last in members)
          for count, members in ((0, [(rank, f"Win_fence@{rank}") for rank in range(3)]),
                                 (1, [(rank, f"Put@{(rank + 2) % 3}") for rank in range(3)]))]
EXPOSED = ["exposures Win_post@2 Win_wait@2: 0 Win_start@0 Win_complete@0 Put@0 Put@0 accesses=1; "
           "1 Win_start@1 Win_complete@1 Put@1 Put@1 accesses=2"] * 2
HOLDS = [f"lock target=0{kind} Win_lock@{rank} Put@{rank} Win_unlock@{rank}{before}"
         for rank, kind, before in ((1, " exclusive", ""), (2, " exclusive", " before Win_unlock@1"),
                                    (1, " exclusive", ""), (2, " exclusive", ""), (1, "", ""), (2, "", ""))]
ACCESSES = [f"access {rank}->{(rank + 1) % 3} Put@{rank} Win_fence@{rank}" for rank in range(3)] + [
    f"access {rank}->2 Put@{rank} Win_complete@{rank}" for rank in (0, 0, 1, 1, 1, 1)] + [
    f"access {rank}->0 Put@{rank} Win_flush@{rank}" for rank in (1, 2) * 3]
EXPECTED = FENCES + FENCED + EXPOSED + HOLDS + ACCESSES


def simplify(line):
    """Without times, positions and identities; of a gathering, each member once. Members are sorted."""
    line = re.sub(r"MPI_(\w+)@(\d+)\.\d+:[-\d]+#\d+", r"\1@\2", re.sub(r" (win|comm|lane|position|size)=\S+", "", line))
    # Which of the first access and the first flush is longer, no program decides.
    if line.startswith("lock "):
        return line.replace("Win_flush@", "Put@")
    if line.startswith("fence "):
        return "fence " + "; ".join(sorted(line.removeprefix("fence ").split("; ")))
    if not line.startswith("gathering"):
        return line
    members = sorted(re.findall(r"\d\.\d \S+", line))
    return "gathering: " + "; ".join(members)


def is_of_interest(line):
    return line.startswith(("exposures", "lock", "access")) or "Win_fence" in line


def main():
    at = sys.argv.index("--printer")
    printer = sys.argv[at + 1]
    del sys.argv[at:at + 2]
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    test = job.Job(options)
    traced = test.run_traced()
    if traced.returncode:
        sys.exit(f"the job ended with {traced.returncode}:\n{traced.stdout}{traced.stderr}")
    *lines, counts = test.must([printer, test.trace]).splitlines()
    told = collections.Counter(simplify(line) for line in lines if is_of_interest(line))
    expected = collections.Counter(EXPECTED)
    for line in (expected - told).elements():
        print(f"not told: {line}")
    for line in (told - expected).elements():
        print(f"told, but not so: {line}")
    if " open=0,0,0,0 " not in counts:
        print(f"something was left open: {counts}")
    sys.exit(told != expected or " open=0,0,0,0 " not in counts)


if __name__ == "__main__":
    main()
