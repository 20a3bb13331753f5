! omp-case: ranks=1
#include "omp_case.F90"
program oversubscription
  use omp_case
  use iso_c_binding
  implicit none
  interface
    function getaffinity(process, bytes, cpus) bind(c, name="sched_getaffinity") result(code)
      use iso_c_binding
      integer(c_int), value :: process
      integer(c_size_t), value :: bytes
      integer(c_int8_t) :: cpus(*)
      integer(c_int) :: code
    end function getaffinity
    function setaffinity(process, bytes, cpus) bind(c, name="sched_setaffinity") result(code)
      use iso_c_binding
      integer(c_int), value :: process
      integer(c_size_t), value :: bytes
      integer(c_int8_t) :: cpus(*)
      integer(c_int) :: code
    end function setaffinity
  end interface
#ifdef GOOD
  integer, parameter :: threads = 1, cpu_ms = 600
#else
  integer, parameter :: threads = 4, cpu_ms = 150
#endif
  call bind_to_one_cpu()
  call start()
  !$omp parallel num_threads(threads) ! @omp.oversubscription rank=0 count=1
  call compute()
  !$omp end parallel
  call finish()
contains
  ! So much time of a CPU, which a thread gets only a part of.
  subroutine compute()
    real(8) :: sum
    integer :: i, j
    sum = 0
    do i = 1, cpu_ms
      do j = 1, 200000
        sum = sum + sin(sum + j)
      end do
    end do
    if (sum == 1d300) print *, sum
  end subroutine compute

  ! The first CPU of those that it may use.
  subroutine bind_to_one_cpu()
    integer(c_int8_t) :: cpus(1024)
    integer :: first, code
    cpus = 0
    code = getaffinity(0, 1024_c_size_t, cpus)
    first = 1
    do while (cpus(first) == 0)
      first = first + 1
    end do
    cpus(first) = iand(cpus(first), -cpus(first))
    cpus(first + 1:) = 0
    code = setaffinity(0, 1024_c_size_t, cpus)
  end subroutine bind_to_one_cpu
end program oversubscription
