#!/usr/bin/env python3
"""Damaged archives: the import makes a trace of them or prints one message, and leaves no files. The OTF2 library itself
crashes with some of them, which is not our bug.

    otf2_damage.py TARRY ROUNDS         always the same damage
    otf2_damage.py TARRY SECONDS s      for so long, always different; findings are kept in the working directory"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from common import GOLDEN, assemble, check, finish, run
from messages import message_job

SKIPPED = 77
LIBRARY = "libopen-trace-format2"
# Requests of the library are refused as without a sanitizer, and its crashes are crashes.
SANITIZER = "detect_leaks=0:allocator_may_return_null=1:handle_segv=0:handle_abort=0:handle_sigfpe=0:handle_sigbus=0"
HOSTILE = [b"\xff" * 4, b"\xff" * 8, b"\x7f" + b"\xff" * 3, bytes(4), b"\x08" + b"\xff" * 8, b"\x80" + bytes(3)]


def texts():
    for name in ("job.txt", "records.txt", "worlds.txt"):
        with open(os.path.join(GOLDEN, name), "rb") as file:
            yield file.read()
    yield "\n".join(message_job(size=3, steps=2)).encode() + b"\n"


def make_archives(tarry, folder):
    archives = []
    for text in texts():
        trace = os.path.join(folder, "seed.tarry")
        archives.append(os.path.join(folder, "seed%d" % len(archives)))
        assemble(tarry, text, trace)
        code, _, errors = run(tarry, "export", "--otf2", archives[-1], trace)
        if code and "OTF2" in errors:
            print("skipped: " + errors)
            sys.exit(SKIPPED)
        check(code == 0, "an archive cannot be made: %s" % errors)
    return archives


def files_of(archive):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(archive) for name in names)


def cut(data, at, _dice):
    return data[:at]


def flip(data, at, dice):
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1:]


def set_length(data, at, dice):
    length = dice.choice(HOSTILE)
    return data[:at] + length + data[at + len(length):]


def swap(data, at, _dice):
    return data[:at] + data[at:at + 8][::-1] + data[at + 8:]


def scatter(data, _at, dice):
    data = bytearray(data)
    for _ in range(8):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data)


def other_version(data, at, dice):
    return data[:min(at, 10)] + bytes([dice.randrange(256)]) + data[min(at, 10) + 1:]


DAMAGES = [cut, flip, set_length, swap, scatter, other_version]


def damage(archive, dice):
    """Returns a short description of the damage."""
    path = dice.choice([path for path in files_of(archive) if os.path.getsize(path)])
    if dice.random() < 0.05:
        os.unlink(path)
        return "%s is gone" % path
    with open(path, "rb") as file:
        data = file.read()
    done, at = dice.choice(DAMAGES), dice.randrange(len(data))
    with open(path, "wb") as file:
        file.write(done(data, at, dice))
    return "%s at byte %d of %s" % (done.__name__, at, path)


def is_of_the_library(errors):
    """Whether a sanitizer's report is about the library: frames of the C library come first."""
    frames = [line for line in errors.splitlines() if line.strip().startswith("#")]
    ours = [place for place, line in enumerate(frames) if "src/" in line and "libsanitizer" not in line]
    theirs = [place for place, line in enumerate(frames) if LIBRARY in line]
    return bool(theirs) and (not ours or theirs[0] < ours[0])


def import_archive(tarry, archive, trace, options):
    environment = {**os.environ, "ASAN_OPTIONS": SANITIZER}
    done = subprocess.run([tarry, "import", *options, "-o", trace, archive], capture_output=True, env=environment)
    return done.returncode, done.stderr.decode(errors="replace")


def problem_of(tarry, archive, folder, options):
    """The error of the import; None if there is none."""
    trace = os.path.join(folder, "made.tarry")
    code, errors = import_archive(tarry, archive, trace, options)
    if "Sanitizer" in errors or "runtime error" in errors:
        return None if is_of_the_library(errors) else errors
    left = [name for name in os.listdir(folder) if name.startswith("made")]
    if code == 0:
        read, _, complaint = run(tarry, "dump", "--no-source", trace)
        os.unlink(trace)
        return "the trace cannot be read: " + complaint if read else None
    if code != 1 or len(errors.splitlines()) != 1 or not errors.startswith("tarry: "):
        return "ends with %d: %s" % (code, errors)
    return "leaves %s" % left if left else None


def attack(tarry, seed, folder, dice):
    archive = os.path.join(folder, "archive")
    shutil.rmtree(archive, ignore_errors=True)
    shutil.copytree(seed, archive)
    done = damage(archive, dice)
    # As an archive of our own, and as one of another tool.
    problem = problem_of(tarry, archive, folder, dice.choice([[], ["--plain"]]))
    check(not problem, "%s: %s" % (done, problem))
    return archive if problem else None


def hunt(tarry, archives, folder, seconds):
    dice, end, tried = random.Random(), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        found = attack(tarry, dice.choice(archives), folder, dice)
        tried += 1
        if found:
            shutil.copytree(found, "archive-%d" % tried)
    print("otf2: %d archives" % tried)


def main(tarry, amount, unit=""):
    with tempfile.TemporaryDirectory() as folder:
        archives = make_archives(tarry, folder)
        if unit:
            hunt(tarry, archives, folder, int(amount))
        else:
            dice = random.Random(3)
            for number in range(int(amount)):
                attack(tarry, archives[number % len(archives)], folder, dice)
    finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
