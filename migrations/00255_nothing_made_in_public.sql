-- +goose Up
-- Functions that work as the owner of the tables find what they name in the schema public.
-- Nobody but the owner makes anything there; databases that come from Postgres 14 still let
-- everybody. Where the owner of the tables may not say so, an administrator does.
-- +goose StatementBegin
DO $$
BEGIN
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
EXCEPTION
    WHEN insufficient_privilege THEN NULL;
END
$$;
-- +goose StatementEnd
