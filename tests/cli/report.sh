# The report of a run: as text for a pipe and for terminals, with files of all formats; and errors of output.
cat >mine.rules <<'EOF'
declare composite event message
member( transfer as m where not m.is_send )
parameters( late = m.send.start - m.wait.start, at = m.wait, partner = m.send );
declare problem test.late for message
when late > 0 s
parameters(
	name = "Late sender" ru "Поздняя посылка",
	description = "A process waits for a message that the other one has not begun to send yet."
		ru "Процесс ждёт сообщения, которое ещё не посылают.",
	advice = "Let rank {partner.rank} send {duration} earlier, before its other work, or give it less to do."
		ru "Пусть процесс {partner.rank} посылает раньше на {duration}.",
	duration = late );
declare metric late for message when late > 0 s parameters( duration = late );
EOF
process() {
	echo "process world=1 rank=$1 size=4
property host \"node$(($1 / 2))\"
source 1 \"src/halo.c\" \"exchange\"
source 2 \"src/main.c\" \"main\"
comm 0x1 kind=intra rank=$1 size=4 remote=0$([ "$1" != 0 ] || echo ' members=1:0-3') \"MPI_COMM_WORLD\"
thread 0
0 1000 MPI_Init"
}
# Rank 0 sends to the others, each time later than it should; the call paths of the receives are known.
trace() {
	process 0
	for step in 1 2 3 4; do
		for rank in 1 2 3; do
			at=$((step * 1000000000 + rank * 100000000))
			echo "$at $((at + 100)) MPI_Send site=1+0x2$rank comm=0x1 peer=$rank tag=0 sent=$((rank * 1000))"
		done
	done
	for rank in 1 2 3; do
		process $rank
		for step in 1 2 3 4; do
			at=$((step * 1000000000 + rank * 100000000))
			echo "$((at - step * step * 10000000)) $((at + 200)) MPI_Recv site=1+0x30 path=2+0x9,2+0x5 comm=0x1 peer=0 tag=0 received=$((rank * 1000))"
		done
	done
}
trace | tarry assemble -o run -
report() {
	tarry report --no-shipped --rules mine.rules "$@"
}
echo "the first screen:"
report run
report --lang ru run
echo "in letters of every terminal:"
LC_ALL=C report run
LC_ALL=C try report --lang ru run | first 4
LC_ALL=C report --lang ru --csv - run | grep -c Поздняя
echo "as wide as COLUMNS says:"
COLUMNS=50 report run
echo "a finding in detail:"
report --finding 1 run
report --finding 1,1 --finding 1 run | grep -c '^1. Late'
try report --finding 2 run
try report --finding 0 run
try report --finding 1, run
echo "the profile:"
report --profile run
echo "all of it:"
report --all run
report --all --lang ru run
cat >terminal.py <<'EOF'
import fcntl, os, pty, struct, sys, termios
width, terminal_type, locale, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(width), 0, 0))
    os.environ.update(TERM=terminal_type, LC_ALL=locale)
    os.execvp(command[0], command)
shown = b""
while True:
    try:
        shown += os.read(terminal, 65536)
    except OSError:
        break
os.waitpid(pid, 0)
text = shown.decode().replace("\r\n", "\n").replace("\x1b[", "<").replace("\x1b", "ESC")
print(text, end="")
EOF
echo "on a wide terminal:"
python3 terminal.py 200 xterm C.UTF-8 tarry report --no-shipped --rules mine.rules run
python3 terminal.py 200 xterm C.UTF-8 tarry report --no-shipped --rules mine.rules --all run
NO_COLOR=1 python3 terminal.py 200 xterm C.UTF-8 tarry report --no-shipped --rules mine.rules run
echo "on a narrow one without colours, whose letters are few:"
python3 terminal.py 40 dumb C tarry report --no-shipped --rules mine.rules run
python3 terminal.py 40 dumb C tarry report --no-shipped --rules mine.rules --all run
echo "no line is longer than the terminal:"
for width in 40 60 80 120 200; do
	for lang in en ru; do
		{
			python3 terminal.py $width dumb C.UTF-8 tarry report --no-shipped --rules mine.rules --lang $lang run
			python3 terminal.py $width dumb C.UTF-8 tarry report --no-shipped --rules mine.rules --all --lang $lang run
		} |
			python3 -c "import sys; print($width, '$lang', max(len(line.rstrip('\n')) for line in sys.stdin) <= $width)"
	done
done
echo "files beside the text:"
report --json run.json --sarif run.sarif --csv run.csv run | first 3
grep -c '"ruleId"' run.sarif
grep -c '' run.csv
report --json - run | cmp - run.json
report --sarif - run | cmp - run.sarif
report --csv - run
echo "many ranks share a letter:"
{
	for rank in $(seq 0 99); do
		echo "process world=1 rank=$rank size=100
comm 0x1 kind=intra rank=$rank size=100 remote=0$([ "$rank" != 0 ] || echo ' members=1:0-99') \"MPI_COMM_WORLD\"
1000 1100 MPI_Isend comm=0x1 peer=$(((rank + 1) % 100)) tag=0 sent=$((rank * 10)) request=0
1200 1300 MPI_Recv comm=0x1 peer=$(((rank + 99) % 100)) tag=0 received=$(((rank + 99) % 100 * 10))
1400 1500 MPI_Wait done=0"
	done
} | tarry assemble -o ring -
report --profile ring | sed -n '/^Bytes/,$p'
echo "where it cannot go:"
try report --json /nowhere/run.json run 2>&1 | grep -e cannot -e exit
try report --sarif - --csv - run
try report --json run.all --csv run.all run
try report --csv run.tarry run
mkfifo pipe
cat pipe >piped &
report --csv pipe run >/dev/null
wait
cmp piped run.csv
[ ! -w /dev/full ] || { report run >/dev/full || echo "exit code $?"; }
[ ! -w /dev/full ] || { report --csv /dev/full run >/dev/null || echo "exit code $?"; }
report --all run | first 3
try tarry report
try tarry report nothing
# Findings of a check are shown in a page.
try tarry report --check run.check run.tarry
try tarry report --embed-all run.tarry
