-- +goose Up
-- applied_to is the applied_from whose promise is kept: up to it, what older versions
-- generated is up to date. is_complete says that no occurrence is left to come.
ALTER TABLE recurring_orders
    ADD COLUMN applied_to bigint NOT NULL DEFAULT 0,
    ADD COLUMN is_complete boolean NOT NULL DEFAULT false;
UPDATE recurring_orders SET applied_to = applied_from WHERE NOT owes AND applied_from > 0;

-- As in 00010_recurring_orders.sql, with what is promised.
CREATE OR REPLACE VIEW recurring_order_details WITH (security_invoker = true) AS
SELECT r.org_id, r.id, r.name, r.customer_id, r.order_type_id, r.vehicle_type_id, r.pickup_location_id, r.delivery_location_id,
    r.order_template, r.rruleset, r.start_date, r.end_date, r.days_to_generate_ahead, r.is_active, r.is_paused, r.version,
    r.applied_from, r.generated_count, r.generated_through, r.last_generated_at, r.next_run_at, r.last_error, r.created_at,
    r.updated_at, o.timezone, location_place(p) AS pickup_place, location_place(d) AS delivery_place,
    (SELECT count(*) FROM recurring_occurrences c JOIN drafts x ON x.org_id = c.org_id AND x.external_id = c.number
     WHERE c.org_id = r.org_id AND c.recurring_order_id = r.id AND x.state = 'incomplete') AS draft_count,
    r.applied_to
FROM recurring_orders r
JOIN organizations o ON o.id = r.org_id
JOIN locations p ON p.org_id = r.org_id AND p.id = r.pickup_location_id
JOIN locations d ON d.org_id = r.org_id AND d.id = r.delivery_location_id;

-- +goose StatementBegin
-- How many templates should have generated orders by now, and have not: nothing is
-- generated for today or later, and it is time for it.
CREATE FUNCTION overdue_templates(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT count(*) FROM recurring_orders r JOIN organizations o ON o.id = r.org_id
    WHERE r.is_active AND NOT r.is_paused AND NOT r.is_complete AND o.closed_at IS NULL
      AND coalesce(r.generated_through < (overdue_templates.at AT TIME ZONE o.timezone)::date, true)
      AND (r.owes OR coalesce(r.next_run_at <= overdue_templates.at, true))
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION overdue_templates(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_templates(timestamptz) TO waybill_app;

-- As in 00251_templates_that_owe.sql, but an active template lives until it is complete,
-- whatever it is doing, and also while it is paused.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION living(kind text, quiet_since timestamptz, after_org bigint, after_id bigint, batch integer)
RETURNS TABLE (org_id bigint, id bigint, day date, other bigint, name text, event text, channel text, key text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
BEGIN
    CASE living.kind
    WHEN 'template' THEN RETURN QUERY
        SELECT r.org_id, r.id, NULL::date, 0::bigint, '', '', '', '' FROM recurring_orders r
        WHERE (r.org_id, r.id) > (after_org, after_id)
          AND (r.is_active AND NOT r.is_complete OR r.owes) AND r.updated_at < quiet_since
        ORDER BY r.org_id, r.id LIMIT batch;
    WHEN 'export' THEN RETURN QUERY
        SELECT e.org_id, e.order_id, NULL::date, 0::bigint, o.number, '', '', ''
        FROM order_exports e JOIN orders o ON o.org_id = e.org_id AND o.id = e.order_id
        WHERE (e.org_id, e.order_id) > (after_org, after_id) AND e.state <> 'closed' AND e.updated_at < quiet_since
        ORDER BY e.org_id, e.order_id LIMIT batch;
    WHEN 'message' THEN RETURN QUERY
        SELECT n.org_id, n.id, NULL::date, coalesce(n.order_id, 0), n.workflow_id, n.event, n.channel, n.key
        FROM notifications n
        WHERE (n.org_id, n.id) > (after_org, after_id) AND n.status IN ('queued', 'job_dequeued') AND n.updated_at < quiet_since
        ORDER BY n.org_id, n.id LIMIT batch;
    WHEN 'plan' THEN RETURN QUERY
        SELECT p.org_id, p.id, p.day, coalesce(p.department_id, 0), '', '', '', ''
        FROM plans p JOIN organizations o ON o.id = p.org_id
        WHERE (p.org_id, p.id) > (after_org, after_id) AND p.updated_at < quiet_since
          AND p.day >= (quiet_since AT TIME ZONE o.timezone)::date
          AND (EXISTS (SELECT FROM plan_routes r WHERE r.org_id = p.org_id AND r.plan_id = p.id)
            OR EXISTS (SELECT FROM plan_unplanned u WHERE u.org_id = p.org_id AND u.plan_id = p.id))
        ORDER BY p.org_id, p.id LIMIT batch;
    WHEN 'drive' THEN RETURN QUERY
        SELECT y.org_id, y.driver_id, y.day, 0::bigint, '', '', '', ''
        FROM organizations o
        CROSS JOIN LATERAL (SELECT (quiet_since AT TIME ZONE o.timezone)::date AS today) t
        CROSS JOIN LATERAL (
            SELECT d.org_id, d.driver_id, max(d.day) AS day FROM drivers v JOIN driver_days d
                ON d.org_id = v.org_id AND d.driver_id = v.id AND d.day BETWEEN t.today - 1 AND t.today
            WHERE v.org_id = o.id AND d.started_at < quiet_since
            GROUP BY d.org_id, d.driver_id) y
        CROSS JOIN LATERAL drive_day(y.org_id, y.driver_id, y.day) x
        WHERE (y.org_id, y.driver_id) > (after_org, after_id) AND x.ended_at < '0001-01-02 00:00:00+00' AND x.until > quiet_since
        ORDER BY y.org_id, y.driver_id LIMIT batch;
    WHEN 'simulation' THEN RETURN QUERY
        SELECT s.org_id, s.id, s.day, s.pace::bigint, '', '', '', '' FROM sandbox_runs s
        WHERE (s.org_id, s.id) > (after_org, after_id) AND s.state = 'RUNNING' AND s.started_at < quiet_since
        ORDER BY s.org_id, s.id LIMIT batch;
    WHEN 'webhook' THEN RETURN QUERY
        SELECT w.org_id, w.id, NULL::date, 0::bigint, '', '', '', '' FROM webhook_endpoints w
        WHERE (w.org_id, w.id) > (after_org, after_id) AND w.is_active AND w.deleted_at IS NULL AND w.updated_at < quiet_since
        ORDER BY w.org_id, w.id LIMIT batch;
    END CASE;
END
$$;
-- +goose StatementEnd
