! pair: check=leak.session ranks=1 at=0 mpi=mpich dies
!
! MPICH may end a process with such a session badly, and then its launcher kills the others: there are none.
program leak_session
  use mpi_f08
  implicit none
  integer :: rank, sets
  type(MPI_Session) :: session

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session) ! FOUND
  call mpi_session_get_num_psets(session, MPI_INFO_NULL, sets)
#ifndef WRONG
  call mpi_session_finalize(session)
#endif
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
