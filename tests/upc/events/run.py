"""Events of the stand-in runtime for a tool: the events of a program, by thread, against events/NAME.DRIVER.out.

    run.py --bin RUNTIME/bin --work DIR [--record] DRIVER PROGRAM.upc

A program says in its first lines how many threads it has, and how it ends if that is not well:

    tarry-test: threads=3 exit=137"""

import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "upc"))

from standin import for_compiler, launch, settings_of  # noqa: E402

FLAGS = {
    "upcc": ["-inst", "-inst-toolname=print", "-inst-local", "-inst-functions", "-lines", "-DUPCR_BERKELEY"],
    "gupc": ["--inst", "--inst-functions"],
    "clang-upc": ["-fupc-debug", "-D__UPC_PUPC__=1", "-D__UPC_PUPC_INST__=1"],
}
SECONDS = 200


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("bin", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("driver")
    parser.add_argument("program", type=os.path.abspath)
    return parser.parse_args()


def build(options):
    program = os.path.join(options.work, "program")
    folders = [os.path.join(ROOT, *path) for path in (("examples", "upc"), ("tests", "upc", "runtime", "src"))]
    if options.driver == "clang-upc":  # has no headers for tools: this one brings them
        folders += [os.path.join(ROOT, "tests", "upc", "runtime", "include", name) for name in ("gupc-tool", "tool")]
    subprocess.run([os.path.join(options.bin, options.driver), *FLAGS[options.driver],
                    *for_compiler(options.driver, ("-Wall", "-Wextra", "-Werror")), *(f"-I{folder}" for folder in folders), options.program, os.path.join(HERE, "tool.upc"),
                    "-o", program], check=True)
    return program


def events_of(options, program, settings):
    environment = dict(os.environ, UPC_EVENTS=options.work)
    command = launch(options.bin, options.driver, program, settings["threads"])
    done = subprocess.run(command, env=environment, cwd=options.work, check=False, timeout=SECONDS)
    if done.returncode != int(settings.get("exit", 0)):
        sys.exit(f"FAILED: the program ended with {done.returncode}")
    told = ""
    for thread in range(int(settings["threads"])):
        with open(os.path.join(options.work, str(thread)), encoding="utf-8") as file:
            told += file.read() + "\n"
    return told


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    told = events_of(options, build(options), settings_of(options.program))
    name = os.path.splitext(os.path.basename(options.program))[0]
    expected = os.path.join(HERE, f"{name}.{options.driver}.out")
    if options.record:
        with open(expected, "w", encoding="utf-8") as file:
            file.write(told)
        return
    with open(os.path.join(options.work, "told"), "w", encoding="utf-8") as file:
        file.write(told)
    if subprocess.run(["diff", "-u", expected, file.name], check=False).returncode:
        sys.exit("FAILED: other events than before; --record writes the new ones")


main()
