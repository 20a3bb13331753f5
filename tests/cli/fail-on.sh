# Limits for findings: exit code 3 when one is exceeded, for a trace and for a successful job.
install_tarry openmpi
cat >text <<'EOF'
process
source 1 "halo.c" "exchange"
comm 0x1 rank=0 size=2 members=1:0-1 "MPI_COMM_WORLD"
0 10 MPI_Init
5000000 5000100 MPI_Send site=1+0x9 comm=0x1 peer=1 tag=0 sent=8
20000000 20000010 MPI_Finalize
process
source 1 "halo.c" "exchange"
comm 0x1 rank=1 size=2 "MPI_COMM_WORLD"
0 10 MPI_Init
1000000 5000200 MPI_Recv site=1+0xa comm=0x1 peer=0 tag=0 received=8
20000000 20000010 MPI_Finalize
EOF
tarry assemble -o made text
cat >mine.rules <<'EOF'
declare composite event message
member( transfer as m where not m.is_send )
parameters( late = m.send.start - m.wait.start, early = m.wait.start - m.send.end, at = m.wait, partner = m.send );
declare problem mpi.late-sender for message when late > 0 s parameters( name = "Late sender", duration = late );
declare metric late-sender for message when late > 0 s parameters( duration = late );
declare problem mpi.early-sender for message when early > 0 s parameters( name = "Early sender", duration = early );
EOF
# The run of 20 ms would save 2.5 ms; ranks lose 4 ms of 40 ms.
limit() {
	try tarry analyze --no-shipped --rules mine.rules --csv found.csv "$@" made | sed 1,1b\;/^tarry:/b\;/^exit/b\;d
}
echo "within:"
limit --fail-on 'late-sender>13%'
limit --fail-on 'late-sender > 2.6 ms'
limit --fail-on 'early-sender>0%'
limit --fail-on 'any>50%,late-sender>1s'
echo "crossed:"
limit --fail-on 'late-sender>9%'
limit --fail-on 'late-sender>=2.4ms'
limit --fail-on 'any>1us' --fail-on 'late-sender>2400000ns,mpi.early-sender>=0s'
echo "all findings with a name of the field, whatever their finer kind; metrics are no findings:"
cat >finer.rules <<'EOF'
declare problem mpi.very-late for message when late > 0 s parameters( name = "Late Sender (MPI_Send → MPI_Recv)", duration = late );
declare problem mpi.of-all for message when late > 0 s parameters( name = "Wait at N×N, in part", duration = late );
declare metric lateness for message when late > 0 s parameters( duration = late );
EOF
limit --rules finer.rules --fail-on 'Late Sender > 12 %'
limit --rules finer.rules --fail-on 'wait-at-nxn>9%,very-late>9%,mpi.late-sender>13%'
limit --rules finer.rules --fail-on 'lateness>9%'
limit --rules finer.rules --fail-on 'wait-at-nn>9%'
limit --rules finer.rules --fail-on 'early-sendre>9%'
echo "a name without its paradigm means those of all paradigms:"
cat >other.rules <<'EOF'
declare problem other.late-sender for message when late > 0 s parameters( name = "Late sender", duration = late );
EOF
limit --rules other.rules --fail-on 'late-sender>12%'
tarry analyze --no-shipped --rules mine.rules --rules other.rules --json - made | grep -o '"[a-z.]*late-sender": {'
echo "what the report does not show breaks no limit:"
sed 's/20000000 20000010/20000000000 20000000010/' text >long
tarry assemble -o long long
try tarry analyze --no-shipped --rules mine.rules --fail-on 'any>1us' long | tail -n 1
try tarry analyze --no-shipped --rules mine.rules --all --fail-on 'any>1us' long | tail -n 2
echo "what is found is still written:"
wc -l <found.csv
echo "wrong words:"
limit --fail-on 'late-sendr>5%'
limit --fail-on 'late-sender'
limit --fail-on 'late-sender<5%'
limit --fail-on 'late-sender>5'
limit --fail-on 'late-sender>-5%'
limit --fail-on 'late-sender>nan%'
limit --fail-on '>5%'
limit --fail-on ''
echo "after a job:"
script app <<'EOF'
cp made.tarry "$TARRY_OUTPUT"
echo "the program's output"
exit ${1:-0}
EOF
try tarry run --replace --no-shipped --rules mine.rules -o found --fail-on 'late-sender>9%' ./app | grep -v size:
echo "within:"
tarry run --replace --no-shipped --rules mine.rules -o found --fail-on 'late-sender>13%' ./app 2>/dev/null
echo "a job that failed says so itself:"
try tarry run --replace --no-shipped --rules mine.rules -o found --fail-on 'late-sender>9%' ./app 7 | tail -n 2
echo "what is wrong is known before the job begins:"
try tarry run --replace --no-shipped --rules mine.rules -o found --fail-on 'late-sendr>9%' ./app
try tarry run --replace --no-shipped --rules mine.rules -o found --fail-on 'late-sender>9' ./app
try tarry run --replace --no-shipped --rules mine.rules -o found --fail-on 'late-sender>9%' --no-analyze ./app
echo "what cannot be told is no success:"
try tarry run --replace --no-shipped --rules mine.rules -o found --fail-on 'late-sender>9%' true | tail -n 1
