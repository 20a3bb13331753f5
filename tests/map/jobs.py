"""Jobs as text: traffic between ranks, on given hosts, with communicators and collective calls."""

import random
import subprocess


def grid_neighbours(width, height):
    """For each rank of a grid that does not wrap around."""
    for rank in range(width * height):
        column, row = rank % width, rank // width
        yield [rank + step for step, inside in
               ((-1, column > 0), (1, column < width - 1), (-width, row > 0), (width, row < height - 1)) if inside]


def halo(width, height, steps, row_bytes=4096, column_bytes=4096):
    """Calls of each rank: messages to its neighbours in the grid."""
    for rank, neighbours in enumerate(grid_neighbours(width, height)):
        yield [f"MPI_Send comm=0x1 peer={other} tag=0 sent={row_bytes if abs(other - rank) == 1 else column_bytes}"
               for _ in range(steps) for other in neighbours]


def scattered(count, hosts, seed=1):
    """A host for each rank, evenly distributed, at random."""
    places = [hosts[i % len(hosts)] for i in range(count)]
    random.Random(seed).shuffle(places)
    return places


def write_job(path, calls, hosts, comms=lambda rank: ()):
    """`comms` gives further lines that define communicators of a rank."""
    size = len(hosts)
    with open(path, "w", encoding="utf-8") as file:
        for rank, lines in enumerate(calls):
            members = f" members=7:0-{size - 1}" if not rank else ""
            print(f"process world=7 rank={rank} size={size} run=1",
                  f'property host "{hosts[rank]}"',
                  "clock monotonic 1000000000 tick=0 ns=1700000000000000000",
                  f'comm 0x1 parent=0x0 kind=intra rank={rank} size={size} remote=0{members} "MPI_COMM_WORLD"',
                  *comms(rank), 'thread 0 tid=1 main "app"', sep="\n", file=file)
            for number, line in enumerate(lines):
                print(100 * number, 100 * number + 50, line, file=file)


def assemble(tarry, text):
    subprocess.run([tarry, "assemble", "-o", text + ".tarry", text], check=True)
    return text + ".tarry"
