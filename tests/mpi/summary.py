"""--summary: totals instead of events. They must equal those of the events of an ordinary run, take at most 1 MiB per rank, and survive a killed
rank.

    summary.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/summed.c"""

import collections
import os
import shutil
import sys

import job

RANK_MOST = 1 << 20
TRUST = "Trust: limited - only sums were recorded (--summary), no events"
# The number of polls is random.
BY_CHANCE = ("MPI_Test",)


def number(fields, key):
    return sum(int(value) for name, value in fields if name == key)


def sums_of(text):
    """(rank, function) -> calls, bytes sent, bytes received; the number of lines of sums; functions with events."""
    sums, lines, events, rank = collections.defaultdict(lambda: [0, 0, 0]), 0, set(), None
    for line in text.splitlines():
        words = line.split()
        if line.startswith("process "):
            rank = dict(word.split("=") for word in words[1:])["rank"]
        elif line.startswith("summed "):
            count, sent, received, function = int(words[1]), int(words[5]), int(words[6]), words[7]
            lines += 1
        elif line[:1].isdigit():
            fields = [word.split("=") for word in words[3:] if "=" in word]
            is_null = ["peer", "null"] in fields
            function, count = words[2], number(fields, "polls") or 1
            sent, received = (0, 0) if is_null else (number(fields, "sent"), number(fields, "received"))
            events.add(function)
        if line.startswith("summed ") or line[:1].isdigit():
            total = sums[rank, function]
            total[:] = [total[0] + count, total[1] + sent, total[2] + received]
    return {key: value for key, value in sums.items() if key[1] not in BY_CHANCE}, lines, events


class Summary(job.Job):
    def record(self, options, words=()):
        line = [self.tarry, "run", "-o", self.trace, "--replace", *options, "--", *self.launch_line(), *words]
        result = self.run(line)
        return result, self.must([self.tarry, "dump", "--no-source", self.trace])

    def check(self):
        plain, text = self.record([])
        expected, _, _ = sums_of(text)
        if plain.returncode:
            yield f"the job ended with {plain.returncode}:\n{plain.stderr}"
        summed, text = self.record(["--summary"])
        yield from self.compare(summed, text, expected)
        for options, wanted in (([], TRUST), (["--all"], " MPI_Comm_dup ")):
            report = self.must([self.tarry, "report", *options, self.trace])
            if wanted not in report:
                yield f"the report does not have '{wanted}':\n{report}"
        yield from self.check_killed(expected)

    def compare(self, result, text, expected):
        found, lines, events = sums_of(text)
        if result.returncode:
            yield f"the summed job ended with {result.returncode}:\n{result.stderr}"
        if found != expected:
            yield f"the sums are\n{found}\nbut the events\n{expected}"
        if events != {"MPI_Init", "MPI_Finalize"}:
            yield f"these have events: {events}"
        if lines < 2000:
            yield f"there are only {lines} lines of sums: calls are no longer distinguished by place and size"
        if os.path.getsize(self.trace) > 2 * RANK_MOST:
            yield f"the trace of 2 ranks takes {os.path.getsize(self.trace)} bytes"

    def check_killed(self, expected):
        """Rank 1 dies after its last call before MPI_Finalize; the launcher then kills rank 0, at any time."""
        _, text = self.record(["--summary"], ["killed"])
        found, _, _ = sums_of(text)
        for (rank, function), value in expected.items():
            if rank == "1" and function != "MPI_Finalize" and found.get((rank, function)) != value:
                yield f"the killed rank has {found.get((rank, function))} of {function}, not {value}"


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    problems = list(Summary(options).check())
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
