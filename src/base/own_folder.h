/* A folder of this user in a place that others can write to: /tmp, a project's folder. Between two steps
 * another user could put a link or another folder under the same name. So the path is resolved once; each
 * later step works relative to the open folder and its open parent.
 *
 *	struct own_folder folder;
 *
 *	if (own_folder_open("app.check", &folder)) {
 *		own_folder_remove_files(&folder, is_temporary);
 *		own_folder_remove(&folder);                          only if it is empty
 *		own_folder_close(&folder);
 *	}
 *
 * All return false with the reason in errno. EPERM: the folder belongs to another user, or
 * others can write to it. */
#ifndef TARRY_BASE_OWN_FOLDER_H
#define TARRY_BASE_OWN_FOLDER_H

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>

struct own_folder {
	int above, fd;           /* the parent folder, and the folder itself */
	char name[NAME_MAX + 1]; /* in the parent folder */
};

/* Only an existing folder. A link is not a folder: ENOTDIR. */
bool own_folder_open(const char *path, struct own_folder *folder);
/* Created if it does not exist. */
bool own_folder_make(const char *path, struct own_folder *folder);
void own_folder_close(const struct own_folder *folder);

/* The same where the parent folder is not needed: a descriptor, or -1. */
int private_folder_find(const char *path);
int private_folder_open(const char *path); /* created if it does not exist */

/* The names in any open folder, with a separate read position; NULL: it cannot be listed. */
DIR *folder_list(int folder);
/* True if a file in it has a name that begins with the prefix. */
bool folder_has_file(int folder, const char *prefix);
/* Files whose names the function accepts; folders stay. */
void own_folder_remove_files(const struct own_folder *folder, bool (*is_removed)(const char *name));
/* Fails if the folder is not empty, or if its name now refers to another folder. */
bool own_folder_remove(const struct own_folder *folder);
/* Removes the files that the function accepts and then the folder, if it is empty. */
void own_folder_discard(const char *path, bool (*is_removed)(const char *name));
/* Renames it within the parent folder. Nothing is replaced: EEXIST. */
bool own_folder_rename(const struct own_folder *folder, const char *name);

#endif
