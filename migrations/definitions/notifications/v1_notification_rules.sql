-- Rules of messages as master data, with series and reminders.
CREATE OR REPLACE VIEW v1_notification_rules WITH (security_invoker = true) AS
SELECT org_id, id, 0 AS place, is_active, jsonb_build_object(
    'id', id, 'event', event, 'channel', channel, 'receiver', receiver, 'address', nullif(address, ''),
    'subject', nullif(subject, ''), 'body', nullif(body, ''), 'body_html', nullif(body_html, ''),
    'send_from', to_char(make_interval(mins => window_from), 'HH24:MI'),
    'send_until', to_char(make_interval(mins => window_to), 'HH24:MI'),
    'series', series, 'days_ahead', days_ahead,
    'is_active', is_active, 'source', source) AS document
FROM notification_rules;

GRANT SELECT ON v1_notification_rules TO waybill_app;
