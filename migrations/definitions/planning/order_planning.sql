-- The relation Planning of an order on the v1 wire, when loads asks for it.
CREATE OR REPLACE FUNCTION order_planning(org bigint, order_id bigint, loads text[]) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN 'Planning' = ANY (loads)
        THEN jsonb_build_object('planning', order_planning_document(org, order_planning.order_id)) ELSE '{}' END
$$;
