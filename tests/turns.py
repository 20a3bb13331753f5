"""Samples of tests that are too many for `make test`. The sample changes with every commit, so consecutive commits run all of them.

The turn is the number of commits. TARRY_TEST_TURN in the environment replaces it: this repeats the sample of another commit."""

import functools
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def ask_git(*words):
    try:
        return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


@functools.cache
def commits():
    """Without git always 0. A clone without history does not know how many commits there are: there the name of the commit decides."""
    if ask_git("rev-parse", "--is-shallow-repository") == "true":
        return int(ask_git("rev-parse", "--short=8", "HEAD") or "0", 16)
    return int(ask_git("rev-list", "--count", "HEAD") or "0")


def turn():
    chosen = os.environ.get("TARRY_TEST_TURN")
    return int(chosen) if chosen else commits()


def sample(items, every):
    """Each `every`-th of the items; the first one depends on the turn."""
    if every <= 1:
        return list(items)
    now = turn()
    print(f"one of {every}, in turn {now}: TARRY_TEST_TURN={now} repeats this sample", flush=True)
    return list(items)[now % every :: every]


def alternate(number, every, choices):
    """One of the choices for item `number` of a sample. The next time this item is in the sample, it gets the next choice."""
    return choices[(number + turn() // max(every, 1)) % len(choices)]


def labels_of_others():
    """For ctest: a regular expression of the labels of tests that have no turn now (turn_labels in tests/CMakeLists.txt)."""
    now, counts = turn(), range(2, 9)
    return "|".join(f"^turn-{number}-of-{count}$" for count in counts for number in range(count) if number != now % count)


if __name__ == "__main__":
    print(labels_of_others())
