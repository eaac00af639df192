package notification

// Retry is a message that is to be sent anew.
type Retry struct {
	Of      int64 // the message that it retries
	Key     Key
	Event   Event
	Channel Channel
	OrderID int64 // 0 when the message is of no order
	Try     int   // counts the tries of the same message, from 1
}

// MostUnanswered is how many attempts may end without an answer: the message
// may have arrived with each of them, so there is one repeat at most.
const MostUnanswered = 2
