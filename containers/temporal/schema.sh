#!/bin/sh
# Migrates Temporal's schemas. It is idempotent, so it also upgrades them after
# a new image.
set -eu

on() {
	database=$1
	shift
	temporal-sql-tool --plugin postgres12_pgx --endpoint "$SQL_HOST" --port "${SQL_PORT:-5432}" \
		--user "$SQL_USER" --database "$database" "$@"
}

for pair in temporal:temporal temporal_visibility:visibility; do
	on "${pair%%:*}" setup-schema --version 0.0
	on "${pair%%:*}" update-schema --schema-name "postgresql/v12/${pair##*:}"
done
