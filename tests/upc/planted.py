"""UPC programs in which a delay is planted, under one personality of the stand-in runtime: each gives exactly the planted findings,
on their lines; without the delay it gives none.

    planted.py --driver upcc --standin RUNTIME/bin --bin build/bin --work DIR [--mpicc CC --launcher MPIRUN] PROGRAM.upc|FOLDER...

PROGRAM takes the delay as its argument; it says in its first lines how it is run, and what the runtime is to be told for the bad
run:

    tarry-example: threads=4 bad=200 good=0 bad-env=UPC_STANDIN_PUT_MS=200

A real compiler (see standin.py) has no such runtime: then these programs are left out.

A FOLDER has bad.upc and good.upc instead. The expected findings are after a call: see ../knowledge/plan.py. For the number of
runs and the length of planted delays on a busy machine see ../knowledge/tries.py."""

import argparse
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "knowledge"))

from standin import REAL, compiler_of, for_compiler, launch  # noqa: E402
from plan import faults, found_in_trace, plan_of, settings_of, stretched, told  # noqa: E402
from tries import judge  # noqa: E402

FOLDERS = [os.path.join(ROOT, "examples", "upc"), os.path.join(HERE, "planted")]
ON_ONE_MACHINE = os.path.join(ROOT, "scripts", "mpirun-here")
CALL = re.compile(r"\b(upc_\w+|bupc_\w+|READ|WRITE\w*|MPI_\w+)\b")
STRETCH = os.path.join(ROOT, "tests", "knowledge", "stretch.h")
AT_ONCE = 3
SECONDS = 200


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


def build(options, source, folder, stretch):
    program = os.path.join(folder, f"{os.path.splitext(os.path.basename(source))[0]}-{stretch}")
    if os.path.exists(program):
        return program
    subprocess.run([os.path.join(options.bin, "tarry"), "upcc", "--", compiler_of(options.standin, options.driver), "-g",
                    *for_compiler(options.driver, ("-Wall", "-Wextra", "-include", STRETCH)), f"-DSTRETCH={stretch}",
                    *(f"-I{folder}" for folder in FOLDERS), source, "-o", program], check=True, env=environment_of(options))
    return program


def longer(setting, stretch):
    """NAME_MS=200 or NAME_PER_SECOND=1000, so that it takes this many times as long; other settings as they are."""
    name, _, value = setting.partition("=")
    if name.endswith("_MS"):
        return f"{name}={int(value) * stretch}"
    return f"{name}={int(value) // stretch}" if name.endswith("_PER_SECOND") else setting


def found_in(options, program, settings, kind, stretch):
    trace, tarry = f"{program}-{kind}.tarry", os.path.join(options.bin, "tarry")
    extra = settings[f"{kind}-env"].split(",") if f"{kind}-env" in settings else []
    extra = [longer(setting, stretch) for setting in extra]
    arguments = settings[kind].split(",") if settings.get(kind) else []
    subprocess.run([ON_ONE_MACHINE, tarry, "run", "--no-analyze", "--replace", "-o", trace, "--", *launch(options.standin, options.driver, program, settings["threads"]),
                    *arguments], check=True, timeout=SECONDS, env=environment_of(options, extra),
                   stdout=subprocess.DEVNULL)
    return found_in_trace(tarry, trace)


def try_program(options, source, folder, plan, least, kind):
    settings = settings_of(source)

    def attempt(stretch):
        program = build(options, source, folder, stretch)
        findings, doubt = found_in(options, program, settings, kind, stretch)
        wrong = list(faults(findings, stretched(plan, stretch), doubt, least * stretch))
        return ([f"{source} ({kind}): {fault}" for fault in wrong]
                + [f"  found: {told(finding)}" for finding in findings if wrong])

    return judge(f"{os.path.basename(folder)} ({kind})", attempt)


def faults_of(options, path):
    is_folder = os.path.isdir(path)
    folder = os.path.join(options.work, os.path.splitext(os.path.basename(path))[0])
    bad, good = (os.path.join(path, name) if is_folder else path for name in ("bad.upc", "good.upc"))
    plan = plan_of(bad, CALL)
    if not plan:
        return [f"nothing is planted in '{bad}'"]
    least = min((planted.total for planted in plan if planted.total), default=0.4)
    os.makedirs(folder)
    return try_program(options, bad, folder, plan, least, "bad") + try_program(options, good, folder, [], least, "good")


def can_be_planted(path):
    bad = os.path.join(path, "bad.upc") if os.path.isdir(path) else path
    needs_standin = "UPC_STANDIN_" in settings_of(bad).get("bad-env", "")
    if REAL and needs_standin:
        print(f"left out: what is planted in '{path}' only the stand-in can do", flush=True)
    return not (REAL and needs_standin)


def main():
    options = read_options()
    compiler_of(options.standin, options.driver)
    shutil.rmtree(options.work, ignore_errors=True)
    programs = [path for path in options.programs if can_be_planted(path)]
    # Threads of UPC sleep most of the time.
    with ThreadPoolExecutor(AT_ONCE) as pool:
        wrong = [fault for faults in pool.map(lambda path: faults_of(options, path), programs) for fault in faults]
    if wrong:
        sys.exit("FAILED:\n" + "\n".join(wrong))
    print(f"{len(programs)} programs: all that is planted in the one, nothing in the other")


main()
