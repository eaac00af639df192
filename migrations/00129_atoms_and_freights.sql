-- +goose Up
-- Products are found by what a scanner reads, and orders by their freight.
CREATE INDEX order_products_barcode_idx ON order_products (org_id, barcode_id) WHERE barcode_id IS NOT NULL;
CREATE INDEX orders_freight_idx ON orders (org_id, freight_id) WHERE freight_id IS NOT NULL;
