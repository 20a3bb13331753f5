// The timeline in a browser: zoom, filters, search, folding, hovering and touch work.

let open, go, expect, same_again;

const hash_of = page => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.split("/")[1] || "")));
const span = shown => shown.to - shown.from;

// When picture and address no longer change.
async function settled(page) {
	await page.waitForFunction(() => document.querySelector("canvas.timeline").getAttribute("aria-busy") === "false");
	return hash_of(page);
}

const figures = page => page.evaluate(() => Object.fromEntries(Object.entries(document.querySelector("canvas.timeline").dataset).map(([name, value]) => [name, Number(value)])));

// The position of a time of a row on the screen.
async function point_of(page, time, place) {
	const box = await page.locator("canvas.timeline").boundingBox(), shown = await hash_of(page), {left, rowHeight} = await figures(page);
	return {x: box.x + 1 + left + (time - shown.from) / span(shown) * (box.width - 2 - left), y: box.y + 1 + (place + 0.5) * rowHeight};
}

async function hover_text(page, time, place) {
	const {x, y} = await point_of(page, time, place);
	await page.mouse.move(x, y);
	return (await page.textContent(".hover")).replaceAll("\u00a0", " ");
}

// How many pixels of each row have the colour of each kind of call. The band of a collective operation may change it by rounding.
async function pixels_of(page) {
	return page.evaluate(() => {
		const canvas = document.querySelector("canvas.timeline"), {left, rowHeight, rows} = canvas.dataset, style = getComputedStyle(document.documentElement);
		const ratio = canvas.width / canvas.clientWidth, copy = Object.assign(document.createElement("canvas"), {width: canvas.width, height: canvas.height});
		const paper = copy.getContext("2d", {willReadFrequently: true});
		paper.drawImage(canvas, 0, 0);
		const inks = Object.fromEntries(["p2p", "collective", "other", "compute"].map(kind => [kind, parseInt(style.getPropertyValue(kind === "compute" ? "--kind-computing" : "--" + kind).trim().slice(1), 16)]));
		return Array.from({length: Number(rows)}, (_, place) => {
			const counts = {p2p: 0, collective: 0, other: 0, compute: 0};
			const {data} = paper.getImageData(Math.ceil(left * ratio), Math.round((place + 0.2) * rowHeight * ratio), canvas.width - Math.ceil(left * ratio), 1);
			for (let i = 0; i < data.length; i += 4)
				for (const kind of Object.keys(counts))
					counts[kind] += [16, 8, 0].every((shift, k) => Math.abs((inks[kind] >> shift & 255) - data[i + k]) < 3);
			return counts;
		});
	});
}

const sum_of = (counts, kind) => counts.reduce((sum, one) => sum + one[kind], 0);

async function use_keys(page, whole) {
	const near = await settled(page);
	await page.locator("canvas.timeline").focus();
	await page.keyboard.press("ArrowRight");
	const moved = await settled(page);
	expect(moved.from > near.from && Math.abs(span(moved) - span(near)) < 2e-9, "the arrow key does not move the timeline");
	await page.keyboard.press("ArrowLeft");
	expect(Math.abs((await settled(page)).from - near.from) < 2e-9, "the left arrow key does not take back the right one");
	await page.keyboard.press("+");
	const nearer = await settled(page);
	expect(Math.abs(span(nearer) / span(near) - 0.7) < 0.001, "'+' does not zoom in");
	await page.keyboard.press("-");
	expect(Math.abs(span(await settled(page)) / span(near) - 0.98) < 0.001, "'-' does not zoom out");
	await page.keyboard.press("Home");
	expect(Math.abs(span(await settled(page)) - span(whole)) < 2e-9, "'Home' does not show the whole run");
}

async function use_mouse(page, whole) {
	const {x, y} = await point_of(page, 0.2, 1);
	await page.mouse.move(x, y);
	await page.mouse.wheel(0, -400);
	const near = await settled(page);
	expect(span(near) < span(whole) * 0.5 && near.from < 0.2 && 0.2 < near.to, "the wheel does not zoom to where the mouse is");
	await page.mouse.down();
	await page.mouse.move(x - 100, y);
	await page.mouse.up();
	const dragged = await settled(page);
	expect(dragged.from > near.from && Math.abs(span(dragged) - span(near)) < 2e-9, "dragging does not move the timeline");
	await page.click("text=Whole run");
	expect(Math.abs(span(await settled(page)) - span(whole)) < 2e-9, "'Whole run' does not show it");
}

async function use_zoom(browser, path, finding) {
	const page = await open(browser, path, "timeline"), whole = await settled(page);
	await page.click("text=Zoom in");
	expect(Math.abs(span(await settled(page)) / span(whole) - 0.5) < 0.01, "'Zoom in' does not halve the time that is shown");
	await use_keys(page, whole);
	await use_mouse(page, whole);
	const at = finding.worst.at, text = await hover_text(page, (at.start_s + at.end_s) / 2, at.rank);
	expect(text.includes(at.call) && text.includes(`rank ${at.rank}`) && text.includes("waiting"), `hovering over ${at.call} of rank ${at.rank} says '${text}'`);
	await page.fill("input[type=search]", "MPI_Barrier");
	await page.click("text=Next");
	const found = await settled(page);
	expect((await page.textContent(".hover")).includes("MPI_Barrier"), "a search does not find MPI_Barrier");
	expect(found.find === "MPI_Barrier", "the address does not keep what was searched for");
	await page.close();
}

// Touches, by the browser's own protocol.
async function use_touch(browser, path) {
	const page = await open(browser, path, "timeline"), whole = await settled(page), fingers = await page.context().newCDPSession(page);
	const touch = (type, points) => fingers.send("Input.dispatchTouchEvent", {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
	expect(await page.locator("canvas.timeline").evaluate(canvas => getComputedStyle(canvas).touchAction) === "pan-y", "a finger on a timeline without hidden rows does not scroll the page");
	const {x, y} = await point_of(page, 0.2, 1);
	await touch("touchStart", [[x - 50, y], [x + 50, y]]);
	await touch("touchMove", [[x - 100, y], [x + 100, y]]);
	await touch("touchEnd", []);
	const near = await settled(page);
	expect(Math.abs(span(near) / span(whole) - 0.5) < 0.05, `two fingers twice as far apart leave ${span(near) / span(whole)} of the time`);
	await touch("touchStart", [[x, y]]);
	await touch("touchMove", [[x - 60, y]]);
	await touch("touchEnd", []);
	const moved = await settled(page);
	expect(moved.from > near.from && Math.abs(span(moved) - span(near)) < 2e-9, "a finger does not move the timeline");
	const call = await point_of(page, 0.2, 0);
	await touch("touchStart", [[call.x, call.y]]);
	await touch("touchEnd", []);
	await page.waitForFunction(() => document.querySelector(".hover").textContent.includes("MPI_"));
	await page.close();
}

async function filter_by_call(page) {
	const all = await pixels_of(page), {messages} = await figures(page);
	expect(sum_of(all, "p2p") > 0 && sum_of(all, "collective") > 0 && sum_of(all, "compute") > 0 && messages > 0, "there is nothing to filter");
	await page.getByLabel("Kind").selectOption("collective");
	expect((await settled(page)).kind === "collective", "the address does not keep the kind of calls");
	let left = await pixels_of(page);
	expect(sum_of(left, "p2p") === 0 && sum_of(left, "collective") === sum_of(all, "collective") && sum_of(left, "compute") === 0, "not only collective calls are left");
	expect((await figures(page)).messages === 0, "messages are shown beside collective calls alone");
	expect(!(await hover_text(page, 0.012, 0)).includes("MPI_"), "hovering shows a call that was filtered out");
	await same_again(page, "kind");
	await page.getByLabel("Kind").selectOption("");
	await page.getByLabel("Call", {exact: true}).fill("MPI_Waitall");
	expect((await settled(page)).call === "MPI_Waitall", "the address does not keep the name of the call");
	left = await pixels_of(page);
	expect(sum_of(left, "p2p") > 0 && sum_of(left, "collective") === 0, "not only MPI_Waitall is left");
	expect((await figures(page)).messages === messages, "messages that MPI_Waitall received are not shown with it");
	await page.click("text=Next");
	await settled(page);
	expect((await page.textContent(".hover")).includes("MPI_Waitall"), "'Next' does not go to the next call that the filter leaves");
	await page.getByLabel("Call", {exact: true}).fill("");
	await page.click("text=Whole run");
	await settled(page);
}

async function filter_by_rank(page) {
	await page.getByRole("textbox", {name: "Ranks"}).fill("0-1, 7");
	expect((await settled(page)).ranks === "0-1, 7" && (await figures(page)).rows === 3, "ranks '0-1, 7' are not three rows");
	expect((await hover_text(page, 0.034, 2)).startsWith("rank 7: MPI_"), "the third row of ranks '0-1, 7' is not that of rank 7");
	await same_again(page, "ranks");
	await page.getByRole("textbox", {name: "Ranks"}).fill("0-1, x");
	await settled(page);
	expect((await figures(page)).rows === 12 && (await page.textContent("[role=status]")).includes("0-7,12"), "wrong ranks are not refused");
	await page.getByRole("textbox", {name: "Ranks"}).fill("");
	await settled(page);
}

async function filter_by_communicator(page) {
	const options = await page.getByLabel("Communicator").locator("option").allInnerTexts();
	expect(options.length === 4 && options.includes("MPI_COMM_WORLD") && options.includes("team (2)") && options.includes("team (3)"),
		`communicators to choose from are ${options}`);
	await page.getByLabel("Communicator").selectOption("team (3)");
	expect((await settled(page)).comm === "3", "the address does not keep the communicator");
	const left = await pixels_of(page);
	expect(sum_of(left.slice(0, 6), "p2p") === 0 && left.slice(6).every(counts => counts.p2p > 0) && sum_of(left, "collective") === 0,
		"not only calls of the second team are left, or MPI_Waitall is not one of them");
	await same_again(page, "comm");
	await page.getByLabel("Communicator").selectOption("");
	await settled(page);
}

// Call, place, partner as a rank of the world, bytes, tag and communicator.
async function hover_arguments(page) {
	for (const [time, place, words] of [
		[0.0090005, 6, ["rank 6: MPI_Irecv", "teams.c:20", "from rank 11", "tag 5", "communicator team (3)"]],
		[0.009003, 6, ["rank 6: MPI_Isend", "teams.c:21", "to rank 7", "2 KiB", "tag 5", "communicator team (3)"]],
		[0.02, 6, ["rank 6: MPI_Waitall", "teams.c:22", "2 requests completed", "received 2 KiB from rank 11, tag 5, communicator team (3)"]],
		[0.036, 3, ["rank 3: MPI_Allreduce", "teams.c:23", "8 B sent", "8 B received", "communicator MPI_COMM_WORLD"]]]) {
		const from = time - 0.000002;
		await go(page, `timeline/from=${from.toFixed(9)}&to=${(time + 0.000002).toFixed(9)}`);
		await settled(page);
		const text = await hover_text(page, time, place);
		for (const word of words)
			expect(text.includes(word), `hovering over ${words[0]} does not say '${word}': '${text}'`);
	}
}

async function find_arguments(page) {
	await go(page, "timeline");
	await settled(page);
	await page.fill("input[type=search]", "to rank 11");
	await page.keyboard.press("Enter");
	await settled(page);
	expect((await page.textContent(".hover")).startsWith("rank 10: MPI_Isend"), "a search for 'to rank 11' does not find the send of rank 10");
}

async function use_filters(browser, path) {
	const page = await open(browser, path, "timeline");
	await settled(page);
	await filter_by_call(page);
	await filter_by_rank(page);
	await filter_by_communicator(page);
	await hover_arguments(page);
	await find_arguments(page);
	await page.close();
}

const fold_titles = async page => (await page.locator(".folds button").allInnerTexts()).map(title => title.replaceAll("\u00a0", " "));

// Groups are unfolded by a button, or by their name in the picture.
async function unfold(page) {
	await page.getByLabel("Rows").selectOption("node");
	expect((await settled(page)).fold === "node" && (await figures(page)).rows === 3, "three nodes are not three rows");
	expect(String(await fold_titles(page)) === "node0: 4 ranks (0–3),node1: 4 ranks (4–7),node2: 4 ranks (8–11)", `nodes are called ${await fold_titles(page)}`);
	await page.locator(".folds button").nth(1).click();
	expect((await settled(page)).open === "4" && (await figures(page)).rows === 7, "a button does not unfold a node");
	expect(await page.evaluate(() => document.activeElement.textContent.startsWith("node1") && document.activeElement.getAttribute("aria-expanded") === "true"),
		"who unfolds a node with the keyboard loses the place");
	expect((await hover_text(page, 0.036, 2)).startsWith("rank 4: MPI_Allreduce"), "ranks do not stand below the node that was unfolded");
	await same_again(page, "unfolded node");
	const box = await page.locator("canvas.timeline").boundingBox(), {rowHeight} = await figures(page);
	await page.mouse.click(box.x + 40, box.y + rowHeight * 1.5);
	expect((await settled(page)).open === undefined && (await figures(page)).rows === 3, "a click on its name does not fold a node again");
}

// Rank 7 computes longer. Rank 6 waits until it posts its receive, rank 8 for its message; all others do the same.
async function fold_alike(page) {
	await page.getByLabel("Rows").selectOption("behaviour");
	expect((await settled(page)).fold === "behaviour" && (await figures(page)).rows === 3, "ranks that do the same are not one row");
	expect(String(await fold_titles(page)) === "9 ranks (0–5, 9–11),2 ranks (6, 8)", `ranks that do the same are called ${await fold_titles(page)}`);
	const counts = await pixels_of(page);
	expect(counts[0].p2p > 0 && counts[0].collective > 0 && counts[0].compute > 0, "a row of several ranks shows nothing of what they did");
	const text = await hover_text(page, 0.02, 0);
	expect(/^9 ranks \(0–5, 9–11\), whole run: computing \d+(\.\d)? %, point to point \d+(\.\d)? %/.test(text), `hovering over a row of several ranks says '${text}'`);
}

async function use_folds(browser, path) {
	const page = await open(browser, path, "timeline");
	await settled(page);
	await unfold(page);
	await fold_alike(page);
	await page.close();
}

// Of thousands of ranks, those with the same behaviour are one row from the start.
async function see_many_ranks(browser, path) {
	const page = await open(browser, path, "timeline");
	await settled(page);
	const titles = await fold_titles(page), ranks = titles.map(title => parseInt(title.replace(/(\d) (?=\d{3})/, "$1"))).reduce((sum, count) => sum + count, 0);
	expect((await figures(page)).rows <= 64 && ranks > 2000 && ranks <= 2400, `2,400 ranks are folded as ${titles}`);
	const {findings} = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
	expect((await figures(page)).marks === findings.length, `${(await figures(page)).marks} of ${findings.length} findings are marked`);
	await page.getByLabel("Rows").selectOption("none");
	await page.locator("canvas.timeline").focus();
	for (let i = 0; i < 3; i++)
		await page.keyboard.press("ArrowDown");
	const {rowHeight, rows} = await figures(page), touch = () => page.locator("canvas.timeline").evaluate(canvas => getComputedStyle(canvas).touchAction);
	expect(Math.abs((await settled(page)).top * rowHeight - 120) < 1 && rows === 1200, "arrow keys do not scroll ranks");
	expect(/^Rows 31 to 1\d\d of 1 200: /.test((await page.textContent("[role=status]")).replaceAll("\u00a0", " ")) && await touch() === "none", `rows that are hidden: ${await page.textContent("[role=status]")}`);
	await same_again(page, "scrolled ranks");
	// Two ranks share a row.
	await go(page, "timeline/rank=1801");
	const top = Number((await settled(page)).top), near = await figures(page);
	expect(top < 900 && 900 < top + 850 / near.rowHeight, `the row of rank 1801 is not shown: rows from ${top} on are`);
	await go(page, "timeline/fold=none");
	await settled(page);
	await page.getByRole("textbox", {name: "Ranks"}).fill("100-103");
	await settled(page);
	expect((await figures(page)).rows === 2, "ranks 100-103 of 2,400, of which two are in a row, are not two rows");
	await go(page, "overview");
	await page.waitForFunction(() => document.querySelector("canvas.strip").style.height);
	const strip = await page.locator("canvas.strip").boundingBox();
	expect(strip.height < 300, `the strip of 2,400 ranks is ${strip.height} pixels high`);
	await page.close();
}

// A served page has every call of any zoomed window.
async function zoom_anywhere(browser, address) {
	const page = await open(browser, address, "timeline");
	const timeline = await page.evaluate(() => (({complete, spans, length_s}) => ({complete, spans, length_s}))(JSON.parse(document.getElementById("timeline").textContent)));
	expect(!timeline.complete && timeline.spans.length === 0, "a long run is in the page as a whole");
	for (const part of [0.2, 0.7]) {
		const from = timeline.length_s * part, answered = page.waitForResponse(response => response.url().includes("window?"));
		await go(page, `timeline/from=${from}&to=${from + timeline.length_s / 1000}`);
		await answered;
		await page.waitForFunction(() => document.querySelector("[role=status]").textContent === "");
		await page.fill("input[type=search]", "MPI_");
		await page.click("text=Next");
		expect(/rank \d+: MPI_/.test(await page.textContent(".hover")), "no call is found in a part that was zoomed into");
	}
	await page.close();
}

// The critical path: a line that can be switched off, a text for screen readers, the same in the page's data and in the picture.
async function use_path(browser, path) {
	const page = await open(browser, path, "overview");
	const told = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent).critical_path);
	const most = told.ranks[0].rank, words = (await page.textContent(".critical-path")).replaceAll("\u00a0", " ");
	expect(words.includes(told.places[0].text) && words.includes(`rank ${most} `), `the overview does not say where the critical path runs: ${words}`);
	await go(page, "timeline");
	await settled(page);
	const picture = () => page.evaluate(() => document.querySelector("canvas.timeline").toDataURL());
	const described = await page.locator("canvas.timeline").getAttribute("aria-describedby"), line = (await page.textContent("#" + described)).replaceAll("\u00a0", " ");
	expect(line.startsWith(`Critical path in this view: rank ${most} `) && line.includes(`${told.moves} move`), `the critical path is described as '${line}'`);
	const with_path = await picture(), box = page.getByLabel("critical path");
	await box.uncheck();
	expect((await settled(page)).path === "off" && await picture() !== with_path, "the critical path cannot be switched off, or that is not in the address");
	expect(await page.textContent("#" + described) === "", "a critical path that is not shown is described");
	await same_again(page, "path");
	await box.check();
	expect((await settled(page)).path === undefined && await picture() === with_path, "the critical path cannot be switched on again");
	for (const [row, is_on] of [[7, true], [3, false]]) {
		const text = await hover_text(page, (told.from_s + told.to_s) / 2, row);
		expect(text.includes("on the critical path") === is_on, `hovering over rank ${row} says '${text}'`);
	}
	await page.close();
}

// How many pixels of the picture have each of these colours.
const inks_of = page => page.evaluate(() => {
	const canvas = document.querySelector("canvas.timeline"), style = getComputedStyle(document.documentElement), copy = Object.assign(document.createElement("canvas"), {width: canvas.width, height: canvas.height});
	const paper = copy.getContext("2d", {willReadFrequently: true}), kinds = ["p2p", "collective", "wait"], counts = {p2p: 0, collective: 0, wait: 0};
	paper.drawImage(canvas, 0, 0);
	const {data} = paper.getImageData(0, 0, canvas.width, canvas.height), inks = kinds.map(kind => parseInt(style.getPropertyValue(kind === "wait" ? "--kind-waiting" : "--" + kind).trim().slice(1), 16));
	for (let i = 0; i < data.length; i += 4)
		for (let kind = 0; kind < kinds.length; kind++)
			counts[kinds[kind]] += inks[kind] === (data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
	return counts;
});

// Filters work on the summary of a long run as on single calls, also after a window was requested.
async function filter_summary(browser, address) {
	const page = await open(browser, address, "timeline");
	await settled(page);
	for (const part of ["the whole run", "a half of it"]) {
		const all = await inks_of(page);
		expect(all.p2p > 0, `${part}: there is nothing to filter`);
		await page.getByLabel("Kind").selectOption("collective");
		await settled(page);
		const collective = await inks_of(page);
		await page.getByLabel("Kind").selectOption("");
		await page.getByLabel("Call", {exact: true}).fill("MPI_Waitall");
		await settled(page);
		const waits = await inks_of(page);
		await page.getByLabel("Call", {exact: true}).fill("MPI_Isend");
		await settled(page);
		const sends = await inks_of(page);
		await page.getByLabel("Call", {exact: true}).fill("MPI_Bsend");
		await settled(page);
		const none = await inks_of(page);
		await page.getByLabel("Call", {exact: true}).fill("");
		await settled(page);
		expect(collective.p2p === 0 && none.p2p + none.wait + none.collective === 0 && waits.p2p + waits.wait > 0 && sends.p2p < all.p2p && waits.collective === 0,
			`${part}: filters leave ${JSON.stringify({all, collective, waits, sends, none})}`);
		await go(page, await page.evaluate(() => `timeline/from=0&to=${JSON.parse(document.getElementById("timeline").textContent).length_s / 2}`));
		await settled(page);
	}
	await page.close();
}

// `how` has the functions of look.mjs; `finding` is one of the small page.
export async function look_at_timeline(browser, pages, finding, how) {
	const {in_turn} = how;

	({open, go, expect, same_again} = how);
	await in_turn(use_zoom, browser, pages.small, finding);
	await in_turn(use_touch, browser, pages.small);
	await in_turn(use_filters, browser, pages.teams);
	await in_turn(use_path, browser, pages.teams);
	await in_turn(use_folds, browser, pages.teams);
	await in_turn(see_many_ranks, browser, pages.many);
	if (pages.served) {
		await in_turn(zoom_anywhere, browser, pages.served);
		await in_turn(filter_summary, browser, pages.served);
	}
}
