/* Error handling: a function that can fail returns `enum status` and leaves one sentence about the error on
 * the trail; each caller may add what it was doing. Libraries never print and never exit: only the command
 * line shows the trail.
 *
 *	enum status load(const char *path)
 *	{
 *		int fd = open(path, O_RDONLY);
 *		if (fd < 0)
 *			return fail("cannot open '%s': %s", path, strerror(errno));
 *		TRY(read_header(fd));
 *		return OK;
 *	}
 *
 * The trail belongs to the thread. Output arguments come last and are set only on success. */
#ifndef TARRY_BASE_STATUS_H
#define TARRY_BASE_STATUS_H

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

enum status { OK = 0, FAILED = 1 };

/* Starts a new trail with the innermost cause. Returns FAILED. */
enum status fail(const char *format, ...) PRINTF_LIKE(1, 2) MUST_CHECK;

/* Adds what the caller was doing when it failed. Returns FAILED. */
enum status because(const char *format, ...) PRINTF_LIKE(1, 2) MUST_CHECK;

/* The whole trail as one line, outermost first: "reading 'x.tarry': chunk 3: wrong checksum".
 * Valid until the next fail() of this thread. */
const char *trail_text(void);

#define TRY(call) \
	do { \
		if ((call) != OK) \
			return FAILED; \
	} while (0)

#define TRY_BECAUSE(call, ...) \
	do { \
		if ((call) != OK) \
			return because(__VA_ARGS__); \
	} while (0)

#endif
