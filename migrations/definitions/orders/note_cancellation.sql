-- Cancelling an order that somebody has begun with, and taking that back, count
-- among what was said of it, whoever does it.
CREATE OR REPLACE FUNCTION note_cancellation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO order_moves (org_id, order_id, source, at, status_id)
    VALUES (NEW.org_id, NEW.id, CASE WHEN NEW.status_id = 8 THEN 'CANCELLED' ELSE 'REACTIVATED' END, clock_timestamp(),
        NEW.status_id);
    IF NEW.status_id <> 8 THEN
        DELETE FROM order_progress WHERE org_id = NEW.org_id AND order_id = NEW.id;
    END IF;
    RETURN NULL;
END
$$;
