"""The real runtime's behaviour as golden traces, *.txt, with exactly the findings given in them.

    golden.py TARRY FILE...

A file says what is to be found in it, in seconds of all ranks together, right to the microsecond:

    # finds upc.barrier-wait rank=0,1 line=10 total=0.4 count=2 partner=2"""

import json
import os
import subprocess
import sys
import tempfile


def expected_in(path):
    with open(path, encoding="utf-8") as file:
        return sorted(line.partition("# finds ")[2].strip() for line in file if line.startswith("# finds "))


def joined(numbers):
    return ",".join(str(number) for number in numbers)


def as_told(finding):
    words = [finding["pattern"], f"rank={joined(finding['processes'])}", f"line={finding['line']}",
             f"total={round(finding['total_s'], 6):g}", f"count={finding['occurrences']}"]
    if finding["partner"]:
        words.append(f"partner={joined(finding['partner']['ranks'])}")
    return " ".join(words)


def found_in(tarry, path, folder):
    trace = os.path.join(folder, os.path.basename(path) + ".tarry")
    subprocess.run([tarry, "assemble", "-o", trace, path], check=True)
    done = subprocess.run([tarry, "analyze", "--all", "--json", "-", trace], check=True, capture_output=True)
    return sorted(as_told(finding) for finding in json.loads(done.stdout)["findings"])


def main():
    tarry, *paths = sys.argv[1:]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            expected, found = expected_in(path), found_in(tarry, path, folder)
            wrong += [f"{path}: not found: {line}" for line in expected if line not in found]
            wrong += [f"{path}: not expected: {line}" for line in found if line not in expected]
    if wrong or not paths:
        sys.exit("FAILED:\n" + "\n".join(wrong))
    print(f"{len(paths)} traces")


main()
