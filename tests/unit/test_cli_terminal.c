/* The progress bar on a terminal. */
#include "cli/terminal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SHOWN_AFTER_MS = 550 };

/* Whatever is printed after progress_end() begins on an empty line, also if a short activity followed a long one. */
static void no_bar_is_left(void **state)
{
	static const char wiped[] = "\r\033[K";
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), before = dup(STDERR_FILENO), program;
	char text[4096];
	size_t length = 0;
	ssize_t got;

	(void)state;
	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	program = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(program >= 0 && dup2(program, STDERR_FILENO) >= 0);
	setenv("TERM", "xterm", 1);
	progress_begin("analysing");
	usleep(SHOWN_AFTER_MS * 1000);
	progress_show(0.5);
	progress_begin("adding up");
	progress_end();
	dup2(before, STDERR_FILENO);
	close(program);
	/* The kernel may hand over each line apart; the end is an error. */
	while ((got = read(terminal, text + length, sizeof text - length)) > 0)
		length += (size_t)got;
	assert_true(length > strlen(wiped));
	assert_non_null(memmem(text, length, "analysing", strlen("analysing")));
	assert_memory_equal(text + length - strlen(wiped), wiped, strlen(wiped));
}

/* Terminals with 256 colours show what ranks do in colours of the page, others in the nearest of 8. */
static void colours_suit_the_terminal(void **state)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	FILE *stream;

	(void)state;
	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	stream = fopen(ptsname(terminal), "w");
	assert_non_null(stream);
	unsetenv("NO_COLOR");
	unsetenv("COLORTERM");
	setenv("TERM", "xterm", 1);
	assert_string_equal(colour_code(COLOUR_WAITING, stream), "\033[31m");
	setenv("TERM", "xterm-256color", 1);
	assert_string_equal(colour_code(COLOUR_WAITING, stream), "\033[38;5;166m");
	assert_string_equal(colour_code(COLOUR_BAD, stream), "\033[31m");
	setenv("NO_COLOR", "1", 1);
	assert_string_equal(colour_code(COLOUR_WAITING, stream), "");
	fclose(stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_bar_is_left),
	                                   cmocka_unit_test(colours_suit_the_terminal)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
