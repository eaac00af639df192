// Names of browsers.
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

/** A browser and its system from its user agent, or the whole user agent if it has neither. */
export const browserOf = (agent: string): string =>
	[known(browsers, agent), known(machines, agent)].filter(Boolean).join(' · ') || agent;
