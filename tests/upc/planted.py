"""UPC programs in which a delay is planted, under one personality of the stand-in runtime: each gives the findings that
are planted in it, on their lines, and no others; without the delay it gives none.

    planted.py --driver upcc --standin RUNTIME/bin --bin build/bin --work DIR [--mpicc CC --launcher MPIRUN] PROGRAM.upc|FOLDER...

PROGRAM takes the delay as its argument; it says in its first lines how it is run, and what the runtime is to be told
for the bad run:

    tarry-example: threads=4 bad=200 good=0 bad-env=UPC_STANDIN_PUT_MS=200

A FOLDER has bad.upc and good.upc instead. What is to be found stands behind a call: see ../knowledge/plan.py. A
machine that is busy with other things may come late with a thread that slept, so that a job has eight tries."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "knowledge"))

from plan import faults, plan_of, settings_of, told  # noqa: E402

FOLDERS = [os.path.join(ROOT, "examples", "upc"), os.path.join(HERE, "planted")]
ON_ONE_MACHINE = os.path.join(ROOT, "scripts", "mpirun-here")
CALL = re.compile(r"\b(upc_\w+|bupc_\w+|READ|WRITE\w*|MPI_\w+)\b")
TRIES = 8
AT_ONCE = 3
SECONDS = 60


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("standin", "bin", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--mpicc")
    parser.add_argument("--launcher")
    parser.add_argument("programs", type=os.path.abspath, nargs="+")
    return parser.parse_args()


def environment_of(options, extra=()):
    environment = dict(os.environ, **dict(word.split("=", 1) for word in extra))
    if options.mpicc:
        environment.update(UPC_STANDIN_CC=options.mpicc, UPC_STANDIN_MPIRUN=options.launcher,
                           OMPI_MCA_mpi_yield_when_idle="1")
    return environment


def build(options, source, folder):
    program = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    subprocess.run([os.path.join(options.bin, "tarry"), "upcc", "--", os.path.join(options.standin, options.driver), "-g",
                    "-Wall", "-Wextra", *(f"-I{folder}" for folder in FOLDERS), source, "-o", program], check=True,
                   env=environment_of(options))
    return program


def launch(options, program, settings):
    if options.driver == "upcc":
        return [os.path.join(options.standin, "upcrun"), "-n", settings["threads"], program]
    return [program, "-n", settings["threads"]]


def found_in(options, program, settings, kind):
    """What a run shows, and how many seconds of it are not certain: a busy machine may let threads wait."""
    trace, tarry = f"{program}-{kind}.tarry", os.path.join(options.bin, "tarry")
    extra = settings[f"{kind}-env"].split(",") if f"{kind}-env" in settings else []
    arguments = settings[kind].split(",") if settings.get(kind) else []
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "-o", trace, "--", *launch(options, program, settings),
                    *arguments], check=True, timeout=SECONDS, env=environment_of(options, extra),
                   stdout=subprocess.DEVNULL)
    done = subprocess.run([tarry, "analyze", "--all", "--json", "-", trace], check=True, capture_output=True)
    run = json.loads(done.stdout)
    return run["findings"], run["run"]["uncertainty_s"] + run["run"]["without_processor_s"]


def try_program(options, source, program, plan, least, kind):
    settings = settings_of(source)
    for _ in range(TRIES):
        findings, doubt = found_in(options, program, settings, kind)
        wrong = list(faults(findings, plan, doubt, least))
        if not wrong:
            return []
    return [f"{source} ({kind}): {fault}" for fault in wrong] + [f"  found: {told(finding)}" for finding in findings]


def faults_of(options, path):
    is_folder = os.path.isdir(path)
    folder = os.path.join(options.work, os.path.splitext(os.path.basename(path))[0])
    bad, good = (os.path.join(path, name) if is_folder else path for name in ("bad.upc", "good.upc"))
    plan = plan_of(bad, CALL)
    if not plan:
        return [f"nothing is planted in '{bad}'"]
    least = min((planted.total for planted in plan if planted.total), default=0.4)
    os.makedirs(folder)
    programs = {source: build(options, source, folder) for source in {bad, good}}
    return (try_program(options, bad, programs[bad], plan, least, "bad")
            + try_program(options, good, programs[good], [], least, "good"))


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    # Threads of UPC sleep most of the time.
    with ThreadPoolExecutor(AT_ONCE) as pool:
        wrong = [fault for faults in pool.map(lambda path: faults_of(options, path), options.programs) for fault in faults]
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))
    print(f"{len(options.programs)} programs: all that is planted in the one, nothing in the other")


main()
