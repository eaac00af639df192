package store

import (
	"context"

	"waybill/domain/organization"
	"waybill/store/queries"
)

func (a *applier) messaging(ctx context.Context) (counts, error) {
	m := a.document.Messaging
	n, err := a.q.ApplyMessaging(ctx, queries.ApplyMessagingParams{
		OrgID: a.org, EmailFrom: m.EmailFrom, EmailName: m.EmailName, SmsFrom: m.SMSFrom, Country: m.Country, SmtpUrl: m.SMTPURL,
		SmsAccount: m.SMSAccount, SmsToken: m.SMSToken, SendgridKey: m.SendgridKey, PostmarkLogin: m.PostmarkLogin,
	})
	return counts(n), err
}

func (a *applier) notificationRules(ctx context.Context) (counts, error) {
	params := queries.ApplyNotificationRulesParams{OrgID: a.org}
	for i := range a.document.Notifications {
		r := a.document.Notifications[i].Rule(a.document.Country())
		put(&params.Events, string(r.Event))
		put(&params.Channels, string(r.Channel))
		put(&params.Receivers, string(r.Receiver))
		put(&params.Addresses, r.Address)
		put(&params.Subjects, r.Subject)
		put(&params.Bodies, r.Body)
		put(&params.Htmls, r.HTML)
		from, to := int16(-1), int16(-1)
		if r.Window != nil {
			from, to = int16(r.Window.From), int16(r.Window.To)
		}
		put(&params.WindowFroms, from)
		put(&params.WindowTos, to)
	}
	n, err := a.q.ApplyNotificationRules(ctx, params)
	return counts(n), err
}

func (a *applier) pruneNotificationRules(ctx context.Context) (pruned, error) {
	rules := a.document.Notifications
	country := a.document.Country()
	n, err := a.q.PruneNotificationRules(ctx, queries.PruneNotificationRulesParams{
		OrgID:     a.org,
		Events:    column(rules, func(r organization.Notification) string { return r.Event }),
		Channels:  column(rules, func(r organization.Notification) string { return r.Channel }),
		Receivers: column(rules, func(r organization.Notification) string { return string(r.Rule(country).Receiver) }),
		Addresses: column(rules, func(r organization.Notification) string { return r.Rule(country).Address }),
	})
	return pruned(n), err
}
