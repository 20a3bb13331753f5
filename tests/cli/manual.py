"""Manual pages and --help have the same options, the pages are valid mdoc, and `tarry help` prints them.

    manual.py BIN MAN"""

import glob
import os
import re
import shutil
import subprocess
import sys

HELP_OPTION = re.compile(r"^  (?:(-\w), |    )--([\w-]+)(?: (\S+))?", re.M)
PAGE_ITEM = re.compile(r"^\.It (Fl .*)$", re.M)
PAGE_FLAG = re.compile(r"Fl (?:Fl )?(\S+)(?: Ar (\S+)| Cm (\S+(?: \| \S+)*))?")


def options_of_help(tarry, words):
    text = subprocess.run([tarry, *words, "--help"], capture_output=True, text=True, check=True).stdout
    for letter, name, argument in HELP_OPTION.findall(text):
        yield name, letter.lstrip("-"), argument


def options_of_page(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for item in PAGE_ITEM.findall(text):
        letter, name, argument = "", "", ""
        for flag in item.split(" , "):
            match = PAGE_FLAG.fullmatch(flag)
            if not match:
                sys.exit(f"{path}: cannot read '.It {item}'")
            word = match.group(1)
            argument = match.group(2) or (match.group(3) or "").replace(" ", "")
            if len(word) == 1:
                letter = word
            else:
                name = word
        yield name, letter, argument


def differences(tarry, path):
    stem = os.path.splitext(os.path.basename(path))[0]
    helped = set(options_of_help(tarry, stem.split("-")[1:]))
    written = set(options_of_page(path))
    show = "--{0[0]} -{0[1]} {0[2]}".format
    yield from (f"{path}: lacks what --help has: {show(option)}" for option in helped - written)
    yield from (f"{path}: has what --help lacks: {show(option)}" for option in written - helped)


def lint(paths):
    if not shutil.which("mandoc"):
        print("mandoc is missing: the pages were only compared with --help")
        return []
    return subprocess.run(["mandoc", "-Tlint", "-Wwarning", *paths], capture_output=True, text=True).stdout.splitlines()


def words_of(text):
    return re.findall(r"[\w.=/*>-]+", text)


def shown_otherwise(tarry, path):
    """The output of `tarry help` into a pipe has the same words as mandoc's rendering of the page."""
    stem = os.path.splitext(os.path.basename(path))[0]
    shown = subprocess.run([tarry, "help", *stem.split("-")[1:]], capture_output=True, text=True, check=True).stdout
    with open(path, encoding="utf-8") as file:
        source = file.read()
    # Examples are unchanged.
    yield from (f"{path}: 'tarry help' prints more than 80 columns: {line}" for line in shown.splitlines()
                if len(line) > 80 and line.strip() not in source)
    if not shutil.which("mandoc"):
        return
    rendered = subprocess.run(["mandoc", "-Tutf8", "-O", "width=1000", path], capture_output=True, text=True, check=True).stdout
    body = re.sub(".\b", "", rendered).strip().splitlines()[1:-1]
    expected, printed = words_of("\n".join(body)), words_of(shown)
    for number, (word, other) in enumerate(zip(expected, printed)):
        if word != other:
            yield f"{path}: 'tarry help' prints '{' '.join(printed[number - 5:number + 5])}' for '{' '.join(expected[number - 5:number + 5])}'"
            return
    if len(expected) != len(printed):
        yield f"{path}: 'tarry help' prints {len(printed)} words, not {len(expected)}"


def main():
    bin_folder, man = sys.argv[1:]
    paths = sorted(glob.glob(os.path.join(man, "*.1")))
    problems = [line for path in paths for line in differences(os.path.join(bin_folder, "tarry"), path)]
    for path in paths:
        if os.path.basename(path) != "tarry.1":
            problems += shown_otherwise(os.path.join(bin_folder, "tarry"), path)
    problems += lint(paths + sorted(glob.glob(os.path.join(man, "*.5"))))
    print("\n".join(problems) or f"{len(paths)} pages agree with --help")
    sys.exit(1 if problems or not paths else 0)


main()
