-- +goose Up
-- Public links to the page of one stop, and the relations of an order that
-- show them, its documents and its documentations.

CREATE TABLE tracking_links (
    org_id     bigint NOT NULL REFERENCES organizations (id),
    code       text NOT NULL,
    order_id   bigint NOT NULL,
    stop_id    bigint NOT NULL,
    -- The address as it was handed out.
    link       text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    CONSTRAINT tracking_links_pkey PRIMARY KEY (org_id, code),
    CONSTRAINT tracking_links_code_key UNIQUE (code),
    CONSTRAINT tracking_links_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id),
    CONSTRAINT tracking_links_stop_fkey FOREIGN KEY (org_id, stop_id) REFERENCES order_stops (org_id, id)
);
CREATE INDEX tracking_links_order_idx ON tracking_links (org_id, order_id);
CREATE INDEX tracking_links_stop_idx ON tracking_links (org_id, stop_id);
SELECT guard_tenant('tracking_links');

-- Whoever has the code of a link may see its stop, and has no key that would
-- tell the organization. So this one look-up goes round the policies.
-- +goose StatementBegin
CREATE FUNCTION find_tracking_link(code text) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT l.org_id FROM tracking_links l
    WHERE l.code = find_tracking_link.code AND l.revoked_at IS NULL AND l.expires_at > now()
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION find_tracking_link(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_tracking_link(text) TO waybill_app;

-- +goose StatementBegin
CREATE FUNCTION stop_track_traces(org bigint, stop bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('code', l.code, 'tracking_link', l.link, 'expires_at', iso_utc(l.expires_at))
        ORDER BY l.created_at, l.code), '[]')
    FROM tracking_links l
    WHERE l.org_id = org AND l.stop_id = stop AND l.revoked_at IS NULL AND l.expires_at > now()
$$;

CREATE FUNCTION order_documents_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('document_id', d.id, 'name', d.name, 'content_type', d.content_type,
        'size', d.size, 'created_at', iso_utc(a.attached_at)) ORDER BY a.attached_at, d.id), '[]')
    FROM order_documents a JOIN documents d ON d.org_id = a.org_id AND d.id = a.document_id
    WHERE a.org_id = org AND a.order_id = order_documents_document.order_id
$$;

CREATE FUNCTION order_documentations_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'order_location_id', d.stop_id, 'type', d.type,
        'comment', d.comment, 'created_at', iso_utc(d.created_at)) ORDER BY d.created_at, d.id), '[]')
    FROM order_documentations d
    WHERE d.org_id = org AND d.order_id = order_documentations_document.order_id
$$;

-- As in 00007_views.sql, with the links that are alive.
CREATE OR REPLACE FUNCTION order_locations_document(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(
        d.base
        || CASE WHEN 'OrderLocations.Address' = ANY (loads) THEN jsonb_build_object('address', d.address) ELSE '{}' END
        || CASE WHEN 'OrderLocations.Location' = ANY (loads) THEN jsonb_build_object('location', (
            SELECT jsonb_build_object('id', l.id, 'external_id', l.external_id, 'name', l.name)
            FROM order_stops s JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id
            WHERE s.org_id = d.org_id AND s.id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.OrderLocationContacts' = ANY (loads) THEN jsonb_build_object('order_location_contacts', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name,
                'phone_number', c.phone_number, 'email_address', c.email_address) ORDER BY c.seq), '[]')
            FROM stop_contacts c WHERE c.org_id = d.org_id AND c.stop_id = d.id)) ELSE '{}' END
        || CASE WHEN 'OrderLocations.TrackTraces' = ANY (loads) THEN jsonb_build_object('track_traces',
            stop_track_traces(d.org_id, d.id)) ELSE '{}' END
        ORDER BY d.kind DESC), '[]')
    FROM order_stop_documents d
    WHERE d.org_id = org AND d.order_id = order_locations_document.order_id
$$;

-- As in 00007_views.sql, with documents and documentations.
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
-- +goose StatementEnd
