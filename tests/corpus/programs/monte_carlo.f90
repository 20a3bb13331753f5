! corpus: ranks=3
!
! Estimating an area with random points, with Fortran's module `mpi`: rank 0 hands out numbers of the generator in chunks
! to ranks that are free, the others throw points and answer with their hits. Errors and requests are handled the Fortran
! way: receives posted ahead (Irecv), any of them taken (Waitany), the last ones cancelled.
!
! Check: the estimate is near the area of the circle, and all chunks were done.
module darts
  use mpi
  implicit none

  integer, parameter :: chunks = 60, points = 500, tag_chunk = 1, tag_hits = 2, no_more = -1

contains

  ! Hits among the points of one chunk; a generator of its own makes them the same on every rank.
  integer function throw(chunk)
    integer, intent(in) :: chunk
    integer, parameter :: long = selected_int_kind(18)
    integer(long) :: state
    double precision :: x, y
    integer :: i

    state = 1_long + chunk * 7919_long
    throw = 0
    do i = 1, points
      state = mod(state * 48271_long, 2147483647_long)
      x = dble(state) / 2147483647d0
      state = mod(state * 48271_long, 2147483647_long)
      y = dble(state) / 2147483647d0
      if (x * x + y * y <= 1) throw = throw + 1
    end do
  end function throw

  subroutine hand_out(worker, next)
    integer, intent(in) :: worker
    integer, intent(inout) :: next
    integer :: chunk, ierr

    chunk = merge(next, no_more, next <= chunks)
    call MPI_Send(chunk, 1, MPI_INTEGER, worker, tag_chunk, MPI_COMM_WORLD, ierr)
    if (chunk /= no_more) next = next + 1
  end subroutine hand_out

  ! Returns the hits of all chunks. One receive for each worker is always posted.
  integer function lead(workers)
    integer, intent(in) :: workers
    integer, asynchronous :: hits(workers)
    integer :: requests(workers), status(MPI_STATUS_SIZE), next, i, done, ierr

    next = 1
    lead = 0
    do i = 1, workers
      call MPI_Irecv(hits(i), 1, MPI_INTEGER, i, tag_hits, MPI_COMM_WORLD, requests(i), ierr)
      call hand_out(i, next)
    end do
    do done = 1, chunks
      call MPI_Waitany(workers, requests, i, status, ierr)
      lead = lead + hits(i)
      call MPI_Irecv(hits(i), 1, MPI_INTEGER, i, tag_hits, MPI_COMM_WORLD, requests(i), ierr)
      call hand_out(i, next)
    end do
    do i = 1, workers
      call MPI_Cancel(requests(i), ierr)
    end do
    call MPI_Waitall(workers, requests, MPI_STATUSES_IGNORE, ierr)
  end function lead

  subroutine work()
    integer :: chunk, hits, status(MPI_STATUS_SIZE), ierr

    do
      call MPI_Recv(chunk, 1, MPI_INTEGER, 0, tag_chunk, MPI_COMM_WORLD, status, ierr)
      if (chunk == no_more) exit
      hits = throw(chunk)
      call MPI_Send(hits, 1, MPI_INTEGER, 0, tag_hits, MPI_COMM_WORLD, ierr)
    end do
  end subroutine work
end module darts

program monte_carlo
  use mpi
  use darts
  implicit none

  integer :: rank, size, hits, right, i, length, ierr
  double precision :: began, area
  character(len=MPI_MAX_PROCESSOR_NAME) :: host

  call MPI_Init(ierr)
  began = MPI_Wtime()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Get_processor_name(host, length, ierr)
  if (rank == 0) then
    hits = lead(size - 1)
    right = 0
    do i = 1, chunks
      right = right + throw(i)
    end do
    area = 4d0 * hits / (chunks * points)
    if (hits == right .and. abs(area - 3.14159d0) < 0.05d0 .and. MPI_Wtime() >= began .and. length > 0) then
      print '(a,f8.5)', 'ok : the area is about', area
    else
      print '(a,i0,a,i0)', 'wrong : hits ', hits, ' instead of ', right
    end if
  else
    call work()
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program monte_carlo
