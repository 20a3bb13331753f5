"""Runs a job that ends before its time. Launchers forget what processes printed and they have not read yet when they end a
job: so the program waits, before it does what ends the job, for a file that tells it that its output was seen."""

import os
import subprocess
import tempfile
import threading

SIGN = "seen"


def run(words, last_line, timeout, cwd, **settings):
    """As subprocess.run with captured text; `last_line` tells from all that was printed if it is all that will be."""
    sign = os.path.join(cwd, SIGN)
    if os.path.exists(sign):
        os.remove(sign)
    output = ""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        with subprocess.Popen(words, cwd=cwd, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, text=True,
                              **settings) as job:
            alarm = threading.Timer(timeout, job.kill)
            alarm.start()
            for line in job.stdout:
                output += line
                if last_line(output):
                    open(sign, "w", encoding="ascii").close()
        alarm.cancel()
        errors.seek(0)
        return subprocess.CompletedProcess(words, job.returncode, output, errors.read())
