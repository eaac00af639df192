-- What is known of a person, and is to be erased.

-- name: FindPeople :one
-- Whose contacts match, in some of the contacts behind one; last is 0 behind the end.
SELECT coalesce(f.last, 0)::bigint AS last, f.orders::bigint[] AS orders, f.names::text[] AS names
FROM find_people(@after::bigint, @batch::int, @pattern::text) AS f;

-- name: EraseRows :one
-- Erases what matches in some rows of a table; last is 0 behind the end.
SELECT coalesce(e.last, 0)::bigint AS last, e.counted::bigint AS counted
FROM erase_rows(@tab::text, @after::bigint, @batch::int, @pattern::text, @dry::boolean) AS e;

-- name: EraseFromOrders :many
-- Erases what matches in orders, and returns which of them had something.
SELECT e.id::bigint AS id FROM erase_from_orders(@wanted::bigint[], @pattern::text, @dry::boolean) AS e (id);

-- name: FindInArchive :many
-- What people are called whose contacts match, in lines of an archive.
SELECT f.name::text AS name FROM find_in_archive(@lines::text[], @pattern::text) AS f (name);

-- name: ErasedLines :many
-- Lines of an archive without what matches, in their order.
SELECT e.line::text AS line, e.is_erased::boolean AS is_erased
FROM erased_lines(@lines::text[], @addresses::text, @pattern::text, @at::timestamptz) AS e;
