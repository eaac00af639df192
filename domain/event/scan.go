package event

// Scan is a scanned barcode, in the event of its product.
type Scan struct {
	Event     string `json:"event"`
	Barcode   string `json:"barcodeId"`
	ScannedAt string `json:"scannedAt"`            // as RFC 3339
	Location  int64  `json:"locationId,omitempty"` // 0 if unknown
}
