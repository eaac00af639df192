CREATE OR REPLACE FUNCTION note_text_of_changed_stop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(NEW.org_id, ARRAY[NEW.order_id]);
    END IF;
    RETURN NULL;
END
$$;
