"""The table of findings has the content of JSON, according to an independent reader, for any names.

    csv_table.py TARRY"""

import csv
import io
import re
import sys

from traces import AWKWARD, TRACES, report_of, written

TARRY = sys.argv[1]


def ranks_of(text):
    ranks = []
    for run in filter(None, text.split(",")):
        first, _, last = run.partition("-")
        ranks += range(int(first), int(last or first) + 1)
    return ranks


def as_json_has_it(text):
    """Bytes that are not UTF-8 are not possible there."""
    return re.sub("[\udc80-\udcff]", "\ufffd", text)


def in_table(name):
    """Invalid bytes become question marks, and cells that a spreadsheet would evaluate get an apostrophe."""
    clean = re.sub("[\udc80-\udcff]", "?", name.decode(errors="surrogateescape")).encode()
    return b"'" + clean if clean[:1] in b"=+-@" else clean


def compare(row, finding):
    for key in ("pattern", "name", "severity", "confidence", "call", "advice"):
        assert as_json_has_it(row[key]) == finding[key], (key, row, finding)
    for key in ("occurrences", "total_s", "mean_s", "max_s", "share"):
        assert float(row[key]) == finding[key], (key, row[key], finding[key])
    for key in ("saves_s", "saves_share"):
        assert (float(row[key]) if row[key] else None) == finding[key], (key, row[key], finding[key])
    assert row["predictable"] == ("true" if finding["predictable"] else "false") and row["doubt"] == (finding["doubt"] or ""), row
    assert as_json_has_it(row["cause"]) == (finding["causes"][0]["text"] if finding["causes"] else ""), (row, finding["causes"])
    assert ranks_of(row["processes"]) == finding["processes"], row
    assert row["line"] == ("" if finding["line"] is None else str(finding["line"])), row
    assert row["function"] == (finding["function"] or ""), row
    assert [int(thread) for thread in row["threads"].split()] == finding["threads"], row
    partner = finding["partner"]
    if not partner:
        assert not row["partner_call"] and not row["partner_ranks"], row
        return
    assert ranks_of(row["partner_ranks"]) == partner["ranks"], row
    assert (row["partner_call"], row["partner_function"]) == (partner["call"], partner["function"] or ""), row


def main():
    for name, lines in TRACES.items():
        table = written(TARRY, lines(), "--csv", "-").decode(errors="surrogateescape")
        rows = list(csv.DictReader(io.StringIO(table, newline=""), strict=True))
        findings = report_of(TARRY, lines())["findings"]
        assert len(rows) == len(findings), (name, rows)
        for row, finding in zip(rows, findings):
            assert None not in row and None not in row.values(), row
            compare(row, finding)
        if name == "awkward":
            files = {row["file"].encode(errors="surrogateescape") for row in rows}
            assert files == set(map(in_table, AWKWARD)), files
            assert {row["nodes"] for row in rows} == {'a,"b"'}, rows
        if name == "plain":
            assert [row["path"] for row in rows if row["path"]] == ["main.c:64 (f2) > main.c:48 (f2)"], rows
    print(f"{len(TRACES)} tables agree")


main()
