-- When the next try may be made: at once for the free ones, and then after pauses
-- that double, up to the longest.
CREATE OR REPLACE FUNCTION sign_in_pause(failures integer, free integer, longest integer, at timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE
    RETURN at + interval '1 second' * CASE WHEN failures < free THEN 0 ELSE least(power(2, least(failures - free, 20)), longest) END;
