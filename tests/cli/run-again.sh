# Several jobs with one name, one after the other and at the same time: nothing is mixed, and nothing is lost silently.
install_tarry openmpi
echo 'process
10 20 MPI_Send peer=1' | tarry assemble -o one.tarry - 
script app <<'END'
cp one.tarry "$TARRY_OUTPUT.parts/$$.part"
END
calls() { tarry dump "$1" | grep -c MPI_Send; }
show_run() { try tarry run "$@" | sed 's/size: .*/size: SIZE/'; }

echo "an earlier trace is kept:"
show_run -o x ./app
show_run -o x ./app
show_run -o x ./app
ls -d x*
calls x.tarry
echo "unless it is to be replaced:"
show_run -o x --replace ./app
ls -d x*

echo "parts are kept on request, and a later merge adds nothing:"
rm -r x.*
show_run -o x --keep-parts ./app
ls -d x*
calls x.tarry
calls x.tarry.parts
try tarry recover x
ls -d x*
calls x.tarry

echo "so is what nobody has made a trace of:"
rm -r x.*
mkdir x.tarry.parts
cp one.tarry x.tarry.parts/1.part
show_run -o x ./app
ls -d x*
try tarry recover x.old-1.tarry
mkdir x.tarry.parts
show_run -o x ./app
ls -d x*

echo "while a job runs, its name is taken:"
rm -r x.*
script slow <<'END'
: >started
until [ -e go ]; do sleep 0.02; done
exec ./app
END
tarry run -o x ./slow 2>/dev/null &
until [ -e started ]; do sleep 0.02; done
try tarry run -o x ./app
try tarry exec -o x ./app
try tarry recover x
echo "others are not:"
show_run -o y ./app
: >go
wait
ls -d x* y*
calls x.tarry
calls y.tarry

echo "and it is free when the one that waited is killed:"
rm started go x.*
tarry run -o x ./slow 2>/dev/null &
until [ -e started ]; do sleep 0.02; done
kill -9 $!
wait
cp one.tarry x.tarry.parts/1.part
show_run -o x ./app
ls -d x*

echo "a name is taken too while a process writes that nobody waits for:"
rm -r started x.*
mkdir x.tarry.parts
script writer <<'END'
python3 -c 'import os, struct, sys, zlib
number = lambda value: struct.pack("<II", value, zlib.crc32(struct.pack("<I", value)))
known = struct.pack("<QQIII", 1, 0, os.getppid(), 0, 0xFFFFFFFF)
entry = known + struct.pack("<III", zlib.crc32(known), 1, 0)
header = b"TARRYN\x1a\x01" + number(1) + number(1 << 12 | 1) + bytes(40) + entry
sys.stdout.buffer.write(header.ljust(1 << 16, b"\0") + open("one.tarry", "rb").read())' >x.tarry.parts/host-1.part
exec 3<>x.tarry.parts/host-1.part
: >started
until [ -e go ]; do sleep 0.02; done
END
./writer &
until [ -e started ]; do sleep 0.02; done
without_number() { "$@" 2>&1 | sed 's/process [0-9]*/process PID/'; }
try without_number tarry run -o x ./app
try without_number tarry recover x
tarry info x.tarry | first 1
: >go
wait
try tarry recover x
