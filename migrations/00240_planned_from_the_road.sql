-- +goose Up
-- A delivery whose pickup failed is dropped: nobody goes there.
-- squawk-ignore ban-drop-constraint
ALTER TABLE order_progress DROP CONSTRAINT order_progress_delivery_status_check;
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE order_progress ADD CONSTRAINT order_progress_delivery_status_check
    CHECK (delivery_status IN ('pending', 'arrived', 'completed', 'failed', 'dropped'));
UPDATE order_progress SET delivery_status = 'dropped' WHERE pickup_status = 'failed' AND delivery_status = 'pending';

-- By how much a stop begins after its window that stays on its route all the same.
-- squawk-ignore prefer-bigint-over-int
ALTER TABLE plan_stops ADD COLUMN late_seconds int NOT NULL DEFAULT 0;
