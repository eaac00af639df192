// The driver under the pointer, on the board or on the map.
const state = $state({ driverId: 0 });

/** The driver under the pointer; 0 is nobody. */
export const hovered = (): number => state.driverId;

/** Records the driver under the pointer. */
export const hover = (driverId = 0): void => void (state.driverId = driverId);
