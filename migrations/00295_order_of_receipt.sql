-- +goose Up
-- Imports and changes take effect in the order in which they were received. A place in
-- that order is drawn from imports_id_seq: an import's is its id, and what people do
-- draws its own once it holds the number. Versions before this one write none of these
-- columns, and read none.

-- The place of the newest import or change that spoke of the number.
ALTER TABLE order_numbers ADD COLUMN receipt bigint;

-- The place of the newest request for the draft.
ALTER TABLE drafts ADD COLUMN receipt bigint;

-- The numbers of the entries that wait. A cancellation of an order that an import is
-- still to make looks for it here.
ALTER TABLE import_chunks ADD COLUMN numbers text[];
