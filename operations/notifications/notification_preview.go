package notifications

import (
	"context"
	"encoding/json"
	"fmt"

	"waybill/domain/fault"
	"waybill/domain/masterdata"
	"waybill/domain/notification"
)

// PreviewRule returns what a rule would say of an order that is made up, or a fault
// that says all that is wrong with the rule. Nothing is kept or sent.
func (o *Operations) PreviewRule(ctx context.Context, org int64, body any) (notification.Message, error) {
	wanted, err := masterdata.Changed(masterdata.NotificationRules.New(), body)
	if err != nil {
		return notification.Message{}, err
	}
	if err := wanted.Check(); err != nil {
		return notification.Message{}, err
	}
	document, err := o.store.Organization(ctx, org)
	if err != nil {
		return notification.Message{}, err
	}
	var of struct{ Name, Language string }
	if err := json.Unmarshal(document, &of); err != nil {
		return notification.Message{}, fmt.Errorf("read the organization: %w", err)
	}
	rule := wanted.(*masterdata.NotificationRule).Rule()
	message, err := notification.Render(rule, notification.Sample(rule.Event, of.Language, of.Name))
	if err != nil {
		return message, &fault.Error{
			Kind: fault.Unprocessable, Text: fault.Say("request.unprocessable"),
			Violations: []fault.Violation{{
				Field: "body", Text: fault.Say("notification_rule.bad_template", "problem", err.Error()),
			}},
		}
	}
	return message, nil
}
