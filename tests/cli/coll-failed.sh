# Messages about collectives if a job wrote nothing about them: after success, and after a failure.
install_tarry
export HOME=$PWD XDG_CACHE_HOME=$PWD
try tarry coll -- true
try tarry coll -- sh -c 'exit 3'
echo "what was measured cannot be read:"
mkdir tarry
echo 'rubbish' >tarry/machine.conf
try tarry coll -- true 2>&1 | sed "s|$PWD/||"
try tarry coll show 2>&1 | sed "s|$PWD/||"
