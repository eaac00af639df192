CREATE OR REPLACE FUNCTION note_texts_of_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF order_texts_are_late() THEN
        RETURN NULL;
    END IF;
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT w.org_id, w.order_id, text_of_order(w.org_id, w.order_id)
    FROM (SELECT DISTINCT s.org_id, s.order_id FROM written c
        CROSS JOIN LATERAL (SELECT x.org_id, x.order_id FROM order_stops x
            WHERE x.org_id = c.org_id AND x.id = c.stop_id OFFSET 0) s) w
    ORDER BY 1, 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text;
    RETURN NULL;
END
$$;
