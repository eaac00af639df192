CREATE OR REPLACE TRIGGER stop_contacts_texts_of_new AFTER INSERT ON stop_contacts
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_texts_of_contacts();
