-- Of a message, its texts go, and what its provider answered: that it was sent, to
-- whom and what became of it stays.
CREATE OR REPLACE FUNCTION forget_message_texts(before timestamptz, batch integer, dry boolean, OUT counted integer)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
    WITH doomed AS MATERIALIZED (
        SELECT n.org_id, n.id FROM notifications n
        WHERE n.created_at < before AND (n.body <> '' OR n.body_html <> '' OR n.subject <> '')
        ORDER BY n.created_at LIMIT batch
    ), emptied AS (
        UPDATE notifications n SET subject = '', body = '', body_html = ''
        FROM doomed d WHERE NOT dry AND n.org_id = d.org_id AND n.id = d.id
    ), answered AS (
        UPDATE notification_steps s SET answer = ''
        FROM doomed d WHERE NOT dry AND s.org_id = d.org_id AND s.notification_id = d.id AND s.answer <> ''
    ) SELECT count(*) INTO counted FROM doomed;
END
$$;

REVOKE EXECUTE ON FUNCTION forget_message_texts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_message_texts TO waybill_app;
