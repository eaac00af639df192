CREATE OR REPLACE VIEW v1_skills WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active,
    jsonb_build_object('id', id, 'name', name, 'is_active', is_active, 'source', source,
        'for_two', for_two) AS document
FROM skills;

GRANT SELECT ON v1_skills TO waybill_app;
