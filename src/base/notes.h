/* Notes: what the libraries in the user's job have to say. They never use the program's own streams; a note
 * is a line in a file beside the trace-to-be, which the front end shows after the run. What many processes have to say
 * in the same words is there once. */
#ifndef TARRY_BASE_NOTES_H
#define TARRY_BASE_NOTES_H

/* Such a note says what the checker did not check, and how to check it. */
#define UNCHECKED_NOTE "not checked: "

/* The parts folder of a trace, made if need be, and its path in a buffer of PATH_MAX bytes. -1: errno; see
 * base/files.h. */
int parts_folder_open(const char *output, char *path);

/* Best effort: when it cannot be written nobody is left to tell. */
void note_write(const char *output, const char *sentence);
/* Into this folder, whatever its name is by now. */
void note_write_at(int folder, const char *sentence);

#endif
