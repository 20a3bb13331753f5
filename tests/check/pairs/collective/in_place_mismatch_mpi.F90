! pair: check=collective.in-place-mismatch ranks=3 among=2
program in_place_mismatch
  use mpi
  implicit none
  integer :: rank, ierr, all(3)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  all = -1
  all(rank + 1) = rank
#ifdef WRONG
  if (rank == 2) then
    call mpi_allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr) ! FOUND
  else
    call mpi_allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr) ! FOUND
  end if
#else
  call mpi_allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
#endif
  call mpi_finalize(ierr)
  if (rank == 0 .and. all(3) == 2) print '(a)', 'ok'
end program
