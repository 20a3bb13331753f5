# The files that `make install` puts under the prefix.

foreach(target tarry tarry-analyser tarry-preload tarry-process-calls tarry-system-calls tarry-thread-calls tarry-file-calls tarry-record-upc)
  if(TARGET ${target})
    install(TARGETS ${target})
  endif()
endforeach()
foreach(mpi IN LISTS TARRY_JOB_MPIS)
  if(TARGET tarry-record-${mpi})
    install(TARGETS tarry-record-${mpi})
  endif()
  if(TARGET tarry-check-${mpi})
    install(TARGETS tarry-check-${mpi})
  endif()
  if(TARGET tarry-coll-${mpi})
    install(TARGETS tarry-coll-${mpi})
  endif()
  if(TARGET tarry-calibrate-${mpi})
    install(TARGETS tarry-calibrate-${mpi})
  endif()
  if(TARGET tarry-bench-${mpi})
    install(TARGETS tarry-bench-${mpi})
  endif()
  if(TARGET tarry-analyze-${mpi})
    install(TARGETS tarry-analyze-${mpi})
  endif()
endforeach()

if(TARGET tarry-gasp)
  install(TARGETS tarry-gasp ARCHIVE)
endif()
if(TARGET tarry-cc)
  install(TARGETS tarry-cc ARCHIVE)
  install(FILES src/job/cc/calls.specs DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME tarry-cc.specs)
endif()

install(DIRECTORY include/ TYPE INCLUDE FILES_MATCHING PATTERN "tarry*")
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 FILES_MATCHING PATTERN "*.5")

# The program finds them relative to itself, in the build tree as under the prefix.
install(DIRECTORY rules/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry/rules FILES_MATCHING PATTERN "*.rules")
install(FILES docs/report.schema.json docs/bench.schema.json docs/history.schema.json docs/scaling.schema.json docs/whatif.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/tarry)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/rules ${CMAKE_BINARY_DIR}/share/tarry/rules SYMBOLIC)
install(FILES python/tarry.py DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry/python)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python ${CMAKE_BINARY_DIR}/share/tarry/python SYMBOLIC)
install(DIRECTORY upc/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry/upc)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/upc ${CMAKE_BINARY_DIR}/share/tarry/upc SYMBOLIC)

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/man)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/docs/man ${CMAKE_BINARY_DIR}/share/man/man1 SYMBOLIC)

# The program itself writes the completions of shells, from its tables of commands and options.
function(install_completion shell path)
  set(made ${CMAKE_BINARY_DIR}/share/${path})
  get_filename_component(folder ${path} DIRECTORY)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/${folder})
  add_custom_command(OUTPUT ${made} COMMAND tarry completion ${shell} > ${made} DEPENDS tarry
    COMMENT "Writing the completion of ${shell}" VERBATIM)
  add_custom_target(completion-${shell} ALL DEPENDS ${made})
  install(FILES ${made} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endfunction()

# Builds with a sanitizer are not for use, and slow to run.
if(NOT TARRY_SANITIZE)
  install_completion(bash bash-completion/completions/tarry)
  install_completion(zsh zsh/site-functions/_tarry)
  install_completion(fish fish/vendor_completions.d/tarry.fish)
endif()

# Files to find the header: for pkg-config, CMake's find_package and module files. None of them contains
# the prefix.
include(CMakePackageConfigHelpers)
set(made ${CMAKE_BINARY_DIR}/packaging)
file(RELATIVE_PATH prefix_from_pc /prefix/${CMAKE_INSTALL_DATADIR}/pkgconfig /prefix)
file(RELATIVE_PATH prefix_from_module /prefix/${CMAKE_INSTALL_DATADIR}/modulefiles/tarry /prefix)
configure_file(packaging/tarry.pc.in ${made}/tarry.pc @ONLY)
configure_file(packaging/modulefile.in ${made}/${PROJECT_VERSION} @ONLY)
configure_package_config_file(packaging/TarryConfig.cmake.in ${made}/TarryConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/Tarry PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${made}/TarryConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${made}/tarry.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(FILES ${made}/TarryConfig.cmake ${made}/TarryConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/Tarry)
install(FILES ${made}/${PROJECT_VERSION} DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/tarry)

install(FILES ${CMAKE_BINARY_DIR}/generated/calls/calls.md TYPE DOC)
# Side by side as in the source tree: they link to each other, and manual pages refer to them.
install(DIRECTORY docs examples TYPE DOC PATTERN man EXCLUDE PATTERN "*.schema.json" EXCLUDE)
