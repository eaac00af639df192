package edge_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/api"
	"waybill/api/apitest"
	"waybill/api/edge"
	"waybill/domain/fault"
)

func TestLanguages(t *testing.T) {
	t.Parallel()
	said := map[string]string{
		"en": "There is no order 1.", "nb": "Det finnes ingen ordre 1.", "da": "Der findes ingen ordre 1.",
	}
	for header, want := range map[string]string{
		"":                      "en",
		"en":                    "en",
		"nb":                    "nb",
		"da":                    "da",
		"no":                    "nb",
		"nn":                    "nb",
		"nb-NO":                 "nb",
		"da-DK, en;q=0.5":       "da",
		"de":                    "en",
		"sv, da;q=0.5":          "da",
		"de, nb;q=0.3, da;q=.1": "nb",
		"*":                     "en",
		"not a language!":       "en",
		"en;q=0.1, nb;q=0.9":    "nb",
	} {
		h := answering(apitest.New(t), fault.Missing("order", "1"))
		w := apitest.Serve(h, http.MethodGet, "/x", "", "Accept-Language", header)
		require.Equal(t, want, w.Header().Get("Content-Language"), header)
		require.Equal(t, said[want], apitest.Status(t, w.Body.Bytes()).Message, header)
	}
}

func TestLocalizer(t *testing.T) {
	t.Parallel()
	say := func(t *testing.T, language string, text fault.Text) string {
		t.Helper()
		var said string
		h := apitest.New(t).Server.Edge.Around(func(_ http.ResponseWriter, r *http.Request) error {
			said = edge.LocalizerOf(r.Context()).Say(text)
			return nil
		})
		apitest.Serve(h, http.MethodGet, "/x", "", "Accept-Language", language)
		return said
	}

	t.Run("CountsInTheLanguagesOwnWay", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "Too many requests. Try again in 1 second.", say(t, "en", fault.Say("rate.limited", "count", "1")))
		require.Equal(t, "For mange forespørsler. Prøv igjen om 7 sekunder.",
			say(t, "nb", fault.Say("rate.limited", "count", "7")))
	})

	t.Run("DoesNotRunWhatACallerWrote", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "There is no order {{.name}}.", say(t, "en", fault.Say("order.not_found", "name", "{{.name}}")))
	})

	t.Run("ServesManyAtOnce", func(t *testing.T) {
		t.Parallel()
		b := apitest.New(t)
		h := answering(b, fault.Missing("order", "1"))
		for range 20 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				w := apitest.Serve(h, http.MethodGet, "/x", "", "Accept-Language", "da")
				require.Contains(t, w.Body.String(), "Der findes")
			})
		}
	})
}

// BenchmarkSay measures the cost of a reason of an import.
func BenchmarkSay(b *testing.B) {
	server, err := api.New(api.Config{}, api.Dependencies{})
	require.NoError(b, err)
	h := server.Edge.Around(func(_ http.ResponseWriter, r *http.Request) error {
		say := edge.LocalizerOf(r.Context())
		b.Run("plain", func(b *testing.B) {
			for b.Loop() {
				say.Say(fault.Say("stop.missing"))
			}
		})
		b.Run("with a name", func(b *testing.B) {
			for b.Loop() {
				say.Say(fault.Say("customer.not_found", "name", "C-100"))
			}
		})
		return nil
	})
	apitest.Serve(h, http.MethodGet, "/x", "", "Accept-Language", "nb")
}
