// The page's own words in other languages than English. Findings come in the language of the report.

import {RUSSIAN_COUNTED, RUSSIAN_WORDS} from "./russian.js";

const RUSSIAN = {
	...RUSSIAN_WORDS,
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
	"Zoom in": "Крупнее", "Zoom out": "Мельче", "Whole run": "Весь запуск", "Find": "Найти", "Next": "Дальше", "messages and bands": "сообщения и полосы",
	"Kind": "Вид", "Call": "Вызов", "Communicator": "Коммуникатор", "Rows": "Строки", "all": "все", "every rank": "каждый ранг",
	"folded by node": "свёрнуто по узлам", "similar ranks folded": "похожие ранги свёрнуты", "Groups of ranks": "Группы рангов",
	"computing": "вычисления", "point to point": "точка-точка", "collective": "коллективные", "one-sided": "односторонние", "files": "файлы",
	"other calls": "другие вызовы", "waiting": "ожидание",
	"Ranks are numbers and ranges, such as 0-7,12.": "Ранги — это номера и диапазоны, например 0-7,12.", "No rank is chosen.": "Не выбран ни один ранг.",
	"Zoom in to see single calls.": "Увеличьте, чтобы увидеть отдельные вызовы.",
	"This part is shown as a summary: zoom in near a finding, or open the trace with 'tarry view' to see single calls.":
		"Эта часть показана обобщённо: увеличьте у находки или откройте трассу командой 'tarry view', чтобы увидеть отдельные вызовы.",
	"There are too many ranks for single calls: each row stands for several of them.": "Рангов слишком много для отдельных вызовов: каждая строка показывает несколько.",
	"The filters by call and communicator act on single calls alone.": "Фильтры по вызову и коммуникатору действуют только на отдельные вызовы.",
	"Waits are left out, as the summary does not tell which calls waited.": "Ожидания опущены: обобщение не говорит, какие вызовы ждали.",
	"'tarry view' has ended: start it again to see single calls.": "'tarry view' завершился: запустите его снова, чтобы увидеть отдельные вызовы.",
};

export function is_russian() {
	return document.documentElement.lang === "ru";
}

export function translated(words) {
	return is_russian() && RUSSIAN[words] || words;
}

// Of so many: "time" or "times".
export function plural(number, one) {
	if (!is_russian())
		return number === 1 ? one : one + "s";
	const last = number % 100 > 10 && number % 100 < 15 ? 0 : number % 10;
	return RUSSIAN_COUNTED[one][last === 1 ? 0 : last > 1 && last < 5 ? 1 : 2];
}

// The same with values at the places {}, in their order.
export function filled(words, ...values) {
	return translated(words).replace(/\{\}/g, () => values.shift());
}
