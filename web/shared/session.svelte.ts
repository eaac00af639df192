// Who has signed in, and for whom.
import { api, ask, type Schema } from './api';
import { isLanguage, speak, type Language } from './words.svelte';

export type Role = Schema<'BuiltinRole'>;

const state = $state<{ who?: Schema<'SignedIn'>; organization?: Schema<'Organization'> }>({});

/** Finds out who has signed in, and speaks their language. */
export async function begin(): Promise<void> {
	const who = await ask(api.GET('/v1/session'));
	const kept = keptLanguage();
	await speak(kept ?? (isLanguage(who.language) ? who.language : 'en'));
	state.who = who;
	state.organization = await ask(api.GET('/v1/organization'));
}

/** Finds out anew who has signed in, since something of them has changed. */
export async function lookAgain(): Promise<void> {
	state.who = await ask(api.GET('/v1/session'));
}

const languageKey = 'waybill-language';

function keptLanguage() {
	const kept = localStorage.getItem(languageKey) ?? '';
	return isLanguage(kept) ? kept : undefined;
}

/** The language in which somebody is spoken to before it is known who they are. */
export const usualLanguage = (): Language =>
	keptLanguage() ?? navigator.languages.map((tag) => tag.replace(/^n[on]\b/, 'nb').slice(0, 2)).find(isLanguage) ?? 'en';

/** Has this browser speak a language from now on. */
export async function chooseLanguage(tag: string): Promise<void> {
	if (!isLanguage(tag)) return;
	localStorage.setItem(languageKey, tag);
	await speak(tag);
}

/** Who has signed in. Pages are shown only once that is known. */
export function person(): Schema<'SignedIn'> {
	if (!state.who) throw new Error('nobody has signed in');
	return state.who;
}

export const organization = (): Schema<'Organization'> | undefined => state.organization;

/** The zone that all times are written in. */
export const zone = (): string => state.who?.time_zone ?? 'UTC';

/** Reports whether who has signed in has one of the roles. The service decides; this only hides what it would refuse. */
export const may = (...roles: Role[]): boolean => person().roles.some((role) => roles.includes(role));

const formsKey = 'waybill-form/';

/** How the keys begin under which this browser tab keeps forms that somebody has not finished. */
export const keptForms = (): string => `${formsKey}${person().organization}/${person().user_id}/`;

/** Ends the session. */
export async function signOut(): Promise<void> {
	await ask(api.DELETE('/v1/session'));
	for (const key of Object.keys(sessionStorage)) if (key.startsWith(formsKey)) sessionStorage.removeItem(key);
	location.assign('/sign-in');
}

const returnKey = 'waybill-return';

/** Goes to the page for signing in, and notes which page to come back to. */
export function signIn(): void {
	sessionStorage.setItem(returnKey, location.pathname + location.search);
	location.assign('/sign-in');
}

/** The page that somebody was on who had to sign in; once. */
export function takeReturn(): string {
	const kept = sessionStorage.getItem(returnKey) ?? '';
	sessionStorage.removeItem(returnKey);
	return kept;
}
