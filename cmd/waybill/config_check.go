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
	"waybill/providers/geocode"
	"waybill/providers/travel"
	"waybill/web"
)

// check rejects settings with which nothing could work.
func (c config) check() error {
	for _, look := range []func() error{c.checkBounds, c.checkRates, c.checkAddresses, c.checkMap, c.checkDeployment} {
		if err := look(); err != nil {
			return err
		}
	}
	_, err := newLogger(os.Stderr, c)
	return err
}

// shortestSealingSecret is the length of an unguessable secret.
const shortestSealingSecret = 32

// unsealed returns a warning if people sign in from outside and only a key in
// the same database encrypts secrets; otherwise "".
func (c config) unsealed() string {
	if c.SealingSecret != "" || !strings.HasPrefix(c.PublicURL, "https://") {
		return ""
	}
	return "WAYBILL_SEALING_SECRET is not set: anyone with a copy of the database can read one-time password seeds and " +
		"identity provider secrets. Set it to the output of openssl rand -base64 32 in both serve and work, and keep it: " +
		"data encrypted from then on cannot be read without it"
}

func (c config) checkBounds() error {
	switch {
	case c.DatabaseConns < 2:
		return errors.New("WAYBILL_DATABASE_CONNS must be at least 2")
	case c.HeavyShare < 0:
		return errors.New("WAYBILL_HEAVY_SHARE must not be negative")
	case c.Importers < 1:
		return errors.New("WAYBILL_IMPORTERS must be at least 1")
	case c.BodyShare < api.DefaultMaxImportBody:
		return fmt.Errorf("WAYBILL_BODY_SHARE must be at least %d, the largest size of an import", api.DefaultMaxImportBody)
	case c.BodyBytes < c.BodyShare:
		return errors.New("WAYBILL_BODY_BYTES must be at least WAYBILL_BODY_SHARE")
	case c.DocumentMaxBytes < 1:
		return errors.New("WAYBILL_DOCUMENT_MAX_BYTES must be at least 1")
	case c.ImportWait <= 0:
		return errors.New("WAYBILL_IMPORT_WAIT must be positive")
	case c.ExportWindow <= 0:
		return errors.New("WAYBILL_EXPORT_WINDOW must be positive")
	case c.KeepEvents < housekeeping.LeastOfLog:
		return fmt.Errorf("WAYBILL_KEEP_EVENTS must be at least %.0fh: the API guarantees that changes are kept for 90 days",
			housekeeping.LeastOfLog.Hours())
	case c.ReportWait < 0:
		return errors.New("WAYBILL_REPORT_WAIT must not be negative")
	case min(c.EmailsPerDay, c.EmailsPerReceiver, c.SMSPerDay, c.SMSPerReceiver) < 0:
		return errors.New("the limits WAYBILL_EMAILS_PER_DAY, WAYBILL_EMAILS_PER_RECEIVER, WAYBILL_SMS_PER_DAY and " +
			"WAYBILL_SMS_PER_RECEIVER must not be negative")
	case c.GeocoderRate < 0 || c.GeocoderPause <= 0 || c.GeocoderKeep <= 0:
		return errors.New("WAYBILL_GEOCODER_RATE must not be negative, and WAYBILL_GEOCODER_PAUSE and WAYBILL_GEOCODER_KEEP " +
			"must be positive")
	case c.PlanningDays < 0:
		return errors.New("WAYBILL_PLANNING_DAYS must not be negative")
	case c.Planners < 1:
		return errors.New("WAYBILL_PLANNERS must be at least 1")
	case c.SealingSecret != "" && len(c.SealingSecret) < shortestSealingSecret:
		return fmt.Errorf("WAYBILL_SEALING_SECRET must have at least %d characters", shortestSealingSecret)
	case c.ShutdownTimeout <= 0:
		return errors.New("WAYBILL_SHUTDOWN_TIMEOUT must be positive")
	}
	return nil
}

func (c config) checkRates() error {
	switch {
	case c.RateLimit < 0 || c.RateBurst < 0:
		return errors.New("WAYBILL_RATE_LIMIT and WAYBILL_RATE_BURST must not be negative")
	case c.RateLimit > 0 && c.RateBurst == 0:
		return errors.New("WAYBILL_RATE_BURST must be at least 1 if WAYBILL_RATE_LIMIT is set")
	case c.TrackingRateLimit < 0 || c.TrackingRateBurst < 0:
		return errors.New("WAYBILL_TRACKING_RATE_LIMIT and WAYBILL_TRACKING_RATE_BURST must not be negative")
	}
	return nil
}

func (c config) checkAddresses() error {
	for _, network := range c.TrustedProxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			return fmt.Errorf("WAYBILL_TRUSTED_PROXIES contains %q, which is not a network such as 10.0.0.0/8", network)
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
	if _, err := geocode.Open(c.geocoder()); err != nil {
		return fmt.Errorf("WAYBILL_GEOCODER_URL %w", err)
	}
	if !isWebAddress(c.PublicURL) {
		hidden := shown(setting{secret: "url"}, c.PublicURL)
		return fmt.Errorf("WAYBILL_PUBLIC_URL is %q; it must be an http or https URL without a user name", hidden)
	}
	if c.TemporalUI != "" && !isWebAddress(c.TemporalUI) {
		return fmt.Errorf("WAYBILL_TEMPORAL_UI is %q; it must be an http or https URL without a user name", c.TemporalUI)
	}
	return nil
}

func (c config) checkMap() error {
	if _, err := web.ReadBasemap(c.Map); err != nil {
		return fmt.Errorf("WAYBILL_MAP %w", err)
	}
	if c.Map != "" && c.MapAttribution == "" {
		return errors.New("WAYBILL_MAP_ATTRIBUTION is required with WAYBILL_MAP")
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
	case c.GivenBuildID != "" && c.GivenDeployment == "":
		return errors.New("TEMPORAL_WORKER_BUILD_ID needs TEMPORAL_DEPLOYMENT_NAME")
	case strings.ContainsAny(c.Deployment, ".:"):
		return fmt.Errorf("WAYBILL_DEPLOYMENT is %q; it must contain neither . nor a colon", c.Deployment)
	case strings.HasPrefix(c.Deployment, "__") || strings.HasPrefix(c.BuildID, "__"):
		return errors.New("WAYBILL_DEPLOYMENT and WAYBILL_BUILD_ID must not start with __")
	}
	return nil
}
