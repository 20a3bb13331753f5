! pair: check=message.similar-type ranks=2 at=0,1
program similar_type
  use mpi
  implicit none
  integer :: rank, ierr
  double precision :: value

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = rank + 1
  if (rank == 0) then
    call mpi_ssend(value, 1, MPI_REAL8, 1, 0, MPI_COMM_WORLD, ierr) ! FOUND
  else
#ifdef WRONG
    call mpi_recv(value, 1, MPI_DOUBLE_PRECISION, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND
#else
    call mpi_recv(value, 1, MPI_REAL8, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
  end if
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 1) print '(a)', 'ok'
end program
