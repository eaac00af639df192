// Short messages about completed actions.
export interface Toast {
	id: number;
	text: string;
	kind: 'done' | 'failed';
	/** A follow-up action, such as undo. */
	action?: { label: string; act: () => void };
}

const state = $state<{ all: Toast[] }>({ all: [] });
const stays = 8000;
let last = 0;

export const toasts = (): Toast[] => state.all;

export function say(text: string, options: { kind?: Toast['kind']; action?: Toast['action'] } = {}): void {
	const toast: Toast = { id: ++last, text, kind: options.kind ?? 'done' };
	if (options.action) toast.action = options.action;
	state.all = [...state.all.slice(-3), toast];
	setTimeout(() => dismiss(toast.id), stays);
}

export function dismiss(id: number): void {
	state.all = state.all.filter((toast) => toast.id !== id);
}
