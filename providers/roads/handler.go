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
	invalidURL = "InvalidUrl"
	noSegment  = "NoSegment"
	noRoute    = "NoRoute"
	noTable    = "NoTable"
	noMatch    = "NoMatch"
	noProfile  = "InvalidProfile"
	notNow     = "Unavailable"
	outside    = "OutsideRegions"
)

// refusal is an error as OSRM returns it.
type refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// mostRefused bounds the body of a refusal that is read before another region is tried.
const mostRefused = 64 << 10

// ServeHTTP forwards a request to the engine of its profile in the region that holds all of its
// coordinates. If several do, and the smallest has no road near one of them, the next is asked.
// GET /data lists what can be asked for.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		refuse(w, http.StatusMethodNotAllowed, invalidURL, "use GET")
		return
	}
	if r.URL.Path == region.DataPath {
		s.listData(w)
		return
	}
	name, positions, err := region.ReadRequest(r.URL.Path)
	if err != nil {
		refuse(w, http.StatusBadRequest, invalidURL, err.Error())
		return
	}
	profile, _ := region.ProfileNamed(name)
	engines, all := s.holding(profile, positions)
	w.Header().Set(region.VersionHeader, s.version(profile))
	defer func() {
		for _, e := range engines {
			e.requests.Done()
		}
	}()
	if len(engines) == 0 && s.isStarting(positions) {
		refuseForNow(w)
		return
	}
	if len(engines) == 0 {
		refuseOutside(w, r.URL.Path, name, profile, positions, all)
		return
	}
	for i, e := range engines {
		if e.forward(w, r, i == len(engines)-1) {
			return
		}
	}
}

// listData writes which data are served.
func (s *Server) listData(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(region.DataList{Data: s.Data()}) // otherwise the client is gone
}

// holding returns the engines of a profile in the regions that hold all positions, which wait for
// the request to end before they stop, and all data that are served.
func (s *Server) holding(profile region.Profile, positions []place.Position) (engines []*engine, all []region.Data) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var candidates []*engine
	for _, e := range s.serving {
		all = append(all, e.data)
		if e.data.Profile == profile {
			candidates = append(candidates, e)
		}
	}
	for _, i := range region.Holding(boundsOf(candidates), positions) {
		candidates[i].requests.Add(1)
		engines = append(engines, candidates[i])
	}
	return engines, all
}

func boundsOf(engines []*engine) (all []region.Bounds) {
	for _, e := range engines {
		all = append(all, e.data.Bounds)
	}
	return all
}

// version returns a short text that changes when the road data of a profile do in any region.
func (s *Server) version(profile region.Profile) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var data []region.Data
	for _, e := range s.serving {
		if e.data.Profile == profile {
			data = append(data, e.data)
		}
	}
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, region.VersionOf(data))
	return strconv.FormatUint(sum.Sum64(), 36)
}

// refuseOutside refuses a request that no engine can answer alone: a position lies outside of all
// regions, or in one without data for the profile, or all lie in regions with data, but not in one.
func refuseOutside(
	w http.ResponseWriter, path, name string, profile region.Profile, positions []place.Position, all []region.Data,
) {
	for _, at := range positions {
		isHeld, hasProfile := false, false
		for i := range all {
			if all[i].Bounds.Holds(at) {
				isHeld, hasProfile = true, hasProfile || all[i].Profile == profile
			}
		}
		switch {
		case !isHeld:
			refuse(w, http.StatusBadRequest, outside, "a coordinate lies outside of all regions")
			return
		case !hasProfile:
			refuse(w, http.StatusNotFound, noProfile, fmt.Sprintf("the region has no road data for %q", name))
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

func refuseForNow(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusServiceUnavailable, notNow, "the region is being started: try again")
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
		refuseForNow(w)
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
