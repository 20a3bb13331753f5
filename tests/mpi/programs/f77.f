C     tarry-test: ranks=2
C
C     Fortran 77 with mpif.h, fixed form.
      program f77
      implicit none
      include 'mpif.h'
      integer rank, peer, error, i, total, index, done
      integer out(10), in(10), request(2), status(MPI_STATUS_SIZE)
      integer statuses(MPI_STATUS_SIZE, 2), indices(2), left
      logical flag

      call mpi_init(error)
C     @*
      call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
      peer = 1 - rank
      do 10 i = 1, 10
         out(i) = 10 * rank + i
         in(i) = 0
 10   continue
      if (rank .eq. 0) then
         call mpi_send(out, 5, MPI_INTEGER, 1, 1, MPI_COMM_WORLD,
     &                 error)
C     @0 comm=$world peer=1 tag=1 sent=20 size=4
         call mpi_send(out, 3, MPI_INTEGER, MPI_PROC_NULL, 9,
     &                 MPI_COMM_WORLD, error)
C     @0 peer=null tag=9 sent=12
         call mpi_ssend(out, 4, MPI_INTEGER, 1, 2, MPI_COMM_WORLD,
     &                  error)
C     @0 peer=1 tag=2 sent=16
      else
         call mpi_recv(in, 10, MPI_INTEGER, MPI_ANY_SOURCE,
     &                 MPI_ANY_TAG, MPI_COMM_WORLD,
     &                 MPI_STATUS_IGNORE, error)
C     @1 comm=$world peer=any tag=-1 room=40 received=20 source=0 source_tag=1
         call mpi_recv(in, 10, MPI_INTEGER, 0, 2, MPI_COMM_WORLD,
     &                 status, error)
C     @1 peer=0 tag=2 room=40 received=16
      end if

      call mpi_irecv(in, 10, MPI_INTEGER, peer, 3, MPI_COMM_WORLD,
     &               request(1), error)
C     @0 peer=1 tag=3 room=40 request=0
C     @1 peer=0 tag=3 room=40 request=0
      call mpi_isend(out, 7, MPI_INTEGER, peer, 3, MPI_COMM_WORLD,
     &               request(2), error)
C     @0 peer=1 tag=3 sent=28 request=1
C     @1 peer=0 tag=3 sent=28 request=1
      call mpi_waitall(2, request, statuses, error)
C     @0 count=2 done=0 received=28 source=1 source_tag=3 done=1
C     @1 count=2 done=0 received=28 source=0 source_tag=3 done=1

      call mpi_irecv(in, 10, MPI_INTEGER, peer, 4, MPI_COMM_WORLD,
     &               request(1), error)
C     @* tag=4 room=40 request=0
      call mpi_isend(out, 6, MPI_INTEGER, peer, 4, MPI_COMM_WORLD,
     &               request(2), error)
C     @* tag=4 sent=24 request=1
      do 20 i = 1, 2
         call mpi_waitany(2, request, index, MPI_STATUS_IGNORE, error)
C     @0 count=2 done=0 received=24 source=1
C     @1 count=2 done=0 received=24 source=0
C     @* count=2 done=1
 20   continue

      call mpi_recv_init(in, 10, MPI_INTEGER, peer, 5, MPI_COMM_WORLD,
     &                   request(1), error)
C     @* tag=5 room=40 request=0 persistent=1
      call mpi_send_init(out, 2, MPI_INTEGER, peer, 5, MPI_COMM_WORLD,
     &                   request(2), error)
C     @* tag=5 sent=8 request=1 persistent=1
      call mpi_startall(2, request, error)
C     @* count=2 request=0,1
      left = 2
 30   if (left .gt. 0) then
         call mpi_waitsome(2, request, done, indices,
     &                     MPI_STATUSES_IGNORE, error)
C     @* x+ count=2 dones=2 done=*
         left = left - done
         goto 30
      end if
      call mpi_request_free(request(1), error)
C     @* request=0
      call mpi_request_free(request(2), error)
C     @* request=1

      call mpi_irecv(in, 1, MPI_INTEGER, peer, 6, MPI_COMM_WORLD,
     &               request(1), error)
C     @* tag=6 request=0
      call mpi_send(out, 1, MPI_INTEGER, peer, 6, MPI_COMM_WORLD,
     &              error)
C     @* tag=6 sent=4
      flag = .false.
 40   if (.not. flag) then
         call mpi_test(request(1), flag, status, error)
C     @* polls flag=0
C     @* flag=1 done=0 received=4
         goto 40
      end if

      total = rank + 5
      call mpi_allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, error)
C     @* comm=$world op=3 in_place=1
      call mpi_bcast(in, 10, MPI_INTEGER, 1, MPI_COMM_WORLD, error)
C     @1 comm=$world root=1 sent=40
C     @0 comm=$world root=1 received=40
      call mpi_barrier(MPI_COMM_WORLD, error)
C     @* comm=$world
      if (rank .eq. 0) print *, 'total', total, in
      call mpi_finalize(error)
C     @*
      end
C     @comm $world size=2 members=0,1
