#include "base/whole_files.h"

#include "base/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool text_add_rest(struct text *text, int fd, size_t most)
{
	char part[1 << 14];
	ssize_t got;

	while ((got = read(fd, part, sizeof part)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if ((size_t)got > most) {
			text_add_bytes(text, part, most);
			errno = EFBIG;
			return false;
		}
		text_add_bytes(text, part, (size_t)got);
		most -= (size_t)got;
	}
	return true;
}

bool text_add_user_file(struct text *text, const char *path, size_t most)
{
	int fd = open_user_file(path, O_RDONLY), error;
	bool is_whole = fd >= 0 && text_add_rest(text, fd, most);

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return is_whole;
}
