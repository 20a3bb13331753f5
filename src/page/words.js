// The page's own texts in other languages than English. Findings are already in the language of the report.

import {RUSSIAN_COUNTED, RUSSIAN_WORDS} from "./russian.js";

export function is_russian() {
	return document.documentElement.lang === "ru";
}

// A prefix before a bar is a context: it distinguishes texts that are equal only in English ("page|waits for $1").
export function translated(words) {
	return is_russian() && RUSSIAN_WORDS[words] || words.slice(words.indexOf("|") + 1);
}

// The form for a number: "time" or "times".
export function plural(number, one) {
	if (!is_russian())
		return number === 1 ? one : one + "s";
	const last = number % 100 > 10 && number % 100 < 15 ? 0 : number % 10;
	return RUSSIAN_COUNTED[one][last === 1 ? 0 : last > 1 && last < 5 ? 1 : 2];
}

// The same with values for "$1", "$2" and so on.
export function filled(words, ...values) {
	return translated(words).replace(/\$(\d)/g, (_, number) => values[number - 1]);
}

// The same with elements as values: a list of children.
export function filled_parts(words, ...values) {
	return translated(words).split(/\$(\d)/).map((part, i) => (i % 2 ? values[part - 1] : part));
}
