! As layer.c.
module layer
  use mpi
  implicit none
contains
  subroutine layer_send(value, peer, comm)
    double precision, intent(inout) :: value
    integer, intent(in) :: peer, comm
    integer :: error

    call MPI_Send(value, 1, MPI_DOUBLE_PRECISION, peer, 1, comm, error)
    value = value + 1
  end subroutine

  subroutine layer_receive(value, peer, comm)
    double precision, intent(inout) :: value
    integer, intent(in) :: peer, comm
    integer :: error

    call MPI_Recv(value, 1, MPI_DOUBLE_PRECISION, peer, 1, comm, MPI_STATUS_IGNORE, error)
    value = value + 1
  end subroutine
end module
