package notification

import "strings"

// AlertFacts are the values available in messages about an alert.
type AlertFacts struct {
	Language, Organization string
	// Kind is that of the alert, and of an exception that of the exception.
	Kind string
	// Number and Driver are empty where an alert concerns none.
	Number, Driver string
	// At is a time of day, and Minutes by how much the threshold was passed.
	At, Minutes string
	// Page is the address of the day in the console.
	Page string
}

// RenderAlert returns the message about an alert. Kinds without a text of their own are exceptions.
func RenderAlert(facts *AlertFacts) Message {
	spoken, ok := alertTexts[facts.Language]
	if !ok {
		spoken = alertTexts["en"]
	}
	text, ok := spoken[facts.Kind]
	if !ok {
		text = spoken["EXCEPTION"]
	}
	about := facts.Number
	if about == "" {
		about = cleanName(facts.Driver)
	}
	driver := cleanName(facts.Driver)
	if driver == "" {
		driver = "–"
	}
	fill := strings.NewReplacer("{about}", inOneLine(about), "{driver}", driver, "{at}", facts.At,
		"{minutes}", facts.Minutes, "{page}", facts.Page, "{organization}", inOneLine(facts.Organization))
	return Message{Subject: fill.Replace(text.subject), Text: fill.Replace(text.body + spoken["END"].body)}
}

var alertTexts = map[string]map[string]texts{
	"en": {
		"LATE_BY": {
			"{about} will be late by {minutes} min",
			"Order {about} is expected at {at}, {minutes} minutes after its time window. Driver: {driver}.", "",
		},
		"SILENT_FOR": {"No signal from {about} for {minutes} min", "There has been no signal from {driver} since {at}.", ""},
		"FAILED":     {"{about} failed", "Order {about} failed at {at}. Driver: {driver}.", ""},
		"UNPLANNED":  {"{about} has no driver", "Order {about} has no driver.", ""},
		"EXCEPTION":  {"{about} needs attention", "There is an exception at {about}. Driver: {driver}.", ""},
		"END":        {"", "\n\nAcknowledge or snooze it here:\n{page}\n\n{organization}", ""},
	},
	"nb": {
		"LATE_BY": {
			"{about} blir {minutes} min forsinket",
			"Ordre {about} ventes {at}, {minutes} minutter etter tidsvinduet. Sjåfør: {driver}.", "",
		},
		"SILENT_FOR": {
			"Ikke noe signal fra {about} på {minutes} min",
			"Det har ikke kommet noe signal fra {driver} siden {at}.", "",
		},
		"FAILED":    {"{about} mislyktes", "Ordre {about} mislyktes {at}. Sjåfør: {driver}.", ""},
		"UNPLANNED": {"{about} har ingen sjåfør", "Ordre {about} har ingen sjåfør.", ""},
		"EXCEPTION": {"{about} trenger noen", "Det er et avvik ved {about}. Sjåfør: {driver}.", ""},
		"END":       {"", "\n\nBekreft eller utsett varselet her:\n{page}\n\n{organization}", ""},
	},
	"da": {
		"LATE_BY": {
			"{about} bliver {minutes} min forsinket",
			"Ordre {about} ventes {at}, {minutes} minutter efter tidsvinduet. Chauffør: {driver}.", "",
		},
		"SILENT_FOR": {
			"Intet signal fra {about} i {minutes} min",
			"Der er ikke kommet noget signal fra {driver} siden {at}.", "",
		},
		"FAILED":    {"{about} mislykkedes", "Ordre {about} mislykkedes {at}. Chauffør: {driver}.", ""},
		"UNPLANNED": {"{about} har ingen chauffør", "Ordre {about} har ingen chauffør.", ""},
		"EXCEPTION": {"{about} kræver nogen", "Der er en undtagelse ved {about}. Chauffør: {driver}.", ""},
		"END":       {"", "\n\nBekræft eller udsæt advarslen her:\n{page}\n\n{organization}", ""},
	},
}
