"""Runs the analysis on a trace in text, and reads the output of print-findings."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "model"))

from replayed import assemble  # noqa: E402


class Told:
    """findings: (problem, rank, line, partner's line or None) -> (occurrences, total, largest), in ns;
    metrics: id -> (occurrences, total)"""

    def __init__(self, text):
        self.findings, self.metrics, self.problems, self.notes, self.run = {}, {}, {}, [], {}
        for line in text.splitlines():
            word, rest = line.split(" ", 1)
            getattr(self, "read_" + word)(rest)

    def read_finding(self, rest):
        name, rank, at, partner, *numbers = rest.split()
        key = name, int(rank), int(at), None if partner == "-" else int(partner)
        count, total, largest = map(int, numbers)
        # Different functions called in one line are different places.
        before = self.findings.get(key, (0, 0, 0))
        self.findings[key] = before[0] + count, before[1] + total, max(before[2], largest)

    def read_metric(self, rest):
        name, count, total = rest.split()
        self.metrics[name] = int(count), int(total)

    def read_problem(self, rest):
        name, count, total = rest.split()
        self.problems[name] = int(count), int(total)

    def read_note(self, rest):
        self.notes.append(rest)

    def read_run(self, rest):
        self.run = {key: int(value) for key, _, value in (word.partition("=") for word in rest.split())}


def analyze_file(printer, path, *options, timeout=200):
    done = subprocess.run([printer, *options, path], capture_output=True, timeout=timeout)
    if done.returncode:
        raise AssertionError("print-findings ended with %d: %s" % (done.returncode, done.stderr.decode()))
    return Told(done.stdout.decode())


def analyze(tarry, printer, text, rules=None, threads=1, folder=None, shipped=None):
    """With rules given as text, only those."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(folder or place, "t.tarry")
        assemble(tarry, text, path)
        options = ["--threads", str(threads)]
        if rules is not None:
            name = os.path.join(folder or place, "random.rules")
            with open(name, "w", encoding="utf-8") as file:
                file.write(rules)
            options += ["--rules", name]
        if shipped:
            options += ["--shipped", shipped]
        return analyze_file(printer, path, *options)


def differences(expected, told):
    for key in sorted(set(expected) | set(told), key=repr):
        if expected.get(key) != told.get(key):
            yield "%s: should be %s, is %s" % (key, expected.get(key, "none"), told.get(key, "none"))


def compare_findings(expected, told):
    """A comparison must be able to see a difference: the same with one change must not agree."""
    for key, (count, total, largest) in list(expected.items())[:1]:
        changed = {**expected, key: (count, total + 1, largest)}
        assert changed != expected and list(differences(changed, told)), "a changed sum is not seen: %s" % (key,)
    wrong = list(differences(expected, told))
    if wrong:
        raise AssertionError("%d findings differ:\n%s" % (len(wrong), "\n".join(wrong[:10])))
