// The signed-in user, and the organization.
import { api, ask, type Schema } from './api';
import { today } from './moments';
import { isLanguage, speak, type Language } from './words.svelte';

export type Role = Schema<'BuiltinRole'>;

const state = $state<{ who?: Schema<'SignedIn'> }>({});

/** Reads the signed-in user, and sets their language. */
export async function begin(): Promise<void> {
	const asked = ask(api.GET('/v1/session'));
	today('UTC'); // the first date that a browser writes takes long, and meanwhile the service answers
	const who = await asked;
	const kept = keptLanguage();
	await speak(kept ?? (isLanguage(who.language) ? who.language : 'en'));
	state.who = who;
}

/** Reads the signed-in user again after a change. */
export async function lookAgain(): Promise<void> {
	state.who = await ask(api.GET('/v1/session'));
}

/** Takes over what somebody changed of the organization: times are in its zone from now on. */
export function organizationChanged(organization: Schema<'Organization'>): void {
	if (state.who) state.who = { ...state.who, organization_name: organization.name, time_zone: organization.timezone };
}

const languageKey = 'waybill-language';

function keptLanguage() {
	const kept = localStorage.getItem(languageKey) ?? '';
	return isLanguage(kept) ? kept : undefined;
}

/** The language before sign-in. */
export const usualLanguage = (): Language =>
	keptLanguage() ?? navigator.languages.map((tag) => tag.replace(/^n[on]\b/, 'nb').slice(0, 2)).find(isLanguage) ?? 'en';

/** Has this browser speak a language from now on. */
export async function chooseLanguage(tag: string): Promise<void> {
	if (!isLanguage(tag)) return;
	localStorage.setItem(languageKey, tag);
	await speak(tag);
}

/** The signed-in user. Pages are shown only once it is known. */
export function person(): Schema<'SignedIn'> {
	if (!state.who) throw new Error('nobody has signed in');
	return state.who;
}

/** Reads the organization. */
export const readOrganization = (): Promise<Schema<'Organization'>> => ask(api.GET('/v1/organization'));

/** The zone that all times are written in. */
export const zone = (): string => state.who?.time_zone ?? 'UTC';

/**
 * Whether the user has one of the roles. The service decides; this only hides what it would reject.
 */
export const may = (...roles: Role[]): boolean => person().roles.some((role) => roles.includes(role));

const formsKey = 'waybill-form/';

/** The prefix of the keys under which this browser tab stores unfinished forms. */
export const keptForms = (): string => `${formsKey}${person().organization}/${person().user_id}/`;

/** Ends the session. */
export async function signOut(): Promise<void> {
	await ask(api.DELETE('/v1/session'));
	for (const key of Object.keys(sessionStorage)) if (key.startsWith(formsKey)) sessionStorage.removeItem(key);
	location.assign('/sign-in');
}

const returnKey = 'waybill-return';

/** Goes to the sign-in page, and remembers the page to return to. */
export function signIn(): void {
	sessionStorage.setItem(returnKey, location.pathname + location.search);
	location.assign('/sign-in');
}

/** The page from which the user had to sign in; returned once. */
export function takeReturn(): string {
	const kept = sessionStorage.getItem(returnKey) ?? '';
	sessionStorage.removeItem(returnKey);
	return kept;
}
