CREATE OR REPLACE TRIGGER order_stops_text_of_changed AFTER UPDATE OF name, address1, postal_code, city ON order_stops FOR EACH ROW
    WHEN (NEW.name IS DISTINCT FROM OLD.name OR NEW.address1 IS DISTINCT FROM OLD.address1
        OR NEW.postal_code IS DISTINCT FROM OLD.postal_code OR NEW.city IS DISTINCT FROM OLD.city)
    EXECUTE FUNCTION note_text_of_changed_stop();
