// Tests pages in a real browser: look.mjs BROWSER PAGES.json TURN, where the file has the paths of the pages by the name of their case. TURN is that of
// tests/turns.py, or "all". Prints a sentence for each error.

import {createRequire} from "node:module";
import {readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";
import {look_at_timeline} from "./look_timeline.mjs";
import {explore_timeline} from "./look_explore.mjs";
import {look_at_sheets} from "./look_sheets.mjs";
import {look_at_folder} from "./look_folder.mjs";
import {compare_pictures, unreadable_texts} from "./look_pictures.mjs";

import {bench_views, see_benchmarks} from "./bench.mjs";

const require = createRequire(process.cwd() + "/");
const {chromium} = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf-8");
const VIEWS = ["overview", "timeline", "communication", "calls", "correctness", "notes", "finding-1"];
const WIDTHS = [1400, 800, 380];
// Their names and values are too long to be read.
const ABSURD = ["bench_hostile", "bench_extreme", "bench_strange"];
// Views of an open page, each once.
const views_of = (page, name) => bench_views(name) || page.evaluate(() => [...document.querySelectorAll("nav a")].map(item => item.hash.slice(1)).concat(document.body.dataset.view === "report" ? ["finding-1"] : []));

const wrong = [];
const expect = (holds, sentence) => holds || wrong.push(sentence);

// A new tab takes more than a second of CPU time, and to load a page a third of that: closed tabs keep their page, and show another view of it.
const free_tabs = [], TABS_MOST = 4;

async function new_tab(browser) {
	const tab = await browser.newPage();
	tab.on("console", message => ["error", "warning"].includes(message.type()) && wrong.push(`${tab.shown}: console: ${message.text()}`));
	tab.on("pageerror", error => wrong.push(`${tab.shown}: ${error.message}`));
	tab.on("request", request => expect([tab.address, "data:", "blob:", "about:blank"].some(begin => request.url().startsWith(begin)), `${tab.shown}: asks for ${request.url()}`));
	tab.setDefaultTimeout(150000);
	tab.close = async () => {
		await tab.mouse.move(0, 0);
		free_tabs.push(tab);
	};
	return tab;
}

// A closed tab that shows this page, or the one that was closed first if there are enough.
function free_tab(address) {
	const at = free_tabs.findIndex(tab => tab.url().split("#")[0] === address);
	return at >= 0 ? free_tabs.splice(at, 1)[0] : free_tabs.length >= TABS_MOST ? free_tabs.shift() : null;
}

async function open(browser, path, fragment, width = 1280, scheme = "light") {
	const address = path.startsWith("http:") ? path : String(pathToFileURL(path)), page = free_tab(address) || await new_tab(browser), is_loaded = page.address === address && page.url().split("#")[0] === address;
	page.address = address;
	page.shown = `${path}#${fragment}`;
	await page.setViewportSize({width, height: 900});
	await page.emulateMedia({colorScheme: scheme});
	if (is_loaded) {
		await go(page, fragment);
	} else {
		await page.goto(address + "#" + fragment);
		await page.waitForSelector("main > *");
	}
	return page;
}

// Goes to another view of an open page; returns when it is shown.
async function go(page, fragment) {
	await page.evaluate(next => {
		document.querySelector("main").replaceChildren();
		location.hash === "#" + next ? dispatchEvent(new HashChangeEvent("hashchange")) : location.hash = next;
	}, fragment);
	await page.waitForSelector("main > *");
}

let compared = 0;

// The address of a timeline shows the same picture when one comes back from another view; every fourth time, when the page is loaded again.
async function same_again(page, name) {
	const picture = () => page.evaluate(() => document.querySelector("canvas.timeline").toDataURL());
	await page.mouse.move(1, 1);
	const seen = await picture(), fragment = await page.evaluate(() => location.hash.slice(1));
	if ((compared++ + Number(turn)) % 4)
		await go(page, "overview").then(() => go(page, fragment));
	else
		await page.reload();
	await page.waitForSelector("canvas.timeline[aria-busy=false]");
	expect(await picture() === seen, `${name}: the address '${fragment}' shows something else`);
}

// Every view opens, has text, fits its window, and runs no script from a trace.
async function every_view(browser, name, path) {
	const page = await open(browser, path, "overview");
	for (const width of widths) {
		await page.setViewportSize({width, height: 900});
		for (const view of await views_of(page, name)) {
			await go(page, view);
			const seen = await page.evaluate(() => ({hacked: window.hacked, words: document.querySelector("main").innerText.trim().length,
				wide: document.documentElement.scrollWidth - innerWidth, images: document.querySelectorAll("main img, main iframe, main script").length}));
			expect(seen.hacked === undefined && seen.images === 0, `${name}#${view}: markup of the trace was obeyed`);
			expect(seen.words > 0, `${name}#${view}: nothing is shown`);
			expect(seen.wide <= 0, `${name}#${view}: ${seen.wide} pixels stick out of a window of ${width}`);
			for (const sentence of ABSURD.includes(name) ? [] : await page.evaluate(unreadable_texts))
				expect(false, `${name}#${view}: in a window of ${width} ${sentence}`);
		}
	}
	await page.close();
}

// The page's own policy allows no other script: the browser itself injects this one.
async function accessible(browser, name, path) {
	const page = await open(browser, path, "overview");
	if (!await page.evaluate(() => Boolean(window.axe)))
		await page.evaluate(axe);
	// All views of a benchmark are made of the same parts.
	for (const view of (await views_of(page, name)).slice(0, bench_views(name) ? 1 : VIEWS.length)) {
		await go(page, view);
		// Colours are those of all pages.
		for (const scheme of name === "small" ? ["light", "dark"] : ["light"]) {
			await page.emulateMedia({colorScheme: scheme});
			const found = await page.evaluate(async only => (await window.axe.run(document, {resultTypes: ["violations"], ...only})).violations.filter(one => ["serious", "critical"].includes(one.impact))
				.map(one => `${one.id}: ${one.nodes.map(node => node.target.join(" ")).slice(0, 3).join("; ")}`), scheme === "dark" ? {runOnly: ["color-contrast"]} : {});
			for (const sentence of found)
				expect(false, `${name}#${view} (${scheme}): ${sentence}`);
		}
	}
	await page.close();
}

// Words of a page that are neither Russian nor from the trace: texts and labels for screen readers.
function english_words() {
	const TEXTS = new Set(["trace", "file", "function", "call", "place", "id", "pattern", "program", "library", "name", "arguments", "path", "text", "description", "advice", "why", "fix",
		"detail", "notes", "nodes", "role", "region", "reasons", "standard"]);
	const data = new Set();
	const gather = (value, key) => {
		if (typeof value === "string")
			TEXTS.has(key) && value && data.add(value);
		else if (value && typeof value === "object")
			for (const [name, item] of Object.entries(value))
				gather(item, Array.isArray(value) ? key : name);
	};
	for (const island of document.querySelectorAll("script[type='application/json']"))
		gather(JSON.parse(island.textContent), "");
	const known = new Set(["Tarry", "MPI", "JavaScript", "Home", "Shift", "Ctrl", "Alt", "Esc", ...[...data].filter(text => text.split(" ").length < 4).flatMap(text => text.split(/[^A-Za-z]+/))]);
	const sentences = [...data].sort((a, b) => b.length - a.length), found = [];
	const look = text => {
		for (const sentence of sentences)
			text = text.split(sentence).join(" ");
		found.push(...(text.match(/[A-Za-z]{2,}/g) || []).filter(word => !known.has(word)));
	};
	const walker = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
		if (element.closest("pre, code, option[value^=MPI_]"))
			continue;
		if (node.nodeType === Node.TEXT_NODE)
			look(node.data);
		else
			["aria-label", "title", "placeholder"].forEach(name => node.hasAttribute(name) && look(node.getAttribute(name)));
	}
	return [...new Set(found)];
}

// A page in Russian has no word in English.
async function is_russian(browser, name, path) {
	const page = await open(browser, path, "overview");
	for (const view of VIEWS.concat("finding-2", "finding-3")) {
		await go(page, view);
		const words = await page.evaluate(english_words);
		expect(words.length === 0, `${name}#${view}: in a Russian page stand the words ${words.join(", ")}`);
	}
	await page.close();
}

const hash_of = page => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.split("/")[1] || "")));

// From the list of findings to one, and on to its longest instance on the timeline.
async function follow_finding(browser, path) {
	const page = await open(browser, path, "overview");
	const report = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
	const number = report.findings.findIndex(one => one.causes.length), finding = report.findings[number];
	await page.locator(".finding-link").nth(number).click();
	await page.waitForSelector(".finding-view");
	expect((await page.textContent("h2")).includes(finding.name), "a finding of the list leads to another one");
	const marked = await page.locator(".code .here").allInnerTexts(), panels = await page.locator(".panel h4").allInnerTexts();
	expect(marked.length >= 2 && marked[marked.length - 1].includes(finding.call) && marked.slice(0, -1).some(line => line.includes(finding.partner.call)),
		`the marked lines are not those of ${finding.partner.call}, then ${finding.call}: ${marked}`);
	expect(panels[0].startsWith("cause: rank 1 computes") && panels[panels.length - 1].startsWith("waits:"), `the source of a finding does not begin with its cause: ${panels}`);
	expect(await page.locator("svg[aria-label='time lost over the run']").count() === 1, "a finding does not say when its time was lost");
	const waits = page.locator("svg[aria-label='waiting in this call by iteration'] a"), drawn = await waits.count();
	expect(drawn === report.summary.iteration.count - 1 && (await waits.first().getAttribute("href")).startsWith("#timeline/from="), `a finding has ${drawn} iterations`);
	expect((await page.textContent(".instance figcaption")).replaceAll("\u00a0", " ").includes("Rank 1 enters MPI_Send"), "the longest instance does not say how late the other rank was");
	expect((await page.textContent(".command")).includes("tarry diff small.tarry after.tarry"), "a finding does not say how to check a change");
	await page.setViewportSize({width: 380, height: 900});
	await go(page, `finding-${number + 1}`);
	await page.setViewportSize({width: 1280, height: 900});
	const [width, drawn_width] = await page.locator(".instance svg").evaluate(svg => [svg.getBoundingClientRect().width, svg.viewBox.baseVal.width]);
	expect(width < drawn_width + 1, `in a window that became wider, the longest instance grows from ${drawn_width} to ${width} pixels`);
	await page.click("text=Show on the timeline");
	await page.waitForSelector("canvas.timeline");
	await page.waitForTimeout(200);
	const at = finding.worst.at, shown = await hash_of(page);
	expect(Number(shown.from) <= at.start_s && at.end_s <= Number(shown.to), "the timeline does not show the instance of the finding");
	await page.close();
	return finding;
}

// The quantity of the matrix can be chosen; rows and columns have names, and cells values.
async function use_matrix(browser, path) {
	const page = await open(browser, path, "communication");
	const cell = async (row, column) => (await page.locator(".matrix-table tbody tr").nth(row).locator("td").nth(column).innerText()).replaceAll("\u00a0", " ");
	for (const [quantity, words] of [["Bytes", "12 KiB"], ["Messages", "12"], ["Wait", "239 ms"]]) {
		await page.getByLabel("Show").selectOption({label: quantity});
		expect(await cell(1, 2) === words, `the matrix of ${quantity} says '${await cell(1, 2)}'`);
		expect(await cell(1, 4) === words, `the sum of what rank 1 sends is '${await cell(1, 4)}' in the matrix of ${quantity}`);
		expect(await cell(2, 0) === "·", `the matrix of ${quantity} says '${await cell(2, 0)}' where nothing was sent`);
	}
	expect((await page.locator(".matrix-table th").allInnerTexts()).join() === "is late ↓ waits →,0,1,2,3,total,0,1,2,3,total", "a matrix does not name its rows and columns");
	await page.locator("a[href='#timeline/ranks=1,2']").first().click();
	await page.waitForSelector("canvas.timeline[data-rows='2']");
	await page.close();
}

// Matrices and distances of regions, of nodes, and of the whole run.
async function choose_matrices(browser, path) {
	const page = await open(browser, path, "communication"), words = async selector => (await page.locator(selector).allInnerTexts()).map(text => text.replaceAll("\u00a0", " ").replace(/\s+/g, " ").trim());
	const distances = async () => (await words("section:has(h2:text('By distance on the machine')) tbody tr")).join("; ");
	expect(await distances() === "Within a core 1 2 2 KiB 25 % 50 ms 100 %; Within a node 1 2 2 KiB 25 % 0 s; Between nodes 2 4 4 KiB 50 % 0 s", `distances of the run: ${await distances()}`);
	await page.getByLabel("Show").selectOption({label: "Wait"});
	for (const [region, wait] of [["step", "50 ms"], ["step › halo", "30 ms"]]) {
		await page.getByLabel("during").selectOption({label: region});
		expect((await words(".matrix-table tbody tr"))[0].startsWith(`0 · ${wait} · · ${wait}`) && (await distances()).includes(` ${wait} 100 %`), `waits in '${region}': ${await words(".matrix-table tbody tr")}; ${await distances()}`);
	}
	await page.getByLabel("Show").selectOption({label: "Bytes"});
	await page.locator(".tools select").nth(1).selectOption({label: "Nodes"});
	expect((await words(".matrix-table tbody tr")).join("; ") === "node0 1 KiB 1 KiB 2 KiB; node1 1 KiB 1 KiB 2 KiB", `the matrix of nodes: ${await words(".matrix-table tbody tr")}`);
	await page.close();
}

// A row for each file, and the details of the one that is chosen.
async function see_files(browser, path) {
	const page = await open(browser, path, "files"), words = async selector => (await page.locator(selector).allInnerTexts()).map(text => text.replaceAll("\u00a0", " ").replace(/\s+/g, " ").trim());
	const rows = await words("section:has(h2:text('Files')) tbody tr"), ranks = async () => (await words("div[aria-label='Ranks'] tbody tr")).length;
	expect(rows.length === 3 && rows[0].startsWith("out.dat 0 ") && rows[0].includes("sequential") && rows[1].startsWith("in.dat 0–3 ") && rows[2].startsWith("/tmp/<b>bold</b>"), `files: ${rows.join("; ")}`);
	expect(await ranks() === 1, `out.dat has ${await ranks()} ranks`);
	await page.getByRole("link", {name: "in.dat"}).click();
	expect(await ranks() === 4 && await page.evaluate(() => location.hash) === "#files/file=1", `in.dat has ${await ranks()} ranks, or is not in the address`);
	const labels = await page.locator("figure svg text").allTextContents();
	expect(labels.at(-1).startsWith("≥"), `sizes of in.dat: ${labels}`);
	await page.getByLabel("Show").selectOption({label: "out.dat"});
	expect(await ranks() === 1 && (await words("h2"))[1] === "out.dat", "a file cannot be chosen");
	await go(page, "overview");
	await go(page, "files/file=1");
	expect((await words("h2"))[1] === "in.dat", "the address of a file shows another one");
	expect(await page.locator("a[href='#timeline/rank=2']").count() === 1, "ranks of a file do not lead into the timeline");
	expect((await words("div[aria-label='Interfaces'] tbody tr"))[0].startsWith("buffered reads 40 MiB 40 1 MiB"), `interfaces of in.dat: ${await words("div[aria-label='Interfaces'] tbody tr")}`);
	await page.close();
}

// From 64 ranks on, nodes come first; single ranks are one choice away.
async function fold_matrix(browser, pages) {
	const page = await open(browser, pages.nodes, "communication"), chosen = async tab => tab.locator(".tools select").nth(1).evaluate(field => field.selectedOptions[0].text);
	const rows = (await page.locator(".matrix-table tbody tr").allInnerTexts()).map(text => text.replaceAll("\u00a0", " ").replace(/\s+/g, " ").trim());
	expect(await chosen(page) === "Nodes" && rows.join("; ") === "node0 120 KiB 8 KiB · · 128 KiB; node1 · 120 KiB 8 KiB · 128 KiB; node2 · · 120 KiB 8 KiB 128 KiB; node3 8 KiB · · 120 KiB 128 KiB",
		`the matrix of 64 ranks begins with ${await chosen(page)}: ${rows.join("; ")}`);
	await page.locator(".tools select").nth(1).selectOption({label: "Ranks"});
	const box = await page.locator("canvas.matrix").boundingBox(), cell = box.width / 64;
	await page.mouse.move(box.x + 17.5 * cell, box.y + 16.5 * cell);
	expect((await page.textContent("figure [aria-live]")).replaceAll("\u00a0", " ") === "rank 16 → rank 17: 8 KiB", `a cell of 64 ranks says '${await page.textContent("figure [aria-live]")}'`);
	await page.close();
	const few = await open(browser, pages.teams, "communication");
	expect(await chosen(few) === "Ranks" && await few.locator(".matrix-table tbody tr").count() === 12, "the matrix of twelve ranks does not begin with ranks");
	await few.close();
}

// A graph for each deadlock, with an arrow for each wait.
async function see_deadlocks(browser, path, fragment) {
	const page = await open(browser, path, fragment);
	const check = await page.evaluate(() => JSON.parse(document.getElementById("check").textContent));
	const waiting = check.findings.filter(finding => finding.waits.length);
	expect(waiting.length >= 3 && await page.locator(".graph").count() === waiting.length, "not every deadlock is drawn");
	expect(await page.locator(".graph").first().locator(".arrow").count() === waiting[0].waits.length, "a deadlock has not an arrow for each wait");
	// Two processes of a deadlock, and two places where others wait for them.
	const bystanders = page.locator(".graph").nth(waiting.findIndex(finding => finding.values.behind === "2-4"));
	const boxes = part => bystanders.locator(`svg g.part-${part}`);
	expect(await boxes("waits").count() === 2 && await boxes("behind").count() === 2, "processes that wait for a deadlock are not told apart from it");
	expect((await boxes("behind").nth(1).textContent()).startsWith("ranks 3–4MPI_Barrier"), "processes that wait at one place are not one box");
	const look = async part => boxes(part).first().locator("rect").evaluate(box => getComputedStyle(box).stroke);
	expect(await look("waits") !== await look("behind"), "boxes of both kinds look alike");
	expect((await bystanders.locator(".legend").textContent()) === "part of the deadlocknot part of the deadlock, waits for it", "a graph with both has no legend");
	expect(await page.locator(".graph").first().locator(".legend li").count() === 1, "the legend has more kinds than the graph");
	await page.close();
}

// The line of each call as in the text, marked between its neighbours; notes of one kind are one entry.
async function see_source_lines(browser, path, fragment) {
	const page = await open(browser, path, fragment);
	const line = "MPI_Recv(buf, 5, MPI_INT, peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
	const truncated = page.locator(".check-finding", {hasText: "message.truncated"}).first();
	expect((await truncated.locator(".code .here").allTextContents()).map(text => text.replace(/^\d+\s+/, "").trim()).join() === line + "\n,MPI_Send(buf, n, MPI_INT, 1, 7, MPI_COMM_WORLD);".replace("\n", ""),
		`source lines of a finding: ${await truncated.locator(".code .here").allTextContents()}`);
	expect(await truncated.locator(".code").first().locator(".line").count() === 5, "a line of the source is not shown between its neighbours");
	expect((await truncated.locator(".check-calls > li > p").nth(2).textContent()).startsWith("sent: MPI_Send, rank 0, app.c:8"), "a call has not its part in the finding");
	const notes = page.locator(".check-finding", {hasText: "race.message-order"});
	expect(await page.locator("main > .check-finding", {hasText: "race.message-order"}).count() === 1 && await notes.locator(".alike .check-finding").count() === 2, "notes of one kind are not one entry");
	expect((await page.textContent(".alike summary")).replace(/\u00a0/g, " ") === "and 2 other notes of this kind", "an entry of several notes does not say how many they are");
	await page.close();
}

// From the overview of a report to the findings of the checker in the same run, and to one of them.
async function follow_error(browser, path) {
	const page = await open(browser, path, "overview");
	await page.locator("main a[href='#correctness']").click();
	await page.waitForSelector(".check-finding");
	await page.locator("a[href='#error-2']").click();
	await page.waitForFunction(() => Math.abs(document.getElementById("error-2").getBoundingClientRect().top) < 200);
	expect((await page.textContent("nav [aria-current]")) === "Correctness", "a finding of the checker is shown in another view");
	await page.close();
}

const [browser_path, list, turn, only_pictures] = process.argv.slice(2);
// All pages have the same parts: each commit tests a third of them in these ways, the next two commits the others.
const PARTS = 3;
const has_turn = (_, place) => turn === "all" || (place + Number(turn)) % PARTS === 0;
// At one width, the next time that a page is tested at the next width.
const widths = turn === "all" ? WIDTHS : [WIDTHS[Math.floor(Number(turn) / PARTS) % WIDTHS.length]];
// Half of what can be clicked is tested with each commit, the other half with the next one.
let tests = 0;
const in_turn = async (test, ...parameters) => (turn === "all" || (tests++ + Number(turn)) % 2 === 0) && test(...parameters);
const pages = JSON.parse(readFileSync(list, "utf-8"));
const browser = await chromium.launch({executablePath: browser_path, args: ["--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]});
// Every kind of view, also of runs that are unreliable, damaged, empty, large or hybrid, and in Russian.
const PICTURES = {small: [...VIEWS.filter(view => view !== "correctness"), "finding-2"], teams: ["overview", "communication", "timeline"], states: ["overview", "timeline", "notes"], places: ["communication"],
	nodes: ["communication", "timeline/ranks=16-19&from=0&to=0.06"], hybrid: ["overview", "timeline", "finding-1"], unreliable: ["overview", "timeline", "calls"], many: ["overview", "timeline", "communication"],
	broken: ["overview"], empty: ["overview"], russian: ["overview", "timeline", "communication", "calls", "finding-2"], "diff slower": ["overview"], "diff fixed": ["overview"], "diff unreliable": ["overview"],
	check: ["overview"], checked: ["correctness"], history: ["overview"], folder: ["overview"], bench_full: ["overview"], bench_compared: ["overview"]};
// "write" or "compare": nothing else is tested.
if (only_pictures) {
	await compare_pictures(browser, pages, PICTURES, only_pictures === "write", {open, go, expect});
	wrong.forEach(sentence => console.log(sentence));
	process.exit(wrong.length ? 1 : 0);
}
// The others are for the timeline alone.
for (const [name, path] of Object.entries(pages).filter(([name]) => !["teams", "many", "places", "nodes", "diff fixed"].includes(name)).filter(has_turn))
	await every_view(browser, name, path);
for (const [name, path] of Object.entries(pages).filter(([name]) => name.startsWith("russian")))
	await in_turn(is_russian, browser, name, path);
for (const name of ["small", "diff", "history", "folder", "check", "checked", "bench_exact", "bench_compared"].filter(has_turn))
	await accessible(browser, name, pages[name]);
const finding = await follow_finding(browser, pages.small);
await look_at_timeline(browser, pages, finding, {open, go, expect, same_again, in_turn});
await explore_timeline(browser, pages, finding, {open, go, expect, same_again, in_turn});
await in_turn(use_matrix, browser, pages.small);
await in_turn(choose_matrices, browser, pages.places);
await in_turn(see_files, browser, pages.files);
await in_turn(fold_matrix, browser, pages);
await look_at_sheets(browser, pages, {open, go, expect, in_turn});
if (pages.folder)
	await in_turn(look_at_folder, browser, pages.folder, {open, go, expect});
await in_turn(see_deadlocks, browser, pages.check, "overview");
await in_turn(see_deadlocks, browser, pages.checked, "correctness");
await in_turn(see_source_lines, browser, pages.check, "overview");
await in_turn(see_source_lines, browser, pages.checked, "correctness");
await in_turn(follow_error, browser, pages.checked);
await see_benchmarks((path, fragment) => open(browser, path, fragment), go, pages, expect, in_turn);
if (turn === "all")
	await compare_pictures(browser, pages, PICTURES, false, {open, go, expect});
await browser.close();
for (const sentence of wrong)
	console.log(sentence);
process.exit(wrong.length ? 1 : 0);
