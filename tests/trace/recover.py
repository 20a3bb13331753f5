#!/usr/bin/env python3
"""The files of a killed job are readable, and become one trace. Usage: recover.py TARRY"""

import os
import shutil
import struct
import sys
import tempfile
import zlib

from harness import assemble, check, dump, finish, run, same
from second_reader import show_trace

JOB = b"""tarry trace 1
process world=5 rank=0 size=2 run=9
property host "a"
thread 0 tid=1 main "app"
10 20 MPI_Init
20 30 MPI_Send peer=1 sent=8
31 40 MPI_Send peer=1 sent=8
thread 1 tid=2 "helper"
15 16 MPI_Recv peer=1
process world=5 rank=1 size=2 run=9
property host "b"
thread 0 tid=3 main "app"
11 21 MPI_Init
22 40 MPI_Recv peer=0 received=8
"""
PAGE = 1 << 16
NOTES = b"the eager limit could not be probed\nand another thing\n"


def chunks(data):
    at = 0
    while at < len(data):
        size = 64 + struct.unpack_from("<I", data, at + 28)[0]
        yield data[at:at + size]
        at += size


def process_of(chunk):
    return struct.unpack_from("<I", chunk, 16)[0]


def rewrite(chunk, world=None, process=None, room=0, sealed=True):
    """The chunk as it was before the end: of an unknown process, with room left, unsealed."""
    head, payload = bytearray(chunk[:64]), chunk[64:]
    if world is not None:
        struct.pack_into("<QI", head, 8, world, process)
    struct.pack_into("<I", head, 28, len(payload) + room)
    struct.pack_into("<I", head, 40, zlib.crc32(head[:40]))
    if not sealed:
        length = struct.unpack_from("<I", head, 48)[0]
        struct.pack_into("<IIIII", head, 44, 0, length, 0, 0, 0)
    return bytes(head) + payload + bytes(room)


def make_parts(folder, whole, change=lambda chunk: rewrite(chunk, room=4096, sealed=False)):
    os.mkdir(folder)
    for chunk in chunks(whole):
        with open(os.path.join(folder, "host-%d.part" % process_of(chunk)), "ab") as part:
            part.write(change(chunk))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_killed_job(tarry, folder, whole):
    trace = os.path.join(folder, "killed.tarry")
    make_parts(trace + ".parts", whole)
    with open(os.path.join(trace + ".parts", "notes"), "wb") as notes:
        notes.write(NOTES)
    same(dump(tarry, trace), JOB, "the parts of a killed job")
    same(dump(tarry, trace + ".parts"), JOB, "the folder itself")
    code, out, errors = run(tarry, "info", trace)
    check(code == 0 and b"was killed" in out and b"note: and another thing" in out, "info of parts: %s" % out)
    code, out, errors = run(tarry, "recover", trace)
    check(code == 0 and not errors and b"6 events of 2 processes" in out, "recover: %s %s" % (out, errors))
    check(not os.path.exists(trace + ".parts"), "the parts are left behind")
    noted = JOB.replace(b'host "a"\n', b'host "a"\nproperty note "the eager limit could not be probed"\n'
                        b'property note "and another thing"\n')
    same(dump(tarry, trace), noted, "the recovered trace")
    same(show_trace(read(trace)), noted, "the recovered trace, second reader")
    code, _, errors = run(tarry, "recover", trace)
    check(code == 1 and "nothing to recover" in errors, "recover twice: " + errors)


def in_call(chunk, code, start, behind=b"", room=4096):
    """The chunk of a thread that was in a call when it ended."""
    chunk = bytearray(rewrite(chunk, room=room, sealed=False))
    length = struct.unpack_from("<I", chunk, 48)[0]
    struct.pack_into("<IQ", chunk, 52, code, start)
    chunk[64 + length:64 + length + len(behind)] = behind
    return bytes(chunk)


def after_damage(chunk):
    """In a call, after an event of which only the start was written."""
    start = b"\xb1\x01"
    chunk = bytearray(in_call(chunk, 2, 50, start))
    struct.pack_into("<I", chunk, 48, struct.unpack_from("<I", chunk, 48)[0] + len(start))
    return bytes(chunk)


def being_sealed(chunk):
    """A process that was killed before the last store."""
    return chunk[:44] + bytes(4) + chunk[48:]


def check_open_calls(tarry, folder, _):
    """The call of a thread when it was killed, identified by its number or described after the payload."""
    assemble(tarry, JOB, os.path.join(folder, "one-chunk.tarry"))
    whole = read(os.path.join(folder, "one-chunk.tarry"))
    first = lambda chunk: process_of(chunk) == 0 and struct.unpack_from("<I", chunk, 20)[0] == 0
    last = b"31 40 MPI_Send peer=1 sent=8\n"
    shown = {
        "by its number": (lambda chunk: in_call(chunk, 2, 50), b"open 50 MPI_Send peer=1 sent=8\n", b""),
        "described": (lambda chunk: in_call(chunk, 0xFFFFFFFF, 2**40, b"\xc3\x06\x01\x00\x02\x06\x05\x10"),
                      b"open %d MPI_Send peer=3\n" % 2**40, b""),
        "after damage": (after_damage, b"open 50 MPI_Send peer=1 sent=8\n", b"an event is cut short; 2 bytes skipped"),
        "none": (lambda chunk: in_call(chunk, 0, 50), b"", b""),
        "being sealed": (being_sealed, b"", b""),
        "of no call": (lambda chunk: in_call(chunk, 3, 50), b"", b"the open call is call 2, but only 2 are defined"),
        "of no description": (lambda chunk: in_call(chunk, 0xFFFFFFFF, 50), b"", b"the open call has no description"),
        "of no name": (lambda chunk: in_call(chunk, 0xFFFFFFFF, 50, b"\xc3\x02\x09\x00"), b"", b"refers to name 9"),
        "cut short": (lambda chunk: in_call(chunk, 0xFFFFFFFF, 50, b"\xc3\xff\x7f\x01"), b"", b"no description"),
    }
    for name, (change, line, damage) in shown.items():
        trace = os.path.join(folder, "open.tarry")
        expected = JOB.replace(last, last + line)
        make_parts(trace + ".parts", whole, lambda chunk: change(chunk) if first(chunk) else rewrite(chunk))
        with open(os.path.join(trace + ".parts", "host-0.part"), "rb") as part:
            thread = b"".join(chunk for chunk in chunks(part.read()) if first(chunk))
        code, out, errors = run(tarry, "dump", "--no-source", trace)
        same(out, expected, "an open call, %s" % name)
        check(code == (1 if damage else 0) and damage.decode() in errors, "an open call, %s: %d, %s" % (name, code, errors))
        same(b"".join(show_trace(thread).splitlines(True)[3:]), b"".join(expected.splitlines(True)[4:7 + bool(line)]),
             "an open call, %s, second reader" % name)
        code, _, errors = run(tarry, "recover", trace)
        check(code == (1 if damage else 0), "recover with an open call, %s: %d, %s" % (name, code, errors))
        same(dump(tarry, trace), expected, "a recovered open call, %s" % name)
        same(show_trace(read(trace)), expected, "a recovered open call, %s, second reader" % name)
        os.unlink(trace)
        shutil.rmtree(trace + ".parts", ignore_errors=True)


def check_names(tarry, folder, whole):
    for operand in ("x", "x.tarry", "x.tarry.parts", "x.tarry.parts/"):
        make_parts(os.path.join(folder, "x.tarry.parts"), whole)
        code, _, errors = run(tarry, "recover", os.path.join(folder, operand))
        check(code == 0, "recover %s: %s" % (operand, errors))
        same(dump(tarry, os.path.join(folder, "x.tarry")), JOB, "recover " + operand)
        os.unlink(os.path.join(folder, "x.tarry"))
    make_parts(os.path.join(folder, "x.tarry.parts"), whole)
    other = os.path.join(folder, "other.tarry")
    code, _, errors = run(tarry, "recover", "-o", other, os.path.join(folder, "x.tarry"))
    check(code == 0, "recover -o: " + errors)
    same(dump(tarry, other), JOB, "recover -o")
    make_parts(os.path.join(folder, "x.tarry.parts"), whole)
    code, _, errors = run(tarry, "recover", "-o", other, os.path.join(folder, "x.tarry"))
    check(code == 1 and "exists already" in errors, "recover -o onto a file: " + errors)


def check_joining(tarry, folder, whole):
    """One world was merged in the job, another was killed; or the merge itself was interrupted."""
    trace = os.path.join(folder, "joined.tarry")
    for kept in (0, 1, 2):
        with open(trace, "wb") as file:
            file.write(b"".join(chunk for chunk in chunks(whole) if process_of(chunk) < kept) or
                       next(chunks(whole)))
        make_parts(trace + ".parts", whole)
        with open(os.path.join(trace + ".parts", "draft"), "wb") as draft:
            draft.write(whole[:100])
        code, _, errors = run(tarry, "recover", trace)
        check(code == 0 and not errors, "joining: " + errors)
        same(dump(tarry, trace), JOB, "joined with %d processes" % kept)
        check(not os.path.exists(trace + ".parts"), "the parts are left behind after joining")


def check_unknown_ranks(tarry, folder, whole):
    """A part's chunks from before MPI_Init belong to its process; two processes that never reached it
    are two."""
    trace = os.path.join(folder, "early.tarry")

    def forget_first(chunk):
        sequence = struct.unpack_from("<I", chunk, 24)[0]
        return rewrite(chunk, 0, 0xFFFFFFFF) if sequence == 1 else chunk

    make_parts(trace + ".parts", whole, forget_first)
    same(dump(tarry, trace), JOB, "chunks from before MPI_Init")
    nameless = os.path.join(folder, "nameless.tarry")
    text = b"process world=1 rank=0\n1 2 MPI_Initialized\nprocess world=1 rank=1\n3 4 MPI_Initialized\n"
    assemble(tarry, text, nameless + ".whole.tarry")
    make_parts(nameless + ".parts", read(nameless + ".whole.tarry"), lambda chunk: rewrite(chunk, 0, 0xFFFFFFFF))
    out = dump(tarry, nameless)
    check(out.count(b"rank=unknown") == 2 and out.count(b"MPI_Initialized") == 2, "nameless processes: %s" % out)
    code, _, errors = run(tarry, "recover", nameless)
    check(code == 0, "recover nameless: " + errors)
    same(dump(tarry, nameless), out, "recovered nameless processes")


def check_damaged_part(tarry, folder, whole):
    """Unreadable data stays in place."""
    trace = os.path.join(folder, "torn.tarry")
    make_parts(trace + ".parts", whole)
    part = os.path.join(trace + ".parts", "host-1.part")
    data = bytearray(read(part))
    data[10] ^= 1
    with open(part, "wb") as file:
        file.write(data)
    code, _, errors = run(tarry, "recover", trace)
    check(code == 1 and "is kept" in errors and "wrong checksum" in errors, "recover torn: " + errors)
    check(os.path.exists(part), "a damaged part was removed")
    _, out, _ = run(tarry, "dump", "--no-source", trace)
    check(b"31 40 MPI_Send" in out and b"22 40 MPI_Recv" in out, "the rest of a torn job: %s" % out)


def number(value):
    """A number and its checksum, as in the header of a part."""
    return struct.pack("<II", value, zlib.crc32(struct.pack("<I", value)))


def part_header(ranks, world=5, state=1):
    """The first page of a part of these ranks, which all run."""
    table = b""
    for pid, rank in enumerate(ranks, 100):
        known = struct.pack("<QQIII", 7, world if rank is not None else 0, pid, 2 if rank is not None else 0,
                            0xFFFFFFFF if rank is None else rank)
        table += known + struct.pack("<III", zlib.crc32(known), state, 0)
    census = len(ranks) | len(ranks) << 12
    return (b"TARRYN\x1a\x01" + number(9) + number(census) + bytes(40) + table).ljust(PAGE, b"\0")


def check_node(tarry, folder, whole):
    """One part of two processes: chunks in any order, pages that were taken and never written, chunks from before MPI_Init."""
    trace = os.path.join(folder, "node.tarry")
    part = os.path.join(trace + ".parts", "host-1.part")
    torn = "table of processes of the part is damaged", "counter of the part is damaged"
    for damage, sentence in ((None, ""), (20, torn[0]), (12, torn[1]), (3, "no chunk begins here")):
        data = bytearray(part_header([1, 0]))
        for i, chunk in enumerate(reversed(list(chunks(whole)))):
            is_early = damage is None and struct.unpack_from("<I", chunk, 24)[0] == 1
            token = 2 if process_of(chunk) == 0 else 1
            chunk = rewrite(chunk, token, 0xFFFFFFFF, 0, False) if is_early else rewrite(chunk, sealed=False)
            data += rewrite(chunk, room=-len(chunk) % PAGE, sealed=False) + bytes(PAGE * (i == 2))
        if damage:
            data[damage] ^= 1
        os.mkdir(trace + ".parts")
        with open(part, "wb") as file:
            file.write(data)
        code, out, errors = run(tarry, "dump", "--no-source", trace)
        check(out == JOB, "a part with damage at %s: %s" % (damage, out))
        check(errors.count("\n") == bool(damage) and sentence in errors, "what is said of damage at %s: %s" % (damage, errors))
        code, _, errors = run(tarry, "recover", trace)
        check(code == bool(damage) and sentence in errors, "recover a part with damage at %s: %s" % (damage, errors))
        same(dump(tarry, trace), JOB, "the trace of a part with damage at %s" % damage)
        shutil.rmtree(trace + ".parts", ignore_errors=True)
        os.remove(trace)


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "whole.tarry")
        assemble(tarry, JOB, path, "--chunk", "256")
        for test in (check_killed_job, check_open_calls, check_names, check_joining, check_unknown_ranks, check_damaged_part, check_node):
            test(tarry, folder, read(path))
    finish()


if __name__ == "__main__":
    main(sys.argv[1])
