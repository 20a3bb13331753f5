"""The required expressiveness of the language: each example is a rule file, a small trace in text and the expected
findings, which were derived by hand; and a second trace without findings.

Usage: messages.py TARRY [--record]

With --record only the advice in the expected findings is taken from the actual findings.
"""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "messages")


def run(*command):
    done = subprocess.run(command, capture_output=True, timeout=200)
    if done.returncode:
        raise AssertionError("%s: %s" % (" ".join(command[:2]), done.stderr.decode().strip()))
    return done.stdout.decode()


def reduced(finding):
    partner = finding["partner"]
    return {
        **{key: finding[key] for key in ("pattern", "processes", "call", "line", "occurrences", "total_s")},
        "partner": partner and {key: partner[key] for key in ("call", "line", "ranks")},
        "advice": finding["advice"],
    }


def analyzed(tarry, name, text, threads):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "t.tarry")
        run(tarry, "assemble", "-o", trace, os.path.join(HERE, text))
        told = json.loads(run(tarry, "analyze", "--no-whatif", "--no-shipped", "--rules", os.path.join(HERE, name + ".rules"),
                              "--jobs", str(threads), "--json", "-", trace))
    assert not told["notes"], told["notes"]
    # Origins only group other findings.
    told["findings"] = [finding for finding in told["findings"] if not finding["pattern"].startswith("run.")]
    return told


def found(tarry, name, threads):
    told = analyzed(tarry, name, name + ".txt", threads)
    problems = {finding["pattern"] for finding in told["findings"]}
    metrics = {key: value for key, value in told["metrics"].items() if key not in problems}
    return {"findings": [reduced(finding) for finding in told["findings"]], "metrics": metrics}


def check(tarry, name, is_recorded):
    path = os.path.join(HERE, name + ".json")
    with open(path, encoding="utf-8") as file:
        expected = json.load(file)
    for threads in (1, 2):
        told = found(tarry, name, threads)
        if is_recorded:
            for one, other in zip(expected["findings"], told["findings"]):
                one["advice"] = other["advice"]
        assert told == expected, "expected\n%s\nfound\n%s" % (text_of(expected), text_of(told))
    clean = analyzed(tarry, name, name + "-clean.txt", 1)
    assert not clean["findings"], "expected nothing, found\n%s" % text_of(clean["findings"])
    if is_recorded:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text_of(expected) + "\n")


def text_of(findings):
    return json.dumps(findings, indent=1, ensure_ascii=False)


def main():
    tarry = sys.argv[1]
    names = sorted(file[:-len(".rules")] for file in os.listdir(HERE) if file.endswith(".rules"))
    wrong = []
    for name in names:
        try:
            check(tarry, name, "--record" in sys.argv)
        except AssertionError as error:
            wrong.append("%s: %s" % (name, error))
    if wrong or not names:
        sys.exit("\n".join(wrong) or "no messages")


main()
