package organization

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"waybill/domain/email"
	"waybill/domain/notification"
	"waybill/domain/order"
)

// Messaging is the sender of an organization's messages. Secrets are given
// as names of environment variables; omitted values are the installation's.
type Messaging struct {
	EmailFrom string `yaml:"emailFrom"`
	EmailName string `yaml:"emailName"`
	SMSFrom   string `yaml:"smsFrom"`
	Country   string `yaml:"country"` // of numbers without their own
	// The names of variables.
	SMTPURL       string `yaml:"smtpUrl"`
	SMSAccount    string `yaml:"smsAccount"`
	SMSToken      string `yaml:"smsToken"`
	SendgridKey   string `yaml:"sendgridKey"`
	PostmarkLogin string `yaml:"postmarkLogin"`
}

// Notification is a rule: which event creates which message for whom. It is
// identified by event, channel and receiver. Texts that are left out have
// defaults.
type Notification struct {
	Event      string      `yaml:"event"`
	Channel    string      `yaml:"channel"`
	To         string      `yaml:"to"` // contacts, the customer, or an address
	Subject    string      `yaml:"subject"`
	Body       string      `yaml:"body"`
	HTML       string      `yaml:"html"`
	Message    string      `yaml:"message"`
	SendWindow *SendWindow `yaml:"sendWindow"`
	Series     string      `yaml:"series"`    // what recurring orders send: ONCE, EACH or NEVER
	DaysAhead  int         `yaml:"daysAhead"` // of reminders
}

// SendWindow is the part of a day in which text messages may be sent.
type SendWindow struct {
	From *order.Clock `yaml:"from"`
	To   *order.Clock `yaml:"to"`
}

// Rule returns the rule in its stored form. An address is normalized.
func (n *Notification) Rule(country string) notification.Rule {
	receiver, address := notification.ReceiverOf(n.To)
	rule := notification.Rule{
		Event: notification.Event(n.Event), Channel: notification.Channel(n.Channel), Receiver: receiver, Address: address,
		Subject: n.Subject, Body: n.Body, HTML: n.HTML,
		Series: cmp.Or(notification.Series(n.Series), notification.Once), DaysAhead: n.DaysAhead,
	}
	if rule.Channel == notification.SMS {
		rule.Body = n.Message
		if number, ok := notification.NormalizeNumber(address, country); ok {
			rule.Address = number
		}
	}
	if n.SendWindow != nil {
		rule.Window = &notification.Window{From: *n.SendWindow.From, To: *n.SendWindow.To}
	}
	return rule
}

// Country is the country of phone numbers without a country code.
func (d *Document) Country() string {
	if d.Messaging != nil && d.Messaging.Country != "" {
		return d.Messaging.Country
	}
	return notification.CountryOf(d.Organization.Timezone)
}

// secretName is how the variables of organizations begin: a document must not
// be able to have any other sent to a stranger's server.
const secretName = `^WAYBILL_(SMTP|SMS|SENDGRID|POSTMARK)_[A-Z0-9_]{1,100}$`

func (c *checker) messaging() {
	m := c.document.Messaging
	if m == nil {
		return
	}
	if _, ok := email.Normalize(m.EmailFrom); m.EmailFrom != "" && !ok {
		c.complain("messaging.emailFrom", "must be an address such as post@nordfrakt.example")
	}
	c.text("messaging.emailName", m.EmailName, maxName)
	if m.SMSFrom != "" && !notification.Sender(m.SMSFrom) {
		c.complain("messaging.smsFrom", "must be a number such as +4722334455, or a name of 1 to 11 letters and digits")
	}
	if m.Country != "" && !order.IsCountry(m.Country) {
		c.complain("messaging.country", "must be a two-letter ISO 3166-1 country code, such as NO")
	}
	for _, secret := range []struct{ key, variable string }{
		{"smtpUrl", m.SMTPURL},
		{"smsAccount", m.SMSAccount},
		{"smsToken", m.SMSToken},
		{"sendgridKey", m.SendgridKey},
		{"postmarkLogin", m.PostmarkLogin},
	} {
		if secret.variable != "" && !matches(secretName, secret.variable) {
			c.complain("messaging."+secret.key,
				"must be the name of an environment variable that begins with "+
					"WAYBILL_SMTP_, WAYBILL_SMS_, WAYBILL_SENDGRID_ or WAYBILL_POSTMARK_")
		}
	}
	if (m.SMSAccount == "") != (m.SMSToken == "") {
		c.complain("messaging", "needs both of smsAccount and smsToken, or neither")
	}
}

func (c *checker) notifications() {
	identities := seen[string]{}
	events := make([]string, len(notification.Events))
	for i, e := range notification.Events {
		events[i] = string(e)
	}
	for i := range c.document.Notifications {
		n, path := &c.document.Notifications[i], at("notifications", i)
		c.oneOf(path+".event", n.Event, events...)
		c.oneOf(path+".channel", n.Channel, string(notification.Email), string(notification.SMS))
		c.receiver(path+".to", n)
		c.messageTexts(path, n)
		c.series(path, n)
		if w := n.SendWindow; w != nil {
			c.sendWindow(path+".sendWindow", n.Channel, w)
		}
		if receiver, address := notification.ReceiverOf(n.To); n.To != "" {
			identities.add(c, fmt.Sprint(n.Event, n.Channel, receiver, Fold(address)), path, path)
		}
	}
}

// series checks a rule's settings for recurring orders and reminders.
func (c *checker) series(path string, n *Notification) {
	if n.Series != "" {
		c.oneOf(path+".series", n.Series, string(notification.Once), string(notification.Each), string(notification.Never))
	}
	switch isReminder := n.Event == string(notification.OrderReminder); {
	case isReminder && (n.DaysAhead < 1 || n.DaysAhead > notification.MaxDaysAhead):
		c.complain(path+".daysAhead", "must be from 1 to %d", notification.MaxDaysAhead)
	case !isReminder && n.DaysAhead != 0:
		c.complain(path+".daysAhead", "is only for the event %s", notification.OrderReminder)
	}
}

// receiver checks to whom a rule's messages go.
func (c *checker) receiver(path string, n *Notification) {
	receiver, address := notification.ReceiverOf(n.To)
	if receiver != notification.Address {
		return
	}
	ok := false
	if n.Channel == string(notification.SMS) {
		_, ok = notification.NormalizeNumber(address, c.document.Country())
	} else {
		_, ok = email.Normalize(address)
	}
	if !ok {
		c.complain(path, "must be DELIVERY_CONTACTS, PICKUP_CONTACTS, CUSTOMER, or an address of the channel")
	}
}

// messageTexts checks the templates of a rule, and that they are those of its
// channel.
func (c *checker) messageTexts(path string, n *Notification) {
	sms := n.Channel == string(notification.SMS)
	for _, t := range []struct {
		key, value string
		ofSMS      bool
	}{{"subject", n.Subject, false}, {"body", n.Body, false}, {"html", n.HTML, false}, {"message", n.Message, true}} {
		if t.value == "" {
			continue
		}
		if t.ofSMS != sms {
			c.complain(path+"."+t.key, "is not for the channel %s", n.Channel)
		}
		if len(t.value) > maxDescription {
			c.complain(path+"."+t.key, "must be %d bytes or fewer", maxDescription)
		} else if err := notification.CheckTemplate(t.value); err != nil {
			c.complain(path+"."+t.key, "%s", strings.TrimSpace(err.Error()))
		}
	}
}

func (c *checker) sendWindow(path, channel string, w *SendWindow) {
	if channel != string(notification.SMS) {
		c.complain(path, "is not for the channel %s", channel)
	}
	missing := slices.Contains([]*order.Clock{w.From, w.To}, nil)
	switch {
	case missing:
		c.complain(path, "needs both from and to")
	case *w.From == *w.To:
		c.complain(path+".to", "must differ from from")
	}
}
