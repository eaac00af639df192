-- +goose Up
-- A stop whose name and location stay has no new name to note: bookings, which
-- change its window, and cancellations paid for looking.
DROP TRIGGER order_stops_names_of_changed ON order_stops;

-- +goose StatementBegin
CREATE FUNCTION note_name_of_stop() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO location_names (org_id, location_id, name)
    SELECT new.org_id, new.location_id, new.name FROM locations l
    WHERE l.org_id = new.org_id AND l.id = new.location_id AND l.name <> new.name
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER order_stops_name_of_changed AFTER UPDATE OF name, location_id ON order_stops FOR EACH ROW
    WHEN (new.name <> '' AND (old.name IS DISTINCT FROM new.name OR old.location_id <> new.location_id))
    EXECUTE FUNCTION note_name_of_stop();
