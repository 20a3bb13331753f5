"""The rule in the paper on Performance Expert, unchanged, finds late senders with the right durations.

    paper.py TARRY"""

import json
import os
import subprocess
import sys
import tempfile

RULE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "paper.rules")
TRACE = """process
comm 0x1 rank=0 size=3 members=1:0-2 "MPI_COMM_WORLD"
5000 5100 MPI_Send comm=0x1 peer=1 tag=0 sent=8
9000 9100 MPI_Send comm=0x1 peer=2 tag=0 sent=8
9200 9300 MPI_Send comm=0x1 peer=2 tag=1 sent=8
process
comm 0x1 rank=1 size=3 "MPI_COMM_WORLD"
1000 5200 MPI_Recv comm=0x1 peer=0 tag=0 received=8
process
comm 0x1 rank=2 size=3 "MPI_COMM_WORLD"
10 20 MPI_Irecv comm=0x1 peer=0 tag=0 request=0
7000 9200 MPI_Wait done=0 source=0 source_tag=0 received=8
9500 9600 MPI_Recv comm=0x1 peer=0 tag=1 received=8
"""


def analysed(tarry, folder):
    with open(os.path.join(folder, "text"), "w", encoding="utf-8") as file:
        file.write(TRACE)
    subprocess.run([tarry, "assemble", "-o", "run.tarry", "text"], cwd=folder, check=True)
    done = subprocess.run([tarry, "analyze", "--rules", RULE, "--json", "-", "run.tarry"], cwd=folder, check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = analysed(sys.argv[1], folder)
    late = [finding for finding in found["findings"] if finding["pattern"] == "paper.point_to_point"]
    by_rank = {finding["processes"][0]: (finding["occurrences"], finding["total_s"]) for finding in late}
    expected = {1: (1, 4e-6), 2: (1, 2e-6)}
    if by_rank != expected or {finding["name"] for finding in late} != {"Поздняя посылка сообщения"}:
        sys.exit(f"expected {expected}, found {json.dumps(late, indent=1, ensure_ascii=False)}")
    if "приема вынуждена простаивать." not in late[0]["description"]:
        sys.exit(f"the description lost its lines: {late[0]['description']}")
    print("late senders are found, with the right durations")


main()
