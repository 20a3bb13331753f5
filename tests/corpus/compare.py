"""Compares a trace with the independent count of the same run: calls by process, thread and function, messages and bytes
by sender and receiver. Both must agree exactly; no function is excluded.

    tarry dump run.tarry | compare.py FOLDER-WITH-COUNTS [MPI_Error_string ...]

Three differences are by design. The recorder treats calls inside a callback of the program, for example an error
handler, as part of the enclosing MPI call; a call that is left by a jump or an exception has no end and is not
recorded; and a recording ends with MPI_Finalize. Functions that a program calls only in these ways are given as
arguments: they must be counted, and must not be recorded."""

import os
import sys
from collections import Counter

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "mpi"))

import counts  # noqa: E402
from dumped import read_dump, read_members  # noqa: E402

SENDING = {"MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend", "MPI_Isend", "MPI_Ibsend", "MPI_Issend", "MPI_Irsend",
           "MPI_Sendrecv", "MPI_Sendrecv_replace"}
PREPARING = {"MPI_Send_init", "MPI_Bsend_init", "MPI_Ssend_init", "MPI_Rsend_init"}
STARTING = {"MPI_Start", "MPI_Startall"}


def recorded_calls(process):
    """As Counts.calls. A series of unsuccessful calls is one event. OpenMP's events are not calls of MPI."""
    calls = Counter()
    for thread_id, events in zip(process.thread_ids, process.threads):
        for event in (event for event in events if not event.function.startswith("omp_")):
            calls[thread_id, event.function.lower()] += event.polls or 1
    return calls


class Places:
    """The members of each communicator."""

    def __init__(self, processes):
        self.givers = {}
        for process in processes:
            for identity, record in process.comms.items():
                if "members" in record:
                    sides = [read_members(record.get(key, "")) for key in ("members", "others")]
                    self.givers.setdefault(identity, []).append(sides)

    def world_rank(self, process, comm, peer):
        """Of the peer of a call; without one, as in an intercommunicator, of the other group's member."""
        for members, others in self.givers.get(comm, []):
            if (process.world, process.rank) in members:
                return (others or members)[peer][1]
        raise LookupError(f"rank {process.rank}: the members of communicator {comm} are not known")


def sends(process):
    """The events that describe a message each time one was sent: of a persistent one, where it was prepared."""
    prepared = {}
    for event in process.events():
        if event.first("result"):
            continue
        if event.first("persistent"):
            prepared[event.first("request")] = event if event.function in PREPARING else None
        elif event.function in STARTING:
            yield from filter(None, (prepared.get(number) for number in event.values("request")))
        elif event.function in SENDING:
            yield event


def recorded_messages(process, places):
    """({receiver: messages}, {receiver: bytes})"""
    messages, sizes = Counter(), Counter()
    for event in sends(process):
        if event.first("peer") == "null":
            continue
        receiver = places.world_rank(process, event.first("comm"), int(event.first("peer")))
        messages[receiver] += 1
        sizes[receiver] += int(event.first("sent"))
    return messages, sizes


def differences(what, recorded, counted):
    for key in sorted(set(+recorded) | set(+counted), key=str):
        if recorded[key] != counted[key]:
            yield f"{what(key)}: {recorded[key]} recorded, {counted[key]} counted"


def calls_to_record(calls, unrecorded):
    return Counter({key: number for key, number in calls.items() if key[1] not in unrecorded})


def compare_process(process, counted, places, unrecorded):
    who = f"rank {process.rank}"
    main = process.thread_ids[0] if process.thread_ids else None
    yield from (f"{who}, {function}: is said not to be recorded, and was not counted" for function in unrecorded
                if not any(name == function for _, name in counted.calls))
    yield from differences(lambda key: f"{who}{'' if key[0] == main else f', thread {key[0]}'}, {key[1]}",
                           recorded_calls(process), calls_to_record(counted.calls, unrecorded))
    messages, sizes = recorded_messages(process, places)
    yield from differences(lambda key: f"{who}, messages to rank {key}", messages, counted.messages)
    yield from differences(lambda key: f"{who}, bytes to rank {key}", sizes, counted.bytes)


def compare(text, counted, unrecorded=()):
    """Sentences, one per difference."""
    processes, unrecorded = read_dump(text), [function.lower() for function in unrecorded]
    places = Places(processes)
    by_id = {int(process.properties["pid"][0]): process for process in processes}
    problems = [f"process {pid} called MPI, and is not in the trace" for pid in counted if pid not in by_id]
    problems += [f"rank {process.rank} is in the trace, and was not counted" for pid, process in by_id.items()
                 if pid not in counted]
    problems += [f"rank {process.rank} lost events" for process in processes if process.loss]
    for pid in by_id.keys() & counted.keys():
        problems += compare_process(by_id[pid], counted[pid], places, unrecorded)
    return problems


def main():
    problems = compare(sys.stdin.read(), counts.read_folder(sys.argv[1]), sys.argv[2:])
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
