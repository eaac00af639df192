-- The people at a stop whom a number names, and without a number those of the
-- order. A number that shares its order, or was cancelled in it, has its own;
-- one that does not has those of the order that it leads to.
CREATE OR REPLACE FUNCTION contacts_of(org bigint, for_order bigint, called text, stop text)
RETURNS TABLE (seq integer, id bigint, first_name text, last_name text, phone_number text, email_address text)
    LANGUAGE sql STABLE
AS $$
    WITH own AS (
        SELECT e.own -> initcap(stop) -> 'Contacts' AS contacts FROM erp_orders e
        WHERE e.org_id = org AND e.number = called AND e.own IS NOT NULL
    )
    SELECT c.place::int - 1, NULL::bigint, c.contact ->> 'firstName', c.contact ->> 'lastName',
        c.contact ->> 'phoneNumber', c.contact ->> 'emailAddress'
    FROM own CROSS JOIN LATERAL jsonb_array_elements(CASE jsonb_typeof(own.contacts) WHEN 'array' THEN own.contacts ELSE '[]' END)
        WITH ORDINALITY AS c (contact, place)
    UNION ALL
    SELECT c.seq::int, c.id, c.first_name, c.last_name, c.phone_number, c.email_address
    FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
    WHERE s.org_id = org AND s.kind = contacts_of.stop AND NOT EXISTS (SELECT FROM own)
      AND s.order_id = coalesce((SELECT n.order_id FROM order_numbers n WHERE n.org_id = org AND n.number = called), for_order)
$$;
