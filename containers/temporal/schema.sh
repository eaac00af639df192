#!/bin/sh
# Brings Temporal's schemas up to date. What is done already is left alone, so
# it also upgrades them when the image is newer than the database.
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
