#!/bin/sh
# Makes the namespace as soon as the server takes it.
set -eu

tries=0
until temporal operator cluster health >/dev/null; do
	tries=$((tries + 1))
	if [ "$tries" -ge 60 ]; then
		echo "the Temporal server at $TEMPORAL_ADDRESS does not answer" >&2
		exit 1
	fi
	sleep 1
done
temporal operator namespace describe --namespace "$NAMESPACE" >/dev/null 2>&1 ||
	temporal operator namespace create --namespace "$NAMESPACE" --retention "$RETENTION"
