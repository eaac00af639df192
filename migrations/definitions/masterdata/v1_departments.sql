CREATE OR REPLACE VIEW v1_departments WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active,
    jsonb_build_object('id', id, 'name', name, 'is_active', is_active, 'loading_minutes', loading_minutes,
        'release_at', to_char(make_interval(mins => release_minute), 'HH24:MI'), 'release_days_before', release_days_before,
        'release_threshold_minutes', release_threshold_minutes, 'calendar_id', calendar_id, 'source', source) AS document
FROM departments;

GRANT SELECT ON v1_departments TO waybill_app;
