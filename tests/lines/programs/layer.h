#include <mpi.h>

void layer_send(double *value, int peer, MPI_Comm comm);
void layer_receive(double *value, int peer, MPI_Comm comm);
void layer_sum(double *value, MPI_Comm comm);
void exchange(double *value, int peer, MPI_Comm comm);
