CREATE OR REPLACE TRIGGER draft_documents_loose AFTER DELETE ON draft_documents
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_loose_documents();
