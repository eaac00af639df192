CREATE OR REPLACE TRIGGER locations_renamed AFTER UPDATE OF name ON locations FOR EACH ROW
    WHEN (old.name <> new.name AND old.name <> '') EXECUTE FUNCTION note_name_of_location();
