-- Takes a seat of an interval on a day for an order or a draft; the other is 0. The order's stops
-- get the booked windows, and their own windows are kept. version is the row's xmin of when it
-- was judged: when it has changed since, the error is WB001. When no seat is left, it is WB002.
-- An error leaves nothing behind.
CREATE OR REPLACE FUNCTION take_seat(
    for_order bigint, for_draft bigint, version text, of_interval bigint, on_day date,
    pickup_from timestamptz, pickup_to timestamptz, delivery_from timestamptz, delivery_to timestamptz, hold bigint DEFAULT 0,
    OUT taken_at timestamptz, OUT taken integer)
    LANGUAGE plpgsql
AS $$
DECLARE
    org bigint := current_org();
    called text;
    seats integer;
    full_already boolean;
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

    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, draft_id, external_id)
    VALUES (org, CASE WHEN for_order <> 0 THEN 'order.booked' ELSE 'draft.booked' END,
        CASE WHEN for_order <> 0 THEN 'order' ELSE 'draft' END, for_order + for_draft, nullif(for_order, 0), nullif(for_draft, 0),
        nullif(called, ''));

    -- Last, because of those who wait.
    INSERT INTO schedule_interval_days AS d (org_id, interval_id, day, booked)
    SELECT i.org_id, i.id, on_day, 1 FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active
    ON CONFLICT (org_id, interval_id, day) DO UPDATE SET booked = d.booked + 1
    WHERE d.booked < (SELECT i.slots FROM schedule_intervals i WHERE i.org_id = d.org_id AND i.id = d.interval_id)
    RETURNING d.booked INTO taken;
    full_already := NOT FOUND;
    -- Behind the lock of the counter, so that nobody's hold is overlooked, and a hold
    -- is of use to one only.
    IF hold <> 0 THEN
        DELETE FROM schedule_holds h WHERE h.org_id = org AND h.id = hold AND h.interval_id = of_interval AND h.day = on_day
            AND h.ends_at > clock_timestamp();
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the hold has ended' USING ERRCODE = 'WB003';
        END IF;
    END IF;
    SELECT i.slots INTO seats FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval;
    IF full_already OR taken + seats_held(org, of_interval, on_day) > seats THEN
        RAISE EXCEPTION 'no seat is left' USING ERRCODE = 'WB002';
    END IF;
END
$$;
