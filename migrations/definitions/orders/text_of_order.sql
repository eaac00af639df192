-- What an order is found by.
CREATE OR REPLACE FUNCTION text_of_order(org bigint, sought bigint) RETURNS text LANGUAGE sql STABLE
AS $$
    SELECT ' ' || concat_ws(' ',
        (SELECT string_agg(concat_ws(' ', fold_text(n.number), compact_text(n.number)), ' ' ORDER BY n.number)
            FROM order_numbers n WHERE n.org_id = org AND n.order_id = sought),
        (SELECT string_agg(fold_text(concat_ws(' ', s.name, s.address1, s.postal_code, s.city)), ' ' ORDER BY s.id)
            FROM order_stops s WHERE s.org_id = org AND s.order_id = sought),
        (SELECT string_agg(concat_ws(' ', fold_text(concat_ws(' ', c.first_name, c.last_name)), compact_text(c.phone_number)),
                ' ' ORDER BY c.id)
            FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
            WHERE s.org_id = org AND s.order_id = sought)) || ' '
$$;
