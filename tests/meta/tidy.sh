# clang-tidy finds no mistake: in all of src, or, with --newest N, in the N files of it that were changed last.
# (`make tidy` looks deeper.)
#
#	tidy.sh BUILD [--newest N]
set -eu
command -v clang-tidy >/dev/null || { echo "skipped: clang-tidy is missing"; exit 77; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: this is no git checkout"; exit 77; }
build=$1
shift
exec scripts/tidy --quick "$@" "$build" src
