// The actions on an order's page, loaded after the order.
export { default as Booking } from './Booking.svelte';
export { default as Documents } from './Documents.svelte';
export { default as Driving } from './Driving.svelte';
export { default as Rules } from './Rules.svelte';
export { default as Split } from './Split.svelte';
export { default as Tracking } from './Tracking.svelte';
