-- The relations of one order that loads names, documents and documentations among them; an empty
-- object when it names none.
CREATE OR REPLACE FUNCTION order_relations(o v1_orders, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'Customer' = ANY (loads) THEN jsonb_build_object('customer', (
            SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
                'department_id', c.department_id)
            FROM customers c WHERE c.org_id = o.org_id AND c.id = o.customer_id)) ELSE '{}' END
        || CASE WHEN 'Department' = ANY (loads) THEN jsonb_build_object('department', (
            SELECT jsonb_build_object('id', d.id, 'name', d.name)
            FROM departments d WHERE d.org_id = o.org_id AND d.id = o.department_id)) ELSE '{}' END
        || CASE WHEN 'Driver' = ANY (loads) THEN jsonb_build_object('driver', (
            SELECT jsonb_build_object('id', d.id, 'name', d.name, 'phone_number', d.phone_number)
            FROM drivers d WHERE d.org_id = o.org_id AND d.id = o.driver_id)) ELSE '{}' END
        || CASE WHEN 'OrderStatus' = ANY (loads) THEN jsonb_build_object('order_status', (
            SELECT jsonb_build_object('id', s.id, 'name', s.name) FROM order_statuses s WHERE s.id = o.status_id)) ELSE '{}' END
        || CASE WHEN 'OrderType' = ANY (loads) THEN jsonb_build_object('order_type', (
            SELECT jsonb_build_object('id', t.id, 'name', t.name)
            FROM order_types t WHERE t.org_id = o.org_id AND t.id = o.order_type_id)) ELSE '{}' END
        || CASE WHEN 'VehicleType' = ANY (loads) THEN jsonb_build_object('vehicle_type', (
            SELECT jsonb_build_object('id', v.id, 'name', v.name)
            FROM vehicle_types v WHERE v.org_id = o.org_id AND v.id = o.vehicle_type_id)) ELSE '{}' END
        || CASE WHEN 'Skills' = ANY (loads) THEN jsonb_build_object('skills', order_skills_document(o.org_id, o.id)) ELSE '{}' END
        || CASE WHEN 'Documents' = ANY (loads) THEN jsonb_build_object('documents', order_documents_document(o.org_id, o.id)) ELSE '{}' END
        || CASE WHEN 'Documentations' = ANY (loads) THEN jsonb_build_object('documentations',
            order_documentations_document(o.org_id, o.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations' = ANY (loads)
            THEN jsonb_build_object('order_locations', order_locations_document(o.org_id, o.id, loads)) ELSE '{}' END
        || CASE WHEN 'OrderProducts' = ANY (loads)
            THEN jsonb_build_object('order_products', order_products_document(o.org_id, o.id, loads)) ELSE '{}' END
$$;
