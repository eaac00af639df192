-- How many templates should have generated orders by now, and have not: nothing is
-- generated for today or later, and it is time for it.
CREATE OR REPLACE FUNCTION overdue_templates(at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT count(*) FROM recurring_orders r JOIN organizations o ON o.id = r.org_id
    WHERE r.is_active AND NOT r.is_paused AND NOT r.is_complete AND o.closed_at IS NULL
      AND coalesce(r.generated_through < (overdue_templates.at AT TIME ZONE o.timezone)::date, true)
      AND (r.owes OR coalesce(r.next_run_at <= overdue_templates.at, true))
$$;

REVOKE EXECUTE ON FUNCTION overdue_templates FROM PUBLIC;
GRANT EXECUTE ON FUNCTION overdue_templates TO waybill_app;
