-- Contacts also go when their order goes, and its texts with it: nothing is added here.
CREATE OR REPLACE FUNCTION note_texts_without_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF order_texts_are_late() THEN
        RETURN NULL;
    END IF;
    UPDATE order_texts t SET text = text_of_order(t.org_id, t.order_id)
    FROM (SELECT DISTINCT s.org_id, s.order_id FROM gone c
        CROSS JOIN LATERAL (SELECT x.org_id, x.order_id FROM order_stops x
            WHERE x.org_id = c.org_id AND x.id = c.stop_id OFFSET 0) s) w
    WHERE t.org_id = w.org_id AND t.order_id = w.order_id;
    RETURN NULL;
END
$$;
