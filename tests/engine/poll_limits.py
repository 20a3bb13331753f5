"""What counts as work between tests is a matter of the rules' parameters, for delays as well as for findings.

Rank 1 tests five times, 200 us apart, and had no processor for 600 us of that. If it worked between the tests it was late for that reason, so that
rank 2, which waits for it, waits for nobody's fault. If it only waited for rank 0, rank 2 waits for rank 1.

Usage: poll_limits.py TARRY
"""

import json
import os
import subprocess
import sys
import tempfile

RANK = """process rank=%d
clock monotonic 1000000000 tick=0 ns=1000000
comm 0xc rank=%d size=3 %s "MPI_COMM_WORLD"
"""
CALLS = ["""0 10 MPI_Send comm=0xc peer=null tag=0 sent=0
1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8
""", """0 10 MPI_Irecv comm=0xc peer=0 tag=0 room=8 request=0
100000 900000 MPI_Test request=0 flag=0 polls=5 busy=1000 stolen_before=0 stolen_inside=600
1000000 1000100 MPI_Test flag=1 done=0 source=0 source_tag=0 received=8
1000200 1000300 MPI_Send comm=0xc peer=2 tag=0 sent=8
""", """0 10 MPI_Send comm=0xc peer=null tag=0 sent=0
400000 1000300 MPI_Recv comm=0xc peer=1 tag=0 received=8
"""]


def late_sender_us(tarry, *settings):
    shown = subprocess.run([tarry, "report", "--all", "--json", "-", *settings, "poll.tarry"], capture_output=True, check=True).stdout
    return round(sum(finding["total_s"] for finding in json.loads(shown)["findings"] if finding["call"] == "MPI_Recv") * 1e6)


def main(tarry):
    text = "".join(RANK % (rank, rank, "" if rank else "members=1:0-2") + calls for rank, calls in enumerate(CALLS))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([tarry, "assemble", "-o", "poll.tarry", "-"], input=text.encode(), check=True)
        for settings, least, most in (([], 0, 20), (["--set", "poll_gap=1ms"], 550, 650), (["--set", "poll_part=1000"], 550, 650)):
            found = late_sender_us(tarry, *settings)
            assert least <= found <= most, (settings, found)


if __name__ == "__main__":
    main(sys.argv[1])
