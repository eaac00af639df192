// What is done to an order on its page, which comes after what the order is.
export { default as Booking } from './Booking.svelte';
export { default as Driving } from './Driving.svelte';
export { default as Rules } from './Rules.svelte';
export { default as Split } from './Split.svelte';
export { default as Tracking } from './Tracking.svelte';
