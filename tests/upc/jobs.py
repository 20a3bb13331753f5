"""Whole UPC jobs under the stand-in runtime: the contents of their traces, without times, against
programs/NAME.DRIVER.calls.

    jobs.py --standin RUNTIME/bin --bin build/bin --work DIR [--record] DRIVER PROGRAM.upc

A program says in its first lines how many threads it has, and, if need be, how it ends, what its environment is, which
options of a driver it is compiled with and which calls alone are compared:

    tarry-test: threads=4 exit=137 env=NAME=VALUE upcc=-pthreads=2 shown=upc_put"""

import argparse
import os
import re
import shutil
import subprocess
import sys

from standin import compiler_of, for_compiler, launch, settings_of

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
SECONDS = 200
EVENT = re.compile(r"\d+ \d+ (\S+)((?: [a-z_]+=(?:\"[^\"]*\"|\S+))*)(?:\s+# (.*))?$")
# Fields that differ from run to run.
DROPPED = {"site", "comm", "delay_before", "delay_inside", "blocked_before"}
NAMED = {"mutex", "request", "done"}
SHOWN = {"upc", "unfinished", "unknown_events", "note"}
OF_THE_MACHINE = "processor's counter"


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    for name in ("standin", "bin", "work"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("driver")
    parser.add_argument("program", type=os.path.abspath)
    return parser.parse_args()


def build(options, settings):
    program = os.path.join(options.work, "program")
    own = settings[options.driver].split(",") if options.driver in settings else []
    subprocess.run([os.path.join(options.bin, "tarry"), "upcc", "--", compiler_of(options.standin, options.driver), *own,
                    *for_compiler(options.driver, ("-Wall", "-Wextra", "-g")), f"-I{os.path.join(ROOT, 'examples', 'upc')}",
                    f"-I{os.path.join(HERE, 'runtime', 'include', 'own')}", options.program, "-o", program],
                   check=True)
    return program


def dump_of(options, program, settings):
    trace, tarry = program + ".tarry", os.path.join(options.bin, "tarry")
    environment = dict(os.environ)
    if "env" in settings:
        environment.update([settings["env"].split("=", 1)])
    job = launch(options.standin, options.driver, program, settings["threads"])
    done = subprocess.run([tarry, "run", "--no-analyze", "-o", trace, "--", *job],
                          env=environment, cwd=options.work, check=False, timeout=SECONDS)
    if done.returncode != int(settings.get("exit", 0)):
        sys.exit(f"FAILED: the job ended with {done.returncode}")
    shown = ["--calls", settings["shown"]] if "shown" in settings else []
    return subprocess.run([tarry, "dump", *shown, trace], check=True, capture_output=True, text=True).stdout


class Names:
    """Identities as letters, in the order in which they appear."""

    def __init__(self):
        self.known = {}

    def of(self, field, value):
        names = self.known.setdefault(field, {})
        return names.setdefault(value, chr(ord("a") + len(names)))


def event(match, names):
    function, fields, place = match.groups()
    words = [function]
    for word in re.findall(r'[a-z_]+=(?:"[^"]*"|\S+)', fields):
        name, _, value = word.partition("=")
        if name not in DROPPED:
            words.append(f"{name}={names.of(name, value)}" if name in NAMED and value != "0" else word)
    return "  " + " ".join(words + ([f"at {place.split('/')[-1]}"] if place else []))


def told_by(dump):
    names, lines = Names(), []
    for line in dump.splitlines():
        process = re.match(r"process .*rank=(\d+) size=(\d+)", line)
        shown = re.match(r'property (\w+) "(.*)"', line)
        match = EVENT.match(line)
        if process:
            lines.append(f"thread {process[1]} of {process[2]}")
        elif shown and shown[1] in SHOWN and OF_THE_MACHINE not in shown[2]:
            lines.append(f"  {shown[1]}: {shown[2]}")
        elif match:
            lines.append(event(match, names))
    return "\n".join(lines) + "\n"


def main():
    options = read_options()
    shutil.rmtree(options.work, ignore_errors=True)
    os.makedirs(options.work)
    settings = settings_of(options.program)
    told = told_by(dump_of(options, build(options, settings), settings))
    expected = f"{os.path.splitext(options.program)[0]}.{options.driver}.calls"
    with open(expected if options.record else os.path.join(options.work, "told"), "w", encoding="utf-8") as file:
        file.write(told)
    if subprocess.run(["diff", "-u", expected, file.name], check=False).returncode:
        sys.exit("FAILED: other calls than before; --record writes the new ones")


main()
