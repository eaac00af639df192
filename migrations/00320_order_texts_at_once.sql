-- +goose Up
-- Writing the texts by which orders are found cost more than it had to. An import writes
-- numbers, stops and contacts of the same orders in statements of their own, and each of
-- them wrote the texts of all these orders: now a transaction that sets app.order_texts
-- to later writes them once, with write_order_texts. And each change of a stop made its
-- order's text again, also when a seat was taken or a driver arrived: now only a change
-- of what is in the text does.
-- +goose StatementBegin
CREATE FUNCTION write_order_texts(org bigint, sought bigint[]) RETURNS void LANGUAGE sql
AS $$
    INSERT INTO order_texts (org_id, order_id, text)
    SELECT org, w.order_id, text_of_order(org, w.order_id)
    FROM (SELECT DISTINCT x AS order_id FROM unnest(sought) x) w
    WHERE EXISTS (SELECT FROM orders o WHERE o.org_id = org AND o.id = w.order_id)
    ORDER BY 2
    ON CONFLICT (org_id, order_id) DO UPDATE SET text = excluded.text WHERE order_texts.text <> excluded.text
$$;

CREATE FUNCTION order_texts_are_late() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
    RETURN coalesce(current_setting('app.order_texts', true), '') = 'later';

-- As in 00285_order_texts.sql, unless the texts are written later.
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

-- A number that goes to another order is found there, and no longer at the one before.
-- The order that gives it up need not be one of those whose texts are written later.
CREATE FUNCTION note_text_of_moved_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[OLD.order_id, NEW.order_id]);
    ELSIF OLD.order_id IS NOT NULL THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[OLD.order_id]);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_text_of_changed_stop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[NEW.order_id]);
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION note_text_of_changed_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(s.org_id, ARRAY[s.order_id])
        FROM order_stops s WHERE s.org_id = NEW.org_id AND s.id = NEW.stop_id;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

DROP TRIGGER order_numbers_texts_of_moved ON order_numbers;
DROP TRIGGER order_stops_texts_of_changed ON order_stops;
DROP TRIGGER stop_contacts_texts_of_changed ON stop_contacts;
DROP FUNCTION note_texts_of_moved_numbers();
CREATE TRIGGER order_numbers_text_of_moved AFTER UPDATE OF order_id ON order_numbers FOR EACH ROW
    WHEN (NEW.order_id IS DISTINCT FROM OLD.order_id) EXECUTE FUNCTION note_text_of_moved_number();
CREATE TRIGGER order_stops_text_of_changed AFTER UPDATE OF name, address1, postal_code, city ON order_stops FOR EACH ROW
    WHEN (NEW.name IS DISTINCT FROM OLD.name OR NEW.address1 IS DISTINCT FROM OLD.address1
        OR NEW.postal_code IS DISTINCT FROM OLD.postal_code OR NEW.city IS DISTINCT FROM OLD.city)
    EXECUTE FUNCTION note_text_of_changed_stop();
CREATE TRIGGER stop_contacts_text_of_changed AFTER UPDATE OF first_name, last_name, phone_number ON stop_contacts FOR EACH ROW
    WHEN (NEW.first_name IS DISTINCT FROM OLD.first_name OR NEW.last_name IS DISTINCT FROM OLD.last_name
        OR NEW.phone_number IS DISTINCT FROM OLD.phone_number)
    EXECUTE FUNCTION note_text_of_changed_contact();
