CREATE OR REPLACE FUNCTION stop_track_traces(org bigint, stop bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('code', l.code, 'tracking_link', l.link, 'expires_at', iso_utc(l.expires_at))
        ORDER BY l.created_at, l.code), '[]')
    FROM tracking_links l
    WHERE l.org_id = org AND l.stop_id = stop AND l.revoked_at IS NULL AND l.expires_at > now()
$$;
