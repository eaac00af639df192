-- Holds a seat of an interval on a day. Whoever counts seats locks the counter
-- first and looks at the clock behind that: so those who count one after the other
-- never disagree about which holds have ended.
CREATE OR REPLACE FUNCTION hold_seat(of_interval bigint, on_day date, seconds integer, OUT hold_id bigint, OUT hold_ends timestamptz)
    LANGUAGE plpgsql
AS $$
DECLARE
    org bigint := current_org();
    taken integer;
    seats integer;
BEGIN
    INSERT INTO schedule_interval_days AS d (org_id, interval_id, day, booked)
    SELECT i.org_id, i.id, on_day, 0 FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active
    ON CONFLICT (org_id, interval_id, day) DO UPDATE SET booked = d.booked
    RETURNING d.booked INTO taken;
    SELECT i.slots INTO seats FROM schedule_intervals i WHERE i.org_id = org AND i.id = of_interval AND i.is_active;
    IF taken IS NULL OR seats IS NULL OR taken + seats_held(org, of_interval, on_day) >= seats THEN
        RAISE EXCEPTION 'no seat is left' USING ERRCODE = 'WB002';
    END IF;
    INSERT INTO schedule_holds AS h (org_id, interval_id, day, ends_at)
    VALUES (org, of_interval, on_day, clock_timestamp() + make_interval(secs => seconds))
    RETURNING h.id, h.ends_at INTO hold_id, hold_ends;
    -- Nobody asks for what ended a day ago.
    DELETE FROM schedule_holds h WHERE (h.org_id, h.id) IN (
        SELECT o.org_id, o.id FROM schedule_holds o WHERE o.org_id = org AND o.ends_at < now() - interval '1 day'
        LIMIT 100 FOR UPDATE SKIP LOCKED);
END
$$;
