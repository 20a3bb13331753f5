! pair: check=buffer.attached-twice ranks=2 at=0,1
program attached_twice
  use, intrinsic :: iso_c_binding, only: c_ptr
  use mpi_f08
  implicit none
  integer :: rank, ierr, used
  integer, save, asynchronous :: first(1000), second(1000)
  type(c_ptr) :: place

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call mpi_buffer_attach(first, 4000) ! MAY
#ifdef WRONG
  call mpi_buffer_attach(second, 4000, ierr) ! FOUND
#endif
  call mpi_buffer_detach(place, used)
  call mpi_finalize()
  if (rank == 0 .and. used == 4000) print '(a)', 'ok'
end program
