"""Faults in jobs under a real MPI library, at a few places of each kind; inject.py tries all of them without one.

    sample.py MPI MPICC LAUNCHER BIN WORK FAULT_LIBRARY"""

import concurrent.futures
import errno
import os
import sys

import ends
import inject

# Function, and the number of its first failing call.
FAULTS = (("dlopen", 1), ("openat", 1), ("openat", 2), ("posix_fallocate", 1), ("posix_fallocate", 2), ("mmap_file", 1),
          ("mmap", 2), ("calloc", 1), ("calloc", 12), ("linkat", 1), ("fstat", 5),
          ("socket", 1), ("sendto", 2), ("recvmsg", 1), ("poll", 1))
# The same while the job analyses itself.
IN_JOB_FAULTS = (("posix_spawn", 1), ("socketpair", 1), ("send", 1), ("recv", 2), ("waitpid", 1), ("symlinkat", 1), ("malloc", 1))
# Makes a process believe that `tarry run` is on another machine, and has to be asked for the time.
ELSEWHERE = 'export TARRY_CLOCK="$(echo "$TARRY_CLOCK" | sed "s/@/@elsewhere-/")"; exec "$0" "$@"'


IN_JOB = "-in-job"


class Sample(ends.Bench):
    def __init__(self, fault, *arguments):
        super().__init__(*arguments)
        self.fault = fault

    def words(self, kind, folder, traced):
        words = super().words(kind, folder, traced)
        if folder.endswith(IN_JOB):
            words[3:3] = ["--analyze=in-job"]
        return [*words[:-2], "sh", "-c", ELSEWHERE, *words[-2:]]

    def run_with(self, folder, function, number):
        """Launchers pass the environment on to processes of their own machine."""
        reason = inject.REASONS.get(function, [errno.ENOMEM])[0]
        # UCX, below MPICH, would replace our mmap.
        return self.run("shells", folder, True, UCX_MEM_MMAP_HOOK_MODE="none", UCX_MEM_EVENTS="n", LD_PRELOAD=self.fault, FAULT_AT=str(number), FAULT_ON=function,
                        FAULT_HASTE="1" if function == "symlinkat" else "0", FAULT_ERRNO=str(reason), FAULT_LOG=os.path.join(folder, "log"))


def test(bench, fault, plain):
    function, number, suffix = fault
    folder = os.path.join(bench.work, f"{function}-{number}{suffix}")
    result = bench.run_with(folder, function, number)
    problems = []
    if result.returncode or ends.same(result.stdout) != plain:
        problems.append(f"the job ends with {result.returncode}: {result.stdout}{result.stderr}")
    text, errors = bench.read(os.path.join(folder, "x.tarry"))
    if text and errors:
        problems.append(f"the trace is damaged: {errors}")
    complete = text and ends.sends(text, 3) == [100, 100] and ends.sends(text, 4) == [10, 10]
    if not complete and "tarry: " not in result.stderr:
        problems.append("something is missing, and nobody says so")
    if function == "mmap_file" and not complete:
        problems.append(f"without mapping something is lost: {result.stderr}")
    if not os.path.exists(os.path.join(folder, "log")):
        problems.append("nothing failed")
    return [f"{fault}: {problem}" for problem in problems]


def main(mpi, mpicc, launcher, folder, work, fault):
    bench = Sample(os.path.abspath(fault), mpi, mpicc, launcher, os.path.abspath(folder), os.path.abspath(work))
    plain = ends.same(bench.run("shells", os.path.join(bench.work, "plain"), False).stdout)
    assert len(plain) == 4, plain
    faults = [(*fault, "") for fault in FAULTS] + [(*fault, IN_JOB) for fault in IN_JOB_FAULTS]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda fault: test(bench, fault, plain), faults))
    problems = [problem for result in results for problem in result]
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
