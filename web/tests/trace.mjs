// The work of a page's main thread, measured by tracing.

export const frame = 1000 / 60; // milliseconds

/**
 * Acts, and returns what that returned with the tasks of the main thread longer than a frame, from the
 * trace: their own time, without waiting.
 */
export async function traced(page, context, act) {
	const session = await context.newCDPSession(page);
	const events = [];
	session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
	await session.send('Tracing.start', { categories: 'devtools.timeline,disabled-by-default-devtools.timeline,toplevel', transferMode: 'ReportEvents' });
	const done = new Promise((complete) => session.once('Tracing.tracingComplete', complete));
	const frames = await act();
	await session.send('Tracing.end');
	await done;
	// A page that is opened has another process than the empty one before.
	const main = new Set(events.filter((one) => one.name === 'thread_name' && one.args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
	const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`));
	const worked = tasks.map(({ tdur }) => (tdur ?? 0) / 1000);
	return {
		frames, events, longTasks: worked.filter((took) => took > frame).length, longest: Math.max(0, ...worked),
		worked: worked.reduce((sum, took) => sum + took, 0)
	};
}
