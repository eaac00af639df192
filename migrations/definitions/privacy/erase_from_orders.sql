-- Erases matches in orders and everything that belongs to them, such as texts about moves,
-- failures, exceptions, refused goods, drivers and load carriers, and the names of documents and
-- goods. It returns which orders had a match; a dry run only looks.
CREATE OR REPLACE FUNCTION erase_from_orders(wanted bigint[], pattern text, dry boolean) RETURNS SETOF bigint
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
    UPDATE order_moves m SET reason = erased_text(m.reason, pattern)
    WHERE m.org_id = org AND m.order_id = ANY (wanted) AND m.reason ~* pattern;
    UPDATE order_progress g SET failure_reason = erased_text(g.failure_reason, pattern)
    WHERE g.org_id = org AND g.order_id = ANY (wanted) AND g.failure_reason ~* pattern;
    UPDATE exceptions x SET comment = erased_text(x.comment, pattern)
    WHERE x.org_id = org AND x.order_id = ANY (wanted) AND x.comment ~* pattern;
    UPDATE order_driver_locks l SET reason = erased_text(l.reason, pattern)
    WHERE l.org_id = org AND l.order_id = ANY (wanted) AND l.reason ~* pattern;
    UPDATE order_prohibited_drivers d SET reason = erased_text(d.reason, pattern)
    WHERE d.org_id = org AND d.order_id = ANY (wanted) AND d.reason ~* pattern;
    UPDATE order_product_deliveries d SET reason = erased_text(d.reason, pattern)
    WHERE d.org_id = org AND d.order_id = ANY (wanted) AND d.reason ~* pattern;
    UPDATE order_products p SET name = erased_text(p.name, pattern)
    WHERE p.org_id = org AND p.order_id = ANY (wanted) AND p.name ~* pattern;
    UPDATE export_acknowledgements a SET failure_reason = erased_text(a.failure_reason, pattern)
    WHERE a.org_id = org AND a.order_id = ANY (wanted) AND a.failure_reason ~* pattern;
    UPDATE cargo_carrier_movements m SET signee = erased_text(m.signee, pattern), comment = erased_text(m.comment, pattern)
    WHERE m.org_id = org AND m.order_id = ANY (wanted) AND concat_ws(' ', m.signee, m.comment) ~* pattern;
    UPDATE documents d SET name = erased_text(d.name, pattern)
    FROM order_documents o
    WHERE o.org_id = org AND o.order_id = ANY (wanted) AND d.org_id = o.org_id AND d.id = o.document_id AND d.name ~* pattern;
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
