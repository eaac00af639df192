package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/kelseyhightower/envconfig"

	"waybill/api"
	"waybill/domain/export"
	"waybill/domain/housekeeping"
)

// config are the settings. Each one comes from an environment variable; an
// empty one counts as unset. meanings describes them.
type config struct {
	HTTPAddr     string `envconfig:"WAYBILL_HTTP_ADDR" default:"127.0.0.1:8080"`
	WorkHTTPAddr string `envconfig:"WAYBILL_WORK_HTTP_ADDR"`

	PrivateHTTPAddr string `envconfig:"WAYBILL_PRIVATE_HTTP_ADDR"`

	PublicURL string `envconfig:"WAYBILL_PUBLIC_URL" secret:"url"`

	DatabaseURL        string `envconfig:"DATABASE_URL" secret:"url"`
	DatabaseMigrateURL string `envconfig:"DATABASE_MIGRATE_URL" secret:"url"`
	DatabaseReadURL    string `envconfig:"DATABASE_READ_URL" secret:"url"`
	DatabaseConns      int32  `envconfig:"WAYBILL_DATABASE_CONNS" default:"16"`

	DatabaseOtherPassword string `envconfig:"DATABASE_OTHER_PASSWORD" secret:"text"`

	CheckConns bool `envconfig:"WAYBILL_CHECK_CONNS"`

	TemporalAddress    string `envconfig:"TEMPORAL_ADDRESS" default:"127.0.0.1:7233"`
	TemporalNamespace  string `envconfig:"TEMPORAL_NAMESPACE" default:"default"`
	TemporalAPIKey     string `envconfig:"TEMPORAL_API_KEY" secret:"text"`
	TemporalTLS        string `envconfig:"TEMPORAL_TLS"`
	TemporalCA         string `envconfig:"TEMPORAL_TLS_SERVER_CA_CERT_PATH"`
	TemporalServerName string `envconfig:"TEMPORAL_TLS_SERVER_NAME"`
	TemporalCert       string `envconfig:"TEMPORAL_TLS_CLIENT_CERT_PATH"`
	TemporalCertKey    string `envconfig:"TEMPORAL_TLS_CLIENT_KEY_PATH"`
	TemporalUI         string `envconfig:"WAYBILL_TEMPORAL_UI"`
	Deployment         string `envconfig:"WAYBILL_DEPLOYMENT" default:"waybill"`
	BuildID            string `envconfig:"WAYBILL_BUILD_ID"`

	// The names under which Temporal's Worker Controller gives workers their version.
	GivenDeployment string `envconfig:"TEMPORAL_DEPLOYMENT_NAME"`
	GivenBuildID    string `envconfig:"TEMPORAL_WORKER_BUILD_ID"`

	RateLimit    float64       `envconfig:"WAYBILL_RATE_LIMIT" default:"10"`
	RateBurst    int           `envconfig:"WAYBILL_RATE_BURST" default:"100"`
	ImportWait   time.Duration `envconfig:"WAYBILL_IMPORT_WAIT" default:"60s"`
	ExportWindow time.Duration `envconfig:"WAYBILL_EXPORT_WINDOW"`
	KeepEvents   time.Duration `envconfig:"WAYBILL_KEEP_EVENTS"`

	CPUProfile  string `envconfig:"WAYBILL_CPU_PROFILE"`
	MemoryLimit string `envconfig:"GOMEMLIMIT" default:"1GiB"`
	HeavyShare  int    `envconfig:"WAYBILL_HEAVY_SHARE"`
	Importers   int    `envconfig:"WAYBILL_IMPORTERS"`
	BodyBytes   int64  `envconfig:"WAYBILL_BODY_BYTES"`
	BodyShare   int64  `envconfig:"WAYBILL_BODY_SHARE"`

	BlobURL          string   `envconfig:"WAYBILL_BLOB_URL" secret:"url" default:"file:///var/lib/waybill/blobs"`
	DocumentMaxBytes int64    `envconfig:"WAYBILL_DOCUMENT_MAX_BYTES" default:"26214400"`
	DocumentTypes    []string `envconfig:"WAYBILL_DOCUMENT_TYPES"`

	// DriverUpdateRequired has drivers' phones take this release of their app.
	DriverUpdateRequired bool `envconfig:"WAYBILL_DRIVER_UPDATE_REQUIRED"`

	TrackingRateLimit float64  `envconfig:"WAYBILL_TRACKING_RATE_LIMIT" default:"2"`
	TrackingRateBurst int      `envconfig:"WAYBILL_TRACKING_RATE_BURST" default:"60"`
	TrustedProxies    []string `envconfig:"WAYBILL_TRUSTED_PROXIES"`

	SMTPURL       string        `envconfig:"WAYBILL_SMTP_URL" secret:"url"`
	SMTPFrom      string        `envconfig:"WAYBILL_SMTP_FROM"`
	SMSURL        string        `envconfig:"WAYBILL_SMS_URL" secret:"url"`
	SMSAccount    string        `envconfig:"WAYBILL_SMS_ACCOUNT"`
	SMSToken      string        `envconfig:"WAYBILL_SMS_TOKEN" secret:"text"`
	SMSFrom       string        `envconfig:"WAYBILL_SMS_FROM"`
	SendgridKey   string        `envconfig:"WAYBILL_SENDGRID_KEY"`
	PostmarkLogin string        `envconfig:"WAYBILL_POSTMARK_LOGIN" secret:"text"`
	ReportWait    time.Duration `envconfig:"WAYBILL_REPORT_WAIT" default:"72h"`
	SandboxSends  bool          `envconfig:"WAYBILL_SANDBOX_SENDS"`

	EmailsPerDay      int `envconfig:"WAYBILL_EMAILS_PER_DAY" default:"50000"`
	EmailsPerReceiver int `envconfig:"WAYBILL_EMAILS_PER_RECEIVER" default:"200"`
	SMSPerDay         int `envconfig:"WAYBILL_SMS_PER_DAY" default:"5000"`
	SMSPerReceiver    int `envconfig:"WAYBILL_SMS_PER_RECEIVER" default:"50"`

	TravelURL    string `envconfig:"WAYBILL_TRAVEL_URL" secret:"url"`
	PlanningDays int    `envconfig:"WAYBILL_PLANNING_DAYS" default:"14"`
	Planners     int    `envconfig:"WAYBILL_PLANNERS" default:"1"`

	RegionsDir    string `envconfig:"WAYBILL_REGIONS_DIR" default:"/var/lib/waybill/regions"`
	RoadsHTTPAddr string `envconfig:"WAYBILL_ROADS_HTTP_ADDR" default:"127.0.0.1:5005"`
	RoadProfiles  int    `envconfig:"WAYBILL_ROAD_PROFILES" default:"20"`
	OSRM          string `envconfig:"WAYBILL_OSRM"`
	Tilemaker     string `envconfig:"WAYBILL_TILEMAKER" default:"tilemaker"`

	GeocoderURL     string        `envconfig:"WAYBILL_GEOCODER_URL" secret:"url"`
	GeocoderKey     string        `envconfig:"WAYBILL_GEOCODER_KEY" secret:"text"`
	GeocoderContact string        `envconfig:"WAYBILL_GEOCODER_CONTACT"`
	GeocoderRate    float64       `envconfig:"WAYBILL_GEOCODER_RATE"`
	GeocoderPause   time.Duration `envconfig:"WAYBILL_GEOCODER_PAUSE" default:"30s"`
	GeocoderKeep    time.Duration `envconfig:"WAYBILL_GEOCODER_KEEP" default:"720h"`

	Map            string `envconfig:"WAYBILL_MAP"`
	MapAttribution string `envconfig:"WAYBILL_MAP_ATTRIBUTION"`

	SealingSecret         string   `envconfig:"WAYBILL_SEALING_SECRET" secret:"text"`
	SealingAlsoOpens      []string `envconfig:"WAYBILL_SEALING_ALSO_OPENS" secret:"text"`
	AllowPrivateProviders bool     `envconfig:"WAYBILL_SIGN_IN_ALLOW_PRIVATE"`
	AllowPrivateWebhooks  bool     `envconfig:"WAYBILL_WEBHOOK_ALLOW_PRIVATE"`

	LogLevel  string `envconfig:"WAYBILL_LOG_LEVEL" default:"info"`
	LogFormat string `envconfig:"WAYBILL_LOG_FORMAT" default:"auto"`

	TracesEndpoint string `envconfig:"OTEL_EXPORTER_OTLP_ENDPOINT" secret:"url"`

	ShutdownTimeout time.Duration `envconfig:"WAYBILL_SHUTDOWN_TIMEOUT" default:"30s"`
}

// defaults are the defaults that are not in the struct's tags, because they are
// rules or too long for a line.
func defaults() config {
	return config{
		ExportWindow: export.DefaultWindow,
		KeepEvents:   housekeeping.UsualOfLog,
		HeavyShare:   halfOfProcessors(),
		Importers:    max(fewestImporters, halfOfProcessors()),
		BodyBytes:    api.DefaultBodyBytes,
		BodyShare:    api.DefaultBodyShare,
		DocumentTypes: []string{
			"application/pdf", "image/jpeg", "image/png", "image/webp", "image/heic", "image/tiff",
			"text/plain", "text/csv", "application/xml", "text/xml", "application/json",
			"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		},
	}
}

// readConfig reads the settings from the environment and checks them.
func readConfig() (config, error) {
	c := defaults()
	if err := forgetEmpty(); err != nil {
		return c, err
	}
	if err := envconfig.Process("", &c); err != nil {
		var bad *envconfig.ParseError
		if errors.As(err, &bad) {
			return c, fmt.Errorf("%s is %q, not a %s", bad.KeyName, bad.Value, plainType(bad.TypeName))
		}
		return c, fmt.Errorf("read the settings: %w", err)
	}
	if c.DatabaseMigrateURL == "" {
		c.DatabaseMigrateURL = c.DatabaseURL
	}
	if c.PublicURL == "" {
		c.PublicURL = "http://" + c.HTTPAddr
	}
	if c.BuildID == "" && c.GivenBuildID != "" {
		c.Deployment, c.BuildID = c.GivenDeployment, c.GivenBuildID
	}
	return c, c.check()
}

// needDatabase refuses to continue without a database.
func (c config) needDatabase() error {
	if c.DatabaseURL == "" {
		return errors.New("DATABASE_URL is not set")
	}
	return nil
}

// plainType describes in plain words the expected value of a variable.
func plainType(name string) string {
	switch name {
	case "time.Duration":
		return "duration such as 90s or 2h"
	case "int", "int32", "int64", "float64":
		return "number"
	}
	return name
}

// forgetEmpty treats empty variables, as in compose files, like unset ones.
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
