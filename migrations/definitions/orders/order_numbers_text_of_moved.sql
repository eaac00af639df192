CREATE OR REPLACE TRIGGER order_numbers_text_of_moved AFTER UPDATE OF order_id ON order_numbers FOR EACH ROW
    WHEN (NEW.order_id IS DISTINCT FROM OLD.order_id) EXECUTE FUNCTION note_text_of_moved_number();
