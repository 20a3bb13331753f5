# `tarry bench tune`: reports a library without any choice. Program and launcher are stand-ins; tests/bench/tuning has real ones.
install_tarry
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_MCA_rmaps_base_oversubscribe=1
script prefix/bin/mpirun <<'END'
case $1 in --version) echo 'mpirun (Open MPI) 4.1.4'; exit ;; esac
while [ "${1#/}" = "$1" ]; do shift; done
exec "$@"
END
script prefix/bin/tarry-bench-openmpi <<'END'
case $* in *--dry-run*) exit 0 ;; esac
for word; do
	case $word in
	--json=*) results=${word#--json=} ;;
	esac
done
cat >"$results" <<'JSON'
{"format": "tarry-bench", "version": 1, "complete": true, "trouble": null, "facts": {}, "points": [],
 "omissions": [{"operation": "MPI_Gatherv", "reason": "Open MPI offers no algorithms for it"}]}
JSON
END
try tarry bench tune -n 2 gatherv
try tarry bench tune -n 2 --gain 2 gatherv
try tarry bench tune -n 2 --patience 0 gatherv
