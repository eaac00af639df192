-- +goose NO TRANSACTION
-- +goose Up
-- With whom somebody rides. Built while everybody writes; what an interrupted run left is dropped first.
SET lock_timeout = '10min';

DROP INDEX CONCURRENTLY IF EXISTS driver_workdays_co_driver_idx;
CREATE INDEX CONCURRENTLY driver_workdays_co_driver_idx ON driver_workdays (org_id, co_driver_id, date)
    WHERE co_driver_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS plan_routes_co_driver_idx;
CREATE INDEX CONCURRENTLY plan_routes_co_driver_idx ON plan_routes (org_id, co_driver_id)
    WHERE co_driver_id IS NOT NULL;
