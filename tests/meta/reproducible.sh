# Two copies of the tree in different folders become the same files, down to the last byte, by `make` and `make install`.
#
#	reproducible.sh
set -eu
source=$PWD
. tests/meta/copies.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

copy_tree "$folder/one"
mkdir -p "$folder/another/and"
cp -r "$folder/one" "$folder/another/and/deeper"
for copy in one another/and/deeper; do
	cd "$folder/$copy"
	make >"$folder/log" 2>&1 || fail "$(tail -n 40 "$folder/log")"
	tail -n 2 "$folder/log" | head -n 1 | grep -q '^Next: build/bin/tarry run' || fail "make does not say what is next"
	make install DESTDIR="$folder/$copy-installed" PREFIX=/opt/tarry >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
	cd "$source"
done
diff -r "$folder/one-installed" "$folder/another/and/deeper-installed" || fail "the two are not the same"
make uninstall DESTDIR="$folder/one-installed" PREFIX=/opt/tarry
[ ! -e "$folder/one-installed/opt/tarry" ] || fail "left by make uninstall: $(find "$folder/one-installed")"
