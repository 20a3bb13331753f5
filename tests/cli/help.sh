# The output of help, for each way of asking.
try tarry --help
try tarry run --help
tarry -h >by-letter
tarry help >by-word
cmp by-letter by-word
tarry --version | sed '1s/[0-9.]*$/VERSION/; /^commit [0-9a-f]*$/d; /^records programs of: /d'
echo "the manual page as text:"
try tarry help help
tarry help bench compare | first 5
echo "as packages have it:"
install_tarry
tarry --version | grep records
: >prefix/lib/libtarry-record-abi.so
tarry --version | grep records
rm -rf prefix/share/man/man1/*
gzip -c "$(dirname "$0")/../../docs/man/tarry-help.1" >prefix/share/man/man1/tarry-help.1.gz
tarry help help | first 2
echo "where there is none, a short help:"
tarry help run | first 1
echo "on a terminal man shows the page, if there is one:"
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo "skipped: there are no terminals here"; exit 77; }
mkdir tools
on_terminal() {
	python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@" </dev/null | tr -d '\r'
}
script tools/man <<'END'
echo "man $1 ${2##*/}"
END
PATH=$PWD/tools:$PATH on_terminal tarry help help
on_terminal /usr/bin/env PATH="$PWD/prefix/bin" tarry help run | first 1
