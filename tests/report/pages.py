"""The report as text, with malicious names: they cannot move the cursor, begin a line or look like a heading.

    pages.py TARRY"""

import sys

from traces import TRACES, written

TARRY = sys.argv[1]


def main():
    for options in ([], ["--finding", "1,2,3,4,5,6,7"], ["--all"], ["--all", "--lang", "ru"]):
        page = written(TARRY, TRACES["awkward"](), *options)
        assert not any(byte < 32 and byte != 10 or byte == 127 for byte in page), page
        lines = page.split(b"\n")
        assert not any(line.startswith(b"break.c") for line in lines), page
        assert not any(line.endswith(b" ") for line in lines), page
        assert not options or b"line break.c:2 (f2)" in page.replace(b"\n            ", b" "), page
    print("names do no harm")


main()
