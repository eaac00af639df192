package main

import "reflect"

// setting is one variable with its documentation.
type setting struct {
	name, fallback, meaning, secret string
	field                           int
}

// settings are all variables, in the order of the struct.
func settings() []setting {
	var all []setting
	given := reflect.ValueOf(defaults())
	for i := range given.NumField() {
		tag := given.Type().Field(i).Tag
		s := setting{
			name: tag.Get("envconfig"), fallback: tag.Get("default"),
			meaning: meanings[tag.Get("envconfig")], secret: tag.Get("secret"), field: i,
		}
		if value := given.Field(i); !value.IsZero() {
			s.fallback = written(value.Interface())
		}
		all = append(all, s)
	}
	return all
}

// meanings describe the variables.
var meanings = map[string]string{
	"WAYBILL_HTTP_ADDR":      "The address that serve listens on.",
	"WAYBILL_WORK_HTTP_ADDR": "The private address where work serves /healthz, /readyz, /metrics and /debug, for operators only; disabled if empty.",
	"WAYBILL_PRIVATE_HTTP_ADDR": "The private address where serve answers /readyz, /metrics and /debug, such as :9090, for operators only. If empty, " +
		"the first two are at WAYBILL_HTTP_ADDR, and /debug is disabled.",
	"WAYBILL_PUBLIC_URL": "The public URL of the API; http://<WAYBILL_HTTP_ADDR> if empty.",
	"DATABASE_URL":       "The Postgres URL with a role that owns no tables. serve, work and most commands use it.",
	"DATABASE_MIGRATE_URL": "The Postgres URL with the owner of the tables, who may create roles, for migrate and other commands that need it; " +
		"DATABASE_URL if empty.",
	"DATABASE_READ_URL": "The URL of a replica from which serve reads lists, searches and counts, with WAYBILL_DATABASE_CONNS more " +
		"connections; DATABASE_URL if empty. Its data may be slightly old. If it is unavailable, serve reads from the database.",
	"DATABASE_OTHER_PASSWORD": "A second password for the roles in DATABASE_URL and DATABASE_READ_URL, for changing it without downtime: used for a " +
		"new connection if Postgres refuses the password in the URL. While it is set, each new connection is preceded by a test connection.",
	"WAYBILL_CHECK_CONNS": "Log an error with stack traces if code takes a second database connection while it holds one. " +
		"For tests.",
	"WAYBILL_DATABASE_CONNS": "The maximum number of Postgres connections per process.",
	"TEMPORAL_ADDRESS":       "The address of the Temporal server.",
	"TEMPORAL_NAMESPACE":     "The Temporal namespace.",
	"TEMPORAL_API_KEY":       "The API key for the Temporal server, as Temporal Cloud requires it. It is sent over TLS only.",
	"TEMPORAL_TLS": "Whether to connect to the Temporal server over TLS: true or false. If empty, TLS is used if an API key or one of " +
		"the certificates below is set.",
	"TEMPORAL_TLS_SERVER_CA_CERT_PATH": "The file with the CA certificates for the Temporal server's certificate; those of the system " +
		"if empty.",
	"TEMPORAL_TLS_SERVER_NAME":      "The name in the Temporal server's certificate, if it differs from the host in TEMPORAL_ADDRESS.",
	"TEMPORAL_TLS_CLIENT_CERT_PATH": "The file with the client certificate for the Temporal server; none if empty.",
	"TEMPORAL_TLS_CLIENT_KEY_PATH":  "The file with the private key of the client certificate.",
	"WAYBILL_TEMPORAL_UI": "The URL of the Temporal UI, such as https://temporal.example.com, for links from orders' timelines. " +
		"No links if empty.",
	"WAYBILL_DEPLOYMENT": "The name of the worker deployment. Used with WAYBILL_BUILD_ID.",
	"WAYBILL_BUILD_ID": "The release of the workers, such as 0.2.0: they get only tasks that Temporal routes to that " +
		"version of the deployment. Workers are unversioned if empty.",
	"TEMPORAL_DEPLOYMENT_NAME": "The name of the worker deployment, as Temporal's Worker Controller sets it. Used with " +
		"TEMPORAL_WORKER_BUILD_ID.",
	"TEMPORAL_WORKER_BUILD_ID": "The version of the workers, as Temporal's Worker Controller sets it. Used if WAYBILL_BUILD_ID is empty.",
	"WAYBILL_RATE_LIMIT":       "Sustained requests per second for each key and serve process; 0 means no limit.",
	"WAYBILL_RATE_BURST":       "Burst of requests allowed for each key and serve process.",
	"WAYBILL_IMPORT_WAIT":      "How long a request waits for its import before it returns 202.",
	"WAYBILL_EXPORT_WINDOW": "How long after its last successful export a changed order returns to the " +
		"export feed.",
	"WAYBILL_KEEP_EVENTS": "How long the log is kept, in whole months; at least 90 days (2160h).",
	"WAYBILL_CPU_PROFILE": "The folder where serve and work write a CPU profile when they stop; no profile if empty.",
	"GOMEMLIMIT": "The soft memory limit of a process, such as 900MiB. Set it to four fifths of the memory of its host or container. " +
		"off means no limit.",
	"WAYBILL_HEAVY_SHARE": "How many heavy requests (imports, lists, searches, previews) of one organization each serve process handles " +
		"at a time. The default is half the number of processors. 0 means no limit.",
	"WAYBILL_IMPORTERS": "How many chunks of bulk imports each work process handles at a time. The default is half the number of " +
		"processors, but at least four. One organization gets half of them, but at least four.",
	"WAYBILL_BODY_BYTES": "How many bytes of request bodies over 64 KiB each serve process holds in memory at a time. They take about " +
		"three times as much memory. Further requests get 503.",
	"WAYBILL_BODY_SHARE": "How many of these bytes one organization may use. Further requests get 429.",
	"WAYBILL_BLOB_URL": "The storage of documents and proofs: file:///folder, s3://bucket?region=…, gs://bucket " +
		"or azblob://container. The query accepts the options of gocloud.dev/blob.",
	"WAYBILL_DOCUMENT_MAX_BYTES":  "The maximum size of a document, in bytes.",
	"WAYBILL_DOCUMENT_TYPES":      "The allowed media types of documents.",
	"WAYBILL_TRACKING_RATE_LIMIT": "Sustained tracking page requests per second for each IP address and serve process; 0 means no limit.",
	"WAYBILL_TRACKING_RATE_BURST": "Burst of tracking page requests allowed for each IP address and serve process.",
	"WAYBILL_DRIVER_UPDATE_REQUIRED": "Whether drivers' phones must update to this release of the app. A phone updates as soon as " +
		"no stop is open and nothing is being sent.",
	"WAYBILL_TRUSTED_PROXIES": "Networks of the proxies in front of serve, such as 10.0.0.0/8. Their X-Forwarded-For header gives the client's IP " +
		"address. Disabled if empty.",
	"WAYBILL_SMTP_URL": "The URL of the mail server, such as smtp://user:password@host:587 or smtps://host. TLS is required with a password " +
		"or with ?tls=required. No email is sent if empty.",
	"WAYBILL_SMTP_FROM":      "The default sender of emails, for organizations without a sender of their own.",
	"WAYBILL_SMS_URL":        "The URL of Twilio's API; Twilio's own URL if empty.",
	"WAYBILL_SMS_ACCOUNT":    "The Twilio account. No text message is sent if empty.",
	"WAYBILL_SMS_TOKEN":      "The Twilio account's token. It also authenticates delivery reports.",
	"WAYBILL_SMS_FROM":       "The default sender of text messages, for organizations without a sender of their own.",
	"WAYBILL_SENDGRID_KEY":   "SendGrid's public key, to verify reports of its event webhook.",
	"WAYBILL_POSTMARK_LOGIN": "The credentials of Postmark's webhook, as user:password.",
	"WAYBILL_REPORT_WAIT": "How long a message's workflow waits for the provider's delivery report, if the provider sends any. Later reports are " +
		"recorded too.",
	"WAYBILL_SANDBOX_SENDS": "Whether messages about orders of sandboxes are really sent. Otherwise they are only logged.",
	"WAYBILL_EMAILS_PER_DAY": "How many emails the rules of an organization may create per day. Further emails fail with TooMany. 0 means no " +
		"limit.",
	"WAYBILL_EMAILS_PER_RECEIVER": "How many of these emails may go to one contact of orders; 0 means no limit.",
	"WAYBILL_SMS_PER_DAY":         "How many text messages the rules of an organization may create per day; 0 means no limit.",
	"WAYBILL_SMS_PER_RECEIVER":    "How many of these text messages may go to one contact of orders; 0 means no limit.",
	"WAYBILL_TRAVEL_URL": "The server for travel times: osrm+http://host:5000 or valhalla+https://host:8002. ?table=1000 is " +
		"OSRM's --max-table-size, 6000 for that of roads, and classes=yes says that it has data for vehicle classes, as roads has. " +
		"If empty, travel times are " +
		"computed as the crow flies.",
	"WAYBILL_PLANNING_DAYS": "How many days after today Waybill plans.",
	"WAYBILL_PLANNERS":      "How many plans one work process computes at a time.",
	"WAYBILL_REGIONS_DIR":   "The folder with the road data and map tiles of regions. region writes it; serve and roads read it.",
	"WAYBILL_ROADS_HTTP_ADDR": "The private address where roads answers requests for travel times and routes, and /readyz and " +
		"/metrics.",
	"WAYBILL_ROAD_PROFILES": "How many profiles road data are built for: cars, trucks, bikes and vehicle classes, the most common ones " +
		"first. Each needs its own disk space and memory. region and roads use it.",
	"WAYBILL_OSRM":      "The folder with OSRM's bin and profiles, for region and roads. If empty, OSRM's programs on PATH are used.",
	"WAYBILL_TILEMAKER": "The program that builds map tiles: its path, or its name on PATH.",
	"WAYBILL_GEOCODER_URL": "The geocoding provider for addresses that no register has: photon+https://host, nominatim+https://host or " +
		"pelias+https://host. Only street, number, postal code, city and country are sent. No provider is asked if empty.",
	"WAYBILL_GEOCODER_KEY":     "The API key of a Pelias provider, if it needs one.",
	"WAYBILL_GEOCODER_CONTACT": "An email address or URL at which the provider reaches you, sent as part of the User-Agent. Nominatim requires it.",
	"WAYBILL_GEOCODER_RATE": "How many addresses each work process asks the provider for per second; 0 means 1 for Nominatim and 10 for " +
		"the others. With several work processes, divide what the provider allows by their number.",
	"WAYBILL_GEOCODER_PAUSE": "How long the provider is left alone after three failures in a row.",
	"WAYBILL_GEOCODER_KEEP":  "How long the provider's answers are kept and used, as its terms allow.",
	"WAYBILL_MAP": "The base map of the console, in addition to the built-in coastlines: pmtiles:/data/nordic.pmtiles is a file that " +
		"serve delivers, https://host/{z}/{x}/{y}.png is a source of raster tiles, and any other URL is a MapLibre style. " +
		"Browsers then send requests to that host.",
	"WAYBILL_MAP_ATTRIBUTION": "The attribution shown on that map; required with WAYBILL_MAP.",
	"WAYBILL_SEALING_SECRET": "The secret that, together with a key in the database, encrypts one-time password seeds and the secrets of identity " +
		"providers and webhooks. At least 32 characters, such as the output of openssl rand -base64 32, and the same in all " +
		"processes: a process with another secret does not start. If empty, only the key in the database is used.",
	"WAYBILL_SEALING_ALSO_OPENS": "Other secrets that can decrypt existing data, separated by commas, while you change the secret: first the new one, " +
		"then the old one.",
	"WAYBILL_SIGN_IN_ALLOW_PRIVATE": "Whether to allow identity providers in private networks and over plain HTTP.",
	"WAYBILL_WEBHOOK_ALLOW_PRIVATE": "Whether to allow webhook endpoints in private networks and over plain HTTP.",
	"WAYBILL_LOG_LEVEL":             "The minimum log level: debug, info, warn or error.",
	"WAYBILL_LOG_FORMAT":            "The log format: text, json, or auto, which is text on a terminal and JSON otherwise.",
	"OTEL_EXPORTER_OTLP_ENDPOINT": "The endpoint for traces (OTLP over HTTP); disabled if empty. The other standard OTEL_ " +
		"variables apply too.",
	"WAYBILL_SHUTDOWN_TIMEOUT": "How long requests, and then activities, may take to finish when the process " +
		"stops.",
}
