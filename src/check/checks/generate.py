#!/usr/bin/env python3
"""Makes C from the table of checks.

usage: generate.py WHAT -o FILE

WHAT is one of ids.h (numbers of all checks) and table.c (what checks.h says of each).
"""
import argparse
import json
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).resolve().parent / "mpi.checks"
TEXTS = ("name", "why", "fix")
LANGUAGES = ("en", "ru")
# Values that every finding has: see src/output/findings/words.h.
COMMON_VALUES = ("function", "rank", "other", "other_rank", "last")


class Check:
    def __init__(self, identity):
        self.id = identity
        self.severity = self.standard = ""
        self.values = []
        self.texts = {}

    @property
    def constant(self):
        return "CHECK_" + re.sub(r"\W", "_", self.id).upper()

    @property
    def group(self):
        return self.id.partition(".")[0]

    def text(self, name, language):
        return self.texts.get((name, language), "")


def tokens(path):
    """Words and strings of the table, each with its line; consecutive strings are joined."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("#"):
            continue
        for match in re.finditer(r'"((?:[^"\\]|\\.)*)"|[^\s"]+', line):
            yield number, match.group(0) if match.group(1) is None else None, match.group(1)


def fail(path, line, what):
    raise SystemExit(f"{path}:{line}: {what}")


class Table:
    """Checks in the order of the table, and translations of words that values consist of."""

    def __init__(self, path=TABLE):
        self.checks, self.words = [], {}
        key = check = english = None
        for line, word, string in tokens(path):
            if string is not None:
                english = self.add_string(path, line, check, key, english, string)
            elif key in ("check", "severity", "standard") and word != key:
                check = self.add_word(path, line, check, key, word)
                key = None
            elif key == "values" and word not in TEXTS + ("check", "word"):
                check.values.append(word)
            elif word in ("check", "severity", "standard", "values", "ru", "word") + TEXTS:
                key = (key, "ru") if word == "ru" else word
            else:
                fail(path, line, f"not understood: {word}")

    def add_word(self, path, line, check, key, word):
        if key == "check":
            check = Check(word)
            self.checks.append(check)
        elif key == "severity" and word not in ("error", "warning", "note"):
            fail(path, line, f"no severity: {word}")
        else:
            setattr(check, key, word)
        return check

    def add_string(self, path, line, check, key, english, string):
        language = "ru" if isinstance(key, tuple) else "en"
        name = key[0] if isinstance(key, tuple) else key
        if name == "word":
            if language == "ru":
                self.words[english] = string
            return string
        if name not in TEXTS:
            fail(path, line, f"a text of nothing: {string}")
        check.texts[name, language] = (check.text(name, language) + " " + string).strip()
        return english


def ids_h(table):
    guard = "TARRY_CHECK_CHECKS_IDS_H"
    return [f"#ifndef {guard}", f"#define {guard}", "", "enum check {", "\tCHECK_NONE,",
            *(f"\t{check.constant}," for check in table.checks), "\tCHECKS_END,", "};", "", "#endif"]


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def row(check):
    texts = [f"\t\t.{name} = {quoted(check.text(name, 'en'))}," for name in TEXTS]
    return [f"\t[{check.constant}] = {{", f"\t\t.id = {quoted(check.id)},", f"\t\t.group = {quoted(check.group)},",
            f"\t\t.severity = SEVERITY_{check.severity.upper()},", f"\t\t.standard = {quoted(check.standard)},",
            f"\t\t.values = {quoted(' '.join(check.values))},", *texts, "\t},"]


def table_c(table):
    return ['#include "check/checks/checks.h"', "", "const struct check_info check_table[CHECKS_END] = {",
            *(line for check in table.checks for line in row(check)), "};"]


PRODUCTS = {"ids.h": ids_h, "table.c": table_c}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=PRODUCTS)
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    lines = ["/* Made by src/check/checks/generate.py from mpi.checks. */", *PRODUCTS[arguments.what](Table())]
    pathlib.Path(arguments.output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
