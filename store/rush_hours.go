package store

import "waybill/domain/traffic"

// RushHoursText is how rush hours are stored; empty is none.
func RushHoursText(all []traffic.RushHours) string { return listText(all) }
