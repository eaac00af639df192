package notifications

import (
	"context"
	"time"

	"waybill/domain/notification"
	"waybill/providers"
)

// MailSender hands emails to a server.
type MailSender interface {
	Send(ctx context.Context, server string, email providers.Email) error
}

// SMSSender hands text messages to a provider.
type SMSSender interface {
	Send(ctx context.Context, account providers.SMSAccount, text providers.Text) (id string, err error)
}

// Messaging is how messages go out: through which providers, and by which
// settings for organizations that have none of their own.
type Messaging struct {
	Mail    MailSender
	SMS     SMSSender
	Secrets providers.Secrets

	MailServer string
	MailFrom   string
	SMSAccount providers.SMSAccount
	SMSFrom    string
	// PublicURL is where providers reach the webhooks.
	PublicURL string
	// TrackingPages is the address of the public pages, which the code of a link follows.
	TrackingPages string
	// ReportWait is how long a provider's report is waited for, where one can come.
	ReportWait time.Duration
	// MailReports says that a provider reports on emails of organizations that name none.
	MailReports bool
	// SandboxSends has messages of sandboxes really go out.
	SandboxSends bool
	// EmailQuota and SMSQuota are how many messages there may be on a day.
	EmailQuota, SMSQuota notification.Quota
	// Alarm hears of messages that are not sent because there were too many; nil for
	// nobody.
	Alarm func(context.Context, OverQuota)
	// Watch is told of attempts and of what came of messages; nil for nobody.
	Watch MessageWatch
}
