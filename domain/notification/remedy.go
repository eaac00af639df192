package notification

import "fmt"

// Remedy explains to operators what to do about a failed message, with complete
// commands: org is the organization's slug and id the message in the log.
func (f Failure) Remedy(org string, id int64) string {
	one := fmt.Sprintf("`waybill notifications retry --org %s --id %d`", org, id)
	all := fmt.Sprintf("`waybill notifications retry --org %s --failed --since 24h --reason %s`", org, f)
	switch f {
	case InvalidAddress, RejectedReceiver:
		return "Correct the contact and import the order again, then run " + one + "."
	case RejectedSender:
		return "Every message of this sender is at risk: check SPF, DKIM, DMARC and block lists. Then run " + all + "."
	case RejectedContent:
		return "Change the rule's text, then run " + all + "."
	case RateLimited:
		return "Ask the provider for a higher limit, or wait. Then run " + all + "."
	case Rejected:
		return "Read the provider's answer in the message's timeline and mend what it names, then run " + one + "."
	case InvalidTemplate:
		return "Correct the rule's text, then run " + all + "."
	case NotConfigured:
		return "Configure the provider and the sender of the channel, then run " + all + "."
	case CredentialsRefused:
		return "Correct the credentials of the provider's account, then run " + all + "."
	case Unavailable, Expired:
		return "When the provider works again and the message still matters, run " + one + ", or for all of them " + all + "."
	case Suppressed:
		return fmt.Sprintf("Find the address with `waybill notifications suppressions list --org %s`. "+
			"When it works again, remove it with `waybill notifications suppressions remove --org %s ADDRESS`, then run %s.",
			org, org, one)
	case TooMany:
		return "Find out what makes so many messages. To send this one all the same, raise the bound and run " + one + "."
	case Uncertain:
		return "Ask the provider whether it arrived. If it did not, run " + one + "."
	case Cancelled:
		return "To send it after all, run " + one + "."
	case ReceiverOptedOut:
		return "Nothing is left to do: only the receiver can opt in again."
	case Superseded:
		return "Nothing is left to do."
	}
	return "Read the message's timeline, then run " + one + "."
}
