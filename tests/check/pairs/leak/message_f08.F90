! pair: check=leak.message ranks=2 at=1
!
! The message is matched to ask for its size. Another MPI_Recv does not get it.
program leak_message
  use mpi_f08
  implicit none
  integer :: rank, length, values(2) = 6
  logical :: there
  type(MPI_Message) :: message
  type(MPI_Status) :: status

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call mpi_send(values, 2, MPI_INTEGER, 1, 3, MPI_COMM_WORLD)
  else
    call mpi_probe(0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call mpi_improbe(0, 3, MPI_COMM_WORLD, there, message, status) ! FOUND
    call mpi_get_count(status, MPI_INTEGER, length)
#ifndef WRONG
    call mpi_mrecv(values, length, MPI_INTEGER, message, MPI_STATUS_IGNORE)
#endif
  end if
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
