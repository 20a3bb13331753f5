! tarry-test: ranks=3
!
! Fortran 90 through the module mpi.
program f90
  use mpi
  implicit none
  integer :: rank, size, error, i, next, before, half, column, provided
  integer :: request(4), status(MPI_STATUS_SIZE), window
  integer(kind=MPI_ADDRESS_KIND) :: bytes
  double precision :: matrix(4, 4), halo(4), total
  logical :: flag

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
  ! @* level=1..3
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  matrix = rank
  call ring
  call collectives
  call communicators
  if (rank == 0) print *, 'total', total, sum(halo)
  call MPI_Finalize(error)
  ! @*

contains

  subroutine ring
    call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, column, error)
    call MPI_Type_commit(column, error)
    call MPI_Irecv(halo, 4, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, request(1), error)
    ! @0 comm=$world peer=2 tag=1 room=32 request=0
    ! @1 comm=$world peer=0 tag=1 room=32 request=0
    ! @2 comm=$world peer=1 tag=1 room=32 request=0
    call MPI_Isend(matrix, 1, column, next, 1, MPI_COMM_WORLD, request(2), error)
    ! @0 peer=1 tag=1 sent=32 size=32 request=1
    ! @1 peer=2 tag=1 sent=32 size=32 request=1
    ! @2 peer=0 tag=1 sent=32 size=32 request=1
    call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, error)
    ! @0 count=2 done=0 received=32 source=2 source_tag=1 done=1
    ! @1 count=2 done=0 received=32 source=0 source_tag=1 done=1
    ! @2 count=2 done=0 received=32 source=1 source_tag=1 done=1
    call MPI_Sendrecv(matrix, 2, MPI_DOUBLE_PRECISION, next, 2, halo, 4, MPI_DOUBLE_PRECISION, &
                      before, 2, MPI_COMM_WORLD, status, error)
    ! @0 peer=1 tag=2 sent=16 recv_peer=2 recv_tag=2 room=32 received=16
    ! @1 peer=2 tag=2 sent=16 recv_peer=0 recv_tag=2 room=32 received=16
    ! @2 peer=0 tag=2 sent=16 recv_peer=1 recv_tag=2 room=32 received=16
    call MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, flag, status, error)
    ! @* peer=any tag=77 flag=0
    call MPI_Type_free(column, error)
  end subroutine ring

  subroutine collectives
    total = rank
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    ! @* comm=$world op=3 in_place=1 size=8
    call MPI_Ibcast(halo, 4, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD, request(1), error)
    ! @1 comm=$world root=1 sent=32 request=0
    ! @0,2 comm=$world root=1 request=0
    call MPI_Wait(request(1), MPI_STATUS_IGNORE, error)
    ! @* done=0
    call MPI_Reduce(halo, matrix, 4, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, error)
    ! @* comm=$world root=0 op=1 sent=32
    bytes = 128
    call MPI_Win_create(matrix, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window, error)
    ! @* comm=$world win=$window
    call MPI_Win_fence(0, window, error)
    ! @* win=$window
    call MPI_Win_fence(0, window, error)
    ! @* win=$window
    call MPI_Win_free(window, error)
    ! @* win=$window
  end subroutine collectives

  subroutine communicators
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
    ! @0,2 comm=$world color=0 newcomm=$even
    ! @1 comm=$world color=1 newcomm=%alone
    do i = 1, 3
      call MPI_Barrier(half, error)
      ! @0,2 x3 comm=$even
      ! @1 x3 comm=%alone
    end do
    call MPI_Comm_free(half, error)
    ! @0,2 comm=$even
    ! @1 comm=%alone
  end subroutine communicators
end program f90
! @comm $world size=3 members=0,1,2
! @comm $even size=2 members=0,2 parent=$world
! @win $window size=128 unit=8 comm=$world
