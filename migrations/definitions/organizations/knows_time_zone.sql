-- Whether the database computes with a time zone of this name. An organization in a zone that only the
-- program knows could not be read.
CREATE OR REPLACE FUNCTION knows_time_zone(zone text) RETURNS boolean LANGUAGE sql STABLE
AS $$ SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = zone) $$;

REVOKE EXECUTE ON FUNCTION knows_time_zone FROM PUBLIC;
GRANT EXECUTE ON FUNCTION knows_time_zone TO waybill_app;
