! pair: check=message.not-ready ranks=2 at=0,1
program not_ready
  use mpi_f08
  implicit none
  integer :: rank, value, i
  type(MPI_Request) :: request

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  value = rank
  do i = 1, 3
    if (rank == 1) call MPI_Irecv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) call MPI_Irsend(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end do
#ifdef WRONG
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) then
    call MPI_Irsend(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request) ! FOUND
  else
    call execute_command_line('sleep 0.4')
    call MPI_Irecv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request) ! FOUND
  end if
  call MPI_Wait(request, MPI_STATUS_IGNORE)
#endif
  call MPI_Finalize()
  if (rank == 0 .and. value == 0) print '(a)', 'ok'
end program
