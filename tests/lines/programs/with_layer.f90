! As with_layer.c.
subroutine sooner(value, rank, pair)
  use layer
  implicit none
  double precision, intent(inout) :: value
  integer, intent(in) :: rank, pair

  if (rank == 0) then
    call rest()
    call layer_send(value, 1, pair)
  else
    call layer_receive(value, 0, pair) ! ! first
  end if
  value = value + 1
end subroutine

subroutine later(value, rank, pair)
  use layer
  implicit none
  double precision, intent(inout) :: value
  integer, intent(in) :: rank, pair

  if (rank == 0) then
    call rest()
    call layer_send(value, 1, pair)
  else
    call layer_receive(value, 0, pair) ! ! second
  end if
  value = value + 1
end subroutine

subroutine rest()
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function usleep(time) bind(c)
      import
      integer(c_int), value :: time
    end function
  end interface
  integer(c_int) :: left

  left = usleep(60000_c_int)
end subroutine

program with_layer
  use mpi
  implicit none
  double precision :: value
  integer :: rank, pair, error, i

  value = 1
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, pair, error)
  rank = mod(rank, 2)
  do i = 1, 5
    call sooner(value, rank, pair)
    call later(value, rank, pair)
  end do
  call MPI_Finalize(error)
end program
