! pair: check=argument.in-place ranks=3 at=1,2 dies
program in_place
  use mpi_f08
  implicit none
  integer :: rank, ierr, values(2), got(2)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = rank
  got = 0
  if (rank == 0) then
    call mpi_reduce(MPI_IN_PLACE, values, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  else
    call mpi_reduce(values, got, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  end if
#ifdef WRONG
  if (rank == 0) then
    call mpi_reduce(MPI_IN_PLACE, values, 0, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
  else
    call mpi_reduce(MPI_IN_PLACE, values, 0, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr) ! FOUND
  end if
#endif
  call mpi_finalize()
  if (rank == 0 .and. all(values == 3)) print '(a)', 'ok'
end program
