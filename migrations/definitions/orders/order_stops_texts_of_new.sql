CREATE OR REPLACE TRIGGER order_stops_texts_of_new AFTER INSERT ON order_stops
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_orders();
