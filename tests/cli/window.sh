# A part of a trace by time, ranks and calls: the same in all formats.
cat >text <<'EOF'
process rank=0 size=3
property traced "write"
clock ns 1000000000 tick=0 ns=1000
source 1 "halo.c" "exchange"
comm 0x1 rank=0 size=3 members=1:0-2 "MPI_COMM_WORLD"
0 1000 MPI_Init
500000000 600000000 MPI_Isend site=1+0x9 comm=0x1 peer=1 tag=7 sent=8 request=1
700000000 700000000 tarry_region_begin region="solve"
900000000 1600000000 MPI_Wait site=1+0xa done=1
1700000000 1700001000 write
2000000000 2000000000 tarry_region_end region="solve"
2500000000 2600000000 MPI_Barrier comm=0x1
process rank=1 size=3
clock ns 1000000000 tick=0 ns=1000
source 1 "halo.c" "exchange"
comm 0x1 rank=1 size=3 "MPI_COMM_WORLD"
0 1000 MPI_Init
400000000 1500000000 MPI_Recv site=1+0xb comm=0x1 peer=0 tag=7 received=8
2500000000 2600000000 MPI_Barrier comm=0x1
process rank=2 size=3
clock ns 1000000000 tick=0 ns=1000
comm 0x1 rank=2 size=3 "MPI_COMM_WORLD"
0 1000 MPI_Init
2500000000 2600000000 MPI_Barrier comm=0x1
EOF
tarry assemble -o made text
events() {
	sed -n 's/^\(process .*rank=.\).*/\1/p; s/^[0-9]* [0-9]* \([A-Za-z_]*\).*/\1/p' | sed 's/.*rank=/rank /' | tr '\n' ' '
	echo
}
all() {
	echo "$*"
	tarry dump --no-source "$@" made >dumped
	events <dumped
	tarry assemble -o again dumped
	tarry export --force --otf2 archive "$@" made
	tarry dump --no-source archive | events
	tarry export --force --csv table.csv --perfetto made.pftrace "$@" made
	cut -d, -f2,6 table.csv | tail -n +2 | tr '\n' ' '
	echo
	python3 - <<'EOF'
import re
written = open("made.pftrace", "rb").read().decode(errors="replace")
print(*re.findall(r"MPI_[A-Z][a-z_]+|message received|rank \d", written))
EOF
}
all
all --ranks 0,2-7
all --calls p2p,marks
all --calls 'MPI_B*,write' --ranks 0
all --from 1s --to 1700ms
all --from 1.55 --ranks 0-1
all --to 450ms
echo "wrong words:"
for words in '--ranks 7' '--ranks 3-1' '--ranks 1,x' '--ranks ,' '--from 5 --to 4' '--from soon' '--to 5KiB' '--from -1s' '--calls MPI_Barier' \
	'--calls wirte' '--calls ,' '--thread 3' '--thread -2'; do
	try tarry dump $words made
done
try tarry export --csv - --calls MPI_Barier made
try tarry export --csv - --from later made
echo "so much is said before it is written:"
cat >enlarge.py <<'EOF'
"""Has the first chunk of a thread of each process say that it holds 5 million events."""
import struct, zlib
trace = bytearray(open("made.tarry", "rb").read())
at = 0
while at < len(trace):
    if struct.unpack_from("<I", trace, at + 20)[0] != 0xffffffff:
        struct.pack_into("<I", trace, at + 52, 5000000)
        struct.pack_into("<I", trace, at + 60, zlib.crc32(trace[at + 44:at + 60]))
    at += 64 + struct.unpack_from("<I", trace, at + 28)[0]
open("large.tarry", "wb").write(trace)
EOF
python3 enlarge.py
said() {
	echo "$*"
	"$@" 2>&1 | sed -n '/writes/p'
}
said tarry dump large
said tarry export --csv table2.csv large
said tarry export --csv table3.csv --perfetto large.pftrace --calls p2p large
said tarry export --csv table4.csv --ranks 0 large
said tarry dump --no-source --ranks 0,1 --from 1s -o dumped large
said tarry export --otf2 archive2 --ranks 2 large
