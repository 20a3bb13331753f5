# What is said of collectives if nothing was written about them: by a job that ended well, and by one that failed.
install_tarry
export HOME=$PWD XDG_CACHE_HOME=$PWD
try tarry coll -- true
try tarry coll -- sh -c 'exit 3'
