-- +goose Up
-- Booking in one statement: everybody who wants a seat of the same interval
-- waits for its counter's row until the one before has committed, so nothing
-- may come between the two but the commit itself.

-- Takes a seat of an interval on a day for an order or a draft; the other is 0.
-- The order's stops get the booked windows, and its own are kept. version is
-- the row's xmin of when it was judged: when it has changed since, the error is
-- WB001. When no seat is left it is WB002. An error leaves nothing behind.
-- +goose StatementBegin
CREATE FUNCTION take_seat(
    for_order bigint, for_draft bigint, version text, of_interval bigint, on_day date,
    pickup_from timestamptz, pickup_to timestamptz, delivery_from timestamptz, delivery_to timestamptz,
    OUT taken_at timestamptz, OUT taken integer)
    LANGUAGE plpgsql
AS $$
DECLARE
    org bigint := current_org();
    called text;
BEGIN
    IF for_order <> 0 THEN
        UPDATE orders o SET updated_at = now() WHERE o.org_id = org AND o.id = for_order AND o.xmin::text = version
        RETURNING o.number INTO called;
    ELSE
        SELECT coalesce(d.external_id, '') INTO called FROM drafts d
        WHERE d.org_id = org AND d.id = for_draft AND d.xmin::text = version FOR UPDATE;
    END IF;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'it has changed' USING ERRCODE = 'WB001';
    END IF;

    INSERT INTO bookings AS b (org_id, order_id, draft_id, interval_id, day, pickup_earliest, pickup_latest, delivery_earliest,
        delivery_latest, own_pickup_earliest, own_pickup_latest, own_pickup_source, own_delivery_earliest, own_delivery_latest,
        own_delivery_source)
    SELECT org, nullif(for_order, 0), nullif(for_draft, 0), of_interval, on_day, pickup_from, pickup_to, delivery_from, delivery_to,
        p.earliest, p.latest, p.window_source, d.earliest, d.latest, d.window_source
    FROM (VALUES (1)) AS one
    LEFT JOIN order_stops p ON p.org_id = org AND p.order_id = for_order AND p.kind = 'pickup'
    LEFT JOIN order_stops d ON d.org_id = org AND d.order_id = for_order AND d.kind = 'delivery'
    RETURNING b.booked_at INTO taken_at;

    IF for_order <> 0 THEN
        UPDATE order_stops s SET window_source = 'booking',
            earliest = CASE s.kind WHEN 'pickup' THEN pickup_from ELSE delivery_from END,
            latest = CASE s.kind WHEN 'pickup' THEN pickup_to ELSE delivery_to END
        WHERE s.org_id = org AND s.order_id = for_order;
    END IF;

    INSERT INTO events (org_id, kind, order_id, draft_id, external_id)
    VALUES (org, CASE WHEN for_order <> 0 THEN 'order.booked' ELSE 'draft.booked' END, nullif(for_order, 0), nullif(for_draft, 0),
        nullif(called, ''));

    -- Last, because of those who wait.
    INSERT INTO schedule_interval_days AS d (org_id, interval_id, day, booked)
    SELECT i.org_id, i.id, on_day, 1 FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active
    ON CONFLICT (org_id, interval_id, day) DO UPDATE SET booked = d.booked + 1
    WHERE d.booked < (SELECT i.slots FROM schedule_intervals i WHERE i.org_id = d.org_id AND i.id = d.interval_id)
    RETURNING d.booked INTO taken;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no seat is left' USING ERRCODE = 'WB002';
    END IF;
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION take_seat(bigint, bigint, text, bigint, date, timestamptz, timestamptz, timestamptz, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_seat(bigint, bigint, text, bigint, date, timestamptz, timestamptz, timestamptz, timestamptz) TO waybill_app;
