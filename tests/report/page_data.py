"""The data of a page, compared with the planted run: traffic between ranks by distance, and lists that are bounded for any number
of ranks.

    page_data.py TARRY"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

TARRY = sys.argv[1]
SIDE_MAX, ROWS_MAX = 128, 256
ISLAND = re.compile(r'<script type="application/json" id="(\w+)">(.*?)</script>', re.DOTALL)
ROUNDS, LATE_NS, CALL_NS, BYTES, PER_NODE = 3, 19900000, 20100000, 1024, 16


def ring(ranks):
    """Each rank sends to the next one; rank 1 computes longer than the others, so that rank 2 waits for it."""
    for rank in range(ranks):
        yield f"process world=1 rank={rank} size={ranks} run=1"
        yield f'property node "n{rank // PER_NODE}"'
        yield f'property host "host{rank // PER_NODE}"'
        # Two ranks on a core, four on a NUMA node, eight on a socket; the last four of a node are not bound to any of them.
        if rank % PER_NODE < PER_NODE - 4:
            yield f'property core "{rank % PER_NODE // 2 * 2}"'
            yield f'property numa "{rank % PER_NODE // 4 * 4}"'
            yield f'property socket "{rank % PER_NODE // 8 * 8}"'
        yield "clock monotonic 1000000000 tick=0 ns=1700000000000000000"
        yield 'source 1 "ring.c" "exchange"'
        yield f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0 members=1:0-{ranks - 1} "ring"'
        yield "thread 0"
        yield "0 1000000 MPI_Init site=1+0xa"
        for turn in range(ROUNDS):
            time = 1000000 + turn * 41000000
            sent = time + (40000000 if rank == 1 else 20000000)
            yield f"{sent} {sent + 50000} MPI_Send site=1+0x14 comm=0x1 peer={(rank + 1) % ranks} tag=7 sent={BYTES}"
            yield f"{sent + 100000} {time + 40200000} MPI_Recv site=1+0x15 comm=0x1 peer={(rank - 1) % ranks} tag=7 received={BYTES}"
        yield f"{1000000 + ROUNDS * 41000000} {1100000 + ROUNDS * 41000000} MPI_Finalize site=1+0x28"


def made(folder, text, *options):
    """The parts of the page of a run, and its size."""
    source, trace, page = (os.path.join(folder, name) for name in ("run.txt", "run.tarry", "run.html"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run([TARRY, "assemble", "-o", trace, source], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([TARRY, "report", "--html", page, *options, trace], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    with open(page, encoding="utf-8") as file:
        found = file.read()
    return {name: json.loads(text) for name, text in ISLAND.findall(found)}, len(found)


def page_of(ranks, *options):
    with tempfile.TemporaryDirectory() as folder:
        return made(folder, "tarry trace 1\n" + "\n".join(ring(ranks)) + "\n", *options)


def cells_of(matrix):
    """[row, column, messages, bytes, collective bytes, ns of waiting] of each cell."""
    cells = matrix["cells"]
    return [cells[i:i + 6] for i in range(0, len(cells), 6)]


def communication(parts, ranks):
    """Every message is in one cell of each matrix and in one distance, and so is every wait."""
    found = parts["communication"]
    nodes = -(-ranks // PER_NODE)
    assert found["processes"] == ranks and found["node_count"] == nodes, found
    assert sum(length for _, length in found["ranks"]) == ranks, found["ranks"]
    for name, groups in (("by_rank", ranks), ("by_node", nodes)):
        matrix = found[name]
        cells = cells_of(matrix)
        assert matrix["side"] <= SIDE_MAX and matrix["side"] == -(-groups // matrix["block"]), matrix["side"]
        assert [sum(cell[i] for cell in cells) for i in (2, 3, 4)] == [ROUNDS * ranks, ROUNDS * ranks * BYTES, 0], name
        size = matrix["block"] * (PER_NODE if name == "by_node" else 1)
        waiting = [(row, column, ns) for row, column, _, _, _, ns in cells if ns]
        assert waiting == [(1 // size, 2 // size, ROUNDS * LATE_NS)], waiting
        for row, column, messages, *_ in cells:
            # Blocks are as large as each other, but for the last one.
            expected = ROUNDS * sum(row == rank // size and column == (rank + 1) % ranks // size for rank in range(ranks))
            assert messages == expected, (name, row, column, messages, expected)
    pairs = collections.Counter(distance(rank, (rank + 1) % ranks) for rank in range(ranks))
    assert [row["distance"] for row in found["distances"]] == [name for name in DISTANCES if pairs[name]], found["distances"]
    for row in found["distances"]:
        assert row["pairs"] == pairs[row["distance"]] and row["bytes"] == row["pairs"] * ROUNDS * BYTES, row
        assert round(row["wait_s"] * 1e9) == (ROUNDS * LATE_NS if row["distance"] == "numa" else 0), row
    worst = found["most_waits"][0]
    assert (worst["from"], worst["to"], worst["distance"]) == (1, 2, "numa"), worst


DISTANCES = ("core", "numa", "socket", "node", "network")


def distance(one, other):
    if one // PER_NODE != other // PER_NODE:
        return "network"
    one, other = one % PER_NODE, other % PER_NODE
    shared = [name for name, size in (("core", 2), ("numa", 4), ("socket", 8)) if one // size == other // size and max(one, other) < PER_NODE - 4]
    return shared[0] if shared else "node"


def bounded(parts, ranks):
    summary = parts["report"]["summary"]
    assert "matrix" not in summary, "the matrix is in the page twice"
    assert len(summary["ranks"]) == min(ranks, ROWS_MAX), len(summary["ranks"])
    assert any(row["rank"] == 2 for row in summary["ranks"]), "who waits longest is left out"
    for finding in parts["report"]["findings"]:
        assert len(finding["by_rank"]) <= ROWS_MAX, finding["by_rank"]
        total = sum(row["total_s"] for row in finding["by_rank"])
        assert abs(total - finding["total_s"]) < 1e-6, (total, finding["total_s"])


def over_time(parts):
    """The time of a finding is where it was lost."""
    finding = next(one for one in parts["report"]["findings"] if one["pattern"].startswith("mpi.late-standard-send"))
    figures = parts["report"]["finding_figures"]
    assert {"occurrences", "total_s"} <= {one["name"] for one in figures} <= set(finding) and all(one["label"] for one in figures), figures
    bins, width = finding["over_time"]["total_s"], finding["over_time"]["bin_s"]
    assert abs(sum(bins) - finding["total_s"]) < 1e-6 and len(bins) <= 64, (bins, finding["total_s"])
    for number, seconds in enumerate(bins):
        lost = 0
        for turn in range(ROUNDS):
            start = (1000000 + turn * 41000000 + 20100000) / 1e9
            lost += max(0, min(start + CALL_NS / 1e9, (number + 1) * width) - max(start, number * width)) * LATE_NS / CALL_NS
        assert abs(seconds - lost) < 1e-6, (number, seconds, lost)


def halves():
    """Four ranks, each pair with a communicator of the same name: a message to the next rank in "step", three more in "step > halo", and sums of each pair."""
    for rank in range(4):
        pair = 2 + rank // 2
        yield f"process world=1 rank={rank} size=4 run=1"
        yield "clock monotonic 1000000000 tick=0 ns=1700000000000000000"
        yield 'source 1 "halves.c" "step"'
        yield f'comm 0x1 parent=0x0 kind=intra rank={rank} size=4 remote=0 members=1:0-3 "all"'
        yield f'comm {pair:#x} parent=0x1 kind=intra rank={rank % 2} size=2 remote=0 members=1:{pair * 2 - 4}-{pair * 2 - 3} "pair"'
        yield "thread 0"
        yield "0 1000000 MPI_Init site=1+0xa"
        yield '1100000 1100100 tarry_region_begin region="step"'
        yield f"1200000 1300000 MPI_Send site=1+0x14 comm=0x1 peer={(rank + 1) % 4} tag=7 sent={BYTES}"
        yield f"1310000 1400000 MPI_Recv site=1+0x15 comm=0x1 peer={(rank - 1) % 4} tag=7 received={BYTES}"
        yield '1500000 1500100 tarry_region_begin region="halo"'
        for turn in range(3):
            time = 1600000 + turn * 300000
            yield f"{time} {time + 100000} MPI_Send site=1+0x16 comm=0x1 peer={(rank + 1) % 4} tag=8 sent={BYTES}"
            yield f"{time + 110000} {time + 200000} MPI_Recv site=1+0x17 comm=0x1 peer={(rank - 1) % 4} tag=8 received={BYTES}"
        yield '2600000 2600100 tarry_region_end region="halo"'
        yield '2700000 2700100 tarry_region_end region="step"'
        yield f"2800000 2900000 MPI_Allreduce site=1+0x18 comm={pair:#x} sent=8 received=8"
        yield "3000000 3300000 MPI_Barrier site=1+0x19 comm=0x1"
        yield "3400000 3500000 MPI_Finalize site=1+0x28"


def waits_by_region():
    """Rank 1 waits for rank 0: 10 ms in "solve", twice 20 ms in "solve > halo", 40 ms in "halo" alone, and 80 ms outside. A name may have several places."""
    regions = [(None, 80), ("solve", 10), ("solve > halo", 20), ("solve > halo", 20), ("halo", 40)]
    lines = ["tarry trace 1"]
    for rank in range(2):
        lines += [f"process world=1 rank={rank} size=2 run=1", "clock monotonic 1000000000 tick=0 ns=1700000000000000000", 'source 1 "waits.c" "step"',
                  f'comm 0x1 parent=0x0 kind=intra rank={rank} size=2 remote=0 members=1:0-1 "all"', "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        time = 2000000
        for region, milliseconds in regions:
            names, late = region.split(" > ") if region else [], milliseconds * 1000000
            for name in names:
                lines.append(f'{time} {time + 100} tarry_region_begin region="{name}"')
                time += 200
            lines.append(f"{time + late} {time + late + 1000} MPI_Send site=1+0x14 comm=0x1 peer=1 tag=7 sent=8" if rank == 0 else
                         f"{time} {time + late + 2000} MPI_Recv site=1+0x15 comm=0x1 peer=0 tag=7 received=8")
            time += late + 10000
            for name in reversed(names):
                lines.append(f'{time} {time + 100} tarry_region_end region="{name}"')
                time += 200
        lines.append(f"{time} {time + 100000} MPI_Finalize site=1+0x28")
    with tempfile.TemporaryDirectory() as folder:
        parts, _ = made(folder, "\n".join(lines) + "\n")
    found = parts["communication"]
    waits = {region["region"]: [(row, column, round(ns / 1e6)) for row, column, *_, ns in cells_of(region["by_rank"])] for region in found["regions"]}
    assert waits == {"solve": [(0, 1, 50)], "solve > halo": [(0, 1, 40)], "halo": [(0, 1, 40)]}, waits
    assert [(row, column, round(ns / 1e6)) for row, column, *_, ns in cells_of(found["by_rank"])] == [(0, 1, 170)], found["by_rank"]
    assert {region["region"]: round(region["distances"][0]["wait_s"], 3) for region in found["regions"]} == {"solve": 0.05, "solve > halo": 0.04, "halo": 0.04}, found["regions"]


def iterations_of_a_long_run():
    """The page of a run with too many calls for it still knows when iterations were, and how long ranks waited in each call in each of them."""
    rounds, ranks, probes = 400, 4, 60
    lines = ["tarry trace 1"]
    for rank in range(ranks):
        lines += [f"process world=1 rank={rank} size={ranks} run=1", "clock monotonic 1000000000 tick=0 ns=1700000000000000000", 'source 1 "long.c" "step"',
                  f'comm 0x1 parent=0x0 kind=intra rank={rank} size={ranks} remote=0 members=1:0-{ranks - 1} "all"', "thread 0", "0 1000000 MPI_Init site=1+0xa"]
        for turn in range(rounds):
            time = 2000000 + turn * 1000000
            # Rank 0 is late in the second half of the run.
            late = 300000 if rank == 0 and turn >= rounds // 2 else 0
            lines += [f"{time + i * 1000} {time + i * 1000 + 500} MPI_Iprobe site=1+0x1e comm=0x1 peer=0 tag=1 done=0" for i in range(probes)]
            lines += [f"{time + 400000 + late} {time + 800000} MPI_Barrier site=1+0x14 comm=0x1"]
        lines.append(f"{3000000 + rounds * 1000000} {3100000 + rounds * 1000000} MPI_Finalize site=1+0x28")
    with tempfile.TemporaryDirectory() as folder:
        parts, _ = made(folder, "\n".join(lines) + "\n")
    timeline, groups = parts["timeline"], parts["report"]["summary"]["iterations"]
    assert groups and sum(group["count"] for group in groups) == rounds - 1, groups
    assert not timeline["complete"], "the run is not long"
    found = timeline["iterations"]
    assert len(found["groups"]) == 2 * len(groups), found["groups"]
    for number, group in enumerate(groups):
        ends = [2000000 + turn * 1000000 + 800000 for turn in (group["first"] - 1, group["first"] - 1 + group["count"])]
        assert found["groups"][2 * number:2 * number + 2] == ends, (number, found["groups"], ends)
    (place,) = [one for one in found["places"] if one["call"] == "MPI_Barrier"]
    for group, waited in zip(groups, place["waits"]):
        late = sum(turn >= rounds // 2 for turn in range(group["first"], group["first"] + group["count"]))
        assert waited == late * (ranks - 1) * 300000, (group, waited, late)


def regions_and_communicators():
    """The traffic of a region includes nested ones. Communicators of one name and size are one row."""
    with tempfile.TemporaryDirectory() as folder:
        parts, _ = made(folder, "tarry trace 1\n" + "\n".join(halves()) + "\n")
    found = parts["communication"]
    sums = {region["region"]: [(row, column, messages, sent) for row, column, messages, sent, _, _ in cells_of(region["by_rank"])] for region in found["regions"]}
    assert sums == {name: [(rank, (rank + 1) % 4, messages, messages * BYTES) for rank in range(4)] for name, messages in (("step", 4), ("step > halo", 3))}, sums
    assert all(region["distances"][0]["messages"] == 4 * region["by_rank"]["cells"][2] for region in found["regions"]), found["regions"]
    rows = [tuple(row.values()) for row in found["collectives"]]
    assert rows == [("MPI_Barrier", "all", 4, 1, 4, 0, 0.0012), ("MPI_Allreduce", "pair", 2, 2, 4, 32, 0.0004)], rows
    timeline = parts["timeline"]
    assert (timeline["run_from_s"], timeline["run_to_s"]) == (0.001, 0.0034), timeline["run_to_s"]


ERROR = """finding message.truncated 3
value sent 40
value room 20
call 1 MPI_Recv - count = 5
at app.c:9
call 0 MPI_Send sent count = 10
at app.c:8
""" + "".join(f"member {rank} 4 1\n" for rank in range(4)) + "end\n"


def checked(folder, name, run):
    """The folder of a checked run that was recorded with this number."""
    path = os.path.join(folder, name)
    os.mkdir(path)
    log = subprocess.run([os.path.join(os.path.dirname(TARRY), "write-log")], input=ERROR.encode(), stdout=subprocess.PIPE, check=True).stdout
    with open(os.path.join(path, "analyser-1.log"), "wb") as file:
        file.write(log)
    with open(os.path.join(path, "recorded"), "w", encoding="utf-8") as file:
        file.write(run)


def correctness():
    """Findings of the checker are in the page if they belong to the same run, or on the user's request."""
    text = "tarry trace 1\n" + "\n".join(ring(4)).replace(" run=1", " run=0xab") + "\n"
    for beside, options, expected in (("0000000000000ab0", (), False), ("00000000000000ab", (), True),
                                      ("0", ("--check", "run.check"), True), ("0", ("--check", "run"), True)):
        with tempfile.TemporaryDirectory() as folder:
            checked(folder, "run.check", beside)
            parts, _ = made(folder, text, *options)
            assert ("check" in parts) == expected, (beside, options)
            assert not expected or [finding["id"] for finding in parts["check"]["findings"]] == ["message.truncated"], parts["check"]
            done = subprocess.run([TARRY, "report", "--html", "-", "--check", "missing", "run.tarry"], cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 1 and "option '--check'" in done.stderr and not done.stdout, done


def embedded():
    """A page has at most 5 MB, unless the user requests every call."""
    turns = 45000
    def lines():
        for rank in range(2):
            yield f"process world=1 rank={rank} size=2 run=1"
            yield "clock monotonic 1000000000 tick=0 ns=1700000000000000000"
            yield 'comm 0x1 parent=0x0 kind=intra rank={} size=2 remote=0 members=1:0-1 "ring"'.format(rank)
            yield "thread 0"
            yield "0 1000 MPI_Init"
            for turn in range(turns):
                call = f"MPI_Send comm=0x1 peer=1 tag=0 sent=8" if rank == 0 else "MPI_Recv comm=0x1 peer=0 tag=0 received=8"
                yield f"{2000 + turn * 1000} {2500 + turn * 1000 + rank} {call}"
            yield f"{9000 + turns * 1000} {9500 + turns * 1000} MPI_Finalize"
    text = "tarry trace 1\n" + "\n".join(lines()) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        parts, size = made(folder, text)
        assert not parts["timeline"]["complete"] and size <= 5 << 20, size
        parts, _ = made(folder, text, "--embed-all")
        timeline = parts["timeline"]
        assert timeline["complete"], "not every call is in the page"
        assert sum(map(len, timeline["calls"])) // 5 == 2 * (turns + 2), sum(map(len, timeline["calls"])) // 5
        assert len(timeline["messages"]) // 6 == turns, len(timeline["messages"]) // 6


def team():
    """A rank whose thread 0 waits 7 ms in each of two OpenMP regions for thread 1, for which it waits 10 us; thread 1 is idle between the regions and after them."""
    yield "process world=1 rank=0 size=1 run=1"
    yield "clock monotonic 1000000000 tick=0 ns=1700000000000000000"
    yield 'source 1 "team.c" "work"'
    yield 'comm 0x1 parent=0x0 kind=intra rank=0 size=1 remote=0 members=1:0-0 "MPI_COMM_WORLD"'
    yield "thread 0"
    yield "0 1000000 MPI_Init"
    for fork in (2000000, 22000000):
        yield f"{fork} {fork} omp_fork site=1+0x14 count=2"
        yield f"{fork + 1000000} {fork + 8000000} omp_barrier site=1+0x14 tag=2 count=2 thread=0 delay_before=0 delay_inside=5000"
        yield f"{fork + 8000000} {fork + 8000000} omp_join site=1+0x14 count=2"
    yield "40000000 41000000 MPI_Finalize"
    yield "thread 1"
    yield "9990000 22010000 omp_barrier site=1+0x14 tag=2 count=2 thread=1"
    yield "29990000 41000000 omp_barrier site=1+0x14 tag=2 count=2 thread=1"


def waits_of_threads():
    """Each thread is a row that waits until its region ends; a thread exists from its first region on, and is idle between regions, without waiting. While it
    waits, the runtime yields its CPU: that is no time without a CPU."""
    with tempfile.TemporaryDirectory() as folder:
        parts, _ = made(folder, "tarry trace 1\n" + "\n".join(team()) + "\n")
    timeline, found = parts["timeline"], []
    assert [(row["rank"], row["thread"]) for row in timeline["rows"]] == [(0, 0), (0, 1)], timeline["rows"]
    for row in timeline["calls"]:
        found.append([])
        start = 0
        for i in range(0, len(row), 5):
            start += row[i]
            found[-1].append((timeline["sites"][row[i + 2]]["call"], start, start + row[i + 1], row[i + 3]))
    assert found == [[("MPI_Init", 0, 1000000, 0), ("omp_barrier", 3000000, 10000000, 7000000), ("omp_barrier", 23000000, 30000000, 7000000), ("MPI_Finalize", 40000000, 41000000, 0)],
                     [("omp_barrier", 9990000, 22010000, 10000), ("omp_barrier", 29990000, 41000000, 10000)]], found
    assert timeline["delays"] == [[], []], timeline["delays"]
    assert timeline["states"] == [[], [0, 2000000, 8]], timeline["states"]


def main():
    for ranks in (32, 300):
        parts, _ = page_of(ranks)
        communication(parts, ranks)
        bounded(parts, ranks)
        over_time(parts)
    correctness()
    regions_and_communicators()
    waits_by_region()
    iterations_of_a_long_run()
    embedded()
    waits_of_threads()
    print("the page has what is planted")


main()
