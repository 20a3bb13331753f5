/* The processes of an MPI job as peers that analyse a trace together (analysis/model/session_peers.h). MPI has to be initialised. It uses
 * collective operations and messages of MPI 3 between the processes of `comm`, and nothing else. */
#ifndef TARRY_ANALYZE_MPI_PEERS_H
#define TARRY_ANALYZE_MPI_PEERS_H

#include "analysis/model/session_peers.h"

#include <mpi.h>

/* `comm` has to live as long as the peers. */
struct session_peers mpi_peers(MPI_Comm *comm);

#endif
