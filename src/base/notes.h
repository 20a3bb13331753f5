/* Notes: messages from the libraries in the user's job. They never use the program's own streams: a note is a
 * line in a file next to the trace, and the front end shows it after the run. A note that several processes
 * write in the same words appears once. */
#ifndef TARRY_BASE_NOTES_H
#define TARRY_BASE_NOTES_H

/* Such a note says what the checker did not check and how to check it. */
#define UNCHECKED_NOTE "not checked: "

/* Opens the parts folder of a trace, creates it if necessary, and writes its path to a buffer of PATH_MAX
 * bytes. -1: errno; see base/files.h. */
int parts_folder_open(const char *output, char *path);

/* Best effort: a failure cannot be reported anywhere. */
void note_write(const char *output, const char *sentence);
/* The same for an open folder, whatever its name is now. */
void note_write_at(int folder, const char *sentence);

#endif
