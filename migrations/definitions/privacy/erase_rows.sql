-- Erases what matches in some of the rows of a table behind one of them, and returns
-- how many that are; a dry one only counts. last is the row that was looked at last,
-- null behind the end.
CREATE OR REPLACE FUNCTION erase_rows(tab text, after bigint, batch integer, pattern text, dry boolean, OUT last bigint, OUT counted bigint)
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
