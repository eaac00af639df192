CREATE OR REPLACE FUNCTION event_shard(org bigint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (org % 16)::smallint;
