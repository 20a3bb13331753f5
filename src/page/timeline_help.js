// The keys of the timeline, as a list that '?' opens.

import {element} from "./dom.js";
import {translated} from "./words.js";

const KEY_LIST = [
	["← →, A D", "move in time"], ["↑ ↓", "move to other ranks"], ["+ −, W S", "zoom in and out"], ["Home", "whole run"],
	["M", "drag moves"], ["B", "drag zooms to a box"], ["X", "drag selects an area"], ["R", "drag measures a time"],
	["Shift + drag", "select an area"], ["Ctrl + drag", "zoom to a box"], ["Alt + drag", "measure a time"], ["double click", "zoom to a call"],
	["wheel", "zoom"], ["Shift + wheel", "move in time"], ["Alt + wheel", "move to other ranks"], ["N", "next call that matches"], ["Esc", "remove area and ruler"], ["?", "this list"]];

export function key_help() {
	const dialog = element("dialog", {class: "keys", "aria-label": translated("Keys of the timeline")},
		element("h3", {}, translated("Keys of the timeline")),
		element("dl", {}, KEY_LIST.map(([key, words]) => [element("dt", {}, element("kbd", {}, translated(key))), element("dd", {}, translated(words))])),
		element("form", {method: "dialog"}, element("button", {}, translated("Close"))));
	return dialog;
}
