// Which hints concern a page. A reset, which has no subject, concerns all of
// them.
import type { Concerns } from '$shared/live.svelte';

/** Messages: their events are about their order, so only the kind identifies them. */
export const ofMessages: Concerns = (hint) => !hint || hint.kind.startsWith('notification.');

/** Messages between the office and drivers, which change nothing of a plan. */
export const ofChat: Concerns = (hint) => !hint || hint.kind.startsWith('driver.message');

/** Closed addresses: messages close them, and people open them again. */
export const ofSuppressions: Concerns = (hint) => ofMessages(hint) || (hint?.kind.startsWith('suppression.') ?? true);

/** Exports, whose events are about their order as well. */
export const ofExports: Concerns = (hint) => !hint || hint.kind.startsWith('export.');

/** Orders in lists, which show no messages and exports. */
export const ofOrders: Concerns = (hint) => !hint || (hint.thing === 'order' && !ofMessages(hint) && !ofExports(hint));

export const ofDrafts: Concerns = (hint) => !hint || hint.thing === 'draft';

export const ofTemplates: Concerns = (hint) => !hint || hint.thing === 'recurring_order';
