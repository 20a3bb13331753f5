! pair: check=none ranks=2 mpi=mpich
! An info object and a session without MPI_Init: their handles come from Fortran.
program sessions
  use mpi_f08
  implicit none
  type(MPI_Session) :: session
  type(MPI_Group) :: group
  type(MPI_Comm) :: comm
  type(MPI_Info) :: info
  integer :: rank, total, ierr
  call mpi_info_create(info, ierr)
  call mpi_info_set(info, 'key', 'value', ierr)
  call mpi_session_init(info, MPI_ERRORS_RETURN, session, ierr)
  call mpi_group_from_session_pset(session, 'mpi://WORLD', group, ierr)
  call mpi_comm_create_from_group(group, 'tag', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm, ierr)
  call mpi_comm_rank(comm, rank, ierr)
  call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
  call mpi_group_free(group, ierr)
  call mpi_comm_free(comm, ierr)
  call mpi_info_free(info, ierr)
  call mpi_session_finalize(session, ierr)
  if (rank == 0 .and. total == 1) print '(a)', 'ok'
end program
