"""Reads an archive with `otf2-print`: an independent reader."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

KEY = r"[A-Z#][A-Za-z. ]*"
PAIR = re.compile(r'(%s): (?:"((?:[^"\\]|\\.)*)" <\d+>|([^,]+?))(?=, %s: |$)' % (KEY, KEY))
ALIAS = re.compile(r' \(Aka\. "(?:[^"\\]|\\.)*" <\d+>\)')


@dataclass
class Record:
    kind: str
    location: int
    time: int
    text: str = ""
    values: dict = field(default_factory=dict)

    def number(self, key):
        return int(self.values[key].split(" ", 1)[0])


def run_otf2_print(*words):
    """Its output; any complaint fails the test."""
    if not shutil.which("otf2-print"):
        print("skipped: otf2-print is missing")
        sys.exit(77)
    done = subprocess.run(["otf2-print", "--warnings-as-errors", *words], capture_output=True, check=False)
    if done.returncode or done.stderr:
        sys.exit("otf2-print %s: exit code %d: %s" % (" ".join(words), done.returncode, done.stderr.decode()[:1000]))
    return done.stdout.decode(errors="replace")


def values_of(text):
    text = ALIAS.sub("", text)
    return {key: quoted if plain == "" else plain for key, quoted, plain in PAIR.findall(text)}


def read_events(anchor):
    records = []
    for line in run_otf2_print(anchor).splitlines():
        words = line.split(None, 3)
        if len(words) >= 3 and re.fullmatch(r"[A-Z_0-9]+", words[0]) and words[1].isdigit() and words[2].isdigit():
            text = "".join(words[3:])
            records.append(Record(words[0], int(words[1]), int(words[2]), text, values_of(text)))
    return records


def read_definitions(anchor):
    """(kind, id, values) of each."""
    for line in run_otf2_print("-G", anchor).splitlines():
        words = line.split(None, 2)
        if len(words) == 3 and re.fullmatch(r"[A-Z_]{4,}", words[0]):
            yield words[0], words[1], values_of(words[2])
