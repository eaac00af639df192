package main

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"time"

	"github.com/kelseyhightower/envconfig"

	"waybill/providers"
)

// config are the settings. Every one comes from an environment variable; one
// that is set to nothing counts as not set.
type config struct {
	HTTPAddr     string `envconfig:"WAYBILL_HTTP_ADDR" default:"127.0.0.1:8080" desc:"Where serve listens."`
	WorkHTTPAddr string `envconfig:"WAYBILL_WORK_HTTP_ADDR" desc:"Where work answers /healthz, /readyz and /metrics; nowhere when empty."`
	PublicURL    string `envconfig:"WAYBILL_PUBLIC_URL" desc:"The API's address as the outside sees it; http://<WAYBILL_HTTP_ADDR> when empty."`

	DatabaseURL        string `envconfig:"DATABASE_URL" secret:"url" desc:"Postgres, as a role that owns no tables. serve, work, apply and keys use it."`
	DatabaseMigrateURL string `envconfig:"DATABASE_MIGRATE_URL" secret:"url" desc:"Postgres, as the owner of the tables, who may create roles. Only migrate uses it; DATABASE_URL when empty."`
	DatabaseConns      int32  `envconfig:"WAYBILL_DATABASE_CONNS" default:"16" desc:"The most connections to Postgres that one process holds."`

	TemporalAddress   string `envconfig:"TEMPORAL_ADDRESS" default:"127.0.0.1:7233" desc:"The Temporal server."`
	TemporalNamespace string `envconfig:"TEMPORAL_NAMESPACE" default:"default" desc:"The Temporal namespace."`

	RateLimit    float64       `envconfig:"WAYBILL_RATE_LIMIT" default:"10" desc:"Requests a second that a key may send over time; 0 is no limit."`
	RateBurst    int           `envconfig:"WAYBILL_RATE_BURST" default:"100" desc:"Requests that a key may send at once."`
	ImportWait   time.Duration `envconfig:"WAYBILL_IMPORT_WAIT" default:"60s" desc:"How long an import is waited for before it is answered with 202."`
	ExportWindow time.Duration `envconfig:"WAYBILL_EXPORT_WINDOW" default:"336h" desc:"How long after its last successful export a change brings an order back into the export feed."`

	BlobURL          string   `envconfig:"WAYBILL_BLOB_URL" default:"file:///var/lib/waybill/blobs" desc:"Where documents and proofs are kept: file:///folder, s3://bucket?region=…, gs://bucket or azblob://container. The query takes the options of gocloud.dev/blob."`
	DocumentMaxBytes int64    `envconfig:"WAYBILL_DOCUMENT_MAX_BYTES" default:"26214400" desc:"How large a document may be."`
	DocumentTypes    []string `envconfig:"WAYBILL_DOCUMENT_TYPES" default:"application/pdf,image/jpeg,image/png,image/webp,image/heic,image/tiff,text/plain,text/csv,application/xml,text/xml,application/json,application/vnd.openxmlformats-officedocument.wordprocessingml.document,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" desc:"The media types that a document may have."`

	TrackingRateLimit float64  `envconfig:"WAYBILL_TRACKING_RATE_LIMIT" default:"2" desc:"Tracking pages a second that an address may ask for over time; 0 is no limit."`
	TrackingRateBurst int      `envconfig:"WAYBILL_TRACKING_RATE_BURST" default:"60" desc:"Tracking pages that an address may ask for at once."`
	TrustedProxies    []string `envconfig:"WAYBILL_TRUSTED_PROXIES" desc:"Networks of the proxies in front of serve, such as 10.0.0.0/8, whose X-Forwarded-For says which address asks; none when empty."`

	SMTPURL       string        `envconfig:"WAYBILL_SMTP_URL" secret:"url" desc:"The mail server, such as smtp://user:password@host:587 or smtps://host; with a password, or with ?tls=required, only encrypted. No email is sent when empty."`
	SMTPFrom      string        `envconfig:"WAYBILL_SMTP_FROM" desc:"Who emails are from when the organization's document does not say."`
	SMSURL        string        `envconfig:"WAYBILL_SMS_URL" desc:"Where Twilio's API is; Twilio's own address when empty."`
	SMSAccount    string        `envconfig:"WAYBILL_SMS_ACCOUNT" desc:"The Twilio account. No text message is sent when empty."`
	SMSToken      string        `envconfig:"WAYBILL_SMS_TOKEN" secret:"text" desc:"The Twilio account's token; it also proves who sends reports."`
	SMSFrom       string        `envconfig:"WAYBILL_SMS_FROM" desc:"Who text messages are from when the organization's document does not say."`
	SendgridKey   string        `envconfig:"WAYBILL_SENDGRID_KEY" desc:"SendGrid's public key, by which reports of its event webhook are known."`
	PostmarkLogin string        `envconfig:"WAYBILL_POSTMARK_LOGIN" secret:"text" desc:"The login of Postmark's webhook, as user:password."`
	ReportWait    time.Duration `envconfig:"WAYBILL_REPORT_WAIT" default:"72h" desc:"How long the workflow of a message waits for a provider's report. Later reports count as well."`

	LogLevel  string `envconfig:"WAYBILL_LOG_LEVEL" default:"info" desc:"The least level that is logged: debug, info, warn or error."`
	LogFormat string `envconfig:"WAYBILL_LOG_FORMAT" default:"auto" desc:"text, json, or auto: text on a terminal and JSON otherwise."`

	TracesEndpoint string `envconfig:"OTEL_EXPORTER_OTLP_ENDPOINT" desc:"Where traces go (OTLP over HTTP); there are none when empty. The other OTEL_ variables of the standard hold too."`

	ShutdownTimeout time.Duration `envconfig:"WAYBILL_SHUTDOWN_TIMEOUT" default:"30s" desc:"How long requests, and then activities, may take to finish when the process is stopped."`
}

// readConfig reads the settings from the environment and checks them.
func readConfig() (config, error) {
	var c config
	if err := forgetEmpty(); err != nil {
		return c, err
	}
	if err := envconfig.Process("", &c); err != nil {
		var bad *envconfig.ParseError
		if errors.As(err, &bad) {
			return c, fmt.Errorf("%s is %q, which is not a %s", bad.KeyName, bad.Value, plainType(bad.TypeName))
		}
		return c, fmt.Errorf("read the settings: %w", err)
	}
	if c.DatabaseMigrateURL == "" {
		c.DatabaseMigrateURL = c.DatabaseURL
	}
	if c.PublicURL == "" {
		c.PublicURL = "http://" + c.HTTPAddr
	}
	return c, c.check()
}

// check refuses settings that nothing could work with.
func (c config) check() error {
	for _, look := range []func() error{c.checkBounds, c.checkRates, c.checkAddresses} {
		if err := look(); err != nil {
			return err
		}
	}
	_, err := newLogger(os.Stderr, c)
	return err
}

func (c config) checkBounds() error {
	switch {
	case c.DatabaseConns < 2:
		return errors.New("WAYBILL_DATABASE_CONNS must be 2 or more")
	case c.DocumentMaxBytes < 1:
		return errors.New("WAYBILL_DOCUMENT_MAX_BYTES must be 1 or more")
	case c.ImportWait <= 0:
		return errors.New("WAYBILL_IMPORT_WAIT must be above 0")
	case c.ExportWindow <= 0:
		return errors.New("WAYBILL_EXPORT_WINDOW must be above 0")
	case c.ReportWait < 0:
		return errors.New("WAYBILL_REPORT_WAIT must not be below 0")
	case c.ShutdownTimeout <= 0:
		return errors.New("WAYBILL_SHUTDOWN_TIMEOUT must be above 0")
	}
	return nil
}

func (c config) checkRates() error {
	switch {
	case c.RateLimit < 0 || c.RateBurst < 0:
		return errors.New("WAYBILL_RATE_LIMIT and WAYBILL_RATE_BURST must not be below 0")
	case c.RateLimit > 0 && c.RateBurst == 0:
		return errors.New("WAYBILL_RATE_BURST must be 1 or more, or nobody could call at all")
	case c.TrackingRateLimit < 0 || c.TrackingRateBurst < 0:
		return errors.New("WAYBILL_TRACKING_RATE_LIMIT and WAYBILL_TRACKING_RATE_BURST must not be below 0")
	}
	return nil
}

func (c config) checkAddresses() error {
	for _, network := range c.TrustedProxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			return fmt.Errorf("WAYBILL_TRUSTED_PROXIES has %q, which is no network such as 10.0.0.0/8", network)
		}
	}
	if c.SMTPURL != "" {
		if err := providers.CheckMailURL(c.SMTPURL); err != nil {
			return fmt.Errorf("WAYBILL_SMTP_URL %w", err)
		}
	}
	if _, err := providers.NewSMS(c.SMSURL); err != nil {
		return fmt.Errorf("WAYBILL_SMS_URL %w", err)
	}
	if u, err := url.Parse(c.PublicURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("WAYBILL_PUBLIC_URL is %q, which is no http or https address", c.PublicURL)
	}
	return nil
}

// needDatabase refuses to go on without a database.
func (c config) needDatabase() error {
	if c.DatabaseURL == "" {
		return errors.New("DATABASE_URL is not set, so there is no database to work with")
	}
	return nil
}

// plainType says in plain words what a variable should have been.
func plainType(name string) string {
	switch name {
	case "time.Duration":
		return "duration such as 90s or 2h"
	case "int", "int32", "int64", "float64":
		return "number"
	}
	return name
}

// setting is one variable with its documentation.
type setting struct {
	name, fallback, meaning, secret string
	field                           int
}

// settings are all variables, in the order of the struct.
func settings() []setting {
	var all []setting
	t := reflect.TypeFor[config]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		all = append(all, setting{
			name: tag.Get("envconfig"), fallback: tag.Get("default"),
			meaning: tag.Get("desc"), secret: tag.Get("secret"), field: i,
		})
	}
	return all
}

// forgetEmpty makes variables that are set to nothing, as compose files leave
// them, the same as unset ones.
func forgetEmpty() error {
	for _, s := range settings() {
		if value, set := os.LookupEnv(s.name); set && value == "" {
			if err := os.Unsetenv(s.name); err != nil {
				return fmt.Errorf("read %s: %w", s.name, err)
			}
		}
	}
	return nil
}
