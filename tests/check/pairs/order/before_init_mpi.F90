! pair: check=order.before-init ranks=2 among= dies
program before_init
  use mpi
  implicit none
  integer :: rank, ierr, version, minor
  logical :: there

  call mpi_initialized(there, ierr)
  call mpi_get_version(version, minor, ierr)
#ifdef WRONG
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr) ! FOUND
#endif
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. .not. there) print '(a)', 'ok'
end program
