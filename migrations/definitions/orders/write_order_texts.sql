-- Writes the texts by which orders are found. A transaction that sets app.order_texts to later,
-- such as an import, calls this once; otherwise triggers write the text at each statement.
CREATE OR REPLACE FUNCTION write_order_texts(org bigint, sought bigint[]) RETURNS void LANGUAGE sql
AS $$
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT org, w.order_id, text_of_order(org, w.order_id)
    FROM (SELECT DISTINCT x AS order_id FROM unnest(sought) x) w
    WHERE EXISTS (SELECT FROM orders o WHERE o.org_id = org AND o.id = w.order_id)
    ORDER BY 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text
$$;
