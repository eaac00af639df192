-- +goose NO TRANSACTION
-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS imports_at_work_idx;
CREATE INDEX CONCURRENTLY imports_at_work_idx ON imports (org_id, id) WHERE completed_at IS NULL AND ended_at IS NULL;
