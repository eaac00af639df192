CREATE OR REPLACE TRIGGER order_stops_names_of_new AFTER INSERT ON order_stops
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_names_of_stops();
