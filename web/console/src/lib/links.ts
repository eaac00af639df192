// Links in the console.
import { base } from '$app/paths';

/** The path of a page of the console, such as orders/12. */
export const link = (path: string): string => `${base}/${path}`;

export const orderLink = (id: number): string => link(`orders/${id}`);
export const dayLink = (day: string): string => link(`day/${day}`);
export const driverLink = (id: number): string => link(`drivers/${id}`);
export const draftLink = (id: number): string => link(`drafts/${id}`);
