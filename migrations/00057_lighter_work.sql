-- +goose Up
-- What is written and asked for often is cheap: a booking, and what a message
-- tells.

-- Orders are sorted by when they were updated along the hour of it: an index on
-- the time itself would be written, and all others with it, whenever an order
-- changes at all. The index is built in 00191_indexes_beside_writers.sql.
ALTER TABLE orders ADD COLUMN updated_hour timestamptz NOT NULL
    GENERATED ALWAYS AS (date_bin('1 hour', updated_at, timestamptz '2000-01-01 00:00:00+00')) STORED;

-- An event gets into the index of subjects together with its place in the log:
-- it is written once there, and not while its writer waits.
DROP INDEX events_subject_idx;
CREATE INDEX events_subject_idx ON events (org_id, subject_type, subject_id, id) WHERE position IS NOT NULL;

-- An index that ends with the id can be taken, by a planner that knows nothing of
-- an organization yet, to look for one order by its id: then it is walked from
-- end to end. So those of orders, in 00191_indexes_beside_writers.sql, do without; orders
-- of one day or moment are sorted by id when they are read.

-- One trigger names the products and the numbers of a change of status: each one
-- costs every event something, also those that it leaves alone.
DROP TRIGGER events_name_products ON events;
DROP TRIGGER events_name_numbers ON events;
DROP FUNCTION name_products_of_event(), name_numbers_of_event();
-- +goose StatementBegin
CREATE FUNCTION name_subjects_of_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    counting text[];
BEGIN
    IF NEW.product_ids IS NULL THEN
        SELECT array_agg(p.id ORDER BY p.number, p.seq, p.id) INTO NEW.product_ids
        FROM order_products p WHERE p.org_id = NEW.org_id AND p.order_id = NEW.order_id;
        IF NEW.product_ids IS NOT NULL THEN
            NEW.product_status_id := NEW.order_status_id;
        END IF;
    END IF;
    IF number_of_event(NEW.kind, NEW.external_id) IS NULL THEN
        SELECT array_agg(n.number ORDER BY n.number) INTO counting FROM order_numbers n
        WHERE n.org_id = NEW.org_id AND n.order_id = NEW.order_id AND n.cancelled_at IS NULL;
        IF counting <> ARRAY[NEW.external_id] THEN
            NEW.data := coalesce(NEW.data, '{}') || jsonb_build_object('numbers', counting);
        END IF;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER events_name_subjects BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.order_status_id IS NOT NULL) EXECUTE FUNCTION name_subjects_of_status();

-- As before, planned once for a session and not for each message.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION contact_of(org bigint, for_order bigint, called text, stop text, place integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN (SELECT to_jsonb(c) FROM contacts_of(org, for_order, called, stop) c WHERE c.seq = place);
END
$$;
-- +goose StatementEnd
