-- name: KeepPromise :exec
-- Keeps what a recipient is told about the time of a stop. The first time is the promise, with its event; a later
-- one replaces only what was told last, if again is set.
WITH kept AS (
    INSERT INTO delivery_promises AS p (org_id, order_id, kind, promised_from, promised_to, told_from, told_to)
    VALUES (@org_id, @order_id, @kind, @told_from, @told_to, @told_from, @told_to)
    ON CONFLICT (org_id, order_id, kind) DO UPDATE SET told_from = excluded.told_from, told_to = excluded.told_to, told_at = now()
    WHERE @again::boolean AND (p.told_from, p.told_to) IS DISTINCT FROM (excluded.told_from, excluded.told_to)
    RETURNING p.org_id, p.order_id, p.kind, p.promised_from, p.promised_to, (p.xmax = 0) AS is_new
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, stop, data)
SELECT o.org_id, 'order.time_promised', 'order', o.id, o.id, o.number, k.kind,
    jsonb_build_object('from', iso_utc(k.promised_from), 'to', iso_utc(k.promised_to))
FROM kept k JOIN orders o ON o.org_id = k.org_id AND o.id = k.order_id
WHERE k.is_new;

-- name: PromiseChosen :execrows
-- Has the window that a recipient chose for a delivery be the promise, with its event; no row if they have chosen that often.
WITH kept AS (
    INSERT INTO delivery_promises AS p (org_id, order_id, kind, promised_from, promised_to, told_from, told_to, chosen)
    VALUES (@org_id, @order_id, 'delivery', @chosen_from, @chosen_to, @chosen_from, @chosen_to, 1)
    ON CONFLICT (org_id, order_id, kind) DO UPDATE SET promised_from = excluded.promised_from, promised_to = excluded.promised_to,
        promised_at = now(), told_from = excluded.told_from, told_to = excluded.told_to, told_at = now(), moves = 0, chosen = p.chosen + 1
    WHERE p.chosen < @most::bigint
    RETURNING p.org_id, p.order_id, p.kind, p.promised_from, p.promised_to
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, stop, data)
SELECT o.org_id, 'order.time_promised', 'order', o.id, o.id, o.number, k.kind,
    jsonb_build_object('from', iso_utc(k.promised_from), 'to', iso_utc(k.promised_to))
FROM kept k JOIN orders o ON o.org_id = k.org_id AND o.id = k.order_id;

-- name: MovePromises :exec
-- Announces that the times of stops have moved from what recipients were told last, each at most so often. The status
-- feed, which has the events with a status, has the ETAs themselves.
WITH moved AS (
    UPDATE delivery_promises p SET told_from = x.told_from, told_to = x.told_to, told_at = now(), moves = p.moves + 1
    FROM (SELECT unnest(@order_ids::bigint[]) AS order_id, unnest(@kinds::text[]) AS kind,
        unnest(@froms::timestamptz[]) AS told_from, unnest(@tos::timestamptz[]) AS told_to) x
    WHERE p.org_id = @org_id AND p.order_id = x.order_id AND p.kind = x.kind AND p.moves < @most::int
    RETURNING p.org_id, p.order_id, p.kind, p.told_from, p.told_to
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, driver_id, stop, data)
SELECT o.org_id, 'order.time_moved', 'order', o.id, o.id, o.number, @driver_id::bigint, m.kind,
    jsonb_build_object('from', iso_utc(m.told_from), 'to', iso_utc(m.told_to))
FROM moved m JOIN orders o ON o.org_id = m.org_id AND o.id = m.order_id;
