-- What is known of a driver's day in addition to its stops; unknown times are in the year 1. A
-- driver who acts after the end of a route is on it again. A simulated day ends at the end of the
-- route at the latest. Actions on the route of the day before or after do not count for this day.
CREATE OR REPLACE FUNCTION drive_day(org bigint, driver bigint, day date) RETURNS TABLE (
    approaching_minutes integer, until timestamptz, break_starts_at timestamptz, break_ends_at timestamptz,
    heard_at timestamptz, ended_at timestamptz, simulated boolean)
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
    never CONSTANT timestamptz := '0001-01-01 00:00:00+00';
    zone   text;
    begins timestamptz;
    since  timestamptz;
    acted  timestamptz;
    gone   timestamptz;
    before record;
    run    record;
BEGIN
    SELECT o.approaching_minutes, o.timezone INTO approaching_minutes, zone FROM organizations o WHERE o.id = org;
    IF zone IS NULL THEN
        RETURN;
    END IF;
    SELECT r.starts_at, r.ends_at + interval '3 hours', r.break_starts_at, r.break_ends_at
        INTO begins, until, break_starts_at, break_ends_at
    FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, drive_day.day);
    until := greatest(until, (drive_day.day + 1)::timestamp AT TIME ZONE zone);
    since := drive_day.day::timestamp AT TIME ZONE zone;
    SELECT r.ends_at, coalesce(y.ended_at + interval '1 microsecond', r.ends_at + interval '3 hours') AS done INTO before
    FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    LEFT JOIN driver_days y ON y.org_id = r.org_id AND y.driver_id = r.driver_id AND y.day = p.day
    WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, drive_day.day - 1);
    IF before.done > since THEN
        since := greatest(since, least(before.done, begins, (SELECT y.started_at FROM driver_days y
            WHERE y.org_id = org AND y.driver_id = driver AND y.day = drive_day.day)));
    END IF;
    until := least(until, (SELECT y.started_at FROM driver_days y
        WHERE y.org_id = org AND y.driver_id = driver AND y.day = drive_day.day + 1 AND y.started_at > since));
    simulated := false;
    FOR run IN SELECT v.started_at, v.ended_at FROM sandbox_runs v
        WHERE v.org_id = org AND v.day = drive_day.day ORDER BY v.id DESC LIMIT 1
    LOOP
        simulated := true;
        since := run.started_at;
        gone := run.ended_at;
        until := greatest(until, now() + interval '1 day');
    END LOOP;
    SELECT max(a.received_at), max(a.occurred_at) FILTER (WHERE a.type <> 'END_ROUTE'),
        max(a.occurred_at) FILTER (WHERE a.type = 'END_ROUTE') INTO heard_at, acted, ended_at
    FROM driver_actions a
    WHERE a.org_id = org AND a.driver_id = driver AND a.occurred_at >= since AND a.occurred_at < until;
    heard_at := greatest(heard_at, (SELECT w.at FROM driver_whereabouts w
        WHERE w.org_id = org AND w.driver_id = driver AND w.at < until));
    IF ended_at < acted THEN
        ended_at := NULL;
    END IF;
    ended_at := coalesce(ended_at, gone);
    break_starts_at := coalesce(break_starts_at, never);
    break_ends_at := coalesce(break_ends_at, never);
    heard_at := coalesce(heard_at, never);
    ended_at := coalesce(ended_at, never);
    RETURN NEXT;
END
$$;
