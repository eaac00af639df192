// An action as stored, once.
import type { Schema } from '$shared/api';
import type { Added } from './store';

export type Said = Omit<Schema<'DriverAction'>, 'id' | 'occurredAt' | 'sentAt'>;

/** A UUID of version 7, whose first part is the time. */
export function uuid(now: number): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	new DataView(bytes.buffer).setUint32(0, Math.floor(now / 0x10000));
	new DataView(bytes.buffer).setUint16(4, now % 0x10000);
	bytes[6] = (bytes[6]! & 0x0f) | 0x70;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	const hex = hexOf(bytes);
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

/** The hash by which an action names a picture. */
export async function sha256(bytes: ArrayBuffer): Promise<string> {
	return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** Writes an action down as it will be sent, whenever that is. */
export function written(said: Said, label: string, now: Date, of: Pick<Added, 'number' | 'day' | 'nothing' | 'missing'> = {}): Added {
	const id = uuid(now.getTime());
	const at = now.toISOString();
	const body = JSON.stringify({ id, ...said, occurredAt: at });
	return { id, type: said.type, stopId: said.stopId, undoes: said.undoes, label, ...of, at, body };
}
