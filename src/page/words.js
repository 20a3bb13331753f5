// The page's own words in other languages than English. Findings come in the language of the report.

const RUSSIAN = {
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
};

export function translated(words) {
	return document.documentElement.lang === "ru" && RUSSIAN[words] || words;
}
