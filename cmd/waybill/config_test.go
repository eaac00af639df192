package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfigPrintsEveryVariable(t *testing.T) {
	t.Parallel()
	got := runProgram(t, []string{
		"DATABASE_URL=postgres://app:s3cret@db/waybill?sslmode=disable",
		"DATABASE_MIGRATE_URL=host=db password=s3cret",
		"WAYBILL_RATE_LIMIT=", // empty counts as unset
		"WAYBILL_RATE_BURST=7",
	}, "config")
	require.Zero(t, got.status, got.stderr)
	require.Len(t, meanings, len(settings()))
	for _, s := range settings() {
		require.NotEmpty(t, s.name)
		require.NotEmpty(t, s.meaning, s.name)
		require.Contains(t, "\n"+got.stdout, "\n"+s.name+"=")
		require.Contains(t, got.stdout, "    "+s.meaning+"\n    default: ", s.name)
	}
	require.Contains(t, got.stdout, "WAYBILL_RATE_LIMIT=10\n")
	require.Contains(t, got.stdout, "default: 336h0m0s\n", "that of the rules")
	require.Contains(t, got.stdout, "WAYBILL_RATE_BURST=7\n")
	require.Contains(t, got.stdout, "DATABASE_URL=postgres://app:***@db/waybill?sslmode=disable\n")
	require.Contains(t, got.stdout, "DATABASE_MIGRATE_URL=***\n")
	require.NotContains(t, got.stdout+got.stderr, "s3cret")
}

// The hidden part of a value is not shown, wherever it is.
func TestConfigShowsNoSecrets(t *testing.T) {
	t.Parallel()
	got := runProgram(t, []string{
		"DATABASE_URL=postgres://app@db/waybill?sslpassword=s3cret",
		"WAYBILL_SMS_URL=https://AC:s3cret@api.example",
		"WAYBILL_BLOB_URL=s3://bucket?region=eu-north-1&accessKey=s3cret&awssecret=s3cret",
		"OTEL_EXPORTER_OTLP_ENDPOINT=https://u:s3cret@traces.example",
		"WAYBILL_SENDGRID_KEY=public",
	}, "config")
	require.Zero(t, got.status, got.stderr)
	require.NotContains(t, got.stdout+got.stderr, "s3cret")
	require.Contains(t, got.stdout, "region=eu-north-1")
	for _, amiss := range []string{
		"WAYBILL_PUBLIC_URL=https://u:s3cret@waybill.example", "WAYBILL_SMS_URL=://s3cret", "WAYBILL_SMTP_URL=smtp://u:s3cret@:x",
		"WAYBILL_TRAVEL_URL=nothing://u:s3cret@host",
	} {
		got = runProgram(t, []string{amiss}, "config")
		require.Equal(t, 1, got.status, amiss)
		require.NotContains(t, got.stdout+got.stderr, "s3cret", amiss)
	}
}

// TestAControllerGivesWorkersTheirVersion: it adds variables of its own to pods, and what an operator
// sets wins.
func TestAControllerGivesWorkersTheirVersion(t *testing.T) {
	t.Parallel()
	given := []string{"TEMPORAL_DEPLOYMENT_NAME=prod/waybill-work-planning", "TEMPORAL_WORKER_BUILD_ID=0-2-0-5f3a"}
	got := runProgram(t, given, "config")
	require.Zero(t, got.status, got.stderr)
	require.Contains(t, got.stdout, "WAYBILL_DEPLOYMENT=prod/waybill-work-planning\n")
	require.Contains(t, got.stdout, "WAYBILL_BUILD_ID=0-2-0-5f3a\n")
	got = runProgram(t, append(given, "WAYBILL_BUILD_ID=mine"), "config")
	require.Contains(t, got.stdout, "WAYBILL_DEPLOYMENT=waybill\n")
	require.Contains(t, got.stdout, "WAYBILL_BUILD_ID=mine\n")
}

func TestConfigRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	cases := []struct{ variable, value, says string }{
		{"WAYBILL_RATE_LIMIT", "many", `waybill: WAYBILL_RATE_LIMIT is "many", not a number`},
		{"WAYBILL_RATE_LIMIT", "-1", "must not be negative"},
		{"WAYBILL_RATE_BURST", "0", "WAYBILL_RATE_BURST must be at least 1"},
		{"WAYBILL_IMPORT_WAIT", "60", "not a duration such as 90s or 2h"},
		{"WAYBILL_IMPORT_WAIT", "0s", "WAYBILL_IMPORT_WAIT must be positive"},
		{"WAYBILL_EXPORT_WINDOW", "0s", "WAYBILL_EXPORT_WINDOW must be positive"},
		{"WAYBILL_SHUTDOWN_TIMEOUT", "-1s", "WAYBILL_SHUTDOWN_TIMEOUT must be positive"},
		{"WAYBILL_DATABASE_CONNS", "1", "WAYBILL_DATABASE_CONNS must be at least 2"},
		{"WAYBILL_PUBLIC_URL", "waybill.example", "it must be an http or https URL without a user name"},
		{"WAYBILL_TRUSTED_PROXIES", "10.0.0.0/8,proxy", `WAYBILL_TRUSTED_PROXIES contains "proxy", which is not a network`},
		{"WAYBILL_TRACKING_RATE_LIMIT", "-1", "must not be negative"},
		{"WAYBILL_DOCUMENT_MAX_BYTES", "0", "WAYBILL_DOCUMENT_MAX_BYTES must be at least 1"},
		{"WAYBILL_HEAVY_SHARE", "-1", "WAYBILL_HEAVY_SHARE must not be negative"},
		{"WAYBILL_IMPORTERS", "0", "WAYBILL_IMPORTERS must be at least 1"},
		{"WAYBILL_BODY_SHARE", "1000000", "WAYBILL_BODY_SHARE must be at least 67108864"},
		{"WAYBILL_BODY_BYTES", "67108863", "WAYBILL_BODY_BYTES must be at least WAYBILL_BODY_SHARE"},
		{"WAYBILL_DEPLOYMENT", "waybill.no", "it must contain neither . nor a colon"},
		{"WAYBILL_BUILD_ID", "__unversioned__", "must not start with __"},
		{"TEMPORAL_WORKER_BUILD_ID", "0.2.0", "TEMPORAL_WORKER_BUILD_ID needs TEMPORAL_DEPLOYMENT_NAME"},
		{"WAYBILL_SEALING_SECRET", "short", "WAYBILL_SEALING_SECRET must have at least 32 characters"},
		{"WAYBILL_LOG_LEVEL", "loud", "it must be debug, info, warn or error"},
		{"WAYBILL_LOG_FORMAT", "xml", "it must be auto, text or json"},
	}
	for _, tc := range cases {
		t.Run(fmt.Sprintf("%s=%s", tc.variable, tc.value), func(t *testing.T) {
			t.Parallel()
			got := runProgram(t, []string{tc.variable + "=" + tc.value}, "config")
			require.Equal(t, 1, got.status)
			require.Contains(t, got.stderr, tc.says)
			require.Empty(t, got.stdout)
		})
	}
}

func TestMissingSealingSecretIsReported(t *testing.T) {
	t.Parallel()
	const outside, secret = "WAYBILL_PUBLIC_URL=https://waybill.example", "WAYBILL_SEALING_SECRET=0123456789abcdef0123456789abcdef"
	for _, tc := range []struct {
		set    []string
		amiss  bool
		reason string
	}{
		{[]string{outside}, true, "people sign in from outside"},
		{[]string{outside, secret}, false, "there is a secret"},
		{nil, false, "one's own machine"},
	} {
		got := runProgram(t, tc.set, "config")
		require.Equal(t, 0, got.status, got.stderr)
		require.Equal(t, tc.amiss, strings.Contains(got.stderr, "WAYBILL_SEALING_SECRET is not set"), tc.reason)
		require.NotContains(t, got.stdout+got.stderr, "0123456789abcdef")
	}
}

func TestServicesNeedADatabase(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"serve"}, {"work"}, {"keys", "list", "--org", "a"}, {"migrate"}} {
		got := runProgram(t, nil, args...)
		require.Equal(t, 1, got.status)
		require.Contains(t, got.stderr, "DATABASE_URL", args)
	}
}
