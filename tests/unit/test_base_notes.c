/* Notes: what many processes say in the same words is there once, and saying it takes little of a stack that is the program's. */
#define _GNU_SOURCE
#include "base/files.h"
#include "base/notes.h"
#include "base/own_folder.h"
#include "base/settings.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

/* The sanitizer has frames of another size. */
#ifdef __SANITIZE_ADDRESS__
enum { STACK = 1 << 18 };
#else
enum { STACK = 12 << 10 };
#endif
enum { GUARD = 1 << 16, SENTENCES = 100 };

static char path[] = "/tmp/tarry-notes-XXXXXX";
static int folder;

static int begin(void **state)
{
	(void)state;
	if (!mkdtemp(path))
		return -1;
	folder = private_folder_open(path);
	return folder < 0 ? -1 : 0;
}

static int end(void **state)
{
	(void)state;
	unlinkat(folder, NOTES_FILE, 0);
	close(folder);
	return rmdir(path);
}

static size_t count_lines(const char *line)
{
	FILE *notes = fdopen(openat(folder, NOTES_FILE, O_RDONLY), "r");
	char text[1024];
	size_t count = 0;

	assert_non_null(notes);
	while (fgets(text, sizeof text, notes)) {
		text[strcspn(text, "\n")] = '\0';
		count += !line || strcmp(text, line) == 0;
	}
	fclose(notes);
	return count;
}

/* Lines of all lengths, so that they cross all boundaries of reads. */
static void make_sentence(char *sentence, int n)
{
	memset(sentence, 'a' + n % 26, (size_t)n);
	snprintf(sentence + n, 16, "%d", n);
}

static void what_was_said_is_not_said_again(void **state)
{
	char sentence[256];

	(void)state;
	for (int round = 0; round < 3; round++)
		for (int n = 0; n < SENTENCES; n++) {
			make_sentence(sentence, n);
			note_write_at(folder, sentence);
		}
	assert_int_equal(count_lines(NULL), SENTENCES);
	note_write_at(folder, "99"); /* the end of another is another */
	note_write_at(folder, "99");
	assert_int_equal(count_lines("99"), 1);
}

static ucontext_t here, there;

static void say_something(void)
{
	note_write_at(folder, "on a small stack");
}

static void it_takes_little_of_the_stack(void **state)
{
	char *memory = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(memory != MAP_FAILED);
	assert_int_equal(mprotect(memory, GUARD, PROT_NONE), 0);
	assert_int_equal(getcontext(&there), 0);
	there.uc_stack.ss_sp = memory + GUARD;
	there.uc_stack.ss_size = STACK;
	there.uc_link = &here;
	makecontext(&there, say_something, 0);
	assert_int_equal(swapcontext(&here, &there), 0);
	assert_int_equal(count_lines("on a small stack"), 1);
	munmap(memory, GUARD + STACK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_said_is_not_said_again),
		cmocka_unit_test(it_takes_little_of_the_stack),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
