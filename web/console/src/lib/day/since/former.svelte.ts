// Where an order was before a change that somebody looks at: the board and the map draw it there.
export interface Former {
	orderId: number;
	driverId: number;
	at: string;
	number: string;
}

const state = $state<{ former: Former | undefined }>({ former: undefined });

export const former = (): Former | undefined => state.former;

export function showFormer(where: Former | undefined): void {
	state.former = where;
}
