// The contents of benchmark pages, compared with their data.

import {readFileSync} from "node:fs";

const BENCH_VIEWS = {bench_full: ["overview", "operations"], bench_hostile: ["overview", "operations", "circumstances"], bench_compared: ["overview", "sizes", "circumstances"],
	bench_memory: ["memory"]};
export const bench_views = name => name.startsWith("bench") && (BENCH_VIEWS[name] || ["operations"]);
const part = (page, id) => page.evaluate(name => JSON.parse(document.getElementById(name).textContent), id);
const near = (a, b, most = 1e-9) => Math.abs(a - b) <= most * Math.max(Math.abs(a), Math.abs(b));

// "353 µs", to three digits.
const UNITS = {s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9, min: 60, h: 3600};
function in_seconds(text) {
	const [number, unit] = text.split("\u00a0");
	return Number(number) * UNITS[unit];
}

// Points and labels of the charts whose title begins with this, as numbers.
function read_charts(page, title) {
	return page.evaluate(begin => [...document.querySelectorAll("svg.chart")].filter(svg => svg.getAttribute("aria-label").startsWith(begin)).map(svg => {
		const place = spot => spot.getAttribute("transform").match(/-?[\d.]+/g).map(Number), data = spot => Object.fromEntries(Object.entries(spot.dataset).map(([key, value]) => [key, Number(value)]));
		const labels = look => [...svg.querySelectorAll(`text.${look}.label`)].filter(text => text.dataset.value).map(text =>
			({value: Number(text.dataset.value), at: Number(text.getAttribute(look)) - (look === "y" ? 4 : 0)}));
		const spots = within => [...within.querySelectorAll(".spot[data-y], .spot[data-ratio]")].map(spot => ({place: place(spot), doubtful: spot.classList.contains("doubtful"), ...data(spot)}));
		return {series: [...svg.querySelectorAll(".series")].map(one => ({name: one.dataset.name, spots: spots(one)})), spots: spots(svg), x: labels("x"), y: labels("y"),
			verdicts: [...svg.querySelectorAll("[data-verdict]")].map(row => row.dataset.verdict)};
	}), title);
}

// Where a value lies among logarithms, when two of its neighbours lie where these labels say.
function between(labels, value) {
	const [low, high] = [labels[0], labels[labels.length - 1]];
	return low.at + Math.log(value / low.value) / Math.log(high.value / low.value) * (high.at - low.at);
}

async function check_times(page, results, expect) {
	const [chart] = await read_charts(page, "MPI_Bcast: time over message size"), points = results.points.filter(point => point.operation === "MPI_Bcast");
	expect(chart.series.map(one => one.name.replace("\u00a0", " ")).join() === "2 ranks,4 ranks,8 ranks,16 ranks,32 ranks", "a series is missing: " + chart.series.map(one => one.name));
	expect(chart.spots.length === points.length, `${chart.spots.length} spots of ${points.length} points`);
	for (const point of points) {
		const spot = chart.spots.find(one => one.x === point.bytes && one.y === point.mean_s);
		expect(spot && near(spot.low, point.mean_s - point.half_width_s) && near(spot.high, point.mean_s + point.half_width_s) && spot.doubtful === point.marks.length > 0,
			`${point.bytes} bytes on ${point.ranks} ranks are not drawn as measured`);
		expect(spot && Math.abs(spot.place[0] - between(chart.x, spot.x)) < 0.05 && Math.abs(spot.place[1] - between(chart.y, spot.y)) < 0.05,
			`${point.bytes} bytes on ${point.ranks} ranks do not lie where the ticks say`);
	}
	const over_ranks = (await read_charts(page, "MPI_Bcast: time over ranks")).flatMap(one => one.spots);
	expect(over_ranks.length === points.length && points.every(point => over_ranks.some(spot => spot.x === point.ranks && spot.y === point.mean_s)), "times over ranks are not those measured");
	const [bandwidth] = await read_charts(page, "MPI_Bcast: bandwidth over message size");
	expect(points.every(point => bandwidth.spots.some(spot => spot.x === point.bytes && near(spot.y, point.bytes / point.mean_s))), "bandwidth is not size over time");
	const processes = await read_charts(page, "MPI_Bcast: processes, 32");
	expect(processes[0].series.length === 5 && processes[0].series.every(one => one.spots.length === 32), "not every process is drawn");
}

// Every run is counted, and every number of the table equals the data.
async function check_numbers(page, results, expect) {
	const points = results.points.filter(point => point.operation === "MPI_Bcast");
	const folded = page.locator("details.numbers > summary");
	for (let i = 0; i < await folded.count(); i++)
		await folded.nth(i).click();
	await page.waitForFunction(() => document.querySelectorAll("details.numbers .column").length && document.querySelectorAll("details.numbers table").length);
	const counts = await page.evaluate(() => [...document.querySelectorAll("details.numbers svg.chart")].map(svg =>
		[...svg.querySelectorAll(".column")].reduce((sum, bar) => sum + Number(bar.dataset.count), 0)));
	expect(counts.length === points.length && counts.every((count, i) => count === points[i].times_s.length), "histograms do not count every run: " + counts);
	const rows = await page.evaluate(() => [...[...document.querySelectorAll("details.numbers > .scroll > table")].pop().rows].map(row =>
		[...row.cells].map(cell => cell.textContent)));
	const heads = rows.shift(), column = name => heads.indexOf(name);
	expect(rows.length === points.length, `${rows.length} lines for ${points.length} points`);
	for (const [name, key] of [["Mean", "mean_s"], ["±", "half_width_s"], ["Median", "median_s"], ["Max", "max_s"], ["Clock error", "clock_error_s"]])
		expect(rows.every((row, i) => near(in_seconds(row[column(name)]), points[i][key], 0.006)), `the numbers below '${name}' are not those of the data`);
	expect(rows.every((row, i) => row[column("Valid")] === String(points[i].right)), "the numbers of valid runs are not those of the data");
}

// With mouse and keys: values can be read, series hidden.
async function use_chart(page, results, expect) {
	const figure = page.locator("figure").first(), words = figure.locator(".readout"), first = results.points[0];
	await figure.locator(".field").focus();
	await page.keyboard.press("ArrowRight");
	const said = await words.textContent();
	expect(said.includes("2\u00a0ranks") && said.includes("1\u00a0B") && near(in_seconds(said.match(/: ([\d.]+\u00a0\S+) ±/)[1]), first.mean_s, 0.006), `the first value is read as '${said}'`);
	await page.keyboard.press("ArrowDown");
	expect((await words.textContent()).startsWith("4\u00a0ranks"), "the arrow key does not go to the next series");
	await page.keyboard.press("End");
	expect((await words.textContent()).startsWith("32\u00a0ranks"), "'End' does not go to the last value");
	const key = figure.locator(".key").first(), hidden = () => figure.locator(".series.off").count();
	await key.focus();
	await page.keyboard.press("Enter");
	expect(await hidden() === 1 && await key.getAttribute("aria-pressed") === "false", "Enter does not hide a series");
	await key.click();
	expect(await hidden() === 0 && await key.getAttribute("aria-pressed") === "true", "a click does not show a series again");
	const box = await figure.locator(".series .spot").nth(3).boundingBox();
	await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
	expect((await words.textContent()).includes(" ± "), "hovering over a spot does not say its value");
	await figure.locator("summary").click();
	await figure.locator("details table").waitFor();
	const rows = await figure.locator("details tbody tr").count();
	expect(rows === await figure.locator(".spot[data-x]").count(), "the table of a plot has not a line for each value");
}

// A standalone drawing: well-formed, in the colours of paper, without references to the page.
async function save_chart(page, expect) {
	for (const scheme of ["light", "dark"]) {
		await page.emulateMedia({colorScheme: scheme});
		const figure = page.locator("figure").first(), waiting = page.waitForEvent("download");
		await figure.locator("text=Save SVG").click();
		const download = await waiting, svg = readFileSync(await download.path(), "utf-8");
		const read = await page.evaluate(text => {
			const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
			return {tag: root.tagName, spots: root.querySelectorAll("path[data-x]").length, ink: root.querySelector("text").getAttribute("fill"),
				curve: root.querySelector("path").getAttribute("stroke"), scripts: root.querySelectorAll("script").length};
		}, svg);
		expect(/\.svg$/.test(download.suggestedFilename()) && read.tag === "svg" && read.spots === await figure.locator(".spot[data-x]").count() && !read.scripts, "a plot is not saved as it is drawn");
		expect(!/var\(|class=|tabindex/.test(svg) && read.ink === "rgb(27, 31, 36)" && read.curve === "rgb(0, 104, 168)",
			`a saved plot needs the page, or has its colours (${scheme}: ${read.ink}, ${read.curve})`);
	}
	await page.emulateMedia({colorScheme: "light"});
}

// A drawing has only valid numbers, readable letters, and nothing outside its area.
async function check_drawings(page, name, usual, expect) {
	for (const width of [1400, 380]) {
		await page.setViewportSize({width, height: 900});
		const seen = await page.evaluate(() => [...document.querySelectorAll("figure svg.chart")].map(svg => {
			const frame = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")];
			return {title: svg.getAttribute("aria-label"), letters: frame.width / svg.viewBox.baseVal.width * Math.min(...texts.map(text => parseFloat(getComputedStyle(text).fontSize))),
				outside: texts.some(text => text.getBoundingClientRect().left < frame.left - 1 || text.getBoundingClientRect().right > frame.right + 1),
				broken: [...svg.querySelectorAll("*")].some(one => [...one.attributes].some(each => !["aria-label", "data-name"].includes(each.name) && /NaN|Infinity|undefined/.test(each.value)))};
		}));
		for (const one of seen) {
			expect(!one.broken, `${name}: '${one.title}' has a place that is no number`);
			expect(one.letters > 10.5, `${name}: letters of ${one.letters} pixels in '${one.title}'`);
			expect(!usual || !one.outside, `${name}: text sticks out of '${one.title}' in a window of ${width}`);
		}
	}
	await page.setViewportSize({width: 1280, height: 900});
}

async function see_measured(open, go, path, expect) {
	const page = await open(path, "overview"), results = await part(page, "results");
	const said = await page.innerText("main");
	expect(said.includes("140\u00a0points of 4\u00a0operations") && said.includes("11 of 140\u00a0points to be treated with caution") && said.includes("this MPI library has no MPI_Ialltoallw") &&
		said.includes("WaitPatternUp"), "the overview does not say what was measured");
	const slow = results.guidelines.violations.map(one => [results.points[one.point], one]).find(([point]) => point.operation === "MPI_Bcast" && point.bytes === 4096 && point.ranks === 32);
	expect(slow && said.includes("Performance guidelines") && said.includes(slow[1].alternative), "the overview does not show a violated performance guideline");
	await page.click("text=MPI_Bcast");
	await page.waitForSelector("figure");
	await check_times(page, results, expect);
	await use_chart(page, results, expect);
	await save_chart(page, expect);
	await check_drawings(page, "bench", true, expect);
	await check_numbers(page, results, expect);
	expect(await page.locator("details.numbers td", {hasText: "slower than"}).count() > 0, "numbers do not mark a point that violates a performance guideline");
	await go(page, "operations");
	await page.waitForSelector("figure");
	const at_once = await page.locator("figure").count();
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	expect(at_once < 44 && await page.locator(".charts:not(.small) > figure").count() === 44, `of all operations ${at_once} plots are drawn before one comes to them, or not all are printed`);
	expect(await page.locator("details.numbers > .scroll > table").count() === 4, "numbers are not printed");
	expect((await read_charts(page, "MPI_Iallreduce: hidden by computation")).length > 0, "overlap is not drawn");
	await go(page, "circumstances");
	expect((await page.innerText("main")).includes("an invented one"), "circumstances are missing");
	await page.close();
}

async function see_compared(open, go, path, expect) {
	const page = await open(path, "overview"), differences = await part(page, "differences"), said = (await page.innerText("main")).replaceAll("\u00a0", " ");
	const verdicts = Object.entries(differences.verdicts).filter(([, number]) => number).map(([verdict, number]) => `${number} ${verdict}`).join(", ");
	expect(said.includes(`${differences.points.length} points in both: ${verdicts}.`), "the verdicts are not counted as in the data");
	const [chart] = await read_charts(page, "MPI_Bcast"), points = differences.points.filter(point => point.operation === "MPI_Bcast");
	expect(chart.verdicts.join() === points.map(point => point.verdict).join(), "the verdicts are not those of the data");
	expect(points.every((point, i) => chart.spots[i].ratio === point.ratio && chart.spots[i].low === point.ratio_low && chart.spots[i].high === point.ratio_high), "the ratios are not those of the data");
	const ticks = chart.x.sort((a, b) => a.value - b.value);
	expect(chart.spots.every(spot => Math.abs(spot.place[0] - between(ticks, spot.ratio)) < 0.05), "a ratio does not lie where the ticks say");
	const changed = points.filter(point => point.verdict === "slower" || point.verdict === "faster").length;
	expect(await page.locator("table").nth(1).locator("tbody tr").count() === changed && changed > 3, "not every significant difference is in the list");
	await check_drawings(page, "compare", true, expect);
	await go(page, "sizes");
	expect((await read_charts(page, "MPI_Bcast: medians"))[0].spots.length === 2 * points.length, "medians of both are not drawn");
	await go(page, "circumstances");
	const others = await page.innerText("main");
	expect(others.includes("MPI_Scan") && others.includes("mpi: library"), "what else differs is missing");
	await page.close();
}

// Steps that add nothing have no plot; the slope of the line through the others is the cost of one more rank.
async function see_memory(open, path, expect) {
	const page = await open(path, "memory"), charts = await read_charts(page, ""), rows = (await part(page, "results")).memory.filter(row => row.step === "MPI_Init");
	expect(charts.length === 1 && charts[0].series.every(one => one.spots.length === rows.length), "memory is not drawn for each number of ranks");
	expect(rows.every(row => charts[0].spots.some(spot => spot.x === row.ranks && spot.y === row.shared_bytes)), "memory is not drawn as measured");
	expect((await page.innerText("main")).includes("1000\u00a0bytes"), "what one more rank costs is missing");
	await page.close();
}

// `open` and `go` are those of look.mjs.
async function print_drawings(open, path, name, expect) {
	const page = await open(path, "operations");
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	await check_drawings(page, name, false, expect);
	await page.close();
}

export async function see_benchmarks(open, go, pages, expect, in_turn) {
	await in_turn(see_measured, open, go, pages.bench_full, expect);
	await in_turn(see_compared, open, go, pages.bench_compared, expect);
	await in_turn(see_memory, open, pages.bench_memory, expect);
	for (const name of ["bench_strange", "bench_extreme", "bench_hostile", "bench_one"])
		await in_turn(print_drawings, open, pages[name], name, expect);
	const page = await open(pages.bench_empty, "overview");
	expect((await page.innerText("main")).includes("Nothing was measured."), "an empty file is not said to be one");
	await page.close();
}
