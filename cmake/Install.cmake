# What `make install` puts under the prefix.

foreach(target tarry tarry-preload tarry-record-upc)
  if(TARGET ${target})
    install(TARGETS ${target})
  endif()
endforeach()
foreach(mpi IN LISTS TARRY_MPIS)
  if(TARGET tarry-record-${mpi})
    install(TARGETS tarry-record-${mpi})
  endif()
  if(TARGET tarry-bench-${mpi})
    install(TARGETS tarry-bench-${mpi})
  endif()
endforeach()

if(TARGET tarry-gasp)
  install(TARGETS tarry-gasp ARCHIVE)
endif()

install(DIRECTORY include/ TYPE INCLUDE FILES_MATCHING PATTERN "tarry*")
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 FILES_MATCHING PATTERN "*.5")

# The program finds them relative to itself, in the build tree as under the prefix.
install(DIRECTORY rules/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry/rules FILES_MATCHING PATTERN "*.rules")
install(FILES docs/report.schema.json docs/bench.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/tarry)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/rules ${CMAKE_BINARY_DIR}/share/tarry/rules SYMBOLIC)
install(DIRECTORY upc/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tarry/upc)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/upc ${CMAKE_BINARY_DIR}/share/tarry/upc SYMBOLIC)

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/man)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/docs/man ${CMAKE_BINARY_DIR}/share/man/man1 SYMBOLIC)

# The program itself writes the shells' completions, from its tables of commands and options.
function(install_completion shell path)
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
    get_filename_component(parent \"\${folder}/${path}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${parent}\")
    execute_process(COMMAND \"$<TARGET_FILE:tarry>\" completion ${shell}
                    OUTPUT_FILE \"\${folder}/${path}\" RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR \"'tarry completion ${shell}' failed\")
    endif()
    message(STATUS \"Installing: \${folder}/${path}\")")
endfunction()

if(EXISTS ${CMAKE_SOURCE_DIR}/src/cli/cmd_completion.c)
  install_completion(bash bash-completion/completions/tarry)
  install_completion(zsh zsh/site-functions/_tarry)
  install_completion(fish fish/vendor_completions.d/tarry.fish)
endif()
install(FILES ${CMAKE_BINARY_DIR}/generated/calls/calls.md TYPE DOC)
# Side by side as in the source tree: they link to each other, and manual pages name them.
install(DIRECTORY docs examples TYPE DOC PATTERN man EXCLUDE PATTERN "*.schema.json" EXCLUDE)
