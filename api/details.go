package api

import (
	"cmp"
	"strings"

	"waybill/domain/fault"
)

// errorDomain is the domain of every machine-readable reason.
const errorDomain = "waybill"

// problemContext is what the details of a problem are made of.
type problemContext struct {
	fault     *fault.Error
	say       Localizer
	requestID string
}

func nothing(problemContext) []StatusDetail { return []StatusDetail{} }

// detail makes the list of details out of one, by the generated function that
// sets its type.
func detail[T any](set func(*StatusDetail, T) error, value T) []StatusDetail {
	var d StatusDetail
	if err := set(&d, value); err != nil {
		return []StatusDetail{}
	}
	return []StatusDetail{d}
}

func badRequest(c problemContext) []StatusDetail {
	if len(c.fault.Violations) == 0 {
		return nothing(c)
	}
	violations := make([]FieldViolation, len(c.fault.Violations))
	for i, v := range c.fault.Violations {
		violations[i] = FieldViolation{Field: cmp.Or(v.Field, "body"), Description: c.say.Say(v.Text)}
	}
	return detail((*StatusDetail).FromBadRequestDetail, BadRequestDetail{FieldViolations: violations})
}

func resourceInfo(c problemContext) []StatusDetail {
	if c.fault.Resource == "" {
		return nothing(c)
	}
	return detail((*StatusDetail).FromResourceInfoDetail, ResourceInfoDetail{
		ResourceType: c.fault.Resource, ResourceName: clip(c.fault.Name),
	})
}

// precondition says what stands in the way; without violations of its own, the
// fault as a whole does.
func precondition(kind string) func(problemContext) []StatusDetail {
	return func(c problemContext) []StatusDetail {
		subject := strings.Trim(c.fault.Resource+"/"+clip(c.fault.Name), "/")
		texts := make([]fault.Text, 0, 1)
		for _, v := range c.fault.Violations {
			texts = append(texts, v.Text)
		}
		if len(texts) == 0 {
			texts = append(texts, c.fault.Text)
		}
		violations := make([]PreconditionViolation, len(texts))
		for i, text := range texts {
			violations[i] = PreconditionViolation{Type: kind, Subject: subject, Description: c.say.Say(text)}
		}
		return detail((*StatusDetail).FromPreconditionFailureDetail, PreconditionFailureDetail{Violations: violations})
	}
}

// errorInfo gives a reason for machines, and the operation it is about.
func errorInfo(reason string, op *operation) func(problemContext) []StatusDetail {
	return func(problemContext) []StatusDetail {
		info := ErrorInfoDetail{Reason: reason, Domain: errorDomain}
		if op != nil {
			info.Metadata = &map[string]string{"operation": op.ID, "callers": strings.Join(op.Callers, ",")}
		}
		return detail((*StatusDetail).FromErrorInfoDetail, info)
	}
}

func retryInfo(delay string) func(problemContext) []StatusDetail {
	return func(problemContext) []StatusDetail {
		return detail((*StatusDetail).FromRetryInfoDetail, RetryInfoDetail{RetryDelay: delay})
	}
}

func requestInfo(c problemContext) []StatusDetail {
	return detail((*StatusDetail).FromRequestInfoDetail, RequestInfoDetail{RequestID: c.requestID})
}
