! pair: check=end.crash ranks=2 at=1 exit=any
!
! A store through a pointer to nowhere. The runtime of Fortran prints where, and ends the process by the same signal.
program crash
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_intptr_t, c_f_pointer
  use mpi_f08
  implicit none
  integer :: rank, total
  integer, pointer :: nowhere

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD) ! PARTNER
#ifdef WRONG
  call sleep(1) ! so that what was called is known to others
  call c_f_pointer(transfer(8_c_intptr_t, c_null_ptr), nowhere)
  if (rank == 1) nowhere = total ! CRASHED
#endif
  call mpi_barrier(MPI_COMM_WORLD) ! MAY
  call mpi_finalize()
  if (rank == 0 .and. total == 1) print '(a)', 'ok'
end program
