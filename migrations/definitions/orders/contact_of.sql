-- One of the contacts of an order by its place, counted from 0; null when there is none. It is in
-- plpgsql so that Postgres plans it once per session, not for each message.
CREATE OR REPLACE FUNCTION contact_of(org bigint, for_order bigint, called text, stop text, place integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN (SELECT to_jsonb(c) FROM contacts_of(org, for_order, called, stop) c WHERE c.seq = place);
END
$$;
