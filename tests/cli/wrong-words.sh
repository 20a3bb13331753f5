# Wrong command lines get one sentence, the nearest right word, and exit code 2.
try tarry
try tarry rnu
try tarry frobnicate
try tarry help exce
try tarry --versoin
try tarry run --ouput x -- true
try tarry run --out x -- true
try tarry run --frobnicate -- true
try tarry run -z -- true
try tarry run --output
try tarry run -o
try tarry run --help=yes
try tarry run --buffer 16X -- true
try tarry run --buffer -1 -- true
try tarry run --buffer 99999999999999999999 -- true
try tarry run --buffer 1023K -- true
try tarry run --output '' -- true
try tarry run -o folder/ -- true
try tarry run -o . -- true
try tarry exec -o folder/.. -- true
try tarry assemble -o .. text
try tarry import -o . archive
try tarry recover -o . parts
try tarry assemble --chunk 1 text
try tarry bench -n 0 bcast
try tarry bench --jobs 0 -o jobs bcast
try tarry bench tune -n 0 bcast
try tarry report --jobs 0 trace
try tarry report --lang xx trace
try tarry report --set nosuch=1 trace
try tarry rules list --lang xx
try tarry run --only p2p,MPI_Barier -- true
try tarry run --only frobnication -- true
try tarry run --not p2p --not MPI_Barrier -- true
try tarry exec --not , true
try tarry run --from MPI_Brrier:3 -- true
try tarry run --from step:0 -- true
try tarry run --to MPI_Pcontrol=high -- true
try tarry run --from step:3 --to step:2 -- true
try tarry run
try tarry exec --
try tarry doctor now then
try tarry help run exec
try tarry completion tcsh
