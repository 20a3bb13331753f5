# The supported MPI libraries. Several may be installed at once, which CMake's FindMPI does not support.
#
# All information comes from the compiler wrappers: those named in TARRY_MPICC, otherwise those found. Sets
#
#   TARRY_MPIS                    names of the libraries found: "openmpi", "mpich", both or none
#   TARRY_JOB_MPIS                these and "abi", MPI's standard binary interface, for which libraries for jobs are built without any MPI:
#                                 our own mpi.h (src/job/mpi/abi) and a list of its functions take the place of the library
#   TARRY_MPI_<name>_INCLUDES     folders with mpi.h
#   TARRY_MPI_<name>_LIBRARY      the shared library itself, links resolved
#   TARRY_MPI_<name>_HAS          definitions HAS_…=0 or 1: which functions the library has
#   TARRY_MPI_<name>_MPICC        compiler wrappers: C,
#   TARRY_MPI_<name>_MPICXX         C++ and
#   TARRY_MPI_<name>_FC             Fortran; empty when absent
#   TARRY_MPI_<name>_LAUNCHER     mpirun or mpiexec; empty when absent
#   TARRY_FIRST_MPICC, TARRY_FIRST_LAUNCHER   of the first of them, in the cache for scripts to read

include(CheckSymbolExists)

# Folders of wrappers that distributions add to the PATH only by a module.
set(mpi_bin_folders
  /usr/lib64/openmpi/bin /usr/lib64/mpich/bin /usr/lib/openmpi/bin /usr/lib/mpich/bin
  /usr/lib64/mpi/gcc/openmpi4/bin /usr/lib64/mpi/gcc/mpich/bin)

function(list_mpi_compilers result)
  set(compilers)
  foreach(name mpicc.openmpi mpicc.mpich mpicc)
    find_program(TARRY_FOUND_${name} ${name})
    mark_as_advanced(TARRY_FOUND_${name})
    if(TARRY_FOUND_${name})
      list(APPEND compilers ${TARRY_FOUND_${name}})
    endif()
  endforeach()
  foreach(folder IN LISTS mpi_bin_folders)
    if(EXISTS ${folder}/mpicc)
      list(APPEND compilers ${folder}/mpicc)
    endif()
  endforeach()
  set(${result} ${compilers} PARENT_SCOPE)
endfunction()

function(find_named_compilers result)
  set(compilers)
  foreach(name IN LISTS TARRY_MPICC)
    unset(compiler CACHE)
    find_program(compiler ${name})
    if(NOT compiler)
      message(FATAL_ERROR "'${name}' is no program: correct TARRY_MPICC")
    endif()
    list(APPEND compilers ${compiler})
    unset(compiler CACHE)
  endforeach()
  set(${result} ${compilers} PARENT_SCOPE)
endfunction()

# "openmpi", "mpich" (and all libraries with its binary interface) or "", from the macros of <mpi.h>.
function(tell_mpi_kind mpicc result)
  set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/mpi_kind.c)
  file(WRITE ${probe} [[
#include <mpi.h>
#if defined(OPEN_MPI)
tarry_kind_openmpi
#elif defined(MPICH_VERSION) || defined(MPICH_NAME) || defined(I_MPI_VERSION)
tarry_kind_mpich
#endif
]])
  execute_process(COMMAND ${mpicc} -E ${probe} OUTPUT_VARIABLE text ERROR_QUIET)
  set(kind "")
  if(text MATCHES "tarry_kind_([a-z]+)")
    set(kind ${CMAKE_MATCH_1})
  endif()
  set(${result} "${kind}" PARENT_SCOPE)
endfunction()

# HAS_<what>=1 if the library has all of these functions and its <mpi.h> declares them, otherwise =0. The reported version is not enough:
# Open MPI 5 reports 3.1 and has sessions.
function(probe_functions mpi what result)
  set(CMAKE_REQUIRED_INCLUDES ${includes})
  set(CMAKE_REQUIRED_LIBRARIES ${library})
  set(CMAKE_REQUIRED_QUIET TRUE)
  set(all 1)
  foreach(function IN LISTS ARGN)
    check_symbol_exists(${function} mpi.h TARRY_${mpi}_HAS_${function})
    if(NOT TARRY_${mpi}_HAS_${function})
      set(all 0)
    endif()
  endforeach()
  set(${result} ${${result}} HAS_${what}=${all} PARENT_SCOPE)
endfunction()

# The values of one option in a command line: `pick_options("-I" dirs ${words})`.
function(pick_options option result)
  set(operands)
  foreach(word IN LISTS ARGN)
    if(word MATCHES "^${option}(.+)$")
      list(APPEND operands ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${result} "${operands}" PARENT_SCOPE)
endfunction()

# The first of some programs that exists in the folder, or "".
function(find_beside folder result)
  set(${result} "" PARENT_SCOPE)
  foreach(name IN LISTS ARGN)
    if(EXISTS ${folder}/${name})
      set(${result} ${folder}/${name} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(find_mpi_shared_library mpicc result)
  get_filename_component(bin ${mpicc} DIRECTORY)
  pick_options("-L" folders ${ARGN})
  pick_options("-Wl,-rpath,?" rpaths ${ARGN})
  pick_options("-l" names ${ARGN})
  list(FILTER names INCLUDE REGEX "^mpi(ch|_abi)?$")
  unset(library CACHE)
  find_library(library NAMES ${names} mpi mpich HINTS ${folders} ${rpaths} ${bin}/../lib ${bin}/../lib64)
  if(library)
    get_filename_component(real ${library} REALPATH)
    set(${result} ${real} PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
  unset(library CACHE)
endfunction()

# Sets TARRY_MPI_<name>_* in the caller's scope, and `found` there to whether it succeeded.
function(describe_mpi name mpicc found)
  set(${found} FALSE PARENT_SCOPE)
  execute_process(COMMAND ${mpicc} -show OUTPUT_VARIABLE line ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${line}")
  pick_options("-I" includes ${words})
  find_mpi_shared_library(${mpicc} library ${words})
  if(NOT library MATCHES "\\.so")
    message(WARNING "'${mpicc}' names no shared MPI library: it is left out")
    return()
  endif()
  get_filename_component(bin ${mpicc} DIRECTORY)
  find_beside(${bin} launcher mpirun.${name} mpiexec.${name} mpirun mpiexec)
  find_beside(${bin} cxx mpicxx.${name} mpicxx)
  find_beside(${bin} fc mpifort.${name} mpifort mpif90.${name} mpif90)
  set(TARRY_MPI_${name}_INCLUDES "${includes}" PARENT_SCOPE)
  set(TARRY_MPI_${name}_LIBRARY ${library} PARENT_SCOPE)
  probe_functions(${name} SESSIONS has PMPI_Session_init PMPI_Session_f2c PMPI_Group_from_session_pset)
  probe_functions(${name} LARGE_COUNTS has PMPI_Send_c PMPI_Type_get_envelope_c PMPI_Type_get_contents_c)
  set(TARRY_MPI_${name}_HAS "${has}" PARENT_SCOPE)
  set(TARRY_MPI_${name}_MPICC ${mpicc} PARENT_SCOPE)
  set(TARRY_MPI_${name}_MPICXX "${cxx}" PARENT_SCOPE)
  set(TARRY_MPI_${name}_FC "${fc}" PARENT_SCOPE)
  set(TARRY_MPI_${name}_LAUNCHER "${launcher}" PARENT_SCOPE)
  set(${found} TRUE PARENT_SCOPE)
endfunction()

set(TARRY_MPIS)
set(TARRY_JOB_MPIS)
if(TARRY_SANITIZE)
  # The runtime of a sanitizer must be loaded first, so nothing built with one can be preloaded.
  message(STATUS "MPI: left out of a build with sanitizers")
  return()
endif()

if(TARRY_MPICC)
  find_named_compilers(compilers)
else()
  list_mpi_compilers(compilers)
endif()
foreach(mpicc IN LISTS compilers)
  tell_mpi_kind(${mpicc} kind)
  if(kind STREQUAL "")
    if(TARRY_MPICC)
      message(FATAL_ERROR "'${mpicc}' compiles for no MPI library that Tarry serves (Open MPI, or MPICH and its "
                          "relatives): correct TARRY_MPICC")
    endif()
  elseif(kind IN_LIST TARRY_MPIS)
    if(TARRY_MPICC)
      message(WARNING "'${mpicc}' is left out: ${TARRY_MPI_${kind}_MPICC} is also of the kind '${kind}'")
    endif()
  else()
    describe_mpi(${kind} ${mpicc} found)
    if(found)
      list(APPEND TARRY_MPIS ${kind})
      message(STATUS "MPI: ${kind}, ${TARRY_MPI_${kind}_LIBRARY}")
    endif()
  endif()
endforeach()
if(NOT TARRY_MPIS)
  message(NOTICE "MPI: none found, so only programs of libmpi_abi can be recorded; "
                 "name one: make MPICC=/path/to/mpicc (TARRY_MPICC for cmake)")
endif()
set(TARRY_JOB_MPIS ${TARRY_MPIS} abi)
set(TARRY_MPI_abi_INCLUDES ${CMAKE_SOURCE_DIR}/src/job/mpi/abi ${CMAKE_BINARY_DIR}/generated/abi)
set(TARRY_MPI_abi_HAS HAS_SESSIONS=1 HAS_LARGE_COUNTS=1)

set(first "")
if(TARRY_MPIS)
  list(GET TARRY_MPIS 0 first)
endif()
set(TARRY_FIRST_MPICC "${TARRY_MPI_${first}_MPICC}" CACHE INTERNAL "")
set(TARRY_FIRST_LAUNCHER "${TARRY_MPI_${first}_LAUNCHER}" CACHE INTERNAL "")
