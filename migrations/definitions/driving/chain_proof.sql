-- Appends a proof to the chain: puts the hash of the one before it into its
-- manifest, at a place counted in characters, and says so in the log.
CREATE OR REPLACE FUNCTION chain_proof(org bigint, proof bigint, open text, at integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    last  proof_chains;
    whole text;
    sum   bytea;
BEGIN
    INSERT INTO proof_chains (org_id, seq, hash) VALUES (org, 0, decode(repeat('00', 32), 'hex')) ON CONFLICT DO NOTHING;
    SELECT * INTO last FROM proof_chains c WHERE c.org_id = org FOR UPDATE;
    whole := overlay(open PLACING encode(last.hash, 'hex') FROM at FOR 64);
    sum := sha256(convert_to(whole, 'UTF8'));
    UPDATE completion_proofs p SET seq = last.seq + 1, manifest = whole, hash = sum WHERE p.org_id = org AND p.id = proof;
    UPDATE proof_chains c SET seq = last.seq + 1, hash = sum WHERE c.org_id = org;
    INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, data)
    SELECT p.org_id, 'order.proved', 'order', p.order_id, p.order_id,
        jsonb_build_object('seq', p.seq, 'sha256', encode(p.hash, 'hex'))
    FROM completion_proofs p WHERE p.org_id = org AND p.id = proof;
END
$$;
