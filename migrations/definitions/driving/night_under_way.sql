-- The day before a moment, while its one route continues after midnight: until three hours after
-- its planned end, or until its driver has ended it or has begun the next one. A driver who has ended
-- it and gets another order on it sees it again. A planned route of the new day takes over once
-- nothing is left to do on the old one. The end of a route counts for that route, whatever ended it.
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
          AND a.stop_id IS NOT NULL)
        AND NOT EXISTS (SELECT FROM plan_stops s JOIN orders o ON o.org_id = s.org_id AND o.id = s.order_id
            WHERE s.org_id = org AND s.plan_id = night.plan_id AND s.driver_id = driver AND s.kind = 'pickup' AND o.status_id = 2
              AND EXISTS (SELECT FROM events e WHERE e.org_id = org AND e.subject_type = 'order' AND e.subject_id = s.order_id
                AND e.position IS NOT NULL AND e.kind = 'order.planned' AND e.driver_id = driver AND e.recorded_at > ended)) THEN
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
