#include "output/findings/wording.h"

#include "calls/calls.h"

#include <string.h>

static const char *const words[FINDINGS_WORDS_END][CHECK_LANGUAGES] = {
	[WORD_ERROR] = {"error", "ошибка"},
	[WORD_WARNING] = {"warning", "предупреждение"},
	[WORD_NOTE_FOUND] = {"note", "замечание"},
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
	[WORD_AND_OTHERS] = {"and ", "и ещё "},
	[WORD_NEAR] = {"near ", "около "},
	[WORD_NOTHING] = {"No errors found.", "Ошибок не найдено."},
	[WORD_NOTHING_SO_FAR] = {"No errors found in what was checked.", "В проверенном ошибок не найдено."},
	[WORD_FOUND] = {"Found ", "Найдено: "},
	[WORD_COMMA] = {", ", ", "},
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
	[WORD_LIVING_ANALYSER] =
		{"the analyser that writes '$1' is still at work; look again when the job is over.",
                 "анализатор, пишущий '$1', ещё работает; повторите, когда задание закончится."},
	[WORD_DAMAGED] = {"'$1' is damaged: $2 bytes could not be read.",
                          "'$1' повреждён: не прочитано байт: $2."},
	[WORD_INTERRUPTED] = {"the job was interrupted.", "задание прервано."},
	[WORD_VANISHED] = {"vanished without MPI_Finalize (crash or kill): $1.",
                           "исчезли без MPI_Finalize (авария или kill): $1."},
	[WORD_ENDED_BY_ERROR] =
		{"ended without MPI_Finalize: $1; MPI may have ended the job because of an error below.",
                 "закончились без MPI_Finalize: $1; возможно, MPI завершил задание из-за ошибки ниже."},
	[WORD_ENDED_BY_MPI] = {"MPI ended the job because of an error below: $1.",
                               "MPI завершил задание из-за ошибки ниже: $1."},
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
	[WORD_WAITS] = {"waits", "ждёт"},
	[WORD_BEHIND] = {"waits for these", "ждёт их"},
	[WORD_ENDED] = {"has finished", "завершился"},
	[WORD_LATE] = {"late", "опаздывает"},
	[WORD_RUNS] = {"runs", "работает"},
	[WORD_BEGAN] = {"began", "начато"},
	[WORD_READ] = {"read", "чтение"},
	[WORD_WRITTEN] = {"written", "запись"},
	[WORD_WAITS_FOR_MESSAGE] = {"waits for a message from $1", "ждёт сообщения от $1"},
	[WORD_WAITS_FOR_RECEIVE] = {"waits until $1 the message", "ждёт приёма сообщения $1"},
	[WORD_WAITS_FOR_COLLECTIVE] = {"waits until $1 $2", "ждёт вызова $2 $1"},
	[WORD_WAITS_FOR_SAME_CALL] = {"waits until $1 the same collective functions",
                                      "ждёт тех же коллективных вызовов $1"},
	[WORD_WAITS_FOR_EXPOSURE] = {"waits until $1 MPI_Win_post", "ждёт вызова MPI_Win_post $1"},
	[WORD_WAITS_FOR_ACCESS] = {"waits until $1 MPI_Win_complete", "ждёт вызова MPI_Win_complete $1"},
	[WORD_WAITS_FOR_LOCK] = {"waits until $1 the window", "ждёт снятия блокировки окна $1"},
	[WORD_WAITS_FOR] = {"waits for $1", "ждёт $1"},
	[WORD_EACH] = {"each ", "каждый "},
	[WORD_ANY_OF_THESE] = {"any one of these would let it continue:",
                               "для продолжения достаточно одного:"},
	[WORD_ALL_OF_THESE] = {"needs all of these to continue:", "для продолжения нужно всё:"},
	[WORD_HAS_FINISHED] = {"has finished and makes no more MPI calls",
                               "завершился и больше не вызывает MPI"},
	[WORD_REQUEST_OF] = {"the request is from ", "запрос создан в "},
	[WORD_LAST_CALL] = {"outside MPI; last call: ", "вне MPI; последний вызов: "},
	[WORD_LAST_CALL_OF_LATE] = {"last call: ", "последний вызов: "},
	[WORD_IS_LATE] = {"the others wait for it", "остальные ждут его"},
	[WORD_MORE_OF_CYCLE] = {"$1 more processes, each waits for the next one:",
                                "ещё процессов: $1, каждый ждёт следующего:"},
	[WORD_MORE_PROCESSES] = {"Processes not shown here: $1.", "Не показано процессов: $1."},
	[WORD_WAIT_FOR_THESE] = {"Other processes wait for these:", "Этих процессов ждут остальные:"},
	[WORD_ALSO_BEHIND] = {"Other processes wait for these: ranks $1, for example",
                              "Этих процессов ждут остальные, ранги $1, например"},
	[WORD_WHERE_ALL_ARE] = {"Where every process is, the late ones first:",
                                "Где находится каждый процесс, опаздывающие первыми:"},
	[WORD_ENDED_AFTER_DEADLOCK] = {"The run was ended after a deadlock. Checked up to there: ",
                                       "Запуск завершён после взаимной блокировки. Проверено до неё: "},
	[WORD_ENDED_AFTER_HANG] = {"The run was ended after a hang. Checked up to there: ",
                                   "Запуск завершён после зависания. Проверено до него: "},
	[WORD_STOPPED] = {"the run was ended after a deadlock or a hang.",
                          "запуск завершён после взаимной блокировки или зависания."},
	[WORD_NO_DEADLOCK] = {"No deadlock or hang was found.",
                              "Взаимных блокировок и зависаний не найдено."},
};

/* "$1" is the list of ranks. Russian has cases ("от ранга 1", "рангом 1"), English verbs in two numbers. */
#define BY_RANKS(verb, verbs) \
	{ \
		{"rank $1 " verb, "рангом $1"}, {"ranks $1 " verbs, "рангами $1"}, \
		{ \
			"any of ranks $1 " verb, "любым из рангов $1" \
		} \
	}

static const char *const partners[WAIT_FORMS_END][WAIT_NUMBERS_END][CHECK_LANGUAGES] = {
	[FORM_OF] = {{"rank $1", "ранга $1"},
                     {"each of ranks $1", "каждого из рангов $1"},
                     {"any of ranks $1", "любого из рангов $1"}},
	[FORM_CALLS] = BY_RANKS("calls", "call"),
	[FORM_RECEIVES] = BY_RANKS("receives", "receive"),
	[FORM_UNLOCKS] = BY_RANKS("unlocks", "unlock"),
};

/* Few are, of Russian, those that end in 2, 3 or 4. */
struct findings_noun_forms {
	const char *one, *many, *few;
};

static const struct findings_noun_forms nouns[FINDINGS_NOUNS_END][CHECK_LANGUAGES] = {
	[FINDINGS_ERROR] = {{"error", "errors", "errors"}, {"ошибка", "ошибок", "ошибки"}},
	[FINDINGS_WARNING] = {{"warning", "warnings", "warnings"},
                              {"предупреждение", "предупреждений", "предупреждения"}},
	[FINDINGS_NOTE] = {{"note", "notes", "notes"}, {"замечание", "замечаний", "замечания"}},
	[FINDINGS_OTHER_PATH] = {{"other call path", "other call paths", "other call paths"},
                                 {"путь вызова", "путей вызова", "пути вызова"}},
	[FINDINGS_PROCESS] = {{"process", "processes", "processes"}, {"процесс", "процессов", "процесса"}},
};

const char *findings_word(enum findings_word word, enum check_language language)
{
	return words[word][language];
}

static const char *fill(const char *text, struct arena *arena, const char *first, const char *second)
{
	const char *filled = "";

	while (*text) {
		size_t plain = strcspn(text, "$");
		const char *value = text[plain] ? (text[plain + 1] == '1' ? first : second) : "";
		filled = arena_format(arena, "%s%.*s%s", filled, (int)plain, text, value);
		text += plain + (text[plain] ? 2 : 0);
	}
	return filled;
}

const char *fill_findings_word(enum findings_word word, enum check_language language, struct arena *arena,
                               const char *first, const char *second)
{
	return fill(words[word][language], arena, first, second);
}

const char *wait_partner(enum wait_form form, enum wait_number number, enum check_language language,
                         const char *ranks, struct arena *arena)
{
	return fill(partners[form][number][language], arena, ranks, "");
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

const char *findings_function(const struct check_call *call)
{
	const bool is_access = strcmp(call->note, NOTE_READ) == 0 || strcmp(call->note, NOTE_WRITTEN) == 0;

	return is_access ? "" : all_calls[call->function].name;
}

const char *findings_note(const char *note, enum check_language language)
{
	static const struct {
		const char *note;
		enum findings_word word;
	} notes[] = {
		{NOTE_CREATED, WORD_CREATED},   {NOTE_FREED, WORD_FREED},     {NOTE_SENT, WORD_SENT},
		{NOTE_RECEIVED, WORD_RECEIVED}, {NOTE_OTHER, WORD_OTHER},     {NOTE_EARLIER, WORD_EARLIER},
		{NOTE_WAITS, WORD_WAITS},       {NOTE_BEHIND, WORD_BEHIND},   {NOTE_ENDED, WORD_ENDED},
		{NOTE_LATE, WORD_LATE},         {NOTE_RUNS, WORD_RUNS},       {NOTE_BEGAN, WORD_BEGAN},
		{NOTE_READ, WORD_READ},         {NOTE_WRITTEN, WORD_WRITTEN},
	};

	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
		if (strcmp(notes[i].note, note) == 0)
			return findings_word(notes[i].word, language);
	return note;
}
