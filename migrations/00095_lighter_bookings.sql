-- +goose Up
-- A booking refers to the counter of its interval and day instead of the
-- interval, and is checked at the end of its transaction. That has locked the
-- counter by then, so the check waits for nobody; a check of the interval would
-- lock one row in many transactions at a time, which the database keeps books
-- about. Counters refer to the interval, and are never removed without it.
INSERT INTO schedule_interval_days (org_id, interval_id, day, booked)
SELECT b.org_id, b.interval_id, b.day, count(*) FROM bookings b GROUP BY 1, 2, 3
ON CONFLICT DO NOTHING;
ALTER TABLE bookings
    DROP CONSTRAINT bookings_interval_fkey,
    ADD CONSTRAINT bookings_day_fkey FOREIGN KEY (org_id, interval_id, day)
        REFERENCES schedule_interval_days (org_id, interval_id, day) DEFERRABLE INITIALLY DEFERRED;

-- Few bookings are of drafts, and none is looked for by its day: an interval of
-- which a seat was ever taken stays.
ALTER TABLE bookings DROP CONSTRAINT bookings_draft_key;
CREATE UNIQUE INDEX bookings_draft_key ON bookings (org_id, draft_id) WHERE draft_id IS NOT NULL;
DROP INDEX bookings_day_idx;
