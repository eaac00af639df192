-- How many seats of an interval are held on a day, as the clock is now.
CREATE OR REPLACE FUNCTION seats_held(org bigint, of_interval bigint, on_day date) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT count(*) FROM schedule_holds h
        WHERE h.org_id = org AND h.interval_id = of_interval AND h.day = on_day AND h.ends_at > clock_timestamp());
END
$$;
