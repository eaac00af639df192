CREATE OR REPLACE VIEW v1_calendars WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active,
    jsonb_build_object('id', id, 'name', name, 'closed', closed, 'is_active', is_active, 'source', source) AS document
FROM calendars;

GRANT SELECT ON v1_calendars TO waybill_app;
