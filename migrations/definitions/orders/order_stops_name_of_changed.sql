CREATE OR REPLACE TRIGGER order_stops_name_of_changed AFTER UPDATE OF name, location_id ON order_stops FOR EACH ROW
    WHEN (new.name <> '' AND (old.name IS DISTINCT FROM new.name OR old.location_id <> new.location_id))
    EXECUTE FUNCTION note_name_of_stop();
