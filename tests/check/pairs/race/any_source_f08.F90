! pair: check=race.message-order ranks=3 at=0,1,2
program any_source
  use mpi_f08
  implicit none
  integer :: rank, a, b

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
#ifdef WRONG
    call mpi_recv(a, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! FOUND
#else
    call mpi_recv(a, 1, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
    call mpi_recv(b, 1, MPI_INTEGER, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (a + b /= 3) print *, 'sum', a + b
  else
    call mpi_send(rank, 1, MPI_INTEGER, 0, 5, MPI_COMM_WORLD) ! PARTNER
  end if
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
