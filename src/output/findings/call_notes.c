#include "output/findings/call_notes.h"

#include "calls/calls.h"
#include "language/language.h"

#include <string.h>

const char *findings_function(const struct check_call *call)
{
	const bool is_access = strcmp(call->note, NOTE_READ) == 0 || strcmp(call->note, NOTE_WRITTEN) == 0;

	return is_access ? "" : all_calls[call->function].name;
}

const char *findings_note(const char *note, const char *lang)
{
	/* Other notes are English words themselves. */
	static const struct {
		const char *note, *words;
	} special[] = {{NOTE_SENT, "message|sent"},
	               {NOTE_RECEIVED, "message|received"},
	               {NOTE_BEHIND, "waits for these"},
	               {NOTE_ENDED, "has finished"}};

	for (size_t i = 0; i < sizeof special / sizeof *special; i++)
		if (strcmp(special[i].note, note) == 0)
			return translate(lang, special[i].words);
	return translate_value(lang, note);
}
