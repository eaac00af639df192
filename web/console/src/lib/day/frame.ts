/** Acts once the present frame is visible, so that what is ready together is not one long task. Returns how to stop. */
export function afterFrame(act: () => void): () => void {
	const frame = requestAnimationFrame(() => setTimeout(act));
	return () => cancelAnimationFrame(frame);
}
