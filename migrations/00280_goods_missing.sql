-- +goose Up
-- Drivers report goods that are not there to be picked up. An order of which nothing was
-- there, or everything was refused, fails: what an action says of all goods is kept with
-- it, so that later changes of the goods change nothing of that.
ALTER TABLE driver_actions
    ADD COLUMN nothing boolean NOT NULL DEFAULT false,
    -- The later action by which this one does not count any more.
    ADD COLUMN overridden_by uuid,
    -- The new constraint allows all that the old one does.
    -- squawk-ignore ban-drop-constraint
    DROP CONSTRAINT driver_actions_type_check,
    ADD CONSTRAINT driver_actions_type_check CHECK (type IN ('START_ROUTE', 'ARRIVE', 'PICK_UP', 'REPORT_MISSING', 'DELIVER', 'FAIL',
        'UNDO', 'SCAN', 'NOTE', 'EXCHANGE_CARGO_CARRIERS', 'END_ROUTE')) NOT VALID;

-- squawk-ignore ban-drop-constraint
ALTER TABLE exceptions DROP CONSTRAINT exceptions_kind_check, ADD CONSTRAINT exceptions_kind_check
    CHECK (kind IN ('LATE_STOP', 'SILENT_DRIVER', 'RULE_MISSED', 'DELIVERED_THOUGH_CANCELLED', 'ACTED_THOUGH_CANCELLED',
        'NOT_YOURS_ANY_MORE', 'ALREADY_DONE', 'BAD_ORDER_OF_ACTIONS', 'PROOF_MISSING', 'GOODS_MISSING', 'ALL_REFUSED',
        'OVERRIDDEN')) NOT VALID;

-- Which goods were not there to be picked up.
CREATE TABLE order_products_missing (
    org_id           bigint NOT NULL REFERENCES organizations (id),
    order_product_id bigint NOT NULL,
    order_id         bigint NOT NULL,
    missing          double precision NOT NULL CHECK (missing > 0),
    reason           text,
    CONSTRAINT order_products_missing_pkey PRIMARY KEY (org_id, order_product_id),
    CONSTRAINT order_products_missing_product_fkey FOREIGN KEY (org_id, order_product_id)
        REFERENCES order_products (org_id, id) ON DELETE CASCADE
);
-- The table is new, so nobody writes to it.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX order_products_missing_order_idx ON order_products_missing (org_id, order_id);
SELECT guard_tenant('order_products_missing');

-- As in 00161_carriers_exchanged.sql, with what is missing.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION lock_driven(org bigint, wanted bigint) RETURNS TABLE (
    number text, status_id smallint, driver_id bigint, created_at timestamptz, begun boolean, given_to bigint, facts jsonb)
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
    PERFORM FROM orders o WHERE o.org_id = org AND o.id = wanted FOR NO KEY UPDATE;
    RETURN QUERY
    SELECT o.number, o.status_id, coalesce(o.driver_id, 0), o.created_at, g.order_id IS NOT NULL, coalesce(g.given_to, 0),
        coalesce((SELECT jsonb_agg(x.fact) FROM (
            SELECT jsonb_build_object('id', a.id, 'type', a.type, 'stop', s.kind, 'driver', a.driver_id,
                'at', a.occurred_at, 'clock', a.device_at, 'undoes', a.undoes, 'reason', a.reason,
                'products', a.data -> 'products', 'nothing', a.nothing, 'scans', a.data -> 'scans') AS fact
            FROM driver_actions a LEFT JOIN order_stops s ON s.org_id = a.org_id AND s.id = a.stop_id
            WHERE a.org_id = org AND a.order_id = wanted AND a.outcome <> 'REJECTED'
                AND a.type IN ('ARRIVE', 'PICK_UP', 'REPORT_MISSING', 'DELIVER', 'FAIL', 'UNDO', 'SCAN',
                    'EXCHANGE_CARGO_CARRIERS')
            UNION ALL
            SELECT jsonb_build_object('id', m.id::text, 'type', m.source, 'stop', m.stop, 'driver', m.driver_id, 'at', m.at,
                'to', m.status_id, 'corrects', m.corrects, 'reason', m.reason)
            FROM order_moves m WHERE m.org_id = org AND m.order_id = wanted) x), '[]')
    FROM orders o LEFT JOIN order_progress g ON g.org_id = o.org_id AND g.order_id = o.id
    WHERE o.org_id = org AND o.id = wanted;
END
$$;
-- +goose StatementEnd

-- As in 00078_live_etas.sql, with what was missing.
CREATE OR REPLACE VIEW order_product_documents WITH (security_invoker = true) AS
SELECT p.org_id, p.order_id, p.id, p.seq,
    jsonb_build_object(
        'id', p.id, 'order_id', p.order_id, 'internal_order_number', p.number, 'name', p.name,
        'quantity', p.quantity, 'weight', p.weight, 'length', p.length, 'width', p.width, 'height', p.height,
        'barcode_id', p.barcode_id, 'external_id', p.external_id, 'instance_number', p.instance_number,
        'parent_id', p.parent_id, 'parent_sscc', parent.barcode_id, 'atom_type', p.atom_type,
        'is_modified', p.is_modified
    ) || CASE WHEN d.order_id IS NULL THEN '{}' ELSE jsonb_build_object('delivered_quantity', d.delivered,
        'refused_quantity', d.refused, 'refusal_reason', d.reason) END
    || CASE WHEN m.order_id IS NULL THEN '{}' ELSE jsonb_build_object('missing_quantity', m.missing,
        'missing_reason', m.reason) END AS base
FROM order_products p
LEFT JOIN order_products parent ON parent.org_id = p.org_id AND parent.id = p.parent_id
LEFT JOIN order_product_deliveries d ON d.org_id = p.org_id AND d.order_product_id = p.id
LEFT JOIN order_products_missing m ON m.org_id = p.org_id AND m.order_product_id = p.id;
