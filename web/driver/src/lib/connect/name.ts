// The office's name for a phone, to distinguish it from the driver's others.

interface Hints {
	getHighEntropyValues?: (names: string[]) => Promise<{ model?: string }>;
}

/** The model of the phone, such as Pixel 9 or iPhone, as far as its browser reveals it. */
export async function nameOfPhone({ userAgent, userAgentData }: { userAgent: string; userAgentData?: Hints } = navigator): Promise<string> {
	const hints = await userAgentData?.getHighEntropyValues?.(['model']).catch(() => undefined);
	if (hints?.model) return hints.model.slice(0, 60);
	const [, inside = ''] = /\(([^)]*)\)/.exec(userAgent) ?? [];
	const parts = inside.split(';').map((part) => part.trim());
	const apple = parts.find((part) => /^(iPhone|iPad)$/.test(part));
	const android = parts.find((part) => part.startsWith('Android'));
	return (apple ?? android ?? parts[0] ?? '').slice(0, 60) || userAgent.slice(0, 60);
}
