package masterdata

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"waybill/domain/email"
	"waybill/domain/fault"
	"waybill/domain/notification"
)

// NotificationRule maps an event to a message and its receiver. Nil texts mean
// the built-in ones.
type NotificationRule struct {
	Event     string  `json:"event"`
	Channel   string  `json:"channel"`
	Receiver  string  `json:"receiver"`
	Address   *string `json:"address"`
	Subject   *string `json:"subject"`
	Body      *string `json:"body"`
	BodyHTML  *string `json:"body_html"`
	SendFrom  *string `json:"send_from"`
	SendUntil *string `json:"send_until"`
	Series    string  `json:"series"`
	DaysAhead *int32  `json:"days_ahead"`
	IsActive  bool    `json:"is_active"`
}

// maxTemplate is the longest template, in bytes.
const maxTemplate = 10_000

// Kind implements Record.
func (*NotificationRule) Kind() Kind { return NotificationRules }

// Called implements Record: no two rules make messages of the same event on the
// same channel for the same receiver.
func (r *NotificationRule) Called() string {
	receiver := r.Receiver
	if r.Address != nil {
		receiver = *r.Address
	}
	return strings.Join([]string{r.Event, r.Channel, receiver}, " ")
}

// Active implements Record.
func (r *NotificationRule) Active() bool { return r.IsActive }

// References implements Record.
func (*NotificationRule) References() []Reference { return nil }

// Check implements Record.
func (r *NotificationRule) Check() error {
	var c checker
	c.oneOf("event", r.Event, texts(notification.Events)...)
	c.oneOf("channel", r.Channel, texts(notification.Channels)...)
	c.oneOf("receiver", r.Receiver, texts(notification.Receivers)...)
	c.address(r)
	for _, t := range []struct {
		field   string
		value   **string
		ofEmail bool
	}{{"subject", &r.Subject, true}, {"body", &r.Body, false}, {"body_html", &r.BodyHTML, true}} {
		c.template(t.field, t.value, t.ofEmail && r.Channel != string(notification.Email))
	}
	c.sendWindow(r)
	c.oneOf("series", r.Series, texts(notification.Serieses)...)
	c.daysAhead(r)
	return c.err()
}

// Rule returns the rule as messages are made by it.
func (r *NotificationRule) Rule() notification.Rule {
	return notification.Rule{
		Event: notification.Event(r.Event), Channel: notification.Channel(r.Channel),
		Receiver: notification.Receiver(r.Receiver), Address: orEmpty(r.Address),
		Subject: orEmpty(r.Subject), Body: orEmpty(r.Body), HTML: orEmpty(r.BodyHTML),
		Series: notification.Series(r.Series), DaysAhead: int(orZero(r.DaysAhead)),
	}
}

// address checks the receiver, and normalizes the address.
func (c *checker) address(r *NotificationRule) {
	isFixed := r.Receiver == string(notification.Address)
	switch {
	case isFixed && r.Channel == string(notification.SMS):
		c.phone("address", &r.Address)
	case isFixed:
		c.email("address", &r.Address)
		if normalized, ok := email.Normalize(orEmpty(r.Address)); ok {
			r.Address = &normalized
		}
	case r.Address != nil && *r.Address != "":
		c.complain("address", fault.Say("notification_rule.no_address"))
	default:
		r.Address = nil
	}
	if isFixed && r.Address == nil {
		c.complain("address", fault.Say("master_data.missing"))
	}
}

// template checks an optional text of a message.
func (c *checker) template(field string, value **string, isOfOther bool) {
	text := strings.TrimSpace(orEmpty(*value))
	if text == "" {
		*value = nil
		return
	}
	*value = &text
	switch {
	case isOfOther:
		c.complain(field, fault.Say("notification_rule.only_email"))
	case len(text) > maxTemplate:
		c.complain(field, fault.Say("field.too_long", "max", strconv.Itoa(maxTemplate)))
	case !utf8.ValidString(text):
		c.complain(field, fault.Say("request.not_text"))
	default:
		if err := notification.CheckTemplate(text); err != nil {
			c.complain(field, fault.Say("notification_rule.bad_template", "problem", strings.TrimSpace(err.Error())))
		}
	}
}

// sendWindow checks the part of a day in which text messages are sent.
func (c *checker) sendWindow(r *NotificationRule) {
	from, until := c.clock("send_from", &r.SendFrom), c.clock("send_until", &r.SendUntil)
	if r.SendFrom == nil && r.SendUntil == nil {
		return
	}
	switch {
	case r.Channel != string(notification.SMS):
		c.complain("send_from", fault.Say("notification_rule.only_sms"))
	case r.SendFrom == nil || r.SendUntil == nil:
		c.complain("send_until", fault.Say("notification_rule.both_ends"))
	case from != nil && until != nil && *from == *until:
		c.complain("send_until", fault.Say("notification_rule.both_ends"))
	}
}

// daysAhead checks when a reminder is sent.
func (c *checker) daysAhead(r *NotificationRule) {
	isReminder := r.Event == string(notification.OrderReminder)
	switch days := r.DaysAhead; {
	case isReminder && days == nil:
		c.complain("days_ahead", fault.Say("master_data.missing"))
	case !isReminder && days != nil:
		c.complain("days_ahead", fault.Say("notification_rule.only_reminder"))
	case days != nil && (*days < 1 || *days > notification.MaxDaysAhead):
		c.complain(
			"days_ahead",
			fault.Say("request.out_of_range", "min", "1", "max", strconv.Itoa(notification.MaxDaysAhead)),
		)
	}
}

func orZero(number *int32) int32 {
	if number == nil {
		return 0
	}
	return *number
}

func texts[T ~string](values []T) []string {
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = string(value)
	}
	return all
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
