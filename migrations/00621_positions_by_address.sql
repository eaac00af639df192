-- +goose NO TRANSACTION
-- +goose Up
-- The stops and locations of an address, for a pin that moves. Built while everybody writes; what
-- an interrupted run left is dropped first.
SET lock_timeout = '10min';

DROP INDEX CONCURRENTLY IF EXISTS order_stops_place_idx;
CREATE INDEX CONCURRENTLY order_stops_place_idx ON order_stops (org_id, (position ->> 'place'))
    WHERE position IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS locations_place_idx;
CREATE INDEX CONCURRENTLY locations_place_idx ON locations (org_id, (position ->> 'place'))
    WHERE position IS NOT NULL;

-- The stops whose address was not found well enough.
DROP INDEX CONCURRENTLY IF EXISTS order_stops_unsure_idx;
CREATE INDEX CONCURRENTLY order_stops_unsure_idx ON order_stops (org_id, order_id)
    WHERE position ->> 'precision' IN ('STREET', 'POSTAL_CODE', 'CITY', 'UNKNOWN');
