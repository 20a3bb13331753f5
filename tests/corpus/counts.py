"""Reads the output of the independent count for each process: the file of `struct counts` in
count/count.h."""

import os
import re
import struct
from collections import Counter
from dataclasses import dataclass, field

SLOTS, THREADS, PEERS, NAME_BYTES = 640, 32, 64, 56
LAYOUT = struct.Struct(f"<{SLOTS * NAME_BYTES}s {THREADS}q {THREADS * SLOTS}Q {PEERS}Q {PEERS}Q Q")
FORTRAN = re.compile(r"(mpi_\w+?)(_f08(ts)?)?__?$")


@dataclass
class Counts:
    """Of one process."""
    calls: Counter = field(default_factory=Counter)  # (thread id, function) -> calls
    messages: Counter = field(default_factory=Counter)  # receiver in MPI_COMM_WORLD -> messages
    bytes: Counter = field(default_factory=Counter)


def function_name(symbol):
    """In lower case, as Fortran has no other: mpi_send for MPI_Send, mpi_send_, mpi_send_f08ts_."""
    fortran = FORTRAN.match(symbol)
    return fortran.group(1) if fortran else symbol.lower()


def read_file(path):
    with open(path, "rb") as file:
        names, *numbers = LAYOUT.unpack(file.read())
    names = [names[i * NAME_BYTES:(i + 1) * NAME_BYTES].rstrip(b"\0").decode() for i in range(SLOTS)]
    threads, numbers = numbers[:THREADS], numbers[THREADS:]
    calls, numbers = numbers[:THREADS * SLOTS], numbers[THREADS * SLOTS:]
    if numbers[-1]:
        raise ValueError(f"'{path}': {numbers[-1]} counts found no room: enlarge the tables in count.h and counts.py")
    counts = Counts(messages=Counter(dict(enumerate(numbers[:PEERS]))),
                    bytes=Counter(dict(enumerate(numbers[PEERS:2 * PEERS]))))
    for place, number in enumerate(calls):
        if number:
            counts.calls[threads[place // SLOTS], function_name(names[place % SLOTS])] += number
    return counts


def read_folder(folder):
    """{process id: Counts}"""
    return {int(name.partition(".")[0]): read_file(os.path.join(folder, name)) for name in os.listdir(folder)}
