CREATE OR REPLACE TRIGGER organizations_proof_since BEFORE INSERT OR UPDATE ON organizations
    FOR EACH ROW EXECUTE FUNCTION note_proof_since();
