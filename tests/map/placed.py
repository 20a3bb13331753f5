"""Ranks placed by `tarry map`, evaluated by an independent count of the traffic.

    placed.py BIN [CASE...]
    placed.py BIN --small       without large jobs, which take sanitizers ten times as long"""

import json
import os
import subprocess
import sys
import tempfile

from jobs import assemble, grid_neighbours, halo, scattered, write_job

TARRY = os.path.join(os.path.abspath(sys.argv[1]), "tarry")


def run(*words, code=0):
    done = subprocess.run([TARRY, "map", *words], capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"tarry map {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def mapped(trace, *words):
    return json.loads(run(trace, "--json", *words))


def expect(what, is_so):
    if not is_so:
        sys.exit(f"wrong: {what}")


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)


def job(name, calls, hosts, **more):
    write_job(name, calls, hosts, **more)
    return assemble(TARRY, name)


def crossing(width, height, steps, host_of):
    """Bytes of the halo exchange between hosts."""
    return sum(4096 * steps for rank, neighbours in enumerate(grid_neighbours(width, height))
               for other in neighbours if host_of[rank] != host_of[other])


def tiles(width, height, steps, wide, high):
    return crossing(width, height, steps, [(rank % width // wide, rank // width // high) for rank in range(width * height)])


def check_files(trace, result, before, after_bytes, count_between, machine):
    """Each file has the content of the JSON, and the same traffic."""
    said = run(trace, "--machine", machine, "--rankfile", "ranks", "--slurm", "slurm", "--hostfile", "hosts", "--split", "keys")
    placement = result["placement"]
    with open("ranks", encoding="utf-8") as file:
        expect("rankfile", file.read() == "".join(f"rank {p['rank']}={p['node']} slot={p['core']}\n" for p in placement))
    with open("slurm", encoding="utf-8") as file:
        slurm = file.read().split()
    expect("SLURM_HOSTFILE", slurm == [p["node"] for p in placement])
    with open("hosts", encoding="utf-8") as file:
        runs = [line.strip().split(":") for line in file]
    hosts = [host for host, count in runs for _ in range(int(count))]
    expect("host file of MPICH", hosts == slurm)
    expect("hosts that come again", ("treats a host that is repeated" in said) == (len(runs) > len(set(hosts))))
    with open("keys", encoding="utf-8") as file:
        keys = [int(line) for line in file]
    expect("each key once", sorted(keys) == list(range(len(before))))
    split = [None] * len(keys)
    for rank, key in enumerate(keys):
        split[key] = before[rank]
    for what, host_of in (("hosts", slurm), ("keys", split)):
        expect(f"traffic by {what}", near(count_between(host_of), after_bytes))


def check_halo(width, height, nodes, machine, best):
    """Scattered at random, and within 5 % of the best layout of blocks."""
    before = scattered(width * height, [f"n{i}" for i in range(nodes)])
    result = mapped(job("halo", halo(width, height, 2), before), "--machine", machine)
    after = result["after"]["between_nodes_bytes"]
    print(f"{width} x {height} ranks on {nodes} nodes: {result['before']['between_nodes_bytes']:.0f} bytes between nodes, then "
          f"{after:.0f}, in blocks {best}")
    expect("traffic before", near(result["before"]["between_nodes_bytes"], crossing(width, height, 2, before)))
    expect("traffic after, within 5 % of blocks", after <= best * 1.05)
    expect("bytes x distance", result["after"]["bytes_times_distance"] < result["before"]["bytes_times_distance"])
    check_files("halo.tarry", result, before, after, lambda hosts: crossing(width, height, 2, hosts), machine)


def small_halo():
    check_halo(8, 8, 8, "node:8 core:8", tiles(8, 8, 2, 2, 4))
    check_halo(4, 4, 4, "switch:2 node:2 socket:2 core:2", tiles(4, 4, 2, 2, 2))


def large_halo():
    check_halo(32, 32, 128, "switch:16 node:8 socket:2 core:4", tiles(32, 32, 2, 2, 4))
    check_halo(48, 48, 36, "node:36 core:64", tiles(48, 48, 2, 8, 8))


def already_good():
    hosts = [f"n{rank % 8 // 4 + 2 * (rank // 8 // 2)}" for rank in range(64)]
    result = mapped(job("good", halo(8, 8, 1), hosts), "--machine", "node:8 core:8")
    expect("nobody moves", result["moved"] == 0 and result["before"] == result["after"])
    expect("it is said", "No better placement was found" in run("good.tarry", "--machine", "node:8 core:8"))


def row_comm(rank):
    members = f" members=7:{rank // 4 * 4}-{rank // 4 * 4 + 3}" if rank % 4 == 0 else ""
    yield f'comm 0x{16 + rank // 4:x} parent=0x1 kind=intra rank={rank % 4} size=4 remote=0{members} "row"'


def collectives():
    """Traffic within rows of a grid groups them; traffic between all ranks groups none."""
    hosts = scattered(16, ["n0", "n1", "n2", "n3"])
    calls = [[f"MPI_Allreduce comm=0x{16 + rank // 4:x} sent=1000 received=1000"] * 3 +
             ["MPI_Allreduce comm=0x1 sent=500 received=500", f"MPI_Gather comm=0x{16 + rank // 4:x} root=0 sent=64"]
             for rank in range(16)]
    result = mapped(job("rows", calls, hosts, comms=row_comm), "--machine", "node:4 core:4")
    rows, everywhere = 4 * 3 * 2 * 3 * 1000, 2 * 15 * 500
    expect("bytes of collectives", near(result["collective_bytes"], rows + everywhere + 4 * 3 * 64))
    # 96 of 120 pairs are on two nodes, for any placement.
    expect("only what all share leaves a node", near(result["after"]["between_nodes_bytes"], everywhere * 96 / 120))
    expect("each row is on one node", all(len({p["node"] for p in result["placement"][row:row + 4]}) == 1 for row in range(0, 16, 4)))


def pair_comm(rank):
    members = " members=7:0-3" if rank == 0 else ""
    yield f'comm 0xd parent=0x1 kind=intra rank={rank} size=4 remote=0{members} "pairs"'


def neighbours():
    """Neighbourhood operations group the neighbours of the topology."""
    calls = [[f"MPI_Dist_graph_create_adjacent comm=0x1 newcomm=0xd member={rank ^ 1}", "MPI_Neighbor_allgather comm=0xd sent=100 received=100",
              "MPI_Neighbor_alltoallv comm=0xd sent=30 received=30"] for rank in range(4)]
    result = mapped(job("pairs", calls, ["n0", "n1", "n0", "n1"], comms=pair_comm), "--machine", "node:2 core:2")
    expect("bytes", result["collective_bytes"] == 4 * 130 == result["before"]["between_nodes_bytes"])
    expect("between nodes", result["after"]["between_nodes_bytes"] == 0)


VOLUMES = (("MPI_Bcast comm=0x1 root=0 sent=100", "MPI_Bcast comm=0x1 root=0 received=100", 300),
           ("MPI_Reduce comm=0x1 root=0 sent=100", "MPI_Reduce comm=0x1 root=0 sent=100", 300),
           ("MPI_Gather comm=0x1 root=0 sent=100", "MPI_Gather comm=0x1 root=0 sent=100", 300),
           ("MPI_Scatter comm=0x1 root=0 sent=400 received=100", "MPI_Scatter comm=0x1 root=0 received=100", 300),
           ("MPI_Allgather comm=0x1 sent=100 received=400",) * 2 + (1200,),
           ("MPI_Alltoall comm=0x1 sent=400 received=400",) * 2 + (1200,),
           ("MPI_Alltoallv comm=0x1 sent=10 received=10 block=1 block=2 block=3 block=4",) * 2 + (30,),
           ("MPI_Reduce_scatter_block comm=0x1 sent=400 received=100",) * 2 + (1200,),
           ("MPI_Scan comm=0x1 sent=100 received=100",) * 2 + (400,),
           ("MPI_Iallreduce comm=0x1 sent=100 received=100 request=0",) * 2 + (600,),
           ("MPI_Barrier comm=0x1",) * 2 + (0,))


def volumes():
    """As docs/map.md has them, of four ranks."""
    for root, others, volume in VOLUMES:
        result = mapped(job("volume", [[root], [others], [others], [others]], ["n0"] * 4), "--machine", "core:4")
        expect(f"{root}: {result['collective_bytes']} bytes, not {volume}", near(result["collective_bytes"], volume))


def one_sided():
    """Pairs that put and get: windows have the ranks of their communicator."""
    hosts = ["n0", "n1", "n0", "n1"]
    calls = [[f"MPI_Put win=0xa target={rank ^ 1} sent=100", f"MPI_Get win=0xa target={rank ^ 1} received=50",
              f"MPI_Put win=0xa target={rank} sent=7000"] for rank in range(4)]
    trace = job("window", calls, hosts, comms=lambda rank: ['object win 0xa comm=0x1 size=8 unit=1 ""'])
    result = mapped(trace, "--machine", "node:2 core:2")
    expect("bytes", result["message_bytes"] == 4 * 150 == result["before"]["between_nodes_bytes"])
    expect("between nodes", result["after"]["between_nodes_bytes"] == 0)


def uneven_nodes():
    """Pairs that communicate, on nodes of 2, 4 and 6 cores: none is separated."""
    with open("uneven.conf", "w", encoding="utf-8") as file:
        print("NodeName=a CPUs=2\nNodeName=b CPUs=4\nNodeName=c CPUs=6", file=file)
    hosts = ["a", "b", "c", "c", "b", "c", "a", "b", "c", "c", "b", "c"]
    calls = [[f"MPI_Send comm=0x1 peer={rank ^ 1} tag=0 sent=10"] for rank in range(12)]
    result = mapped(job("pairs", calls, hosts), "--machine", "uneven.conf")
    expect("between nodes", result["after"]["between_nodes_bytes"] == 0)
    expect("as many on each node", sorted(p["node"] for p in result["placement"]) == sorted(hosts))


def predicted():
    """One message of 1000 bytes between nodes and one within, by the costs of the file."""
    with open("costs.conf", "w", encoding="utf-8") as file:
        print("NodeName=n[0-1] CPUs=2\nLevelName=socket Latency=1us Bandwidth=1e9\nLevelName=network Latency=10us Bandwidth=1e8", file=file)
    calls = [["MPI_Send comm=0x1 peer=1 tag=0 sent=1000"] * 2, [], ["MPI_Send comm=0x1 peer=0 tag=0 sent=1000"], []]
    result = mapped(job("costs", calls, ["n0", "n1", "n0", "n1"]), "--machine", "costs.conf")
    expect("before", near(result["before"]["busiest_rank_seconds"], 2 * 20e-6 + 2e-6))
    expect("after", near(result["after"]["busiest_rank_seconds"], 20e-6 + 2 * 2e-6))
    expect("mean", near(result["after"]["mean_rank_seconds"], (2 * 20e-6 + 4 * 2e-6) / 4))


def small_jobs():
    """One rank, one node, no traffic."""
    trace = job("one", [["MPI_Barrier comm=0x1"]], ["n0"])
    expect("one rank", mapped(trace, "--machine", "node:2 core:2")["moved"] == 0)
    expect("no traffic", "every placement is equally good" in run(trace, "--machine", "node:2 core:2"))
    trace = job("node", halo(2, 2, 1), ["n0"] * 4)
    expect("one node", mapped(trace, "--machine", "core:4")["after"]["between_nodes_bytes"] == 0)
    expect("more ranks than cores", "ranks share cores" in run(trace, "--machine", "core:2"))
    expect("hosts of the trace", "machine of the trace" in run(trace))


def contradictions():
    trace = job("far", halo(2, 2, 1), ["x0", "x0", "x1", "x1"])
    expect("an unknown host", "ran on 'x0', which machine 'node:2 core:2' does not have" in
           run(trace, "--machine", "node:2 core:2", code=1))
    expect("planned", mapped(trace, "--machine", "node:2 core:2", "--before", "cyclic")["moved"] >= 0)
    expect("no room", "has room for 2 ranks, not for 4" in run(trace, "--machine", "node:2 core:1", "--before", "block", code=1))
    expect("a file that is none", "cannot read" in run(trace, "--machine", "missing", code=1))
    expect("wrong use", "is for --before" in run(trace, "--ranks-per-node", "2", code=2))
    with open("far", encoding="utf-8") as file:
        text = file.read()
    with open("part", "w", encoding="utf-8") as file:
        file.write(text[:text.index("process world=7 rank=3")])
    expect("a missing rank", "has 3 of 4 ranks" in run(assemble(TARRY, "part"), "--machine", "node:2 core:2", code=1))


CASES = (small_halo, large_halo, already_good, collectives, neighbours, volumes, one_sided, uneven_nodes, predicted, small_jobs, contradictions)


def main():
    words = sys.argv[2:]
    chosen = [case for case in CASES if case.__name__ in words or not words or (words == ["--small"] and case is not large_halo)]
    expect("there are such cases", chosen)
    for name in ("TARRY_MACHINE", "SLURM_CONF"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["XDG_CACHE_HOME"] = os.environ["HOME"] = folder
        for case in chosen:
            case()
            print(f"{case.__name__}: right")


main()
