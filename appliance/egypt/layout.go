package egypt

// Role says what a printed line of a document is.
type Role string

// The roles of the lines on a national ID.
const (
	RoleTitle1   Role = "title_1"   // جمهورية مصر العربية
	RoleTitle2   Role = "title_2"   // بطاقة تحقيق الشخصية
	RolePortrait Role = "portrait"  // no line: the photograph
	RoleName1    Role = "name_1"    // given name alone
	RoleName2    Role = "name_2"    // the other names; one source knows up to three such lines
	RoleAddress1 Role = "address_1" // house and street
	RoleAddress2 Role = "address_2" // district and governorate
	RoleNumber   Role = "number"    // national number
	RoleBirth    Role = "birth"     // YYYY/MM/DD, often unreadable by design
	RoleSerial   Role = "serial"    // Latin letters and digits: idKey
)

// Place is where a line is expected on an upright card. All measures are fractions of the card's width (X, W, DX) and
// height (Y, H, DY), the origin at the top left. A line as a detector finds it is as wide as its text, so W and H are the
// most that is printed there, and text is set from Right to the left where Right is not 0.
type Place struct {
	Role   Role
	X, Y   float64 // centre of the zone in which the role is printed
	W, H   float64 // extent of that zone
	DX, DY float64 // how far the centre of a line may lie from X, Y before another role is likelier
	Right  float64 // right end of right-aligned text, 0 where nothing is known
	Row    int     // counts from the top; roles of one row stand side by side, from right to left in this list
	Lines  int     // the most printed lines that share the role
}

// Front lists the places of a national ID's front in printed order. Sources: two sets of crops and one of acceptance zones of
// public projects, whose middle is taken where they differ by less than a line; birth and serial are inferred from prose.
// Nobody has confirmed any of it on specimens: readers use it as a prior beside order, label words and content. The
// caller owns the list.
func Front() []Place {
	return []Place{
		{Role: RoleTitle1, X: 0.70, Y: 0.080, W: 0.50, H: 0.10, DX: 0.25, DY: 0.08, Row: 0, Lines: 1},
		{Role: RoleTitle2, X: 0.70, Y: 0.165, W: 0.50, H: 0.09, DX: 0.25, DY: 0.08, Row: 1, Lines: 1},
		{Role: RolePortrait, X: 0.16, Y: 0.320, W: 0.22, H: 0.48, DX: 0.08, DY: 0.12, Row: 1, Lines: 0},
		{Role: RoleName1, X: 0.70, Y: 0.285, W: 0.56, H: 0.10, DX: 0.30, DY: 0.09, Right: 0.96, Row: 2, Lines: 1},
		{Role: RoleName2, X: 0.68, Y: 0.395, W: 0.60, H: 0.10, DX: 0.25, DY: 0.10, Right: 0.96, Row: 3, Lines: 3},
		{Role: RoleAddress1, X: 0.68, Y: 0.530, W: 0.60, H: 0.10, DX: 0.25, DY: 0.10, Right: 0.96, Row: 4, Lines: 1},
		{Role: RoleAddress2, X: 0.68, Y: 0.635, W: 0.60, H: 0.10, DX: 0.25, DY: 0.10, Right: 0.96, Row: 5, Lines: 1},
		{Role: RoleNumber, X: 0.68, Y: 0.840, W: 0.60, H: 0.12, DX: 0.15, DY: 0.13, Row: 6, Lines: 1},
		{Role: RoleBirth, X: 0.19, Y: 0.830, W: 0.32, H: 0.10, DX: 0.16, DY: 0.10, Row: 6, Lines: 1},
		{Role: RoleSerial, X: 0.19, Y: 0.925, W: 0.32, H: 0.09, DX: 0.16, DY: 0.07, Row: 7, Lines: 1},
	}
}

// At finds a role's place; ok is false where the layout does not have it.
func At(layout []Place, role Role) (Place, bool) {
	for _, p := range layout {
		if p.Role == role {
			return p, true
		}
	}
	return Place{}, false
}

// Distance is how far a centre lies from the place in units of its tolerances: within 1 it is at home there.
func (p Place) Distance(x, y float64) float64 {
	dx, dy := max(x-p.X, p.X-x)/p.DX, max(y-p.Y, p.Y-y)/p.DY
	return max(dx, dy)
}
