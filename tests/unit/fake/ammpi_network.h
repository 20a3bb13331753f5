#ifndef TARRY_TESTS_AMMPI_NETWORK_H
#define TARRY_TESTS_AMMPI_NETWORK_H

#include <mpi.h>

void AMMPI_Start(void);
void AMMPI_Poll(MPI_Comm comm);

#endif
