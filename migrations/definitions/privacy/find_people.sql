-- Whose contacts match, in some of the contacts behind one: the orders, and what these
-- people are called. last is the contact that was looked at last, null behind the end.
CREATE OR REPLACE FUNCTION find_people(after bigint, batch integer, pattern text, OUT last bigint, OUT orders bigint[], OUT names text[])
    LANGUAGE plpgsql STABLE
AS $$
BEGIN
    WITH seen AS MATERIALIZED (
        SELECT c.* FROM stop_contacts c WHERE c.org_id = current_org() AND c.id > after ORDER BY c.id LIMIT batch
    ), met AS MATERIALIZED (
        SELECT c.* FROM seen c WHERE c.email_address ~* pattern OR c.phone_number ~* pattern
    )
    SELECT (SELECT max(s.id) FROM seen s),
        coalesce((SELECT array_agg(DISTINCT x.order_id) FROM met m JOIN order_stops x ON x.org_id = m.org_id AND x.id = m.stop_id), '{}'),
        coalesce((SELECT array_agg(DISTINCT trim(concat_ws(' ', m.first_name, m.last_name))) FROM met m
            WHERE m.first_name <> '' AND m.last_name <> ''), '{}')
    INTO last, orders, names;
END
$$;
