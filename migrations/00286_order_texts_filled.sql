-- +goose NO TRANSACTION
-- +goose Up
-- The texts of the orders that are there already, a few at a time: each batch is a
-- transaction of its own, and what the triggers have written since is newer and stays.
-- An interrupted run begins again and passes over what is there.
-- +goose StatementBegin
CREATE OR REPLACE PROCEDURE fill_order_texts() LANGUAGE plpgsql AS $$
DECLARE
    org bigint := 0;
    mark bigint := 0;
    last record;
BEGIN
    LOOP
        SELECT p.org_id, p.id INTO last FROM (
            SELECT o.org_id, o.id FROM orders o WHERE (o.org_id, o.id) > (org, mark)
            ORDER BY o.org_id, o.id LIMIT 2000) p
        ORDER BY p.org_id DESC, p.id DESC LIMIT 1;
        EXIT WHEN NOT FOUND;
        INSERT INTO order_texts (org_id, order_id, text)
        SELECT o.org_id, o.id, text_of_order(o.org_id, o.id) FROM orders o
        WHERE (o.org_id, o.id) > (org, mark) AND (o.org_id, o.id) <= (last.org_id, last.id)
        ON CONFLICT DO NOTHING;
        COMMIT;
        org := last.org_id;
        mark := last.id;
    END LOOP;
END
$$;
-- +goose StatementEnd
CALL fill_order_texts();
DROP PROCEDURE fill_order_texts();
