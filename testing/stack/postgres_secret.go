package stack

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
)

// secret is the source of a cluster's passwords, so that one file, which only
// its owner can read, has them all.
type secret []byte

const secretBytes = 32

func loadSecret(file string) (secret, error) {
	text, err := os.ReadFile(file)
	if err == nil {
		return text, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read the cluster's secret: %w", err)
	}
	made := make(secret, secretBytes)
	_, _ = rand.Read(made) // never fails
	if err := os.WriteFile(file, made, 0o600); err != nil {
		return nil, fmt.Errorf("save the cluster's secret: %w", err)
	}
	return made, nil
}

// password is the same for a role at every start.
func (s secret) password(role string) string {
	mac := hmac.New(sha256.New, s)
	mac.Write([]byte(role))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}
