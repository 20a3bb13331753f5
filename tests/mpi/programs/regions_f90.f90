! tarry-test: ranks=2 unlocated=1 module=tarry.f90
!
! The user's own regions from Fortran.
program regions
  use mpi
  use tarry
  implicit none
  integer :: rank, error, i

  call MPI_Init(error)
  ! @*
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call tarry_phase("loop")
  ! @* tarry_phase region=loop
  do i = 1, 3
    call tarry_region_begin("exchange")
    ! @* x3 tarry_region_begin region=exchange
    call MPI_Barrier(MPI_COMM_WORLD, error)
    ! @* x3 comm=$world
    call tarry_region_end("exchange")
    ! @* x3 tarry_region_end region=exchange
  end do
  call tarry_mark("done  ")
  ! @* tarry_mark region=done
  if (rank == 0) print *, 'fine'
  call MPI_Finalize(error)
  ! @*
end program regions
