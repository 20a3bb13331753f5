// The page's own words in Russian, by the English ones; {} are places for values.

export const RUSSIAN_WORDS = {
	// Every page
	"Skip to content": "К содержанию", "Views": "Разделы", "diff": "сравнение", "check": "проверка", "None.": "Нет.", "nothing": "ничего", "Show": "Показать", "by": "по",
	"rank {}": "ранг {}", "ranks {}": "ранги {}", "node {}": "узел {}", "in {}": "в {}", "{} to {}: {}": "от {} до {}: {}", "{} to {}: {}, {}": "от {} до {}: {}, {}",

	// Headings
	"Overview": "Обзор", "Timeline": "Время", "Communication": "Обмен", "Calls": "Вызовы", "Notes": "Замечания", "Findings": "Находки",
	"Correctness": "Правильность",
	"Run": "Запуск", "Processes": "Процессы", "Nodes": "Узлы", "Length": "Длительность", "Calls recorded": "Записано вызовов",
	"Efficiency": "Эффективность", "Load balance": "Баланс нагрузки", "Communication efficiency": "Эффективность обмена",
	"Parallel efficiency": "Параллельная эффективность",
	"What happened": "Что произошло", "What to do": "Что делать", "Where": "Где", "Causes": "Причины", "Ranks": "Ранги",
	"Who waits for whom": "Кто кого ждёт", "The longest instance": "Самый долгий случай", "How long": "Как долго", "Check the change": "Проверьте изменение",
	"waits": "ждёт", "late": "опаздывает", "Time": "Время", "Share": "Доля", "Line": "Строка", "Finding": "Находка",
	"No significant wait states found.": "Значимых ожиданий не найдено.",
	"Show on the timeline": "Показать на оси времени", "Messages": "Сообщения", "Bytes": "Байты", "Wait": "Ожидание",
	"Message sizes": "Размеры сообщений", "Collective operations": "Коллективные операции", "Who sends to whom": "Кто кому посылает",
	"Function": "Функция", "Call path": "Путь вызовов", "Times": "Раз", "Rank": "Ранг",

	// Overview
	"Program": "Программа", "Library": "Библиотека", "of the run: {}": "запуска: {}",
	"Processes computed for {} of the run, on average.": "Процессы в среднем вычисляли {} времени запуска.",
	"All processes have about the same work.": "У всех процессов примерно одинаковая работа.",
	"The mean process has {} less work than the busiest one.": "У среднего процесса на {} меньше работы, чем у самого занятого.",
	"The busiest process spent {} of the run in calls.": "Самый занятый процесс провёл в вызовах {} времени запуска.",
	"Not listed: {}, {} in all.": "Не показано: {}, всего {}.",

	"Critical path": "Критический путь", "More than the mean": "Больше среднего", "It is known from {} on.": "Он известен с момента {}.",
	"The run takes as long as its critical path: what is shortened elsewhere does not shorten the run.":
		"Запуск длится столько, сколько его критический путь: что сокращено в другом месте, запуск не сокращает.",
	"{} of it is computing, {} is inside calls without waiting.": "{} его составляют вычисления, {} — вызовы без ожидания.",

	// Findings
	"There is no finding {}.": "Находки {} нет.", "Explained by": "Объясняется находкой", "Phases": "Фазы",
	"Called through a layer around MPI:": "Вызвано через слой вокруг MPI:",
	"The source file is not readable here.": "Исходный файл здесь недоступен.",
	"No source line is known: compile with -g.": "Строка исходного текста неизвестна: компилируйте с -g.",
	"Rank {} waits {} in the longest instance.": "В самом долгом случае ранг {} ждёт {}.",
	"Rank {} loses {} in the longest instance.": "В самом долгом случае ранг {} теряет {}.",
	"{}, {} in all, {} on average, at most {}.": "{}, всего {}, в среднем {}, самое большее {}.",
	"time lost over the run": "потери по времени запуска", "occurrences by duration": "случаи по длительности", "time by rank": "время по рангам",
	"Record the changed program under another name and compare both runs:": "Запишите изменённую программу под другим именем и сравните запуски:",
	"The list of the difference names “{}” at {} as gone or less, if the change helped; this one costs {} now.":
		"Если изменение помогло, в сравнении «{}» ({}) исчезнет или уменьшится; сейчас это стоит {}.",
	"Before": "До", "After": "После", "computing": "вычисления", "{} less": "на {} меньше",
	"A sketch: the longest instance as it was, and the same if nobody was late.": "Набросок: самый долгий случай, как он был, и он же, если бы никто не опоздал.",
	"A sketch: the longest instance as it was, and the same without its cost.": "Набросок: самый долгий случай, как он был, и он же без потерь.",
	"A sketch: the whole computing time of some ranks as it was, and if all ranks computed equally long.":
		"Набросок: всё время вычислений некоторых рангов, как оно было, и если бы все ранги вычисляли одинаково долго.",

	// Timeline
	"What each rank did over time": "Что делал каждый ранг", "Ranks over time. Arrow keys move, + and - zoom, Home shows all.": "Ранги во времени. Стрелки сдвигают, + и - меняют масштаб, Home показывает всё.",
	"halo.c:42, to rank 3": "halo.c:42, к: ранг 3", "any rank": "любой ранг", "MPI_PROC_NULL": "MPI_PROC_NULL", "MPI_ROOT": "MPI_ROOT", "to {}": "к: {}", "from {}": "от: {}", "target {}": "цель: {}", "root {}": "корень: {}",
	"{} sent": "послано {}", "{} received": "получено {}", "tag {}": "тег {}", "communicator {}": "коммуникатор {}", "{} completed": "завершено: {}", "{} from {}": "{} от: {}",
	"; and {} more": "; и ещё {}", "received {}": "получено: {}", "at {} for {}": "начало {}, длилось {}", "{} waiting ({})": "из них ожидание {} ({})", "{}, whole run: {}": "{}, весь запуск: {}",
	"Zoom in": "Крупнее", "Zoom out": "Мельче", "Whole run": "Весь запуск", "Find": "Найти", "Next": "Дальше", "messages and bands": "сообщения и полосы",
	"Kind": "Вид", "Call": "Вызов", "Communicator": "Коммуникатор", "Rows": "Строки", "all": "все", "every rank": "каждый ранг",
	"folded by node": "свёрнуто по узлам", "similar ranks folded": "похожие ранги свёрнуты", "Groups of ranks": "Группы рангов",
	"point to point": "точка-точка", "collective": "коллективные", "one-sided": "односторонние", "files": "файлы",
	"other calls": "другие вызовы", "waiting": "ожидание",
	"Ranks are numbers and ranges, such as 0-7,12.": "Ранги — это номера и диапазоны, например 0-7,12.", "No rank is chosen.": "Не выбран ни один ранг.",
	"Zoom in to see single calls.": "Увеличьте, чтобы увидеть отдельные вызовы.",
	"This part is shown as a summary: zoom in near a finding, or open the trace with 'tarry view' to see single calls.":
		"Эта часть показана обобщённо: увеличьте у находки или откройте трассу командой 'tarry view', чтобы увидеть отдельные вызовы.",
	"There are too many ranks for single calls: each row stands for several of them.": "Рангов слишком много для отдельных вызовов: каждая строка показывает несколько.",
	"There are too many kinds of calls to tell all of them apart here: the filters leave out the others.": "Видов вызовов слишком много, чтобы различать здесь все: остальные фильтры опускают.",
	"'tarry view' has ended: start it again to see single calls.": "'tarry view' завершился: запустите его снова, чтобы увидеть отдельные вызовы.",

	"critical path": "критический путь", "on the critical path": "на критическом пути", "{} more": "ещё {}", "{} hardly": "{} почти нет",
	"Critical path in what is shown: {}; {}.": "Критический путь в показанной части: {}; {}.",
	"It moves more often than there is room to show: zoom in to see more of it.": "Он переходит чаще, чем можно показать: увеличьте, чтобы увидеть подробнее.",

	// Communication
	"This report has no profile.": "В этом отчёте нет профиля.", "The processes exchanged no messages.": "Процессы не обменивались сообщениями.",
	"There is nothing of this to show.": "Показать нечего.",
	"Rows send, columns receive.": "Строки посылают, столбцы получают.", "Columns wait, rows are late.": "Столбцы ждут, строки опаздывают.",
	"Rows send, columns receive. Bytes of collective operations are their logical flow, not the library's algorithm.":
		"Строки посылают, столбцы получают. Байты коллективных операций — это логический поток данных, а не алгоритм библиотеки.",
	"Each cell is the sum of {} × {} pairs: there are too many for one each.": "Каждая клетка — сумма {} × {} пар: для отдельных клеток их слишком много.",
	"Collective operations are left out: there are too many processes.": "Коллективные операции опущены: процессов слишком много.",
	"{} of waiting between further pairs are left out.": "Опущено {} ожидания между другими парами.",
	"By distance on the machine": "По расстоянию на машине", "Within a node": "Внутри узла", "Between nodes": "Между узлами",
	"All processes ran on one node, as far as the trace knows.": "Насколько известно по трассе, все процессы работали на одном узле.",
	"Pairs": "Пары", "The most data": "Больше всего данных", "The longest waits": "Самые долгие ожидания", "From rank": "От ранга", "To rank": "К рангу", "Distance": "Расстояние",
	"messages by size": "сообщения по размеру",

	// Calls
	"run": "запуск", "No time was recorded.": "Время не записано.", "Inclusive": "С вложенными", "Exclusive": "Без вложенных", "Computing": "Вычисления", "Sent": "Послано",
	"Received": "Получено", "{} of {} ranks, those that waited longest.": "{} из {} рангов, ждавшие дольше всех.",

	// Notes
	"Calls that did not end": "Незавершённые вызовы", "for {}": "{}", "waits for {}": "ждёт: {}",

	// Correctness
	"before MPI_Init": "до MPI_Init", "needs a message of": "ждёт сообщения от", "needs a receive of": "ждёт приёма от", "needs a collective call of": "ждёт коллективного вызова от",
	"needs MPI_Win_post of": "ждёт MPI_Win_post от", "needs MPI_Win_complete of": "ждёт MPI_Win_complete от", "needs the lock of": "ждёт блокировки, которую держит",
	"An arrow leads to whom a process waits for.": "Стрелка ведёт к тому, кого ждёт процесс.",
	"An arrow leads to whom a process waits for; of dashed ones, any would do.": "Стрелка ведёт к тому, кого ждёт процесс; из пунктирных достаточно любой.",
	"stack": "стек", "and {}": "и {}", "error": "ошибка", "warning": "предупреждение", "note": "замечание", "MPI 4.0, section {}": "MPI 4.0, раздел {}", "Found {} and {}.": "Найдено: {}, {}.",
	"No errors were found.": "Ошибок не найдено.", "Suppressed: {}.": "Подавлено: {}.",

	// Difference
	"gone": "исчезло", "new": "новое", "less": "меньше", "more": "больше", "same": "так же", "faster": "быстрее", "slower": "медленнее", "Runs": "Запуски", "Trace": "Трасса", "What": "Что",
	"The runs have no length that could be compared.": "У запусков нет длительности, которую можно сравнить.",
	"The runs take the same time, within 2 %.": "Запуски занимают одинаковое время с точностью до 2 %.",
	"The second run is": "Второй запуск", "it takes {} less time.": "он занимает на {} меньше времени.", "it takes {} more time.": "он занимает на {} больше времени.",
	"Times below are those of a process on average.": "Ниже указано время процесса в среднем.",

	// Units
	"ns": "нс", "µs": "мкс", "ms": "мс", "s": "с", "min": "мин", "h": "ч", "B": "Б", "KiB": "КиБ", "MiB": "МиБ", "GiB": "ГиБ",
};

// What is counted: of 1, of 2 to 4, and of more.
export const RUSSIAN_COUNTED = {
	"time": ["раз", "раза", "раз"], "error": ["ошибка", "ошибки", "ошибок"], "warning": ["предупреждение", "предупреждения", "предупреждений"],
	"rank": ["ранг", "ранга", "рангов"], "other call path": ["другой путь вызова", "других пути вызова", "других путей вызова"], "other rank": ["другой ранг", "других ранга", "других рангов"], "request": ["запрос", "запроса", "запросов"], "message": ["сообщение", "сообщения", "сообщений"],
	"move": ["переход", "перехода", "переходов"],
	"finding": ["находка", "находки", "находок"], "smaller finding": ["меньшая находка", "меньшие находки", "меньших находок"],
};
