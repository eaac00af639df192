-- +goose NO TRANSACTION
-- +goose Up
-- Nobody waits while these are made. One that was interrupted leaves an index that is not
-- valid: run again, the migration drops it first.

-- Whether others name a picture is asked before it goes with an old order.
DROP INDEX CONCURRENTLY IF EXISTS completion_proof_images_sha256_idx;
CREATE INDEX CONCURRENTLY completion_proof_images_sha256_idx ON completion_proof_images (org_id, sha256) WHERE sha256 IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS completion_proofs_signature_idx;
CREATE INDEX CONCURRENTLY completion_proofs_signature_idx ON completion_proofs (org_id, signature_sha256)
    WHERE signature_sha256 IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS driver_actions_pictures_idx;
CREATE INDEX CONCURRENTLY driver_actions_pictures_idx ON driver_actions USING gin ((data -> 'pictures')) WHERE type = 'FAIL';

-- Whether orders refer to what a document no longer has is asked by waybill apply --prune.
DROP INDEX CONCURRENTLY IF EXISTS orders_vehicle_type_idx;
CREATE INDEX CONCURRENTLY orders_vehicle_type_idx ON orders (org_id, vehicle_type_id);
DROP INDEX CONCURRENTLY IF EXISTS orders_department_idx;
CREATE INDEX CONCURRENTLY orders_department_idx ON orders (org_id, department_id) WHERE department_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS orders_consignee_idx;
CREATE INDEX CONCURRENTLY orders_consignee_idx ON orders (org_id, consignee_id) WHERE consignee_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS orders_consignor_idx;
CREATE INDEX CONCURRENTLY orders_consignor_idx ON orders (org_id, consignor_id) WHERE consignor_id IS NOT NULL;
