-- +goose Up
-- Whether somebody edited an order that a template generated is a fact of its
-- own. updated_at moves with everything: planning and driving change an order as
-- well, and nobody has edited it by that.

-- When an import or a call last changed what the order says or whether it is
-- wanted; null while it is as its template wrote it. Orders from before that no
-- template made have none.
ALTER TABLE orders ADD COLUMN edited_at timestamptz;

UPDATE orders o SET edited_at = o.updated_at
FROM recurring_occurrences c JOIN order_numbers n ON n.org_id = c.org_id AND n.number = c.number
WHERE o.org_id = n.org_id AND o.id = n.order_id AND c.written_at IS DISTINCT FROM o.updated_at;

-- written_at stays for the programs of v0.2.0, see 00190_previous_release.sql.
