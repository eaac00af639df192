-- The day that is simulated at a moment, null for none.
CREATE OR REPLACE FUNCTION simulated_day(org bigint, at timestamptz) RETURNS date
    LANGUAGE sql STABLE
AS $$
    SELECT v.day FROM sandbox_runs v
    WHERE v.org_id = org AND v.started_at <= simulated_day.at AND (v.ended_at IS NULL OR v.ended_at >= simulated_day.at)
    ORDER BY v.id DESC LIMIT 1
$$;
