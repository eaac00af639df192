-- +goose Up
-- Who rides along on a workday, and whether they drive, too. Null is nobody.
ALTER TABLE driver_workdays
    ADD COLUMN co_driver_id bigint,
    ADD COLUMN shares_driving boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT driver_workdays_co_driver_fkey FOREIGN KEY (org_id, co_driver_id) REFERENCES drivers (org_id, id)
        ON DELETE SET NULL (co_driver_id) NOT VALID;
-- The same of a planned route.
ALTER TABLE plan_routes
    ADD COLUMN co_driver_id bigint,
    ADD COLUMN shares_driving boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT plan_routes_co_driver_fkey FOREIGN KEY (org_id, co_driver_id) REFERENCES drivers (org_id, id)
        ON DELETE SET NULL (co_driver_id) NOT VALID;
-- Whether a skill takes two people, so that every shift of two has it and no other.
ALTER TABLE skills ADD COLUMN for_two boolean NOT NULL DEFAULT false;
