// Which modules of an app share a file. Without groups each small module is a separate file, and
// a page with many parts makes a request for each of them.
//
// The ways to a module begin at pages, layouts and the start of the app, whose modules are needed at once,
// and at parts, which are loaded later. A beginning is named by the end of its path.

const atOnce = /\/src\/routes\/.*\+(page|layout)\.(svelte|ts)$/;
const known = new Map();

/** Returns the modules that begin the ways to a module. */
function beginnings(id, context) {
	const found = known.get(id);
	if (found) return found;
	const ways = new Set([id]);
	const all = [];
	for (const one of ways) {
		const { isEntry, importers, dynamicImporters } = context.getModuleInfo(one);
		const isFirst = isEntry || atOnce.test(one);
		if (isFirst || dynamicImporters.length) all.push({ id: one, isFirst });
		if (atOnce.test(one)) continue;
		for (const importer of importers) ways.add(importer);
	}
	known.set(id, all);
	return all;
}

const among = (ends) => ({ id }) => ends.some((end) => id.endsWith(end));

/**
 * Names the file of the modules that an entry needs at once, and others need, too.
 * With alone, only parts may be the others.
 */
export const neededBy = (entry, name, { alone = false } = {}) => (id, context) => {
	const all = beginnings(id, context);
	const isIt = among([entry]);
	if (all.length < 2 || !all.some(isIt)) return null;
	return alone && all.some((one) => one.isFirst && !isIt(one)) ? null : name;
};

/** Names the files of the modules that a page needs at once, and others need, too, unless that page is this one alone. */
export const neededBesides = (page, name) => (id, context) => {
	const all = beginnings(id, context);
	const isAnother = (one) => one.isFirst && !among([page])(one);
	return all.length > 1 && all.some(isAnother) ? name : null;
};

/** Names the file of parts that always open together, and of what they need, except for what a page needs at once. */
export const openedWith = (parts, name) => (id, context) => {
	const all = beginnings(id, context);
	return all.some(among(parts)) && !all.some((one) => one.isFirst) ? name : null;
};
