-- name: ReadFeatureFlags :many
-- The switches, and the last event of each; an empty actor means that it was
-- never changed.
SELECT f.name::text AS name, f.enabled::boolean AS enabled, coalesce(e.recorded_at, 'epoch')::timestamptz AS changed_at,
    coalesce(e.actor, '')::text AS changed_by
FROM (
    SELECT 'allow_merge' AS name, o.allow_merge AS enabled FROM organizations o WHERE o.id = @org_id
    UNION ALL SELECT 'carrier_moves_status', o.carrier_moves_status FROM organizations o WHERE o.id = @org_id
    UNION ALL SELECT 'reexport', o.reexport FROM organizations o WHERE o.id = @org_id
) f
LEFT JOIN LATERAL (
    SELECT v.recorded_at, v.actor FROM events v
    WHERE v.org_id = @org_id AND v.subject_type = 'organization' AND v.subject_id = @org_id
      AND v.kind = 'feature_flag.changed' AND v.data ->> 'name' = f.name
    ORDER BY v.id DESC LIMIT 1
) e ON true
ORDER BY f.name;

-- name: SetFeatureFlags :exec
-- Null leaves a switch unchanged. Re-export counts from when it is switched on.
UPDATE organizations o SET allow_merge = coalesce(sqlc.narg('allow_merge'), o.allow_merge),
    carrier_moves_status = coalesce(sqlc.narg('carrier_moves_status'), o.carrier_moves_status),
    reexport = coalesce(sqlc.narg('reexport'), o.reexport),
    reexport_since = CASE WHEN sqlc.narg('reexport') AND NOT o.reexport THEN now() ELSE o.reexport_since END,
    updated_at = now()
WHERE o.id = @org_id;
