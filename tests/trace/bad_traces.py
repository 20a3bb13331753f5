#!/usr/bin/env python3
"""Files that are not traces, or damaged ones. Damage is tried at every STEP-th byte. Usage: bad_traces.py TARRY STEP"""

import os
import struct
import sys
import tempfile
import zlib

from harness import GOLDEN, assemble, check, finish, run, same
from second_reader import show_trace

SMALL = b"""tarry trace 1
process world=1 rank=0 size=2 run=5
property host "vm"
thread 0 tid=1 main "app"
10 20 MPI_Init
20 30 MPI_Send peer=1 sent=8
process world=1 rank=1 size=2 run=5
property host "vm"
thread 0 tid=2 main "app"
11 21 MPI_Init
22 40 MPI_Recv peer=0 received=8
41 50 MPI_Send peer=0 sent=8
41 60 MPI_Recv peer=0 received=8
"""


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def expect_refusal(tarry, path, *words):
    for command in ("dump", "info"):
        code, out, errors = run(tarry, command, path)
        check(code == 1 and not out, "%s of '%s' exits with %d" % (command, path, code))
        check(len(errors.splitlines()) == 1, "%s of '%s' says: %s" % (command, path, errors))
        for word in words:
            check(word in errors, "%s of '%s' does not say '%s': %s" % (command, path, word, errors))


def check_no_traces(tarry, folder, whole):
    path = os.path.join(folder, "x.tarry")
    expect_refusal(tarry, os.path.join(folder, "absent.tarry"), "cannot open", "No such file")
    expect_refusal(tarry, folder, "is a folder")
    expect_refusal(tarry, write(path, b""), "is empty")
    expect_refusal(tarry, write(path, b"\x7fELF" + bytes(200)), "is not a trace")
    expect_refusal(tarry, write(path, bytes(4096)), "is not a trace")
    expect_refusal(tarry, write(path, SMALL), "tarry assemble")
    expect_refusal(tarry, write(path, whole[:6] + b"\4" + whole[7:]), "version 4", "versions up to 3")
    expect_refusal(tarry, write(path, whole[:6] + b"\0" + whole[7:]), "version 0", "versions up to 3")
    expect_refusal(tarry, write(path, whole[:63]), "no whole chunk")
    os.mkdir(os.path.join(folder, "gone.tarry.parts"))
    expect_refusal(tarry, os.path.join(folder, "gone.tarry"), "holds no part", "ended before it began")
    write(os.path.join(folder, "gone.tarry.parts", "notes"), b"'x.tarry' was there already\nmore\n")
    expect_refusal(tarry, os.path.join(folder, "gone.tarry"), "holds no part", "only a note: 'x.tarry' was there already")
    if os.geteuid() != 0:
        os.chmod(write(path, whole), 0)
        expect_refusal(tarry, path, "Permission denied")


def is_subsequence(lines, of):
    rest = iter(of)
    return all(line in rest for line in lines)


def check_prefixes(tarry, folder, whole, step):
    """Cut anywhere, a trace gives all whole records before the cut, or one sentence."""
    path = os.path.join(folder, "cut.tarry")
    everything = SMALL.splitlines()
    shown_before = 0
    for size in (*range(0, len(whole) - 1, step), len(whole) - 1):
        write(path, whole[:size])
        code, out, errors = run(tarry, "dump", "--no-source", path)
        if not out:
            check(code == 1 and len(errors.splitlines()) == 1, "cut at %d: %d, %s" % (size, code, errors))
            continue
        same(out, show_trace(whole[:size]), "cut at %d" % size)
        lines = out.splitlines()
        check(len(lines) >= shown_before, "cut at %d: less than before" % size)
        shown_before = len(lines)
        # Until the record is there that tells size and run, or id and name, these lines are shorter.
        whole_lines = [line for line in lines if line.split()[0] not in (b"process", b"thread")]
        check(is_subsequence(whole_lines, everything), "cut at %d: %s" % (size, out))
    check(shown_before >= len(everything) - 1, "the last cuts show too little")


def check_damage(tarry, folder, whole, step):
    """A flipped byte in a chunk loses that chunk, is reported, and leaves the others."""
    path = os.path.join(folder, "flipped.tarry")
    expected = show_trace(whole)
    for at in range(0, len(whole), 7 * step):
        data = bytearray(whole)
        data[at] ^= 0x55
        write(path, bytes(data))
        code, out, errors = run(tarry, "dump", "--no-source", path)
        if out == expected:
            continue
        check(code == 1 and errors, "flip at %d is not told" % at)
        check("damaged" in errors or at == 6, "flip at %d: %s" % (at, errors))


def chunk(payload, process=0, stream=0, sequence=0, events=0, version=2):
    """A sealed chunk with valid checksums, whatever its content."""
    padded = (len(payload) + 7) // 8 * 8
    head = struct.pack("<6sBBQIIIIQ", b"TARRY\x1a", version, 0, 1, process, stream, sequence, padded, 0)
    seal = struct.pack("<IIII", 1, len(payload), events, zlib.crc32(payload))
    return (head + struct.pack("<I", zlib.crc32(head)) + seal + struct.pack("<I", zlib.crc32(seal)) +
            payload.ljust(padded, b"\0"))


NOBODY = 0xFFFFFFFF
NAME = b"\xc1\x01f"
CALL = b"\xc3\x02\x00\x00"
HOSTILE = [
    ("names site 9, but only 0 are defined", chunk(NAME + b"\xc3\x02\x00\x0a")),
    ("path 0 goes on from path 0, but only 0 are defined", chunk(b"\xc8\x03\x01\x01\x05")),
    ("path 256 has more than 256 sites", chunk(b"".join(b"\xc8\x04%s\x01\x05" % bytes([n & 127 | 128, n >> 7])
                                                       for n in range(257)))),
    ("call 0 refers to path 1, but only 1 are defined",
     chunk(NAME + b"\xc8\x03\x00\x01\x05" + b"\xc3\x04\x00\x00\x2a\x02")),
    ("a record of kind 8 (path) is too short", chunk(b"\xc8\x02\x00\x01")),
    ("call 0 refers to name 5, but only 1 are defined", chunk(NAME + b"\xc3\x02\x05\x00")),
    ("call 0 refers to name 3, but only 1 are defined", chunk(NAME + b"\xc3\x04\x00\x00\x1b\x06")),
    ("call 0 refers to name -1, but only 1 are defined", chunk(NAME + b"\xc3\x04\x00\x00\x1b\x01")),
    ("call 0 is cut inside a field", chunk(NAME + b"\xc3\x03\x00\x00\x05")),
    ("call 0 is cut short", chunk(NAME + b"\xc3\x01\x00")),
    ("impossible key", chunk(NAME + b"\xc3\x08\x00\x00\xff\xff\xff\xff\x7f\x00")),
    ("event 0 is of call 1, but only 1 are defined", chunk(NAME + CALL + b"\x80\x01")),
    ("event 0 is of call 4294967295", chunk(NAME + CALL + b"\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")),
    ("event 0 is predicted, but nothing predicts it", chunk(NAME + CALL + b"\x00")),
    ("event 1 is predicted, but nothing predicts it", chunk(NAME + CALL + b"\x80\x00\x00", events=1)),
    ("an event is cut short", chunk(NAME + CALL + b"\x8f\x00")),
    ("an event is cut short", chunk(NAME + CALL + b"\x80\x00\x80\x00\x20", events=2)),
    ("an event is cut short", chunk(NAME + CALL + b"\x80\x00\x80\x00\x70\x05", events=2)),
    ("an event is cut short", chunk(NAME + CALL + b"\x80\x00\x80\x00\x1f\x05", events=2)),
    ("event 1 is predicted, but nothing predicts it", chunk(NAME + CALL + b"\x80\x00\x70\x05\x07", events=1)),
    ("an event is cut short", chunk(NAME + CALL + b"\x8f\x00" + b"\xff" * 9 + b"\x02")),
    ("exceeds 64 bits", chunk(NAME + CALL + b"\xc4\x0a" + b"\xff" * 9 + b"\x01" + b"\x81\x00")),
    ("reaches beyond the payload's end", chunk(b"\xc1\x7fabc")),
    ("reaches beyond the payload's end", chunk(b"\xde\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")),
    ("a record of kind 2 (site) is too short", chunk(b"\xc2\x01\x00")),
    ("a record of kind 4 (time) is too short", chunk(b"\xc4\x00")),
    ("a record of polls has the count 0", chunk(b"\xc5\x02\x00\x00")),
    ("a record of scheduling delay has none", chunk(b"\xca\x02\x00\x00")),
    ("or more than an hour", chunk(b"\xca\x06\x00\x80\x80\x80\x80\x10")),
    ("a record of time in the kernel has none", chunk(b"\xde\x01\x00")),
    ("a record of kind 10 (delay) is too short", chunk(b"\xca\x01\x07")),
    ("its header counts 7 events, but it has 1", chunk(NAME + CALL + b"\x80\x00", events=7)),
    ("a chunk without a thread has an event", chunk(b"\x80\x00", stream=NOBODY)),
    ("a record is too short", chunk(b"\xd1\x01\x07", stream=NOBODY)),
    ("the WORLD record belongs to another process", chunk(b"\xd0\x12" + struct.pack("<QBBQ", 2, 0, 1, 0), stream=NOBODY)),
    ("a clock has more points than bytes", chunk(b"\xd2\x0b\x01" + b"\xff" * 9 + b"\x01", stream=NOBODY)),
    ("more runs of members than bytes",
     chunk(b"\xd4\x1e" + bytes(16) + b"\0\0\1\0" + b"\xff" * 9 + b"\x01", stream=NOBODY)),
    ("a run of impossible ranks",
     chunk(b"\xd4\x20" + bytes(16) + b"\0\0\1\0\1" + bytes(8) + b"\x00\x01\x02", stream=NOBODY)),
    ("members differs from its size",
     chunk(b"\xd4\x20" + bytes(16) + b"\0\0\1\0\1" + bytes(8) + b"\x00\x02\x02", stream=NOBODY)),
    ("same number as another chunk", chunk(NAME) + chunk(NAME + NAME)),
    ("2 of 3 chunks are missing", chunk(NAME, sequence=2)),
    ("byte 72: no chunk begins here; 8 bytes skipped", chunk(NAME) + b"rubbish!" + chunk(NAME, sequence=1)),
]


def check_hostile(tarry, folder):
    """Valid checksums around wrong contents: one precise message each."""
    path = os.path.join(folder, "hostile.tarry")
    for sentence, data in HOSTILE:
        code, out, errors = run(tarry, "dump", write(path, data))
        check(code == 1 and sentence in errors and len(errors.splitlines()) == 1,
              "expected '%s', got %d: %s" % (sentence, code, errors))
        same(out, show_trace(data), sentence)
        code, _, errors = run(tarry, "info", path)
        check(code == 1 and sentence in errors, "info does not tell '%s': %s" % (sentence, errors))


def check_memory(tarry, folder):
    """Many small chunks, each of another process: still read, in little memory."""
    path = write(os.path.join(folder, "many.tarry"), b"".join(chunk(NAME, process=i) for i in range(3000)))
    code, out, _ = run(tarry, "dump", "--no-source", path)
    check(code == 0 and out.count(b"process") == 3000, "3000 processes in small chunks")


def main(tarry, step):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "whole.tarry")
        assemble(tarry, SMALL, trace)
        with open(trace, "rb") as file:
            whole = file.read()
        check_no_traces(tarry, folder, whole)
        check_prefixes(tarry, folder, whole, step)
        with open(os.path.join(GOLDEN, "worlds.txt"), "rb") as file:
            assemble(tarry, file.read(), trace, "--chunk", "256")
        with open(trace, "rb") as file:
            check_damage(tarry, folder, file.read(), step)
        check_hostile(tarry, folder)
        check_memory(tarry, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
