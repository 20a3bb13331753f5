"""--only, --not, --from and --to record exactly the selected calls, and the trace says so. The program is the same each
time; each case has the exact calls of both ranks, in order, with the places where recording paused (|) and went on (>).

    selection.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/selection.c"""

import json
import os
import shutil
import sys

import dumped
import job

STEP = "begin Irecv Isend Waitall Barrier Pcontrol end"
ALL = f"Init Comm_rank Comm_dup phase {STEP} {STEP} {STEP} phase mark Allreduce Comm_free Finalize"
MARKS = "phase begin end begin end begin end phase mark"
OUTSIDE = "| > Finalize"
# options -> what is in the trace
CASES = {
    (): ALL,
    ("--only", "point-to-point,MPI_Barrier"): "Init phase" + 3 * " begin Irecv Isend Barrier end" + " phase mark Finalize",
    ("--only", "p2p"): "Init phase" + 3 * " begin Irecv Isend Waitall end" + " phase mark Finalize",
    ("--only", "mpi_allreduce", "--not", "marks"): "Init Allreduce Finalize",
    ("--only", "request", "--not", "marks"): "Init Waitall Waitall Waitall Finalize",
    ("--not", "MPI_I*,collective,communicator"): "Init phase" + 3 * " begin Waitall Pcontrol end" + " phase mark Finalize",
    ("--not", "*"): "Init Finalize",
    ("--from", "step:2", "--to", "step:2"): f"| > Init | > {STEP} {OUTSIDE}",
    ("--from", "step:2", "--to", "step"): f"| > Init | > {STEP} {OUTSIDE}",
    ("--from", "step:3"): f"| > Init | > {STEP} phase mark Allreduce Comm_free Finalize",
    ("--to", "step"): f"Init Comm_rank Comm_dup phase {STEP} {OUTSIDE}",
    ("--from", "steps", "--to", "steps"): f"| > Init | > phase {STEP} {STEP} {STEP} {OUTSIDE}",
    ("--from", "summing", "--only", "collective"): "| > Init | > mark Allreduce Finalize",
    ("--from", "MPI_Barrier:2", "--to", "MPI_Barrier:3"):
        "| > Init | > Barrier Pcontrol end begin Irecv Isend Waitall Barrier " + OUTSIDE,
    ("--from", "MPI_Pcontrol=2", "--to", "MPI_Pcontrol=3"): f"| > Init | > Pcontrol end {STEP.removesuffix(' end')} {OUTSIDE}",
    ("--from", "never"): "| > Init | > Finalize",
}
SHORT = {"tarry_region_begin": "begin", "tarry_region_end": "end", "tarry_phase": "phase", "tarry_mark": "mark"}


def words_of(lines):
    """The short form of a thread: functions, pauses."""
    for line in lines:
        if line[0].isdigit():
            name = line.split()[2]
            yield SHORT.get(name, name.removeprefix("MPI_"))
        elif line.startswith(("pause ", "resume ")):
            yield "|" if line.startswith("pause") else ">"


def threads_of(text):
    """The lines of each thread."""
    return [block.partition("\nprocess ")[0].splitlines()[1:] for block in text.split("\nthread ")[1:]]


class Selection(job.Job):
    def record(self, choice):
        self.settings["options"] = ""
        line = [self.tarry, "run", "-o", self.trace, "--replace", *choice, "--", *self.launch_line()]
        if self.options.by == "exec":
            os.path.exists(self.trace) and os.remove(self.trace)
            line = self.launch_line([self.tarry, "exec", "-o", self.trace, *choice])
        result = self.run(line)
        if result.returncode:
            sys.exit(f"{choice}: the job ended with {result.returncode}:\n{result.stdout}{result.stderr}")
        return self.must([self.tarry, "dump", "--no-source", self.trace])

    def check_case(self, choice, expected):
        text = self.record(choice)
        threads = threads_of(text)
        if len(threads) != 2:
            yield f"{choice}: {len(threads)} threads"
        for rank, lines in enumerate(threads):
            found = " ".join(words_of(lines))
            if found != expected:
                yield f"{choice}, rank {rank}: the trace has\n\t{found}\nand not\n\t{expected}"
            yield from check_times(lines)
        yield from check_told(choice, dumped.read_dump(text))
        yield from check_fields(dumped.read_dump(text))
        yield from self.check_matching(choice, dumped.read_dump(text))
        if choice and "recorded" not in self.must([self.tarry, "info", self.trace]):
            yield f"{choice}: 'tarry info' does not say that not all was recorded"

    def check_matching(self, choice, processes):
        """Unrecorded calls were counted: all recorded messages and collective calls are matched."""
        found = json.loads(self.must([self.tarry, "info", "--json", self.trace]))["matching"]
        for key in ("unmatched_sends", "unmatched_receives", "incomplete_collectives", "mixed_collectives", "forced", "passed_over"):
            if found[key]:
                yield f"{choice}: {key} is {found[key]}"
        expected = sum(min(sum(event.function == name for event in process.events())
                           for name in ("MPI_Irecv", "MPI_Isend", "MPI_Waitall")) for process in processes)
        if found["messages"] != expected:
            yield f"{choice}: {found['messages']} messages are matched, not {expected}"

    def check_all(self, cases):
        for choice, expected in cases.items():
            yield from self.check_case(choice, expected)


def check_times(lines):
    """Events and pauses come in the order of their times."""
    last = 0
    for line in lines:
        start, end = line.split()[:2] if line[0].isdigit() else line.split()[1:2] * 2
        if int(start) < last:
            yield f"'{line}' is before the one above it"
        last = int(end)


def check_told(choice, processes):
    rules = [" ".join(choice[i:i + 2]) for i in range(0, len(choice), 2)]
    for process in processes:
        if sorted(process.properties.get("selection", [])) != sorted(rules):
            yield f"{choice}: the trace says {process.properties.get('selection')}"
        if process.properties.get("never_came", []) != (["--from never"] if "never" in choice else []):
            yield f"{choice}: never came: {process.properties.get('never_came')}"
        if "never" in choice and process.properties.get("seen") != ["steps, step, end, summing"]:
            yield f"{choice}: seen: {process.properties.get('seen')}"


def check_fields(processes):
    """Unrecorded calls were tracked: numbers of requests and identities of communicators are as usual."""
    for process in processes:
        if len(process.comms) < 3:
            yield f"rank {process.rank}: world, self and the copy are to be known, not {list(process.comms)}"
        for event in process.events():
            if event.function == "MPI_Waitall" and [dict(group)["done"] for group in event.groups] != ["0", "1"]:
                yield f"requests 0 and 1 complete: {event.text}"
            if event.function == "MPI_Waitall" and dict(event.groups[0]).get("received") != "4":
                yield f"4 bytes were received: {event.text}"
            comm = event.first("comm")
            if comm and comm not in process.comms:
                yield f"nothing defines the communicator: {event.text}"


def main():
    options = job.read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    test = Selection(options)
    cases = CASES if options.by == "run" else {choice: CASES[choice] for choice in list(CASES)[1:9:3]}
    problems = list(test.check_all(cases))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
