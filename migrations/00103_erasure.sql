-- +goose Up
-- A person can be erased: what names them, and how they are reached. What is not about
-- them stays, and so does that something happened.

-- A proof of which something was erased has another text than the one that was hashed.
ALTER TABLE completion_proofs ADD COLUMN erased_at timestamptz;

-- +goose StatementBegin

-- A text without what matches a pattern.
CREATE FUNCTION erased_text(body text, pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN regexp_replace(body, pattern, '[erased]', 'gi');
END
$$;

-- A JSON document without what matches a pattern. Where a member of an object matches,
-- what else of it names somebody goes, too.
CREATE FUNCTION erased_document(doc jsonb, pattern text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF doc IS NULL OR doc::text !~* pattern THEN
        RETURN doc;
    END IF;
    CASE jsonb_typeof(doc)
    WHEN 'string' THEN
        RETURN to_jsonb(erased_text(doc #>> '{}', pattern));
    WHEN 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(erased_document(e.value, pattern) ORDER BY e.n), '[]')
            FROM jsonb_array_elements(doc) WITH ORDINALITY AS e (value, n));
    WHEN 'object' THEN
        RETURN (SELECT jsonb_object_agg(m.key, CASE
                WHEN jsonb_typeof(m.value) = 'string' AND o.is_theirs AND replace(lower(m.key), '_', '') IN (
                    'firstname', 'lastname', 'phonenumber', 'emailaddress', 'signee', 'signeename') THEN '""'
                ELSE erased_document(m.value, pattern) END)
            FROM jsonb_each(doc) m
            CROSS JOIN (SELECT bool_or(jsonb_typeof(x.value) = 'string' AND x.value #>> '{}' ~* pattern) AS is_theirs
                FROM jsonb_each(doc) x) o);
    ELSE
        RETURN doc;
    END CASE;
END
$$;

-- The same of a document that is kept as a text, whatever it is.
CREATE FUNCTION erased_json(body text, pattern text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN erased_document(body::jsonb, pattern)::text;
EXCEPTION WHEN data_exception THEN
    RETURN erased_text(body, pattern);
END
$$;

-- Whose contacts match, in some of the contacts behind one: the orders, and what these
-- people are called. last is the contact that was looked at last, null behind the end.
CREATE FUNCTION find_people(after bigint, batch integer, pattern text, OUT last bigint, OUT orders bigint[], OUT names text[])
    LANGUAGE plpgsql STABLE
AS $$
BEGIN
    WITH seen AS MATERIALIZED (
        SELECT c.* FROM stop_contacts c WHERE c.org_id = current_org() AND c.id > after ORDER BY c.id LIMIT batch
    ), met AS MATERIALIZED (
        SELECT c.* FROM seen c WHERE c.email_address ~* pattern OR c.phone_number ~* pattern
    )
    SELECT (SELECT max(s.id) FROM seen s),
        coalesce((SELECT array_agg(DISTINCT x.order_id) FROM met m JOIN order_stops x ON x.org_id = m.org_id AND x.id = m.stop_id), '{}'),
        coalesce((SELECT array_agg(DISTINCT trim(concat_ws(' ', m.first_name, m.last_name))) FROM met m
            WHERE m.first_name <> '' AND m.last_name <> ''), '{}')
    INTO last, orders, names;
END
$$;

-- Erases what matches in some of the rows of a table behind one of them, and returns
-- how many that are; a dry one only counts. last is the row that was looked at last,
-- null behind the end.
CREATE FUNCTION erase_rows(tab text, after bigint, batch integer, pattern text, dry boolean, OUT last bigint, OUT counted bigint)
    LANGUAGE plpgsql
AS $$
DECLARE
    org bigint := current_org();
    ids bigint[];
BEGIN
    IF tab = 'imports' THEN
        SELECT max(i.id) INTO last FROM (
            SELECT x.id FROM imports x WHERE x.org_id = org AND x.id > after ORDER BY x.id LIMIT greatest(batch / 100, 1)) i;
        SELECT count(*) INTO counted FROM import_results r
        WHERE r.org_id = org AND r.import_id > after AND r.import_id <= last AND r.reasons::text ~* pattern;
        IF NOT dry THEN
            UPDATE import_results r SET reasons = erased_document(r.reasons, pattern)
            WHERE r.org_id = org AND r.import_id > after AND r.import_id <= last AND r.reasons::text ~* pattern;
            UPDATE imports i SET defaults = erased_document(i.defaults, pattern)
            WHERE i.org_id = org AND i.id > after AND i.id <= last AND i.defaults::text ~* pattern;
            UPDATE import_chunks c SET entries = convert_to(erased_json(convert_from(c.entries, 'UTF8'), pattern), 'UTF8')
            WHERE c.org_id = org AND c.import_id > after AND c.import_id <= last AND c.entries IS NOT NULL
              AND convert_from(c.entries, 'UTF8') ~* pattern;
        END IF;
    ELSIF tab = 'drafts' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE concat(x.request, x.defaults, x.reasons) ~* pattern) INTO last, ids FROM (
            SELECT d.* FROM drafts d WHERE d.org_id = org AND d.id > after ORDER BY d.id LIMIT batch) x;
        UPDATE drafts d SET request = erased_document(d.request, pattern), defaults = erased_document(d.defaults, pattern),
            reasons = erased_document(d.reasons, pattern), updated_at = now()
        WHERE NOT dry AND d.org_id = org AND d.id = ANY (ids);
    ELSIF tab = 'templates' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE x.order_template ~* pattern) INTO last, ids FROM (
            SELECT r.* FROM recurring_orders r WHERE r.org_id = org AND r.id > after ORDER BY r.id LIMIT batch) x;
        UPDATE recurring_orders r SET order_template = erased_json(r.order_template, pattern)
        WHERE NOT dry AND r.org_id = org AND r.id = ANY (ids);
    ELSIF tab = 'template changes' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE concat(x.change, x.refusal) ~* pattern) INTO last, ids FROM (
            SELECT c.* FROM recurring_order_changes c WHERE c.org_id = org AND c.id > after ORDER BY c.id LIMIT batch) x;
        UPDATE recurring_order_changes c SET change = erased_json(c.change, pattern), refusal = erased_document(c.refusal, pattern)
        WHERE NOT dry AND c.org_id = org AND c.id = ANY (ids);
    ELSIF tab = 'messages' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (
            WHERE concat_ws(' ', x.receiver, x.subject, x.body, x.body_html, x.failure) ~* pattern) INTO last, ids FROM (
            SELECT n.* FROM notifications n WHERE n.org_id = org AND n.id > after ORDER BY n.id LIMIT batch) x;
        UPDATE notifications n SET receiver = erased_text(n.receiver, pattern), subject = '', body = '', body_html = ''
        WHERE NOT dry AND n.org_id = org AND n.id = ANY (ids);
        UPDATE notification_steps s SET answer = ''
        WHERE NOT dry AND s.org_id = org AND s.notification_id = ANY (ids) AND s.answer <> '';
    ELSIF tab = 'customers' THEN
        SELECT max(x.id), array_agg(x.id) FILTER (WHERE concat_ws(' ', x.email_address, x.phone_number) ~* pattern) INTO last, ids FROM (
            SELECT c.* FROM customers c WHERE c.org_id = org AND c.id > after ORDER BY c.id LIMIT batch) x;
        UPDATE customers c SET email_address = CASE WHEN c.email_address ~* pattern THEN NULL ELSE c.email_address END,
            phone_number = CASE WHEN c.phone_number ~* pattern THEN NULL ELSE c.phone_number END, updated_at = now()
        WHERE NOT dry AND c.org_id = org AND c.id = ANY (ids);
    ELSIF tab = 'suppressions' THEN
        SELECT count(*) INTO counted FROM suppressions s WHERE s.org_id = org AND s.address ~* pattern;
        DELETE FROM suppressions s WHERE NOT dry AND s.org_id = org AND s.address ~* pattern;
    END IF;
    counted := coalesce(counted, cardinality(ids), 0);
END
$$;

-- Erases what matches in orders and all that belongs to them, and returns which of
-- them had something; a dry one only looks.
CREATE FUNCTION erase_from_orders(wanted bigint[], pattern text, dry boolean) RETURNS SETOF bigint
    LANGUAGE plpgsql
AS $$
DECLARE
    org    bigint := current_org();
    stops  bigint[];
    places bigint[];
BEGIN
    SELECT array_agg(s.id), array_agg(DISTINCT s.location_id) INTO stops, places
    FROM order_stops s WHERE s.org_id = org AND s.order_id = ANY (wanted);
    RETURN QUERY SELECT DISTINCT s.order_id FROM order_stops s JOIN stop_contacts c ON c.org_id = s.org_id AND c.stop_id = s.id
        WHERE s.org_id = org AND s.order_id = ANY (wanted)
          AND concat_ws(' ', c.first_name, c.last_name, c.phone_number, c.email_address) ~* pattern;
    IF dry THEN
        RETURN;
    END IF;
    PERFORM FROM orders o WHERE o.org_id = org AND o.id = ANY (wanted) ORDER BY o.id FOR NO KEY UPDATE;
    UPDATE order_stops s SET name = erased_text(s.name, pattern), instructions = erased_text(s.instructions, pattern),
        customer_instructions = erased_text(s.customer_instructions, pattern),
        parking_instructions = erased_text(s.parking_instructions, pattern)
    WHERE s.org_id = org AND s.id = ANY (stops)
      AND concat_ws(' ', s.name, s.instructions, s.customer_instructions, s.parking_instructions) ~* pattern;
    UPDATE locations l SET name = erased_text(l.name, pattern), updated_at = now()
    WHERE l.org_id = org AND l.id = ANY (places) AND l.name ~* pattern;
    DELETE FROM location_names n WHERE n.org_id = org AND n.location_id = ANY (places) AND n.name ~* pattern;
    UPDATE orders o SET reference = erased_text(o.reference, pattern), updated_at = now()
    WHERE o.org_id = org AND o.id = ANY (wanted) AND o.reference ~* pattern;
    UPDATE erp_orders e SET own = erased_document(e.own, pattern)
    WHERE e.org_id = org AND e.order_id = ANY (wanted) AND e.own::text ~* pattern;
    UPDATE custom_field_values v SET value = erased_document(v.value, pattern)
    WHERE v.org_id = org AND v.order_id = ANY (wanted) AND v.value::text ~* pattern;
    UPDATE notifications n SET receiver = erased_text(n.receiver, pattern), subject = '', body = '', body_html = ''
    WHERE n.org_id = org AND n.order_id = ANY (wanted)
      AND concat_ws(' ', n.receiver, n.subject, n.body, n.body_html) ~* pattern;
    UPDATE export_versions v SET payload = erased_json(v.payload, pattern)
    WHERE v.org_id = org AND v.order_id = ANY (wanted) AND v.payload ~* pattern;
    UPDATE external_updates u SET signee_name = erased_text(u.signee_name, pattern), label = erased_text(u.label, pattern),
        failure_reason = erased_text(u.failure_reason, pattern), raw_body = erased_json(u.raw_body, pattern)
    WHERE u.org_id = org AND u.order_id = ANY (wanted)
      AND concat_ws(' ', u.signee_name, u.label, u.failure_reason, u.raw_body) ~* pattern;
    UPDATE driver_actions a SET reason = erased_text(a.reason, pattern), comment = erased_text(a.comment, pattern),
        data = erased_document(a.data, pattern)
    WHERE a.org_id = org AND a.order_id = ANY (wanted) AND concat_ws(' ', a.reason, a.comment, a.data) ~* pattern;
    UPDATE order_documentations d SET comment = erased_text(d.comment, pattern)
    WHERE d.org_id = org AND d.order_id = ANY (wanted) AND d.comment ~* pattern;
    -- A signature is of who is named beside it.
    DELETE FROM proof_pictures p USING completion_proofs c
    WHERE c.org_id = org AND c.order_id = ANY (wanted) AND c.signee ~* pattern
      AND p.org_id = c.org_id AND p.sha256 = c.signature_sha256;
    UPDATE completion_proofs p SET signee = erased_text(p.signee, pattern), comment = erased_text(p.comment, pattern),
        manifest = erased_text(p.manifest, pattern), erased_at = now(),
        signature_key = CASE WHEN p.signee ~* pattern THEN NULL ELSE p.signature_key END
    WHERE p.org_id = org AND p.order_id = ANY (wanted) AND concat_ws(' ', p.signee, p.comment) ~* pattern;
    UPDATE stop_contacts c SET first_name = NULL, last_name = NULL, phone_number = NULL, email_address = NULL
    WHERE c.org_id = org AND c.stop_id = ANY (stops)
      AND concat_ws(' ', c.first_name, c.last_name, c.phone_number, c.email_address) ~* pattern;
END
$$;
-- +goose StatementEnd
