-- +goose NO TRANSACTION
-- +goose Up
-- The indexes of large tables that came since v0.2.0, built while everybody writes.
-- What an interrupted run left is dropped first. Nobody waits behind a migration that
-- waits here, so it may wait longer than others.
SET lock_timeout = '10min';

DROP INDEX CONCURRENTLY IF EXISTS orders_status_idx;
CREATE INDEX CONCURRENTLY orders_status_idx ON orders (org_id, status_id, date);

DROP INDEX CONCURRENTLY IF EXISTS orders_type_idx;
CREATE INDEX CONCURRENTLY orders_type_idx ON orders (org_id, order_type_id, date);

DROP INDEX CONCURRENTLY IF EXISTS orders_route_idx;
CREATE INDEX CONCURRENTLY orders_route_idx ON orders (org_id, route_number) WHERE route_number IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS orders_created_idx;
CREATE INDEX CONCURRENTLY orders_created_idx ON orders (org_id, created_at);

DROP INDEX CONCURRENTLY IF EXISTS orders_updated_idx;
CREATE INDEX CONCURRENTLY orders_updated_idx ON orders (org_id, updated_hour);

DROP INDEX CONCURRENTLY IF EXISTS orders_search_idx;
CREATE INDEX CONCURRENTLY orders_search_idx ON orders
    USING gin (org_id, reference gin_trgm_ops, internal_freight_number gin_trgm_ops)
    WHERE reference IS NOT NULL OR internal_freight_number IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS orders_freight_idx;
CREATE INDEX CONCURRENTLY orders_freight_idx ON orders (org_id, freight_id) WHERE freight_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS orders_customer_idx;
CREATE INDEX CONCURRENTLY orders_customer_idx ON orders (org_id, customer_id);

-- The one that it replaces is used until this one is there.
DROP INDEX CONCURRENTLY IF EXISTS order_stops_location_name_idx;
CREATE INDEX CONCURRENTLY order_stops_location_name_idx ON order_stops (org_id, location_id, name);
DROP INDEX CONCURRENTLY IF EXISTS order_stops_location_idx;
-- squawk-ignore renaming-object
ALTER INDEX order_stops_location_name_idx RENAME TO order_stops_location_idx;

DROP INDEX CONCURRENTLY IF EXISTS order_products_barcode_idx;
CREATE INDEX CONCURRENTLY order_products_barcode_idx ON order_products (org_id, barcode_id)
    WHERE barcode_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS order_numbers_cancelled_idx;
CREATE INDEX CONCURRENTLY order_numbers_cancelled_idx ON order_numbers (org_id, order_id)
    WHERE cancelled_at IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS custom_field_values_value_idx;
CREATE INDEX CONCURRENTLY custom_field_values_value_idx ON custom_field_values
    (org_id, definition_id, hashtextextended(value #>> '{}', 0), order_id);

DROP INDEX CONCURRENTLY IF EXISTS locations_search_idx;
CREATE INDEX CONCURRENTLY locations_search_idx ON locations
    USING gin (org_id, name gin_trgm_ops, external_id gin_trgm_ops, address1 gin_trgm_ops,
        postal_code gin_trgm_ops, city gin_trgm_ops);

DROP INDEX CONCURRENTLY IF EXISTS locations_postal_place_idx;
CREATE INDEX CONCURRENTLY locations_postal_place_idx ON locations (org_id, postal_code, id)
    WHERE latitude IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS external_updates_carrier_idx;
CREATE INDEX CONCURRENTLY external_updates_carrier_idx ON external_updates (org_id, carrier, id)
    WHERE carrier IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS external_updates_bodies_idx;
CREATE INDEX CONCURRENTLY external_updates_bodies_idx ON external_updates (received_at) WHERE raw_body <> '';

DROP INDEX CONCURRENTLY IF EXISTS notifications_unsent_idx;
CREATE INDEX CONCURRENTLY notifications_unsent_idx ON notifications (org_id, channel, id)
    WHERE status IN ('failed', 'bounced', 'spam');

DROP INDEX CONCURRENTLY IF EXISTS notifications_waiting_idx;
CREATE INDEX CONCURRENTLY notifications_waiting_idx ON notifications (org_id, id)
    WHERE status IN ('queued', 'job_dequeued');

DROP INDEX CONCURRENTLY IF EXISTS notifications_texts_idx;
CREATE INDEX CONCURRENTLY notifications_texts_idx ON notifications (created_at)
    WHERE body <> '' OR body_html <> '' OR subject <> '';

DROP INDEX CONCURRENTLY IF EXISTS export_acknowledgements_order_idx;
CREATE INDEX CONCURRENTLY export_acknowledgements_order_idx ON export_acknowledgements (org_id, order_id, id)
    WHERE carrier_shipment_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS export_acknowledgements_search_idx;
CREATE INDEX CONCURRENTLY export_acknowledgements_search_idx ON export_acknowledgements
    USING gin (org_id, carrier_shipment_id gin_trgm_ops) WHERE carrier_shipment_id IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS export_versions_payloads_idx;
CREATE INDEX CONCURRENTLY export_versions_payloads_idx ON export_versions (offered_at) WHERE payload <> '';

DROP INDEX CONCURRENTLY IF EXISTS order_exports_open_idx;
CREATE INDEX CONCURRENTLY order_exports_open_idx ON order_exports (org_id, order_id) WHERE state <> 'closed';

DROP INDEX CONCURRENTLY IF EXISTS documents_loose_idx;
CREATE INDEX CONCURRENTLY documents_loose_idx ON documents (loose_since) WHERE loose_since IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS imports_created_idx;
CREATE INDEX CONCURRENTLY imports_created_idx ON imports (created_at);

DROP INDEX CONCURRENTLY IF EXISTS tracking_links_expires_idx;
CREATE INDEX CONCURRENTLY tracking_links_expires_idx ON tracking_links (expires_at);

DROP INDEX CONCURRENTLY IF EXISTS recurring_order_changes_created_idx;
CREATE INDEX CONCURRENTLY recurring_order_changes_created_idx ON recurring_order_changes (created_at);

DROP INDEX CONCURRENTLY IF EXISTS drafts_updated_idx;
CREATE INDEX CONCURRENTLY drafts_updated_idx ON drafts (org_id, updated_at);

DROP INDEX CONCURRENTLY IF EXISTS drafts_order_idx;
CREATE INDEX CONCURRENTLY drafts_order_idx ON drafts (org_id, order_id) WHERE order_id IS NOT NULL;

RESET lock_timeout;
