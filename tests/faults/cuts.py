"""Records a program that ends well and one that is killed, and truncates their files at every byte; see
cuts.c.

    cuts.py CUTS PRELOAD_LIBRARY FAKE_RECORDER VICTIM WORK"""

import glob
import os
import shutil
import struct
import subprocess
import sys

# Of the first process in the table of a part (docs/trace-format.md).
STATE, RUNNING, FINISHED = 64 + 32, 1, 2


def record(preload, victim, folder, *words):
    """The part that the program leaves."""
    os.makedirs(folder)
    environment = {"LD_PRELOAD": preload, "TARRY_OUTPUT": os.path.join(folder, "x.tarry"), "TARRY_BUFFER": "1048576",
                   "TARRY_RUN": "00000000000000ab", "PMIX_NAMESPACE": "faults", "XDG_CACHE_HOME": folder}
    subprocess.run([victim, "0", "1", *words], env=environment, check=False, capture_output=True)
    [part] = glob.glob(os.path.join(folder, "x.tarry.parts", "*.part"))
    return part


def install(preload, recorder, work):
    """A folder with both libraries, as they are found there."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "lib"))
    ours = os.path.join(work, "lib", "libtarry-preload.so")
    os.symlink(preload, ours)
    # Any library but Open MPI is taken for MPICH.
    name = "upc" if recorder.endswith("-upc.so") else "mpich"
    os.symlink(recorder, os.path.join(work, "lib", f"libtarry-record-{name}.so"))
    return ours


def prepare_and_record(preload, recorder, victim, work):
    """The part of a process that was killed."""
    return record(install(preload, recorder, work), victim, os.path.join(work, "recorded"), "die")


def main(cuts, preload, recorder, victim, work):
    ours = install(preload, recorder, work)
    codes = []
    for name, words in (("finished", []), ("killed", ["die"])):
        part = record(ours, victim, os.path.join(work, name), *words)
        with open(part, "rb") as file:
            state = struct.unpack_from("<I", file.read(), STATE)[0]
        assert state == (FINISHED if name == "finished" else RUNNING), state
        codes.append(subprocess.run([cuts, part, os.path.join(work, "cut")], check=False).returncode)
    sys.exit(1 if any(codes) else 0)


if __name__ == "__main__":
    main(*map(os.path.abspath, sys.argv[1:]))
