! tarry-test: ranks=2
!
! Fortran 2008 through the module mpi_f08: typed handles, optional error argument, choice buffers with
! descriptors.
program f08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: other
  type(MPI_Request) :: request(3)
  type(MPI_Status) :: status, statuses(3)
  type(MPI_Message) :: message
  integer :: rank, peer, error, index, i
  integer :: out(10), in(10), total(2)
  logical :: flag

  call MPI_Init()
  ! @*
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  peer = 1 - rank
  out = [(rank * 100 + i, i = 1, 10)]
  in = 0
  if (rank == 0) then
    call sender
  else
    call receiver
  end if
  call exchange
  call collectives
  if (rank == 0) print *, 'total', total, in
  call MPI_Finalize(error)
  ! @*

contains

  subroutine sender
    call MPI_Send(out, 5, MPI_INTEGER, 1, 1, MPI_COMM_WORLD)
    ! @0 comm=$world peer=1 tag=1 sent=20 size=4
    call MPI_Send(out, 4, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, error)
    ! @0 comm=$world peer=1 tag=2 sent=16 size=4
    call MPI_Ssend(out, 3, MPI_INTEGER, 1, 3, MPI_COMM_WORLD)
    ! @0 peer=1 tag=3 sent=12
    call MPI_Rsend(out, 3, MPI_INTEGER, MPI_PROC_NULL, 4, MPI_COMM_WORLD)
    ! @0 peer=null tag=4 sent=12
  end subroutine sender

  subroutine receiver
    call MPI_Recv(in, 10, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    ! @1 comm=$world peer=any tag=-1 room=40 received=20 source=0 source_tag=1
    call MPI_Recv(in, 10, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, status)
    ! @1 comm=$world peer=0 tag=2 room=40 received=16
    call MPI_Mprobe(0, 3, MPI_COMM_WORLD, message, status)
    ! @1 comm=$world peer=0 tag=3 message=%m
    call MPI_Mrecv(in, 10, MPI_INTEGER, message, MPI_STATUS_IGNORE)
    ! @1 message=%m room=40 received=12 source=0 source_tag=3
  end subroutine receiver

  subroutine exchange
    call MPI_Irecv(in, 10, MPI_INTEGER, peer, 5, MPI_COMM_WORLD, request(1))
    ! @0 comm=$world peer=1 tag=5 room=40 request=0
    ! @1 comm=$world peer=0 tag=5 room=40 request=0
    call MPI_Isend(out, 6, MPI_INTEGER, peer, 5, MPI_COMM_WORLD, request(2))
    ! @0 peer=1 tag=5 sent=24 request=1
    ! @1 peer=0 tag=5 sent=24 request=1
    request(3) = MPI_REQUEST_NULL
    call MPI_Waitall(3, request, statuses)
    ! @0 count=3 done=0 received=24 source=1 source_tag=5 done=1
    ! @1 count=3 done=0 received=24 source=0 source_tag=5 done=1
    call MPI_Irecv(in, 10, MPI_INTEGER, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, request(1))
    ! @* peer=any tag=6 request=0
    call MPI_Send(out, 2, MPI_INTEGER, peer, 6, MPI_COMM_WORLD)
    ! @* tag=6 sent=8
    call MPI_Waitany(1, request, index, MPI_STATUS_IGNORE)
    ! @0 count=1 done=0 received=8 source=1 source_tag=6
    ! @1 count=1 done=0 received=8 source=0 source_tag=6
    call MPI_Irecv(in, 10, MPI_INTEGER, peer, 7, MPI_COMM_WORLD, request(1))
    ! @* tag=7 request=0
    call MPI_Send(out, 3, MPI_INTEGER, peer, 7, MPI_COMM_WORLD)
    ! @* tag=7 sent=12
    flag = .false.
    do while (.not. flag)
      call MPI_Test(request(1), flag, MPI_STATUS_IGNORE)
      ! @* polls flag=0
      ! @* flag=1 done=0 received=12
    end do
    call MPI_Sendrecv(out(1:9:2), 5, MPI_INTEGER, peer, 8, in, 10, MPI_INTEGER, peer, 8, &
                      MPI_COMM_WORLD, status)
    ! @* tag=8 sent=20 recv_tag=8 room=40 received=20
  end subroutine exchange

  subroutine collectives
    total = [rank, 1]
    call MPI_Comm_dup(MPI_COMM_WORLD, other)
    ! @* comm=$world newcomm=$other
    call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, MPI_SUM, other)
    ! @* comm=$other op=3 in_place=1 size=4
    call MPI_Iallreduce(out, in, 4, MPI_INTEGER, MPI_MAX, other, request(1))
    ! @* comm=$other op=1 sent=16 request=0
    call MPI_Wait(request(1), status)
    ! @* done=0
    call MPI_Bcast(in, 10, MPI_INTEGER, 0, other)
    ! @0 comm=$other root=0 sent=40
    ! @1 comm=$other root=0 received=40
    call MPI_Gather(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, 1, other)
    ! @0 comm=$other root=1 sent=8
    ! @1 comm=$other root=1 sent=8 received=16
    call MPI_Barrier(other)
    ! @* comm=$other
    call MPI_Comm_free(other)
    ! @* comm=$other
  end subroutine collectives
end program f08
! @comm $world size=2 members=0,1
! @comm $other size=2 members=0,1 parent=$world
