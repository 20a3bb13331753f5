#include "output/report/phrases.h"

#include <string.h>

static const char *english_form(const struct noun_forms *forms, uint64_t number)
{
	return number == 1 ? forms->one : forms->many;
}

/* 1 вызов, 21 вызов; 2 вызова, 34 вызова; 5 вызовов, 11 вызовов. */
static const char *russian_form(const struct noun_forms *forms, uint64_t number)
{
	uint64_t last = number % 10;

	if (number % 100 / 10 == 1 || last == 0 || last >= 5)
		return forms->many;
	return last == 1 ? forms->one : forms->few;
}

static const struct language languages[] = {
	{
		.lang = "en",
		.form = english_form,
		.phrases =
			{
				[PHRASE_IN_TIME] = " in ",
				[PHRASE_ON_NODES] = " on ",
				[PHRASE_OF_ALL_TIME] = " of all time",
				[PHRASE_LIKELY] = "likely",
				[PHRASE_SUSPICION] = "a suspicion",
				[PHRASE_RANK] = "rank ",
				[PHRASE_RANKS] = "ranks ",
				[PHRASE_AND] = " and ",
				[PHRASE_MORE] = " more",
				[PHRASE_AT_PLACE] = " at ",
				[PHRASE_THREAD] = "thread ",
				[PHRASE_WHERE] = "where",
				[PHRASE_PARTNER] = "partner",
				[PHRASE_PATH] = "path",
				[PHRASE_COST] = "cost",
				[PHRASE_SPREAD] = "spread",
				[PHRASE_WHAT] = "what",
				[PHRASE_ADVICE] = "advice",
				[PHRASE_MEAN] = ", mean ",
				[PHRASE_WORST] = ", worst ",
				[PHRASE_AT_TIME] = "at ",
				[PHRASE_REST] = "and ",
				[PHRASE_SEE_ALL] = ": see --all",
				[PHRASE_NOTHING_THAT_MATTERS] = "Nothing that matters was found.",
				[PHRASE_NOTHING] =
					"Nothing was found: no problem that the rules describe occurs in this trace.",
				[PHRASE_NO_PROBLEM] = "Nothing was found: the rules describe no problem.",
				[PHRASE_NOTE] = "note: ",
				[PHRASE_PARALLEL_EFFICIENCY] = "parallel efficiency",
				[PHRASE_LOAD_BALANCE] = "load balance",
				[PHRASE_COMMUNICATION_EFFICIENCY] = "communication efficiency",
				[PHRASE_PARALLEL_FORMULA] = "mean computing time / length of the run",
				[PHRASE_BALANCE_FORMULA] = "mean computing time / longest",
				[PHRASE_COMMUNICATION_FORMULA] = "longest computing time / length",
				[PHRASE_TIME_BY_FUNCTION] = "Time by function, of all processes",
				[PHRASE_TIME_BY_PLACE] = "Time by call path, of all processes",
				[PHRASE_COMPUTING] = "computing (not MPI)",
				[PHRASE_MESSAGE_SIZES] = "Messages by size",
				[PHRASE_EMPTY] = "empty",
				[PHRASE_FROM] = "from ",
				[PHRASE_MATRIX] = "Bytes sent, from the rank on the left to the rank above",
				[PHRASE_EACH_LETTER] = "each letter stands for ",
				[PHRASE_TIMES_RANKS] = " ranks",
				[NOTE_PARTS] =
					"the job still runs, or was killed: what it had recorded was analysed",
				[NOTE_ONLY] = "only ",
				[NOTE_OF] = " of ",
				[NOTE_OTHERS_MISSING] =
					" processes are in the trace: waiting for the others cannot be told",
				[NOTE_SELECTION] = "only a part was recorded (",
				[NOTE_SELECTION_REST] = "): what else happened cannot be told",
				[NOTE_UNTRACED] = " was not recorded, of which ",
				[NOTE_UNTRACED_REST] = " is made: record with 'tarry run --rules'",
				[NOTE_STOLEN] = "processes waited for a processor ",
				[NOTE_STOLEN_SHARE] = " of the time",
				[NOTE_STOLEN_OF_THEM] = " of them on ",
				[NOTE_STOLEN_LEFT_OUT] =
					": who was late for that reason is not in the list; ",
				[NOTE_STOLEN_CROWDED] = "give each process a processor of its own",
				[NOTE_STOLEN_SHARED] =
					"something else ran on the same processors, or threads of these processes did",
			},
		.nouns =
			{
				[NOUN_PROCESS] = {"process", "processes", "processes"},
				[NOUN_NODE] = {"node", "nodes", "nodes"},
				[NOUN_CALL] = {"call", "calls", "calls"},
				[NOUN_FINDING] = {"finding", "findings", "findings"},
				[NOUN_MORE_FINDING] = {"more finding of ", "more findings of ",
                                                       "more findings of "},
				[NOUN_TIME] = {"time", "times", "times"},
				[NOUN_MESSAGE] = {"message", "messages", "messages"},
				[NOUN_LINE] = {"more line", "more lines", "more lines"},
				[NOUN_PLACE] = {"more place", "more places", "more places"},
				[NOUN_CORE] = {"core", "cores", "cores"},
				[NOTED_BLIND] = {"process was not recorded to its end",
                                                 "processes were not recorded to their end",
                                                 "processes were not recorded to their end"},
				[NOTED_UNFINISHED] =
					{"process ended without MPI_Finalize: it was analysed up to there",
                                         "processes ended without MPI_Finalize: they were analysed up to there",
                                         "processes ended without MPI_Finalize: they were analysed up to there"},
				[NOTED_ORDER] =
					{"effect came before its cause by the clocks: times were corrected",
                                         "effects came before their causes by the clocks: times were corrected",
                                         "effects came before their causes by the clocks: times were corrected"},
				[NOTED_SENDS] = {"message was sent whose receive is not in the trace",
                                                 "messages were sent whose receives are not in the trace",
                                                 "messages were sent whose receives are not in the trace"},
				[NOTED_RECEIVES] =
					{"message was received whose send is not in the trace",
                                         "messages were received whose sends are not in the trace",
                                         "messages were received whose sends are not in the trace"},
				[NOTED_INCOMPLETE] = {"collective operation lacks a process",
                                                      "collective operations lack processes",
                                                      "collective operations lack processes"},
				[NOTED_MIXED] = {"collective operation was made of different calls",
                                                 "collective operations were made of different calls",
                                                 "collective operations were made of different calls"},
				[NOTED_FORCED] = {"call waits for something that never comes in the trace",
                                                  "calls wait for something that never comes in the trace",
                                                  "calls wait for something that never comes in the trace"},
				[NOTED_PASSED_OVER] =
					{"call was passed over: with whom it communicates cannot be told",
                                         "calls were passed over: with whom they communicate cannot be told",
                                         "calls were passed over: with whom they communicate cannot be told"},
			},
	},
	{
		.lang = "ru",
		.form = russian_form,
		.phrases =
			{
				[PHRASE_IN_TIME] = " за ",
				[PHRASE_ON_NODES] = " на ",
				[PHRASE_OF_ALL_TIME] = " всего времени",
				[PHRASE_LIKELY] = "вероятно",
				[PHRASE_SUSPICION] = "подозрение",
				[PHRASE_RANK] = "ранг ",
				[PHRASE_RANKS] = "ранги ",
				[PHRASE_AND] = " и ещё ",
				[PHRASE_MORE] = "",
				[PHRASE_AT_PLACE] = ", ",
				[PHRASE_THREAD] = "нить ",
				[PHRASE_WHERE] = "где",
				[PHRASE_PARTNER] = "партнёр",
				[PHRASE_PATH] = "путь",
				[PHRASE_COST] = "цена",
				[PHRASE_SPREAD] = "разброс",
				[PHRASE_WHAT] = "что",
				[PHRASE_ADVICE] = "совет",
				[PHRASE_MEAN] = ", в среднем ",
				[PHRASE_WORST] = ", худший случай ",
				[PHRASE_AT_TIME] = "в момент ",
				[PHRASE_REST] = "и ещё ",
				[PHRASE_SEE_ALL] = ": см. --all",
				[PHRASE_NOTHING_THAT_MATTERS] = "Ничего существенного не найдено.",
				[PHRASE_NOTHING] =
					"Ничего не найдено: проблем, описанных правилами, в этой трассе нет.",
				[PHRASE_NO_PROBLEM] =
					"Ничего не найдено: правила не описывают ни одной проблемы.",
				[PHRASE_NOTE] = "примечание: ",
				[PHRASE_PARALLEL_EFFICIENCY] = "параллельная эффективность",
				[PHRASE_LOAD_BALANCE] = "сбалансированность нагрузки",
				[PHRASE_COMMUNICATION_EFFICIENCY] = "эффективность обменов",
				[PHRASE_PARALLEL_FORMULA] = "среднее время вычислений / длительность",
				[PHRASE_BALANCE_FORMULA] = "среднее время вычислений / наибольшее",
				[PHRASE_COMMUNICATION_FORMULA] = "наибольшее время вычислений / длительность",
				[PHRASE_TIME_BY_FUNCTION] = "Время по функциям, всех процессов",
				[PHRASE_TIME_BY_PLACE] = "Время по путям вызова, всех процессов",
				[PHRASE_COMPUTING] = "вычисления (не MPI)",
				[PHRASE_MESSAGE_SIZES] = "Сообщения по размеру",
				[PHRASE_EMPTY] = "пустые",
				[PHRASE_FROM] = "от ",
				[PHRASE_MATRIX] = "Послано байт: от ранга слева рангу сверху",
				[PHRASE_EACH_LETTER] = "каждый знак: ",
				[PHRASE_TIMES_RANKS] = " рангов",
				[NOTE_PARTS] =
					"задание ещё выполняется или было прервано: разобрано то, что успело записаться",
				[NOTE_ONLY] = "только ",
				[NOTE_OF] = " из ",
				[NOTE_OTHERS_MISSING] =
					" процессов есть в трассе: об ожидании остальных ничего сказать нельзя",
				[NOTE_SELECTION] = "записана только часть (",
				[NOTE_SELECTION_REST] = "): что было кроме неё, сказать нельзя",
				[NOTE_UNTRACED] = " не записывалась, а из неё состоит ",
				[NOTE_UNTRACED_REST] = ": запишите с 'tarry run --rules'",
				[NOTE_STOLEN] = "процессы ждали процессора ",
				[NOTE_STOLEN_SHARE] = " времени",
				[NOTE_STOLEN_OF_THEM] = " из них на ",
				[NOTE_STOLEN_LEFT_OUT] = ": опоздавших по этой причине в списке нет; ",
				[NOTE_STOLEN_CROWDED] = "дайте каждому процессу свой процессор",
				[NOTE_STOLEN_SHARED] =
					"на тех же процессорах работало что-то ещё или нити этих же процессов",
			},
		.nouns =
			{
				[NOUN_PROCESS] = {"процесс", "процесса", "процессов"},
				[NOUN_NODE] = {"узле", "узлах", "узлах"},
				[NOUN_CALL] = {"вызов", "вызова", "вызовов"},
				[NOUN_FINDING] = {"находка", "находки", "находок"},
				[NOUN_MORE_FINDING] = {"находка на ", "находки на ", "находок на "},
				[NOUN_TIME] = {"раз", "раза", "раз"},
				[NOUN_MESSAGE] = {"сообщение", "сообщения", "сообщений"},
				[NOUN_LINE] = {"строка", "строки", "строк"},
				[NOUN_PLACE] = {"место", "места", "мест"},
				[NOUN_CORE] = {"ядре", "ядрах", "ядрах"},
				[NOTED_BLIND] = {"процесс записан не до конца",
                                                 "процесса записаны не до конца",
                                                 "процессов записано не до конца"},
				[NOTED_UNFINISHED] =
					{"процесс завершился без MPI_Finalize: он разобран до этого места",
                                         "процесса завершились без MPI_Finalize: они разобраны до этого места",
                                         "процессов завершилось без MPI_Finalize: они разобраны до этого места"},
				[NOTED_ORDER] =
					{"следствие по часам наступило раньше причины: времена исправлены",
                                         "следствия по часам наступили раньше причин: времена исправлены",
                                         "следствий по часам наступило раньше причин: времена исправлены"},
				[NOTED_SENDS] = {"сообщение послано, но его приёма нет в трассе",
                                                 "сообщения посланы, но их приёма нет в трассе",
                                                 "сообщений послано, но их приёма нет в трассе"},
				[NOTED_RECEIVES] = {"сообщение принято, но его посылки нет в трассе",
                                                    "сообщения приняты, но их посылки нет в трассе",
                                                    "сообщений принято, но их посылки нет в трассе"},
				[NOTED_INCOMPLETE] = {"коллективной операции не хватает процесса",
                                                      "коллективным операциям не хватает процессов",
                                                      "коллективным операциям не хватает процессов"},
				[NOTED_MIXED] = {"коллективная операция составлена из разных вызовов",
                                                 "коллективные операции составлены из разных вызовов",
                                                 "коллективных операций составлено из разных вызовов"},
				[NOTED_FORCED] = {"вызов ждёт того, чего в трассе нет",
                                                  "вызова ждут того, чего в трассе нет",
                                                  "вызовов ждут того, чего в трассе нет"},
				[NOTED_PASSED_OVER] =
					{"вызов пропущен: нельзя сказать, с кем он обменивается",
                                         "вызова пропущены: нельзя сказать, с кем они обмениваются",
                                         "вызовов пропущено: нельзя сказать, с кем они обмениваются"},
			},
	},
};

/* What is called otherwise in programs that use UPC. */
static const struct language of_upc[][PARADIGMS_END] = {
	{
		[PARADIGM_UPC] =
			{.otherwise = &languages[0],
                         .phrases =
                                 {[PHRASE_RANK] = "thread ",
                                  [PHRASE_RANKS] = "threads ",
                                  [PHRASE_THREAD] = "thread of the system ",
                                  [PHRASE_TIME_BY_FUNCTION] = "Time by function, of all threads",
                                  [PHRASE_TIME_BY_PLACE] = "Time by call path, of all threads",
                                  [PHRASE_COMPUTING] = "computing (not UPC)",
                                  [PHRASE_MESSAGE_SIZES] = "Accesses to memory of other threads by size",
                                  [PHRASE_MATRIX] =
                                          "Bytes moved, from the thread on the left to the thread above",
                                  [PHRASE_TIMES_RANKS] = " threads",
                                  [NOTE_OTHERS_MISSING] =
                                          " threads are in the trace: waiting for the others cannot be told",
                                  [NOTE_STOLEN] = "threads waited for a processor ",
                                  [NOTE_STOLEN_CROWDED] = "give each thread a processor of its own",
                                  [NOTE_STOLEN_SHARED] = "something else ran on the same processors"},
                         .nouns = {[NOUN_PROCESS] = {"thread", "threads", "threads"},
                                   [NOUN_MESSAGE] = {"access", "accesses", "accesses"},
                                   [NOTED_BLIND] = {"thread was not recorded to its end",
                                                    "threads were not recorded to their end",
                                                    "threads were not recorded to their end"},
                                   [NOTED_UNFINISHED] =
                                           {"thread ended without upc_exit: it was analysed up to there",
                                            "threads ended without upc_exit: they were analysed up to there",
                                            "threads ended without upc_exit: they were analysed up to there"},
                                   [NOTED_INCOMPLETE] = {"collective operation lacks a thread",
                                                         "collective operations lack threads",
                                                         "collective operations lack threads"}}},
		[PARADIGM_BOTH] =
			{.otherwise = &languages[0],
                         .phrases = {[PHRASE_COMPUTING] = "computing (not MPI, UPC)",
                                     [PHRASE_MESSAGE_SIZES] =
                                             "Messages, and accesses to memory of others, by size",
                                     [PHRASE_MATRIX] =
                                             "Bytes moved, from the rank on the left to the rank above"}},
	},
	{
		[PARADIGM_UPC] =
			{.otherwise = &languages[1],
                         .phrases =
                                 {[PHRASE_RANK] = "поток ",
                                  [PHRASE_RANKS] = "потоки ",
                                  [PHRASE_THREAD] = "нить системы ",
                                  [PHRASE_TIME_BY_FUNCTION] = "Время по функциям, всех потоков",
                                  [PHRASE_TIME_BY_PLACE] = "Время по путям вызова, всех потоков",
                                  [PHRASE_COMPUTING] = "вычисления (не UPC)",
                                  [PHRASE_MESSAGE_SIZES] = "Обращения к памяти других потоков по размеру",
                                  [PHRASE_MATRIX] = "Перемещено байт: от потока слева потоку сверху",
                                  [PHRASE_TIMES_RANKS] = " потоков",
                                  [NOTE_OTHERS_MISSING] =
                                          " потоков есть в трассе: об ожидании остальных ничего сказать нельзя",
                                  [NOTE_STOLEN] = "потоки ждали процессора ",
                                  [NOTE_STOLEN_CROWDED] = "дайте каждому потоку свой процессор",
                                  [NOTE_STOLEN_SHARED] = "на тех же процессорах работало что-то ещё"},
                         .nouns = {[NOUN_PROCESS] = {"поток", "потока", "потоков"},
                                   [NOUN_MESSAGE] = {"обращение", "обращения", "обращений"},
                                   [NOTED_BLIND] = {"поток записан не до конца",
                                                    "потока записаны не до конца",
                                                    "потоков записано не до конца"},
                                   [NOTED_UNFINISHED] =
                                           {"поток завершился без upc_exit: он разобран до этого места",
                                            "потока завершились без upc_exit: они разобраны до этого места",
                                            "потоков завершилось без upc_exit: они разобраны до этого места"},
                                   [NOTED_INCOMPLETE] = {"коллективной операции не хватает потока",
                                                         "коллективным операциям не хватает потоков",
                                                         "коллективным операциям не хватает потоков"}}},
		[PARADIGM_BOTH] = {.otherwise = &languages[1],
                                   .phrases = {[PHRASE_COMPUTING] = "вычисления (не MPI, UPC)",
                                               [PHRASE_MESSAGE_SIZES] =
                                                       "Сообщения и обращения к чужой памяти по размеру",
                                               [PHRASE_MATRIX] =
                                                       "Перемещено байт: от ранга слева рангу сверху"}},
	},
};

enum { LANGUAGES = sizeof languages / sizeof *languages };

_Static_assert(sizeof of_upc / sizeof *of_upc == LANGUAGES, "every language has words for UPC");

static size_t find_language(const char *lang)
{
	for (size_t i = 1; i < LANGUAGES && lang; i++)
		if (strcmp(languages[i].lang, lang) == 0)
			return i;
	return 0;
}

const struct language *language_of(const char *lang, enum paradigm paradigm)
{
	size_t number = find_language(lang);

	return paradigm == PARADIGM_MPI ? &languages[number] : &of_upc[number][paradigm];
}

const char *language_phrase(const struct language *language, enum wording number)
{
	const char *own = language->phrases[number];

	return own || !language->otherwise ? own : language->otherwise->phrases[number];
}

void add_counted(struct text *out, const struct language *language, uint64_t number, enum noun noun)
{
	const struct language *general = language->otherwise ? language->otherwise : language;
	const struct noun_forms *forms = language->nouns[noun].one ? &language->nouns[noun]
	                                                           : &general->nouns[noun];

	text_add_count(out, number);
	text_add(out, " %s", general->form(forms, number));
}
