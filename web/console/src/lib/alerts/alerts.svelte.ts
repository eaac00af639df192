// The alerts of a day, and their sound.
import { api, ask, type Schema } from '$shared/api';

export type Alert = Schema<'Alert'>;
export type AlertState = Schema<'AlertState'>;

const pageSize = 200;

/** Reads the alerts of a day in one state, at most 200. */
export const readAlerts = (date: string, state: AlertState, signal?: AbortSignal): Promise<Schema<'AlertPage'>> =>
	ask(api.GET('/v1/alerts', { params: { query: { date, state, pageSize } }, signal }));

export const acknowledge = (alertId: number, note: string): Promise<Alert> =>
	ask(api.POST('/v1/alerts/{alertId}/acknowledge', { params: { path: { alertId } }, body: note ? { note } : {} }));

export const snooze = (alertId: number, minutes: number, note: string): Promise<Alert> =>
	ask(api.POST('/v1/alerts/{alertId}/snooze', { params: { path: { alertId } }, body: note ? { minutes, note } : { minutes } }));

/** Whether anybody is to notice an alert on the page. */
export const isShown = ({ channels }: Alert): boolean => channels.includes('PAGE') || channels.includes('SOUND');

const key = 'waybill-alert-sound';
const state = $state({ wanted: localStorage.getItem(key) === 'on', ready: false });
let audio: AudioContext | undefined;

/** Whether this person wants sounds. It is off until they choose it. */
export const wantsSound = (): boolean => state.wanted;

/** Whether the browser lets the page play sounds; it does after a click. */
export const isReady = (): boolean => state.ready;

/** Turns sounds on or off. A click must call it, because browsers play nothing before one. */
export async function chooseSound(wanted: boolean): Promise<void> {
	state.wanted = wanted;
	localStorage.setItem(key, wanted ? 'on' : 'off');
	if (wanted) {
		audio ??= new AudioContext();
		await audio.resume();
		state.ready = audio.state === 'running';
		play();
	}
}

/** Plays two short notes. */
export function play(): void {
	if (!state.wanted || audio?.state !== 'running') return;
	for (const [index, pitch] of [880, 660].entries()) {
		const from = audio.currentTime + index * 0.2;
		const tone = new OscillatorNode(audio, { frequency: pitch });
		const volume = new GainNode(audio, { gain: 0 });
		volume.gain.setValueAtTime(0.2, from);
		volume.gain.exponentialRampToValueAtTime(0.001, from + 0.18);
		tone.connect(volume).connect(audio.destination);
		tone.start(from);
		tone.stop(from + 0.2);
	}
}
