package masterdata

import (
	"context"

	"waybill/domain/organization"
	"waybill/store/columns"
	"waybill/store/queries"
)

func (a *applier) messaging(ctx context.Context) (counts, error) {
	m := a.document.Messaging
	n, err := a.q.ApplyMessaging(ctx, queries.ApplyMessagingParams{
		OrgID: a.org, EmailFrom: m.EmailFrom, EmailName: m.EmailName, SmsFrom: m.SMSFrom, Country: m.Country,
		SmtpUrl: m.SMTPURL, SmsAccount: m.SMSAccount, SmsToken: m.SMSToken,
		SendgridKey: m.SendgridKey, PostmarkLogin: m.PostmarkLogin,
	})
	return counts(n), err
}

func (a *applier) notificationRules(ctx context.Context) (counts, error) {
	params := queries.ApplyNotificationRulesParams{OrgID: a.org}
	for i := range a.document.Notifications {
		r := a.document.Notifications[i].Rule(a.document.Country())
		columns.Add(&params.Events, string(r.Event))
		columns.Add(&params.Channels, string(r.Channel))
		columns.Add(&params.Receivers, string(r.Receiver))
		columns.Add(&params.Addresses, r.Address)
		columns.Add(&params.Subjects, r.Subject)
		columns.Add(&params.Bodies, r.Body)
		columns.Add(&params.Htmls, r.HTML)
		from, to := int16(-1), int16(-1)
		if r.Window != nil {
			from, to = int16(r.Window.From), int16(r.Window.To)
		}
		columns.Add(&params.WindowFroms, from)
		columns.Add(&params.WindowTos, to)
		columns.Add(&params.Serieses, string(r.Series))
		columns.Add(&params.DaysAheads, int16(r.DaysAhead))
	}
	n, err := a.q.ApplyNotificationRules(ctx, params)
	return counts(n), err
}

func (a *applier) pruneNotificationRules(ctx context.Context) (int64, error) {
	rules := a.document.Notifications
	country := a.document.Country()
	return a.q.PruneNotificationRules(ctx, queries.PruneNotificationRulesParams{
		OrgID:     a.org,
		Events:    columns.Of(rules, func(r organization.Notification) string { return r.Event }),
		Channels:  columns.Of(rules, func(r organization.Notification) string { return r.Channel }),
		Receivers: columns.Of(rules, func(r organization.Notification) string { return string(r.Rule(country).Receiver) }),
		Addresses: columns.Of(rules, func(r organization.Notification) string { return r.Rule(country).Address }),
	})
}
