CREATE OR REPLACE TRIGGER events_name_subjects BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.order_status_id IS NOT NULL) EXECUTE FUNCTION name_subjects_of_status();
