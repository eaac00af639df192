package driving

// Limits on a driver's uploads in 24 hours: about eight pictures and signatures at each
// of 120 stops, with room for repeats.
const (
	MostPicturesADay     = 1_000
	MostPictureBytesADay = 1 << 30
)
