-- +goose Up
-- Messages that events are to make and that are not in the log yet: between the start of their
-- workflow and their first row a later message about the same order could overtake them. They
-- are named by their key, which names nobody.
CREATE TABLE notification_handovers (
    org_id    bigint NOT NULL REFERENCES organizations (id),
    event_id  bigint NOT NULL,
    rule_id   bigint NOT NULL,
    receiver  bigint NOT NULL,
    channel   text NOT NULL,
    order_id  bigint NOT NULL,
    handed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT notification_handovers_pkey PRIMARY KEY (org_id, event_id, rule_id, receiver)
);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX notification_handovers_order_idx ON notification_handovers (org_id, order_id);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX notification_handovers_handed_idx ON notification_handovers (handed_at);
SELECT guard_tenant('notification_handovers');

-- Notes messages of all organizations before their workflows are started, and forgets what was
-- noted an hour ago: nothing waits for it any more, whatever became of its workflow. A message
-- that is in the log already is started again and not noted.
-- +goose StatementBegin
CREATE FUNCTION hand_over_messages(orgs bigint[], events bigint[], rules bigint[], receivers bigint[],
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
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION hand_over_messages(bigint[], bigint[], bigint[], bigint[], text[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hand_over_messages(bigint[], bigint[], bigint[], bigint[], text[], bigint[]) TO waybill_app;

-- Attempts in a row that got the same answer are one step: how many there were, and when the
-- last of them was. No last one means that there was one.
ALTER TABLE notification_steps ADD COLUMN times bigint NOT NULL DEFAULT 1;
ALTER TABLE notification_steps ADD COLUMN last_at timestamptz;
