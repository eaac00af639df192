CREATE OR REPLACE FUNCTION note_loose_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE documents d SET loose_since = now() FROM gone g WHERE d.org_id = g.org_id AND d.id = g.document_id;
    RETURN NULL;
END
$$;
