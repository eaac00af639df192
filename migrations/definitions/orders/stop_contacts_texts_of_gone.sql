CREATE OR REPLACE TRIGGER stop_contacts_texts_of_gone AFTER DELETE ON stop_contacts
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_texts_without_contacts();
