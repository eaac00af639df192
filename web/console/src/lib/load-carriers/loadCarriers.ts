// Load carriers, such as pallets: their kinds, balances, and movements.
import { api, ask, type Schema } from '$shared/api';
import { daysAfter, startOf } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { locale } from '$shared/words.svelte';
import { link } from '../links';

export type Kind = Schema<'CargoCarrier'>;
export type Account = Schema<'CargoCarrierAccount'>;
export type Movement = Schema<'CargoCarrierMovement'>;
export type Party = Pick<Schema<'CargoCarrierParty'>, 'customerId' | 'locationId'>;

type Header = { 'Idempotency-Key': string };

export const readKinds = async (): Promise<Kind[]> => (await ask(api.GET('/v2/cargo-carriers'))).items;

export const putKind = (body: Schema<'PutCargoCarrierRequest'>): Promise<Kind> => ask(api.PUT('/v2/cargo-carriers', { body }));

/** Reads a page of accounts; those of one customer or place where one is named. */
export const readAccounts = (party: Party, token = '', pageSize = 50): Promise<Schema<'CargoCarrierAccountList'>> =>
	ask(api.GET('/v2/cargo-carrier-accounts', { params: { query: { ...party, pageSize, ...(token && { token }) } } }));

/** Reads a page of an account's movements in a range of days. */
export function readMovements(
	accountId: number, days: { from: string; to: string }, token = '', pageSize = 50
): Promise<Schema<'CargoCarrierMovementList'>> {
	const query = {
		pageSize,
		...(days.from && { from: startOf(days.from, zone()) }),
		...(days.to && { to: startOf(daysAfter(days.to, 1), zone()) }),
		...(token && { token })
	};
	return ask(api.GET('/v2/cargo-carrier-accounts/{accountId}/movements', { params: { path: { accountId }, query } }));
}

export const move = (body: Schema<'CargoCarrierMovementRequest'>, header: Header): Promise<Movement> =>
	ask(api.POST('/v2/cargo-carrier-movements', { params: { header }, body }));

export const reverse = (movementId: number, comment: string, header: Header): Promise<Movement> =>
	ask(
		api.POST('/v2/cargo-carrier-movements/{movementId}/reverse', {
			params: { path: { movementId }, header },
			body: comment ? { comment } : {}
		})
	);

/** The identifier of the order that has a number. */
export async function orderIdOf(number: string): Promise<number> {
	const path = { internalOrderNumber: number };
	return (await ask(api.GET('/v1/orders/internal/{internalOrderNumber}', { params: { path } }))).order_id;
}

/** A number as people write it, and of a movement with its sign. */
export const count = (quantity: number): string => new Intl.NumberFormat(locale()).format(quantity);
export const signed = (quantity: number): string =>
	new Intl.NumberFormat(locale(), { signDisplay: 'exceptZero' }).format(quantity);

export const accountLink = (account: Account): string => link(`load-carriers/${account.accountId}`);

/** Where a party is in the master data. */
export const partyLink = ({ customerId, locationId }: Party): string =>
	link(customerId ? `data/customers/${customerId}` : `data/locations/${locationId}`);
