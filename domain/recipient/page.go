package recipient

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"waybill/domain/email"
	"waybill/domain/fault"
)

// Page is how an organization shows itself to recipients, and whom they contact. An
// empty value is not shown.
type Page struct {
	// Color is the background of the header, as #RRGGBB.
	Color string `json:"color,omitempty" yaml:"color"`
	// Logo is a picture as a data URL: PNG, JPEG or WebP.
	Logo    string `json:"logo,omitempty" yaml:"logo"`
	Phone   string `json:"phone,omitempty" yaml:"phone"`
	Email   string `json:"email,omitempty" yaml:"email"`
	Website string `json:"website,omitempty" yaml:"website"`
	// Domain is the host with which tracking links begin, in place of the service's.
	Domain string `json:"domain,omitempty" yaml:"domain"`
	// MoveMinutes is by how much the time of a stop must move for a message; 0 is the usual.
	MoveMinutes int `json:"move_minutes,omitempty" yaml:"moveMinutes"`
	// Actions are what recipients may do; nil allows nothing.
	Actions *Actions `json:"actions,omitempty" yaml:"actions"`
}

// MaxLogo is how many bytes the data URL of a logo has at most.
const MaxLogo = 24 << 10

// maxWebsite is how many bytes the address of a website has at most.
const maxWebsite = 255

var (
	isColor  = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)
	isDomain = regexp.MustCompile(
		`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9](:[1-9][0-9]{0,4})?$`)
	isPhone = regexp.MustCompile(`^\+?[0-9][0-9 ()-]{2,29}$`)
)

// Problems returns what is wrong with a page; the fields are below path. A nil page has no problems.
func (p *Page) Problems(path string) (problems []fault.Violation) {
	if p == nil {
		return nil
	}
	_, isEmail := email.Normalize(p.Email)
	_, _, isLogo := p.Picture()
	for _, one := range []struct {
		field, value string
		text         fault.Text
		fine         bool
	}{
		{"color", p.Color, fault.Say("organization.no_color"), isColor.MatchString(p.Color)},
		{"logo", p.Logo, fault.Say("organization.no_logo"), isLogo},
		{"phone", p.Phone, fault.Say("organization.no_phone"), isPhone.MatchString(p.Phone)},
		{"email", p.Email, fault.Say("organization.no_email"), isEmail},
		{"website", p.Website, fault.Say("organization.no_website"), isWebsite(p.Website)},
		{"domain", p.Domain, fault.Say("organization.no_domain"), isShortDomain(p.Domain)},
	} {
		if one.value != "" && !one.fine {
			problems = append(problems, fault.Violation{Field: path + "." + one.field, Text: one.text})
		}
	}
	if m := p.MoveMinutes; m != 0 && (m < leastMove || m > mostMove) {
		problems = append(problems, outOfRange(path+".move_minutes", leastMove, mostMove))
	}
	return append(problems, p.Actions.Problems(path+".actions")...)
}

// The bounds of MoveMinutes.
const leastMove, mostMove = 5, 120

// Threshold is by how much the time of a stop must move for a message.
func (p *Page) Threshold() time.Duration {
	if p.MoveMinutes == 0 {
		return UsualThreshold
	}
	return time.Duration(p.MoveMinutes) * time.Minute
}

func isShortDomain(text string) bool { return len(text) <= maxWebsite && isDomain.MatchString(text) }

// isWebsite reports whether a text is an address that a browser may be sent to.
func isWebsite(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && len(text) <= maxWebsite
}

// pictures are the kinds of pictures that a logo may be, and how their bytes begin. There is no SVG, which may
// contain scripts.
var pictures = map[string][]byte{
	"image/png": []byte("\x89PNG\r\n\x1a\n"), "image/jpeg": {0xff, 0xd8, 0xff}, "image/webp": []byte("RIFF"),
}

// Picture returns the bytes of the logo and their media type. It is not there without a logo.
func (p *Page) Picture() (content []byte, media string, there bool) {
	media, text, there := strings.Cut(strings.TrimPrefix(p.Logo, "data:"), ";base64,")
	begins, known := pictures[media]
	if !there || !known || len(p.Logo) > MaxLogo {
		return nil, "", false
	}
	content, err := base64.StdEncoding.DecodeString(text)
	return content, media, err == nil && bytes.HasPrefix(content, begins)
}

// Ink returns the color of text on the page's color: black or white, whichever has the higher contrast. That is
// at least 4.5 on every color (WCAG 1.4.3).
func (p *Page) Ink() string {
	const black, white = "#000000", "#FFFFFF"
	if Contrast(p.Color, white) >= Contrast(p.Color, black) {
		return white
	}
	return black
}

// Contrast returns the contrast ratio of two colors, 1 to 21, as WCAG defines it. A text that is no color counts as
// black.
func Contrast(one, other string) float64 {
	a, b := luminance(one), luminance(other)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// luminance is the relative luminance of a color.
func luminance(color string) float64 {
	value, _ := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 32)
	linear := func(shift int) float64 {
		c := float64(value>>shift&0xff) / 0xff
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

// Links returns the address with which the organization's tracking links begin; usual is the service's.
func (p *Page) Links(usual string) string {
	if p == nil || p.Domain == "" {
		return usual
	}
	return fmt.Sprintf("https://%s/t/", p.Domain)
}
