CREATE OR REPLACE TRIGGER order_types_proof_since BEFORE INSERT OR UPDATE ON order_types
    FOR EACH ROW EXECUTE FUNCTION note_proof_since();
