package edge

import (
	"context"
	"embed"
	"fmt"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"waybill/domain/fault"
)

//go:embed messages/*.toml
var messages embed.FS

// maxArg is how much of a caller's own words a message repeats.
const maxArg = 200

// Localizer translates texts to one language.
type Localizer struct {
	Tag       string
	localizer *i18n.Localizer
}

// Say translates a text.
func (l Localizer) Say(text fault.Text) string {
	config := i18n.LocalizeConfig{MessageID: text.ID}
	if len(text.Args) > 0 {
		config.TemplateData = clipped(text.Args)
		if count, ok := text.Args["count"]; ok {
			config.PluralCount = count
		}
	}
	said, err := l.localizer.Localize(&config)
	if err != nil && said == "" {
		return text.ID // a test sees to it that no text lacks words
	}
	return said
}

func clipped(args fault.Args) map[string]string {
	short := make(map[string]string, len(args))
	for name, value := range args {
		short[name] = clip(value)
	}
	return short
}

func clip(value string) string {
	if len(value) <= maxArg {
		return value
	}
	n := 0
	for i := range value {
		if n == maxArg {
			return value[:i] + "…"
		}
		n++
	}
	return value
}

// LocalizerOf returns the localizer for the language of a request.
func LocalizerOf(ctx context.Context) Localizer {
	x := exchangeFrom(ctx)
	return x.server.languages.Choose(x.languages)
}

// languages are the available translations; the first is the fallback.
type languages struct {
	matcher    language.Matcher
	localizers []Localizer
}

func newLanguages() (*languages, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	var l languages
	var tags []language.Tag
	for _, tag := range []string{"en", "nb", "da"} {
		if _, err := bundle.LoadMessageFileFS(messages, "messages/active."+tag+".toml"); err != nil {
			return nil, fmt.Errorf("load messages: %w", err)
		}
		tags = append(tags, language.MustParse(tag))
		l.localizers = append(l.localizers, Localizer{Tag: tag, localizer: i18n.NewLocalizer(bundle, tag)})
	}
	l.matcher = language.NewMatcher(tags)
	return &l, nil
}

// Choose negotiates by Accept-Language. A malformed header counts as none.
func (l *languages) Choose(header string) Localizer {
	if header == "" {
		return l.localizers[0]
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return l.localizers[0]
	}
	_, index, _ := l.matcher.Match(wanted...)
	return l.localizers[index]
}
