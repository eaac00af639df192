package edge

import (
	"cmp"
	"strings"

	"waybill/api/contract"
	"waybill/domain/fault"
)

// problemContext is the input for the details of a problem.
type problemContext struct {
	fault     *fault.Error
	metadata  map[string]string
	say       Localizer
	requestID string
}

func noDetails(problemContext) []contract.StatusDetail { return []contract.StatusDetail{} }

// detail makes a list of details with one entry, using the generated function
// that sets its type.
func detail[T any](set func(*contract.StatusDetail, T) error, value T) []contract.StatusDetail {
	var d contract.StatusDetail
	if err := set(&d, value); err != nil {
		return []contract.StatusDetail{}
	}
	return []contract.StatusDetail{d}
}

func badRequest(c problemContext) []contract.StatusDetail {
	if len(c.fault.Violations) == 0 {
		return noDetails(c)
	}
	violations := make([]contract.FieldViolation, len(c.fault.Violations))
	for i, v := range c.fault.Violations {
		violations[i] = contract.FieldViolation{
			Field: cmp.Or(v.Field, "body"), Description: c.say.Say(v.Text), Reason: ReasonOf(v.Text),
		}
	}
	return detail((*contract.StatusDetail).FromBadRequestDetail, contract.BadRequestDetail{FieldViolations: violations})
}

func resourceInfo(c problemContext) []contract.StatusDetail {
	if c.fault.Resource == "" {
		return noDetails(c)
	}
	return detail((*contract.StatusDetail).FromResourceInfoDetail, contract.ResourceInfoDetail{
		ResourceType: contract.ResourceType(c.fault.Resource), ResourceName: clip(c.fault.Name),
	})
}

// The conditions that do not hold.
var (
	exists = precondition(contract.PreconditionTypeExists)
	state  = precondition(contract.PreconditionTypeState)
	race   = precondition(contract.PreconditionTypeConcurrentChange)
)

// precondition returns the violated preconditions; without violations, the
// fault itself.
func precondition(kind contract.PreconditionType) func(problemContext) []contract.StatusDetail {
	return func(c problemContext) []contract.StatusDetail {
		subject := strings.Trim(c.fault.Resource+"/"+clip(c.fault.Name), "/")
		texts := make([]fault.Text, 0, 1)
		for _, v := range c.fault.Violations {
			texts = append(texts, v.Text)
		}
		if len(texts) == 0 {
			texts = append(texts, c.fault.Text)
		}
		violations := make([]contract.PreconditionViolation, len(texts))
		for i, text := range texts {
			violations[i] = contract.PreconditionViolation{Type: kind, Subject: subject, Description: c.say.Say(text)}
		}
		return detail((*contract.StatusDetail).FromPreconditionFailureDetail, contract.PreconditionFailureDetail{
			Violations: violations,
		})
	}
}

// ReasonOf returns the reason of a text, as named in the contract's catalogue of
// reasons.
func ReasonOf(text fault.Text) contract.ErrorReason { return contract.ErrorReason(text.Reason()) }

// errorInfo returns the reason for machines, with the values of its text.
func errorInfo(c problemContext) []contract.StatusDetail {
	info := contract.ErrorInfoDetail{Reason: ReasonOf(c.fault.Text), Domain: contract.ErrorInfoDetailDomainWaybill}
	if len(c.metadata) > 0 {
		info.Metadata = &c.metadata
	} else if len(c.fault.Text.Args) > 0 {
		values := clipped(c.fault.Text.Args)
		info.Metadata = &values
	}
	return detail((*contract.StatusDetail).FromErrorInfoDetail, info)
}

func retryInfo(delay string) func(problemContext) []contract.StatusDetail {
	return func(problemContext) []contract.StatusDetail {
		return detail((*contract.StatusDetail).FromRetryInfoDetail, contract.RetryInfoDetail{RetryDelay: delay})
	}
}

func requestInfo(c problemContext) []contract.StatusDetail {
	return detail((*contract.StatusDetail).FromRequestInfoDetail, contract.RequestInfoDetail{RequestID: c.requestID})
}
