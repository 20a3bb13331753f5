! As arguments.c, by one of the faces of Fortran: -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08.
#ifdef USE_MPI_F08
#define HANDLE(Kind) type(Kind)
#define STATUS_IN(s, WHAT) s%WHAT
#else
#define HANDLE(Kind) integer
#define STATUS_IN(s, WHAT) s(WHAT)
#endif

program arguments
#ifdef USE_MPI_F08
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#ifdef MPIF_H
  include 'mpif.h'
#endif
  HANDLE(MPI_Comm) :: half, cart
  HANDLE(MPI_Datatype) :: vector
  HANDLE(MPI_Group) :: world, two
  HANDLE(MPI_Info) :: info
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Win) :: win
  HANDLE(MPI_Request) :: requests(2)
#ifdef USE_MPI_F08
  type(MPI_Status) :: status
  type(c_ptr) :: base
#else
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_ADDRESS_KIND) :: base
#endif
  integer :: rank, size, color, dims(2), counts(16), displs(16), ranks(2), ierror, i, got, next, before, index, length
  logical :: periods(2), flag
  double precision :: in(16), out(16)
  character(len=MPI_MAX_PROCESSOR_NAME) :: name
  integer(kind=MPI_ADDRESS_KIND) :: bytes

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  write (name, '(a,i0,a)') 'said-', rank, '.txt'
  open (unit=10, file=trim(name))
  write (10, '(a,i0)') 'MPI_Comm_rank|rank|', rank

  color = 7 + rank
  if (rank == 1) color = MPI_UNDEFINED
  call MPI_Comm_split(MPI_COMM_WORLD, color, -rank, half, ierror)
  if (rank == 1) color = -1
  write (10, '(a,i0,a,i0,a,a)') 'MPI_Comm_split|color|', color, '|key|', -rank, '|newcomm|', &
    trim(merge('MPI_COMM_NULL', '*            ', rank == 1))
  dims = (/size, 1/)
  periods = (/.false., .true./)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., cart, ierror)
  write (10, '(a,i0,a)') 'MPI_Cart_create|ndims|2|dims[0]|', size, '|dims[1]|1|dims[2]|-|periods[0]|0|periods[1]|1|reorder|0'
  call MPI_Comm_set_name(cart, 'a grid', ierror)
  write (10, '(a)') 'MPI_Comm_set_name|comm_name|a grid'
  in = rank
  call MPI_Reduce(in, out, 2, MPI_DOUBLE_PRECISION, MPI_MAX, 1, MPI_COMM_WORLD, ierror)
  write (10, '(a)') 'MPI_Reduce|count|2|datatype|*|op|MPI_MAX'
  do i = 1, 3
    call MPI_Allreduce(in, out, i, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    write (10, '(a,i0,a)') 'MPI_Allreduce|count|', i, '|op|MPI_SUM'
  end do
  counts = 1
  displs = (/(i, i=0, 15)/)
  call MPI_Gatherv(in, 1, MPI_DOUBLE_PRECISION, out, counts, displs, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) then
    write (10, '(a,i0,a)') 'MPI_Gatherv|sendcount|1|recvcounts.sum|', size, '|displs[1]|1'
  else
    write (10, '(a)') 'MPI_Gatherv|sendcount|1|recvcounts.sum|-|displs[1]|-'
  end if
  call MPI_Alltoallv(MPI_IN_PLACE, counts, displs, MPI_DOUBLE_PRECISION, out, counts, displs, MPI_DOUBLE_PRECISION, &
    MPI_COMM_WORLD, ierror)
  write (10, '(a,i0)') 'MPI_Alltoallv|sendcounts.sum|-|recvcounts.length|', size

  next = mod(rank + 1, size)
  before = mod(rank + size - 1, size)
  call MPI_Irecv(got, 1, MPI_INTEGER, before, 5, MPI_COMM_WORLD, requests(1), ierror)
  call MPI_Send(rank, 1, MPI_INTEGER, next, 5, MPI_COMM_WORLD, ierror)
  requests(2) = MPI_REQUEST_NULL
  call MPI_Waitany(2, requests, index, status, ierror)
  write (10, '(a,i0,a,i0,a,i0)') 'MPI_Waitany|index|', index, '|status.MPI_SOURCE|', STATUS_IN(status, MPI_SOURCE), &
    '|status.MPI_TAG|', STATUS_IN(status, MPI_TAG)
  call MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, flag, status, ierror)
  write (10, '(a)') 'MPI_Iprobe|flag|0'

  call MPI_Type_vector(3, 2, 5, MPI_INTEGER, vector, ierror)
  write (10, '(a)') 'MPI_Type_vector|count|3|blocklength|2|stride|5|oldtype|*'
  call MPI_Type_free(vector, ierror)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierror)
  ranks = (/1, 0/)
  call MPI_Group_incl(world, 2, ranks, two, ierror)
  write (10, '(a)') 'MPI_Group_incl|n|2|ranks[0]|1|ranks[1]|0|ranks[2]|-|newgroup|user-defined'
  call MPI_Group_free(two, ierror)

  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, 'access_style', 'write_once', ierror)
  write (10, '(a)') 'MPI_Info_set|key|access_style|value|write_once'
  call MPI_File_open(MPI_COMM_WORLD, 'made.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, info, file, ierror)
  write (10, '(a,i0,a)') 'MPI_File_open|filename|made.bin|amode|', MPI_MODE_CREATE + MPI_MODE_WRONLY, '|info|*write_once*'
  call MPI_File_close(file, ierror)
  bytes = 128
  call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierror)
  write (10, '(a)') 'MPI_Win_allocate|size|128|disp_unit|8|info|MPI_INFO_NULL'
  call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierror)
  write (10, '(a)') 'MPI_Win_fence|assert|8'
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierror)
  write (10, '(a)') 'MPI_Win_fence|assert|16'
  call MPI_Win_free(win, ierror)
  call MPI_Get_processor_name(name, length, ierror)
  write (10, '(a,a,a,i0)') 'MPI_Get_processor_name|name|', trim(name), '|resultlen|', length
  close (10)
  call MPI_Finalize(ierror)
end program
