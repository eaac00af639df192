// The texts of the web apps, in the user's language.
import type { Word, Words } from './words.gen';

export const languages = ['nb', 'en', 'da'] as const;
export type Language = (typeof languages)[number];

/** The languages' own names. */
export const languageNames: Record<Language, string> = { nb: 'Norsk bokmål', en: 'English', da: 'Dansk' };

type Modules = Record<Language, () => Promise<{ default: Partial<Record<keyof Words, Word>> }>>;

/** What is loaded later has its texts in modules of its own: the parts of a day, and the settings. */
export type Later = 'parts' | 'settings';

let modules: Modules | undefined;
let later: Partial<Record<Later, Modules>> = {};
/** Each is done when it has its texts. */
const needed = new Map<Later, Promise<void>>();

/** Sets the texts of an app, and those of what it loads later. An app loads only its own. */
export function learn(from: Modules, more: Partial<Record<Later, Modules>> = {}): void {
	modules = from;
	later = more;
}

const state = $state<{ language: Language; words: Partial<Record<keyof Words, Word>> }>({ language: 'en', words: {} });

/** The language that pages are written in now. */
export const language = (): Language => state.language;

/** For Intl: English with the day before the month. */
export const locale = (): string => (state.language === 'en' ? 'en-GB' : state.language);

export const isLanguage = (tag: string): tag is Language => (languages as readonly string[]).includes(tag);

/** Loads the texts of a language and updates all pages. */
export async function speak(wanted: Language): Promise<void> {
	if (!modules) throw new Error('the app has no words');
	const more = [...needed.keys()].map((which) => later[which]?.[wanted]());
	const loaded = await Promise.all([modules[wanted](), ...more]);
	state.words = Object.assign({}, ...loaded.map((one) => one?.default)) as Partial<Record<keyof Words, Word>>;
	state.language = wanted;
	document.documentElement.lang = wanted;
}

/** Loads the texts of what is loaded later, once. */
export async function speakMore(which: Later = 'parts'): Promise<void> {
	let loading = needed.get(which);
	if (!loading) {
		loading = Promise.resolve(later[which]?.[state.language]()).then((more) => {
			state.words = { ...state.words, ...more?.default };
		});
		needed.set(which, loading);
	}
	await loading.catch((error: unknown) => {
		needed.delete(which);
		throw error;
	});
}

/** Waits for a part that is loaded later and its texts. */
export async function withWords<Part>(part: Promise<Part>): Promise<Part> {
	const [loaded] = await Promise.all([part, speakMore()]);
	return loaded;
}

type Taken<Key extends keyof Words> = Words[Key] extends undefined ? [] : [Words[Key]];

/** Formats a text with its arguments. A count selects singular or plural. */
export function t<Key extends keyof Words>(key: Key, ...taken: Taken<Key>): string {
	const word = state.words[key];
	const args = (taken[0] ?? {}) as Record<string, string | number>;
	if (word === undefined) return '';
	const text = typeof word === 'string' ? word : word[plural(args['count'])];
	return text.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = args[name];
		return typeof value === 'number' ? number(value) : (value ?? '');
	});
}

/** Returns what is made of the locale, once for each: that takes longer than using it. */
function once<Made>(make: (tag: string) => Made): () => Made {
	const made = new Map<string, Made>();
	return () => {
		const tag = locale();
		const before = made.get(tag);
		if (before) return before;
		const now = make(tag);
		made.set(tag, now);
		return now;
	};
}

const rules = once((tag) => new Intl.PluralRules(tag));
const numbers = once((tag) => new Intl.NumberFormat(tag));

function plural(count: string | number | undefined): 'one' | 'other' {
	return rules().select(Number(count)) === 'one' ? 'one' : 'other';
}

const number = (value: number): string => numbers().format(value);

/**
 * The text of an enumerated value in the contract, such as a status, or the code itself without
 * one.
 */
export function nameOf(family: string, code: string): string {
	const word = state.words[`${family}.${code}` as keyof Words];
	return typeof word === 'string' ? word : code;
}
