! The same as in_c.c.
program in_fortran
  use tarry
  implicit none
  call tarry_region_begin("work")
  print "(a)", "done in Fortran"
  call tarry_region_end("work")
end program in_fortran
