package appliance

import "slices"

// Endpoint is one reading or comparison of the v1 API; its text is the path below /v1.
type Endpoint string

// The routes of the contract.
const (
	EndpointIDFront         Endpoint = "ocr/id/front"
	EndpointIDBack          Endpoint = "ocr/id/back"
	EndpointCarLicenseFront Endpoint = "ocr/car/license/front"
	EndpointCarLicenseBack  Endpoint = "ocr/car/license/back"
	EndpointPassport        Endpoint = "ocr/passport"
	EndpointDrivingLicense  Endpoint = "ocr/driving_license"
	EndpointLicensePlate    Endpoint = "ocr/license_plate"
	EndpointMulti           Endpoint = "ocr/multi"
	EndpointGeneral         Endpoint = "ocr/general"
	EndpointFaceMatch       Endpoint = "ocr/face/match"
	EndpointLiveness        Endpoint = "ocr/liveness/multi"
)

// DocumentEndpoints lists the endpoints that read one picture, in the order of the contract.
func DocumentEndpoints() []Endpoint {
	var all []Endpoint
	for _, f := range contract() {
		all = append(all, f.Endpoint)
	}
	return append(all, EndpointMulti, EndpointGeneral)
}

// EndpointOf is the endpoint that asks for a kind of the contract; ok is false for other kinds.
func EndpointOf(k Kind) (e Endpoint, ok bool) {
	e = k.Facts().Endpoint
	return e, e != ""
}

// Kind returns the kind of document that the endpoint asks for, and Unknown where it asks for no single kind.
func (e Endpoint) Kind() Kind {
	all := contract()
	if i := slices.IndexFunc(all, func(f Facts) bool { return f.Endpoint == e }); i >= 0 {
		return all[i].Kind
	}
	if k := e.PackKind(); k != "" {
		return k
	}
	return Unknown
}
