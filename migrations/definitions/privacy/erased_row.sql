-- A row of an archive without what matches, as erase_from_orders and erase_rows have it.
CREATE OR REPLACE FUNCTION erased_row(tab text, doc jsonb, pattern text, at timestamptz) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    erased jsonb := erased_document(doc, pattern);
BEGIN
    IF tab = 'stop_contacts' AND concat_ws(' ', doc ->> 'first_name', doc ->> 'last_name', doc ->> 'phone_number',
        doc ->> 'email_address') ~* pattern THEN
        RETURN doc || '{"first_name": null, "last_name": null, "phone_number": null, "email_address": null}';
    ELSIF tab = 'export_versions' AND doc ->> 'payload' ~* pattern THEN
        RETURN doc || jsonb_build_object('payload', erased_json(doc ->> 'payload', pattern));
    ELSIF tab = 'external_updates' AND doc ->> 'raw_body' ~* pattern THEN
        RETURN erased || jsonb_build_object('raw_body', erased_json(doc ->> 'raw_body', pattern));
    ELSIF erased = doc THEN
        RETURN doc;
    ELSIF tab = 'notifications' THEN
        RETURN erased || '{"subject": "", "body": "", "body_html": ""}';
    ELSIF tab = 'notification_steps' THEN
        RETURN erased || '{"answer": ""}';
    ELSIF tab = 'completion_proofs' THEN
        RETURN erased || jsonb_build_object('erased_at', at)
            || CASE WHEN doc ->> 'signee' ~* pattern THEN '{"signature_key": null}'::jsonb ELSE '{}' END;
    END IF;
    RETURN erased;
END
$$;
