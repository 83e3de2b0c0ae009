package models

import (
	"embed"
	"fmt"
)

//go:embed samples/passport.jpg samples/id_front.jpg samples/id_back.jpg samples/plate.jpg
var samples embed.FS

// Reference is a built-in picture of a drawn document, and what every set of
// networks that is worth using reads on it.
type Reference struct {
	// Name is the file's name, Endpoint the path below /v1 that reads it.
	Name, Endpoint string
	// Fields holds the values that must be read exactly. They are numbers,
	// dates and words of closed vocabularies: free text may come out
	// differently with networks that are better on the whole.
	Fields map[string]string
	// Picture is the JPEG file, to be read only.
	Picture []byte
}

// References returns the reference pictures.
func References() ([]Reference, error) {
	list := []Reference{
		{Name: "passport.jpg", Endpoint: "ocr/passport", Fields: map[string]string{
			"passport_no": "A54334171", "country_code": "EGY",
			"name": "DAWOUD SAYED LOTFY OMAR", "Date_of_Birth": "1957-04-20", "Date_of_Expiry": "2032-01-03", "gender": "Male",
		}},
		{Name: "id_front.jpg", Endpoint: "ocr/id/front", Fields: map[string]string{"idNumber": "25311022477412", "dateOfBirth": "1953-11-02", "gender": "Male"}},
		{Name: "id_back.jpg", Endpoint: "ocr/id/back", Fields: map[string]string{"idNumber": "25311022477412", "maritalStatus": "أعزب", "religion": "مسلم"}},
		{Name: "plate.jpg", Endpoint: "ocr/license_plate", Fields: map[string]string{"result": "ن و ف 8186"}},
	}
	for i := range list {
		var err error
		if list[i].Picture, err = samples.ReadFile("samples/" + list[i].Name); err != nil {
			return nil, fmt.Errorf("read reference picture: %w", err)
		}
	}
	return list, nil
}
