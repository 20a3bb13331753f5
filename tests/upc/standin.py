"""Programs for the stand-in runtime: what their first lines say, and how they are started."""

import os


def settings_of(source):
    with open(source, encoding="utf-8") as file:
        line = next(line for line in file.readlines()[:20] if "tarry-test:" in line)
    words = line.partition("tarry-test:")[2].replace("*/", "").split()
    return dict(word.split("=", 1) for word in words)


def launch(folder, driver, program, threads):
    """The command line. A program of Berkeley UPC has a launcher, others start their threads themselves."""
    if driver == "upcc":
        return [os.path.join(folder, "upcrun"), "-n", threads, program]
    return [program, "-n", threads]
