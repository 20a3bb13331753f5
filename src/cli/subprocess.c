#include "cli/subprocess.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool start(const char *path, const char *const *words, int output, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int failed;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	failed = posix_spawn(child, path, &actions, NULL, (char *const *)(uintptr_t)words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return !failed;
}

/* False: the word came before the end. */
static bool read_answer(int input, const char *word, struct text *answer)
{
	char bytes[4096];
	ssize_t size;

	while (answer->length < OUTPUT_MAX && (size = read(input, bytes, sizeof bytes)) > 0) {
		text_add_bytes(answer, bytes, (size_t)size);
		if (word && strstr(text_get(answer), word))
			return false;
	}
	return answer->length < OUTPUT_MAX;
}

int capture_output(const char *path, const char *const *words, const char *word, struct text *answer)
{
	int ends[2], status = -1;
	bool is_whole;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	if (!start(path, words, ends[1], &child)) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	close(ends[1]);
	is_whole = read_answer(ends[0], word, answer);
	close(ends[0]);
	if (!is_whole)
		return kill(child,
		            SIGTERM); /* it may first wait for what it has started: nobody waits for it */
	if (waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
