# Persistent requests are begun by MPI_Start: its line is the late one, and the line that prepared them is also shown. Consecutive tests are
# counted individually everywhere.
process() {
	echo "process world=1 rank=$1 size=2
source 1 \"src/halo.c\" \"exchange\"
source 2 \"src/setup.c\" \"prepare\"
comm 0x1 kind=intra rank=$1 size=2 remote=0$([ "$1" != 0 ] || echo ' members=1:0,1:1') \"MPI_COMM_WORLD\"
thread 0
0 1000 MPI_Init"
}
trace() {
	process 0
	echo "2000 2100 MPI_Send_init site=2+0xa comm=0x1 peer=1 tag=0 sent=8 request=0 persistent=1"
	for step in 1 2 3; do
		at=$((step * 1000000000))
		echo "$((at + 500000000)) $((at + 500001000)) MPI_Start site=1+0x14 request=0"
		echo "$((at + 500002000)) $((at + 500003000)) MPI_Wait site=1+0x15 done=0"
	done
	echo "5000000000 5000001000 MPI_Finalize"
	process 1
	echo "2000 2100 MPI_Recv_init site=2+0xb comm=0x1 peer=0 tag=0 room=8 request=0 persistent=1"
	for step in 1 2; do
		at=$((step * 1000000000))
		echo "$at $((at + 1000)) MPI_Startall site=1+0x1e request=0"
		echo "$((at + 2000)) $((at + 500010000)) MPI_Wait site=1+0x28 done=0 source=0 source_tag=0 received=8"
	done
	echo "3000000000 3000001000 MPI_Startall site=1+0x1e request=0"
	echo "3000002000 3500010000 MPI_Test site=1+0x32 flag=0 polls=1000 busy=400000000"
	echo "3500011000 3500012000 MPI_Test site=1+0x32 flag=1 done=0 source=0 source_tag=0 received=8"
	echo "5000000000 5000001000 MPI_Finalize"
}
trace | tarry assemble -o run -
tarry analyze run | grep -e '^   where' -e '^   partner' | first 2
echo "lines of starts in the advice:"
tarry analyze --json - run | python3 -c "
import json, re, sys
advice = json.load(sys.stdin)['findings'][0]['advice']
print(*sorted(set(re.findall(r'MPI_Start\w* at halo.c:\d+', advice)), key=str), sep='\n')
print('setup.c' in advice)"
echo "calls:"
tarry info --json run | python3 -c "import json, sys; print(json.load(sys.stdin)['calls'])"
tarry report --json - run | python3 -c "import json, sys; print(json.load(sys.stdin)['run']['calls'])"
tarry analyze --json - run | python3 -c "import json, sys; print(json.load(sys.stdin)['run']['calls'])"
tarry info run | grep '^MPI_Test' | tr -s ' ' | cut -d' ' -f1-3
tarry report --profile run | grep -o 'MPI_Test .* x' | sed 's/ .*%  */ /'
