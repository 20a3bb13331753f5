// The page's own words in other languages than English. Findings come in the language of the report.

import {RUSSIAN_COUNTED, RUSSIAN_WORDS} from "./russian.js";

export function is_russian() {
	return document.documentElement.lang === "ru";
}

// A word in front of a bar is a context: it tells texts apart that are equal in English only ("page|waits for $1").
export function translated(words) {
	return is_russian() && RUSSIAN_WORDS[words] || words.slice(words.indexOf("|") + 1);
}

// Of so many: "time" or "times".
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
