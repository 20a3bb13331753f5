// Exploring the timeline in a browser: axis, colours, regions, search, selection and statistics, minimap, legend, order of ranks, marks, keys.

let open, go, expect, same_again;

const hash_of = page => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.split("/")[1] || "")));
const span = shown => shown.to - shown.from;
const LANE = 14, AXIS = 20;

// When picture and address no longer change.
async function settled(page) {
	await page.waitForFunction(() => document.querySelector("canvas.timeline").getAttribute("aria-busy") === "false");
	return hash_of(page);
}

const figures = page => page.evaluate(() => ({...document.querySelector("canvas.timeline").dataset}));
const status_of = async page => (await page.textContent("[role=status]")).replaceAll("\u00a0", " ");

// A point of the bar of a row, on the page: `part` is from 0 (top of the bar) to 1.
async function point_of(page, time, place, part = 0.5) {
	const box = await page.locator("canvas.timeline").boundingBox(), shown = await hash_of(page), {left, rowHeight, lanes} = await figures(page), top = Number(lanes) * LANE;
	return {x: box.x + 1 + Number(left) + (time - shown.from) / span(shown) * (box.width - 2 - left), y: box.y + 1 + place * rowHeight + top + part * (rowHeight - top - 3)};
}

async function hover_text(page, time, place) {
	const {x, y} = await point_of(page, time, place);
	await page.mouse.move(x, y);
	return (await page.textContent(".hover")).replaceAll("\u00a0", " ");
}

// The colour of a canvas at a point of the page, as "r,g,b".
const colour_at = (page, selector, {x, y}) => page.evaluate(([name, at_x, at_y]) => {
	const canvas = document.querySelector(name), box = canvas.getBoundingClientRect(), ratio = canvas.width / canvas.clientWidth;
	const copy = Object.assign(document.createElement("canvas"), {width: 1, height: 1}), paper = copy.getContext("2d");
	paper.drawImage(canvas, Math.round((at_x - box.x - canvas.clientLeft) * ratio), Math.round((at_y - box.y - canvas.clientTop) * ratio), 1, 1, 0, 0, 1, 1);
	return [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
}, [selector, x, y]);

const variable = (page, name) => page.evaluate(one => {
	const pen = document.createElement("canvas").getContext("2d");
	pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(one).trim();
	return [1, 3, 5].map(at => parseInt(pen.fillStyle.slice(at, at + 2), 16)).join();
}, name);

async function drag(page, from, to, key) {
	if (key)
		await page.keyboard.down(key);
	await page.mouse.move(from.x, from.y);
	await page.mouse.down();
	await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
	await page.mouse.move(to.x, to.y);
	await page.mouse.up();
	if (key)
		await page.keyboard.up(key);
	return settled(page);
}

const picture_of = page => page.evaluate(() => document.querySelector("canvas.timeline").toDataURL());

// Neighbouring labels differ at every zoom, the base is written once, and nothing before 0 or after the end is shown.
async function use_axis(browser, path) {
	const page = await open(browser, path, "timeline"), whole = await settled(page);
	expect((await figures(page)).base === "" && (await figures(page)).labels.startsWith("0|"), "the axis of the whole run does not begin with 0");
	for (const width of [1e-1, 1e-3, 1e-5, 1e-7]) {
		await go(page, `timeline/from=${0.3}&to=${0.3 + width}`);
		await settled(page);
		const {labels, base} = await figures(page), words = labels.split("|");
		expect(words.length > 2 && new Set(words).size === words.length, `labels of ${width} s are ${labels}`);
		expect(width > 1e-3 || base.startsWith("300") && words.every(word => word.startsWith("+")), `labels of ${width} s are ${labels} from '${base}'`);
	}
	await go(page, "timeline/from=0&to=0.01");
	await settled(page);
	await page.locator("canvas.timeline").focus();
	for (const key of ["ArrowLeft", "a", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"])
		await page.keyboard.press(key);
	const shown = await settled(page);
	expect(Number(shown.from) >= 0 && Number(shown.to) <= Number(whole.to), `keys lead to ${shown.from} to ${shown.to}`);
	await page.close();
}

// Chosen points of rank 0 to 3 and what they show: [time, rank, part of the bar's height, variable].
const POINTS = [[0.0035, 0, 0.9, "--kind-computing"], [0.0095, 0, 0.9, "--io"], [0.005, 1, 0.95, "--kind-no-cpu"], [0.005, 1, 0.1, "--kind-computing"], [0.085, 3, 0.9, "--kind-blocked"]];
const SWATCHES = {compute: "--kind-computing", no_cpu: "--kind-no-cpu", blocked: "--kind-blocked", io: "--io"};

// Every part of the time has its colour in picture and legend, at each width and in both schemes. Pixels of chosen points, not pictures: fonts differ between machines.
async function see_colours(browser, path) {
	for (const scheme of ["light", "dark"])
		for (const width of [1400, 800, 380]) {
			const page = await open(browser, path, "timeline", width, scheme), name = `${width} pixels, ${scheme}`;
			await settled(page);
			for (const [time, rank, part, ink] of POINTS)
				expect(await colour_at(page, "canvas.timeline", await point_of(page, time, rank, part)) === await variable(page, ink), `${name}: rank ${rank} at ${time} s is not ${ink}`);
			const paused = await colour_at(page, "canvas.timeline", await point_of(page, 0.05, 2));
			expect(paused !== await variable(page, "--kind-computing"), `${name}: paused recording looks like computing`);
			for (const [part, ink] of Object.entries(SWATCHES))
				expect((await page.locator(`.legend .swatch.${part}`).first().evaluate(swatch => getComputedStyle(swatch).backgroundColor)).replace(/[^\d,]/g, "") === await variable(page, ink),
					`${name}: the legend has another colour for ${part}`);
			const box = await page.locator("canvas.timeline").boundingBox(), {rowHeight, rows} = await figures(page);
			expect(Math.abs(rowHeight * rows + AXIS - box.height) < 8 && rowHeight >= 50, `${name}: ${rows} rows of ${rowHeight} pixels do not fill ${box.height}`);
			await page.close();
		}
	const page = await open(browser, path, "overview");
	await page.waitForFunction(() => document.querySelector("canvas.strip").dataset.lanes);
	const box = await page.locator("canvas.strip").boundingBox(), {from, to, left, top, rowHeight, lanes} = Object.fromEntries(Object.entries(await page.evaluate(() => ({...document.querySelector("canvas.strip").dataset}))).map(([name, value]) => [name, Number(value)]));
	const at = (time, rank) => ({x: box.x + left + (time - from) / (to - from) * (box.width - left), y: box.y + top + (rank + 0.5) * rowHeight - 2});
	expect(lanes === 2, `the strip has ${lanes} lanes for two nested regions`);
	expect(await colour_at(page, "canvas.strip", at(0.085, 3)) === await variable(page, "--kind-blocked") && await colour_at(page, "canvas.strip", at(0.0035, 0)) === await variable(page, "--kind-computing"),
		"the strip has other colours than the timeline");
	await page.close();
}

async function see_regions(browser, path) {
	const page = await open(browser, path, "timeline");
	await settled(page);
	expect((await figures(page)).lanes === "2", `two nested regions have ${(await figures(page)).lanes} lanes`);
	expect((await hover_text(page, 0.0075, 0)).includes("in exchange halo › inner") && (await hover_text(page, 0.003, 0)).includes("in exchange halo"), `hovering in a region says '${await hover_text(page, 0.0075, 0)}'`);
	for (const [time, rank, words] of [[0.05, 2, "not recorded"], [0.085, 3, "never returned"], [0.0195, 1, "without a CPU"], [0.0195, 0, "offset 4096"]])
		expect((await hover_text(page, time, rank)).includes(words), `hovering over rank ${rank} at ${time} s says '${await hover_text(page, time, rank)}'`);
	expect(!(await hover_text(page, 0.0195, 0)).includes("="), "hovering shows a field of the trace");
	await page.getByLabel("regions and call stacks").uncheck();
	expect((await settled(page)).lanes === "off" && (await figures(page)).lanes === "0", "regions cannot be switched off");
	await same_again(page, "without regions");
	await page.close();
}

// Callers that calls have in common are lanes above their rank: "main" from the first call to the last one of an iteration, "step" for each of its calls.
async function see_stacks(browser, path, without_path) {
	const page = await open(browser, path, "timeline/ranks=16-19&from=0&to=0.06");
	await settled(page);
	const {lanes, rowHeight} = await figures(page), lane_at = async (time, lane) => {
		const {x, y} = await point_of(page, time, 0, 0);
		return colour_at(page, "canvas.timeline", {x, y: y - (2 - lane) * LANE + 1});
	};
	expect(lanes === "2" && rowHeight > 2 * LANE, `call stacks of two callers have ${lanes} lanes`);
	for (const [time, words] of [[0.012, "rank 16: MPI_Recv · nodes.c:21 exchange · from rank 15, 1 KiB, tag 1, communicator MPI_COMM_WORLD · at 11 ms for 2.08 ms · in main (main.c:30) › step (nodes.c:50)"], [0.018, "rank 16 · in main (main.c:30)"], [0.033, ""]])
		expect((await hover_text(page, time, 0)).trim() === words, `hovering over a call stack at ${time} s says '${await hover_text(page, time, 0)}'`);
	const [outer, inner, none] = [await lane_at(0.018, 0), await lane_at(0.012, 1), await lane_at(0.033, 0)];
	expect(outer === await variable(page, "--lane") && await lane_at(0.018, 1) === none && inner !== none && inner !== outer, `lanes of callers have the colours ${outer} and ${inner} on ${none}`);
	await page.getByLabel("regions and call stacks").uncheck();
	expect((await settled(page)).lanes === "off" && (await figures(page)).lanes === "0", "call stacks cannot be switched off");
	await same_again(page, "without call stacks");
	await page.close();
	const without = await open(browser, without_path, "timeline");
	await settled(without);
	expect((await figures(without)).lanes === "0" && await without.getByLabel("regions and call stacks").count() === 0, "a run without regions and call stacks has lanes");
	await without.close();
}

// Threads of OpenMP have rows of their own: thread 0 waits while thread 1 computes, and between regions thread 1 is in another call.
async function see_threads(browser, path) {
	const page = await open(browser, path, "timeline/from=0.002&to=0.046");
	await settled(page);
	expect((await figures(page)).rows === "4", `two ranks with two threads each are ${(await figures(page)).rows} rows`);
	for (const [time, row, ink, words] of [[0.01, 0, "--kind-waiting", "rank 0: omp_barrier · hybrid.c:20 solve"], [0.01, 1, "--kind-computing", ""], [0.0232, 1, "--other", "rank 0, thread 1: omp_barrier · hybrid.c:20 solve"],
		[0.003, 2, "--kind-computing", ""], [0.04, 2, "--kind-waiting", "rank 1: omp_barrier"]]) {
		expect(await colour_at(page, "canvas.timeline", await point_of(page, time, row, 0.9)) === await variable(page, ink), `row ${row} at ${time} s is not ${ink}`);
		expect((await hover_text(page, time, row)).trim().startsWith(words), `hovering over row ${row} at ${time} s says '${await hover_text(page, time, row)}'`);
	}
	await page.close();
}

async function search_in_vain(browser, small, large) {
	const page = await open(browser, small, "timeline");
	await settled(page);
	const before = await picture_of(page);
	await page.fill("input[type=search]", "MPI_Nonsense");
	await settled(page);
	expect((await status_of(page)) === "No call matches 'MPI_Nonsense'." && await picture_of(page) === before, `a search without a match says '${await status_of(page)}', or dims all calls`);
	await page.close();
	const summary = await open(browser, large, "timeline");
	await settled(summary);
	await summary.fill("input[type=search]", "MPI_Nonsense");
	await settled(summary);
	expect((await status_of(summary)).startsWith("None of the single calls in this page matches 'MPI_Nonsense'"), `a search in a summary says '${await status_of(summary)}'`);
	await summary.close();
}

// What the data of a page says of an interval of rows: calls and seconds waited.
const counted = (page, rows, from, to) => page.evaluate(([wanted, begin, end]) => {
	const data = JSON.parse(document.getElementById("timeline").textContent), found = {calls: 0, wait: 0};
	for (const row of wanted)
		for (let i = 0, at = 0; i < data.calls[row].length; i += 5) {
			at += data.calls[row][i];
			const stop = at + data.calls[row][i + 1], waited = at + data.calls[row][i + 3];
			if (stop / 1e9 <= begin || at / 1e9 >= end)
				continue;
			found.calls++;
			found.wait += Math.max(0, Math.min(waited / 1e9, end) - Math.max(at / 1e9, begin));
		}
	return found;
}, [rows, from, to]);

async function select_area(browser, path) {
	const page = await open(browser, path, "timeline");
	await settled(page);
	const from = await point_of(page, 0.1, 1), to = await point_of(page, 0.25, 2), shown = await drag(page, from, to, "Shift"), [start, end, first, last] = (shown.area || "").split(",").map(Number);
	expect(Math.abs(start - 0.1) < 0.002 && Math.abs(end - 0.25) < 0.002 && first === 1 && last === 2, `the selected area is '${shown.area}'`);
	const words = (await page.textContent(".area")).replaceAll("\u00a0", " "), found = await counted(page, [1, 2], start, end);
	expect(words.includes(`calls${found.calls}`), `the area has ${found.calls} calls, its panel says '${words}'`);
	const waiting = words.match(/waiting([\d.]+) ms/);
	expect(waiting && Math.abs(waiting[1] - found.wait * 1000) < found.wait * 10, `the area has ${found.wait} s of waiting, its panel says '${words}'`);
	expect(await page.locator(".area .worst button").count() > 0, "the area does not list its longest waits");
	await same_again(page, "area");
	await page.locator(".area .worst button").first().click();
	expect(span(await settled(page)) < span(shown) / 2, "a long wait of the list does not lead to its call");
	await page.click("text=Clear selection");
	expect((await settled(page)).area === undefined && await page.locator(".area").count() === 0, "an area cannot be removed");
	await page.close();
}

async function use_ruler_and_box(browser, path) {
	const page = await open(browser, path, "timeline"), whole = await settled(page);
	await page.click("text=ruler");
	const measured = await drag(page, await point_of(page, 0.1, 1), await point_of(page, 0.2, 1));
	expect(measured.ruler && measured.ruler.split(",").every((time, i) => Math.abs(time - [0.1, 0.2][i]) < 0.002), `the ruler is at '${measured.ruler}'`);
	await same_again(page, "ruler");
	await page.locator("canvas.timeline").focus();
	await page.keyboard.press("Escape");
	expect((await settled(page)).ruler === undefined, "'Esc' does not remove the ruler");
	await page.keyboard.press("m");
	const {rowHeight} = await figures(page), boxed = await drag(page, await point_of(page, 0.1, 1, 0.3), await point_of(page, 0.2, 2, 0.7), "Control");
	expect(Math.abs(boxed.from - 0.1) < 0.002 && Math.abs(boxed.to - 0.2) < 0.002 && (await figures(page)).rowHeight > rowHeight * 1.5, `a box zooms to ${boxed.from} to ${boxed.to}`);
	await same_again(page, "box");
	await page.click("text=Whole run");
	expect(Math.abs(span(await settled(page)) - span(whole)) < 2e-9 && (await figures(page)).rowHeight === rowHeight, "'Whole run' does not undo a box");
	await page.close();
}

async function use_more_keys(browser, path) {
	const page = await open(browser, path, "timeline"), whole = await settled(page);
	await page.locator("canvas.timeline").focus();
	await page.keyboard.press("w");
	const near = await settled(page);
	expect(Math.abs(span(near) / span(whole) - 0.7) < 0.001, "'W' does not zoom in");
	await page.keyboard.press("d");
	expect((await settled(page)).from > near.from, "'D' does not move");
	await page.keyboard.press("a");
	await page.keyboard.press("s");
	expect(Math.abs(span(await settled(page)) / span(whole) - 0.98) < 0.001, "'S' does not zoom out");
	await page.keyboard.press("?");
	expect(await page.locator("dialog.keys[open] kbd").count() >= 12, "'?' does not list the keys");
	await page.keyboard.press("Escape");
	expect(await page.locator("dialog.keys[open]").count() === 0, "the list of keys cannot be closed");
	await page.click("text=Whole run");
	await settled(page);
	const {x, y} = await point_of(page, 0.03, 2);
	await page.mouse.dblclick(x, y);
	const call = await settled(page);
	expect(span(call) < 0.06 && call.from < 0.03 && 0.03 < call.to, `a double click shows ${call.from} to ${call.to}`);
	expect(Number((await figures(page)).names) > 0, "a call that fills the window has no name");
	await page.close();
}

async function use_minimap(browser, path) {
	const page = await open(browser, path, "timeline/from=0&to=0.05");
	await settled(page);
	const box = await page.locator(".minimap").boundingBox(), left = Number((await figures(page)).left), length = await page.evaluate(() => JSON.parse(document.getElementById("timeline").textContent).length_s);
	await page.mouse.click(box.x + left + (box.width - left) / 2, box.y + 10);
	const middle = await settled(page);
	expect(Math.abs((Number(middle.from) + Number(middle.to)) / 2 - length / 2) < length / 200 && Math.abs(span(middle) - 0.05) < 1e-6, `a click in the middle of the minimap shows ${middle.from} to ${middle.to}`);
	const frame = await page.locator(".minimap-frame").boundingBox();
	expect(Math.abs(frame.x + frame.width / 2 - box.x - left - (box.width - left) / 2) < 3, "the frame is not where the view is");
	await page.close();
}

async function use_legend_and_order(browser, path) {
	const page = await open(browser, path, "timeline");
	await settled(page);
	const at = await point_of(page, 0.02, 8, 0.9), wait = await variable(page, "--kind-waiting");
	expect(await colour_at(page, "canvas.timeline", at) === wait, "rank 8 does not wait at 20 ms");
	await page.locator(".legend-key", {hasText: "waiting"}).click();
	expect((await settled(page)).hide === "wait" && await colour_at(page, "canvas.timeline", at) === await variable(page, "--panel"), "a click on the legend does not hide waiting");
	await same_again(page, "hidden");
	await page.locator(".legend-key", {hasText: "waiting"}).click();
	await page.getByLabel("Order").selectOption("wait");
	expect((await settled(page)).sort === "wait" && (await hover_text(page, 0.02, 0)).startsWith("rank 6: ") && (await hover_text(page, 0.02, 1)).startsWith("rank 8: "), "the ranks that wait most are not the first");
	await same_again(page, "sorted");
	await page.getByLabel("Order").selectOption("similar");
	await settled(page);
	expect((await hover_text(page, 0.02, 1)).startsWith("rank 1"), "the rank that resembles rank 0 is not the second");
	await page.close();
}

// Marks lead to findings; late messages are drawn as such.
async function use_marks(browser, path, finding) {
	const page = await open(browser, path, "timeline");
	await settled(page);
	const {marks, late} = await figures(page), {findings} = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
	expect(Number(marks) > 0 && Number(late) === 12, `${marks} marks and ${late} late messages are drawn`);
	const number = findings.findIndex(one => one.name === finding.name), box = await page.locator("canvas.timeline").boundingBox(), {rowHeight} = await figures(page);
	const {x} = await point_of(page, finding.worst.at.start_s, finding.worst.at.rank);
	await page.mouse.move(x + 5, box.y + 1 + (finding.worst.at.rank + 1) * rowHeight - 8);
	expect((await page.textContent(".hover")).startsWith(`Finding ${number + 1}: `), `hovering over a mark says '${await page.textContent(".hover")}'`);
	await page.mouse.down();
	await page.mouse.up();
	await page.waitForSelector(".finding-view");
	expect((await page.textContent("h2")).includes(finding.name), "a mark leads to another finding");
	await page.close();
}

// The page of a long run has single calls up to its size, and around every finding.
async function see_filled_page(browser, path) {
	const page = await open(browser, path, "timeline");
	const {complete, spans, count, length_s} = await page.evaluate(() => {
		const {calls, ...data} = JSON.parse(document.getElementById("timeline").textContent);
		return {complete: data.complete, spans: data.spans, length_s: data.length_s, count: calls.reduce((sum, row) => sum + row.length / 5, 0)};
	});
	expect(!complete && spans.length > 0 && count > 50000, `the page of a long run has ${count} calls in ${spans.length} parts`);
	await go(page, `timeline/from=${spans[0][0] / 1e9}&to=${spans[0][1] / 1e9}`);
	await settled(page);
	expect((await status_of(page)) === "", "the part with single calls is shown as a summary");
	await go(page, `timeline/area=0,${length_s / 2},0,3`);
	await settled(page);
	expect((await page.textContent(".area")).includes("times are from a summary"), "an area without single calls does not say so");
	await page.close();
}

// The server counts the calls of an area that is not loaded, as far as there are not too many.
async function ask_for_area(browser, address) {
	const page = await open(browser, address, "timeline");
	await settled(page);
	const length = await page.evaluate(() => JSON.parse(document.getElementById("timeline").textContent).length_s);
	await go(page, `timeline/area=${length * 0.5},${length * 0.51},0,3`);
	await page.waitForFunction(() => /calls[\d\s]+/.test(document.querySelector(".area dl")?.textContent || ""));
	expect(await page.locator(".area .worst button").count() > 0, "the area of a served page does not list its longest waits");
	await go(page, `timeline/area=0,${length},0,7`);
	await page.waitForFunction(() => document.querySelector(".area").textContent.includes("Too many calls to count here"));
	await page.close();
}

// `how` has the functions of look.mjs; `finding` is one of the small page.
export async function explore_timeline(browser, pages, finding, how) {
	const {in_turn} = how;

	({open, go, expect, same_again} = how);
	await in_turn(use_axis, browser, pages.small);
	await in_turn(see_colours, browser, pages.states);
	await in_turn(see_regions, browser, pages.states);
	await in_turn(see_stacks, browser, pages.nodes, pages.small);
	await in_turn(see_threads, browser, pages.hybrid);
	await in_turn(search_in_vain, browser, pages.small, pages.large);
	await in_turn(select_area, browser, pages.small);
	await in_turn(use_ruler_and_box, browser, pages.small);
	await in_turn(use_more_keys, browser, pages.small);
	await in_turn(use_minimap, browser, pages.small);
	await in_turn(use_legend_and_order, browser, pages.teams);
	await in_turn(use_marks, browser, pages.small, finding);
	await in_turn(see_filled_page, browser, pages.large);
	if (pages.served)
		await in_turn(ask_for_area, browser, pages.served);
}
