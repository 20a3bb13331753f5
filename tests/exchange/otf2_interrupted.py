#!/usr/bin/env python3
"""An interrupted export leaves no folder, and an existing archive is unchanged. A killed export leaves its draft, which the next one
removes. Usage: otf2_interrupted.py TARRY"""

import glob
import os
import signal
import subprocess
import sys
import tempfile
import time

from common import assemble, check, finish, run

EVENTS = 20000  # doubled until an export lasts long enough to be caught
ATTEMPTS = 6
SECONDS = 60


def make_trace(tarry, folder, events):
    trace = os.path.join(folder, "run.tarry")
    lines = ["process", *("%d %d MPI_Comm_size" % (10 * i, 10 * i + 5) for i in range(1, events))]
    assemble(tarry, "\n".join(lines).encode() + b"\n", trace)
    return trace


def files_of(archive):
    return {path: os.stat(path).st_mtime_ns for path in glob.glob(os.path.join(archive, "**"), recursive=True)}


def drafts_of(archive):
    return glob.glob(archive + ".*")


def catch(tarry, trace, archive):
    """An export that is stopped while it writes; None: it was too fast."""
    export = subprocess.Popen([tarry, "export", "--otf2", archive, "--force", trace], stderr=subprocess.DEVNULL)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and export.poll() is None:
        if drafts_of(archive):
            export.send_signal(signal.SIGSTOP)
            if drafts_of(archive):
                return export
            export.send_signal(signal.SIGCONT)
    export.wait()
    return None


def interrupt(tarry, folder, archive, number):
    events = EVENTS
    for _ in range(ATTEMPTS):
        trace = make_trace(tarry, folder, events)
        before = files_of(archive)
        export = catch(tarry, trace, archive)
        if export:
            export.send_signal(number)
            export.send_signal(signal.SIGCONT)
            export.wait()
            return before
        events *= 2
    return None


def main():
    tarry = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "archive")
        trace = make_trace(tarry, folder, EVENTS)
        check(run(tarry, "export", "--otf2", archive, trace)[0] == 0, "the first export failed")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            before = interrupt(tarry, folder, archive, number)
            check(before is not None, "no export could be caught")
            check(files_of(archive) == before, "%s: the archive is not as before" % number.name)
            left = drafts_of(archive)
            check(len(left) == (number == signal.SIGKILL), "%s left %s" % (number.name, left))
        others = [archive + suffix for suffix in (".tmp", ".x.tmp", ".12.tmpx", "2.12.tmp")]
        for path in others:
            os.mkdir(path)
        code, _, errors = run(tarry, "export", "--otf2", archive, "--force", trace)
        check(code == 0, "the export after a killed one said: %s" % errors)
        check(sorted(drafts_of(archive)) == sorted(others[:3]), "left after it: %s" % drafts_of(archive))
        check(os.path.isdir(others[3]), "a folder of another name is gone")
    finish()


main()
