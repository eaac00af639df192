// The proof that a driver must bring from a stop: shown beforehand, and
// enforced by the service.
import type { Schema } from '$shared/api';
import { nameOf } from '$shared/words.svelte';
import type { Stop } from '../day/visits';

export type Level = Schema<'ProofLevel'>;
export type Thing = keyof Schema<'ProofLevels'>;
export type Way = keyof Schema<'ProofAsked'>;

export const things: Thing[] = ['name', 'signature', 'photo', 'scan', 'comment'];
const strictness: Level[] = ['off', 'optional', 'warn', 'required'];

/** The defaults, for routes stored without rules. */
const usual: Schema<'ProofAsked'> = {
	inPerson: { name: 'required', signature: 'optional', photo: 'optional', scan: 'optional', comment: 'optional' },
	contactless: { photo: 'required', scan: 'optional', comment: 'optional' },
	failure: { photo: 'optional', comment: 'optional' }
};

/** The level of each kind; among several orders at one location the strictest applies. */
export function asked(stops: Pick<Stop, 'proof'>[], way: Way): Record<Thing, Level> {
	const strictest = (thing: Thing): Level =>
		stops
			.map((stop) => ((stop.proof as Stop['proof'] | undefined) ?? usual)[way][thing] ?? 'off')
			.reduce((most, one) => (strictness.indexOf(one) > strictness.indexOf(most) ? one : most), 'off');
	return Object.fromEntries(things.map((thing) => [thing, strictest(thing)])) as Record<Thing, Level>;
}

/** The missing kinds of a level. */
export const lacking = (levels: Record<Thing, Level>, level: Level, has: Partial<Record<Thing, boolean>>): Thing[] =>
	things.filter((thing) => levels[thing] === level && !has[thing]);

/** The required kinds of a level, in words. */
export const named = (all: Thing[]): string => all.map((thing) => nameOf('phone_thing', thing)).join(', ');
