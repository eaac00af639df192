package main

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"waybill/api"
	"waybill/domain/housekeeping"
	"waybill/providers"
	"waybill/providers/travel"
	"waybill/web"
)

// check refuses settings that nothing could work with.
func (c config) check() error {
	for _, look := range []func() error{c.checkBounds, c.checkRates, c.checkAddresses, c.checkMap, c.checkDeployment} {
		if err := look(); err != nil {
			return err
		}
	}
	_, err := newLogger(os.Stderr, c)
	return err
}

// shortestSealingSecret is how long a secret is that nobody guesses.
const shortestSealingSecret = 32

// unsealed says what is amiss where people sign in from outside and secrets are
// encrypted with nothing but what lies beside them; "" when nothing is.
func (c config) unsealed() string {
	if c.SealingSecret != "" || !strings.HasPrefix(c.PublicURL, "https://") {
		return ""
	}
	return "WAYBILL_SEALING_SECRET is not set: whoever gets a copy of the database can read the seeds of one-time passwords " +
		"and the secrets of identity providers. Set it to what openssl rand -base64 32 writes, in serve and work alike, and " +
		"keep it: what is encrypted from then on cannot be read without it"
}

func (c config) checkBounds() error {
	switch {
	case c.DatabaseConns < 2:
		return errors.New("WAYBILL_DATABASE_CONNS must be 2 or more")
	case c.HeavyShare < 0:
		return errors.New("WAYBILL_HEAVY_SHARE must not be below 0")
	case c.Importers < 1:
		return errors.New("WAYBILL_IMPORTERS must be 1 or more")
	case c.BodyShare < api.DefaultMaxImportBody:
		return fmt.Errorf("WAYBILL_BODY_SHARE must be %d or more: an import may be as large", api.DefaultMaxImportBody)
	case c.BodyBytes < c.BodyShare:
		return errors.New("WAYBILL_BODY_BYTES must be WAYBILL_BODY_SHARE or more")
	case c.DocumentMaxBytes < 1:
		return errors.New("WAYBILL_DOCUMENT_MAX_BYTES must be 1 or more")
	case c.ImportWait <= 0:
		return errors.New("WAYBILL_IMPORT_WAIT must be above 0")
	case c.ExportWindow <= 0:
		return errors.New("WAYBILL_EXPORT_WINDOW must be above 0")
	case c.KeepEvents < housekeeping.LeastOfLog:
		return fmt.Errorf("WAYBILL_KEEP_EVENTS must be %.0fh or more: integrators are told that changes are kept for 90 days",
			housekeeping.LeastOfLog.Hours())
	case c.ReportWait < 0:
		return errors.New("WAYBILL_REPORT_WAIT must not be below 0")
	case min(c.EmailsPerDay, c.EmailsPerReceiver, c.SMSPerDay, c.SMSPerReceiver) < 0:
		return errors.New("WAYBILL_EMAILS_PER_DAY, WAYBILL_SMS_PER_DAY and those per receiver must not be below 0")
	case c.PlanningDays < 0:
		return errors.New("WAYBILL_PLANNING_DAYS must not be below 0")
	case c.Planners < 1:
		return errors.New("WAYBILL_PLANNERS must be 1 or more")
	case c.SealingSecret != "" && len(c.SealingSecret) < shortestSealingSecret:
		return fmt.Errorf("WAYBILL_SEALING_SECRET must have %d characters or more", shortestSealingSecret)
	case c.ShutdownTimeout <= 0:
		return errors.New("WAYBILL_SHUTDOWN_TIMEOUT must be above 0")
	}
	return nil
}

func (c config) checkRates() error {
	switch {
	case c.RateLimit < 0 || c.RateBurst < 0:
		return errors.New("WAYBILL_RATE_LIMIT and WAYBILL_RATE_BURST must not be below 0")
	case c.RateLimit > 0 && c.RateBurst == 0:
		return errors.New("WAYBILL_RATE_BURST must be 1 or more, or nobody could call at all")
	case c.TrackingRateLimit < 0 || c.TrackingRateBurst < 0:
		return errors.New("WAYBILL_TRACKING_RATE_LIMIT and WAYBILL_TRACKING_RATE_BURST must not be below 0")
	}
	return nil
}

func (c config) checkAddresses() error {
	for _, network := range c.TrustedProxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			return fmt.Errorf("WAYBILL_TRUSTED_PROXIES has %q, which is no network such as 10.0.0.0/8", network)
		}
	}
	if c.SMTPURL != "" {
		if err := providers.CheckMailURL(c.SMTPURL); err != nil {
			return fmt.Errorf("WAYBILL_SMTP_URL %w", err)
		}
	}
	if _, err := providers.NewSMS(c.SMSURL); err != nil {
		return fmt.Errorf("WAYBILL_SMS_URL %w", err)
	}
	if _, err := travel.Open(c.TravelURL); err != nil {
		return fmt.Errorf("WAYBILL_TRAVEL_URL %w", err)
	}
	if !isWebAddress(c.PublicURL) {
		hidden := shown(setting{secret: "url"}, c.PublicURL)
		return fmt.Errorf("WAYBILL_PUBLIC_URL is %q, which is no http or https address without a user", hidden)
	}
	if c.TemporalUI != "" && !isWebAddress(c.TemporalUI) {
		return fmt.Errorf("WAYBILL_TEMPORAL_UI is %q, which is no http or https address", c.TemporalUI)
	}
	return nil
}

func (c config) checkMap() error {
	if _, err := web.ReadBasemap(c.Map); err != nil {
		return fmt.Errorf("WAYBILL_MAP %w", err)
	}
	if c.Map != "" && c.MapAttribution == "" {
		return errors.New("WAYBILL_MAP_ATTRIBUTION is needed with WAYBILL_MAP: a map names those who made it")
	}
	return nil
}

func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

// checkDeployment refuses names that the Temporal server would refuse.
func (c config) checkDeployment() error {
	switch {
	case strings.ContainsAny(c.Deployment, ".:"):
		return fmt.Errorf("WAYBILL_DEPLOYMENT is %q, and must have no . and no : in it", c.Deployment)
	case strings.HasPrefix(c.Deployment, "__") || strings.HasPrefix(c.BuildID, "__"):
		return errors.New("WAYBILL_DEPLOYMENT and WAYBILL_BUILD_ID must not begin with __")
	}
	return nil
}
