// The texts of the web apps, in the user's language.
import type { Word, Words } from './words.gen';

export const languages = ['nb', 'en', 'da'] as const;
export type Language = (typeof languages)[number];

/** The languages' own names. */
export const languageNames: Record<Language, string> = { nb: 'Norsk bokmål', en: 'English', da: 'Dansk' };

export type Modules = Record<Language, () => Promise<{ default: Partial<Record<keyof Words, Word>> }>>;

let modules: Modules | undefined;
let more: Modules | undefined;

/** Sets the texts of an app. An app loads only its own. */
export function learn(from: Modules): void {
	modules = from;
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
	const [loaded, later] = await Promise.all([modules[wanted](), more?.[wanted]()]);
	state.words = { ...loaded.default, ...later?.default };
	state.language = wanted;
	document.documentElement.lang = wanted;
}

/** Adds texts that the first view does not need. Await it before they are shown. */
export async function learnMore(from: Modules): Promise<void> {
	more = from;
	const { language } = state;
	const { default: words } = await from[language]();
	if (language === state.language && !Object.keys(words).every((key) => key in state.words)) {
		state.words = { ...state.words, ...words };
	}
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

function plural(count: string | number | undefined): 'one' | 'other' {
	return new Intl.PluralRules(locale()).select(Number(count)) === 'one' ? 'one' : 'other';
}

const number = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/**
 * The text of an enumerated value in the contract, such as a status, or the code itself without
 * one.
 */
export function nameOf(family: string, code: string): string {
	const word = state.words[`${family}.${code}` as keyof Words];
	return typeof word === 'string' ? word : code;
}
