// What a phone lets hear and feel when it has read a code.
import { settings } from './settings.svelte';

let sound: AudioContext | undefined;

/** Says that a code was read, and whether it was one that was looked for. */
export function beep(good: boolean): void {
	navigator.vibrate?.(good ? 60 : [80, 60, 80]);
	if (!settings.sound) return;
	try {
		sound ??= new AudioContext();
		const tone = sound.createOscillator();
		tone.frequency.value = good ? 1400 : 300;
		tone.connect(sound.destination);
		tone.start();
		tone.stop(sound.currentTime + (good ? 0.08 : 0.3));
	} catch {
		// A phone without sound has its light and its words.
	}
}
