// The status of API keys.
import type { Schema } from '$shared/api';

type State = 'active' | 'ending' | 'expired' | 'revoked';

/** Whether a key is good, is so for a while, or is no longer. */
export function stateOfKey(key: Schema<'ApiKey'>, now = new Date()): State {
	if (key.revoked_at) return new Date(key.revoked_at) > now ? 'ending' : 'revoked';
	if (key.expires_at && new Date(key.expires_at) <= now) return 'expired';
	return 'active';
}
