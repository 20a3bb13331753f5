// Source lines with highlighting: enough of C, C++, Fortran and Python to distinguish keywords, strings and comments.

import {element} from "./dom.js";

const C_WORDS = new Set(("auto bool break case catch char class const continue default delete do double else enum extern false float for goto if inline int " +
	"long namespace new nullptr operator private public register return short signed sizeof static struct switch template this throw true " +
	"try typedef typename union unsigned using virtual void volatile while shared upc_forall upc_barrier").split(" "));
const FORTRAN_WORDS = new Set(("allocatable allocate call character complex contains cycle deallocate dimension do double else elseif end enddo endif exit " +
	"false function if implicit in inout integer intent interface intrinsic kind logical module none only optional out parameter pointer " +
	"precision private procedure program public real recursive result return save select stop subroutine target then true type use " +
	"where while").split(" "));
const PYTHON_WORDS = new Set(("and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None " +
	"nonlocal not or pass raise return True try while with yield").split(" "));

const C_LIKE = {words: C_WORDS, comment: /^(\/\/.*|\/\*.*?(\*\/|$))/};
const LANGUAGES = [
	{name: /\.(f|for|ftn|f77|f90|f95|f03|f08)$/i, words: FORTRAN_WORDS, comment: /^!.*/, folds: true},
	{name: /\.py$/, words: PYTHON_WORDS, comment: /^#.*/},
];
const TEXT = /^("(\\.|[^"\\])*("|$)|'(\\.|[^'\\])*('|$))/;
const NUMBER = /^\d[\w.]*/;
const NAME = /^[A-Za-z_]\w*/;

function kind_of_name(name, language, rest) {
	if (language.words.has(language.folds ? name.toLowerCase() : name))
		return "word";
	if (/^(P?MPI_|mpi_|upc_)/i.test(name))
		return "call";
	return /^\s*\(/.test(rest) ? "function" : null;
}

// [[kind or null, text], …] of one line.
export function tokens_of(line, file) {
	const language = LANGUAGES.find(one => one.name.test(file)) || C_LIKE;
	const tokens = [];
	let rest = line;
	while (rest) {
		let found, kind = null;
		if ((found = language.comment.exec(rest)))
			kind = "comment";
		else if ((found = TEXT.exec(rest)))
			kind = "text";
		else if ((found = NUMBER.exec(rest)))
			kind = "number";
		else if ((found = NAME.exec(rest)))
			kind = kind_of_name(found[0], language, rest.slice(found[0].length));
		else
			found = /^(\s+|.)/u.exec(rest);
		tokens.push([kind, found[0]]);
		rest = rest.slice(found[0].length);
	}
	return tokens;
}

// One excerpt of two that overlap; null if they do not.
export function joined_excerpt(one, other) {
	const [before, after] = one.first <= other.first ? [one, other] : [other, one], end = before.first + before.lines.length;
	return one.file === other.file && after.first <= end ? {...before, lines: [...before.lines, ...after.lines.slice(end - after.first)]} : null;
}

// The lines around a place: {first, lines} from the page's sources; the line of the call is marked, or several lines.
export function code_around(excerpt, file, line, others = []) {
	return element("pre", {class: "code", tabindex: 0, role: "region", "aria-label": file + ":" + line},
		excerpt.lines.map((text, i) => element("span",
			{class: [line, ...others].includes(excerpt.first + i) ? "line here" : "line"},
			element("span", {class: "number", "aria-hidden": "true"}, excerpt.first + i),
			tokens_of(text.replace(/\t/g, "    "), file).map(([kind, word]) => (kind ? element("span", {class: "code-" + kind}, word) : word)),
			"\n")));
}
