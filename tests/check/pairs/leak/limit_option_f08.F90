! pair: check=limit.objects ranks=2 at=0,1 options=--limits,requests=4
program limit_option
  use mpi_f08
  implicit none
  integer, parameter :: some = 6
  integer :: rank, i
  integer :: values(some)
  type(MPI_Request) :: requests(some)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  do i = 1, some
    if (rank == 0) then
      call MPI_Isend(values(i), 1, MPI_INTEGER, 1, i, MPI_COMM_WORLD, requests(i)) ! FOUND
    else
      call MPI_Irecv(values(i), 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, requests(i)) ! FOUND
    end if
  end do
  call MPI_Waitall(some, requests, MPI_STATUSES_IGNORE)
  call MPI_Finalize()
  if (rank == 0 .and. all(values == 0)) print '(a)', 'ok'
end program
