// Reads codes from a camera. Phones without built-in support get a reader that
// is part of the app; it is loaded in the background after the app, or when it
// is first needed.
import { base } from '$app/paths';

export type Reader = (video: HTMLVideoElement) => Promise<string[]>;

interface Detector {
	detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

interface ZXing {
	prepareZXingModule(options: { overrides: { locateFile: (file: string) => string } }): void;
	readBarcodes(image: ImageData, options: object): Promise<{ isValid: boolean; text: string }[]>;
}

const ownFormats = ['qr_code', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'code_39', 'itf', 'data_matrix'];

const readerPath = `${base}/scanner/reader/index.js`;
const fileOf = (file: string): string => `${base}/scanner/${file}`;

/** Has the worker keep the reader, so that codes are read without a network as well; not where bytes are paid for. */
export async function keepReader(): Promise<void> {
	const { saveData, type } = (navigator as { connection?: { saveData?: boolean; type?: string } }).connection ?? {};
	if ('BarcodeDetector' in globalThis || saveData || type === 'cellular' || !navigator.serviceWorker?.controller) return;
	for (const path of [readerPath, fileOf('share.js'), fileOf('zxing_reader.wasm')]) {
		if (!(await caches.match(path))) await fetch(path);
	}
}

/**
 * How the app's own reader looks at an image: mostly in a hurry, so that parcels can pass the camera, and at every
 * third one with care, which finds codes that lie on their side, are light on dark, or are hard to read.
 */
const hurried = { tryHarder: false, tryRotate: false, tryInvert: false, tryDownscale: false, maxNumberOfSymbols: 4 };
const careful = { tryHarder: true, maxNumberOfSymbols: 4 };
const carefulEvery = 3;

/** The code reader of this phone. */
export async function reader(): Promise<Reader> {
	const Own = (globalThis as { BarcodeDetector?: new (options: object) => Detector }).BarcodeDetector;
	if (Own) {
		const detector = new Own({ formats: ownFormats });
		return async (video) => (await detector.detect(video)).map((code) => code.rawValue);
	}
	const zxing = (await import(/* @vite-ignore */ readerPath)) as ZXing;
	zxing.prepareZXingModule({ overrides: { locateFile: fileOf } });
	const canvas = document.createElement('canvas');
	const drawn = canvas.getContext('2d', { willReadFrequently: true });
	let looks = 0;
	return async (video) => {
		if (!drawn || !video.videoWidth) return [];
		canvas.width = video.videoWidth;
		canvas.height = video.videoHeight;
		drawn.drawImage(video, 0, 0);
		const image = drawn.getImageData(0, 0, canvas.width, canvas.height);
		const codes = await zxing.readBarcodes(image, ++looks % carefulEvery ? hurried : careful);
		return codes.filter((code) => code.isValid).map((code) => code.text);
	};
}
