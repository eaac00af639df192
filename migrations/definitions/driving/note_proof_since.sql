CREATE OR REPLACE FUNCTION note_proof_since() RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'INSERT' OR OLD.proof IS DISTINCT FROM NEW.proof THEN
        NEW.proof_since := CASE WHEN NEW.proof IS NOT NULL THEN now() END;
    END IF;
    RETURN NEW;
END
$$;
