-- A number that goes to another order is found there, and no longer at the one before.
-- The order that gives it up need not be one of those whose texts are written later.
CREATE OR REPLACE FUNCTION note_text_of_moved_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[OLD.order_id, NEW.order_id]);
    ELSIF OLD.order_id IS NOT NULL THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[OLD.order_id]);
    END IF;
    RETURN NULL;
END
$$;
