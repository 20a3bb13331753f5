"""Runs a job that ends early. When launchers end a job, they lose output that they have not read yet: so the program
waits for a file that says that its output was seen, before it ends the job."""

import os
import shutil
import subprocess
import tempfile
import threading

# In the folder of the job. The processes may leave signs for each other there, too.
SIGNS = "signs"


def give_sign(folder, name):
    open(os.path.join(folder, SIGNS, name), "w", encoding="ascii").close()


def prepare(folder):
    """Without the signs of an earlier job."""
    shutil.rmtree(os.path.join(folder, SIGNS), ignore_errors=True)
    os.mkdir(os.path.join(folder, SIGNS))


def run(words, is_all, timeout, cwd, **settings):
    """As subprocess.run with captured text; `is_all` says of what was printed if there is more to come."""
    prepare(cwd)
    output = ""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        with subprocess.Popen(words, cwd=cwd, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, text=True,
                              **settings) as job:
            alarm = threading.Timer(timeout, job.kill)
            alarm.start()
            for line in job.stdout:
                output += line
                if is_all(output):
                    give_sign(cwd, "seen")
        alarm.cancel()
        errors.seek(0)
        return subprocess.CompletedProcess(words, job.returncode, output, errors.read())
