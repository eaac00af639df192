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
		"\nTime: {{ stop.earliest }} to {{ stop.latest }}{% endif %}"
	placeNB = "{% if stop.city != '' %}\n\nSted: " + address +
		"\nTid: {{ stop.earliest }} til {{ stop.latest }}{% endif %}"
	placeDA = "{% if stop.city != '' %}\n\nSted: " + address +
		"\nTid: {{ stop.earliest }} til {{ stop.latest }}{% endif %}"
	etaEN = "{% if stop.eta != '' %}, about {{ stop.eta }}{% endif %}"
	etaNB = "{% if stop.eta != '' %}, ca. {{ stop.eta }}{% endif %}"
	etaDA = "{% if stop.eta != '' %}, ca. {{ stop.eta }}{% endif %}"
	byeEN = "\n\nKind regards\n{{ organization.name }}"
	byeNB = "\n\nVennlig hilsen\n{{ organization.name }}"
	byeDA = "\n\nVenlig hilsen\n{{ organization.name }}"
)

var builtIns = map[string]map[Event]texts{
	"en": {
		OrderCreated: {
			"Order {{ order.externalId }} is registered",
			helloEN + "we have registered order {{ order.externalId }}." + placeEN + byeEN,
			"{{ organization.name }}: order {{ order.externalId }} is registered, {{ stop.earliest }} to {{ stop.latest }}.",
		},
		OrderCancelled: {
			"Order {{ order.externalId }} is cancelled",
			helloEN + "order {{ order.externalId }} is cancelled." + byeEN,
			"{{ organization.name }}: order {{ order.externalId }} is cancelled.",
		},
		StopApproaching: {
			"We are on our way with order {{ order.externalId }}",
			helloEN + "our driver is on the way to you with order {{ order.externalId }}" + etaEN + "." + placeEN + byeEN,
			"{{ organization.name }}: our driver is on the way to you with order {{ order.externalId }}" + etaEN + ".",
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
			helloEN + "we could not deliver order {{ order.externalId }}. We will be in touch." + byeEN,
			"{{ organization.name }}: we could not deliver order {{ order.externalId }}. We will be in touch.",
		},
	},
	"nb": {
		OrderCreated: {
			"Ordre {{ order.externalId }} er registrert",
			helloNB + "vi har registrert ordre {{ order.externalId }}." + placeNB + byeNB,
			"{{ organization.name }}: ordre {{ order.externalId }} er registrert, {{ stop.earliest }} til {{ stop.latest }}.",
		},
		OrderCancelled: {
			"Ordre {{ order.externalId }} er kansellert",
			helloNB + "ordre {{ order.externalId }} er kansellert." + byeNB,
			"{{ organization.name }}: ordre {{ order.externalId }} er kansellert.",
		},
		StopApproaching: {
			"Vi er på vei med ordre {{ order.externalId }}",
			helloNB + "sjåføren vår er på vei til deg med ordre {{ order.externalId }}" + etaNB + "." + placeNB + byeNB,
			"{{ organization.name }}: sjåføren vår er på vei til deg med ordre {{ order.externalId }}" + etaNB + ".",
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
			helloNB + "vi kunne ikke levere ordre {{ order.externalId }}. Vi tar kontakt." + byeNB,
			"{{ organization.name }}: vi kunne ikke levere ordre {{ order.externalId }}. Vi tar kontakt.",
		},
	},
	"da": {
		OrderCreated: {
			"Ordre {{ order.externalId }} er registreret",
			helloDA + "vi har registreret ordre {{ order.externalId }}." + placeDA + byeDA,
			"{{ organization.name }}: ordre {{ order.externalId }} er registreret, {{ stop.earliest }} til {{ stop.latest }}.",
		},
		OrderCancelled: {
			"Ordre {{ order.externalId }} er annulleret",
			helloDA + "ordre {{ order.externalId }} er annulleret." + byeDA,
			"{{ organization.name }}: ordre {{ order.externalId }} er annulleret.",
		},
		StopApproaching: {
			"Vi er på vej med ordre {{ order.externalId }}",
			helloDA + "vores chauffør er på vej til dig med ordre {{ order.externalId }}" + etaDA + "." + placeDA + byeDA,
			"{{ organization.name }}: vores chauffør er på vej til dig med ordre {{ order.externalId }}" + etaDA + ".",
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
			helloDA + "vi kunne ikke levere ordre {{ order.externalId }}. Vi kontakter dig." + byeDA,
			"{{ organization.name }}: vi kunne ikke levere ordre {{ order.externalId }}. Vi kontakter dig.",
		},
	},
}
