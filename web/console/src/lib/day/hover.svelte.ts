// What is under the pointer or has the focus, on the board or on the map.
const state = $state({ driverId: 0, orderId: 0 });

/** The driver; 0 is nobody. */
export const hovered = (): number => state.driverId;

/** The order; 0 is none. */
export const hoveredOrder = (): number => state.orderId;

/** Records the driver, and the order if it is at a stop of one. */
export function hover(driverId = 0, orderId = 0): void {
	state.driverId = driverId;
	state.orderId = orderId;
}
