package documents

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"

	"waybill/domain/fault"
	"waybill/domain/proof/paper"
	"waybill/store"
)

// shrinker makes stored pictures small enough for paper, one at a time, because
// decoding a picture takes much memory.
type shrinker struct {
	files Files
	turn  chan struct{}
}

func newShrinker(files Files) *shrinker { return &shrinker{files: files, turn: make(chan struct{}, 1)} }

// Why a picture is not drawn, as a message.
const (
	notArrived = "not_arrived"
	lost       = "lost"
	otherBytes = "other_bytes"
	unreadable = "unreadable"
)

// maxPicture is how many bytes of a picture are read.
const maxPicture = 64 << 20

// shrink returns the picture with a hash, which may be empty, or the reason why
// it can't be drawn.
func (s *shrinker) shrink(ctx context.Context, key, sum string) (small *paper.Image, why string, err error) {
	if key == "" {
		return nil, notArrived, nil
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, "", ctx.Err()
	}
	content, err := s.files.Read(ctx, key)
	if fault.KindOf(err) == fault.NotFound {
		return nil, lost, nil
	}
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	whole, err := io.ReadAll(io.LimitReader(content, maxPicture))
	if err != nil {
		return nil, "", fmt.Errorf("read a picture: %w", err)
	}
	if is := sha256.Sum256(whole); sum != "" && hex.EncodeToString(is[:]) != sum {
		return nil, otherBytes, nil
	}
	small, err = paper.Shrink(bytes.NewReader(whole))
	if err != nil { // the picture is missing or unreadable, so the paper mentions it
		return nil, unreadable, nil
	}
	return small, "", nil
}

// drawn returns the signature and the pictures of a proof, with a placeholder
// for each that can't be drawn, or omits the section if there are none.
func (w writer) drawn(ctx context.Context, p *store.CompletionProof) ([]paper.Part, error) {
	var parts []paper.Part
	if p.Signature != "" || p.SignatureKey != nil {
		var key string
		if p.SignatureKey != nil {
			key = *p.SignatureKey
		}
		picture, err := w.picture(ctx, w.say("signature"), key, p.Signature)
		if err != nil {
			return nil, err
		}
		parts = append(parts, paper.Part{Heading: w.say("signature"), Pictures: []paper.Picture{picture}})
	}
	if len(p.PictureKeys) == 0 {
		return parts, nil
	}
	of, arrived := strconv.Itoa(len(p.PictureKeys)), 0
	pictures := paper.Part{}
	for i, key := range p.PictureKeys {
		if key != "" {
			arrived++
		}
		name := w.say("picture", "number", strconv.Itoa(i+1), "of", of)
		picture, err := w.picture(ctx, name, key, p.Pictures[i])
		if err != nil {
			return nil, err
		}
		pictures.Pictures = append(pictures.Pictures, picture)
	}
	pictures.Heading = w.say("pictures", "arrived", strconv.Itoa(arrived), "named", of)
	return append(parts, pictures), nil
}

func (w writer) picture(ctx context.Context, name, key, sum string) (paper.Picture, error) {
	small, why, err := w.pictures.shrink(ctx, key, sum)
	picture := paper.Picture{Image: small, Caption: name + "\n" + sum}
	if why != "" {
		picture.Instead = w.say(why)
	}
	return picture, err
}
