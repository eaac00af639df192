CREATE OR REPLACE TRIGGER orders_note_cancellation AFTER UPDATE OF status_id ON orders FOR EACH ROW
    WHEN ((OLD.status_id = 8) <> (NEW.status_id = 8)) EXECUTE FUNCTION note_cancellation();
