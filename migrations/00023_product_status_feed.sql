-- +goose Up
-- The product status feed. A product has the status of its order, so an event
-- that moves an order moves its products; one that is added takes the order's
-- status, and one that is taken out counts as cancelled. The event itself names
-- them, because products come and go while the log stays.

ALTER TABLE events
    ADD COLUMN product_ids bigint[],
    ADD COLUMN removed_product_ids bigint[],
    -- The status of product_ids; set when the event says anything of products.
    ADD COLUMN product_status_id smallint REFERENCES order_statuses (id);

CREATE INDEX events_product_feed_idx ON events (org_id, position)
    WHERE product_status_id IS NOT NULL AND position IS NOT NULL;

-- Whoever writes a change of an order's status without naming the products
-- means all that the order has.
-- +goose StatementBegin
CREATE FUNCTION name_products_of_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT array_agg(p.id ORDER BY p.number, p.seq, p.id) INTO NEW.product_ids
    FROM order_products p WHERE p.org_id = NEW.org_id AND p.order_id = NEW.order_id;
    IF NEW.product_ids IS NOT NULL THEN
        NEW.product_status_id := NEW.order_status_id;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER events_name_products BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.order_status_id IS NOT NULL AND NEW.product_ids IS NULL)
    EXECUTE FUNCTION name_products_of_event();

-- One row for each product that an event speaks of; place counts them within
-- the event.
CREATE VIEW product_status_feed WITH (security_invoker = true) AS
SELECT e.org_id, e.position, u.place, e.order_id, e.external_id, u.product_id, p.external_id AS product_external_id,
    s.id AS status_id, s.name AS status, e.occurred_at, e.driver_id, e.stop
FROM events e
CROSS JOIN LATERAL unnest(coalesce(e.product_ids, '{}') || coalesce(e.removed_product_ids, '{}')) WITH ORDINALITY AS u (product_id, place)
JOIN order_statuses s
    ON s.id = CASE WHEN u.place <= coalesce(cardinality(e.product_ids), 0) THEN e.product_status_id ELSE 8 END
LEFT JOIN order_products p ON p.org_id = e.org_id AND p.id = u.product_id
WHERE e.position IS NOT NULL AND e.product_status_id IS NOT NULL;

GRANT SELECT ON product_status_feed TO waybill_app;
