-- +goose Up
-- A driver has one route on a day, even if he has changed departments and two plans have
-- a route for him. A route that he has begun is his route for the whole day. Otherwise it
-- is the route of his department.

-- +goose StatementBegin
-- The plan whose route a driver has begun on a day, or null. He has begun a route once he
-- has been at one of its stops. If only one plan has a route for him, it is enough that he
-- has started his day.
CREATE FUNCTION begun_route(org bigint, driver bigint, day date) RETURNS bigint
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    ids   bigint[];
    begun bigint;
BEGIN
    SELECT array_agg(p.id) INTO ids
    FROM plans p JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id AND r.driver_id = driver
    WHERE p.org_id = org AND p.day = begun_route.day;
    IF ids IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT p.id INTO begun
    FROM plans p JOIN drivers d ON d.org_id = p.org_id AND d.id = driver
    WHERE p.org_id = org AND p.id = ANY (ids) AND EXISTS (
        SELECT FROM plan_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
        WHERE s.org_id = org AND s.plan_id = p.id AND s.driver_id = driver
          AND o.driver_id = driver AND o.status_id BETWEEN 3 AND 7)
    ORDER BY p.department_id IS NOT DISTINCT FROM d.department_id, p.id LIMIT 1;
    IF begun IS NULL AND cardinality(ids) = 1 AND EXISTS (SELECT FROM driver_days y
        WHERE y.org_id = org AND y.driver_id = driver AND y.day = begun_route.day AND y.started_at IS NOT NULL) THEN
        RETURN ids[1];
    END IF;
    RETURN begun;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- The plan whose route a driver has on a day, or null if he has none.
CREATE FUNCTION route_of_day(org bigint, driver bigint, day date) RETURNS bigint
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    ids bigint[];
BEGIN
    SELECT array_agg(p.id) INTO ids
    FROM plans p JOIN plan_routes r ON r.org_id = p.org_id AND r.plan_id = p.id AND r.driver_id = driver
    WHERE p.org_id = org AND p.day = route_of_day.day;
    IF coalesce(cardinality(ids), 0) <= 1 THEN
        RETURN ids[1];
    END IF;
    RETURN coalesce(begun_route(org, driver, route_of_day.day), (
        SELECT p.id FROM plans p JOIN drivers d ON d.org_id = p.org_id AND d.id = driver
        WHERE p.org_id = org AND p.id = ANY (ids)
        ORDER BY p.department_id IS NOT DISTINCT FROM d.department_id DESC, p.id DESC LIMIT 1));
END
$$;
-- +goose StatementEnd

-- As in 00200_nights_under_way.sql, but with the one route of the day.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION night_under_way(org bigint, driver bigint, at timestamptz, ending boolean) RETURNS date
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
    today date;
    night record;
    ended timestamptz;
BEGIN
    SELECT (at AT TIME ZONE o.timezone)::date INTO today FROM organizations o WHERE o.id = org;
    SELECT r.plan_id, p.day, r.ends_at INTO night
    FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
    WHERE r.org_id = org AND r.driver_id = driver AND r.plan_id = route_of_day(org, driver, today - 1);
    IF night.ends_at + interval '3 hours' > at THEN
        NULL;
    ELSE
        RETURN NULL;
    END IF;
    IF EXISTS (SELECT FROM driver_days y
        WHERE y.org_id = org AND y.driver_id = driver AND y.day = today AND y.started_at <= at) THEN
        RETURN NULL;
    END IF;
    SELECT y.ended_at INTO ended FROM driver_days y
    WHERE y.org_id = org AND y.driver_id = driver AND y.day = night.day AND y.ended_at < at;
    IF NOT ending AND ended IS NOT NULL AND NOT EXISTS (SELECT FROM driver_actions a
        WHERE a.org_id = org AND a.driver_id = driver AND a.occurred_at > ended AND a.occurred_at <= at
          AND a.stop_id IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    IF EXISTS (SELECT FROM plan_routes r JOIN plans p ON p.org_id = r.org_id AND p.id = r.plan_id
        WHERE r.org_id = org AND r.driver_id = driver AND p.day = today AND r.starts_at <= at)
        AND NOT EXISTS (SELECT FROM plan_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
            WHERE s.org_id = org AND s.plan_id = night.plan_id AND s.driver_id = driver AND o.status_id <= 5) THEN
        RETURN NULL;
    END IF;
    RETURN night.day;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
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
-- +goose StatementEnd
