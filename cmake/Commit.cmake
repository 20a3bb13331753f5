# The commit of the source tree, in twelve letters: from git, or in a tree from 'make dist' from the file that git has filled in. Empty if
# nothing is known, or if the tree is inside the repository of another project.
#
#	cmake -DTARRY_SOURCE=FOLDER -P Commit.cmake		prints it
function(tarry_commit source result)
  set(commit "")
  if(EXISTS ${source}/.git)
    execute_process(COMMAND git -C ${source} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  else()
    file(STRINGS ${source}/cmake/commit.txt filled REGEX "^[0-9a-f]+$")
    if(filled)
      string(SUBSTRING ${filled} 0 12 commit)
    endif()
  endif()
  set(${result} "${commit}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  tarry_commit(${TARRY_SOURCE} commit)
  message("${commit}")
endif()
