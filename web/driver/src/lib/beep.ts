// Sounds and vibrations for codes.
import { settings } from './settings.svelte';

let sound: AudioContext | undefined;

/** Signals that a code was read, and whether it was expected. */
export function beep(good: boolean): void {
	navigator.vibrate?.(good ? 60 : [80, 60, 80]);
	sounds(good ? [1400] : [300], good ? 0.08 : 0.3);
}

/** Signals something urgent. */
export function alarm(): void {
	navigator.vibrate?.([300, 150, 300, 150, 300]);
	sounds([880, 660, 880, 660], 0.25);
}

/** Plays tones one after the other. */
function sounds(tones: number[], seconds: number): void {
	if (!settings.sound) return;
	try {
		sound ??= new AudioContext();
		for (const [turn, hertz] of tones.entries()) {
			const tone = sound.createOscillator();
			const begins = sound.currentTime + turn * seconds;
			tone.frequency.value = hertz;
			tone.connect(sound.destination);
			tone.start(begins);
			tone.stop(begins + seconds);
		}
	} catch {
		// A phone without sound has its light and its words.
	}
}
