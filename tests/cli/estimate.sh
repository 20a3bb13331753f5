# The estimated time of a message between two nodes, from the fastest messages of the run. Between node0 and node1 it is
# 1 us plus 1 ns per byte, on node0 500 ns plus 0.25 ns per byte; nothing was measured between node1 and node2.
cat >trace.py <<'END'
# (sender, receiver, bytes, ns): the receiver waits from 100 us before to the end.
undisturbed = [(0, 2, 8, 1008), (0, 2, 1000, 2000), (2, 0, 65536, 66536), (0, 2, 4096, 9999),
               (0, 1, 16, 504), (1, 0, 4000, 1500), (0, 1, 5000, 3000)]
# The receiver comes 1 ms late, and then needs 40 us.
late = [(0, 2, 4096, 40000), (1, 2, 1 << 20, 40000), (0, 1, 1000, 40000), (2, 3, 1000, 40000)]
events = {rank: [] for rank in range(4)}
at = 1000000
for source, dest, size, ns in undisturbed:
    at += 10000000
    events[source].append("%d %d MPI_Send comm=0x1 peer=%d tag=0 sent=%d" % (at, at + 300, dest, size))
    events[dest].append("%d %d MPI_Recv comm=0x1 peer=%d tag=0 received=%d" % (at - 100000, at + ns, source, size))
for source, dest, size, ns in late:
    at += 10000000
    events[source].append("%d %d MPI_Isend site=1+%d comm=0x1 peer=%d tag=0 request=0 sent=%d" % (at, at + 300, size, dest, size))
    events[source].append("%d %d MPI_Wait site=1+%d done=0" % (at + 400, at + 500, size))
    events[dest].append("%d %d MPI_Recv site=1+%d comm=0x1 peer=%d tag=0 received=%d"
                        % (at + 1000000, at + 1000000 + ns, size, source, size))
for rank in range(4):
    print("process world=1 rank=%d size=4" % rank)
    print('property host "node%d"' % (0, 0, 1, 2)[rank])
    print("clock monotonic 1000000000 tick=0 ns=1700000000000000000")
    print('source 1 "program.c" "step"')
    print('comm 0x1 kind=intra rank=%d size=4 remote=0%s "MPI_COMM_WORLD"' % (rank, "" if rank else " members=1:0-3"))
    print("thread 0")
    print("0 1000 MPI_Init")
    print("\n".join(events[rank]))
    print("900000000 1000000000 MPI_Finalize")
END
python3 trace.py >text
tarry assemble -o run text
cat >mine.rules <<'END'
import "network";
declare composite event one member( transfer as m where not m.is_send )
parameters( takes = m.estimate, lost = m.wait.start - m.send.start, length = m.wait.duration, bytes = m.bytes, at = m.wait );
declare problem one for one when lost > 0 s
parameters( name = "one", duration = lost, advice = "{bytes}: {takes}, {length - takes} more; {1 us + takes - 2 us}" );
declare composite event together member( transfer as m ) group by m.completion
parameters( last = argmax(m.wait.start - m.send.start, m where not m.is_send), lost = max(m.wait.start - m.send.start where not m.is_send),
            at = first(m.wait) );
declare problem together for together when lost > 0 s
parameters( name = "together", duration = lost, advice = "{last.bytes}: {last.estimate}" ru "{last.bytes}: {lost + last.estimate}" );
declare composite event kept member( one as o ) group by o.at.process
parameters( longest = argmax(o.bytes, o.takes), bytes = max(o.bytes), at = argmax(o.bytes, o.at), lost = sum(o.lost) );
declare problem kept for kept when lost > 0 s parameters( name = "kept", duration = lost, advice = "{bytes}: {longest}" );
END
told() {
	tarry analyze --no-shipped --rules mine.rules --all --json - "$@" run |
		python3 -c '
import json, sys
for finding in sorted(json.load(sys.stdin)["findings"], key=lambda f: (f["pattern"], f["line"] or 0, f["processes"])):
    print(finding["pattern"], "on", *finding["processes"], finding["advice"])'
}
echo "as measured:"
told
echo "when every receiver was late:"
sed 's/^undisturbed = \[.*/undisturbed = []; no = [/' trace.py >late.py
python3 late.py >text
tarry assemble -o late text
tarry analyze --no-shipped --rules mine.rules --all --json - late | grep -o '"advice": "[^"]*: [^"]*"' | sort
echo "when no message shows it:"
sed -e 's/MPI_Recv site=1+%d /MPI_Irecv request=7 site=1+%d /' -e 's/^late = .*/late = [(0, 2, 4096, 40000)]/' \
	-e 's/^for rank in range(4):/events[2].append("%d %d MPI_Wait site=1+1 done=7" % (at + 2000000, at + 3000000))\n&/' \
	late.py >later.py
python3 later.py >text
tarry assemble -o later text
tarry analyze --no-shipped --rules mine.rules --all --json - later | grep -o '"advice": "[^"]*: [^"]*"' | sort
tarry analyze --no-shipped --rules mine.rules --all --json - --lang ru later | grep -o '"advice": "4 КиБ: [^"]*[0-9] [^"]*"' | sort
echo "with one core:"
told --jobs 1 | cksum | { read -r one rest; told --jobs 3 | cksum | grep -c "^$one "; }
echo "in Russian:"
told --lang ru | grep together
echo "by a user who knows:"
told --set 'latency=2us' | grep kept
told --set 'bandwidth=2 GB / 1 s' | grep kept
told --set 'latency=2us' --set 'bandwidth=2 GB / 1 s' | grep kept
try tarry analyze --set bandwidth=5us run
