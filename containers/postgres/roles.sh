#!/bin/sh
# Runs once, when the cluster is created: creates a role and its databases for
# Waybill, and for Temporal. Neither is a superuser, and neither can read the
# other's.
set -eu

psql --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
	--set waybill="$WAYBILL_OWNER_PASSWORD" --set temporal="$TEMPORAL_DB_PASSWORD" <<'SQL'
-- It makes the role of the application (waybill migrate), hence CREATEROLE.
CREATE ROLE waybill_owner LOGIN CREATEROLE PASSWORD :'waybill';
CREATE ROLE temporal LOGIN PASSWORD :'temporal';

CREATE DATABASE waybill OWNER waybill_owner;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;

REVOKE CONNECT ON DATABASE waybill, temporal, temporal_visibility, postgres, template1 FROM PUBLIC;
SQL
