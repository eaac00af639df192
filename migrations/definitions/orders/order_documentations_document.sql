-- Documentations of an order as JSON, with the pictures of failed deliveries.
CREATE OR REPLACE FUNCTION order_documentations_document(org bigint, order_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'order_location_id', d.stop_id, 'type', d.type,
        'comment', d.comment, 'driver_id', d.driver_id, 'pictures', coalesce((
            SELECT jsonb_agg(x.sha256 ORDER BY x.place) FROM driver_actions a
            CROSS JOIN LATERAL jsonb_array_elements_text(a.data -> 'pictures') WITH ORDINALITY AS x (sha256, place)
            WHERE a.org_id = d.org_id AND a.id = d.action_id AND d.type = 'failure'), '[]'),
        'occurred_at', iso_utc(coalesce(d.occurred_at, d.created_at)),
        'created_at', iso_utc(d.created_at)) ORDER BY coalesce(d.occurred_at, d.created_at), d.id), '[]')
    FROM order_documentations d
    WHERE d.org_id = org AND d.order_id = order_documentations_document.order_id
$$;
