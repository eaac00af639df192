// The optional columns of the list of orders, also in its file.
import type { Schema } from '$shared/api';
import { clock } from '$shared/moments';
import { zone } from '$shared/session.svelte';
import { nameOf, t } from '$shared/words.svelte';
import type { Choosable } from '../columns';
import { nameOfChoice } from '../forms/named.svelte';
import { stopOf, windowOf, type Order } from './list';
import { weightOf } from './weight';

type Relation = Schema<'OrderRelation'>;

/** A column of orders, with the relations that it reads. */
export interface OrderColumn extends Choosable<Order> {
	needs?: Relation[];
}

type Stop = 'pickup' | 'delivery';

const expected = (order: Order, stop: Stop) => {
	const moment = order.planning?.[stop]?.eta ?? order.planning?.[stop]?.startsAt;
	return moment ? clock(moment, zone()) : '';
};

const phones = (order: Order, stop: Stop) =>
	(stopOf(order, stop)?.order_location_contacts ?? []).map((one) => one.phone_number).filter(Boolean).join(', ');

const of = (stop: Stop): OrderColumn[] => {
	const title = (word: string) => `${t(`stop.${stop}`)}: ${word}`;
	const address = (order: Order) => stopOf(order, stop)?.address;
	return [
		{ key: `${stop}-street`, title: title(nameOf('field', 'address1')), text: (order) => address(order)?.address1 ?? '' },
		{ key: `${stop}-postal`, title: title(nameOf('field', 'postalCode')), text: (order) => address(order)?.postal_code ?? '' },
		{ key: `${stop}-phone`, title: title(nameOf('field', 'phoneNumber')), text: (order) => phones(order, stop), needs: ['OrderLocations.OrderLocationContacts'] },
		{ key: `${stop}-expected`, title: title(t('stop.eta')), text: (order) => expected(order, stop), needs: ['Planning'] }
	];
};

/** Columns that are read only on request. */
export const extraColumns = (): OrderColumn[] =>
	[
		...of('pickup'),
		{ key: 'pickup-window', title: `${t('stop.pickup')}: ${t('orders.window')}`, text: (order: Order) => windowOf(stopOf(order, 'pickup')) },
		...of('delivery'),
		{ key: 'weight', title: `${nameOf('field', 'weight')} (kg)`, text: (order: Order) => String(weightOf(order.order_products ?? [])), number: true, needs: ['OrderProducts'] as Relation[] },
		{ key: 'department', title: nameOf('field', 'department_id'), text: (order: Order) => order.department?.name ?? '', needs: ['Department'] as Relation[] },
		{ key: 'reference', title: t('field.reference'), text: (order: Order) => order.reference ?? '' },
		{ key: 'type', title: t('orders.type'), text: (order: Order) => nameOfChoice('order-types', order.order_type_id) }
	].map((column) => ({ ...column, extra: true }));
