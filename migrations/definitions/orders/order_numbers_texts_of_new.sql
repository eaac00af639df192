CREATE OR REPLACE TRIGGER order_numbers_texts_of_new AFTER INSERT ON order_numbers
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_orders();
