"""Figures of a run, computed by hand; and the same in `report`, `analyze` and `info`, as text and as JSON, for many traces.

    figures.py TARRY GOLDEN..."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

from traces import TRACES, head, report_of, written

TARRY, GOLDEN = sys.argv[1], sys.argv[2:]
MS = 1000000


def trace(*ranks, size=None, extra=()):
    """Each rank is a list of (start, end, call) in ms."""
    for rank, calls in enumerate(ranks):
        yield from head(rank, size or len(ranks))
        yield from extra
        yield "thread 0"
        for start, end, call in calls:
            yield f"{round(start * MS)} {round(end * MS)} {call}"


def lines_of(calls):
    return list(trace(*calls))


def ms(seconds):
    return round(seconds * 1e3, 6)


def expect(what, found, wanted):
    assert found == wanted, (what, found, wanted)


def is_close(what, found, wanted):
    assert math.isclose(found, wanted, abs_tol=1e-5), (what, found, wanted)


def summary_of(lines):
    return report_of(TARRY, lines)["summary"]


def efficiency(what, found, balance, communication):
    is_close(what, found["load_balance"], balance)
    is_close(what, found["communication"], communication)
    is_close(what, found["parallel"], balance * communication)


def phase(call, name):
    return f'tarry_{call} region="{name}"'


PHASES = (
    [(0, 1, "MPI_Init"), (2, 2, phase("phase", "setup")), (3, 4, "MPI_Bcast site=2+0x5 comm=0x1 root=0 sent=100 received=0"),
     (5, 5, phase("phase", "time loop")), (5, 5, phase("region_begin", "exchange")),
     (6, 8, "MPI_Alltoallv site=2+0x6 comm=0x1 sent=30 received=50 block=10 block=20"), (8, 8, phase("region_end", "exchange")),
     (8.5, 8.6, "MPI_Wtime"), (10, 11, "MPI_Allreduce site=2+0x7 comm=0x1 sent=8 received=8"), (12, 15, "MPI_Finalize")],
    [(0, 1, "MPI_Init"), (2, 2, phase("phase", "setup")), (2.5, 4, "MPI_Bcast site=2+0x5 comm=0x1 root=0 sent=0 received=100"),
     (5, 5, phase("phase", "time loop")), (5, 5, phase("region_begin", "exchange")),
     (7, 8, "MPI_Alltoallv site=2+0x6 comm=0x1 sent=70 received=50 block=30 block=40"), (8, 8, phase("region_end", "exchange")),
     (9, 11, "MPI_Allreduce site=2+0x7 comm=0x1 sent=8 received=8"), (12, 15, "MPI_Finalize")])


def team(rank, *threads):
    """A process whose threads have (start, end, call) in ms."""
    yield from head(rank, 2)
    for number, calls in enumerate(threads):
        yield f"thread {number}"
        for start, end, call in calls:
            yield f"{round(start * MS)} {round(end * MS)} {call}"


def check_teams():
    """Each process computes for 9 ms. The region of rank 0 lasts from 1 to 5 ms; its second thread waits in the last of them. In the region of rank 1, from 2 to 7 ms,
    thread 0 waits for 3 ms, thread 1 for 2.5 ms, thread 2 never. Waits outside the regions do not count."""
    def barrier(tag, thread):
        return f"omp_barrier tag={tag} count={2 + tag} thread={thread}"
    begin, end = (0, 1, "MPI_Init"), (10, 11, "MPI_Finalize")
    lines = [*team(0, [begin, (1, 1, "omp_fork count=2"), (5, 5, barrier(0, 0)), (5, 5, "omp_join count=2"), end],
                   [(4, 9.5, barrier(0, 1))]),
             *team(1, [begin, (2, 2, "omp_fork count=3"), (3, 5, "omp_lock mutex=1 count=3"), (6, 7, barrier(1, 0)), (7, 7, "omp_join count=3"), end],
                   [(1.5, 2.5, barrier(1, 1)), (3, 5, "omp_lock mutex=2 count=3"), (7, 9, barrier(1, 1))],
                   [(1.5, 2, barrier(1, 2)), (7, 9, barrier(1, 2))])]
    summary = summary_of(lines)
    efficiency("teams", summary["efficiency"], 1, 1)
    useful = (9 + 4 - 1) + (9 - 3 + (5 - 2.5) + 5)
    is_close("OpenMP", summary["hybrid"]["openmp"], useful / (2 * 9 + 3 * 9))
    is_close("hybrid", summary["hybrid"]["parallel"], useful / (2 * 9 + 3 * 9))
    expect("threads", summary["hybrid"]["threads"], 5)
    expect("a run without teams", summary_of(lines_of(PHASES))["hybrid"], None)
    unfinished = [line for line in lines if "omp_join" not in line]
    expect("regions without ends", summary_of(unfinished)["hybrid"], None)


def check_communication():
    """Ranks compute for 4 and 2 ms in turn, and each barrier takes 1 ms after the last rank: 10 ms instead of 8 on an ideal network, where each computes for 6."""
    ranks = [[(0, 1, "MPI_Init"), (1 + first, 6, "MPI_Barrier comm=0x1"), (6 + second, 11, "MPI_Barrier comm=0x1"), (11, 12, "MPI_Finalize")]
             for first, second in ((4, 2), (2, 4))]
    summary = summary_of(lines_of(ranks))
    efficiency("two barriers", summary["efficiency"], 1, 0.6)
    is_close("serialisation", summary["communication"]["serialisation"], 6 / 8)
    is_close("transfer", summary["communication"]["transfer"], 8 / 10)
    expect("without a replay", report_of(TARRY, lines_of(ranks), "--no-whatif")["summary"]["communication"], None)


def check_proc_null():
    """Messages to MPI_PROC_NULL have no receiver."""
    calls = [(0, 1, "MPI_Init"), (2, 3, "MPI_Send comm=0x1 peer=-2 tag=0 sent=100"), (4, 5, "MPI_Put win=0x1 target=-2 sent=30"),
             (6, 7, "MPI_Sendrecv comm=0x1 peer=-2 source=0 tag=0 sent=70 received=8"), (8, 9, "MPI_Finalize")]
    ranks = summary_of(lines_of((calls, [*calls[:1], (2, 3, "MPI_Send comm=0x1 peer=0 tag=0 sent=8"), calls[-1]])))["ranks"]
    expect("sent and received", [(rank["sent_bytes"], rank["received_bytes"]) for rank in ranks], [(0, 8), (8, 0)])


def check_phases():
    report = report_of(TARRY, lines_of(PHASES))
    summary = report["summary"]
    expect("run", [ms(report["run"][key]) for key in ("length_s", "time_s", "elapsed_s")], [11, 22, 15])
    expect("start and end", [ms(summary["init_s"]), ms(summary["finalize_s"])], [2, 6])
    # MPI_Wtime is computing
    expect("ranks", [(ms(rank["computing_s"]), ms(rank["communication_s"]), rank["sent_bytes"], rank["received_bytes"])
                     for rank in summary["ranks"]], [(7, 4, 138, 58), (6.5, 4.5, 78, 158)])
    efficiency("run", summary["efficiency"], 6.75 / 7, 7 / 11)
    expect("phases", [(row["path"], row["times"], row["calls"], ms(row["length_s"]), ms(row["time_s"]), ms(row["computing_s"]))
                      for row in summary["phases"]],
           [("setup", 2, 2, 3, 6, 3.5), ("time loop", 2, 6, 7, 14, 8), ("time loop > exchange", 2, 2, 3, 6, 3)])
    efficiency("exchange", summary["phases"][2]["efficiency"], 1.5 / 2, 2 / 3)
    found = {row["call"]: row["phases"] for row in report["findings"]}
    expect("findings", {call: phases[0] for call, phases in found.items()},
           {"MPI_Alltoallv": {"path": "time loop > exchange", "part": 1}, "MPI_Allreduce": {"path": "time loop", "part": 1},
            "MPI_Bcast": {"path": "setup", "part": 1}})
    # Bcast 100, its block of 20 and the 8 of Allreduce; 30 and 8 the other way
    expect("matrix", [(row["from"], row["to"], row["bytes"], row["collective_bytes"], row["estimated"]) for row in summary["matrix"]],
           [(0, 1, 0, 128, False), (1, 0, 0, 38, False)])
    shares = {row["call"]: row["share"] for row in summary["functions"]}
    expect("outside", (shares["MPI_Init"], shares["MPI_Finalize"]), (0, 0))
    is_close("inside", shares["MPI_Bcast"], 2.5 / 22)
    text = written(TARRY, lines_of(PHASES), "--all").decode()
    for sought in (r"\n +phase +time loop > exchange\n", r"\n    exchange +6.00 ms +27 % +50 % +75 % +67 %\n", r"MPI_Wtime \(computing\)"):
        assert re.search(sought, text), (sought, text)
    for form in ("csv", "sarif"):
        assert "time loop > exchange" in written(TARRY, lines_of(PHASES), f"--{form}", "-").decode(), form
        assert "time loop > exchange" in written(TARRY, lines_of(PHASES), f"--{form}", "-", command="analyze").decode(), form


def check_levels():
    """MPI_Pcontrol above 1 begins a phase, which any other level ends."""
    calls = [(0, 1, "MPI_Init"), (2, 2, "MPI_Pcontrol level=3"), (3, 4, "MPI_Barrier comm=0x1"), (6, 6, "MPI_Pcontrol level=2"),
             (7, 7, "MPI_Pcontrol level=1"), (9, 10, "MPI_Finalize")]
    rows = summary_of(lines_of([calls]))["phases"]
    expect("levels", [(row["name"], ms(row["time_s"]), ms(row["computing_s"])) for row in rows],
           [("MPI_Pcontrol(3)", 4, 3), ("MPI_Pcontrol(2)", 1, 1)])


def check_windows():
    """The part of a process that is the run: lengths, and the durations of start and end."""
    barrier = (3, 4, "MPI_Barrier comm=0x1")
    for what, calls, wanted in (
            ("plain", [(0, 1, "MPI_Init"), barrier, (9, 10, "MPI_Finalize")], (8, 1, 1)),
            ("thread level", [(0, 1, "MPI_Init_thread level=3"), barrier, (9, 10, "MPI_Finalize")], (8, 1, 1)),
            ("asked before", [(0, 0.5, "MPI_Initialized"), (1, 2, "MPI_Init"), barrier, (9, 10, "MPI_Finalize"), (11, 12, "MPI_Finalized")],
             (7, 1, 1)),
            ("session", [(0, 1, "MPI_Session_init"), barrier, (9, 10, "MPI_Session_finalize")], (8, 1, 1)),
            ("a second session", [(0, 1, "MPI_Session_init"), barrier, (5, 6, "MPI_Session_finalize"), (6, 7, "MPI_Session_init"),
                                  (7, 8, "MPI_Barrier comm=0x1"), (9, 10, "MPI_Session_finalize")], (8, 1, 1)),
            ("killed", [(0, 1, "MPI_Init"), barrier, (5, 6, "MPI_Barrier comm=0x1")], (5, 1, 0)),
            ("a part", [barrier, (5, 6, "MPI_Barrier comm=0x1")], (3, 0, 0)),
            ("nothing else", [(0, 1, "MPI_Init")], (0, 1, 0)),
    ):
        rank = summary_of(lines_of([calls]))["ranks"][0]
        expect(what, (ms(rank["length_s"]), ms(rank["init_s"]), ms(rank["finalize_s"])), wanted)


def check_end():
    """A process that waits in MPI_Finalize for the last one still runs; one that leaves it before does not."""
    init = (0, 1, "MPI_Init")
    report = report_of(TARRY, lines_of([[init, (2, 100, "MPI_Finalize")], [init, (99, 100, "MPI_Finalize")],
                                        [init, (3, 5, "MPI_Finalize")]]))
    expect("end", [(ms(rank["length_s"]), ms(rank["computing_s"]), ms(rank["communication_s"]), ms(rank["finalize_s"]))
                   for rank in report["summary"]["ranks"]], [(98, 1, 97, 1), (98, 98, 0, 1), (4, 2, 2, 0)])
    found, = report["findings"]
    expect("wait at the end", (found["pattern"], ms(found["total_s"]), round(found["share"], 4)),
           ("mpi.finalize-wait", 99, round(99 / 200, 4)))
    path = report["critical_path"]
    expect("path", ([row["rank"] for row in path["ranks"]], ms(path["to_s"]), ms(path["computing_s"])), ([1], 99, 98))


def check_scheduling():
    """Scheduling delays during a pause cost nothing of the run; a few delays do not reduce trust."""
    def lines(stolen_us):
        yield from head(0, 1)
        yield from ('property selection "--to end"', "thread 0", "0 1000000 MPI_Init", "3000000 4000000 MPI_Barrier comm=0x1",
                    "pause 5000000", "resume 900000000", f"901000000 902000000 MPI_Barrier comm=0x1 delay_before={stolen_us} delay_inside=0",
                    "903000000 904000000 MPI_Finalize")
    for stolen_us, wanted, is_told in ((890000, 2, True), (100, 0.1, False)):
        report = report_of(TARRY, lines(stolen_us))
        expect("run", ms(report["run"]["time_s"]), 7)
        expect("without a processor", ms(report["run"]["without_processor_s"]), wanted)
        expect("of the rank", ms(report["summary"]["ranks"][0]["without_processor_s"]), wanted)
        expect("trust", "oversubscribed" in [reason["id"] for reason in report["trust"]["reasons"]], is_told)
        info = json.loads(written(TARRY, lines(stolen_us), "--json", command="info"))
        expect("info", info["stolen_ns"], wanted * MS)


def check_waiting_threads():
    """A thread that waits for another one, and yields its CPU again and again, loses nothing; one that works does."""
    for call, wanted in (("omp_critical mutex=7 count=2", 0), ("MPI_Wtime", 6)):
        lines = [*head(0, 1), "thread 0", f"0 {MS} MPI_Init", f"{2 * MS} {9 * MS} {call} delay_before=0 delay_inside=6000",
                 f"{10 * MS} {11 * MS} MPI_Barrier comm=0x1", f"{12 * MS} {13 * MS} MPI_Finalize"]
        report = report_of(TARRY, lines)
        expect(f"delays in {call}", ms(report["run"]["without_processor_s"]), wanted)
        conditions = report_of(TARRY, lines, command="whatif")["conditions"]
        saved = next(condition["saves_s"] for condition in conditions if condition["name"] == "no_noise")
        expect(f"without delays in {call}", ms(saved), wanted)


def check_shown():
    """A wait of 1.2 % of the run is shown, however long others had no CPU; the text names its nodes and threads."""
    def lines(wait_ms):
        for rank in range(2):
            yield from head(rank, 2, host=b"node%d" % rank)
            yield from ('property clock "shared"', "thread 0", "0 1000000 MPI_Init")
            noise = " delay_before=600000 delay_inside=0" if rank else ""
            yield f"{900 * MS} {901 * MS} MPI_Barrier site=1+0x1 comm=0x1{noise}"
            yield f"{(950 if rank else 950 + wait_ms) * MS} {(951 + wait_ms) * MS} MPI_Barrier site=1+0x2 comm=0x1"
            yield f"{1000 * MS} {1001 * MS} MPI_Finalize"
            yield from ("thread 3", f"{960 * MS} {961 * MS} MPI_Comm_rank comm=0x1", f"{962 * MS} {963 * MS} MPI_Iprobe comm=0x1 flag=0")
    for wait_ms, count in ((25, 1), (10, 0)):
        expect(f"a wait of {wait_ms} ms", len(report_of(TARRY, lines(wait_ms))["findings"]), count)
    text = " ".join(written(TARRY, lines(25), "--all").decode().split())
    assert "rank 1 (node1), thread 0" in text, text


def check_pauses():
    """The window is what was recorded: without the pause."""
    lines = list(head(0, 1)) + ['property selection "--to end"', "thread 0", "0 1000000 MPI_Init", "3000000 4000000 MPI_Barrier comm=0x1",
                                "pause 5000000", "resume 15000000", "16000000 17000000 MPI_Barrier comm=0x1", "19000000 20000000 MPI_Finalize"]
    summary = summary_of(lines)
    expect("pause", [ms(summary[key]) for key in ("length_s", "time_s", "computing_s", "communication_s", "elapsed_s")], [8, 8, 6, 2, 20])


def check_threads():
    """The computation time of a process is the mean of its threads; its time is the total."""
    lines = list(head(0, 1)) + ["thread 0", "0 1000000 MPI_Init", "9000000 10000000 MPI_Finalize", "thread 1",
                                "3000000 4000000 MPI_Barrier comm=0x1", "6000000 7000000 MPI_Barrier comm=0x1"]
    summary = summary_of(lines)
    expect("threads", [ms(summary[key]) for key in ("length_s", "time_s", "computing_s", "communication_s")], [8, 12, 10, 2])
    expect("mean", ms(summary["ranks"][0]["computing_s"]), 5)


def check_worlds():
    """Spawned processes run for as long as they do: the run is as long as that of the parent."""
    lines = []
    for world, first, last in ((1, 0, 20), (2, 5, 10)):
        lines += [f"process world={world} rank=0 size=1", f'comm 0x{world} rank=0 size=1 members={world}:0 "MPI_COMM_WORLD"', "thread 0",
                  f"{first * MS} {(first + 1) * MS} MPI_Init", f"{(last - 1) * MS} {last * MS} MPI_Finalize"]
    summary = summary_of(lines)
    expect("worlds", [ms(summary[key]) for key in ("length_s", "time_s")], [18, 21])
    efficiency("worlds", summary["efficiency"], 10.5 / 18, 1)


def check_upc():
    """A thread of UPC counts from its start to upc_exit."""
    lines = []
    for rank in range(2):
        lines += [f"process world=1 rank={rank} size=2", f'comm 0x9 kind=upc rank={rank} size=2 "UPC"', "thread 0", "1000000 1000000 upc_start comm=0x9",
                  f"{2 * MS} {4 * MS} upc_barrier comm=0x9", f"{7 * MS} {8 * MS} upc_exit comm=0x9"]
    summary = summary_of(lines)
    expect("upc", [ms(summary[key]) for key in ("length_s", "computing_s", "communication_s", "finalize_s")], [6, 8, 4, 2])


def iterating(steps, slow=0, slow_thirds=1):
    """Each step computes for 10 ms, the last thirds for `slow` more; inside it 3 small reductions."""
    calls, now = [(0, 1, "MPI_Init"), (2, 3, "MPI_Bcast site=2+0x1 comm=0x1 root=0 sent=4 received=4")], 3
    for step in range(steps):
        now += 10 + (slow if step >= (3 - slow_thirds) * steps / 3 else 0)
        calls.append((now, now + 2, "MPI_Barrier site=2+0x2 comm=0x1"))
        now += 2
        for _ in range(3):
            calls.append((now + 1, now + 2, "MPI_Allreduce site=2+0x3 comm=0x1 sent=8 received=8"))
            now += 2
    return calls + [(now + 1, now + 2, "MPI_Finalize")]


def check_iterations():
    found = summary_of(lines_of([iterating(30)] * 2))["iteration"]
    expect("iteration", (found["call"], found["count"], ms(found["mean_s"]), ms(found["min_s"]), ms(found["max_s"])),
           ("MPI_Barrier", 30, 18, 18, 18))
    expect("no drift", (ms(found["first_third_s"]), ms(found["last_third_s"])), (18, 18))
    efficiency("iteration", found["efficiency"], 1, 13 / 18)
    expect("place", found["place"], "main.c:2 (f2)")
    found = summary_of(lines_of([iterating(300, slow=9)] * 2))["iteration"]
    expect("drift", (ms(found["first_third_s"]), ms(found["last_third_s"]), ms(found["max_s"])), (18, 27, 27))
    text = written(TARRY, lines_of([iterating(300, slow=9)] * 2), "--all").decode()
    assert "the last third is 50 % longer" in " ".join(text.split()), text
    text = written(TARRY, lines_of([iterating(30, slow=17982, slow_thirds=2)] * 2), "--all").decode()
    assert "the last third takes 1000 times as long as the first" in " ".join(text.split()), text
    for what, calls in (("few", [iterating(4)] * 2), ("uneven", [iterating(30), iterating(31)]), ("none", [[(0, 1, "MPI_Init")]])):
        expect(what, summary_of(lines_of(calls))["iteration"], None)


def steps(extra, count=20):
    """Two ranks with a barrier after each step of 10 ms; a rank computes `extra(rank, step)` ms more, and the other one waits for it. A long start-up comes first."""
    ranks, now = [[(0, 1, "MPI_Init"), (100, 101, "MPI_Bcast site=2+0x1 comm=0x1 root=0 sent=4 received=4")] for _ in range(2)], 101
    for step in range(count):
        ends = [now + 10 + extra(rank, step) for rank in range(2)]
        for rank in range(2):
            ranks[rank].append((ends[rank], max(ends) + 1, "MPI_Barrier site=2+0x2 comm=0x1"))
        now = max(ends) + 1
    return lines_of([calls + [(now + 1, now + 2, "MPI_Finalize")] for calls in ranks])


def check_course():
    """Waits of each iteration, outliers and drift; none in a regular run."""
    summary = summary_of(steps(lambda rank, step: 2 * rank))
    expect("regular", (len(summary["iterations"]), summary["iteration"]["outliers"]), (19, []))
    expect("waits", {(ms(group["length_s"]), ms(group["communication_s"]), ms(group["waiting_s"])) for group in summary["iterations"]}, {(13, 2, 1)})
    text = written(TARRY, steps(lambda rank, step: 2 * rank), "--all").decode()
    assert "length over the run: [###################]" in text and "waits over the run: [###################]" in text and "iteration 1" not in text, text
    late = steps(lambda rank, step: 40 if (rank, step) == (1, 8) else 0)
    summary = summary_of(late)
    expect("outlier", [(item["number"], ms(item["length_s"]), item["rank"], ms(item["excess_s"])) for item in summary["iteration"]["outliers"]], [(8, 51, 1, 40)])
    expect("its waits", [(group["first"], ms(group["waiting_s"])) for group in summary["iterations"] if group["waiting_s"]], [(8, 20)])
    text = " ".join(written(TARRY, late, "--all").decode().split())
    assert "waits over the run: [_______#___________]" in text, text
    assert "iteration 8 takes 51.0 ms, the median is 11.0 ms: rank 1 computes 40.0 ms longer than usual" in text, text
    text = " ".join(written(TARRY, steps(lambda rank, step: step), "--all").decode().split())
    assert "longer than the first, mostly computing" in text and "iteration" not in text.partition("mostly computing")[2].partition("Time by")[0], text
    text = " ".join(written(TARRY, steps(lambda rank, step: 2 * step if rank == step % 2 else 0), "--all").decode().split())
    assert "the last third takes 2.4 times as long as the first, mostly inside calls" in text, text
    expect("every third", summary_of(steps(lambda rank, step: 0 if step % 3 else 30))["iteration"]["outliers"], [])
    summary = summary_of(steps(lambda rank, step: 40 if step == 500 else 0, count=1001))
    expect("groups", (len(summary["iterations"]), sum(group["count"] for group in summary["iterations"]), [group["max_s"] for group in summary["iterations"]].index(0.051)),
           (63, 1000, 31))
    expect("no iteration", [summary_of(lines_of([iterating(30), iterating(31)]))[key] for key in ("iteration", "iterations")], [None, []])


def check_outliers():
    """Of 8 ranks one computes longer, and one sends more: these two are named, with the least, mean and most."""
    ranks = [[(0, 1, "MPI_Init"), (20 + rank / 100 + (30 if rank == 5 else 0), 60, "MPI_Barrier comm=0x1"),
              (60, 61, f"MPI_Send comm=0x1 peer={(rank + 1) % 8} tag=0 sent={100000 if rank == 2 else 1000}"), (62, 63, "MPI_Finalize")]
             for rank in range(8)]
    text = written(TARRY, lines_of(ranks), "--all").decode()
    assert re.search(r"rank 5 stands out: computing \(not MPI\) 5\d\.\d ms, median 2\d\.\d ms", text), text
    assert re.search(r"rank 2 stands out: sent 97\.7 KiB, median 1000 bytes", text) or "rank 2 stands out: sent 98 KiB" in text, text
    expect("outliers", text.count("stands out"), 2)
    assert re.search(r"computing \(not MPI\) +\S+ ms +20\.0 ms \(rank 0\) +50\.1 ms \(rank 5\)", text), text


def collective(name, fields):
    """What 3 ranks move in one call, from each of them to each other."""
    calls = [[(0, 1, "MPI_Init"), (2, 3, f"{name} comm=0x1 {fields(rank)}"), (4, 5, "MPI_Finalize")] for rank in range(3)]
    rows = summary_of(lines_of(calls))["matrix"]
    assert all(row["bytes"] == row["messages"] == 0 for row in rows)
    return {(row["from"], row["to"]): row["collective_bytes"] for row in rows}, any(row["estimated"] for row in rows)


def check_collectives():
    pairs = [(a, b) for a in range(3) for b in range(3) if a != b]
    for name, fields, wanted in (
            ("MPI_Bcast", lambda rank: f"root=1 sent={9 * (rank == 1)} received={9 * (rank != 1)}", {(1, 0): 9, (1, 2): 9}),
            ("MPI_Gatherv", lambda rank: f"root=0 sent={rank + 1} received={6 * (rank == 0)}", {(1, 0): 2, (2, 0): 3}),
            ("MPI_Scatterv", lambda rank: f"root=0 sent={6 * (rank == 0)} received={rank + 1}", {(0, 1): 2, (0, 2): 3}),
            ("MPI_Reduce", lambda rank: f"root=2 sent=8 received={8 * (rank == 2)}", {(0, 2): 8, (1, 2): 8}),
            ("MPI_Allreduce", lambda rank: "sent=8 received=8", {pair: 8 for pair in pairs}),
            ("MPI_Scan", lambda rank: "sent=8 received=8", {(0, 1): 8, (0, 2): 8, (1, 2): 8}),
            ("MPI_Allgatherv", lambda rank: f"sent={rank + 1} received=6", {pair: pair[0] + 1 for pair in pairs}),
            ("MPI_Alltoall", lambda rank: "sent=12 received=12", {pair: 4 for pair in pairs}),
            ("MPI_Alltoallv", lambda rank: f"sent={3 * rank} received=9 block={rank} block=0 block={2 * rank}",
             {(1, 0): 1, (1, 2): 2, (2, 0): 2}),
            ("MPI_Reduce_scatter", lambda rank: f"sent=6 received={rank + 1}", {pair: pair[1] + 1 for pair in pairs}),
    ):
        expect(name, collective(name, fields), (wanted, False))
    expect("without blocks", collective("MPI_Alltoallv", lambda rank: "sent=12 received=12"), ({pair: 4 for pair in pairs}, True))


def check_archive():
    """An archive of OTF2 has the same run."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "text"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines_of(PHASES)) + "\n")
        for words in (["assemble", "-o", "run", "text"], ["export", "--otf2", "archive", "run"], ["report", "--json", "out.json", "archive"]):
            subprocess.run([TARRY, *words], cwd=folder, check=True, capture_output=True)
        with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
            archived = json.load(file)["summary"]
    summary = summary_of(lines_of(PHASES))
    for key in ("length_s", "time_s", "elapsed_s", "computing_s", "communication_s", "init_s", "finalize_s", "efficiency"):
        expect(key, archived[key], summary[key])


def check_same(name, lines):
    """`report`, `analyze` and `info` say the same."""
    lines = list(lines)
    report = report_of(TARRY, lines)
    analyzed = report_of(TARRY, lines, command="analyze")
    info = json.loads(written(TARRY, lines, "--json", command="info").decode())
    summary, same = dict(report["summary"]), info["summary"]
    functions = {row["call"]: (row["calls"], round(row["total_s"] * 1e9), row["bytes"], row["local"]) for row in summary.pop("functions")}
    expect(name, functions, {row["name"]: (row["calls"], row["time_ns"], row["bytes"], row["local"]) for row in info["functions"]})
    del summary["call_paths"]
    del summary["communication"], same["communication"]  # of reports only
    for rank in summary["ranks"]:
        del rank["waiting_s"]
    expect(name, same, summary)
    expect(name, {**analyzed["run"], "without_processor_s": 0}, {**report["run"], "without_processor_s": 0})
    run = report["run"]
    expect(name, [run["calls"], round(run["elapsed_s"] * 1e9), round(run["time_s"] * 1e9)],
           [info["calls"], info["duration_ns"], info["threads_time_ns"]])
    expect(name, [run[key] for key in ("length_s", "time_s", "elapsed_s")], [summary[key] for key in ("length_s", "time_s", "elapsed_s")])
    parts = sum(round(summary[key] * 1e9) for key in ("computing_s", "communication_s", "tool_s", "unrecorded_s"))
    expect(name, parts, round(summary["time_s"] * 1e9))
    expect(name, sum(row["bytes"] for row in same["message_sizes"]), info["message_bytes"] + info["access_bytes"])


def main():
    for check in (check_phases, check_teams, check_communication, check_proc_null, check_levels, check_windows, check_end, check_scheduling, check_waiting_threads, check_shown, check_pauses, check_threads, check_worlds, check_upc,
                  check_iterations, check_course, check_outliers, check_collectives, check_archive):
        check()
    for name, make in TRACES.items():
        check_same(name, make())
    check_same("phases", lines_of(PHASES))
    check_same("iterations", lines_of([iterating(30)] * 2))
    for path in GOLDEN:
        if path.endswith("times.txt"):
            continue  # of centuries in ns, which Python's numbers cannot hold
        with open(path, encoding="utf-8") as file:
            check_same(path, file.read().splitlines())
    print(f"{len(TRACES) + 1 + len(GOLDEN)} traces have the same figures everywhere")


main()
