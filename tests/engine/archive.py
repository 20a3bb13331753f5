"""An archive of Score-P with three late senders and a barrier: the totals are those of Scalasca.

Usage: archive.py TARRY PRINT_FINDINGS RULES
"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(1, os.path.join(HERE, "..", "exchange"))

from analyzed import analyze_file  # noqa: E402
from unpack import unpack  # noqa: E402

# Scalasca prints seven decimal places.
EXPECTED = {"late-sender": (3, "30.0205730"), "late-receiver": (0, "0.0000000"), "barrier-wait": (3, "21.4092665"),
            "barrier-completion": (None, "0.0000684")}


def main():
    tarry, printer, rules = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        anchor = unpack(os.path.join(HERE, "..", "exchange", "archives", "scorep.txt"), folder)
        path = os.path.join(folder, "scorep.tarry")
        done = subprocess.run([tarry, "import", "-o", path, anchor], capture_output=True, text=True)
        if "without OTF2" in done.stderr:
            sys.exit(77)
        assert done.returncode == 0, done.stderr
        told = analyze_file(printer, path, "--shipped", rules)
    for state, (count, seconds) in EXPECTED.items():
        occurrences, total = told.metrics[state]
        assert "%.7f" % (total / 1e9) == seconds, "%s: %d ns instead of %s s" % (state, total, seconds)
        assert count in (occurrences, None), "%s: %d times instead of %d" % (state, occurrences, count)


main()
