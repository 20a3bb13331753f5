// The files of the run (`tarry run --io`): all of them, and for a chosen one its interfaces, the sizes of its reads and writes, and its ranks.

import {element, table} from "./dom.js";
import {bin_label, bytes, count, counted, seconds} from "./format.js";
import {place_link} from "./places.js";
import {bar, columns} from "./plots.js";
import {sortable_table} from "./tables.js";
import {filled, translated} from "./words.js";

const PATTERNS = {sequential: "sequential", strided: "strided", random: "random"};
const DIRECTIONS = [{key: "reads", mpi: "mpi_io_reads", title: "Reads by size", kind: "p2p"}, {key: "writes", mpi: "mpi_io_writes", title: "Writes by size", kind: "io"}];
// Interfaces of each direction, in the order of the text report.
const INTERFACES = {reads: {system: "reads", stdio: "buffered reads", below_mpi_io: "reads below MPI-IO", mpi: "MPI-IO reads"},
	writes: {system: "writes", stdio: "buffered writes", below_mpi_io: "writes below MPI-IO", mpi: "MPI-IO writes"}};

export const name_of_file = file => (file.path === null ? translated("other files") : file.name);
// Calls that neither read nor write.
export const other_calls = file => file.opens + file.stats + file.seeks + file.syncs + file.maps;
// The pattern of the direction with more bytes.
export function pattern_of(file) {
	const main = file.reads.total.bytes > file.writes.total.bytes ? file.reads : file.writes;
	return main.pattern ? PATTERNS[main.pattern] : "";
}

const file_fragment = number => "files/file=" + number;

function name_link(file, number, choose) {
	return element("a", {href: "#" + file_fragment(number), title: file.path || "", onclick: event => {
		event.preventDefault();
		choose(number);
	}}, name_of_file(file));
}

function files_table(files, choose) {
	return sortable_table(translated("Files"), [
		{title: translated("File"), words: "words long", ascending: true, value: name_of_file, show: file => name_link(file, files.indexOf(file), choose)},
		{title: translated("Ranks"), words: true, value: file => file.rank_count, show: file => file.ranks.replaceAll("-", "–")},
		{title: translated("Read"), value: file => file.reads.total.bytes, show: file => bytes(file.reads.total.bytes)},
		{title: translated("Written"), value: file => file.writes.total.bytes, show: file => bytes(file.writes.total.bytes)},
		{title: translated("Reads, writes"), value: file => file.reads.total.calls + file.writes.total.calls, show: file => count(file.reads.total.calls + file.writes.total.calls)},
		{title: translated("Other calls"), value: other_calls, show: file => count(other_calls(file))},
		{title: translated("Pattern"), words: true, ascending: true, value: pattern_of, show: file => translated(pattern_of(file))},
		{title: translated("Time"), value: file => file.inside_s, show: file => seconds(file.inside_s)}], files, 7);
}

function interfaces_table(file) {
	const rows = DIRECTIONS.flatMap(({key, mpi}) => [["mpi", file[mpi]], ...["system", "stdio", "below_mpi_io"].map(name => [name, file[key][name]])]
		.filter(([, part]) => part).map(([name, part]) => [translated(INTERFACES[key][name]), bytes(part.bytes), count(part.calls), part.calls > 0 ? bytes(Math.floor(part.bytes / part.calls)) : "", seconds(part.inside_s)]));
	if (other_calls(file) > 0)
		rows.push([translated("other calls"), "", count(other_calls(file)), "", seconds(file.other_s)]);
	return table(translated("Interfaces"), [{title: translated("Interface"), words: true}, {title: translated("Bytes")}, {title: translated("Calls")}, {title: translated("Bytes per call")}, {title: translated("Time")}], rows);
}

function sizes(file, {key, title, kind}) {
	const bins = file[key].sizes;
	return bins.length > 0 && columns(translated(title), bins.map(bin => ({label: bin_label(bin.from_bytes, bin.to_bytes + 1, bytes), value: bin.calls,
		title: filled("from $1: $2, $3, $4", bytes(bin.from_bytes), counted(bin.calls, "call"), bytes(bin.bytes), seconds(bin.inside_s))})), {unit: count, kind});
}

function ranks_table(file, has_timeline) {
	const most = Math.max(...file.by_rank.map(row => row.inside_s), 1e-9), left_out = file.rank_count - file.by_rank.length;
	return [sortable_table(translated("Ranks"), [
		{title: translated("Rank"), ascending: true, value: row => row.rank, show: row => (row.rank === null ? "?" : place_link(has_timeline && "timeline/rank=" + row.rank, row.rank))},
		{title: translated("Read"), value: row => row.read_bytes, show: row => bytes(row.read_bytes)},
		{title: translated("Written"), value: row => row.written_bytes, show: row => bytes(row.written_bytes)},
		{title: translated("Reads, writes"), value: row => row.reads + row.writes, show: row => count(row.reads + row.writes)},
		{title: translated("Time"), value: row => row.inside_s, show: row => [bar(row.inside_s / most, "p2p"), " ", seconds(row.inside_s)]}], file.by_rank, 0),
	left_out > 0 && element("p", {class: "faint"}, filled("$1 more ranks are omitted.", count(left_out)))];
}

function details(file, has_timeline) {
	return [interfaces_table(file), element("div", {class: "side-by-side wide"}, DIRECTIONS.map(direction => sizes(file, direction))), ...ranks_table(file, has_timeline)];
}

// The address keeps the chosen file. A name in the table chooses a file and leads to its details.
export function files_view(files, options, has_timeline) {
	if (!files.length)
		return [element("p", {}, translated("The program used no files."))];
	const holder = element("div", {}), title = element("h2", {}), select = element("select", {onchange: event => choose(Number(event.target.value))},
		files.map((file, i) => element("option", {value: i}, name_of_file(file))));
	const show = number => {
		select.value = number;
		title.textContent = name_of_file(files[number]);
		holder.replaceChildren(...details(files[number], has_timeline).filter(Boolean));
	};
	const choose = number => {
		history.replaceState(null, "", "#" + file_fragment(number));
		show(number);
	};
	const part = element("section", {}, title, element("div", {class: "tools"}, element("label", {}, translated("Show") + " ", select)), holder);
	show(files[options.file] ? Number(options.file) : 0);
	return [element("section", {}, element("h2", {}, translated("Files")), files_table(files, number => {
		choose(number);
		part.scrollIntoView({block: "nearest"});
		select.focus({preventScroll: true});
	})), part];
}
