// The order whose card is open, over whatever page.
const state = $state({ orderId: 0 });

/** The order; 0 is none. */
export const cardOf = (): number => state.orderId;

/**
 * Opens the card of an order. The focus goes to the page first, so that it returns there, and the
 * keys of the page work, when the card is closed.
 */
export function openCard(orderId: number): void {
	document.getElementById('content')?.focus();
	state.orderId = orderId;
}

export function closeCard(): void {
	state.orderId = 0;
}
