package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"time"

	"waybill/domain/notification"
	"waybill/providers"
	"waybill/providers/files"
	"waybill/store/schema"
)

// checks are all checks, in the sequence of the report.
func (d *doctor) checks() []doctorCheck {
	return []doctorCheck{
		{name: "settings", docs: "production.md", run: d.checkSettings},
		{name: "postgres", docs: "troubleshooting.md#nothing-works", run: d.checkPostgres},
		{name: "clock", needs: "postgres", docs: "troubleshooting.md#doctor", run: d.checkClock},
		{name: "schema", needs: "postgres", docs: "troubleshooting.md#nothing-works", run: d.checkSchema},
		{name: "canary", needs: "schema", docs: "troubleshooting.md#doctor", run: d.checkCanary},
		{name: "temporal", docs: "troubleshooting.md#nothing-works", run: d.checkTemporalServer},
		{name: "namespace", needs: "temporal", docs: "production.md#which-database-a-namespace-belongs-to", run: d.checkNamespace},
		{name: "search attributes", needs: "temporal", docs: "troubleshooting.md#nothing-works", run: d.checkSearchAttributes},
		{name: "pollers", needs: "temporal", docs: "operations.md#several-processes", run: d.checkPollers},
		{name: "storage", docs: "troubleshooting.md#doctor", run: d.checkStorage},
		{name: "mail", docs: "troubleshooting.md#messages", run: d.checkMail},
		{name: "sms", docs: "troubleshooting.md#messages", run: d.checkSMS},
		{name: "geocoder", docs: "places.md#geocoding-providers", run: d.checkGeocoder},
		{name: "regions", needs: "schema", docs: "operations.md#regions", run: d.checkRegions},
		{name: "leader", needs: "schema", docs: "troubleshooting.md#the-log-stands-still", run: d.checkLeader},
		{name: "followers", needs: "schema", docs: "troubleshooting.md#the-log-stands-still", run: d.checkFollowers},
		{name: "messages", needs: "schema", docs: "troubleshooting.md#messages", run: d.checkMessages},
		{name: "parked events", needs: "schema", docs: "operations.md#what-is-left-out", run: d.checkParked},
		{name: "webhooks", needs: "schema", docs: "operations.md#webhooks", run: d.checkWebhooks},
	}
}

// checkSettings checks the settings themselves.
func (d *doctor) checkSettings(context.Context) finding {
	if amiss := d.config.unsealed(); amiss != "" {
		return warning("set WAYBILL_SEALING_SECRET in serve and work", "WAYBILL_SEALING_SECRET is not set: "+
			"anyone with a copy of the database can read secrets")
	}
	return fine("all settings are valid")
}

func (d *doctor) checkPostgres(ctx context.Context) finding {
	const next = "start Postgres, or correct DATABASE_URL; you don't have to restart anything after Postgres is back"
	if d.pool == nil {
		return failed(d.poolErr, next)
	}
	var release, role string
	if err := d.pool.QueryRow(ctx, "select current_setting('server_version'), current_user").Scan(&release, &role); err != nil {
		return failed(err, next)
	}
	if err := schema.CheckRole(ctx, d.pool); err != nil {
		return failed(err, "use the role that waybill migrate created")
	}
	return fine("connected to Postgres %s as role %s", release, role)
}

// How far a clock may be from that of Postgres. Leases, sessions and signatures have
// windows of seconds to minutes.
const (
	clockWarns = 2 * time.Second
	clockFails = 30 * time.Second
)

func (d *doctor) checkClock(ctx context.Context) finding {
	var theirs time.Time
	before := time.Now()
	if err := d.pool.QueryRow(ctx, "select clock_timestamp()").Scan(&theirs); err != nil {
		return failed(err, "check whether Postgres is running")
	}
	return judgeClock(theirs.Sub(before.Add(time.Since(before) / 2)))
}

// judgeClock checks how far Postgres' clock is ahead of ours.
func judgeClock(ahead time.Duration) finding {
	const next = "synchronize the clocks of both hosts (chrony, systemd-timesyncd)"
	off := ahead.Abs().Round(time.Millisecond)
	switch {
	case off >= clockFails:
		return wrong(next, "the clocks of this host and Postgres differ by %s: sessions, codes and signatures are refused", off)
	case off >= clockWarns:
		return warning(next, "the clocks of this host and Postgres differ by %s", off)
	}
	return fine("the clocks of this host and Postgres differ by less than %s", clockWarns)
}

func (d *doctor) checkSchema(ctx context.Context) finding {
	if err := schema.Check(ctx, d.pool); err != nil {
		return failed(err, "run waybill migrate of the release you want to run")
	}
	return fine("the schema matches this program, which needs version %d", schema.Latest())
}

// checkStorage writes, reads and deletes a file.
func (d *doctor) checkStorage(ctx context.Context) finding {
	kind := "the storage"
	if at, err := url.Parse(d.config.BlobURL); err == nil {
		kind = "the storage (" + at.Scheme + "://)"
	}
	const next = "check WAYBILL_BLOB_URL, the write permissions and the free space; " +
		"until then uploads and proofs fail, and phones retry theirs"
	storage, err := files.Open(ctx, d.config.BlobURL, d.config.PublicURL, []byte(rand.Text()))
	if err != nil {
		return failed(withoutSecrets("WAYBILL_BLOB_URL", d.config.BlobURL, err), next)
	}
	defer func() { _ = storage.Close() }()
	if err := storage.Check(ctx); err != nil {
		return failed(withoutSecrets("WAYBILL_BLOB_URL", d.config.BlobURL, err), next)
	}
	return fine("wrote, read and deleted a file in %s", kind)
}

func (d *doctor) checkMail(ctx context.Context) finding {
	if d.config.SMTPURL == "" {
		return fine("WAYBILL_SMTP_URL is not set: only organizations with their own mail server send email")
	}
	limits := providers.MailLimits{Connect: d.limit, Command: d.limit, Taken: d.limit, Turn: d.limit}
	mail := providers.NewMailWithin(limits)
	defer mail.Close()
	if err := mail.Check(ctx, d.config.SMTPURL); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err() // the line was closed for it
		}
		return refusedBy("the mail server", "WAYBILL_SMTP_URL", err)
	}
	return fine("signed in to the mail server")
}

func (d *doctor) checkSMS(ctx context.Context) finding {
	if d.config.SMSAccount == "" {
		return fine("WAYBILL_SMS_ACCOUNT is not set: only organizations with their own account send text messages")
	}
	sms, err := providers.NewSMS(d.config.SMSURL)
	if err == nil {
		err = sms.Check(ctx, providers.SMSAccount{ID: d.config.SMSAccount, Token: d.config.SMSToken})
	}
	if err != nil {
		return refusedBy("the SMS provider", "WAYBILL_SMS_ACCOUNT and WAYBILL_SMS_TOKEN", err)
	}
	return fine("the SMS provider accepts the account")
}

// refusedBy is the finding of a provider that does not let us in. Its own words stay
// out: they may name an account.
func refusedBy(who, setting string, err error) finding {
	fault := providers.FaultOf(err)
	code := ""
	if fault.Code != "" {
		code = " (" + fault.Code + ")"
	}
	switch fault.Failure {
	case notification.CredentialsRefused:
		return wrong("correct the credentials in "+setting+" and restart work; resend failed messages with: "+
			"waybill notifications retry --org SLUG --failed --since 24h --dry-run",
			"%s refuses the credentials%s: every message fails", who, code)
	case notification.NotConfigured:
		return wrong("set "+setting, "%s cannot be used with these settings", who)
	case notification.Rejected:
		return warning("send yourself a message to be sure", "%s answers, but cannot confirm the account%s", who, code)
	default:
		return wrong("check whether it is down or a firewall blocks it; messages wait for up to 24 hours and are sent when it is back",
			"%s is unavailable%s%s", who, code, causeOf(fault))
	}
}

// causeOf is the cause of a failed connection, without the address: that of an
// SMS provider names the account.
func causeOf(fault *providers.Fault) string {
	var asked *url.Error
	switch {
	case fault.Cause == nil:
		return ""
	case errors.As(fault.Cause, &asked):
		return fmt.Sprintf(": %s", asked.Err)
	}
	return fmt.Sprintf(": %s", fault.Cause)
}
