-- name: KeepNumberByHand :exec
INSERT INTO order_numbers_by_hand (org_id, number) VALUES (@org_id, @number)
ON CONFLICT (org_id) DO UPDATE SET number = excluded.number;

-- name: NumberByHand :one
-- The last number chosen by hand, or empty.
SELECT coalesce((SELECT h.number FROM order_numbers_by_hand h WHERE h.org_id = @org_id), '')::text AS number;

-- name: NumbersTaken :many
-- Those of some numbers that orders or drafts have.
SELECT n.number FROM order_numbers n WHERE n.org_id = @org_id AND n.number = ANY (@numbers::text[]);
