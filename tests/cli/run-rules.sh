# Effects of rules on recording, as far as they need no MPI: wrappers in the environment, and errors before anything
# starts.
install_tarry openmpi
export XDG_CACHE_HOME=$PWD/cache
mkdir -p prefix/share/tarry/rules
: >prefix/share/tarry/rules/mpi.rules
shown() { sed -E 's/tarry-rules-[0-9a-f]{16}/tarry-rules-KEY/g'; }

cat >mine.rules <<'END'
declare event io_write for "ssize_t write(int fd, const void *buf, size_t count)"
parameters( fd = fd in, asked = count as bytes in, written = result as bytes out );
END
echo "the wrappers stand behind the first library, once:"
tarry exec --rules mine.rules sh -c 'echo "$LD_PRELOAD"' | shown
tarry exec --rules mine.rules tarry exec --rules mine.rules sh -c 'echo "$LD_PRELOAD"' | shown
tarry exec --rules mine.rules tarry exec sh -c 'echo "$LD_PRELOAD"' | shown
LD_PRELOAD=$PWD/prefix/lib/libtarry-preload.so:/tmp/tarry-rules-old.so tarry run -- sh -c 'echo "$LD_PRELOAD"' 2>/dev/null
ls cache/tarry | shown

echo "the program runs with them, and as it always does:"
try tarry exec --rules mine.rules sh -c 'echo fine; exit 3'

echo "without a compiler:"
CC=/nowhere/cc try tarry exec --rules mine.rules sh -c 'echo "$LD_PRELOAD"'

echo "a type that nobody knows:"
echo 'declare event a for "herr_t H5Dclose(hid_t id)" parameters( id = id in );' >hdf5.rules
try tarry exec --rules hdf5.rules echo fine 2>&1 |
	sed -E "s/compiler '[^']*'/compiler 'CC'/; s/wrappers: .*herr_t[^;]*;/wrappers: (about herr_t);/"

echo "what is wrong with rules is said before anything starts:"
try tarry run --rules missing.rules -- touch started
echo 'declare event a for "int printf(const char *format, ...)" parameters( f = format as text in );' >wrong.rules
try tarry exec --rules wrong.rules touch started
echo 'declare event a for "void exit(int code)" parameters( c = code in );' >wrong.rules
try tarry exec --rules wrong.rules touch started
try tarry run --minimal --only p2p -- touch started
ls started 2>/dev/null || echo "nothing was started"

echo "only what rules need:"
cat >few.rules <<'END'
declare composite event meeting
member( collective_call as c where c.function = MPI_Barrier )
group by c.instance
when count(c) > 1
parameters( latest = max(c.start), first = min(c.start) );
declare problem apart for meeting when latest - first > 1 ms parameters( name = "apart", advice = "meet", duration = latest - first );
END
tarry exec --rules few.rules --minimal sh -c 'echo "$TARRY_ONLY"' | decoded | tr , '\n' |
	grep -x -e point-to-point -e collective -e MPI_Comm_rank -e communicator -e datatype
echo 'declare event s for MPI_Isend; declare composite event x member( s as s ); declare problem y for x
parameters( name = "y", advice = "z", duration = s_time );' | sed 's/member( s as s )/member( s as s ) parameters( s_time = s.duration )/' >messages.rules
echo "with the shipped ones, and without them:"
rm prefix/share/tarry/rules/*
echo 'declare event b for MPI_Bcast; declare problem b for b parameters( duration = duration );' >prefix/share/tarry/rules/mpi.rules
tarry exec --rules messages.rules --minimal sh -c 'echo "$TARRY_ONLY"' | decoded
tarry exec --rules messages.rules --no-shipped --minimal sh -c 'echo "$TARRY_ONLY"' | decoded
echo "and in an installation that has no rules of its own:"
rm prefix/share/tarry/rules/*
tarry exec --rules few.rules --minimal sh -c 'echo "$TARRY_ONLY"' | decoded
tarry exec --rules messages.rules --minimal sh -c 'echo "$TARRY_ONLY"' | decoded
