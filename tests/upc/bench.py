"""`tarry bench --upc` under the stand-in runtime: results that match the schema's keys, names of operations,
rejected requests."""

import argparse
import json
import os
import subprocess
import sys

import standin

SECONDS = 120
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "bench.schema.json")


def bench(options, *words):
    command = [os.path.join(options.bin, "tarry"), "bench", "--upc", "--upcc",
               standin.compiler_of(options.standin, options.driver), "--time-limit", "1", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=options.work)


def measures(options):
    """Each operation and size is a point of all threads; the self-tests are facts."""
    path = os.path.join(options.work, "upc.json")
    done = bench(options, "-n", "2", "--sizes", "8,4K", "-o", path, "upc_barrier", "memput", "reduceI")
    assert done.returncode == 0, done
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    with open(SCHEMA, encoding="utf-8") as file:
        required = json.load(file)["definitions"]["point"]["required"]
    points = [(point["operation"], point["bytes"]) for point in results["points"]]
    sized = ("upc_memput", "upc_all_reduceI")
    assert points == [("upc_barrier", 0)] + [(name, size) for name in sized for size in (8, 4096)], points
    for point in results["points"]:
        assert set(required) <= set(point) and point["ranks"] == 2, point
        assert len(point["times_s"]) == point["right"] <= point["runs"] > 0, point
    assert set(results["facts"]["self-tests"]) == {"WaitPatternNull", "WaitPatternUp"}, results["facts"]
    assert results["complete"] and results["facts"]["upc"]["threads"] == "2"


def omits_what_does_not_fit(options):
    """A size whose blocks exceed the shared memory is omitted, with the reason."""
    path = os.path.join(options.work, "large.json")
    done = bench(options, "-n", "2", "--sizes", "4M", "-o", path, "-q", "gather")
    assert done.returncode == 0 and not done.stdout, done
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    assert not results["points"] and "smaller '--sizes'" in results["omissions"][0]["reason"], results


def refuses(options):
    """One sentence for each error."""
    for words, sentence in ((["-n", "2", "bcast"], "unknown UPC operation 'bcast': choose among upc_barrier"),
                            (["--root", "1"], "'--root=1' does not apply to '--upc'"),
                            (["--mpi", "mpich"], "'--mpi' does not apply"),
                            (["--memory"], "'--memory' does not apply")):
        done = bench(options, *words)
        assert done.returncode != 0 and sentence in done.stderr, (words, done)


def leaves_nothing(options):
    """Only the requested files."""
    assert sorted(os.listdir(options.work)) == ["large.json", "upc.json"], os.listdir(options.work)


def main():
    parser = argparse.ArgumentParser()
    for name in ("driver", "standin", "bin", "work"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    for name in os.listdir(options.work):
        os.remove(os.path.join(options.work, name))
    for check in (measures, omits_what_does_not_fit, refuses, leaves_nothing):
        check(options)
        print(f"{check.__name__}: {check.__doc__}")


if __name__ == "__main__":
    sys.exit(main())
