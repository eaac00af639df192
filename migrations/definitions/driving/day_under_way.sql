-- The day whose route a driver drives at a moment, whether there is one or not.
CREATE OR REPLACE FUNCTION day_under_way(org bigint, driver bigint, at timestamptz) RETURNS date
    LANGUAGE sql STABLE
AS $$
    SELECT coalesce(simulated_day(org, at), night_under_way(org, driver, at, false), (at AT TIME ZONE o.timezone)::date)
    FROM organizations o WHERE o.id = org
$$;
