"""Output does not depend on the number of jobs: commands print and write the same bytes with 1, 2, 3 and 8. The programs are those of
random_reports.py, and given traces as text. With these, all kinds of calls must occur.

Usage: random_jobs.py TARRY [COUNT [FIRST_SEED]] [TEXT...]
"""

import os
import random
import re
import subprocess
import sys
import tempfile

from random_reports import PROGRAMS, Disturbed
from replayed import assemble

JOBS = (1, 2, 3, 8)
COMMANDS = (("report", "--all", "--html", "FILE"), ("analyze", "--json", "FILE"), ("diff", "--json", "FILE", "t.tarry"),
            ("export", "--csv", "FILE"), ("export", "--calls", "p2p", "--csv", "FILE"), ("export", "--perfetto", "FILE"),
            ("export", "--calls", "p2p", "--perfetto", "FILE"))
NONCE = re.compile(rb"nonce[-=\"]+[0-9a-f]+")  # of a page: random
CALLS = ("MPI_Mprobe", "MPI_Start", "MPI_Ibarrier", "MPI_Win_", "upc_")


def told(tarry, folder, command, jobs):
    """Exit code, both streams, and the file."""
    file = os.path.join(folder, "written")
    done = subprocess.run([tarry, *(file if word == "FILE" else word for word in command), "--jobs", str(jobs), "t.tarry"],
                          capture_output=True, timeout=200, cwd=folder)
    assert os.path.exists(file), "%s --jobs %d ended with %d: %s" % (command[0], jobs, done.returncode, done.stderr.decode())
    with open(file, "rb") as written:
        content = NONCE.sub(b"", written.read())
    os.remove(file)
    return done.returncode, done.stdout, done.stderr, content


def check(tarry, text):
    with tempfile.TemporaryDirectory() as folder:
        assemble(tarry, text, os.path.join(folder, "t.tarry"))
        for command in COMMANDS:
            alone = told(tarry, folder, command, JOBS[0])
            for jobs in JOBS[1:]:
                assert told(tarry, folder, command, jobs) == alone, "%s differs with --jobs %d" % (" ".join(command), jobs)


def text_of(seed):
    pick = random.Random(seed)
    made = PROGRAMS[seed % len(PROGRAMS)](seed, pick)
    lines = list(getattr(made, "trace", made).lines())
    return "\n".join(Disturbed(lines, pick).lines if pick.random() < 0.8 else lines) + "\n"


def main(tarry, *words):
    numbers = [int(word) for word in words if word.isdigit()]
    count = (numbers[0] if numbers else 12) * int(os.environ.get("TARRY_MORE_SEEDS", 1))
    first = numbers[1] if len(numbers) > 1 else 1
    texts = {"seed %d" % seed: text_of(seed) for seed in range(first, first + count)}
    for path in words:
        if not path.isdigit():
            with open(path, encoding="utf-8") as file:
                texts[os.path.basename(path)] = file.read()
    for name, text in texts.items():
        try:
            check(tarry, text)
        except AssertionError as wrong:
            sys.exit("%s: %s\n%s" % (name, wrong, text))
    if len(texts) > count:
        missing = [call for call in CALLS if not any(call in text for text in texts.values())]
        assert not missing, "never tried: %s" % ", ".join(missing)


main(*sys.argv[1:])
