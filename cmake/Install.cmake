# What `make install` puts under the prefix.

foreach(target tarry tarry-preload)
  if(TARGET ${target})
    install(TARGETS ${target})
  endif()
endforeach()
foreach(mpi IN LISTS TARRY_MPIS)
  if(TARGET tarry-record-${mpi})
    install(TARGETS tarry-record-${mpi})
  endif()
endforeach()

install(DIRECTORY include/ TYPE INCLUDE FILES_MATCHING PATTERN "tarry*")
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
