"""Prints the parsed form of each rule file and compares it with NAME.out next to it.

    run.py PRINT_RULES NAME.rules ...             compares; shows the difference and fails if there is one
    run.py PRINT_RULES --record NAME.rules ...    writes NAME.out again: read the difference in git before committing it

A line "# run: OPTIONS" in the file adds options, or, where the file has to stay as it is, one in NAME.options. The
program must neither crash nor write to stderr."""

import difflib
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def options_in(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [word for line in re.findall(r"^# run: (.*)$", file.read(), re.M) for word in line.split()]


def printed(program, name):
    path = os.path.join(HERE, name)
    options = options_in(path) + options_in(os.path.splitext(path)[0] + ".options")
    done = subprocess.run([program, *options, name], cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, encoding="utf-8", check=True)
    return done.stdout


def compare(path, text):
    try:
        with open(path, encoding="utf-8") as file:
            expected = file.read()
    except FileNotFoundError:
        expected = ""
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), text.splitlines(True), path, "printed now"))
    return expected == text


def record(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return True


def main():
    words = [word for word in sys.argv[1:] if word != "--record"]
    take = record if "--record" in sys.argv else compare
    program = os.path.abspath(words[0])
    fine = [take(os.path.join(HERE, os.path.splitext(name)[0] + ".out"), printed(program, name))
            for name in map(os.path.basename, words[1:])]
    sys.exit(0 if all(fine) else 1)


main()
