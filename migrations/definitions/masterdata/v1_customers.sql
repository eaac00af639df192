-- Master data as the v1 wire shows it, a view per kind: lists are sorted by place, then id.
CREATE OR REPLACE VIEW v1_customers WITH (security_invoker = true) AS
SELECT c.org_id, c.id, c.external_id, c.business_name,
    jsonb_build_object(
        'customer_id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
        'department_id', c.department_id, 'email_address', c.email_address, 'phone_number', c.phone_number,
        'calendar_id', c.calendar_id, 'is_active', c.is_active, 'source', c.source,
        'created_at', iso_utc(c.created_at), 'updated_at', iso_utc(c.updated_at)
    ) AS document, 0 AS place, c.is_active
FROM customers c;

GRANT SELECT ON v1_customers TO waybill_app;
