package notification

// texts are the built-in templates of one event in one language.
type texts struct{ subject, body, sms string }

// builtIn returns the texts of an event; English where the language is unknown.
func builtIn(language string, event Event) texts {
	spoken, ok := builtIns[language]
	if !ok {
		spoken = builtIns["en"]
	}
	return spoken[event]
}

// The parts that the texts of a language share.
const (
	helloEN = "Hello{% if contact.firstName != '' %} {{ contact.firstName }}{% endif %},\n\n"
	helloNB = "Hei{% if contact.firstName != '' %} {{ contact.firstName }}{% endif %},\n\n"
	helloDA = "Hej{% if contact.firstName != '' %} {{ contact.firstName }}{% endif %},\n\n"
	address = "{{ stop.name }}{% if stop.address1 != '' %}, {{ stop.address1 }}{% endif %}, " +
		"{{ stop.postalCode }} {{ stop.city }}"

	placeEN = "{% if stop.city != '' %}\n\nPlace: " + address +
		"{% if stop.window != '' %}\nTime: {{ stop.window }}{% endif %}{% endif %}"
	placeNB = "{% if stop.city != '' %}\n\nSted: " + address +
		"{% if stop.window != '' %}\nTid: {{ stop.window }}{% endif %}{% endif %}"
	placeDA = "{% if stop.city != '' %}\n\nSted: " + address +
		"{% if stop.window != '' %}\nTid: {{ stop.window }}{% endif %}{% endif %}"
	etaEN = "{% if eta.from != '' %}, between {{ eta.from }} and {{ eta.to }}{% endif %}"
	etaNB = "{% if eta.from != '' %}, mellom {{ eta.from }} og {{ eta.to }}{% endif %}"
	etaDA = "{% if eta.from != '' %}, mellem {{ eta.from }} og {{ eta.to }}{% endif %}"

	movedEN  = "{% if eta.from != '' %}: between {{ eta.from }} and {{ eta.to }}{% endif %}."
	followEN = "{% if tracking.link != '' %}\n\nFollow it here: {{ tracking.link }}{% endif %}"
	movedNB  = "{% if eta.from != '' %}: mellom {{ eta.from }} og {{ eta.to }}{% endif %}."
	followNB = "{% if tracking.link != '' %}\n\nFølg den her: {{ tracking.link }}{% endif %}"
	movedDA  = "{% if eta.from != '' %}: mellem {{ eta.from }} og {{ eta.to }}{% endif %}."
	followDA = "{% if tracking.link != '' %}\n\nFølg den her: {{ tracking.link }}{% endif %}"

	followSMS = "{% if tracking.link != '' %} {{ tracking.link }}{% endif %}"
	window    = "{% if stop.window != '' %}, {{ stop.window }}{% endif %}"

	// Texts of orders speak of a series where the message is about one.
	ofSeries   = "{% if series.orders > 0 %}"
	ofOrder    = "{% else %}"
	end        = "{% endif %}"
	seriesName = "{% if series.name != '' %} ({{ series.name }}){% endif %}"
	fromTo     = "{{ series.first }}{% if series.last != series.first %} – {{ series.last }}{% endif %}"

	byeEN = "\n\nKind regards\n{{ organization.name }}"
	byeNB = "\n\nVennlig hilsen\n{{ organization.name }}"
	byeDA = "\n\nVenlig hilsen\n{{ organization.name }}"
)

var builtIns = map[string]map[Event]texts{
	"en": {
		OrderCreated: {
			ofSeries + "Recurring orders from {{ series.first }} are registered" +
				ofOrder + "Order {{ order.externalId }} is registered" + end,
			helloEN + ofSeries + "we have registered recurring orders" + seriesName + ", the first on {{ series.first }}." +
				ofOrder + "we have registered order {{ order.externalId }}." + end + placeEN + followEN + byeEN,
			"{{ organization.name }}: " + ofSeries + "recurring orders from {{ series.first }} are registered." +
				ofOrder + "order {{ order.externalId }} is registered" + window + "." + end + followSMS,
		},
		OrderCancelled: {
			ofSeries + "Recurring orders are cancelled" + ofOrder + "Order {{ order.externalId }} is cancelled" + end,
			helloEN + ofSeries + "these recurring orders" + seriesName + " are cancelled: {{ series.orders }}, " + fromTo + "." +
				ofOrder + "order {{ order.externalId }} is cancelled." + end + byeEN,
			"{{ organization.name }}: " + ofSeries + "recurring orders are cancelled ({{ series.orders }}): " + fromTo + "." +
				ofOrder + "order {{ order.externalId }} is cancelled." + end,
		},
		StopApproaching: {
			"We are on our way with order {{ order.externalId }}",
			helloEN + "our driver is on the way to you with order {{ order.externalId }}" + etaEN + "." + placeEN +
				followEN + byeEN,
			"{{ organization.name }}: our driver is on the way to you with order {{ order.externalId }}" + etaEN +
				"." + followSMS,
		},
		StopArrived: {
			"We have arrived with order {{ order.externalId }}",
			helloEN + "our driver has arrived with order {{ order.externalId }}." + placeEN + byeEN,
			"{{ organization.name }}: our driver has arrived with order {{ order.externalId }}.",
		},
		OrderDelivered: {
			"Order {{ order.externalId }} is delivered",
			helloEN + "order {{ order.externalId }} is delivered." + byeEN,
			"{{ organization.name }}: order {{ order.externalId }} is delivered.",
		},
		OrderFailed: {
			"Order {{ order.externalId }} could not be delivered",
			helloEN + "we could not deliver order {{ order.externalId }}. We will be in touch." + followEN + byeEN,
			"{{ organization.name }}: we could not deliver order {{ order.externalId }}. We will be in touch." + followSMS,
		},
		OrderReminder: {
			"Order {{ order.externalId }} is coming up",
			helloEN + "this is a reminder of order {{ order.externalId }}." + placeEN + followEN + byeEN,
			"{{ organization.name }}: a reminder of order {{ order.externalId }}" + window + "." + followSMS,
		},
		TimeMoved: {
			"New time for order {{ order.externalId }}",
			helloEN + "order {{ order.externalId }} has a new time" + movedEN + placeEN +
				followEN + byeEN,
			"{{ organization.name }}: new time for order {{ order.externalId }}" + movedEN + followSMS,
		},
	},
	"nb": {
		OrderCreated: {
			ofSeries + "Faste ordrer fra {{ series.first }} er registrert" +
				ofOrder + "Ordre {{ order.externalId }} er registrert" + end,
			helloNB + ofSeries + "vi har registrert faste ordrer" + seriesName + ", den første {{ series.first }}." +
				ofOrder + "vi har registrert ordre {{ order.externalId }}." + end + placeNB + followNB + byeNB,
			"{{ organization.name }}: " + ofSeries + "faste ordrer fra {{ series.first }} er registrert." +
				ofOrder + "ordre {{ order.externalId }} er registrert" + window + "." + end + followSMS,
		},
		OrderCancelled: {
			ofSeries + "Faste ordrer er kansellert" + ofOrder + "Ordre {{ order.externalId }} er kansellert" + end,
			helloNB + ofSeries + "disse faste ordrene" + seriesName + " er kansellert: {{ series.orders }}, " + fromTo + "." +
				ofOrder + "ordre {{ order.externalId }} er kansellert." + end + byeNB,
			"{{ organization.name }}: " + ofSeries + "faste ordrer er kansellert ({{ series.orders }}): " + fromTo + "." +
				ofOrder + "ordre {{ order.externalId }} er kansellert." + end,
		},
		StopApproaching: {
			"Vi er på vei med ordre {{ order.externalId }}",
			helloNB + "sjåføren vår er på vei til deg med ordre {{ order.externalId }}" + etaNB + "." + placeNB +
				followNB + byeNB,
			"{{ organization.name }}: sjåføren vår er på vei til deg med ordre {{ order.externalId }}" + etaNB +
				"." + followSMS,
		},
		StopArrived: {
			"Vi er fremme med ordre {{ order.externalId }}",
			helloNB + "sjåføren vår er fremme med ordre {{ order.externalId }}." + placeNB + byeNB,
			"{{ organization.name }}: sjåføren vår er fremme med ordre {{ order.externalId }}.",
		},
		OrderDelivered: {
			"Ordre {{ order.externalId }} er levert",
			helloNB + "ordre {{ order.externalId }} er levert." + byeNB,
			"{{ organization.name }}: ordre {{ order.externalId }} er levert.",
		},
		OrderFailed: {
			"Ordre {{ order.externalId }} kunne ikke leveres",
			helloNB + "vi kunne ikke levere ordre {{ order.externalId }}. Vi tar kontakt." + followNB + byeNB,
			"{{ organization.name }}: vi kunne ikke levere ordre {{ order.externalId }}. Vi tar kontakt." + followSMS,
		},
		OrderReminder: {
			"Ordre {{ order.externalId }} kommer snart",
			helloNB + "dette er en påminnelse om ordre {{ order.externalId }}." + placeNB + followNB + byeNB,
			"{{ organization.name }}: påminnelse om ordre {{ order.externalId }}" + window + "." + followSMS,
		},
		TimeMoved: {
			"Ny tid for ordre {{ order.externalId }}",
			helloNB + "ordre {{ order.externalId }} har fått en ny tid" + movedNB + placeNB +
				followNB + byeNB,
			"{{ organization.name }}: ny tid for ordre {{ order.externalId }}" + movedNB + followSMS,
		},
	},
	"da": {
		OrderCreated: {
			ofSeries + "Faste ordrer fra {{ series.first }} er registreret" +
				ofOrder + "Ordre {{ order.externalId }} er registreret" + end,
			helloDA + ofSeries + "vi har registreret faste ordrer" + seriesName + ", den første {{ series.first }}." +
				ofOrder + "vi har registreret ordre {{ order.externalId }}." + end + placeDA + followDA + byeDA,
			"{{ organization.name }}: " + ofSeries + "faste ordrer fra {{ series.first }} er registreret." +
				ofOrder + "ordre {{ order.externalId }} er registreret" + window + "." + end + followSMS,
		},
		OrderCancelled: {
			ofSeries + "Faste ordrer er annulleret" + ofOrder + "Ordre {{ order.externalId }} er annulleret" + end,
			helloDA + ofSeries + "disse faste ordrer" + seriesName + " er annulleret: {{ series.orders }}, " + fromTo + "." +
				ofOrder + "ordre {{ order.externalId }} er annulleret." + end + byeDA,
			"{{ organization.name }}: " + ofSeries + "faste ordrer er annulleret ({{ series.orders }}): " + fromTo + "." +
				ofOrder + "ordre {{ order.externalId }} er annulleret." + end,
		},
		StopApproaching: {
			"Vi er på vej med ordre {{ order.externalId }}",
			helloDA + "vores chauffør er på vej til dig med ordre {{ order.externalId }}" + etaDA + "." + placeDA +
				followDA + byeDA,
			"{{ organization.name }}: vores chauffør er på vej til dig med ordre {{ order.externalId }}" + etaDA +
				"." + followSMS,
		},
		StopArrived: {
			"Vi er fremme med ordre {{ order.externalId }}",
			helloDA + "vores chauffør er fremme med ordre {{ order.externalId }}." + placeDA + byeDA,
			"{{ organization.name }}: vores chauffør er fremme med ordre {{ order.externalId }}.",
		},
		OrderDelivered: {
			"Ordre {{ order.externalId }} er leveret",
			helloDA + "ordre {{ order.externalId }} er leveret." + byeDA,
			"{{ organization.name }}: ordre {{ order.externalId }} er leveret.",
		},
		OrderFailed: {
			"Ordre {{ order.externalId }} kunne ikke leveres",
			helloDA + "vi kunne ikke levere ordre {{ order.externalId }}. Vi kontakter dig." + followDA + byeDA,
			"{{ organization.name }}: vi kunne ikke levere ordre {{ order.externalId }}. Vi kontakter dig." + followSMS,
		},
		OrderReminder: {
			"Ordre {{ order.externalId }} kommer snart",
			helloDA + "dette er en påmindelse om ordre {{ order.externalId }}." + placeDA + followDA + byeDA,
			"{{ organization.name }}: påmindelse om ordre {{ order.externalId }}" + window + "." + followSMS,
		},
		TimeMoved: {
			"Ny tid for ordre {{ order.externalId }}",
			helloDA + "ordre {{ order.externalId }} har fået en ny tid" + movedDA + placeDA +
				followDA + byeDA,
			"{{ organization.name }}: ny tid for ordre {{ order.externalId }}" + movedDA + followSMS,
		},
	},
}
