#!/usr/bin/env python3
"""Chunks that differ only in their times share the rest when parts are merged. Usage: shared.py TARRY"""

import os
import random
import sys
import tempfile

from bad_traces import NAME, NOBODY, chunk, write
from harness import assemble, check, dump, finish, run, same
from recover import read
from second_reader import GROUP, TABLE, Bytes, Thread, chunks_of, show_trace

WORLD = 5
ITERATIONS = 12
SIDES = 4, 32  # of the square of ranks: 16 and 1,024 of them
MOST_GROWTH = 0.1


def stencil(side, world=WORLD):
    """A trace of a stencil on a square of ranks that exchange rows and columns with their neighbours, and report to rank 0."""
    draw, size, lines = random.Random(side), side * side, []
    for rank in range(size):
        x, y, tick = rank % side, rank // side, 1000 + draw.randrange(1000)
        near = [rank + dx + dy * side for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)) if 0 <= x + dx < side and 0 <= y + dy < side]
        groups = " members=%x:0-%d" % (world, size - 1) if rank == 0 else ""
        lines += ["process world=%x rank=%d size=%d run=9" % (world, rank, size), 'property program "/home/u/stencil"',
                  'property pid "%d"' % draw.randrange(1000, 30000), 'property arg "stencil"', 'property arg "%d"' % side,
                  'module 1 base=0x%x size=0x8000 build-id=c0ffee "/home/u/stencil"' % draw.randrange(1, 1 << 47),
                  'comm 0xc0 parent=0x0 kind=intra rank=%d size=%d remote=0%s "MPI_COMM_WORLD"' % (rank, size, groups), "thread 0"]
        calls = ["MPI_Isend site=1+0x%x peer=%d tag=1 sent=64" % (0x40 + i, peer) for i, peer in enumerate(near)]
        calls += ["MPI_Recv site=1+0x%x peer=%d tag=1 received=64" % (0x60 + i, peer) for i, peer in enumerate(near)]
        for i in range(ITERATIONS):
            for call in calls + (["MPI_Send site=1+0x80 peer=0 tag=2 sent=8"] if i % 4 == 3 and rank else []):
                end = tick + draw.randrange(1, 5000)
                lines.append("%d %d %s" % (tick, end, call))
                tick = end + draw.randrange(1, 300)
        if world != WORLD:
            lines += ["skipped %d 3 MPI_Barrier comm=0xc0" % tick, "pause %d" % tick]
    return ("tarry trace 1\n" + "\n".join(lines) + "\n").encode()


def recover(tarry, trace, text):
    os.mkdir(trace + ".parts")
    part = os.path.join(trace + ".parts", "some")
    assemble(tarry, text, part)
    os.rename(part + ".tarry", part + ".part")
    code, _, errors = run(tarry, "recover", trace)
    check(code == 0 and not errors, "recover of %s: %s" % (trace, errors))


def merge(tarry, folder, name, text):
    """The trace that `tarry recover` makes of parts with this text."""
    trace = os.path.join(folder, name + ".tarry")
    recover(tarry, trace, text)
    return trace


class Times(Thread):
    """Counts the bytes of times in a chunk: all of an event except the number of its call."""

    def __init__(self, rank):
        super().__init__(0, rank)
        self.bytes = 0

    def event(self, head, payload):
        before = payload.at
        super().event(head, payload)
        self.bytes += 1 + payload.at - before
        if head >= 0x80:
            self.bytes -= 1


def varint_bytes(number):
    return max(1, (number.bit_length() + 6) // 7)


def bytes_without_times(data, is_exact=True):
    """Without times, and without values that the system gives to each process: its ids and where its program is in memory. If it is not exact, all that the chunks
    of a group do not share counts as times, so that a large trace takes seconds."""
    rest = len(data)
    for _, rank, stream, _, base, payload, unfinished, version, shape in chunks_of(data):
        if shape:
            rest -= (varint_bytes(len(payload)) if shape[2] else 0) + (varint_bytes(base) if stream != NOBODY else 0)
        if shape and (stream == NOBODY or not is_exact):
            rest -= len(payload)
        elif stream != NOBODY:
            times = Times(rank)
            times.chunk(base, Bytes(payload), unfinished, version, shape)
            rest -= times.bytes
    return rest


def check_size(tarry, folder):
    """Everything but times and system-dependent values has the same size for 1,024 ranks as for 16."""
    sizes = []
    for side in SIDES:
        text = stencil(side)
        trace = merge(tarry, folder, "stencil%d" % side, text)
        same(dump(tarry, trace), text, "a merged stencil of %d ranks" % side**2)
        data = read(trace)
        same(show_trace(data), text, "the same, second reader")
        sizes.append(bytes_without_times(data))
    check(sizes[1] < sizes[0] * (1 + MOST_GROWTH), "bytes without times: %s" % sizes)


def check_damage(tarry, folder):
    """A flipped byte in a table or a group loses its dependents, is reported, and leaves the others."""
    whole = read(os.path.join(folder, "stencil%d.tarry" % SIDES[0]))
    path = os.path.join(folder, "flipped.tarry")
    for at in range(0, len(whole), len(whole) // 60):
        data = bytearray(whole)
        data[at] ^= 0x55
        code, out, errors = run(tarry, "dump", "--no-source", write(path, bytes(data)))
        if out != show_trace(whole):
            check(code == 1 and "damaged" in errors, "flip at %d is not told: %s" % (at, errors))
            same(out, show_trace(bytes(data)), "flip at %d, second reader" % at)


def check_second_world(tarry, folder):
    """Parts of another world are added to a trace with groups; parts that are in it already are not."""
    trace = os.path.join(folder, "stencil%d.tarry" % SIDES[0])
    first, second = stencil(SIDES[0]), stencil(3, world=6)
    for _ in range(2):
        recover(tarry, trace, second)
        same(dump(tarry, trace), first + second.split(b"\n", 1)[1], "a second world")


def table(number, payload):
    return chunk(payload, NOBODY, TABLE, number, version=3)


CALL = NAME + b"\xc3\x02\x00\x00"
OTHER = chunk(NAME, process=7)
# A group: table, order, stream + 1, sequence, events, ranks, lengths, members.
HOSTILE = [
    ("its table is missing", b"\x01\x00\x01\x00\x01" b"\x01\x00" b"\x00" b"\x02\x00\x80\x00"),
    ("its table is missing", b"\x00\x09\x01\x00\x01" b"\x01\x00" b"\x00" b"\x02\x00\x80\x00"),
    ("its head is damaged", b"\x00\x00\x01\x00"),
    ("its ranks are damaged", b"\x00\x00\x01\x00\x01" b"\x02\x00\x00" b"\x00"),
    ("its ranks are damaged", b"\x00\x00\x01\x00\x01" b"\x02\x05\x01" b"\x00"),
    ("its ranks are damaged", b"\x00\x00\x01\x00\x01" b"\x03\x00\x05\x02" b"\x00"),
    ("its ranks are damaged", b"\x00\x00\x01\x00\x01" b"\x02\x00\xfe\xff\xff\xff\xff\x01" b"\x00"),
    ("it has too many chunks", b"\x00\x00\x01\x00\x01" b"\xff\xff\xff\x7f\x00" b"\x00"),
    ("one of its chunks is cut", b"\x00\x00\x01\x00\x01" b"\x01\x00" b"\x00" b"\x05\x00\x80\x00"),
    ("its order of calls is damaged", b"\x00\x03\x01\x00\x01" b"\x01\x00" b"\x00" b"\x02\x00\x80\x00"),
    ("event 0 is of call 5, but only 1 are defined", b"\x00\x04\x01\x00\x01" b"\x01\x00" b"\x00" b"\x01\x00\x08"),
    ("its table is damaged", b"\x01\x00\x01\x00\x01" b"\x01\x00" b"\x00" b"\x02\x00\x80\x00"),
]


def check_hostile(tarry, folder):
    """Right checksums around wrong contents: one sentence each."""
    path = os.path.join(folder, "hostile.tarry")
    tables = table(0, CALL) + table(2, b"\x00\x00\x00\x00") + table(3, b"\x00\x05")
    for sentence, payload in HOSTILE:
        more = table(1, b"\xc1\x09") if sentence == "its table is damaged" else b""
        data = tables + more + chunk(payload, NOBODY, GROUP, 0, version=3) + OTHER
        code, out, errors = run(tarry, "dump", write(path, data))
        check(code == 1 and sentence in errors and len(errors.splitlines()) == 1, "expected '%s', got %d: %s" % (sentence, code, errors))
        same(out, show_trace(data), sentence)


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        check_size(tarry, folder)
        check_damage(tarry, folder)
        check_hostile(tarry, folder)
        check_second_world(tarry, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])
