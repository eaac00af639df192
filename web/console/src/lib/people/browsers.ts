// Browsers by the signs that they give of themselves.
const browsers: [RegExp, string][] = [
	[/Edg\//, 'Edge'],
	[/Firefox\//, 'Firefox'],
	[/Chrom/, 'Chrome'],
	[/Safari\//, 'Safari']
];
const machines: [RegExp, string][] = [
	[/Android/, 'Android'],
	[/iPhone|iPad/, 'iOS'],
	[/Mac OS/, 'macOS'],
	[/Windows/, 'Windows'],
	[/Linux/, 'Linux']
];

const known = (all: [RegExp, string][], agent: string) => all.find(([sign]) => sign.test(agent))?.[1];

/** A browser and its machine, of what the browser says of itself; all of that where it says neither. */
export const browserOf = (agent: string): string =>
	[known(browsers, agent), known(machines, agent)].filter(Boolean).join(' · ') || agent;
