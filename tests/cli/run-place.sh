# Nothing is started if the trace cannot be written, and no other file is overwritten.
install_tarry openmpi
script app <<'END'
echo started
END
try tarry run -o missing/x ./app
: >file
try tarry run -o file/x ./app
mkdir folder.tarry
try tarry run -o folder ./app
echo precious >notes.tarry
try tarry run -o notes ./app
cat notes.tarry
try tarry exec -o notes ./app
mkdir closed
chmod a-w closed
if [ "$(id -u)" -eq 0 ]; then
	chmod a+rx .
	as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
else
	as_user() { "$@"; }
fi
echo "a folder without permission to write:"
as_user tarry run -o closed/x ./app 2>&1 || echo "exit code $?"
rm prefix/lib/libtarry-preload.so
try tarry run ./app
