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

const isStyle = (id) => /\.css(\?|$)|[?&]type=style/.test(id);

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

/** How many ways to a module are most and many, and how much source is little, in characters. */
const most = 20;
const many = 10;
const little = 6000;

/**
 * Names the file of the modules that most pages share, small ones that many share, and those that both a day and another
 * page need, and of the style sheets of all pages and of some parts.
 */
export const ofPages = (name, { day, styles }) => (id, context) => {
	const all = beginnings(id, context);
	const first = all.filter((one) => one.isFirst);
	const isOfEveryPage = first.some(among(['/routes/+layout.svelte'])) && (all.length > 1 || isStyle(id));
	const isStyleOfPart = isStyle(id) && all.some(among(styles));
	const isLittle = (context.getModuleInfo(id).code ?? '').length < little;
	const isShared = all.length >= most || (all.length >= many && first.length > 0 && isLittle);
	const isOfDayToo = all.some(among(day)) && first.some((one) => !among(day)(one));
	return isOfEveryPage || isStyleOfPart || isShared || isOfDayToo ? name : null;
};

/** Names the file of parts that always open together, and of what they need, except for what a page needs at once. */
export const openedWith = (parts, name) => (id, context) => {
	const all = beginnings(id, context);
	return all.some(among(parts)) && !all.some((one) => one.isFirst) ? name : null;
};
