#include "output/findings/wording.h"

#include "check/protocol/finding.h"

#include <string.h>

static const char *const words[FINDINGS_WORDS_END][CHECK_LANGUAGES] = {
	[WORD_ERROR] = {"error", "ошибка"},
	[WORD_WARNING] = {"warning", "предупреждение"},
	[WORD_RANK] = {"rank ", "ранг "},
	[WORD_RANKS] = {"ranks ", "ранги "},
	[WORD_OF_WORLD] = {" of world ", " мира "},
	[WORD_BEFORE_INIT] = {"before MPI_Init", "до MPI_Init"},
	[WORD_MORE] = {" more", " ещё"},
	[WORD_WITH] = {"with ", "с "},
	[WORD_CALLED_FROM] = {"called from ", "вызов из "},
	[WORD_WHY] = {"why", "почему"},
	[WORD_FIX] = {"fix", "исправить"},
	[WORD_STANDARD] = {"MPI 4.0, section ", "MPI 4.0, раздел "},
	[WORD_SEEN] = {"seen ", "встречено: "},
	[WORD_TIMES_ON] = {" times, on ", "; "},
	[WORD_NEAR] = {"near ", "около "},
	[WORD_NOTHING] = {"No errors found.", "Ошибок не найдено."},
	[WORD_NOTHING_SO_FAR] = {"No errors found in what was checked.", "В проверенном ошибок не найдено."},
	[WORD_FOUND] = {"Found ", "Найдено: "},
	[WORD_AND] = {" and ", ", "},
	[WORD_HIDDEN] = {"Hidden by suppressions: ", "Скрыто подавлениями: "},
	[WORD_UNUSED] = {"Unused suppression: ", "Подавление не понадобилось: "},
	[WORD_NOTE] = {"Note: ", "Примечание: "},
	[WORD_COMPLETE] = {"Check complete: ", "Проверка полная: "},
	[WORD_INCOMPLETE] = {"Check incomplete: ", "Проверка неполная: "},
	[WORD_NOT_CHECKED] = {"Nothing was checked: ", "Ничего не проверено: "},
	[WORD_NO_LOGS] = {"no analyser wrote a log.", "ни один анализатор не записал журнал."},
	[WORD_NO_PROCESS] = {"no process came to the analyser.", "ни один процесс не пришёл к анализатору."},
	[WORD_LOST_ANALYSER] =
		{"the analyser of '$1' was lost; findings that it had not written are missing.",
                 "анализатор, писавший '$1', потерян; незаписанных находок нет."},
	[WORD_DAMAGED] = {"'$1' is damaged: $2 bytes could not be read.",
                          "'$1' повреждён: не прочитано байт: $2."},
	[WORD_INTERRUPTED] = {"the job was interrupted.", "задание прервано."},
	[WORD_VANISHED] = {"vanished without MPI_Finalize (crash or kill): $1.",
                           "исчезли без MPI_Finalize (авария или kill): $1."},
	[WORD_ENDED_BY_ERROR] =
		{"ended without MPI_Finalize: $1; MPI may have ended the job because of an error below.",
                 "закончились без MPI_Finalize: $1; возможно, MPI завершил задание из-за ошибки ниже."},
	[WORD_ABORTED] = {"MPI_Abort ended the job: $1.", "задание завершил MPI_Abort: $1."},
	[WORD_UNCHECKED] = {"not checked to the end: $1.", "проверены не до конца: $1."},
	[WORD_EXITED] = {"ended without MPI_Finalize: $1.", "закончились без MPI_Finalize: $1."},
	[WORD_MISSING] = {"not checked: $1 of $2 processes.", "не проверено процессов: $1 из $2."},
	[WORD_STILL_RUNNING] = {"not ended yet, or lost: $1.", "ещё не закончились или потеряны: $1."},
	[WORD_SUPPRESSIONS] = {"Lines for a suppression file:", "Строки для файла подавлений:"},
	[WORD_CREATED] = {"created", "создано"},
	[WORD_FREED] = {"freed", "освобождено"},
	[WORD_SENT] = {"sent", "отправка"},
	[WORD_RECEIVED] = {"received", "приём"},
	[WORD_OTHER] = {"other", "другой"},
	[WORD_EARLIER] = {"earlier", "ранее"},
};

/* Few are, of Russian, those that end in 2, 3 or 4. */
struct findings_noun_forms {
	const char *one, *many, *few;
};

static const struct findings_noun_forms nouns[FINDINGS_NOUNS_END][CHECK_LANGUAGES] = {
	[FINDINGS_ERROR] = {{"error", "errors", "errors"}, {"ошибка", "ошибок", "ошибки"}},
	[FINDINGS_WARNING] = {{"warning", "warnings", "warnings"},
                              {"предупреждение", "предупреждений", "предупреждения"}},
	[FINDINGS_PROCESS] = {{"process", "processes", "processes"}, {"процесс", "процессов", "процесса"}},
};

const char *findings_word(enum findings_word word, enum check_language language)
{
	return words[word][language];
}

const char *fill_findings_word(enum findings_word word, enum check_language language, struct arena *arena,
                               const char *first, const char *second)
{
	const char *filled = "";

	for (const char *at = words[word][language]; *at;) {
		size_t plain = strcspn(at, "$");
		const char *value = at[plain] ? (at[plain + 1] == '1' ? first : second) : "";
		filled = arena_format(arena, "%s%.*s%s", filled, (int)plain, at, value);
		at += plain + (at[plain] ? 2 : 0);
	}
	return filled;
}

static const char *form_for(const struct findings_noun_forms *forms, uint64_t number,
                            enum check_language language)
{
	if (language == CHECK_ENGLISH)
		return number == 1 ? forms->one : forms->many;
	if (number % 100 / 10 == 1)
		return forms->many;
	if (number % 10 == 1)
		return forms->one;
	return number % 10 >= 2 && number % 10 <= 4 ? forms->few : forms->many;
}

void add_findings_counted(struct text *out, uint64_t number, enum findings_noun noun,
                          enum check_language language)
{
	text_add_count(out, number);
	text_add(out, " %s", form_for(&nouns[noun][language], number, language));
}

const char *findings_note(const char *note, enum check_language language)
{
	static const struct {
		const char *note;
		enum findings_word word;
	} notes[] = {
		{NOTE_CREATED, WORD_CREATED},   {NOTE_FREED, WORD_FREED}, {NOTE_SENT, WORD_SENT},
		{NOTE_RECEIVED, WORD_RECEIVED}, {NOTE_OTHER, WORD_OTHER}, {NOTE_EARLIER, WORD_EARLIER},
	};

	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
		if (strcmp(notes[i].note, note) == 0)
			return findings_word(notes[i].word, language);
	return note;
}
