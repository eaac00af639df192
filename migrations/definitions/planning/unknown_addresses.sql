-- The stops of an unplanned order of which no position is known, when that is among the reasons; otherwise null.
CREATE OR REPLACE FUNCTION unknown_addresses(org bigint, order_id bigint, reasons jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN reasons @> '[{"code": "NO_COORDINATES"}]' THEN (
        SELECT jsonb_agg(jsonb_build_object('stop', upper(s.kind), 'position', stop_position(s), 'address',
            concat_ws(', ', nullif(s.address1, ''), nullif(concat_ws(' ', s.postal_code, s.city), ''))) ORDER BY s.kind DESC)
        FROM order_stops s
        WHERE s.org_id = org AND s.order_id = unknown_addresses.order_id AND stop_position(s) ->> 'latitude' IS NULL
    ) END
$$;
