-- name: RemindingOrganizations :many
-- The organizations with reminders, with their local date.
SELECT r.id::bigint AS id, r.today::date AS today FROM reminding_organizations(@at::timestamptz) r;

-- name: RemindOrders :execrows
-- Records that orders are as many days ahead as rules require, once for each
-- date that an order has had. Orders that have begun or ended are left out.
WITH coming AS (
    SELECT o.id, r.days_ahead, o.date FROM notification_rules r
    JOIN orders o ON o.org_id = r.org_id AND o.date = (@today::date) + r.days_ahead AND o.status_id <= 2
    WHERE r.org_id = @org_id AND r.event = 'ORDER_REMINDER' AND r.is_active
      AND NOT EXISTS (SELECT FROM order_reminders d
        WHERE d.org_id = o.org_id AND d.order_id = o.id AND d.days_ahead = r.days_ahead AND d.date = o.date)
    GROUP BY o.id, r.days_ahead, o.date ORDER BY o.id LIMIT @most::int
), due AS (
    INSERT INTO order_reminders (org_id, order_id, days_ahead, date)
    SELECT @org_id, c.id, c.days_ahead, c.date FROM coming c
    ON CONFLICT DO NOTHING
    RETURNING order_id, days_ahead
)
INSERT INTO events (org_id, kind, subject_type, subject_id, order_id, external_id, data)
SELECT @org_id, 'order.coming_up', 'order', d.order_id, d.order_id, o.number, jsonb_build_object('days', d.days_ahead)
FROM due d JOIN orders o ON o.org_id = @org_id AND o.id = d.order_id;
