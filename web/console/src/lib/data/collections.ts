// The master data that users maintain, each collection with the columns of its
// list.
import type { Role } from '$shared/session.svelte';
import { may } from '$shared/session.svelte';
import { shapes, type CollectionName } from '$shared/forms.gen';
import type { Words } from '$shared/words.gen';

export interface Collection {
	name: CollectionName;
	title: keyof Words & `${'data' | 'settings'}.${string}`;
	columns: string[];
	/** A page that does something with all of it. */
	tool?: { path: string; title: 'prices.try' | 'zones.on_map' };
}

/** In the order in which users look for them; drivers have their own pages. */
export const collections: Collection[] = [
	{
		name: 'customers',
		title: 'data.customers',
		columns: ['business_name', 'external_id', 'email_address', 'phone_number']
	},
	{ name: 'departments', title: 'data.departments', columns: ['name'] },
	{ name: 'calendars', title: 'data.calendars', columns: ['name'] },
	{ name: 'locations', title: 'data.locations', columns: ['name', 'external_id', 'address', 'opens', 'closes'] },
	{
		name: 'vehicles',
		title: 'data.vehicles',
		columns: ['registration', 'name', 'vehicle_type', 'home_location_id']
	},
	{
		name: 'vehicle-types',
		title: 'data.vehicle_types',
		columns: ['name', 'max_weight_kg', 'max_volume_m3', 'max_route_km']
	},
	{ name: 'skills', title: 'data.skills', columns: ['name'] },
	{ name: 'groups', title: 'data.groups', columns: ['name'] },
	{ name: 'products', title: 'data.products', columns: ['name', 'external_id', 'barcode_id', 'weight'] },
	{
		name: 'order-types',
		title: 'data.order_types',
		columns: ['name', 'priority', 'ready_from', 'deliver_before', 'export_carrier']
	},
	{
		name: 'zones',
		title: 'data.zones',
		columns: ['name', 'areas'],
		tool: { path: 'data/zones/map', title: 'zones.on_map' }
	},
	{
		name: 'freight-levels',
		title: 'data.freight_levels',
		columns: ['name', 'position', 'max_weight_kg', 'max_volume_m3', 'max_colli']
	},
	{
		name: 'price-lists',
		title: 'data.price_lists',
		columns: ['name', 'position', 'currency', 'minimum_price'],
		tool: { path: 'data/price-lists/try', title: 'prices.try' }
	},
	{
		name: 'custom-fields',
		title: 'data.custom_fields',
		columns: ['title', 'externalId', 'label', 'displayOn', 'displayStyle']
	}
];

/** Message rules are in the settings. */
export const rules: Collection = {
	name: 'notification-rules',
	title: 'settings.rules',
	columns: ['event', 'channel', 'receiver', 'address', 'send_from', 'send_until']
};

/** The collections that the user may see. */
export const readable = (): Collection[] => collections.filter(({ name }) => may(...shapes[name].readers));

export const collectionOf = (name: string): Collection | undefined => readable().find((one) => one.name === name);

export const mayMake = (name: CollectionName): boolean => may(...shapes[name].makers);
export const mayChange = (name: CollectionName): boolean => may(...shapes[name].changers);

/** Who may change records of a collection, for those who may not. */
export const whoChanges = (name: CollectionName): Role[] => shapes[name].changers;
