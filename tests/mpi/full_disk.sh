# Records a job on a file system of 3 MiB, and writes the trace as text somewhere else.
#
#	unshare --mount --map-root-user sh full_disk.sh TARRY FOLDER TEXT OPTION LAUNCHER …
#
# The exit code is that of the recording; 77: nothing can be mounted here.
set -u
tarry=$1
folder=$2
text=$3
option=$4
shift 4
trace=$folder/trace.tarry

mount -t tmpfs -o size=3m none "$folder" || exit 77
"$tarry" run -o "$trace" "$option" -- "$@"
code=$?
if [ ! -e "$trace" ]; then
	"$tarry" recover -o "$text.tarry" "$trace" >&2
	trace=$text.tarry
fi
"$tarry" dump --no-source -o "$text" "$trace" >&2
exit $code
