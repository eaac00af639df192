package main

import (
	"context"

	"waybill/activities"
	"waybill/providers"
	"waybill/store"
	"waybill/workflows"
)

// notifier follows the log, and starts a workflow for each message that an
// event is to make.
func (s *service) notifier() store.Follower {
	return store.Follower{Name: "notifications", Hand: func(ctx context.Context, events []store.Event) error {
		due, err := s.store.DueNotifications(ctx, events)
		if err != nil {
			return err
		}
		inputs := make([]workflows.NotificationInput, len(due))
		for i, d := range due {
			inputs[i] = workflows.NotificationInput{
				OrgID: d.OrgID, Key: d.Key.String(), Event: d.Event, Channel: d.Channel, OrderID: d.OrderID,
			}
		}
		return workflows.StartNotifications(ctx, s.temporal, inputs)
	}}
}

// newMessages makes the activities of messages with the providers that the
// settings name.
func newMessages(s *store.Store, c config) *activities.Notifications {
	sms, _ := providers.NewSMS(c.SMSURL) // readConfig has looked at it
	return activities.NewNotifications(s, providers.NewMail(), sms, providers.EnvironmentSecrets, activities.NotificationSettings{
		MailServer: c.SMTPURL, MailFrom: c.SMTPFrom,
		SMSAccount: providers.SMSAccount{ID: c.SMSAccount, Token: c.SMSToken}, SMSFrom: c.SMSFrom,
		PublicURL: c.PublicURL, ReportWait: c.ReportWait,
	})
}
