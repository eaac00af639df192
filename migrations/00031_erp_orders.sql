-- +goose Up
-- An order is what its ERP orders say together. A number that has an order to
-- itself is that order; of the numbers that share one, each keeps here what its
-- own imports said, so that the order can be folded anew when one of them
-- changes, is cancelled or leaves. own is null where a number says what the
-- order says: those that were merged before this table was there.

CREATE TABLE erp_orders (
    org_id   bigint NOT NULL,
    number   text NOT NULL,
    order_id bigint NOT NULL,
    own      jsonb,
    CONSTRAINT erp_orders_pkey PRIMARY KEY (org_id, number),
    CONSTRAINT erp_orders_number_fkey FOREIGN KEY (org_id, number) REFERENCES order_numbers (org_id, number),
    CONSTRAINT erp_orders_order_fkey FOREIGN KEY (org_id, order_id) REFERENCES orders (org_id, id)
);
CREATE INDEX erp_orders_order_idx ON erp_orders (org_id, order_id);
SELECT guard_tenant('erp_orders');

INSERT INTO erp_orders (org_id, number, order_id)
SELECT n.org_id, n.number, n.order_id FROM order_numbers n
WHERE n.order_id IS NOT NULL AND EXISTS (
    SELECT FROM order_numbers other
    WHERE other.org_id = n.org_id AND other.order_id = n.order_id AND other.number <> n.number
);

-- The number that names an order may leave it, and then another names it. Two
-- orders may change names in one statement.
ALTER TABLE orders DROP CONSTRAINT orders_number_key;
ALTER TABLE orders ADD CONSTRAINT orders_number_key UNIQUE (org_id, number) DEFERRABLE INITIALLY IMMEDIATE;

-- Where a price came from: computed from the price lists, or sent.
ALTER TABLE order_prices ADD COLUMN computed boolean NOT NULL DEFAULT false;

-- Finds the orders that a new one may share, by what they must have in common.
CREATE INDEX orders_merge_idx ON orders (org_id, customer_id, date, id) WHERE status_id <= 3;
