#!/usr/bin/env python3
"""The long hunt: each target under libFuzzer for its share of the time. Usage: hunt.py BUILD SECONDS [TARGET...]"""

import os
import shutil
import subprocess
import sys
import tempfile

from seeds import SEEDS, seeds_of

SKIPPED = 77
DAMAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "exchange", "otf2_damage.py")
LIMITS = ["-rss_limit_mb=1500", "-malloc_limit_mb=128", "-timeout=20", "-max_len=16384"]


def fill_corpus(target, tarry, corpus):
    """The seeds, with a prefix byte that says how they are passed: once for each value of its bits."""
    os.makedirs(corpus, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(seeds_of(target, tarry, folder)):
            with open(path, "rb") as file:
                seed = file.read()
            for mode in (0, 1):
                with open(os.path.join(corpus, "seed-%d-%d" % (number, mode)), "wb") as file:
                    file.write(bytes([mode]) + seed)


def hunt(build, target, seconds):
    """True if nothing was found."""
    corpus = os.path.join(build, "corpus", target)
    found = os.path.join(build, "found", target, "")
    shutil.rmtree(found, ignore_errors=True)
    os.makedirs(found)
    fill_corpus(target, os.path.join(build, "bin", "tarry"), corpus)
    log = os.path.join(build, "found", target + ".log")
    with open(log, "w") as file:
        program = os.path.join(build, "tests", "fuzz", "fuzz-" + target)
        code = subprocess.run([program, *LIMITS, "-max_total_time=%d" % seconds, "-artifact_prefix=" + found,
                               "-print_final_stats=1", corpus], stdout=file, stderr=subprocess.STDOUT).returncode
    with open(log, errors="replace") as file:
        runs = [line.split()[1] for line in file if line.startswith("stat::number_of_executed_units:")]
    if code:
        print("%s: broken, see '%s' and what is in '%s'" % (target, log, found))
    else:
        print("%s: nothing found in %d s with %s inputs" % (target, seconds, runs[0] if runs else "some"))
    sys.stdout.flush()
    return code == 0


def hunt_archives(build, target, seconds):
    """The import, whose library is not built here: damage is random."""
    found = os.path.join(build, "found", target)
    shutil.rmtree(found, ignore_errors=True)
    os.makedirs(found)
    tarry = os.path.join(build, "bin", "tarry")
    return subprocess.run([sys.executable, "-B", DAMAGE, tarry, str(seconds), "s"],
                          cwd=found).returncode in (0, SKIPPED)


HUNTS = {**{target: hunt for target in SEEDS}, "otf2": hunt_archives}


def main(build, seconds, *targets):
    targets = targets or sorted(HUNTS)
    share = max(1, int(seconds) // len(targets))
    results = [HUNTS[target](build, target, share) for target in targets]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
