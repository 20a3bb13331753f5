"""The causes of waits, in traces with known results, and in random programs, whose causes must add up.

    causes.py TARRY"""

import os
import sys
from random import Random

from traces import head, report_of

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "engine"))

from programs import Program  # noqa: E402

TARRY = sys.argv[1]
RANDOM_PROGRAMS = 25
SECOND = 1_000_000_000


class Run:
    """Ranks and their calls in seconds: `line` is that of src/main.c."""

    def __init__(self, size):
        self.size = size
        self.calls = [[] for _ in range(size)]
        self.records = [[] for _ in range(size)]
        for rank in range(size):
            self.call(rank, 0, 0.001, "MPI_Init")

    def call(self, rank, start, end, name, line=None, **fields):
        text = f"{round(start * SECOND)} {round(end * SECOND)} {name}"
        if line:
            text += f" site=2+0x{line:x}"
        if name not in ("MPI_Init", "MPI_Finalize", "tarry_region_begin", "tarry_region_end"):
            text += " comm=0x1" if "request" not in fields and "done" not in fields or "peer" in fields else ""
        for key, value in fields.items():
            text += f' {key}="{value}"' if isinstance(value, str) else f" {key}={value}"
        self.calls[rank].append((start, text))

    def meet(self, starts, end, name, line=20, **fields):
        """All ranks call it: those that are in `starts` from then on, the others from starts[None] on."""
        for rank in range(self.size):
            self.call(rank, starts.get(rank, starts[None]), end, name, line, **fields)

    def text(self, end):
        for rank in range(self.size):
            self.call(rank, end, end + 0.001, "MPI_Finalize")
            yield from head(rank, self.size)
            yield from self.records[rank]
            yield "thread 0"
            for _, text in sorted(self.calls[rank], key=lambda call: call[0]):
                yield text


def findings_of(run, end):
    found = report_of(TARRY, run.text(end), "--all")["findings"] if isinstance(run, Run) else run
    for finding in found:
        check_sum(finding)
    return found


def check_sum(finding):
    assert [cause["kind"] for cause in finding["causes"]].count("other") <= 1, finding["causes"]
    if not finding["causes"]:
        return
    total = sum(round(cause["total_s"] * SECOND) for cause in finding["causes"])
    told = [(cause["text"], cause["total_s"], cause["occurrences"]) for cause in finding["causes"]]
    assert total == round(finding["total_s"] * SECOND), (finding["total_s"], told)
    assert all(cause["total_s"] > 0 for cause in finding["causes"]), told
    assert all(cause["occurrences"] <= finding["occurrences"] for cause in finding["causes"]), told
    small = [cause for cause in finding["causes"][1:] if cause["kind"] != "other" and cause["total_s"] < finding["total_s"] / 101]
    assert len(small) < 2, told
    amounts = [cause["total_s"] for cause in finding["causes"] if cause["kind"] != "other"]
    assert amounts == sorted(amounts, reverse=True), told


def get(found, pattern, line=None):
    fitting = [finding for finding in found if finding["pattern"] == pattern and line in (None, finding["line"])]
    assert len(fitting) == 1, (pattern, line, [(finding["pattern"], finding["line"]) for finding in found])
    return fitting[0]


def check_computing(finding, rank, before, behind, part=0.99, **others):
    """Most of it is computing of that rank between these lines."""
    cause = finding["causes"][0]
    assert cause["kind"] == "computing", finding["causes"]
    assert cause["ranks"] == [rank], finding["causes"]
    assert (cause["from"]["line"], cause["to"]["line"]) == (before, behind), finding["causes"]
    assert cause["total_s"] >= part * finding["total_s"], finding["causes"]
    for key, value in others.items():
        assert cause[key] == value, (key, value, cause)


def direct():
    """Rank 1 computes 4 s, the others 1 s, before each barrier."""
    run = Run(3)
    for i in range(3):
        run.meet({None: 5 * i + 1, 1: 5 * i + 4}, 5 * i + 4.1, "MPI_Barrier")
    found = findings_of(run, 15)
    finding = get(found, "mpi.barrier-wait")
    assert finding["processes"] == [0, 2]
    # What was before the first one began with MPI_Init, which has no line.
    cause = finding["causes"][0]
    assert cause["ranks"] == [1] and cause["occurrences"] == 4, finding["causes"]
    check_computing(finding, 1, 20, 20, part=0.6)
    assert "The delay comes from work on rank 1 (see the cause)" in finding["advice"], finding["advice"]
    assert abs(cause["times_mean"] - 4.9 / (8.7 / 3)) < 0.1, cause


def out_of_a_call():
    """Rank 1 leaves an all-reduce late and sends at once: that call is the cause, not work, and it is a finding itself."""
    run = Run(2)
    for t in range(0, 30, 10):
        for rank, end in ((0, t + 1.1), (1, t + 6)):
            run.call(rank, t + 1, end, "MPI_Allreduce", line=20, sent=8, received=8)
        run.call(0, t + 1.2, t + 6.2, "MPI_Recv", line=21, peer=1, tag=0, received=8)
        run.call(1, t + 6.001, t + 6.1, "MPI_Send", line=22, peer=0, tag=0, sent=8)
    found = findings_of(run, 31)
    finding = get(found, "mpi.late-standard-send")
    assert finding["causes"][0]["kind"] == "call" and finding["causes"][0]["to"]["line"] == 20, finding["causes"]
    assert "The delay comes from MPI_Allreduce (main.c:20) on rank 1. The call waits for no other rank" in finding["advice"], finding["advice"]
    assert finding["causes"][0]["occurrences"] == 3 and "waits" not in finding["causes"][0]["text"], finding["causes"]  # in all of them
    left = get(found, "mpi.collective-completion", 20)
    assert left["processes"] == [1] and round(left["total_s"], 6) == 14.7, left


def polling():
    """Rank 1 is late for a barrier because of unsuccessful tests, or because a successful test takes long."""
    for vain, says in ((6, "The delay comes from unsuccessful tests: MPI_Iprobe (main.c:21) on rank 1."),
                       (1, "The delay comes from MPI_Iprobe (main.c:21) on rank 1. The call waits for no other rank: the call itself takes long, not the work around it.")):
        run = Run(2)
        for t in range(0, 30, 10):
            run.call(0, t + 1, t + 8, "MPI_Barrier", line=20)
            run.call(1, t + 1, t + 1 + vain, "MPI_Iprobe", line=21, flag=0)
            run.call(1, t + 1 + vain, t + 7.9, "MPI_Iprobe", line=21, flag=1, peer=0, tag=0)
            run.call(1, t + 7.9, t + 8, "MPI_Barrier", line=20)
        finding = get(findings_of(run, 31), "mpi.barrier-wait")
        assert finding["advice"].endswith(says), finding["advice"]
        assert [cause["occurrences"] for cause in finding["causes"] if cause["kind"] == "call"] == [3], finding["causes"]


def earlier():
    """Rank 1 is late for the barrier because of its work before a send that no rank waits for."""
    run = Run(2)
    for i in range(4):
        t = 10 * i
        for rank in range(2):
            late = 5 if rank == 1 else 1
            run.call(rank, t + late, t + late + 0.001, "MPI_Send", line=11, peer=1 - rank, tag=0, sent=8)
            run.call(rank, t + late + 1, t + 6.1, "MPI_Barrier", line=12)
            run.call(rank, t + 6.2, t + 6.201, "MPI_Recv", line=13, peer=1 - rank, tag=0, received=8)
    found = findings_of(run, 40)
    finding = get(found, "mpi.barrier-wait")
    check_computing(finding, 1, 13, 11, part=0.7)
    assert all(cause["to"]["line"] == 11 for cause in finding["causes"] if cause["kind"] == "computing"), finding["causes"]


def chain():
    """Rank 2 computes, rank 1 waits for it, rank 0 for rank 1: rank 2 is the cause of both."""
    run = Run(3)
    for i in range(3):
        t = 10 * i
        run.call(2, t + 5, t + 5.01, "MPI_Send", line=31, peer=1, tag=0, sent=8)
        run.call(1, t + 1, t + 5.01, "MPI_Recv", line=21, peer=2, tag=0, received=8)
        run.call(1, t + 5.5, t + 5.51, "MPI_Send", line=22, peer=0, tag=0, sent=8)
        run.call(0, t + 1, t + 5.51, "MPI_Recv", line=11, peer=1, tag=0, received=8)
        run.meet({None: t + 6}, t + 6.01, "MPI_Barrier", line=40)
    found = findings_of(run, 30)
    waits = {finding["line"]: finding for finding in found if finding["pattern"].startswith("mpi.late")}
    check_computing(waits[21], 2, 40, 31, part=0.6)
    check_computing(waits[11], 2, 40, 31, part=0.5)
    assert {rank for cause in waits[11]["causes"] for rank in cause["ranks"]} <= {1, 2}, waits[11]["causes"]


def late_receiver():
    """Rank 0 waits in a synchronous send, and rank 2 for rank 0: the cause of both is the work of rank 1 before its receive."""
    run = Run(3)
    for i in range(3):
        t = 10 * i
        run.call(0, t + 1, t + 4.01, "MPI_Ssend", line=11, peer=1, tag=0, sent=8)
        run.call(1, t + 4, t + 4.01, "MPI_Recv", line=21, peer=0, tag=0, received=8)
        run.call(0, t + 4.1, t + 4.11, "MPI_Send", line=12, peer=2, tag=0, sent=8)
        run.call(2, t + 1.1, t + 4.11, "MPI_Recv", line=31, peer=0, tag=0, received=8)
        run.meet({None: t + 6}, t + 6.01, "MPI_Barrier", line=40)
    found = findings_of(run, 30)
    waits = {finding["line"]: finding for finding in found if finding["partners"] and finding["total_s"] > 1}
    check_computing(waits[11], 1, 40, 21, part=0.6)
    check_computing(waits[31], 1, 40, 21, part=0.6)


def late_root():
    run = Run(3)
    for i in range(3):
        for rank in range(3):
            run.call(rank, 5 * i + (4 if rank == 2 else 1), 5 * i + 4.1, "MPI_Bcast", line=20, root=2,
                     **({"sent": 8} if rank == 2 else {"received": 8}))
    check_computing(get(findings_of(run, 15), "mpi.late-broadcast"), 2, 20, 20, part=0.6)


def noise():
    """Rank 1 had no CPU for as long as it computed longer: the rest is its computation before another call."""
    run = Run(2)
    for i in range(4):
        t = 10 * i + 2
        for rank in range(2):
            late = 4 if rank == 1 else 1
            run.call(rank, t + late, t + late + 0.001, "MPI_Send", line=10, peer=1 - rank, tag=0, sent=8,
                     **({"delay_before": 1500000} if rank == 1 else {}))
            # Half of the delay is noticed at a local call.
            run.call(rank, t + late - 1.6, t + late - 1.59, "MPI_Comm_rank", **({"delay_before": 1500000} if rank == 1 else {}))
            run.call(rank, t + (8 if rank == 1 else 2), t + 8.1, "MPI_Barrier", line=20)
            run.call(rank, t + 8.2, t + 8.201, "MPI_Recv", line=30, peer=1 - rank, tag=0, received=8)
    finding = get(findings_of(run, 40), "mpi.barrier-wait")
    assert abs(finding["total_s"] - 12) < 0.1, finding["total_s"]
    check_computing(finding, 1, 10, 20)


def last_but_for_noise():
    """Rank 2 arrives last, but rank 0 would have without noise. Rank 1 had as much of it as rank 2, so it waits for rank 0 longer than it
    seems."""
    run = Run(3)
    for rank, start, stolen in ((0, 5.1, 0), (1, 5, 3_000_000), (2, 9, 5_000_000)):
        run.call(rank, 1, 1.01, "MPI_Barrier", line=10)
        run.call(rank, start, 9.1, "MPI_Barrier", line=20, delay_before=stolen, delay_inside=0)
    finding = get(findings_of(run, 20), "mpi.barrier-wait", 20)
    check_computing(finding, 0, 10, 20)


def noise_before():
    """Noise in MPI_Init does not make rank 0 the cause, which computes no longer than rank 1: rank 2 does."""
    run = Run(3)
    for rank, start, stolen in ((0, 2, 0), (1, 1.9, 900_000), (2, 2.8, 900_000)):
        run.calls[rank].clear()
        run.call(rank, 0, 1, "MPI_Init", delay_before=0, delay_inside=stolen)
        run.call(rank, start, 2.81, "MPI_Barrier", line=20)
    finding = get(findings_of(run, 20), "mpi.barrier-wait")
    assert [(cause["kind"], cause["ranks"]) for cause in finding["causes"]] == [("computing", [2])], finding["causes"]


def regions():
    """The time between two calls belongs to the region in which most of it was spent."""
    run = Run(2)
    for i in range(3):
        t = 10 * i
        for rank in range(2):
            late = 6 if rank else 2
            run.call(rank, t + 1, t + 1, "tarry_region_begin", line=5, region="solve")
            run.call(rank, t + late, t + late, "tarry_region_end", line=6, region="solve")
            run.call(rank, t + late + 0.1, t + 6.2, "MPI_Barrier", line=20)
    finding = get(findings_of(run, 30), "mpi.barrier-wait")
    check_computing(finding, 1, 20, 20, part=0.6, region="solve")


def under_the_imbalance():
    """The wait costs more than the imbalance, but is listed below it. A wait with another cause is listed after both."""
    run = Run(4)
    for i in range(12):
        t = 10 * i
        run.meet({None: t + 2, 2: t + 6}, t + 6.1, "MPI_Allreduce", sent=8, received=8)
    run.call(0, 125, 125.01, "MPI_Send", line=30, peer=1, tag=0, sent=8)
    run.call(1, 121, 125.01, "MPI_Recv", line=31, peer=0, tag=0, received=8)
    found = findings_of(run, 126)
    patterns = [finding["pattern"] for finding in found]
    assert patterns[:2] == ["mpi.imbalance", "mpi.nxn-wait"], patterns
    assert found[1]["total_s"] > 1.5 * found[0]["total_s"]
    assert found[0]["explained_by"] is None and found[0]["causes"] == []
    assert found[1]["explained_by"] == 1, found[1]
    assert found[1]["advice"].startswith("Balance the work of finding 1: rank 2 computing main.c:20"), found[1]["advice"]
    assert "finding" not in found[0]["advice"] + found[2]["advice"], found
    check_computing(found[1], 2, 20, 20, part=0.8)
    assert abs(found[1]["causes"][0]["times_mean"] - 9.9 / 6.9) < 0.1, found[1]["causes"]


def one_of_many():
    """Rank 1 computes 1 s, 99 others 0.2 s: a small share of the total time, but the cause of their waits."""
    run = Run(100)
    for i in range(12):
        run.meet({None: 10 * i + 0.3, 1: 10 * i + 1.1}, 10 * i + 10.1, "MPI_Allreduce", sent=8, received=8)
    found = report_of(TARRY, run.text(120.1))["findings"]
    assert [finding["pattern"] for finding in found] == ["mpi.imbalance", "mpi.nxn-wait"], found
    assert found[0]["share"] < 0.001 and found[1]["explained_by"] == 1, found


def late_once():
    """Rank 2 is slightly late once, rank 1 each time: rank 1 is named."""
    run = Run(4)
    for i in range(20):
        late = {2: 5 * i + 1.5} if i == 10 else {1: 5 * i + 4}
        run.meet({None: 5 * i + 1, **late}, 5 * i + 4.1, "MPI_Barrier")
    check_computing(get(findings_of(run, 100), "mpi.barrier-wait"), 1, 20, 20, part=0.9)


def several_imbalances():
    """A wait explained by the uneven work before three calls, a third each, is listed below one of them."""
    run = Run(3)
    for i in range(12):
        t = 20 * i
        for rank in range(3):
            work = 3 if rank == 1 else 1
            for number in range(3):
                start = t + (number + 1) * work
                run.call(rank, start, start + 0.001, "MPI_Send", line=11 + number, peer=(rank + 1) % 3, tag=number, sent=8)
            run.call(rank, t + 3 * work + 1, t + 10.1, "MPI_Barrier", line=20)
            for number in range(3):
                start = t + 10.2 + number / 100
                run.call(rank, start, start + 0.001, "MPI_Recv", line=21 + number, peer=(rank + 2) % 3, tag=number, received=8)
    found = findings_of(run, 240)
    wait = get(found, "mpi.barrier-wait")
    assert wait["explained_by"] and found[wait["explained_by"] - 1]["pattern"] == "mpi.imbalance", wait
    lines = {cause["to"]["line"] for cause in wait["causes"]}
    assert lines == {11, 12, 13}, wait["causes"]


def one_cause():
    """Waits with one origin are consequences of it, and are listed under it."""
    run = Run(3)
    for i in range(30):
        t = 20 * i
        run.call(0, t + 5, t + 5.01, "MPI_Send", line=11, peer=1, tag=0, sent=8)
        run.call(0, t + 5.02, t + 5.03, "MPI_Ssend", line=12, peer=2, tag=0, sent=8)
        run.call(1, t + 1, t + 5.01, "MPI_Recv", line=21, peer=0, tag=0, received=8)
        run.call(2, t + 1, t + 5.03, "MPI_Recv", line=22, peer=0, tag=0, received=8)
        run.call(1, t + 11, t + 11.01, "MPI_Send", line=13, peer=0, tag=1, sent=8)
        run.call(0, t + 6, t + 11.01, "MPI_Recv", line=23, peer=1, tag=1, received=8)
        run.meet({None: t + 12}, t + 12.01, "MPI_Barrier", line=40)
    found = findings_of(run, 600)
    origin = get(found, "run.serial-phase", 11)
    number = found.index(origin) + 1
    assert {finding["line"] for finding in found if finding["explained_by"] == number} == {21, 22}, found
    assert origin["felt_in"] == 2 and origin["causes"][0]["ranks"] == [0], origin
    assert origin["saves_s"] > 0 and "Only rank 0 works between main.c:40 and main.c:11" in origin["advice"], origin
    assert get(found, "mpi.late-standard-send", 23)["explained_by"] is None, found


def work_in_turn():
    """Ranks work one after the other: their waits for each other follow from that, and none of them saves more."""
    run = Run(4)
    for i in range(20):
        t = 50 * i
        for rank in range(4):
            if rank:
                run.call(rank, t, t + 10 * rank + 0.02, "MPI_Recv", line=21, peer=rank - 1, tag=0, received=8)
            if rank < 3:
                run.call(rank, t + 10 * rank + 10, t + 10 * rank + 10.01, "MPI_Send", line=11, peer=rank + 1, tag=0, sent=8)
        run.meet({None: t, **{rank: t + 10 * rank + 10.02 for rank in range(4)}}, t + 40.1, "MPI_Barrier", line=40)
    found = findings_of(run, 1000)
    work = get(found, "mpi.serialised-work", 21)
    waits = [finding for finding in found if finding["explained_by"]]
    assert found[0] is work and work["remedy"] == "parallel" and 590 < work["saves_s"] <= 600, work
    assert {finding["pattern"] for finding in waits} == {"mpi.late-standard-send", "mpi.barrier-wait"}, found
    assert all(finding["explained_by"] == 1 and finding["saves_s"] <= work["saves_s"] for finding in waits), waits
    assert waits[0]["advice"].startswith("Let the ranks of finding 1 work at the same time:"), waits[0]["advice"]


def one_phase():
    """What rank 0 does alone after line 50 is one origin, whatever call follows."""
    run = Run(3)
    for i in range(10):
        t = 40 * i
        run.meet({None: t + 10}, t + 10.01, "MPI_Barrier", line=50)
        run.meet({0: t + 20, None: t + 10.1}, t + 20.01, "MPI_Barrier", line=40 + i % 2)
    found = findings_of(run, 400)
    origin = get(found, "run.serial-phase")
    assert [finding["pattern"] for finding in found].count("run.serial-phase") == 1, found
    assert {cause["to"]["line"] for cause in origin["causes"]} == {40, 41}, origin
    assert {finding["line"] for finding in found if finding["explained_by"] == found.index(origin) + 1} == {40, 41}, found
    assert origin["advice"].startswith("After main.c:50, only rank 0 works, and the others wait."), origin["advice"]


def writing_phase():
    """The work of rank 0 is mostly writing: the cause says what it writes. Not if it takes too little of the time there, or if most of it is elsewhere."""
    for seconds, is_told in ((90, True), (40, False), (120, False)):
        run = Run(3)
        run.records[0] = ['file 1 opens=1 inside=1 first=1 last=9 module=2 offset=7 "/home/u/out.dat"',
                          f"access 1 write system class=4 calls=300000 bytes=1228800000 inside={seconds * SECOND} consecutive=299999", 'file 0 ""']
        for i in range(10):
            run.meet({None: 40 * i + 10}, 40 * i + 10.01, "MPI_Barrier", line=50)
            run.meet({0: 40 * i + 20, None: 40 * i + 10.1}, 40 * i + 20.01, "MPI_Barrier", line=40)
        cause = get(findings_of(run, 400), "mpi.barrier-wait", 40)["causes"][0]["text"]
        assert ("rank 0 writes /home/u/out.dat, 1.1 GiB in pieces of 4 KiB" in cause) == is_told, (seconds, cause)


def shared_work():
    """Ranks that take over work of another one have no more time for it than they wait."""
    run = Run(3)
    for i in range(30):
        t = 21 * i
        for peer in (1, 2):
            run.call(0, t + 20 + peer / 100, t + 20 + peer / 100 + 0.001, "MPI_Send", line=11, peer=peer, tag=0, sent=8)
            run.call(peer, t + 10, t + 20.03, "MPI_Recv", line=21, peer=0, tag=0, received=8)
        run.meet({None: t + 20.1}, t + 20.11, "MPI_Barrier", line=40)
    wait = get(findings_of(run, 630), "mpi.late-standard-send", 21)
    assert wait["remedy"] == "share" and 190 < wait["saves_s"] < 205, wait


def server():
    """Two clients wait for answers of a server: their waits follow from its queue."""
    run = Run(3)
    for i in range(20):
        t = 10 * i
        for client, begun in ((1, t + 1), (2, t + 4)):
            run.call(client, t + 1, t + 1.01, "MPI_Send", line=21, peer=0, tag=0, sent=8)
            run.call(0, begun + 0.1, begun + 0.11, "MPI_Recv", line=11, peer=-1, tag=0, source=client, source_tag=0, received=8)
            run.call(0, begun + 2.9, begun + 2.91, "MPI_Send", line=12, peer=client, tag=1, sent=8)
            run.call(client, t + 1.02, begun + 2.91, "MPI_Recv", line=22, peer=0, tag=1, received=8)
    found = findings_of(run, 200)
    queue = get(found, "mpi.server-queue")
    wait = get(found, "mpi.late-standard-send", 22)
    assert found[0] is queue and wait["explained_by"] == 1, [(finding["pattern"], finding["explained_by"]) for finding in found]
    assert queue["remedy"] == "serve" and queue["doubt"] == wait["doubt"] == "wildcards", (queue["doubt"], wait["doubt"])
    assert wait["advice"].startswith("Shorten the queue of finding 1:"), wait["advice"]


def partitioned(iterations, last_ready):
    """Rank 1 waits for the last partition of rank 0."""
    run = Run(2)
    run.call(0, 0.1, 0.2, "MPI_Psend_init", line=10, peer=1, tag=0, sent=16, partitions=2, request=0, persistent=1)
    run.call(1, 0.1, 0.2, "MPI_Precv_init", line=20, peer=0, tag=0, room=16, partitions=2, request=0, persistent=1)
    for i in range(iterations):
        t = 10 * i
        run.call(0, t + 1, t + 1.1, "MPI_Start", line=11, request=0)
        run.call(0, t + 1.2, t + 1.3, "MPI_Pready", line=12, request=0, partition=0)
        run.call(0, t + last_ready, t + last_ready + 0.1, "MPI_Pready", line=13, request=0, partition=1)
        run.call(0, t + last_ready + 0.2, t + last_ready + 0.3, "MPI_Wait", line=14, done=0)
        run.call(1, t + 1, t + 1.1, "MPI_Start", line=21, request=0)
        run.call(1, t + 2, t + max(last_ready, 2) + 0.2, "MPI_Wait", line=22, done=0, received=16)
    return findings_of(run, 10 * iterations)


def late_partition():
    """Rank 0 computes before the last partition is ready; in time, no rank waits."""
    finding = get(partitioned(1, 4), "mpi.late-partition")
    check_computing(finding, 0, 12, 13)
    finding = get(partitioned(5, 4), "mpi.late-partition")
    assert finding["occurrences"] == 5, finding
    check_computing(finding, 0, 12, 13)
    # A wait since before the send started shows no transfer time: partitions were sent later.
    run = Run(2)
    run.call(0, 0.1, 0.2, "MPI_Psend_init", line=10, peer=1, tag=0, sent=16, partitions=2, request=0, persistent=1)
    run.call(1, 0.1, 0.2, "MPI_Precv_init", line=20, peer=0, tag=0, room=16, partitions=2, request=0, persistent=1)
    run.call(0, 0.5, 0.51, "MPI_Start", line=11, request=0)
    run.call(0, 0.6, 0.61, "MPI_Pready", line=12, request=0, partition=0)
    run.call(0, 8, 8.01, "MPI_Pready", line=13, request=0, partition=1)
    run.call(0, 8.1, 8.2, "MPI_Wait", line=14, done=0)
    run.call(1, 0.3, 0.31, "MPI_Start", line=21, request=0)
    run.call(1, 0.4, 8.2, "MPI_Wait", line=22, done=0, received=16)
    assert 3 < get(findings_of(run, 8.3), "mpi.late-partition")["saves_s"] < 4
    assert not [finding for finding in partitioned(5, 1.5) if finding["pattern"] == "mpi.late-partition"]


def clean():
    run = Run(3)
    for i in range(12):
        run.meet({None: 1 + i}, 1.01 + i, "MPI_Allreduce", sent=8, received=8)
    assert not [finding for finding in findings_of(run, 20) if finding["causes"]]


def long_ago():
    """More calls than a log can hold between two waits: forgotten ones are not guessed, and everything adds up."""
    run = Run(2)
    t = 1
    for i in range(3000):
        run.call(0, t, t + 0.0001, "MPI_Send", line=10, peer=1, tag=0, sent=8)
        run.call(1, t, t + 0.0002, "MPI_Recv", line=11, peer=0, tag=0, received=8)
        t += 0.001
    run.meet({None: t + 1, 1: t + 5}, t + 5, "MPI_Barrier")
    check_computing(get(findings_of(run, 20), "mpi.barrier-wait"), 1, 11, 20, part=0.95)


def noisy(seed):
    """Messages in both directions between two ranks that often have no processor, and compute before lines of their own."""
    pick, run, now = Random(seed), Run(2), [1.0, 1.0]
    for step in range(40):
        begun, sender = [None, None], step % 2
        for rank in range(2):
            for line in range(30, 30 + pick.randrange(3)):
                now[rank] += pick.choice((1e-9, 0.001, 1)) * pick.random()
                run.call(rank, now[rank], now[rank] + 1e-9, "MPI_Send", line=line + 10 * rank, peer=-2, tag=9, sent=8)
            stolen = pick.choice((0, 0, 0, 3_000_000)) * pick.random()
            now[rank] += stolen / 1e6 + pick.choice((1e-9, 0.01, 1)) * pick.random()
            begun[rank] = now[rank], {"delay_before": round(stolen), "delay_inside": 0}
        receiver, (sent, send_delay), (posted, post_delay) = 1 - sender, begun[sender], begun[1 - sender]
        now[sender], now[receiver] = sent + 0.001, max(posted, sent) + 0.002
        run.call(sender, sent, now[sender], "MPI_Send", line=10, peer=receiver, tag=0, sent=8, **send_delay)
        run.call(receiver, posted, now[receiver], "MPI_Recv", line=11, peer=sender, tag=0, received=8, **post_delay)
    return run, max(now) + 1


def noise_offsets():
    """A waiting rank may have done more than the late one, which had no CPU: causes still add up."""
    for seed in (10, 12, 30, 49):
        findings_of(*noisy(seed))


def path_of(run, end):
    path = report_of(TARRY, run.text(end), "--all")["critical_path"]
    check_path(path)
    return path


def check_path(path):
    """All of it belongs to a rank and a kind, to the nanosecond."""
    length = round((path["to_s"] - path["from_s"]) * SECOND)
    assert sum(round(rank["total_s"] * SECOND) for rank in path["ranks"]) == length, path
    assert sum(round(place["total_s"] * SECOND) for place in path["places"]) == length, path
    kinds = [sum(round(place["total_s"] * SECOND) for place in path["places"] if place["kind"] == kind) for kind in ("computing", "call", "noise")]
    in_all = [round(path[key] * SECOND) for key in ("computing_s", "communication_s", "noise_s")]
    # Of many places, the smallest are one of no kind.
    is_cut = any(place["kind"] == "other" for place in path["places"])
    assert kinds == in_all or is_cut and all(kind <= whole for kind, whole in zip(kinds, in_all)), (kinds, in_all)
    assert len(path["places"]) <= 64, len(path["places"])
    for rows in (path["ranks"], path["places"]):
        assert [row["total_s"] for row in rows] == sorted((row["total_s"] for row in rows), reverse=True), path
    assert all(place["excess_s"] <= place["total_s"] for place in path["places"]), path
    for place in path["places"]:
        assert (place["longest"] is None) == (place["kind"] == "other"), place
        assert not place["longest"] or 0 < place["longest"]["end_s"] - place["longest"]["start_s"] and place["longest"]["rank"] in place["ranks"], place


def told(path, least=0.01):
    """(kind, ranks, line before, line, share) of what is notable on it."""
    lines = ((place[key] or {}).get("line") for place in path["places"] for key in ("from", "to"))
    return [(place["kind"], place["ranks"], before, line, round(place["share"], 2))
            for place, before, line in zip(path["places"], *(iter(lines),) * 2) if place["share"] >= least]


def critical_chain():
    """The chain of late senders from rank 2 over rank 1 to rank 0, three times; then the barrier."""
    run = Run(3)
    for i in range(3):
        t = 10 * i
        run.call(2, t + 5, t + 5.01, "MPI_Send", line=31, peer=1, tag=0, sent=8)
        run.call(1, t + 1, t + 5.01, "MPI_Recv", line=21, peer=2, tag=0, received=8)
        run.call(1, t + 8, t + 8.01, "MPI_Send", line=22, peer=0, tag=0, sent=8)
        run.call(0, t + 1, t + 8.01, "MPI_Recv", line=11, peer=1, tag=0, received=8)
        run.meet({None: t + 8.5, 0: t + 10}, t + 10, "MPI_Barrier", line=40)
    path = path_of(run, 30.5)
    assert path["moves"] == 8 and not path["cut"] and not path["missed"], path["moves"]
    assert told(path, 0.1) == [("computing", [2], 40, 31, 0.33), ("computing", [1], 21, 22, 0.29), ("computing", [0], 11, 40, 0.2), ("computing", [2], None, 31, 0.16)], told(path)
    # Nobody else computes there: on average over three processes, a third.
    assert round(path["places"][1]["excess_s"], 2) == round(2 / 3 * 8.97, 2), path["places"][1]
    assert round(path["places"][1]["longest"]["end_s"] - path["places"][1]["longest"]["start_s"], 2) == 2.99, path["places"][1]
    assert round(path["places"][0]["longest"]["end_s"] - path["places"][0]["longest"]["start_s"], 2) == 5, path["places"][0]


def critical_master():
    """Rank 3 works longest before each barrier: the path is its work, and what all others do does not matter."""
    run = Run(4)
    for i in range(5):
        run.meet({None: 4 * i + 1, 3: 4 * i + 3.9}, 4 * i + 4, "MPI_Barrier")
    path = path_of(run, 20)
    assert path["ranks"][0]["rank"] == 3 and path["ranks"][0]["share"] > 0.97, path["ranks"]
    assert told(path, 0.1)[0] == ("computing", [3], 20, 20, 0.78), told(path)
    out = report_of(TARRY, run.text(20), "--all")
    assert out["critical_path"]["places"][0]["text"].startswith("rank 3 computing main.c:20"), out["critical_path"]["places"][0]


def inferred_eager_limit():
    """The library did not report its limit, but a larger send returned before its receive was posted. So MPI_Waitall waits for the message of
    rank 1 and not for the receive of its own small send: for causes as for findings."""
    run = Run(2)
    run.call(0, 0.02, 0.021, "MPI_Isend", 10, peer=1, tag=0, request=0, sent=1000)
    run.call(0, 0.022, 0.0221, "MPI_Wait", 11, done=0)
    run.call(0, 0.09, 0.091, "MPI_Irecv", 12, peer=1, tag=0, request=0)
    run.call(0, 0.1, 0.101, "MPI_Isend", 13, peer=1, tag=0, request=1, sent=500)
    run.call(0, 0.102, 0.302, "MPI_Waitall", 14, done=1)
    run.call(1, 0.05, 0.051, "MPI_Recv", 20, peer=0, tag=0, source=0, source_tag=0, received=1000)
    run.call(1, 0.25, 0.251, "MPI_Send", 21, peer=0, tag=0, sent=8)
    run.call(1, 0.3, 0.301, "MPI_Recv", 22, peer=0, tag=0, source=0, source_tag=0, received=500)
    text = []
    for line in run.text(0.5):
        text += [line.replace("done=1", "done=1 done=0 source=1 source_tag=0 received=8")]
        text += ['property clock "shared"', "clock shared 1000000000"] if line.startswith("process") else []
    finding = get(report_of(TARRY, text, "--all")["findings"], "mpi.wait-irecv-isend")
    check_computing(finding, 1, 20, 21, part=0.7)
    assert [cause["kind"] for cause in finding["causes"]] == ["computing", "transfer"], finding["causes"]


def delays_within_waits():
    """Rank 2 is the last at each barrier. Rank 0 arrives there while rank 2 still waits for rank 1. The causes are the work of ranks 1 and 2 from then on, in
    the order of time. The earlier work of rank 0 is not a cause, although both waited for it."""
    run = Run(4)
    for i in range(10):
        t = 40 * i + 0.01
        run.call(0, t + 22, t + 22.001, "MPI_Send", line=10, peer=1, tag=1, sent=8)
        run.call(1, t, t + 22.001, "MPI_Recv", line=11, peer=0, tag=1, received=8)
        run.call(1, t + 24.001, t + 24.002, "MPI_Send", line=13, peer=2, tag=1, sent=8)
        run.call(2, t, t + 24.002, "MPI_Recv", line=12, peer=1, tag=1, received=8)
        run.call(2, t + 26.002, t + 26.003, "MPI_Send", line=14, peer=3, tag=1, sent=8)
        run.call(3, t, t + 26.003, "MPI_Recv", line=15, peer=2, tag=1, received=8)
        run.meet({0: t + 22.002, 1: t + 24.003, 2: t + 31.003, 3: t + 28.003, None: 0}, t + 31.004, "MPI_Barrier")
    finding = get(findings_of(run, 401), "mpi.barrier-wait")
    assert abs(finding["total_s"] - 190) < 0.1, finding["total_s"]
    causes = [(cause["ranks"], cause["from"]["line"], cause["to"]["line"], round(cause["total_s"])) for cause in finding["causes"]]
    assert causes == [([2], 14, 20, 130), ([2], 12, 14, 40), ([1], 11, 13, 20)], causes


def critical_known_late():
    """Rank 0 waits for rank 2, and then often for rank 1. The replay can read rank 2 last: the first wait is then known after the others."""
    run, count = Run(3), 1500
    run.call(2, 5, 5.001, "MPI_Recv", line=30, peer=0, tag=9, received=8)
    run.call(0, 1, 5.001, "MPI_Ssend", line=10, peer=2, tag=9, sent=8)
    run.call(0, 5.5, 5.501, "MPI_Send", line=13, peer=1, tag=1, sent=8)
    run.call(1, 1, 5.501, "MPI_Recv", line=22, peer=0, tag=1, received=8)
    for i in range(count):
        t = 6 + 0.01 * i
        run.call(1, t + 0.005, t + 0.0051, "MPI_Send", line=20, peer=0, tag=0, sent=8)
        run.call(0, t, t + 0.0051, "MPI_Recv", line=11, peer=1, tag=0, received=8)
    run.call(1, t + 1, t + 1.1, "MPI_Recv", line=21, peer=0, tag=1, received=8)
    run.call(0, t + 1, t + 1.1, "MPI_Send", line=12, peer=1, tag=1, sent=8)
    path = path_of(run, t + 3)
    assert not path["missed"], path["missed"]
    assert {rank["rank"]: round(rank["total_s"], 1) for rank in path["ranks"]} == {0: 3.5, 1: 15.5, 2: 5}, path["ranks"]


def late_behind_tests():
    """Rank 1 is late, and the others test for it without other work: the causes are those of a wait. A loop with work between its tests is not a wait."""
    for name, ends, works in (("MPI_Ibarrier", {}, False), ("MPI_Irecv", {"source": 1, "source_tag": 0, "received": 8}, False), ("MPI_Ibarrier", {}, True)):
        run = Run(3)
        for i in range(5):
            t = 10 * i
            for rank in range(3):
                begin = t + (6 if rank == 1 and not works else 1)
                if name == "MPI_Ibarrier":
                    run.call(rank, begin, begin + 0.001, name, line=10, request=0, comm=1)
                elif rank != 1:
                    run.call(rank, begin, begin + 0.001, name, line=10, peer=1, tag=0, room=8, request=0)
                    run.call(1, t + 6 + rank / 1000, t + 6 + rank / 1000 + 0.0005, "MPI_Send", line=30, peer=rank, tag=0, sent=8)
                if rank != 1:
                    run.call(rank, t + 1.001, t + 6.1, "MPI_Test", line=11, flag=0, polls=500, busy=round((1 if works else 5) * SECOND))
                if rank != 1 or name == "MPI_Ibarrier":
                    run.call(rank, t + 6.1, t + 6.2, "MPI_Test", line=11, flag=1, done=0, **(ends if rank != 1 else {}))
            run.meet({None: t + 6.3}, t + 6.301, "MPI_Barrier", line=20)
        report = report_of(TARRY, run.text(60), "--all")
        finding, path = get(findings_of(report["findings"], 0), "mpi.test-polling"), report["critical_path"]
        if works:
            assert not finding["causes"] and not path["moves"], finding["causes"]
            continue
        assert abs(finding["total_s"] - 50) < 1.5, finding["total_s"]
        check_computing(finding, 1, 20, 10 if name == "MPI_Ibarrier" else 30, part=0.7)
        late_s = sum(cause["total_s"] for cause in finding["causes"] if cause["ranks"] == [1] and cause["kind"] == "computing")
        assert late_s > 0.95 * 50, finding["causes"]
        assert path["ranks"][0]["rank"] == 1 and not any(place["kind"] == "call" and place["share"] > 0.05 for place in path["places"]), path["places"]
        assert finding["remedy"] in ("work", "share", "no_wait"), finding["remedy"]
        # Ranks that test are inside MPI often enough for progress.
        assert finding["predictable"] and 10 < finding["saves_s"] < 17, (finding["doubt"], finding["saves_s"])


def work_between_tests():
    """A process that tests once without success, works and then finds the message did not wait for it, although it was late."""
    run = Run(2)
    for i in range(5):
        t = 10 * i
        run.call(0, t + 1, t + 1.001, "MPI_Irecv", line=10, peer=1, tag=0, room=8, request=0)
        run.call(0, t + 1.001, t + 1.002, "MPI_Test", line=11, flag=0)
        run.call(0, t + 6.1, t + 6.101, "MPI_Test", line=12, flag=1, done=0, source=1, source_tag=0, received=8)
        run.call(1, t + 5, t + 5.001, "MPI_Send", line=30, peer=0, tag=0, sent=8)
        run.meet({None: t + 6.3}, t + 6.301, "MPI_Barrier", line=20)
    report = report_of(TARRY, run.text(60), "--all")
    assert not report["critical_path"] or not report["critical_path"]["moves"], report["critical_path"]


def critical_nobody():
    """Without waits, or with a single rank, every process is equally critical."""
    for size in (1, 2):
        run = Run(size)
        for i in range(3):
            run.meet({None: i + 1}, i + 1.001, "MPI_Barrier")
        assert report_of(TARRY, run.text(5), "--all")["critical_path"] is None, size


def uneven_at_changing_places():
    """Rank 1 computes longer than rank 0, but not in each iteration. A wait that follows from it saves no more than balancing the work."""
    run, starts = Run(2), [0.01, 0.01]
    for i in range(30):
        starts = [before + work for before, work in zip(starts, (0.01, 0.05) if i % 2 else (0.02, 0.01))]
        end = max(starts) + 0.001
        run.meet({None: starts[0], 1: starts[1]}, end, "MPI_Barrier")
        starts = [end, end]
    found = findings_of(run, starts[0])
    cause, wait = get(found, "mpi.imbalance"), get(found, "mpi.barrier-wait")
    assert found[wait["explained_by"] - 1] is cause and wait["total_s"] > cause["total_s"], found
    assert 0 < wait["saves_s"] <= cause["saves_s"] <= cause["total_s"], (wait["saves_s"], cause["saves_s"])


def random_programs():
    kinds, paths = set(), 0
    for seed in range(1, RANDOM_PROGRAMS + 1):
        program = Program(seed, 2 + seed % 7, (5, 20, 80)[seed % 3], shifted=seed % 4 == 0)
        report = report_of(TARRY, program.trace.text().splitlines(), "--all")
        found = findings_of(report["findings"], 0)
        kinds |= {cause["kind"] for finding in found for cause in finding["causes"]}
        if report["critical_path"]:
            check_path(report["critical_path"])
            paths += 1
    assert {"computing", "call"} <= kinds and paths > RANDOM_PROGRAMS / 2, (kinds, paths)


for case in (direct, out_of_a_call, polling, earlier, chain, late_receiver, late_root, noise, last_but_for_noise, noise_before, regions, under_the_imbalance, one_of_many, late_once,
             several_imbalances, one_cause, work_in_turn, one_phase, writing_phase, shared_work, server, late_partition, clean, long_ago, noise_offsets, critical_chain, critical_master, critical_known_late, critical_nobody,
             delays_within_waits, late_behind_tests, work_between_tests,
             inferred_eager_limit, uneven_at_changing_places,
             random_programs):
    try:
        case()
    except AssertionError as wrong:
        sys.exit(f"{case.__name__}: {wrong}")
