// Pictures as stored and sent: small enough for a bad network, and without the
// camera's metadata.
import { sha256 } from './outbox/action';
import type { Picture } from './outbox/store';

export type Taken = Omit<Picture, 'driver'>;

const longestSide = 1600;

/** Redraws a photograph, at most 1600 pixels long. */
export async function fromFile(file: Blob): Promise<Taken> {
	const image = await createImageBitmap(file, { imageOrientation: 'from-image' });
	const scale = Math.min(1, longestSide / Math.max(image.width, image.height));
	const canvas = document.createElement('canvas');
	canvas.width = Math.round(image.width * scale);
	canvas.height = Math.round(image.height * scale);
	canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
	image.close();
	return fromCanvas(canvas, 'image/jpeg');
}

export async function fromCanvas(canvas: HTMLCanvasElement, type: string): Promise<Taken> {
	const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, 0.8));
	if (!blob) throw new Error('the picture could not be drawn');
	const bytes = await blob.arrayBuffer();
	return { sha256: await sha256(bytes), type, bytes };
}
