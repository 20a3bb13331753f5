# The C sources have the layout of .clang-format.
set -eu
command -v clang-format >/dev/null || { echo "skipped: clang-format is missing"; exit 77; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: this is no git checkout"; exit 77; }
git ls-files -z '*.c' '*.h' | xargs -0 clang-format --dry-run -Werror
