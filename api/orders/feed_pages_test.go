package orders_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFeedRefusesImplausibleTokens has a log whose beginning was dropped. Both
// feeds reject a token from before that and one that is ahead of the log, and
// name a valid one.
func TestFeedRefusesImplausibleTokens(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	sequenced := func() int64 {
		d.ID("select sequence_events(100) from organizations where id = $1")
		return d.ID("select last_position from event_sequencer where $1::bigint > 0")
	}
	d.Import("A-1", packed("BOX"))
	last := sequenced()
	d.Import("A-2", packed("BOX"))
	end := sequenced()
	require.Greater(t, end, last)
	dropped := last
	d.ID(`update event_sequencer set dropped_position = last_position - $2
		where $1::bigint > 0 returning dropped_position`, end-dropped)
	d.ID(`with gone as (delete from events where org_id = $1 and position <= $2 returning id)
		select count(*) from gone`, dropped)
	for feed, place := range map[string]string{"orderstatusfeed": "", "productstatusfeed": ".0"} {
		read := func(token string) (int, string) {
			w := d.Send(http.MethodGet, "/v2/orders/summary/"+feed+"?token="+token, "", "Authorization", "apikey "+d.keyOf())
			return w.Code, w.Body.String()
		}
		for _, token := range []string{"", fmt.Sprint(dropped, place)} {
			status, body := read(token)
			require.Equal(t, http.StatusOK, status, body)
			require.Contains(t, body, "A-2")
			require.NotContains(t, body, "A-1")
		}
		status, body := read(fmt.Sprint(end, place))
		require.Equal(t, http.StatusOK, status, body)

		status, body = read(fmt.Sprint(dropped-1, place))
		require.Equal(t, http.StatusGone, status, body)
		require.Contains(t, body, "FEED_TOKEN_EXPIRED")
		require.Contains(t, body, fmt.Sprintf(`"oldest":"%d%s"`, dropped, place))

		status, body = read(fmt.Sprint(end+1, place))
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Contains(t, body, "FEED_TOKEN_AHEAD")
	}
}
