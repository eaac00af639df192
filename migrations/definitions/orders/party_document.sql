-- A customer as orders show it, in whichever part it plays.
CREATE OR REPLACE FUNCTION party_document(org bigint, customer_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT jsonb_build_object('id', c.id, 'external_id', c.external_id, 'business_name', c.business_name,
        'department_id', c.department_id)
    FROM customers c WHERE c.org_id = org AND c.id = party_document.customer_id
$$;
