-- name: InsertTrackingLinks :many
-- Reserves links to the stops of an order.
INSERT INTO tracking_links (org_id, code, order_id, stop_id, link, expires_at)
SELECT @org_id, x.code, @order_id, s.id, x.link, @expires_at
FROM (SELECT unnest(@kinds::text[]) AS kind, unnest(@codes::text[]) AS code, unnest(@links::text[]) AS link) x
JOIN order_stops s ON s.org_id = @org_id AND s.order_id = @order_id AND s.kind = x.kind
RETURNING code;

-- name: LogTrackingLink :exec
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, stop)
SELECT o.org_id, @kind, 'order', o.id, o.id, o.number, x.stop
FROM orders o CROSS JOIN unnest(@stops::text[]) AS x(stop)
WHERE o.org_id = @org_id AND o.id = @order_id;

-- name: RevokeTrackingLink :one
-- Ends a link and returns it; no row when it had ended or never existed.
UPDATE tracking_links l SET revoked_at = now()
FROM order_stops s
WHERE l.org_id = @org_id AND l.code = @code AND l.revoked_at IS NULL AND s.org_id = l.org_id AND s.id = l.stop_id
RETURNING l.order_id, s.kind;

-- name: TrackingLinkExists :one
SELECT EXISTS (SELECT FROM tracking_links WHERE org_id = @org_id AND code = @code) AS found;

-- name: FindTrackingLink :one
-- The organization of an active link, for any caller, or 0.
SELECT coalesce(find_tracking_link(@code), 0)::bigint AS org_id;

-- name: TrackedStop :one
-- The content of a link's public page. The driver's position is included once the
-- stop is the next one.
SELECT s.kind, s.name, coalesce(s.city, '')::text AS city, s.earliest, s.latest, o.status_id, g.timezone,
    p.eta AS planned, v.eta, coalesce(v.ahead, -1)::int AS ahead, coalesce(p.latitude, 'NaN')::float8 AS latitude,
    coalesce(p.longitude, 'NaN')::float8 AS longitude, coalesce(w.latitude, 'NaN')::float8 AS driver_latitude,
    coalesce(w.longitude, 'NaN')::float8 AS driver_longitude,
    (CASE WHEN w.latitude IS NOT NULL THEN coalesce((SELECT k.polyline FROM ways_of_plan(p.org_id, p.plan_id, ARRAY[p.driver_id]) k
        WHERE k.seq = p.seq), '') ELSE '' END)::text AS polyline
FROM tracking_links l
JOIN order_stops s ON s.org_id = l.org_id AND s.id = l.stop_id
JOIN orders o ON o.org_id = l.org_id AND o.id = l.order_id
JOIN organizations g ON g.id = l.org_id
LEFT JOIN plan_stops p ON p.org_id = s.org_id AND p.order_id = s.order_id AND p.kind = s.kind
LEFT JOIN live_etas v ON v.org_id = p.org_id AND v.order_id = p.order_id AND v.kind = p.kind AND v.driver_id = p.driver_id
LEFT JOIN driver_whereabouts w ON w.org_id = p.org_id AND w.driver_id = p.driver_id AND v.ahead = 0 AND w.on_duty
    AND w.at > now() - interval '15 minutes'
WHERE l.org_id = @org_id AND l.code = @code AND l.revoked_at IS NULL AND l.expires_at > now();
