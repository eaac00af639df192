package geocode

import "time"

// Patience has the client wait so long for an answer.
func (c *Client) Patience(limit time.Duration) {
	switch p := c.provider.(type) {
	case photon:
		p.server.client.Timeout = limit
	case nominatim:
		p.server.client.Timeout = limit
	case pelias:
		p.server.client.Timeout = limit
	}
}
