! pair: check=limit.objects ranks=2 at=1
!
! A type for each row of each step, and all of them are freed only at the end.
program limit_types
  use mpi
  implicit none
  integer, parameter :: many = 12000
  integer :: rank, ierr, i, types(many)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  do i = 1, many
    call mpi_type_vector(3, 1, i, MPI_INTEGER, types(i), ierr) ! FOUND
#ifdef WRONG
    if (rank == 0) call mpi_type_free(types(i), ierr)
#else
    call mpi_type_free(types(i), ierr)
#endif
  end do
#ifdef WRONG
  do i = 1, many
    if (rank == 1) call mpi_type_free(types(i), ierr)
  end do
#endif
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
