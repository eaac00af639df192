// The layout of a page: each visible part with its box, its colors, and whether it is cut or covered.
import { createHash } from 'node:crypto';

/**
 * Measures the page in view, in the browser. A part is a control, a heading, a region, a picture, a text,
 * or what paints a background or a border. Its box is what is visible of it.
 */
export function measure() {
	const named = 'a[href],button,input,select,textarea,summary,h1,h2,h3,header,nav,main,aside,footer,dialog,form,table,th,section[aria-label],'
		+ 'section[aria-labelledby],[role=region],[role=row],[role=option],[role=tab],[role=slider],canvas,img,svg';
	const controls = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[role=option],[role=tab]';

	const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const known = new Map();
	/** A color as red, green, blue and opacity; nothing if it is transparent. */
	const color = (css) => {
		if (!known.has(css)) {
			paint.clearRect(0, 0, 1, 1);
			paint.fillStyle = css;
			paint.fillRect(0, 0, 1, 1);
			const [red, green, blue, opacity] = paint.getImageData(0, 0, 1, 1).data;
			known.set(css, opacity ? `#${[red, green, blue, ...(opacity < 255 ? [opacity] : [])].map((part) => part.toString(16).padStart(2, '0')).join('')}` : '');
		}
		return known.get(css);
	};

	/** What ancestors leave of a box. */
	const visible = (element) => {
		let { left, top, right, bottom } = element.getBoundingClientRect();
		let fixed = getComputedStyle(element).position === 'fixed';
		for (let outer = element.parentElement; outer && outer !== document.body && !fixed; outer = outer.parentElement) {
			const { overflowX, overflowY, position } = getComputedStyle(outer);
			const edge = outer.getBoundingClientRect();
			if (overflowX !== 'visible') [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
			if (overflowY !== 'visible') [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
			fixed = position === 'fixed';
		}
		return { left, top, right, bottom };
	};

	const ownText = (element) =>
		[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join(' ').replace(/\s+/g, ' ').trim();

	const lookOf = (element, style) => {
		const borders = ['Top', 'Right', 'Bottom', 'Left'].filter((side) => parseFloat(style[`border${side}Width`]) && style[`border${side}Style`] !== 'none');
		const edge = borders.length ? color(style[`border${borders[0]}Color`]) : '';
		const shapes = element.matches('svg') ? element.querySelector('path,circle,rect,line,use') : null;
		const drawn = shapes ? `${color(getComputedStyle(shapes).fill)}/${color(getComputedStyle(shapes).stroke)}` : '';
		return {
			ink: element.matches('canvas,img') ? '' : color(style.color),
			ground: color(style.backgroundColor) + (style.backgroundImage === 'none' ? '' : ` ${style.backgroundImage.split('(')[0]}`),
			edge: edge && `${edge} ${borders.map((side) => side[0]).join('')}`,
			drawn,
			letters: `${Math.round(parseFloat(style.fontSize) * 10) / 10}/${style.fontWeight}`,
			shade: style.boxShadow === 'none' ? '' : 'shadow'
		};
	};

	const parts = [];
	const depths = new Map();
	for (const element of document.body.querySelectorAll('*')) {
		if (element.closest('svg') && !element.matches('svg')) continue;
		if (element.closest('.maplibregl-ctrl-attrib')) continue; // depends on what the map has loaded
		if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
		const style = getComputedStyle(element);
		const look = lookOf(element, style);
		const words = ownText(element);
		const isPainted = look.ground || look.edge || look.shade;
		if (!words && !isPainted && !element.matches(named)) continue;
		const { left, top, right, bottom } = visible(element);
		if (right - left < 1 || bottom - top < 1) continue;
		if (right <= 0 || left >= innerWidth || bottom <= 0 || top >= innerHeight) continue;
		const flags = [];
		if (style.overflowX === 'hidden' && style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1) flags.push('cut');
		const middle = [Math.min((Math.max(left, 0) + Math.min(right, innerWidth)) / 2, innerWidth - 1), Math.min((Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2, innerHeight - 1)];
		if (element.matches(controls) && style.pointerEvents !== 'none') {
			const hit = document.elementFromPoint(...middle);
			const reaches = hit && (element.contains(hit) || hit.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(hit)));
			if (!reaches) flags.push('covered');
		}
		if (element.matches(':disabled')) flags.push('disabled');
		let depth = 0;
		for (let outer = element.parentElement; outer; outer = outer.parentElement) if (depths.has(outer)) { depth = depths.get(outer) + 1; break; }
		depths.set(element, depth);
		const role = element.getAttribute('role');
		parts.push({
			kind: element.localName + (element.localName === 'input' ? `:${element.type}` : '') + (role ? `=${role}` : ''),
			depth,
			label: (element.getAttribute('aria-label') ?? (words || element.getAttribute('placeholder') || element.getAttribute('name') || '')).slice(0, 40),
			box: [left, top, right - left, bottom - top].map(Math.round),
			flags: flags.join(' '),
			look
		});
	}
	return parts;
}

const looks = ({ ink, ground, edge, drawn, letters, shade }) => [ink, ground, edge, drawn, letters, shade];

/** Joins the layouts of the light and the dark page, and says what differs apart from colors. */
export function joined(light, dark) {
	const wrong = [];
	const parts = light.map((part, at) => {
		const other = dark[at];
		if (other?.kind !== part.kind || other.box.some((value, side) => Math.abs(value - part.box[side]) > 1)) {
			wrong.push(`${nameOf(part)} is not the same box in the dark: ${part.box} and ${other?.box}`);
		}
		return { ...part, light: looks(part.look), dark: looks(other?.look ?? part.look) };
	});
	if (light.length !== dark.length) wrong.push(`${light.length} parts in the light, ${dark.length} in the dark`);
	return { parts, wrong };
}

/** A short name of a look, which stays the same when others come or go. */
const keyOf = (look) => createHash('sha256').update(look).digest('base64url').slice(0, 5);

/** A layout as text: a look a line, then a part a line. */
export function written(parts) {
	const looksOf = new Map();
	const lines = parts.map(({ kind, depth, label, box, flags, light, dark }) => {
		const look = JSON.stringify([light.join(' | '), dark.join(' | ')]);
		looksOf.set(keyOf(look), look);
		return JSON.stringify([depth, kind, label, ...box, keyOf(look), ...(flags ? [flags] : [])]);
	});
	const known = [...looksOf].sort().map(([key, look]) => `${JSON.stringify(key)}: ${look}`);
	return `{"looks": {\n${known.join(',\n')}\n}, "parts": [\n${lines.join(',\n')}\n]}\n`;
}

export function read(text) {
	const { looks: known, parts } = JSON.parse(text);
	return parts.map(([depth, kind, label, x, y, width, height, look, flags = '']) => {
		const [light, dark] = known[look].map((said) => said.split(' | '));
		return { depth, kind, label, box: [x, y, width, height], light, dark, flags };
	});
}

const nameOf = ({ kind, label }) => (label ? `${kind} “${label}”` : kind);
const at = ({ box: [x, y, width, height] }) => `${width}×${height} at ${x},${y}`;

/** The pairs of equal parts of two lists in sequence: a longest common subsequence. */
function pairsOf(before, now) {
	const key = ({ kind, label }) => `${kind} ${label.replace(/\d+/g, '0')}`;
	const [left, right] = [before.map(key), now.map(key)];
	const longest = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
	for (let i = left.length - 1; i >= 0; i--) {
		for (let j = right.length - 1; j >= 0; j--) {
			longest[i][j] = left[i] === right[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
		}
	}
	const pairs = [];
	for (let i = 0, j = 0; i < left.length && j < right.length;) {
		if (left[i] === right[j]) pairs.push([i++, j++]);
		else if (longest[i + 1][j] >= longest[i][j + 1]) i++;
		else j++;
	}
	return pairs;
}

// Controls of the browser differ by a pixel or two between its versions, and these add up down a page.
const [near, far, most] = [4, 0.015, 4];
const differs = (is, was, from = 0) => Math.abs(is - was) > near + far * Math.max(from, was);

/** Whether two colors differ by more than rounding. */
function differentColor(is, was) {
	const channels = (text) => [...text.matchAll(/#([0-9a-f]{6,8})/g)].flatMap(([, hex]) => hex.match(/../g).map((part) => parseInt(part, 16)));
	if (is.replace(/#[0-9a-f]+/g, '#') !== was.replace(/#[0-9a-f]+/g, '#')) return true;
	const [left, right] = [channels(is), channels(was)];
	return left.length !== right.length || left.some((value, index) => Math.abs(value - right[index]) > most);
}

function changesOf(was, is) {
	const found = [];
	const say = (rank, what) => found.push({ rank, text: `${nameOf(is)} ${what}`, was, is });
	for (const flag of ['cut', 'covered', 'disabled']) {
		const [before, now] = [was, is].map(({ flags }) => flags.split(' ').includes(flag));
		if (before !== now) say(1, now ? `is ${flag}` : `is no longer ${flag}`);
	}
	for (const theme of ['light', 'dark']) {
		['ink', 'ground', 'border', 'drawing', 'letters', 'shadow'].forEach((what, index) => {
			const [before, now] = [was[theme][index], is[theme][index]];
			if (differentColor(now, before)) say(2, `has another ${what} in the ${theme}: ${now || 'none'}, was ${before || 'none'}`);
		});
	}
	const [[x, y, width, height], [wasX, wasY, wasWidth, wasHeight]] = [is.box, was.box];
	if (differs(width, wasWidth) || differs(height, wasHeight)) say(3, `is ${at(is)}, was ${at(was)}`);
	else if (differs(x, wasX, wasX) || differs(y, wasY, wasY)) say(4, `moved: ${at(is)}, was ${at(was)}`);
	return found;
}

/** What differs between the stored layout and the one now, the most telling first. */
export function differences(before, now) {
	const pairs = pairsOf(before, now);
	const found = [];
	let [i, j] = [0, 0];
	for (const [was, is] of [...pairs, [before.length, now.length]]) {
		// Between two equal parts, parts of one kind are the same with another text.
		const [gone, come] = [before.slice(i, was), now.slice(j, is)];
		for (const part of gone) {
			const other = come.findIndex((one) => one.kind === part.kind && one.depth === part.depth);
			if (other < 0) found.push({ rank: 0, text: `${nameOf(part)} is gone; it was ${at(part)}`, was: part });
			else found.push(...changesOf(part, come.splice(other, 1)[0]));
		}
		for (const part of come) found.push({ rank: 0, text: `${nameOf(part)} is new: ${at(part)}`, is: part });
		if (was < before.length) found.push(...changesOf(before[was], now[is]));
		[i, j] = [was + 1, is + 1];
	}
	return found.sort((one, other) => one.rank - other.rank);
}

/** What differs, in sentences: of many that are alike, the first three. */
export function told(found) {
	const alike = new Map();
	for (const one of found) {
		const { kind } = one.is ?? one.was;
		const group = `${one.rank} ${kind} ${one.text.replace(/“.*?”/, '').replace(/\d+(?=[×,]|$| at )/g, '')}`.replace(/ at .*/, '');
		alike.set(group, [...(alike.get(group) ?? []), one.text]);
	}
	return [...alike.values()].flatMap((texts) => [...texts.slice(0, 3), ...(texts.length > 3 ? [`… and ${texts.length - 3} more like it`] : [])]);
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A drawing of both layouts: the stored boxes in gray, those that differ in red, and where they are now in blue. */
export function drawing(before, found, [width, height]) {
	const box = ({ box: [x, y, wide, high], label }, color) =>
		`<rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="none" stroke="${color}"><title>${escaped(label)}</title></rect>`
		+ `<text x="${x + 2}" y="${y + 11}" font-size="10" fill="${color}">${escaped(label)}</text>`;
	const boxes = [
		...before.map((part) => box(part, '#bbb')),
		...found.filter(({ was }) => was).map(({ was }) => box(was, '#d00')),
		...found.filter(({ is }) => is).map(({ is }) => box(is, '#00d'))
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif">\n${boxes.join('\n')}\n</svg>\n`;
}
