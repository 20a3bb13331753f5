! pair: check=message.truncated ranks=2 at=0,1
program truncated
  use mpi_f08
  implicit none
  integer :: rank, ierr, values(4), room
  type(MPI_Message) :: message
  type(MPI_Status) :: status

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = rank
  if (rank == 1) then
    call mpi_send(values, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD) ! FOUND
  else
    call mpi_mprobe(1, 0, MPI_COMM_WORLD, message, status) ! MAY
    call mpi_get_count(status, MPI_INTEGER, room)
#ifdef WRONG
    room = 3
#endif
    call mpi_mrecv(values, room, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr) ! FOUND
  end if
  call mpi_finalize()
  if (rank == 0 .and. all(values == 1)) print '(a)', 'ok'
end program
