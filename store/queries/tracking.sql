-- name: InsertTrackingLinks :many
-- Reserves links to the stops of an order.
INSERT INTO tracking_links (org_id, code, order_id, stop_id, link, number, expires_at)
SELECT @org_id, x.code, @order_id, s.id, x.link, nullif(@number::text, ''), @expires_at
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
-- stop is the next one, and only where it tells nothing of other stops: it is at most
-- a minute old, and no other stop of the route is within some 200 m of it, unless
-- that stop is beside this one. A link from before links had numbers names
-- the order's number if that is its only one.
SELECT l.org_id, o.id AS order_id, g.sandbox, q.promised_from, q.promised_to, s.kind, s.name, coalesce(s.city, '')::text AS city, s.earliest, s.latest, o.status_id, g.timezone, g.language,
    g.name AS organization, coalesce(g.recipient_page, '{}')::jsonb AS page,
    coalesce(l.number, CASE WHEN (SELECT count(*) FROM order_numbers n WHERE n.org_id = o.org_id AND n.order_id = o.id) = 1
        THEN o.number END, '')::text AS number,
    p.eta AS planned, v.eta, coalesce(v.ahead, -1)::int AS ahead, coalesce(p.latitude, 'NaN')::float8 AS latitude,
    coalesce(p.longitude, 'NaN')::float8 AS longitude, coalesce(w.latitude, 'NaN')::float8 AS driver_latitude,
    coalesce(w.longitude, 'NaN')::float8 AS driver_longitude, w.at AS driver_at,
    (CASE WHEN w.latitude IS NOT NULL THEN coalesce((SELECT k.polyline FROM ways_of_plan(p.org_id, p.plan_id, ARRAY[p.driver_id]) k
        WHERE k.seq = p.seq), '') ELSE '' END)::text AS polyline,
    coalesce(CASE s.kind WHEN 'pickup' THEN r.pickup_arrived_at ELSE r.delivery_arrived_at END, '0001-01-01 00:00:00+00')::timestamptz AS arrived,
    coalesce(CASE s.kind WHEN 'pickup' THEN r.pickup_ended_at ELSE r.delivery_ended_at END, '0001-01-01 00:00:00+00')::timestamptz AS ended,
    coalesce(CASE s.kind WHEN 'pickup' THEN r.pickup_status ELSE r.delivery_status END = 'arrived', false)::boolean AS is_there,
    (CASE WHEN CASE s.kind WHEN 'pickup' THEN r.pickup_status ELSE r.delivery_status END = 'failed'
        THEN coalesce(r.failure_reason, '') ELSE '' END)::text AS failure, coalesce(c.type, '')::text AS handover,
    coalesce(c.signee, '')::text AS signee,
    (CASE c.type WHEN 'CONTACTLESS' THEN coalesce(c.comment, '') ELSE '' END)::text AS place,
    (g.suspended_at IS NOT NULL)::boolean AS suspended, (o.people_erased_at IS NOT NULL)::boolean AS erased,
    coalesce(i.changes, 0)::bigint AS instructed, coalesce(i.instructions, '')::text AS instructions, coalesce(i.safe_place, '')::text AS safe_place,
    coalesce(i.safe_place_note, '')::text AS safe_place_note, coalesce(i.door_code, '')::text AS door_code, coalesce(i.absent, false)::boolean AS absent,
    coalesce(a.changes, 0)::bigint AS rated, coalesce(a.stars, 0)::bigint AS stars, coalesce(a.comment, '')::text AS rating_comment,
    coalesce(h.changes, 0)::bigint AS preferred, coalesce(h.language, '')::text AS message_language, coalesce(h.unwanted, false)::boolean AS unwanted
FROM tracking_links l
JOIN order_stops s ON s.org_id = l.org_id AND s.id = l.stop_id
JOIN orders o ON o.org_id = l.org_id AND o.id = l.order_id
JOIN organizations g ON g.id = l.org_id
LEFT JOIN delivery_promises q ON q.org_id = s.org_id AND q.order_id = s.order_id AND q.kind = s.kind
LEFT JOIN recipient_instructions i ON i.org_id = s.org_id AND i.order_id = s.order_id AND s.kind = 'delivery'
LEFT JOIN recipient_ratings a ON a.org_id = s.org_id AND a.order_id = s.order_id AND s.kind = 'delivery'
LEFT JOIN recipient_preferences h ON h.org_id = s.org_id AND h.order_id = s.order_id AND s.kind = 'delivery'
LEFT JOIN order_progress r ON r.org_id = o.org_id AND r.order_id = o.id
LEFT JOIN plan_stops p ON p.org_id = s.org_id AND p.order_id = s.order_id AND p.kind = s.kind
LEFT JOIN live_etas v ON v.org_id = p.org_id AND v.order_id = p.order_id AND v.kind = p.kind AND v.driver_id = p.driver_id
LEFT JOIN driver_whereabouts w ON w.org_id = p.org_id AND w.driver_id = p.driver_id AND v.ahead = 0 AND w.on_duty
    AND w.at > now() - interval '1 minute' AND NOT EXISTS (
        SELECT FROM plan_stops x
        WHERE x.org_id = p.org_id AND x.plan_id = p.plan_id AND x.driver_id = p.driver_id
          AND abs(x.latitude - w.latitude) < 0.0018
          AND abs(x.longitude - w.longitude) * cos(radians(w.latitude)) < 0.0018
          AND (abs(x.latitude - p.latitude) >= 0.0018
            OR abs(x.longitude - p.longitude) * cos(radians(p.latitude)) >= 0.0018))
LEFT JOIN LATERAL (
    SELECT k.type, k.signee, k.comment FROM completion_proofs k
    WHERE k.org_id = o.org_id AND k.order_id = o.id AND k.counts AND s.kind = 'delivery' ORDER BY k.id DESC LIMIT 1
) c ON true
WHERE l.org_id = @org_id AND l.code = @code AND l.revoked_at IS NULL AND l.expires_at > now();
