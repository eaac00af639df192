-- What is kept for a while only.

-- name: ForgetPositions :one
-- Deletes positions of before a moment, at most so many, of all organizations.
SELECT forget_positions(@before::timestamptz, @batch::int)::int AS gone;
