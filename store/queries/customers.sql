-- name: PageCustomers :many
-- Customers that match all the given terms; null terms are ignored. Free text
-- is searched in the name and the external id.
SELECT count(*) OVER () AS total, document::jsonb AS document
FROM v1_customers c
WHERE c.org_id = @org_id
  AND (sqlc.narg('external_id')::text IS NULL OR c.external_id = sqlc.narg('external_id')::text)
  AND (sqlc.narg('business_name')::text IS NULL
      OR strpos(lower(c.business_name), lower(sqlc.narg('business_name')::text)) > 0)
  AND (sqlc.narg('free_text')::text IS NULL OR strpos(lower(c.business_name), lower(sqlc.narg('free_text')::text)) > 0
      OR strpos(lower(c.external_id), lower(sqlc.narg('free_text')::text)) > 0)
ORDER BY c.id
LIMIT @page_size::int OFFSET @skip::int;
