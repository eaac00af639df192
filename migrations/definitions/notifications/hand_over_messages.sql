-- Notes messages of all organizations before their workflows are started, and forgets what was
-- noted an hour ago: nothing waits for it any more, whatever became of its workflow. A message
-- that is in the log already is started again and not noted.
CREATE OR REPLACE FUNCTION hand_over_messages(orgs bigint[], events bigint[], rules bigint[], receivers bigint[],
    channels text[], orders bigint[])
RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    DELETE FROM notification_handovers h WHERE (h.org_id, h.event_id, h.rule_id, h.receiver) IN (
        SELECT x.org_id, x.event_id, x.rule_id, x.receiver FROM notification_handovers x
        WHERE x.handed_at < now() - interval '1 hour'
        ORDER BY x.handed_at LIMIT 1000 FOR UPDATE SKIP LOCKED);
    INSERT INTO notification_handovers (org_id, event_id, rule_id, receiver, channel, order_id)
    SELECT x.org_id, x.event_id, x.rule_id, x.receiver, x.channel, x.order_id
    FROM unnest(orgs, events, rules, receivers, channels, orders)
        AS x (org_id, event_id, rule_id, receiver, channel, order_id)
    WHERE NOT EXISTS (SELECT FROM notifications n WHERE n.org_id = x.org_id
        AND n.key = x.event_id || '-' || x.rule_id || '-' || x.receiver)
    ON CONFLICT DO NOTHING;
$$;

REVOKE EXECUTE ON FUNCTION hand_over_messages FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hand_over_messages TO waybill_app;
