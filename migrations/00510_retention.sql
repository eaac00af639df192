-- +goose Up
-- For how many days an organization keeps what is personal: people of orders, what proves
-- deliveries, and what is known of drivers; 0 is for ever. Organizations that are there already
-- keep all of it until they choose.
ALTER TABLE organizations
    ADD COLUMN keep_people_days  bigint NOT NULL DEFAULT 0 CONSTRAINT organizations_keep_people_check CHECK (keep_people_days = 0 OR keep_people_days >= 30),
    ADD COLUMN keep_proofs_days  bigint NOT NULL DEFAULT 0 CONSTRAINT organizations_keep_proofs_check CHECK (keep_proofs_days = 0 OR keep_proofs_days >= 30),
    ADD COLUMN keep_drivers_days bigint NOT NULL DEFAULT 0 CONSTRAINT organizations_keep_drivers_check CHECK (keep_drivers_days = 0 OR keep_drivers_days >= 30);
ALTER TABLE organizations
    ALTER COLUMN keep_people_days SET DEFAULT 400, ALTER COLUMN keep_proofs_days SET DEFAULT 1095,
    ALTER COLUMN keep_drivers_days SET DEFAULT 400;

-- When the people, and the proof, of an old order were erased. What changes later is erased again.
ALTER TABLE orders ADD COLUMN people_erased_at timestamptz, ADD COLUMN proofs_erased_at timestamptz;
ALTER TABLE drafts ADD COLUMN people_erased_at timestamptz;
ALTER TABLE locations ADD COLUMN people_erased_at timestamptz;

-- +goose StatementBegin
-- The organizations that keep anything personal for a while only, behind one of them, in the
-- order of their ids.
CREATE FUNCTION retaining_organizations(after bigint)
    RETURNS TABLE (id bigint, people_days bigint, proofs_days bigint, drivers_days bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT o.id, o.keep_people_days, o.keep_proofs_days, o.keep_drivers_days FROM organizations o
    WHERE greatest(o.keep_people_days, o.keep_proofs_days, o.keep_drivers_days) > 0 AND o.closed_at IS NULL
      AND o.id > retaining_organizations.after
    ORDER BY o.id
$$;

-- A document without what names people or says where they live, by the names of its members. A
-- name goes where an address or a contact stands beside it.
CREATE FUNCTION without_people(doc jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    CASE jsonb_typeof(doc)
    WHEN 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(without_people(e.value) ORDER BY e.n), '[]')
            FROM jsonb_array_elements(doc) WITH ORDINALITY AS e (value, n));
    WHEN 'object' THEN
        RETURN (SELECT coalesce(jsonb_object_agg(m.key, CASE
                WHEN jsonb_typeof(m.value) IN ('object', 'array') AND k.name <> 'contacts' THEN without_people(m.value)
                WHEN jsonb_typeof(m.value) = 'array' THEN '[]'
                WHEN jsonb_typeof(m.value) = 'string' AND m.value <> '""' AND (k.name IN ('firstname', 'lastname', 'phonenumber',
                        'phone', 'emailaddress', 'email', 'signee', 'signeename', 'signedby', 'address1', 'address2', 'addressline1',
                        'addressline2', 'instructions', 'customerinstructions', 'parkinginstructions', 'comment', 'note')
                    OR k.name = 'name' AND o.is_place) THEN '"[erased]"'
                WHEN jsonb_typeof(m.value) = 'number' AND k.name IN ('latitude', 'longitude') THEN 'null'
                ELSE m.value END), '{}')
            FROM jsonb_each(doc) m
            CROSS JOIN LATERAL (SELECT replace(lower(m.key), '_', '') AS name) k
            CROSS JOIN (SELECT bool_or(replace(lower(x.key), '_', '') IN ('address1', 'addressline1', 'postalcode', 'city',
                    'contact', 'contacts')) AS is_place
                FROM jsonb_each(doc) x) o);
    ELSE
        RETURN doc;
    END CASE;
END
$$;

-- The same of a document that is kept as a text. What is no document says nothing any more.
CREATE FUNCTION without_people(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN CASE WHEN body IS NULL OR body = '' THEN body ELSE without_people(body::jsonb)::text END;
EXCEPTION WHEN data_exception THEN
    RETURN '';
END
$$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION retaining_organizations(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION retaining_organizations(bigint) TO waybill_app;
