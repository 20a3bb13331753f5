#!/usr/bin/env python3
"""The page of `tarry info`: golden/NAME.info and NAME.json beside NAME.txt. Usage: info.py [--record] TARRY"""

import json
import os
import sys
import tempfile

from harness import GOLDEN, assemble, check, finish, run, same


def main(tarry, record):
    with open(os.path.join(GOLDEN, "job.txt"), "rb") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        assemble(tarry, text, "job.tarry")
        for options, suffix in ((), "info"), (("--json",), "json"):
            path = os.path.join(GOLDEN, "job." + suffix)
            code, out, errors = run(tarry, "info", *options, "job.tarry")
            check(code == 0 and not errors, "info %s: %s" % (options, errors))
            if suffix == "json":
                json.loads(out)
            if record:
                with open(path, "wb") as file:
                    file.write(out)
            with open(path, "rb") as file:
                same(out, file.read(), "info of job.txt, " + suffix)
        os.chdir("/")
    finish()


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[-1]), "--record" in sys.argv)
