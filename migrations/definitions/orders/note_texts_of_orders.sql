-- Writes the texts of orders with new numbers or stops, unless the transaction writes them later
-- with write_order_texts.
CREATE OR REPLACE FUNCTION note_texts_of_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF order_texts_are_late() THEN
        RETURN NULL;
    END IF;
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT w.org_id, w.order_id, text_of_order(w.org_id, w.order_id)
    FROM (SELECT DISTINCT x.org_id, x.order_id FROM written x WHERE x.order_id IS NOT NULL) w
    ORDER BY 1, 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text;
    RETURN NULL;
END
$$;
