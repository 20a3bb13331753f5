# Findings and advice in the requested language; texts without a translation are in English.
cat >mine.rules <<'END'
parameter eps = 5 us "short waits are noise" ru "короткие ожидания — шум";
declare composite event message "a message" ru "сообщение"
member( transfer as m where not m.is_send )
parameters(
	kind = if m.bytes <= 4 KiB then "small" ru "малое" else "large" ru "большое" de "große",
	late = m.send.start - m.wait.start, size = m.bytes, rate = m.bytes / (m.wait.end - m.wait.start),
	is_large = m.bytes > 4 KiB, half = 1 / 2, at = m.wait, partner = m.send );
declare problem mine.late for message
when late > eps and kind = "large"
parameters(
	name = "Late message" ru "Позднее сообщение",
	description = "Nobody else says this.",
	advice = "{kind}, {size}, {late}, {rate}, {is_large}, {half}"
	ru "{half}, {is_large}, {rate}, {late}, {size}, {kind}: процесс {at.rank}",
	duration = late );
declare problem mine.plain for message parameters( name = "Plain", duration = 1 ms, advice = "{kind}" de "{kind}: {late}" );
END
for rank in 0 1; do
	echo "process world=1 rank=$rank size=2"
	echo 'property host "node1"'
	echo 'clock monotonic 1000000000 tick=0 ns=1700000000000000000'
	echo "comm 0x1 kind=intra rank=$rank size=2 remote=0$([ $rank != 0 ] || echo ' members=1:0-1') \"MPI_COMM_WORLD\""
	echo 'thread 0'
	echo '0 1000 MPI_Init'
	if [ $rank = 0 ]; then
		echo '3000000000 3000000100 MPI_Send comm=0x1 peer=1 tag=0 sent=65536'
	else
		echo '2999500000 3000000200 MPI_Recv comm=0x1 peer=0 tag=0 received=65536'
	fi
	echo '9900000000 10000000000 MPI_Finalize'
done >text
tarry assemble -o run text
told() {
	python3 -c '
import json, sys
for finding in json.load(sys.stdin)["findings"]:
    print(finding["pattern"], "|", finding["name"], "|", finding["description"], "|", finding["advice"])'
}
for lang in en ru de; do
	echo "in $lang:"
	tarry analyze --no-shipped --rules mine.rules --lang $lang --all --json - run | told
done
echo "from the environment:"
TARRY_LANG=ru tarry analyze --no-shipped --rules mine.rules --all --json - run | told
echo "the option is stronger, and an empty variable is none:"
TARRY_LANG=ru tarry analyze --no-shipped --rules mine.rules --all --json - --lang en run | told
TARRY_LANG= tarry analyze --no-shipped --rules mine.rules --all --json - run | told
try tarry rules list --no-shipped --rules mine.rules --lang ru | grep -v relation | tr -s ' '
try tarry rules show --no-shipped --rules mine.rules --lang ru mine.late message eps | grep -v '^[	d(]'
echo "languages that there are none of:"
try tarry analyze --no-shipped --rules mine.rules --lang fr run
try tarry analyze --no-shipped --lang ru_RU run
try tarry rules list --lang russian
try tarry rules show --lang russian late-sender
TARRY_LANG=xx try tarry analyze run
try tarry run --lang xx -- true
