# An interrupted command leaves no incomplete file.
echo 'process
10 20 MPI_Send peer=1' >text
tarry assemble -o made text
tarry export --otf2 archive made
mkdir parts.tarry.parts
cp made.tarry parts.tarry.parts/1.part
# Files get their names at the end: it waits there.
cc -shared -fPIC -o waits.so -x c - <<'END'
#include <fcntl.h>
#include <unistd.h>
int rename(const char *from, const char *to)
{
	close(open("reached", O_CREAT | O_WRONLY, 0600));
	for (;;)
		pause();
}
END
ls >before
interrupt() {
	signal=$1
	shift
	rm -f reached
	# a shell has commands in the background ignore SIGINT
	env --default-signal LD_PRELOAD="$PWD/waits.so" "$@" >/dev/null 2>&1 &
	until [ -e reached ]; do sleep 0.02; done
	ls -d *.tmp >/dev/null || echo "nothing was being made"
	kill -"$signal" $!
	wait $! 2>/dev/null && echo "success" || echo "$*: $(kill -l $?)"
	rm -f reached
	# the import is done by a process that ends when its parent does
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		ls | cmp -s before - && break
		sleep 0.1
	done
	ls | diff before - || echo "this is left"
}
interrupt INT tarry export --csv table.csv made
interrupt TERM tarry export --perfetto made.pftrace made
interrupt HUP tarry export --otf2 new made
interrupt TERM tarry dump -o dumped made
interrupt TERM tarry assemble -o again text
interrupt TERM tarry recover parts
interrupt TERM tarry import -o imported archive
