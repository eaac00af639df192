package roads

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strconv"

	"waybill/domain/place"
	"waybill/domain/region"
)

// The codes of refusals. OSRM has all but the last two.
const (
	invalidURL   = "InvalidUrl"
	invalidValue = "InvalidValue"
	noSegment    = "NoSegment"
	noRoute      = "NoRoute"
	noTable      = "NoTable"
	noMatch      = "NoMatch"
	notNow       = "Unavailable"
	outside      = "OutsideRegions"
)

// versionHeader is the header with the version of all regions: it changes with the road data.
const versionHeader = "Waybill-Roads"

// refusal is an error as OSRM returns it.
type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// mostRefused bounds the body of a refusal that is read before another region is tried.
const mostRefused = 64 << 10

// ServeHTTP forwards a request to the region that holds all of its coordinates. If several do,
// and the smallest has no road near one of them, the next is asked.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, http.StatusMethodNotAllowed, invalidURL, "use GET")
		return
	}
	positions, err := region.PositionsOf(r.URL.Path)
	if err != nil {
		refuse(w, http.StatusBadRequest, invalidURL, err.Error())
		return
	}
	engines, all := s.holding(positions)
	w.Header().Set(versionHeader, s.version())
	defer func() {
		for _, e := range engines {
			e.requests.Done()
		}
	}()
	if len(engines) == 0 {
		refuseOutside(w, r.URL.Path, positions, all)
		return
	}
	for i, e := range engines {
		if e.forward(w, r, i == len(engines)-1) {
			return
		}
	}
}

// holding returns the engines of the regions that hold all positions, which wait for the
// request to end before they stop, and the bounds of all regions.
func (s *Server) holding(positions []place.Position) (engines []*engine, all []region.Bounds) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, e := range s.serving {
		all = append(all, e.region.Bounds)
	}
	for _, i := range region.Holding(all, positions) {
		s.serving[i].requests.Add(1)
		engines = append(engines, s.serving[i])
	}
	return engines, all
}

// version returns a short text that changes when the road data of any region does.
func (s *Server) version() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sum := fnv.New64a()
	for _, e := range s.serving {
		_, _ = fmt.Fprintln(sum, e.region.Name, e.region.Version)
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}

// refuseOutside refuses a request that no region can answer alone.
func refuseOutside(w http.ResponseWriter, path string, positions []place.Position, all []region.Bounds) {
	for _, at := range positions {
		if len(region.Holding(all, []place.Position{at})) == 0 {
			refuse(w, http.StatusBadRequest, outside, "a coordinate lies outside of all regions")
			return
		}
	}
	code := noRoute
	switch path[:min(3, len(path))] {
	case "/ta":
		code = noTable
	case "/ma":
		code = noMatch
	}
	refuse(w, http.StatusBadRequest, code, "the coordinates lie in several regions, and no road leads from one to another")
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(refusal{code, message}) // otherwise the client is gone
}

// forward sends a request to the engine and writes the response. It returns false, with nothing
// written, if the engine has no road near a coordinate and another one can be asked.
func (e *engine) forward(w http.ResponseWriter, r *http.Request, isLast bool) (answered bool) {
	response, err := e.ask(r.Context(), r.URL)
	if err != nil {
		if r.Context().Err() != nil {
			return true // nobody waits for it
		}
		if !errors.Is(err, errDown) {
			e.logger.WarnContext(r.Context(), "osrm-routed did not answer", "error", err)
		}
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, notNow, "the region is being started: try again")
		return true
	}
	defer func() { _ = response.Body.Close() }()
	body := io.Reader(response.Body)
	if !isLast && response.StatusCode == http.StatusBadRequest {
		var refused refusal
		if json.NewDecoder(io.LimitReader(body, mostRefused)).Decode(&refused) == nil {
			if refused.Code == noSegment {
				return false
			}
			refuse(w, response.StatusCode, refused.Code, refused.Message)
			return true
		}
	}
	for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Length"} {
		if value := response.Header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, body) // otherwise the client is gone
	return true
}
