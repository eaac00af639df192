// The organization's document, which contains some of the master data.
import { api, ask } from '$shared/api';
import { may, readOrganization } from '$shared/session.svelte';

/** When the document was last applied, or nothing for users who may not see the log. */
export async function lastApplied(): Promise<string | undefined> {
	if (!may('admin', 'support')) return undefined;
	const { id } = await readOrganization();
	const query = { subject_type: 'organization', subject_id: id, kind: 'organization.applied', limit: 1 } as const;
	const { items } = await ask(api.GET('/v1/activity', { params: { query } }));
	return items[0]?.occurred_at;
}
