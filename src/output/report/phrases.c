#include "output/report/phrases.h"

#include <string.h>

enum { ENGLISH, RUSSIAN, LANGUAGES };

/* Few are, of Russian, those that end in 2, 3 or 4; where a language has no such form, it is that of many. */
struct noun_forms {
	const char *one, *many, *few;
};

static const char *const phrases[PHRASES_END][LANGUAGES] = {
	[PHRASE_IN_TIME] = {" in ", " за "},
	[PHRASE_ON_NODES] = {" on ", " на "},
	[PHRASE_OF_ALL_TIME] = {" of total time", " общего времени"},
	[PHRASE_LIKELY] = {"likely", "вероятно"},
	[PHRASE_SUSPICION] = {"suspected", "подозрение"},
	[PHRASE_RANK] = {"rank ", "ранг "},
	[PHRASE_RANKS] = {"ranks ", "ранги "},
	[PHRASE_AND] = {" and ", " и ещё "},
	[PHRASE_MORE] = {" more", ""},
	[PHRASE_AT_PLACE] = {" at ", ", "},
	[PHRASE_THREAD] = {"thread ", "нить "},
	[PHRASE_THREADS] = {"threads ", "нити "},
	[PHRASE_WHERE] = {"where", "где"},
	[PHRASE_PARTNER] = {"partner", "партнёр"},
	[PHRASE_PATH] = {"path", "путь"},
	[PHRASE_COST] = {"cost", "цена"},
	[PHRASE_COST_BY_RANK] = {"ranks", "ранги"},
	[PHRASE_REASON] = {"cause", "причина"},
	[PHRASE_RANGE] = {"spread", "разброс"},
	[PHRASE_ACTION] = {"call", "вызов"},
	[PHRASE_ALL_ACTIONS] = {"in all", "всего"},
	[PHRASE_CERTAINTY] = {"sure", "верно"},
	[PHRASE_MARKS] = {"(a mark for each doubling of the time: # most often, . rarely, _ never)",
                          "(знак на каждое удвоение времени: # чаще всего, . редко, _ никогда)"},
	[PHRASE_LIKELY_MEANS] =
		{"likely: this is the usual reason for what the trace shows; others are possible",
                 "вероятно: обычная причина того, что видно в трассе; возможны и другие"},
	[PHRASE_SUSPICION_MEANS] = {"suspected: the trace shows signs of it; check the source",
                                    "подозрение: в трассе есть признаки; проверьте по исходному тексту"},
	[PHRASE_EXPLAINED_BY] = {"follows from finding ", "следует из находки "},
	[PHRASE_WHAT] = {"what", "что"},
	[PHRASE_ADVICE] = {"advice", "совет"},
	[PHRASE_SUM] = {"sum over the run", "сумма за весь запуск"},
	[PHRASE_MEAN] = {", mean ", ", в среднем "},
	[PHRASE_WORST] = {", longest ", ", дольше всего "},
	[PHRASE_AT_TIME] = {"at ", "в момент "},
	[PHRASE_PREPARATION] = {"preparation", "подготовка"},
	[PHRASE_WAITING_TIME] = {"waiting", "ожидание"},
	[PHRASE_TRANSFER_TIME] = {"transfer", "передача"},
	[PHRASE_REST] = {"and ", "и ещё "},
	[PHRASE_SEE_ALL] = {": see --all", ": см. --all"},
	[PHRASE_NOTHING] = {"No significant wait states found.", "Существенных ожиданий не найдено."},
	[PHRASE_NO_PROBLEM] = {"No problems found: the rules describe none.",
                               "Проблем не найдено: правила не описывают ни одной."},
	[PHRASE_LAYER] =
		{"$1 is the program's own layer around MPI: its calls are shown where it is called",
                 "$1 — собственная прослойка программы над MPI: её вызовы показаны там, откуда она вызвана"},
	[PHRASE_NOTE] = {"note: ", "примечание: "},
	[PHRASE_FOUND] = {"found:", "найдено:"},
	[PHRASE_PARALLEL_EFFICIENCY] = {"parallel efficiency", "параллельная эффективность"},
	[PHRASE_LOAD_BALANCE] = {"load balance", "баланс нагрузки"},
	[PHRASE_COMMUNICATION_EFFICIENCY] = {"communication efficiency", "эффективность обменов"},
	[PHRASE_PARALLEL_FORMULA] = {"mean computing time / length of the run",
                                     "среднее время вычислений / длительность"},
	[PHRASE_BALANCE_FORMULA] = {"mean computing time / longest", "среднее время вычислений / наибольшее"},
	[PHRASE_COMMUNICATION_FORMULA] = {"longest computing time / length",
                                          "наибольшее время вычислений / длительность"},
	[PHRASE_TIME_BY_FUNCTION] = {"Time by function, of all processes",
                                     "Время по функциям, всех процессов"},
	[PHRASE_TIME_BY_PLACE] = {"Time by call path, of all processes",
                                  "Время по путям вызова, всех процессов"},
	[PHRASE_COMPUTING] = {"computing (not MPI)", "вычисления (не MPI)"},
	[PHRASE_MESSAGE_SIZES] = {"Messages by size", "Сообщения по размеру"},
	[PHRASE_EMPTY] = {"empty", "пустые"},
	[PHRASE_FROM] = {"from ", "от "},
	[PHRASE_MATRIX] = {"Bytes sent, from the rank on the left to the rank above",
                           "Послано байт: от ранга слева рангу сверху"},
	[PHRASE_EACH_LETTER] = {"one character: ", "один знак: "},
	[PHRASE_TIMES_RANKS] = {" ranks", " рангов"},
	[PHRASE_CAUSE] = {"Cause", "Причина"},
	[PHRASE_OUTSIDE_RUN] = {"not in shares: ", "не входят в доли: "},
	[PHRASE_START] = {"MPI_Init up to $1", "MPI_Init до $1"},
	[PHRASE_END] = {"MPI_Finalize up to $1", "MPI_Finalize до $1"},
	[PHRASE_PHASES] = {"Regions and phases", "Области и фазы"},
	[PHRASE_TIME_COLUMN] = {"time", "время"},
	[PHRASE_SHARE_COLUMN] = {"share", "доля"},
	[PHRASE_PARALLEL_COLUMN] = {"efficiency", "эффект-ть"},
	[PHRASE_BALANCE_COLUMN] = {"balance", "баланс"},
	[PHRASE_COMMUNICATION_COLUMN] = {"commun.", "обмены"},
	[PHRASE_ITERATIONS] = {"Iterations, as recognised", "Распознанные итерации"},
	[PHRASE_ITERATION] =
		{"$1, each begun by $2: mean $3, from $4 to $5, parallel efficiency $6",
                 "$1, каждую начинает $2: в среднем $3, от $4 до $5, параллельная эффективность $6"},
	[PHRASE_DRIFT_LONGER] = {"; the last third is $1 longer than the first",
                                 "; последняя треть на $1 дольше первой"},
	[PHRASE_DRIFT_SHORTER] = {"; the last third is $1 shorter than the first",
                                  "; последняя треть на $1 короче первой"},
	[PHRASE_DRIFT_TIMES] = {"; the last third takes $1 times as long as the first",
                                "; последняя треть дольше первой в $1 раза"},
	[PHRASE_BY_PROCESS] = {"By process: mean, least, most",
                               "По процессам: среднее, наименьшее, наибольшее"},
	[PHRASE_INSIDE] = {"in MPI", "в MPI"},
	[PHRASE_WAITING] = {"waiting", "ожидание"},
	[PHRASE_BYTES_SENT] = {"sent", "послано"},
	[PHRASE_BYTES_RECEIVED] = {"received", "получено"},
	[PHRASE_CALLS] = {"calls", "вызовы"},
	[PHRASE_LOCAL] = {" (computing)", " (счёт)"},
	[PHRASE_OUTLIER] = {"$1 stands out: $2 $3, median $4", "выделяется $1: $2 $3, медиана $4"},
	[PHRASE_COLLECTIVE_SIZES] = {"Collective operations by bytes that a process sends",
                                     "Коллективные операции по числу посланных процессом байт"},
	[PHRASE_COLLECTIVE_MATRIX] =
		{"Bytes that collective operations move, from the rank on the left to the rank above",
                 "Байт в коллективных операциях: от ранга слева рангу сверху"},
	[PHRASE_IN_PHASE] = {"phase", "фаза"},
	[CAUSE_COMPUTING_SHORT] = {"$1 computing $2 → $3", "$1: счёт $2 → $3"},
	[CAUSE_COMPUTING_LONG] = {"$1 computing between $2 and $3", "$1: счёт между $2 и $3"},
	[CAUSE_COMPUTING_BARE] = {"$1: $2 → $3", "$1: $2 → $3"},
	[CAUSE_WHO] = {"$1", "$1"},
	[CAUSE_CALL_SHORT] = {"$1 in $3", "$1: в $3"},
	[CAUSE_CALL_LONG] = {"$1 in $3, without waiting", "$1: в $3, без ожидания"},
	[CAUSE_NOISE_SHORT] = {"$1 without a CPU", "$1: без процессора"},
	[CAUSE_NOISE_LONG] = {"$1 without a CPU", "$1: без процессора"},
	[CAUSE_TRANSFER_SHORT] = {"the transfer itself", "сама передача"},
	[CAUSE_TRANSFER_LONG] = {"nobody was late: the transfer, or the library",
                                 "никто не опоздал: передача или библиотека"},
	[CAUSE_OTHER_SHORT] = {"smaller causes", "мелкие причины"},
	[CAUSE_OTHER_LONG] = {"smaller causes", "мелкие причины"},
	[CAUSE_UNKNOWN_SHORT] = {"not recorded", "не записано"},
	[CAUSE_UNKNOWN_LONG] = {"not recorded what the late process did",
                                "что делал опоздавший процесс, не записано"},
	[CAUSE_IN_REGION] = {", region $1", ", область $1"},
	[CAUSE_MEAN_SHORT] = {", $1x the mean", ", $1x от среднего"},
	[CAUSE_MEAN_LONG] = {", $1 $2 the mean of all", ", в $1 $2 больше среднего"},
	[CAUSE_ADVICE] = {"Balance the work of finding $1: $2. Changes to this call would help little.",
                          "Выровняйте нагрузку по находке $1: $2. Изменения в этом вызове почти не помогут."},
	[CAUSE_ADVICE_COMPUTING] =
		{" The delay comes from work of $1 (see the cause): shorten it, share it, or do it later.",
                 " Задержка возникает из-за работы ($1, см. причину): сократите её, разделите или "
                 "выполняйте позже."},
	[CAUSE_ADVICE_CALL] =
		{" The delay comes from $2 on $1. Nobody is waited for there: the call itself takes long, not the work around it.",
                 " Задержка возникает в $2 ($1). Ждать там некого: долго длится сам вызов, а не работа вокруг него."},
	[CAUSE_ADVICE_TESTS] = {" The delay comes from tests that find nothing: $2 on $1.",
                                " Задержка возникает из-за безрезультатных проверок: $2 ($1)."},
	[CAUSE_INSTANCES] = {"; in $1 of $2 waits", "; в $1 из $2 ожиданий"},
	[PHRASE_TRUST] = {"Trust: ", "Доверие: "},
	[PHRASE_TRUST_FULL] = {"full", "полное"},
	[PHRASE_TRUST_LIMITED] = {"limited", "частичное"},
	[PHRASE_TRUST_NONE] = {"none", "никакого"},
	[PHRASE_COMPLETE] = {"all processes were recorded completely", "все процессы записаны полностью"},
	[PHRASE_MORE_REASONS] = {" (and $1 more: see --all)", " (и ещё $1: см. --all)"},
	[PHRASE_UNRELIABLE] = {"The findings below cannot be relied on.", "Находкам ниже нельзя доверять."},
	[PHRASE_NOTHING_CONCLUDED] = {"This trace does not show whether there are wait states.",
                                      "По этой трассе нельзя судить, есть ли ожидания."},
	[PHRASE_NOTHING_RECORDED] = {"No significant wait states found in what was recorded.",
                                     "В записанном существенных ожиданий не найдено."},
	[PHRASE_EFFICIENCY] = {"Parallel efficiency", "Параллельная эффективность"},
	[PHRASE_IS_BALANCE] = {" = load balance", " = баланс нагрузки"},
	[PHRASE_TIMES_COMMUNICATION] = {" × communication", " × обмены"},
	[PHRASE_PHASE_LINE] = {"- $1: $2 of the time, efficiency $3", "- $1: $2 времени, эффективность $3"},
	[PHRASE_ITERATION_LINE] = {"- $1 iterations of $2: efficiency $3",
                                   "- итераций $1 по $2: эффективность $3"},
	[PHRASE_CRITICAL_PATH] = {"Critical path ($1): $2.", "Критический путь ($1): $2."},
	[PHRASE_PATH_PART] = {"$1 is $2", "$1 — $2"},
	[PHRASE_PATH_CALLS] = {" Calls make up $1 of it, without waiting.",
                               " Вызовы без ожидания занимают $1."},
	[PHRASE_PATH_UNEVEN] = {" Spread evenly, the work before $1 would take $2 less.",
                                " Если разделить поровну работу перед $1, она займёт на $2 меньше."},
	[PHRASE_PATH_LINE] = {"Critical path: $1", "Критический путь: $1"},
	[PHRASE_PATH_CUT] =
		{"the critical path is known from $1 on: before that, it moves too often to be kept",
                 "критический путь известен с момента $1: до него он переходит слишком часто"},
	[PHRASE_PATH_MISSED] =
		{"waits that were known too late to be looked at for the critical path: $1. There it may lead through other processes",
                 "ожидания, которые стали известны слишком поздно для критического пути: $1. Там он может идти через другие процессы"},
	[PHRASE_DOUBT] = {"?: likely or suspected, but not certain",
                          "?: вероятно или подозрение, но не наверняка"},
	[PHRASE_HINT_FINDING] = {"Details: $1; all: --all", "Подробно: $1; всё: --all"},
	[PHRASE_HINT_ALL] = {"Details: $1", "Подробно: $1"},
	[PHRASE_UNEXPLAINED] =
		{"$1 of the time is in MPI, but no known pattern explains it: see the profile (--all).",
                 "$1 времени проходит в MPI, но ни один известный шаблон этого не объясняет: см. профиль (--all)."},
	[PHRASE_EXPLAINED_IN_PART] =
		{"$1 of the time is in MPI, but the findings explain only $2: see the profile (--all).",
                 "$1 времени проходит в MPI, но находки объясняют только $2: см. профиль (--all)."},
	[REASON_EMPTY] = {"no call was recorded", "не записано ни одного вызова"},
	[REASON_EMPTY_DETAIL] = {"'tarry doctor' shows whether programs can be recorded here.",
                                 "'tarry doctor' покажет, можно ли здесь записывать программы."},
	[REASON_LAUNCHER] = {"each of $1 processes is alone in MPI_COMM_WORLD: $2 does not fit $3",
                             "каждый из $1 процессов один в MPI_COMM_WORLD: $2 не подходит к $3"},
	[REASON_LAUNCHER_DETAIL] = {"Start the program with the launcher of its own MPI library.",
                                    "Запустите программу средствами её собственной библиотеки MPI."},
	[REASON_NEVER] = {"$1 never came: nothing was recorded", "$1 не наступил: ничего не записано"},
	[REASON_NEVER_BUT] = {"$1 never came: nothing was recorded; seen: $2",
                              "$1 не наступил: ничего не записано; встретились: $2"},
	[REASON_NEVER_DETAIL] =
		{"Name a region, phase or mark of the program, or a function that it calls.",
                 "Назовите область, фазу или метку программы либо функцию, которую она вызывает."},
	[REASON_PARTS] = {"the job still runs or was killed", "задание ещё выполняется или было прервано"},
	[REASON_PARTS_DETAIL] = {"The analysis covers what it has recorded.",
                                 "Разобрано то, что успело записаться."},
	[REASON_INCOMPLETE] = {"$1 of $2 ended without MPI_Finalize", "без MPI_Finalize: $1 из $2"},
	[REASON_INCOMPLETE_FROM] = {"$1 of $2 ended without MPI_Finalize, first rank $3 after $4",
                                    "без MPI_Finalize: $1 из $2, первым ранг $3 после $4"},
	[REASON_INCOMPLETE_IN] = {"$1 of $2 ended without MPI_Finalize, first rank $3 in $4",
                                  "без MPI_Finalize: $1 из $2, первым ранг $3 в $4"},
	[REASON_INCOMPLETE_DETAIL] = {"The analysis covers them up to their end.",
                                      "Они разобраны до конца записи."},
	[REASON_MISSING] = {"only $1 of $2 processes are in the trace", "в трассе только $1 из $2 процессов"},
	[REASON_MISSING_DETAIL] = {"Waits for the others are not visible.", "Ожиданий остальных не видно."},
	[REASON_LOST] = {"events of $1 were lost$2", "потеряна часть событий $1$2"},
	[REASON_LOST_DETAIL] = {"Waits in the lost part are not visible.",
                                "Ожиданий в потерянной части не видно."},
	[REASON_DAMAGED] = {"the trace is damaged: $1 could not be read",
                            "трасса повреждена: не читается $1"},
	[REASON_DAMAGED_DETAIL] = {"Waits in these are not visible.", "Ожиданий в них не видно."},
	[REASON_CPU_UNKNOWN] = {"$1 spent $3 of the time waiting for a CPU",
                                "$1: $3 времени в ожидании процессора"},
	[REASON_CPU_CROWDED] = {"$1 share $2: $3 of the time waiting for a CPU",
                                "$1 на $2: $3 времени в ожидании процессора"},
	[REASON_CPU_SHARED] = {"$1 on $2: $3 of the time waiting for a CPU",
                               "$1 на $2: $3 времени в ожидании процессора"},
	[REASON_CPU_DETAIL] = {"Delays caused by this are excluded. Run one process per core.",
                               "Вызванные этим задержки исключены. Запускайте один процесс на ядро."},
	[REASON_CPU_SHARED_DETAIL] =
		{"Delays caused by this are excluded. Other programs or further threads use the same cores.",
                 "Вызванные этим задержки исключены. Те же ядра используют другие программы или нити."},
	[REASON_STEAL] = {"the host of node $1 took $2 of the processors' time: waits may come from there",
                          "хост узла $1 забрал $2 времени процессоров: ожидания могут быть из-за этого"},
	[REASON_STEAL_NODES] =
		{"the hosts of $3 nodes took up to $2 of the processors' time, most on node $1: waits may come from there",
                 "хосты забрали до $2 времени процессоров (узлов: $3, больше всего на $1): ожидания могут быть из-за этого"},
	[REASON_STEAL_DETAIL] =
		{"Delays caused by this are not excluded. Repeat the run on machines that are not shared.",
                 "Вызванные этим задержки не исключены. Повторите запуск на машинах, которые ни с кем не делятся."},
	[REASON_SELECTION] = {"only a part was recorded ($1)", "записана только часть ($1)"},
	[REASON_SOME_CALLS] = {"only some calls were recorded ($1), others count as computing",
                               "записаны не все вызовы ($1), остальные считаются вычислениями"},
	[REASON_PAUSED] = {"recording was paused (MPI_Pcontrol)", "запись приостанавливалась (MPI_Pcontrol)"},
	[REASON_SELECTION_DETAIL] = {"The rest is not visible.", "Остального не видно."},
	[REASON_UNTRACED] = {"not recorded, but needed by rules: $1; record with 'tarry run --rules $2'",
                             "не записано, но нужно правилам: $1; запишите с 'tarry run --rules $2'"},
	[REASON_UNTRACED_DETAIL] = {"Findings of these rules may be missing.",
                                    "Находок по этим правилам может не хватать."},
	[REASON_LEFT_OUT] = {"$1", "$1"},
	[REASON_LEFT_OUT_DETAIL] = {"Findings of this rule may be missing.",
                                    "Часть находок этого правила может отсутствовать."},
	[REASON_CLOCKS_APART] = {"clocks differ by up to $1: shorter waits are not visible",
                                 "часы расходятся до $1: более короткие ожидания не видны"},
	[REASON_CLOCKS_UNCOMPARED] = {"clocks of different nodes were not compared",
                                      "часы разных узлов не сверялись"},
	[REASON_CLOCKS_DETAIL] = {"Waits between nodes may be shorter or longer than shown.",
                                  "Ожидания между узлами могут быть короче или длиннее показанных."},
};

/* Where the processes are threads of UPC. */
static const char *const upc_phrases[PHRASES_END][LANGUAGES] = {
	[PHRASE_RANK] = {"thread ", "поток "},
	[PHRASE_RANKS] = {"threads ", "потоки "},
	[PHRASE_THREAD] = {"system thread ", "нить системы "},
	[PHRASE_THREADS] = {"system threads ", "нити системы "},
	[PHRASE_TIME_BY_FUNCTION] = {"Time by function, of all threads", "Время по функциям, всех потоков"},
	[PHRASE_TIME_BY_PLACE] = {"Time by call path, of all threads", "Время по путям вызова, всех потоков"},
	[PHRASE_COMPUTING] = {"computing (not UPC)", "вычисления (не UPC)"},
	[PHRASE_MESSAGE_SIZES] = {"Accesses to memory of other threads by size",
                                  "Обращения к памяти других потоков по размеру"},
	[PHRASE_MATRIX] = {"Bytes moved, from the thread on the left to the thread above",
                           "Перемещено байт: от потока слева потоку сверху"},
	[PHRASE_END] = {"upc_exit up to $1", "upc_exit до $1"},
	[PHRASE_INSIDE] = {"in UPC", "в UPC"},
	[PHRASE_COLLECTIVE_MATRIX] =
		{"Bytes that collective operations move, from the thread on the left to the thread above",
                 "Байт в коллективных операциях: от потока слева потоку сверху"},
	[PHRASE_TIMES_RANKS] = {" threads", " потоков"},
	[PHRASE_COMPLETE] = {"all threads were recorded completely", "все потоки записаны полностью"},
	[PHRASE_UNEXPLAINED] =
		{"$1 of the time is in UPC, but no known pattern explains it: see the profile (--all).",
                 "$1 времени проходит в UPC, но ни один известный шаблон этого не объясняет: см. профиль (--all)."},
	[PHRASE_EXPLAINED_IN_PART] =
		{"$1 of the time is in UPC, but the findings explain only $2: see the profile (--all).",
                 "$1 времени проходит в UPC, но находки объясняют только $2: см. профиль (--all)."},
	[REASON_INCOMPLETE] = {"$1 of $2 ended without upc_exit", "без upc_exit: $1 из $2"},
	[REASON_INCOMPLETE_FROM] = {"$1 of $2 ended without upc_exit, first thread $3 after $4",
                                    "без upc_exit: $1 из $2, первым поток $3 после $4"},
	[REASON_INCOMPLETE_IN] = {"$1 of $2 ended without upc_exit, first thread $3 in $4",
                                  "без upc_exit: $1 из $2, первым поток $3 в $4"},
	[REASON_MISSING] = {"only $1 of $2 threads are in the trace", "в трассе только $1 из $2 потоков"},
	[REASON_CPU_DETAIL] = {"Delays caused by this are excluded. Run one thread per core.",
                               "Вызванные этим задержки исключены. Запускайте один поток на ядро."},
	[REASON_CPU_SHARED_DETAIL] =
		{"Delays caused by this are excluded. Other programs use the same cores.",
                 "Вызванные этим задержки исключены. Те же ядра используют другие программы."},
	[REASON_PAUSED] = {"recording was paused", "запись приостанавливалась"},
};

/* Where a program uses both. */
static const char *const mixed_phrases[PHRASES_END][LANGUAGES] = {
	[PHRASE_INSIDE] = {"in MPI, UPC", "в MPI, UPC"},
	[PHRASE_COMPUTING] = {"computing (not MPI, UPC)", "вычисления (не MPI, UPC)"},
	[PHRASE_MESSAGE_SIZES] = {"Messages, and accesses to memory of others, by size",
                                  "Сообщения и обращения к чужой памяти по размеру"},
	[PHRASE_MATRIX] = {"Bytes moved, from the rank on the left to the rank above",
                           "Перемещено байт: от ранга слева рангу сверху"},
};

static const struct noun_forms nouns[NOUNS_END][LANGUAGES] = {
	[NOUN_PROCESS] = {{"process", "processes"}, {"процесс", "процессов", "процесса"}},
	[NOUN_NODE] = {{"node", "nodes"}, {"узле", "узлах", "узлах"}},
	[NOUN_CALL] = {{"call", "calls"}, {"вызов", "вызовов", "вызова"}},
	[NOUN_FINDING] = {{"finding", "findings"}, {"находка", "находок", "находки"}},
	[NOUN_MORE_FINDING] = {{"more finding of ", "more findings of "},
                               {"находка на ", "находок на ", "находки на "}},
	[NOUN_TIME] = {{"time", "times"}, {"раз", "раз", "раза"}},
	[NOUN_OTHER] = {{"other rank", "other ranks"}, {"другой ранг", "других рангов", "других ранга"}},
	[NOUN_NOTE] = {{"note on the recording", "notes on the recording"},
                       {"примечание о записи", "примечаний о записи", "примечания о записи"}},
	[NOUN_MESSAGE] = {{"message", "messages"}, {"сообщение", "сообщений", "сообщения"}},
	[NOUN_LINE] = {{"more line", "more lines"}, {"строка", "строк", "строки"}},
	[NOUN_PLACE] = {{"more place", "more places"}, {"место", "мест", "места"}},
	[NOUN_CORE] = {{"core", "cores"}, {"ядре", "ядрах", "ядрах"}},
	[NOUN_OF_PROCESSES] = {{"process", "processes"}, {"процесса", "процессов", "процессов"}},
	[NOUN_LOSING] = {{"process", "processes"}, {"процесса", "процессов", "процессов"}},
	[NOUN_DAMAGE] = {{"place", "places"}, {"место", "мест", "места"}},
	[NOTED_ORDER] =
		{{"message or collective call arrived before it was sent by the clocks: times were corrected",
                  "messages or collective calls arrived before they were sent by the clocks: times were corrected"},
                 {"сообщение или коллективный вызов по часам пришли раньше посылки: времена исправлены",
                  "сообщений или коллективных вызовов по часам пришло раньше посылки: времена исправлены",
                  "сообщения или коллективных вызова по часам пришли раньше посылки: времена исправлены"}},
	[NOTED_SENDS] = {{"message was sent whose receive is not in the trace",
                          "messages were sent whose receives are not in the trace"},
                         {"сообщение послано, но его приёма нет в трассе",
                          "сообщений послано, но их приёма нет в трассе",
                          "сообщения посланы, но их приёма нет в трассе"}},
	[NOTED_RECEIVES] = {{"message was received whose send is not in the trace",
                             "messages were received whose sends are not in the trace"},
                            {"сообщение принято, но его посылки нет в трассе",
                             "сообщений принято, но их посылки нет в трассе",
                             "сообщения приняты, но их посылки нет в трассе"}},
	[NOTED_INCOMPLETE] = {{"collective operation lacks a process",
                               "collective operations lack processes"},
                              {"коллективной операции не хватает процесса",
                               "коллективным операциям не хватает процессов",
                               "коллективным операциям не хватает процессов"}},
	[NOTED_MIXED] = {{"collective operation consists of different calls",
                          "collective operations consist of different calls"},
                         {"коллективная операция составлена из разных вызовов",
                          "коллективных операций составлено из разных вызовов",
                          "коллективные операции составлены из разных вызовов"}},
	[NOTED_FORCED] = {{"call never completes in the trace", "calls never complete in the trace"},
                          {"вызов в трассе так и не завершается", "вызовов в трассе так и не завершается",
                           "вызова в трассе так и не завершаются"}},
	[NOTED_SKIPPED] = {{"call was skipped: its communication partner is unknown",
                            "calls were skipped: their communication partners are unknown"},
                           {"вызов пропущен: неизвестно, с кем он обменивается",
                            "вызовов пропущено: неизвестно, с кем они обмениваются",
                            "вызова пропущены: неизвестно, с кем они обмениваются"}},
};

static const struct noun_forms upc_nouns[NOUNS_END][LANGUAGES] = {
	[NOUN_PROCESS] = {{"thread", "threads"}, {"поток", "потоков", "потока"}},
	[NOUN_OTHER] = {{"other thread", "other threads"},
                        {"другой поток", "других потоков", "других потока"}},
	[NOUN_MESSAGE] = {{"access", "accesses"}, {"обращение", "обращений", "обращения"}},
	[NOUN_OF_PROCESSES] = {{"thread", "threads"}, {"потока", "потоков", "потоков"}},
	[NOUN_LOSING] = {{"thread", "threads"}, {"потока", "потоков", "потоков"}},
	[NOTED_INCOMPLETE] = {{"collective operation lacks a thread", "collective operations lack threads"},
                              {"коллективной операции не хватает потока",
                               "коллективным операциям не хватает потоков",
                               "коллективным операциям не хватает потоков"}},
};

static const struct language languages[LANGUAGES][PARADIGMS_END] = {
	{{"en", ENGLISH, PARADIGM_MPI}, {"en", ENGLISH, PARADIGM_UPC}, {"en", ENGLISH, PARADIGM_BOTH}},
	{{"ru", RUSSIAN, PARADIGM_MPI}, {"ru", RUSSIAN, PARADIGM_UPC}, {"ru", RUSSIAN, PARADIGM_BOTH}},
};

const struct language *language_of(const char *lang, enum paradigm paradigm)
{
	bool is_russian = lang && strcmp(lang, languages[RUSSIAN][0].lang) == 0;

	return &languages[is_russian ? RUSSIAN : ENGLISH][paradigm];
}

const char *language_phrase(const struct language *language, enum wording wording)
{
	const char *own = language->paradigm == PARADIGM_UPC    ? upc_phrases[wording][language->number]
	                  : language->paradigm == PARADIGM_BOTH ? mixed_phrases[wording][language->number]
	                                                        : NULL;

	return own ? own : phrases[wording][language->number];
}

void add_filled_phrase(struct text *out, const struct language *language, enum wording wording,
                       const char *const *values)
{
	const char *at = language_phrase(language, wording), *mark;

	for (; (mark = strchr(at, '$')); at = mark + 2) {
		text_add_bytes(out, at, (size_t)(mark - at));
		text_add(out, "%s", values[mark[1] - '1']);
	}
	text_add(out, "%s", at);
}

const char *noun_form(const struct language *language, uint64_t number, enum noun noun)
{
	const struct noun_forms *forms = &nouns[noun][language->number];
	size_t form = plural_form(locale_of(language->lang), number);

	if (language->paradigm == PARADIGM_UPC && upc_nouns[noun][ENGLISH].one)
		forms = &upc_nouns[noun][language->number];
	return form == 0 ? forms->one : form == 1 && forms->few ? forms->few : forms->many;
}

void add_counted(struct text *out, const struct language *language, uint64_t number, enum noun noun)
{
	text_add_count(out, number);
	text_add(out, " %s", noun_form(language, number, noun));
}
