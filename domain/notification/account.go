package notification

import "strings"

// Link is the placeholder in a message, and so in the log, for a URL that only
// the receiver may know. It is filled in when the message is sent.
const Link = "[link]"

// Code is the placeholder for a code that only the receiver may know, like
// Link.
const Code = "[code]"

// OfAccount reports whether a message is about an account or an alert, which no rule of messages makes.
func (k Key) OfAccount() bool { return k.RuleID == 0 }

// AccountFacts are the values available in messages about an account.
type AccountFacts struct{ Language, Organization, Name string }

// RenderAccount returns the message to an account's owner.
func RenderAccount(about Event, facts AccountFacts) Message {
	spoken, ok := accountTexts[facts.Language]
	if !ok {
		spoken = accountTexts["en"]
	}
	texts := spoken[about]
	fill := strings.NewReplacer("{name}", cleanName(facts.Name), "{organization}", inOneLine(facts.Organization))
	return Message{Subject: fill.Replace(texts.subject), Text: fill.Replace(texts.body)}
}

var accountTexts = map[string]map[Event]texts{
	"en": {
		AccountInvited: {
			"Your account with {organization}", "Hello {name},\n\nyou have got an account with {organization}. " +
				"Open this link within three days to choose your passphrase. It works once:\n\n" + Link +
				"\n\nIf you expected no invitation, leave it be.\n\nKind regards\n{organization}", "",
		},
		AccountReset: {
			"A new passphrase for {organization}", "Hello {name},\n\nsomebody, we hope you, asked for a new passphrase. " +
				"Open this link within an hour to choose one. It works once:\n\n" + Link +
				"\n\nIf that was not you, leave it be: nothing changes.\n\nKind regards\n{organization}", "",
		},
		AccountPassphraseChanged: {
			"Your passphrase was changed", "Hello {name},\n\nthe passphrase of your account with {organization} was " +
				"changed just now. If that was not you, tell your administrator at once.\n\nKind regards\n{organization}", "",
		},
		AccountFactorsChanged: {
			"How you sign in was changed", "Hello {name},\n\na passkey, one-time passwords or a sign-in elsewhere " +
				"was added to your account with {organization}, or removed from it, just now. If that was not you, tell " +
				"your administrator at once.\n\n" +
				"Kind regards\n{organization}", "",
		},
		AccountTokenCreated: {
			"A personal token was made", "Hello {name},\n\na personal token was made for your account with {organization} " +
				"just now. A script that has it may do what you may do. If you did not make it, revoke it on your account " +
				"page, choose a new passphrase, and tell your administrator at once.\n\nKind regards\n{organization}", "",
		},
		DriverLink: {"", "{organization}: open this link within 24 hours to connect your phone. It works once: " + Link, ""},
		DriverCode: {"", "{organization}: your code is " + Code + ". It is good for ten minutes. Give it to nobody.", ""},
	},
	"nb": {
		AccountInvited: {
			"Kontoen din hos {organization}", "Hei {name},\n\ndu har fått en konto hos {organization}. " +
				"Åpne denne lenken innen tre dager for å velge passfrase. Den virker én gang:\n\n" + Link +
				"\n\nVentet du ingen invitasjon, kan du se bort fra denne.\n\nVennlig hilsen\n{organization}", "",
		},
		AccountReset: {
			"Ny passfrase for {organization}", "Hei {name},\n\nnoen, forhåpentligvis du, har bedt om en ny passfrase. " +
				"Åpne denne lenken innen en time for å velge en. Den virker én gang:\n\n" + Link +
				"\n\nVar det ikke deg, kan du se bort fra denne: ingenting endres.\n\nVennlig hilsen\n{organization}", "",
		},
		AccountPassphraseChanged: {
			"Passfrasen din er endret", "Hei {name},\n\npassfrasen til kontoen din hos {organization} ble nettopp " +
				"endret. Var det ikke deg, si fra til administratoren med en gang.\n\nVennlig hilsen\n{organization}", "",
		},
		AccountFactorsChanged: {
			"Måten du logger inn på er endret", "Hei {name},\n\nen passnøkkel, engangskoder eller en innlogging hos andre " +
				"ble nettopp lagt til eller fjernet for kontoen din hos {organization}. Var det ikke deg, si fra til " +
				"administratoren med en gang.\n\nVennlig hilsen\n{organization}", "",
		},
		AccountTokenCreated: {
			"Et personlig token er laget", "Hei {name},\n\net personlig token ble nettopp laget for kontoen din hos " +
				"{organization}. Et skript som har det, kan gjøre det du kan gjøre. Var det ikke deg, trekk det tilbake på " +
				"kontosiden din, velg en ny passfrase, og si fra til administratoren med en gang.\n\n" +
				"Vennlig hilsen\n{organization}", "",
		},
		DriverLink: {"", "{organization}: åpne denne lenken innen 24 timer for å koble til telefonen. Den virker én " +
			"gang: " + Link, ""},
		DriverCode: {"", "{organization}: koden din er " + Code + ". Den gjelder i ti minutter. Gi den ikke til noen.", ""},
	},
	"da": {
		AccountInvited: {
			"Din konto hos {organization}", "Hej {name},\n\ndu har fået en konto hos {organization}. " +
				"Åbn dette link inden tre dage for at vælge en adgangssætning. Det virker én gang:\n\n" + Link +
				"\n\nVentede du ingen invitation, kan du se bort fra den.\n\nVenlig hilsen\n{organization}", "",
		},
		AccountReset: {
			"Ny adgangssætning til {organization}", "Hej {name},\n\nnogen, forhåbentlig dig, har bedt om en ny " +
				"adgangssætning. Åbn dette link inden en time for at vælge en. Det virker én gang:\n\n" + Link +
				"\n\nVar det ikke dig, kan du se bort fra den: intet ændres.\n\nVenlig hilsen\n{organization}", "",
		},
		AccountPassphraseChanged: {
			"Din adgangssætning er ændret", "Hej {name},\n\nadgangssætningen til din konto hos {organization} er lige " +
				"blevet ændret. Var det ikke dig, så sig det til administratoren med det samme.\n\n" +
				"Venlig hilsen\n{organization}", "",
		},
		AccountFactorsChanged: {
			"Måden du logger ind på er ændret", "Hej {name},\n\nen adgangsnøgle, engangskoder eller et login hos andre " +
				"er lige blevet tilføjet eller fjernet for din konto hos {organization}. Var det ikke dig, så sig det til " +
				"administratoren " +
				"med det samme.\n\nVenlig hilsen\n{organization}", "",
		},
		AccountTokenCreated: {
			"Et personligt token er lavet", "Hej {name},\n\net personligt token er lige blevet lavet for din konto hos " +
				"{organization}. Et script, der har det, kan gøre det, du kan gøre. Var det ikke dig, så træk det tilbage på " +
				"din kontoside, vælg en ny adgangssætning, og sig det til administratoren med det samme.\n\n" +
				"Venlig hilsen\n{organization}", "",
		},
		DriverLink: {"", "{organization}: åbn dette link inden 24 timer for at tilslutte telefonen. " +
			"Det virker én gang: " + Link, ""},
		DriverCode: {"", "{organization}: din kode er " + Code + ". Den gælder i ti minutter. Giv den ikke til nogen.", ""},
	},
}
