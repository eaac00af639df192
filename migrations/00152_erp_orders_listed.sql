-- +goose Up
-- ERP orders are listed: those of a customer, and those that were cancelled alone.
CREATE INDEX orders_customer_idx ON orders (org_id, customer_id);
CREATE INDEX order_numbers_cancelled_idx ON order_numbers (org_id, order_id) WHERE cancelled_at IS NOT NULL;
