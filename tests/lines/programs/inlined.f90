! As inlined.c. Regions of Fortran have their lines with --callpath only.
module halo
  use mpi
  use tarry
  implicit none
contains
  subroutine helper(comm)
    integer, intent(in) :: comm
    integer :: error
    call MPI_Barrier(comm, error) ! @ helper < exchange < inlined x3 @ helper < inlined
  end subroutine helper

  subroutine exchange(comm)
    integer, intent(in) :: comm
    call tarry_region_begin("exchange") ! @ << exchange < inlined x3
    call helper(comm)
    call tarry_region_end("exchange") ! @ << exchange < inlined x3
  end subroutine exchange
end module halo

program inlined
  use halo
  implicit none
  integer :: error, i

  call MPI_Init(error)
  do i = 1, 3
    call exchange(MPI_COMM_SELF)
  end do
  call helper(MPI_COMM_SELF)
  call MPI_Finalize(error)
end program inlined
