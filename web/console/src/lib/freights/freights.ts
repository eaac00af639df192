// Freights: the orders of one number between a consignor and a consignee.
import { api, ask, type Schema } from '$shared/api';
import { locale } from '$shared/words.svelte';
import { link } from '../links';

export type Freight = Schema<'Freight'>;
export type FreightOrder = Schema<'OrderOfFreight'>;

export interface FreightQuery {
	number: string;
	customer: string;
	token: string;
}

export function readFreights({ number, customer, token }: FreightQuery, pageSize = 50): Promise<Schema<'FreightPage'>> {
	const query = {
		pageSize,
		...(number && { internalFreightNumber: number }),
		...(customer && { customerId: Number(customer) }),
		...(token && { token })
	};
	return ask(api.GET('/v2/freights', { params: { query } }));
}

export const readFreight = (freightId: number, signal: AbortSignal | null = null): Promise<Schema<'FreightWithOrders'>> =>
	ask(api.GET('/v2/freights/{freightId}', { params: { path: { freightId } }, signal }));

/** An amount with its unit, such as 1,250.5 kg. */
export const amount = (value: number, unit: string): string => `${new Intl.NumberFormat(locale()).format(value)} ${unit}`.trim();

export const freightLink = (id: number): string => link(`freights/${id}`);
