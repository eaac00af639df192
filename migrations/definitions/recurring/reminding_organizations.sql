-- The organizations whose rules make reminders and where it is nine in the morning or later,
-- with the day that it is there.
CREATE OR REPLACE FUNCTION reminding_organizations(at timestamptz)
    RETURNS TABLE (id bigint, today date)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT o.id, (reminding_organizations.at AT TIME ZONE o.timezone)::date FROM organizations o
    WHERE o.closed_at IS NULL AND extract(hour FROM reminding_organizations.at AT TIME ZONE o.timezone) >= 9
      AND EXISTS (SELECT FROM notification_rules r WHERE r.org_id = o.id AND r.event = 'ORDER_REMINDER' AND r.is_active)
    ORDER BY o.id
$$;

REVOKE EXECUTE ON FUNCTION reminding_organizations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reminding_organizations TO waybill_app;
