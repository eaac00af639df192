-- As lock_driven, for a driver's action: with the answer that it got before, if
-- any, and whether the driver has or ever had the order. Nothing but the answer is
-- read of a stop that is not there.
CREATE OR REPLACE FUNCTION lock_action(org bigint, action uuid, driver bigint, stop bigint) RETURNS TABLE (
    answered_to bigint, outcome text, outcome_reason text, skew_ms bigint,
    order_id bigint, kind text, latitude double precision, longitude double precision, had boolean,
    number text, status_id smallint, driver_id bigint, created_at timestamptz, begun boolean, given_to bigint, facts jsonb)
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    SELECT s.order_id, s.kind, s.latitude, s.longitude
    INTO lock_action.order_id, lock_action.kind, lock_action.latitude, lock_action.longitude
    FROM order_stops s WHERE s.org_id = org AND s.id = stop;
    IF lock_action.order_id IS NOT NULL THEN
        SELECT d.number, d.status_id, d.driver_id, d.created_at, d.begun, d.given_to, d.facts
        INTO lock_action.number, lock_action.status_id, lock_action.driver_id, lock_action.created_at, lock_action.begun,
            lock_action.given_to, lock_action.facts
        FROM lock_driven(org, lock_action.order_id) d;
        had := lock_action.driver_id = driver OR lock_action.given_to = driver
            OR EXISTS (SELECT FROM driver_actions a
                WHERE a.org_id = org AND a.order_id = lock_action.order_id AND a.driver_id = driver)
            OR EXISTS (SELECT FROM events e WHERE e.org_id = org AND e.subject_type = 'order'
                AND e.subject_id = lock_action.order_id AND e.position IS NOT NULL AND e.kind = 'order.planned'
                AND e.driver_id = driver);
    END IF;
    SELECT a.driver_id, a.outcome, a.outcome_reason
    INTO answered_to, lock_action.outcome, lock_action.outcome_reason
    FROM driver_actions a WHERE a.org_id = org AND a.id = action;
    SELECT w.clock_skew_ms INTO skew_ms FROM driver_whereabouts w WHERE w.org_id = org AND w.driver_id = driver;
    RETURN NEXT;
END
$$;
