#!/usr/bin/env python3
"""Traces at random, always the same ones: text, trace and text again, by both readers. Usage: random_traces.py TARRY"""

import random
import sys
import tempfile

from golden import check_text
from harness import finish
from second_reader import FIELDS, IDENTITY, NAME, ONLY_AFTERWARDS, RANK, REAL, real

TRACES = 12
NAMES = ["MPI_Send", "MPI_Recv", "MPI_Waitall", "tarry_region", "MPI_Allreduce", "strange one"]
EDGES = [0, 1, 2, 3, 6, 7, 8, 13, 14, 15, 16, 63, 64, 127, 128, 159, 160, 511, 512, 2047, 2048, 16383, 16384, 2**31, 2**32, 2**40]


def number(random, bits=63):
    return random.choice(EDGES) if random.random() < 0.5 else random.getrandbits(random.randint(1, bits))


def quoted(random):
    return '"%s"' % "".join(random.choice(["a", "Z", " ", "\\n", "\\\\", '\\"', "\\x07", "é", "#", "="])
                            for _ in range(random.randint(0, 12)))


def field(random):
    key = random.choice(list(range(1, len(FIELDS))) + [0, 77, 2**32 - 1])
    name = FIELDS[key] if 0 < key < len(FIELDS) else "field%d" % key
    if name == "path":
        sites = ["%d+0x%x" % (random.randrange(3), random.randrange(4)) for _ in range(random.choice([1, 2, 5]))]
        return "path=" + ",".join(sites)
    if key in NAME:
        return "%s=%s" % (name, quoted(random))
    if key == REAL:
        bits = random.choice([0, -2**63, 0x7FF << 52, (0x7FF << 52) + 1, number(random)])
        return "%s=%s" % (name, real(bits).decode())
    if key in IDENTITY:
        return "%s=0x%x" % (name, random.getrandbits(64))
    if key in RANK and random.random() < 0.3:
        return "%s=%s" % (name, random.choice(["any", "null", "root"]))
    return "%s=%d" % (name, number(random) * (1 if key in RANK else random.choice([1, -1])))


def call(random):
    name = random.choice(NAMES)
    words = ['"%s"' % name if " " in name else name]
    if random.random() < 0.7:
        words.append("site=%d+0x%x" % (random.randint(0, 3), number(random, 48)))
    return " ".join(words + [field(random) for _ in range(random.choice([0, 1, 3, 5, 40]))])


def open_call(random, start):
    """Results of a call are not shown for an open one."""
    kept = [word for word in call(random).split(" ") if not word.startswith(tuple(FIELDS[key] + "=" for key in ONLY_AFTERWARDS))]
    return "open %d %s" % (start, " ".join(kept))


def events(random, count):
    calls = [call(random) for _ in range(random.choice([1, 3, 200]))]
    at, now, lines = 0, number(random, 50), []
    for _ in range(count):
        start = now + number(random, 20) if random.random() < 0.95 else max(0, now - number(random, 20))
        now = start + number(random, 20)
        at = (at + 1) % len(calls) if random.random() < 0.9 else random.randrange(len(calls))
        polls = " polls=%d busy=%d" % (1 + number(random, 20), number(random)) if random.random() < 0.05 else ""
        if random.random() < 0.05:
            polls += " delay_before=%d delay_inside=%d" % (random.randrange(1, 2**32), number(random, 20) % 2**32)
        if random.random() < 0.05:
            polls += " blocked_before=%d" % random.randrange(1, 2**32)
        lines.append("%d %d %s%s" % (start, now, calls[at], polls))
        if random.random() < 0.01:
            lines.append("loss %d %s" % (number(random), quoted(random)))
        if random.random() < 0.01:
            lines.append("%s %d%s" % (random.choice(["pause", "resume"]), number(random), random.choice(["", " counted"])))
        if random.random() < 0.02:
            lines.append("skipped %d %d %s" % (number(random), 1 + number(random, 40), random.choice(calls)))
        if random.random() < 0.02:
            lines.append("summed %d %s %s" % (1 + number(random, 40), " ".join(str(number(random)) for _ in range(5)), random.choice(calls)))
        if random.random() < 0.02:
            lines.append("overhead %d %d %s" % (number(random), number(random), random.choice(["start", "chunk", '"odd word"'])))
        if random.random() < 0.01:
            lines.append("unknown kind=%d bytes=%s" % (random.randint(23, 63), random.randbytes(9).hex()))
    return lines + [open_call(random, now)] * random.choice([0, 1])


def process(random, world, rank):
    lines = ["process world=%x rank=%d size=%d run=%x" % (world, rank, number(random, 31), random.getrandbits(64)),
             "property host %s" % quoted(random),
             "clock tsc %d tick=%d ns=%d" % (number(random), number(random), number(random)),
             "module 1 base=0x%x size=0x%x build-id=%s %s" % (number(random), number(random),
                                                             random.randbytes(20).hex(), quoted(random)),
             "comm 0x%x parent=0x1 kind=intra rank=%d size=4 remote=0 members=%x:0-2,%x:9 %s"
             % (random.getrandbits(64), rank, world, world, quoted(random))]
    for thread in range(random.randint(0, 3)):
        lines.append("thread %d tid=%d %s" % (thread, number(random, 22), quoted(random)))
        lines += events(random, random.choice([0, 1, 30, 300]))
    return lines


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(TRACES):
            chance = random.Random(seed)
            lines = ["tarry trace 1"]
            for world in chance.sample(range(1, 2**20), 2):
                for rank in range(chance.randint(1, 3)):
                    lines += process(chance, world, rank)
            text = ("\n".join(lines) + "\n").encode()
            check_text(tarry, "random trace %d" % seed, text, text, folder)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])
