// Answers of the service, stored once and given again: what a page shows is then the same on each day
// and each machine, and only the page can change its layout.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('answers.json', import.meta.url);
const calls = /^\/v\d+\//;

const keyOf = (request) => {
	const { pathname, search } = new URL(request.url());
	return `${request.method()} ${pathname}${search}${request.postData() ? ` ${request.postData()}` : ''}`;
};

/** The stream of hints, which says nothing: the page is live. */
export function quietStream() {
	globalThis.EventSource = class extends EventTarget {
		static CLOSED = 2;
		readyState = 1;
		constructor() {
			super();
			setTimeout(() => this.onopen?.());
		}
		close() {}
	};
}

/** Stores what the service answers to each page. */
export class Recorder {
	constructor(now, values) {
		this.stored = { now, values, answers: {}, pages: {} };
	}

	async listen(context, page) {
		const { answers, pages } = this.stored;
		await context.route((url) => calls.test(url.pathname), async (route) => {
			const response = await route.fetch();
			const text = await response.text();
			const { etag } = response.headers();
			const answer = { status: response.status(), ...(etag && { etag }), body: text && JSON.parse(text) };
			const key = keyOf(route.request());
			const others = answers[key];
			if (!others) answers[key] = answer;
			else if (JSON.stringify(others) !== JSON.stringify(answer)) (pages[page] ??= {})[key] = answer;
			await route.fulfill({ response, body: text });
		});
	}

	/** Writes one answer a line. */
	save() {
		const { pages, answers, ...rest } = this.stored;
		const lines = (all, indent) => Object.entries(all).map(([key, answer]) => `${indent}${JSON.stringify(key)}: ${JSON.stringify(answer)}`).join(',\n');
		const ofPages = Object.entries(pages).map(([page, all]) => `\t\t${JSON.stringify(page)}: {\n${lines(all, '\t\t\t')}\n\t\t}`).join(',\n');
		const head = lines(rest, '\t');
		writeFileSync(file, `{\n${head},\n\t"answers": {\n${lines(answers, '\t\t')}\n\t},\n\t"pages": {\n${ofPages}\n\t}\n}\n`);
	}
}

/** Gives the stored answers. */
export class Player {
	constructor() {
		this.stored = JSON.parse(readFileSync(file, 'utf8'));
		this.unknown = new Set();
	}

	async answer(context, page) {
		const { answers, pages } = this.stored;
		await context.route((url) => calls.test(url.pathname), async (route) => {
			const key = keyOf(route.request());
			const known = pages[page]?.[key] ?? answers[key] ?? this.similar(key);
			if (!known) {
				this.unknown.add(key);
				return route.fulfill({ status: 404, json: { message: 'not recorded' } });
			}
			const { status, etag, body } = known;
			const headers = { 'content-type': 'application/json', ...(etag && { etag }) };
			return route.fulfill({ status, headers, body: body === '' ? '' : JSON.stringify(body) });
		});
	}

	/** The only answer to the same operation with other parameters: a page may add one. */
	similar(key) {
		const operation = (one) => one.split(/[ ?]/, 2).join(' ');
		const found = Object.keys(this.stored.answers).filter((one) => operation(one) === operation(key));
		return found.length === 1 ? this.stored.answers[found[0]] : undefined;
	}
}
