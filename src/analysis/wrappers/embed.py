#!/usr/bin/env python3
"""Concatenates source files into a C array, without the lines that include one of them.

    embed.py OUTPUT NAME FILE …"""

import os
import re
import sys


def main(output, name, *files):
    text = ""
    for path in files:
        with open(path, encoding="utf-8") as file:
            text += file.read() + "\n"
    for path in files:
        text = re.sub(r'#include ".*%s"\n' % re.escape(os.path.basename(path)), "", text)
    numbers = ", ".join(str(byte) for byte in text.encode() + b"\0")
    with open(output, "w", encoding="ascii") as file:
        file.write("extern const char %s[];\nconst char %s[] = {%s};\n" % (name, name, numbers))


if __name__ == "__main__":
    main(*sys.argv[1:])
