! The same in Fortran.
program numbers_program
  use mpi
  implicit none
  integer :: rank, request, ierr, i
  integer, save :: numbers(64)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do i = 1, 64
    numbers(i) = i
  end do
  if (rank == 0) then
    call MPI_Isend(numbers, 64, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr)
    if (command_argument_count() > 0) numbers(command_argument_count() + 1) = 1 ! USED
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    numbers(2) = 1
    print '(a, i0)', 'sum ', sum(numbers)
  else
    call MPI_Recv(numbers, 64, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program
