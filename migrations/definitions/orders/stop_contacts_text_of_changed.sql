CREATE OR REPLACE TRIGGER stop_contacts_text_of_changed AFTER UPDATE OF first_name, last_name, phone_number ON stop_contacts FOR EACH ROW
    WHEN (NEW.first_name IS DISTINCT FROM OLD.first_name OR NEW.last_name IS DISTINCT FROM OLD.last_name
        OR NEW.phone_number IS DISTINCT FROM OLD.phone_number)
    EXECUTE FUNCTION note_text_of_changed_contact();
