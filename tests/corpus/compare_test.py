"""The comparison can fail: a valid recording is changed in one place each time, and each change must be found and
named. The count itself is the same with and without a recorder.

The options are those of record.py. The program must make persistent sends and polls."""

import re
import sys

import compare
import record


def line_with(text, *words, rank=1):
    """(start, end) of the rank's first line that has all these words; of any rank's, for None."""
    begin = 0 if rank is None else re.search(f"^process .* rank={rank} ", text, re.MULTILINE).start()
    for line in re.finditer(r".*\n", text[begin:]):
        if all(word in line.group() for word in words):
            return begin + line.start(), begin + line.end()
    raise LookupError(f"no line of rank {rank} has {words}")


def dropped(text, *words):
    start, end = line_with(text, *words)
    return text[:start] + text[end:]


def doubled(text, *words):
    start, end = line_with(text, *words)
    return text[:end] + text[start:end] + text[end:]


def changed(text, pattern, replacement, *words, rank=1):
    start, end = line_with(text, *words, rank=rank)
    line = re.sub(pattern, replacement, text[start:end])
    assert line != text[start:end], f"nothing to change in {text[start:end]}"
    return text[:start] + line + text[end:]


def without_rank(text, rank):
    start, _ = line_with(text, "process", rank=rank)
    following = text.find("\nprocess", start)
    return text[:start] + (text[following + 1:] if following >= 0 else "")


# The change of the trace's text, and the expected message.
FAULTS = {
    "a lost call": (lambda text: dropped(text, " MPI_Reduce "), "rank 1, mpi_reduce: 0 recorded, 1 counted"),
    "a lost first call": (lambda text: dropped(text, " MPI_Init "), "rank 1, mpi_init: 0 recorded, 1 counted"),
    "a lost last call": (lambda text: dropped(text, " MPI_Finalize "), "rank 1, mpi_finalize: 0 recorded"),
    "a call too many": (lambda text: doubled(text, " MPI_Comm_rank "), "rank 1, mpi_comm_rank: 2 recorded, 1 counted"),
    "another function": (lambda text: changed(text, "MPI_Comm_size", "MPI_Comm_rank", " MPI_Comm_size "),
                         "rank 1, mpi_comm_size: 0 recorded, 1 counted"),
    "a poll too many": (lambda text: changed(text, r"polls=(\d+)", r"polls=1\1", "polls=", rank=None), ", mpi_testall: "),
    "another thread": (lambda text: changed(text, r"tid=\d+", "tid=1", "thread 0 "), "rank 1, mpi_init: 1 recorded, 0"),
    "a lost message": (lambda text: dropped(text, " MPI_Start "), "rank 1, messages to rank 2: "),
    "fewer bytes": (lambda text: changed(text, r"sent=\d+", "sent=1", " MPI_Send_init "), "rank 1, bytes to rank 2: "),
    "another receiver": (lambda text: changed(text, "peer=2", "peer=3", " MPI_Send_init "),
                         "rank 1, messages to rank 3: "),
    "a lost process": (lambda text: without_rank(text, 3), "called MPI, and is not in the trace"),
}


def check_faults(text, counted):
    problems = [f"without a fault: {problem}" for problem in compare.compare(text, counted)]
    for name, (change, sentence) in FAULTS.items():
        said = compare.compare(change(text), counted)
        if not any(sentence in one for one in said):
            problems.append(f"{name} was not found: nothing said '{sentence}', only {said}")
    return problems


def fixed_calls(counted):
    """The calls of each process, in any order of processes; without polls, whose number depends on time."""
    return sorted(sorted((function, calls) for (_, function), calls in one.calls.items() if "test" not in function)
                  for one in counted.values())


def main():
    record.check_glibc()
    recording = record.Recording(record.read_options())
    recording.run()
    text, counted = recording.dump(), recording.counts()
    problems = check_faults(text, counted)
    recording.run(recorded=False)
    if fixed_calls(recording.counts()) != fixed_calls(counted):
        problems.append("the count is another one without a recorder")
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
