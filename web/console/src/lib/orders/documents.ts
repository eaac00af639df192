// The documents of an order: shown, downloaded and added; and how its delivery was proved.
import { api, ask, Problem, type Schema } from '$shared/api';
import { t } from '$shared/words.svelte';

export type Proof = NonNullable<Schema<'Proof'>>;

/** Reads the proof of an order's delivery, or nothing if there is none. */
export async function readProof(orderId: number): Promise<Proof[]> {
	const path = { orderId };
	try {
		const { inPersonProof, contactlessProof } = await ask(api.GET('/v2/orders/{orderId}/completion-proof', { params: { path } }));
		return [inPersonProof, contactlessProof].filter((proof): proof is Proof => Boolean(proof));
	} catch (error) {
		if (error instanceof Problem && error.status === 404) return [];
		throw error;
	}
}

/** Whether a proof's manifest matches its hash; nothing if the browser can't compute it. */
export async function isAsProved(proof: Proof): Promise<boolean | undefined> {
	if (!proof.manifest || !proof.manifestSha256 || !globalThis.crypto?.subtle) return undefined;
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(proof.manifest));
	return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('') === proof.manifestSha256;
}

/** Has the browser download a document, from an address that is made for it. */
export async function download(documentId: number): Promise<void> {
	const { download_url: address } = await ask(api.GET('/v1/documents/{documentId}', { params: { path: { documentId } } }));
	if (address) location.assign(here(address));
}

/** Uploads files and attaches them to the order of a number. */
export async function attach(externalId: string, files: File[]): Promise<void> {
	const documents = files.map((file) => ({ name: file.name, size: file.size, content_type: file.type || 'text/plain' }));
	const declared = await ask(api.POST('/v1/documents', { body: { documents } }));
	for (const [index, { upload_url: address }] of declared.documents.entries()) {
		const headers = { 'Content-Type': documents[index]!.content_type };
		const answer = await fetch(here(address), { method: 'PUT', body: files[index]!, headers });
		if (!answer.ok) throw new Problem(answer.status, t('documents.not_uploaded', { name: files[index]!.name }));
	}
	const documentIds = declared.documents.map(({ document_id }) => document_id);
	const { failure } = await ask(api.POST('/v2/orders/attach-documents', { body: { externalId, documentIds } }));
	if (failure?.reason) throw new Problem(409, failure.reason);
}

/** Takes a document off an order. */
export const detach = (orderId: number, documentId: number): Promise<unknown> =>
	ask(api.DELETE('/v1/orders/{orderId}/documents/{documentId}', { params: { path: { orderId, documentId } } }));

/** Deletes an unused document, with its bytes. */
export const forget = (documentId: number): Promise<unknown> =>
	ask(api.DELETE('/v1/documents/{documentId}', { params: { path: { documentId } } }));

/** A URL of the service at the page's own host, because a proxy may have several names. */
export function here(address: string): string {
	const { pathname, search } = new URL(address, location.origin);
	return pathname + search;
}
