// Findings on the timeline: a numbered mark at the longest instance of each, which leads to the finding.

import {has_rank} from "./timeline_data.js";

const MARK = 15; // pixels: height of a mark
const MARKS_DRAWN = 200;

// The rows and times of findings. `findings` are those of the report.
export function marks_of(timeline, findings) {
	return (findings || []).map((finding, i) => {
		const at = finding.worst && finding.worst.at;
		return at ? {number: i + 1, name: finding.name, from: at.start_s, to: at.end_s, row: timeline.rows.findIndex(row => has_rank(row, at.rank) && (row.thread === (at.thread || 0) || row.threads > 1))} : null;
	}).filter(mark => mark && mark.row >= 0);
}

export function draw_marks(view) {
	const {paper, palette} = view;
	view.drawn_marks = [];
	paper.textAlign = "center";
	for (const mark of view.shows_marks ? view.marks.slice(0, MARKS_DRAWN) : []) {
		const place = view.places[mark.row], x = view.x(mark.from), end = view.x(mark.to), words = String(mark.number);
		if (place < 0 || mark.to < view.from || mark.from > view.to)
			continue;
		const width = Math.max(MARK, paper.measureText(words).width + 6), y = Math.max(0, view.y(place + 1) - MARK - 2);
		const left = Math.max(view.left, Math.min(x, view.width - width));
		if (view.drawn_marks.some(other => Math.abs(other.left - left) < width && Math.abs(other.y - y) < MARK))
			continue;
		paper.fillStyle = palette.ink;
		paper.fillRect(x, y + MARK - 2, Math.max(1, end - x), 2);
		paper.fillRect(left, y, width, MARK);
		paper.fillStyle = palette.ground;
		paper.fillText(words, left + width / 2, y + MARK - 4);
		view.drawn_marks.push({...mark, left, y, width});
	}
}

// The mark under a point; undefined: none.
export function mark_at(view, x, y) {
	return view.drawn_marks.find(mark => x >= mark.left && x < mark.left + mark.width && y >= mark.y && y < mark.y + MARK);
}
