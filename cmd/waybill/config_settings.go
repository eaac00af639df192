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

// meanings say what each variable is for.
var meanings = map[string]string{
	"WAYBILL_HTTP_ADDR":      "Where serve listens.",
	"WAYBILL_WORK_HTTP_ADDR": "Where work answers /healthz, /readyz, /metrics and /debug, for operators alone; disabled when empty.",
	"WAYBILL_PRIVATE_HTTP_ADDR": "Where serve answers /readyz, /metrics and /debug, such as :9090, for operators alone; when empty, the " +
		"first two are with everything else, and /debug is disabled.",
	"WAYBILL_PUBLIC_URL": "The API's address as the outside sees it; http://<WAYBILL_HTTP_ADDR> when empty.",
	"DATABASE_URL":       "Postgres, as a role that owns no tables. serve, work, apply and keys use it.",
	"DATABASE_MIGRATE_URL": "Postgres, as the owner of the tables, who may create roles. Only migrate uses it; " +
		"DATABASE_URL when empty.",
	"DATABASE_READ_URL": "A replica of the database, where serve reads lists, searches and counts, with as many connections " +
		"again; DATABASE_URL when empty. What it answers may be a moment old. While it is out of reach, the database answers.",
	"DATABASE_OTHER_PASSWORD": "The other password of the roles of DATABASE_URL and DATABASE_READ_URL while it is being changed: used for a new " +
		"connection when Postgres refuses the one of the URL. While it is set, each new connection is tried out by one of its own first.",
	"WAYBILL_CHECK_CONNS": "Whether an error is logged, with the stacks, when something takes a second connection while it holds one. " +
		"It is for tests.",
	"WAYBILL_DATABASE_CONNS": "The most connections to Postgres that one process holds.",
	"TEMPORAL_ADDRESS":       "The Temporal server.",
	"TEMPORAL_NAMESPACE":     "The Temporal namespace.",
	"TEMPORAL_API_KEY":       "The key for the Temporal server, as Temporal Cloud wants it; it is sent by TLS only.",
	"TEMPORAL_TLS": "Whether the Temporal server is reached by TLS, true or false; when empty, it is if there is a " +
		"key or one of the certificates below.",
	"TEMPORAL_TLS_SERVER_CA_CERT_PATH": "The certificates that the Temporal server's must come from; the system's " +
		"when empty.",
	"TEMPORAL_TLS_SERVER_NAME":      "The name in the Temporal server's certificate, when it is another one.",
	"TEMPORAL_TLS_CLIENT_CERT_PATH": "Our own certificate for the Temporal server; none when empty.",
	"TEMPORAL_TLS_CLIENT_KEY_PATH":  "The private key of that certificate.",
	"WAYBILL_TEMPORAL_UI": "Where people see workflows, such as https://temporal.example.com: the stories of orders link " +
		"there. No links when empty.",
	"WAYBILL_DEPLOYMENT": "The worker deployment that the processes belong to, with WAYBILL_BUILD_ID.",
	"WAYBILL_BUILD_ID": "Which release works, such as 0.2.0: workers then get only what Temporal sends to that " +
		"version of the deployment. Workers have no version when empty.",
	"WAYBILL_RATE_LIMIT":  "Requests per second that a key may send to each serve over time; 0 is no limit.",
	"WAYBILL_RATE_BURST":  "Requests that a key may send to each serve at once.",
	"WAYBILL_IMPORT_WAIT": "How long an import is waited for before it is answered with 202.",
	"WAYBILL_EXPORT_WINDOW": "How long after its last successful export a change brings an order back into the " +
		"export feed.",
	"WAYBILL_KEEP_EVENTS": "How long the log is kept, by whole months: 120 days, and never under 90 (2160h).",
	"WAYBILL_CPU_PROFILE": "A folder in which serve and work, when they end, leave a profile of where their processor time went; none when empty.",
	"GOMEMLIMIT": "The memory that a process tries to stay below, such as 900MiB: four fifths of what its host or container " +
		"has for it. off is no limit.",
	"WAYBILL_HEAVY_SHARE": "How many heavy requests (imports, lists, searches, previews) of one organization each serve works on " +
		"at a time: half as many as it has processors, when nobody says. 0 is no bound.",
	"WAYBILL_IMPORTERS": "How many chunks of bulk imports, whoever sends them, each work is busy with at a time: half as many as it " +
		"has processors, and four at least, when nobody says. One organization has half of them, and four at least.",
	"WAYBILL_BODY_BYTES": "How many bytes of bodies each serve has in memory at a time, those up to 64 KiB aside; they cost " +
		"it about three times as much. More are refused with 503.",
	"WAYBILL_BODY_SHARE": "How many of them one organization may have. More are refused with 429.",
	"WAYBILL_BLOB_URL": "Where documents and proofs are kept: file:///folder, s3://bucket?region=…, gs://bucket " +
		"or azblob://container. The query takes the options of gocloud.dev/blob.",
	"WAYBILL_DOCUMENT_MAX_BYTES":  "How large a document may be.",
	"WAYBILL_DOCUMENT_TYPES":      "The media types that a document may have.",
	"WAYBILL_TRACKING_RATE_LIMIT": "Tracking pages per second that an address may ask each serve for over time; 0 is no limit.",
	"WAYBILL_TRACKING_RATE_BURST": "Tracking pages that an address may ask each serve for at once.",
	"WAYBILL_DRIVER_UPDATE_REQUIRED": "Whether drivers' phones must take this release of their app: each does as soon as " +
		"no stop is open and nothing is being sent.",
	"WAYBILL_TRUSTED_PROXIES": "Networks of the proxies in front of serve, such as 10.0.0.0/8, whose " +
		"X-Forwarded-For says which address asks; disabled when empty.",
	"WAYBILL_SMTP_URL": "The mail server, such as smtp://user:password@host:587 or smtps://host; with a password, " +
		"or with ?tls=required, only encrypted. No email is sent when empty.",
	"WAYBILL_SMTP_FROM":      "Who emails are from when the organization's document does not say.",
	"WAYBILL_SMS_URL":        "Where Twilio's API is; Twilio's own address when empty.",
	"WAYBILL_SMS_ACCOUNT":    "The Twilio account. No text message is sent when empty.",
	"WAYBILL_SMS_TOKEN":      "The Twilio account's token; it also proves who sends reports.",
	"WAYBILL_SMS_FROM":       "Who text messages are from when the organization's document does not say.",
	"WAYBILL_SENDGRID_KEY":   "SendGrid's public key, by which reports of its event webhook are known.",
	"WAYBILL_POSTMARK_LOGIN": "The login of Postmark's webhook, as user:password.",
	"WAYBILL_REPORT_WAIT": "How long the workflow of a message waits for a provider's report, where one can come. Later reports count " +
		"as well.",
	"WAYBILL_SANDBOX_SENDS": "Whether messages about orders of sandboxes really go out; they are only logged otherwise.",
	"WAYBILL_EMAILS_PER_DAY": "How many emails rules of an organization may make on a day; those beyond fail as TooMany. 0 is no " +
		"bound.",
	"WAYBILL_EMAILS_PER_RECEIVER": "How many of them for one contact of orders; 0 is no bound.",
	"WAYBILL_SMS_PER_DAY":         "How many text messages rules of an organization may make on a day; 0 is no bound.",
	"WAYBILL_SMS_PER_RECEIVER":    "How many of them for one contact of orders; 0 is no bound.",
	"WAYBILL_TRAVEL_URL": "The server that knows travel times: osrm+http://host:5000 or valhalla+https://host:8002; they " +
		"are as the crow flies when empty.",
	"WAYBILL_PLANNING_DAYS": "How many days after today are planned.",
	"WAYBILL_PLANNERS":      "How many plans one process searches at a time.",
	"WAYBILL_MAP": "What maps of the console are drawn on, besides the coasts that it has itself: pmtiles:/data/nordic.pmtiles " +
		"is a file that is served from here, https://host/{z}/{x}/{y}.png are pictures, and any other address is a style of " +
		"MapLibre. Browsers then ask that host.",
	"WAYBILL_MAP_ATTRIBUTION": "Whom such a map must name; needed with WAYBILL_MAP.",
	"WAYBILL_SEALING_SECRET": "What seeds of one-time passwords and secrets of identity providers and webhooks are encrypted with, besides " +
		"a key in the database; at least 32 characters, such as openssl rand -base64 32 writes, and the same in all processes: one with another secret does not start. " +
		"The key in the database alone when empty.",
	"WAYBILL_SEALING_ALSO_OPENS": "Other secrets that what was encrypted with them is opened by, separated by commas: the next one, and then the " +
		"one before, while the secret is changed.",
	"WAYBILL_SIGN_IN_ALLOW_PRIVATE": "Whether people may sign in with identity providers in private networks, and by http.",
	"WAYBILL_WEBHOOK_ALLOW_PRIVATE": "Whether webhooks may be sent to addresses in private networks, and by http.",
	"WAYBILL_LOG_LEVEL":             "The least level that is logged: debug, info, warn or error.",
	"WAYBILL_LOG_FORMAT":            "text, json, or auto: text on a terminal and JSON otherwise.",
	"OTEL_EXPORTER_OTLP_ENDPOINT": "Where traces go (OTLP over HTTP); disabled when empty. The other OTEL_ " +
		"variables of the standard hold too.",
	"WAYBILL_SHUTDOWN_TIMEOUT": "How long requests, and then activities, may take to finish when the process is " +
		"stopped.",
}
