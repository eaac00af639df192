// Package housekeeping defines the periodic duties for all organizations: which data
// is kept how long, and which workflows are checked. The code that carries them out
// lives elsewhere.
package housekeeping

import "time"

// Duty is something that is done now and then for all organizations.
type Duty string

// Duties that delete expired data.
const (
	Keys         Duty = "keys"
	SignIns      Duty = "sign-ins"
	Tallies      Duty = "tallies"
	Positions    Duty = "positions"
	Imports      Duty = "imports"
	Templates    Duty = "template-changes"
	Texts        Duty = "message-texts"
	Payloads     Duty = "export-payloads"
	Bodies       Duty = "carrier-bodies"
	Links        Duty = "tracking-links"
	Pictures     Duty = "pictures"
	Sessions     Duty = "sessions"
	Codes        Duty = "account-codes"
	Legs         Duty = "travel-legs"
	Documents    Duty = "documents"
	Files        Duty = "files"
	ParkedEvents Duty = "parked-events"
	Webhooks     Duty = "webhook-attempts"
	PlaceAnswers Duty = "place-answers"
	Log          Duty = "log"
	// Personal erases personal data when its organization's retention period
	// ends.
	Personal Duty = "personal-data"
	// Orders archives and removes orders when their organization's retention
	// period ends.
	Orders Duty = "orders"
)

// Room is the duty that creates the log's partitions for the coming months.
const Room Duty = "log-room"

// Reminders is the duty that marks upcoming orders, for rules that send
// reminders.
const Reminders Duty = "reminders"

// Duties that restart missing workflows of records that should have one.
const (
	LiveTemplates   Duty = "live-templates"
	LiveExports     Duty = "live-exports"
	LivePlans       Duty = "live-plans"
	LiveMessages    Duty = "live-messages"
	LiveDrives      Duty = "live-drives"
	LiveSimulations Duty = "live-simulations"
	LiveWebhooks    Duty = "live-webhooks"
	LiveResendings  Duty = "live-resendings"
	LivePlaces      Duty = "live-places"
	LiveLearning    Duty = "live-learning"
)

// LiveImports is the duty that ends imports without a workflow. They are never
// restarted, because they could overwrite later changes.
const LiveImports Duty = "live-imports"

const day = 24 * time.Hour

// The minimum and the default retention of the log.
const (
	LeastOfLog = 90 * day
	UsualOfLog = 120 * day
)

// rule describes a duty.
type rule struct {
	duty Duty
	// keeps is how long data is kept; 0 means until it expires.
	keeps time.Duration
	about string
	done  string
}

// rules are the rules of all duties, in the sequence in which they run: those
// that free space come first, and files after the duties that may drop
// references to them.
var rules = []rule{
	{Room, 0, "future months of the log", created},
	{Reminders, 0, "orders due for reminders", recorded},
	{Keys, 0, "expired idempotency keys", deleted},
	{SignIns, day, "sign-in challenges and failures older than a day", deleted},
	{Tallies, 2 * day, "message counts from before yesterday", deleted},
	{Positions, 30 * day, "driver positions and driven ways older than 30 days", deleted},
	{Imports, 30 * day, "imports older than 30 days, with their requests and results", deleted},
	{Templates, 30 * day, "changes of recurring orders older than 30 days", deleted},
	{Texts, 400 * day, "message texts older than 400 days", deleted},
	{Payloads, 30 * day, "shipments acknowledged by carriers and last needed more than 30 days ago", deleted},
	{Bodies, 90 * day, "texts of carriers' reports older than 90 days", deleted},
	{Links, 30 * day, "tracking links that expired more than 30 days ago", deleted},
	{Webhooks, 30 * day, "webhook attempts older than 30 days, and endpoints removed before then", deleted},
	{Pictures, 35 * day, "pictures older than 35 days without a proof or failure", deleted},
	{Sessions, 90 * day, "sessions, tokens and devices that expired more than 90 days ago", deleted},
	{Codes, 30 * day, "account codes that expired more than 30 days ago", deleted},
	{Legs, 30 * day, "travel times older than 30 days", deleted},
	{Personal, 0, "orders, drafts, locations and drivers with personal data past its retention period", erased},
	{Orders, 0, "orders, drafts and days beyond their organization's retention period", archived},
	{PlaceAnswers, 0, "expired answers of the geocoding provider", deleted},
	{Documents, 30 * day, "documents unreferenced for 30 days", deleted},
	{Files, 2 * day, "unreferenced files older than two days", deleted},
	{Log, UsualOfLog, "expired months of the log", dropped},
	{ParkedEvents, UsualOfLog, "records of events that followers left out", deleted},
	{LiveTemplates, 0, "recurring orders without a workflow", started},
	{LiveExports, 0, "exports without a workflow", started},
	{LivePlans, 0, "plans without a workflow", started},
	{LiveMessages, 0, "messages without a workflow", started},
	{LiveDrives, 0, "drivers' days without a workflow", started},
	{LiveSimulations, 0, "sandbox runs without a workflow", started},
	{LiveWebhooks, 0, "webhook endpoints without a workflow", started},
	{LiveResendings, 0, "resendings without a workflow", started},
	{LivePlaces, 0, "addresses to place without a workflow", started},
	{LiveLearning, 0, "organizations that learn travel times without a workflow", started},
	{LiveImports, 0, "imports without a workflow", ended},
}

// What duties do, in words.
const (
	deleted  = "deleted"
	dropped  = "dropped"
	created  = "created"
	recorded = "recorded"
	started  = "restarted"
	ended    = "ended as failed"
	erased   = "erased"
	archived = "archived and removed"
)

// Duties are all duties, in the order in which they run.
func Duties() []Duty {
	all := make([]Duty, len(rules))
	for i, r := range rules {
		all[i] = r.duty
	}
	return all
}

// Known reports whether the duty exists.
func (d Duty) Known() bool { return d.rule().about != "" }

// Words describes the data or records of a duty, and Done its effect on
// them.
func (d Duty) Words() string {
	if about := d.rule().about; about != "" {
		return about
	}
	return string(d)
}

// Done describes the effect of a duty.
func (d Duty) Done() string {
	if done := d.rule().done; done != "" {
		return done
	}
	return "done"
}

// Keeps returns the default retention of a duty's data.
func (d Duty) Keeps() time.Duration { return d.rule().keeps }

func (d Duty) rule() rule {
	for _, r := range rules {
		if r.duty == d {
			return r
		}
	}
	return rule{}
}

// Batch is the result of one step of a duty. Left reports that more remains to
// be done.
type Batch struct {
	Done int  `json:"done"`
	Left bool `json:"left,omitempty"`
}

// Life is a record that should have a running workflow. Its duty determines its
// type, and thereby which of the other fields are set.
type Life struct {
	OrgID int64
	// ID is that of its row; of a day on the road, the driver's.
	ID  int64
	Day time.Time
	// Other is the department of a plan, the pace of a simulation and the order
	// of a message, or 0.
	Other int64
	// Name is the number of an order, and the workflow ID of a message.
	Name string
	// Of a message.
	Event, Channel, Key string
}

// Look is the result of checking some lives: those whose workflow must be restarted, and
// how many of all have a failed workflow.
type Look struct {
	Gone   []Life
	Failed int
}

// Kind is the database's name for the records that the duty checks; empty when it
// checks none.
func (d Duty) Kind() string {
	return map[Duty]string{
		LiveTemplates: "template", LiveExports: "export", LivePlans: "plan", LiveMessages: "message",
		LiveDrives: "drive", LiveSimulations: "simulation", LiveWebhooks: "webhook", LiveImports: "import",
		LiveResendings: "resending", LivePlaces: "places",
		LiveLearning: "learning",
	}[d]
}
