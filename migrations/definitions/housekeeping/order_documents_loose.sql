CREATE OR REPLACE TRIGGER order_documents_loose AFTER DELETE ON order_documents
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_loose_documents();
