CREATE OR REPLACE FUNCTION note_text_of_changed_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT order_texts_are_late() THEN
        PERFORM write_order_texts(s.org_id, ARRAY[s.order_id])
        FROM order_stops s WHERE s.org_id = NEW.org_id AND s.id = NEW.stop_id;
    END IF;
    RETURN NULL;
END
$$;
