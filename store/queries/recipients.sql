-- name: LockLinkedOrder :execrows
-- Locks the order of an active link, so that its recipients and its driver act one after the other.
SELECT FROM orders o
WHERE o.org_id = @org_id AND o.id = (SELECT l.order_id FROM tracking_links l
    WHERE l.org_id = @org_id AND l.code = @code AND l.revoked_at IS NULL AND l.expires_at > now())
FOR NO KEY UPDATE;

-- name: SaveRecipientInstructions :exec
-- Keeps what the recipient of a delivery asks of the driver, with the event, which says of it only that nobody will be at home.
WITH kept AS (
    INSERT INTO recipient_instructions AS r (org_id, order_id, instructions, safe_place, safe_place_note, door_code, absent)
    VALUES (@org_id, @order_id, @instructions, nullif(@safe_place::text, ''), @safe_place_note, @door_code, @absent)
    ON CONFLICT (org_id, order_id) DO UPDATE SET instructions = excluded.instructions, safe_place = excluded.safe_place,
        safe_place_note = excluded.safe_place_note, door_code = excluded.door_code, absent = excluded.absent, changed_at = now(), changes = r.changes + 1
    RETURNING r.org_id, r.order_id, r.absent
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, product_ids, stop, data)
SELECT o.org_id, 'order.recipient_instructed', 'order', o.id, o.id, o.number, o.status_id, '{}', 'delivery',
    CASE WHEN k.absent THEN jsonb_build_object('absent', true) END
FROM kept k JOIN orders o ON o.org_id = k.org_id AND o.id = k.order_id;

-- name: SaveRecipientRating :exec
-- Keeps what the recipient of a delivery thinks of it, with the event, which has the stars alone.
WITH kept AS (
    INSERT INTO recipient_ratings AS r (org_id, order_id, stars, comment)
    VALUES (@org_id, @order_id, @stars, @comment)
    ON CONFLICT (org_id, order_id) DO UPDATE SET stars = excluded.stars, comment = excluded.comment, changed_at = now(), changes = r.changes + 1
    RETURNING r.org_id, r.order_id, r.stars
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, product_ids, stop, data)
SELECT o.org_id, 'order.recipient_rated', 'order', o.id, o.id, o.number, o.status_id, '{}', 'delivery', jsonb_build_object('stars', k.stars)
FROM kept k JOIN orders o ON o.org_id = k.org_id AND o.id = k.order_id;

-- name: SaveRecipientPreferences :exec
-- Keeps how the recipient of a delivery wants to hear of it, with the event.
WITH kept AS (
    INSERT INTO recipient_preferences AS r (org_id, order_id, language, unwanted)
    VALUES (@org_id, @order_id, nullif(@language::text, ''), @unwanted)
    ON CONFLICT (org_id, order_id) DO UPDATE SET language = excluded.language, unwanted = excluded.unwanted, changed_at = now(), changes = r.changes + 1
    RETURNING r.org_id, r.order_id, r.language, r.unwanted
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, order_status_id, product_ids, stop, data)
SELECT o.org_id, 'order.recipient_preferred', 'order', o.id, o.id, o.number, o.status_id, '{}', 'delivery',
    jsonb_build_object('language', k.language, 'unwanted', k.unwanted)
FROM kept k JOIN orders o ON o.org_id = k.org_id AND o.id = k.order_id;

-- name: OrderRecipient :one
-- What the recipient of an order has said, as v1 shows it; no row for an unknown order. The door code is for the driver.
SELECT jsonb_build_object(
    'instructions', CASE WHEN r.order_id IS NOT NULL THEN jsonb_build_object('text', r.instructions,
        'safe_place', r.safe_place, 'safe_place_note', r.safe_place_note, 'has_door_code', r.door_code <> '', 'absent', r.absent,
        'changed_at', iso_utc(r.changed_at)) END,
    'rating', CASE WHEN g.order_id IS NOT NULL THEN jsonb_build_object('stars', g.stars, 'comment', g.comment,
        'changed_at', iso_utc(g.changed_at)) END,
    'preferences', CASE WHEN h.order_id IS NOT NULL THEN jsonb_build_object('language', h.language, 'messages', NOT h.unwanted,
        'changed_at', iso_utc(h.changed_at)) END)::jsonb AS document
FROM orders o
LEFT JOIN recipient_ratings g ON g.org_id = o.org_id AND g.order_id = o.id
LEFT JOIN recipient_preferences h ON h.org_id = o.org_id AND h.order_id = o.id
LEFT JOIN recipient_instructions r ON r.org_id = o.org_id AND r.order_id = o.id
WHERE o.org_id = @org_id AND o.id = @order_id;
