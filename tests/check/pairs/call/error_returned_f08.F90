! pair: check=call.error-returned ranks=2 at=0,1 output
program error_returned
  use mpi_f08
  implicit none
  integer :: rank, ierr
  type(MPI_Info) :: info
  logical :: expected = .true.

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Info_create(info)
#ifndef WRONG
  expected = .false.
  call MPI_Info_set(info, 'there', 'yes')
#endif
  call MPI_Info_delete(info, 'there', ierr) ! FOUND
  call MPI_Info_free(info)
  call MPI_Finalize()
  if (rank == 0 .and. (ierr /= MPI_SUCCESS .eqv. expected)) print '(a)', 'ok'
end program
