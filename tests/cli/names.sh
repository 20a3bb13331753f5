# A trace may be named without its suffix, for output and for input.
install_tarry openmpi
echo 'process
10 20 MPI_Send peer=1' >text
echo "made:"
try tarry assemble -o made text
try tarry export --otf2 archive made
try tarry import -o imported archive
try tarry import archive/traces.otf2
mkdir parts.tarry.parts
cp made.tarry parts.tarry.parts/1.part
try tarry recover -o recovered parts
ls -d *.tarry archive/*.tarry
echo 'by the umask:'
stat -c '%a %n' made.tarry recovered.tarry archive
(umask 0277; tarry assemble -o less text)
stat -c '%a %n' less.tarry
rm -f less.tarry
echo "read:"
for name in made imported recovered archive/traces archive/traces.otf2 archive; do
	tarry dump "$name" | grep -c MPI_Send
	tarry export --csv - "$name" | grep -c MPI_Send
	tarry info "$name" | first 1
done
echo "the program's own name will do, but a trace of that very name comes first:"
cp text made
tarry info made | first 1
cp made.tarry made
tarry info made | first 1
echo "these are no names:"
for name in '' folder/; do
	try tarry assemble -o "$name" text
	try tarry import -o "$name" archive
	try tarry recover -o "$name" parts
done
echo "and there is nothing here:"
try tarry info nothing
try tarry import nothing
