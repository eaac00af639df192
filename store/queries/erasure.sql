-- Queries for erasing a person's data.

-- name: FindInArchive :many
-- What people are called whose contacts match, in lines of an archive.
SELECT f.name::text AS name FROM find_in_archive(@lines::text[], @pattern::text) AS f (name);

-- name: ErasedLines :many
-- Lines of an archive without what matches, in their order.
SELECT e.line::text AS line, e.is_erased::boolean AS is_erased
FROM erased_lines(@lines::text[], @addresses::text, @pattern::text, @at::timestamptz) AS e;
