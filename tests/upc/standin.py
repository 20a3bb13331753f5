"""Programs for the stand-in runtime: how they are compiled, the settings in their first lines, and how they are started.

TARRY_REAL_UPC=/path/to/upcc names a real compiler: jobs.py and planted.py then use it, and the files next to it, instead of the stand-in."""

import os
import sys

REAL = os.environ.get("TARRY_REAL_UPC")


def compiler_of(folder, driver):
    """Its path; a real one of another kind skips the test."""
    if not REAL:
        return os.path.join(folder, driver)
    if not os.path.basename(REAL).startswith(driver):
        print(f"skipped: '{REAL}' is no {driver}")
        sys.exit(77)
    return REAL


def for_compiler(driver, words):
    """Options of a C compiler: upcc refuses warnings and -include, but passes them on. With a real one warnings are left out: they would
    be about what its translator has made."""
    if driver != "upcc":
        return list(words)
    passed = []
    for before, word in zip(["", *words], words):
        is_warning = word.startswith("-W") and not word.startswith(("-Wl,", "-Wp,", "-Wc,"))
        if is_warning and not REAL:
            passed.append(f"-Wc,{word}")
        elif word == "-include" or before == "-include":
            passed.append(f"-Wp,{word}")
        elif not is_warning:
            passed.append(word)
    return passed


def settings_of(source):
    with open(source, encoding="utf-8") as file:
        line = next(line for line in file.readlines()[:20] if "tarry-test:" in line)
    words = line.partition("tarry-test:")[2].replace("*/", "").split()
    return dict(word.split("=", 1) for word in words)


def launch(folder, driver, program, threads):
    """The command line. A program of Berkeley UPC has a launcher, others start their threads themselves."""
    if driver == "upcc":
        folder = os.path.dirname(REAL) if REAL else folder
        return [os.path.join(folder, "upcrun"), *(["-q"] if REAL else []), "-n", threads, program]
    return [program, "-n", threads]
