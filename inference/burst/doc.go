// Package burst measures how the frames of a burst go together, without a network: whether two are one picture, whether they can follow
// each other, whether they move as a flat picture does, and whether they were computed from a still and not taken by a camera.
package burst

// The cues of how frames go together, beside those of injected media.
const (
	CueSamePicture    = "same_picture"
	CuePoseJump       = "pose_jump"
	CuePlaceJump      = "place_jump"
	CueSizeJump       = "size_jump"
	CueLightJump      = "light_jump"
	CueBackgroundJump = "background_jump"
	CuePlanarMotion   = "planar_motion"
)
