-- What the notifications log shows of a message.
CREATE OR REPLACE VIEW notification_log WITH (security_invoker = true) AS
SELECT x.org_id, x.id, x.channel, x.order_id, x.receiver, x.email, x.sms,
    x.record || CASE x.channel WHEN 'EMAIL' THEN jsonb_build_object('email', x.email) ELSE jsonb_build_object('sms', x.sms) END AS record
FROM (SELECT n.org_id, n.id, n.channel, n.order_id, n.receiver,
    jsonb_strip_nulls(jsonb_build_object(
        'emailLogId', n.id, 'orgId', n.org_id, 'orderId', coalesce(n.order_id, 0), 'orderLocationId', coalesce(n.stop_id, 0),
        'contactId', coalesce(n.contact_id, 0), 'eventId', n.event_id, 'notificationConfigurationId', coalesce(n.rule_id, 0),
        'emailType', n.event, 'fromAddress', n.sender, 'toAddress', n.receiver, 'subject', n.subject, 'body', n.body,
        'bodyHtml', n.body_html, 'provider', n.provider, 'status', n.status, 'uncertain', nullif(n.uncertain, false),
        'failureReason', n.failure,
        'retryOf', n.retry_of, 'createdAt', iso_utc(n.created_at), 'deliveredAt', iso_utc(n.delivered_at)
    )) AS email,
    jsonb_strip_nulls(jsonb_build_object(
        'smsLogId', n.id, 'orgId', n.org_id, 'orderId', coalesce(n.order_id, 0), 'orderLocationId', coalesce(n.stop_id, 0),
        'trackTraceCode', n.track_trace_code, 'event', n.event, 'message', n.body, 'toNumber', n.receiver, 'fromNumber', n.sender,
        'providerName', n.provider, 'sendWindowFrom', iso_utc(n.send_window_from), 'sendWindowTo', iso_utc(n.send_window_to),
        'status', n.status, 'uncertain', nullif(n.uncertain, false), 'failureReason', n.failure, 'retryOf', n.retry_of,
        'createdAt', iso_utc(n.created_at),
        'updatedAt', iso_utc(n.updated_at), 'sentAt', iso_utc(n.sent_at), 'dequeuedAt', iso_utc(n.dequeued_at)
    )) AS sms,
    jsonb_build_object(
        'id', n.id, 'type', n.channel, 'createdAt', iso_utc(n.created_at), 'orderId', coalesce(n.order_id, 0), 'receiver', n.receiver
    ) AS record
FROM notifications n) x;

GRANT SELECT ON notification_log TO waybill_app;
