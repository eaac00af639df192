-- Queries for erasing a person's data.

-- name: FindInArchive :many
-- The names of contacts that match, in lines of an archive.
SELECT f.name::text AS name FROM find_in_archive(@lines::text[], @pattern::text) AS f (name);

-- name: ErasedLines :many
-- Lines of an archive without the matches, in order.
SELECT e.line::text AS line, e.is_erased::boolean AS is_erased
FROM erased_lines(@lines::text[], @addresses::text, @pattern::text, @at::timestamptz) AS e;
