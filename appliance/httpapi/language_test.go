package httpapi

import (
	"context"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// TestArabicAnswers: failures, the messages of fields, advice and warnings come in Arabic to whoever prefers it; the codes and all
// else are the same, and the answer says its language.
func TestArabicAnswers(t *testing.T) {
	warned := appliance.CameraWarning(appliance.WarnCameraLost)
	f := start(t, func(o *options) {
		o.health.Warnings = func() []appliance.Warning { return []appliance.Warning{warned} }
		o.read = func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Documents: []appliance.Document{{
				Kind: appliance.Passport, Validations: []appliance.Validation{{Errors: []appliance.Code{appliance.CodeExpired}}},
				Capture: appliance.Capture{Advice: "The plate is too small in the picture: go nearer."},
			}}}, nil
		}
	})
	arabic := header("Accept-Language", "ar-EG,ar;q=0.9,en;q=0.5")
	for path, want := range map[string]string{
		"/v1/none":      "لا يوجد مسار كهذا: كل المسارات في /v1/openapi.yaml",
		"/v1/ocr/multi": "العضو image غير موجود: أرسل صورة بترميز base64",
	} {
		a, english := f.post(path, "{}", arabic), f.post(path, "{}")
		if a.Message != want || a.Code != english.Code || a.header.Get("Content-Language") != "ar" ||
			english.header.Get("Content-Language") != "en" {
			t.Errorf("%s: %d %q in %q", path, a.Code, a.Message, a.header.Get("Content-Language"))
		}
		if !strings.Contains(a.header.Get("Vary"), "Accept-Language") {
			t.Errorf("%s: caches are not told", path)
		}
	}
	a := f.post("/v1/ocr/passport", sample(`"evidence":true`), arabic)
	for _, want := range []string{`{"code":3010,"message":"انتهت صلاحية المستند"}`, `"advice":"اللوحة صغيرة في الصورة: اقترب أكثر."`} {
		if !strings.Contains(a.raw, want) {
			t.Errorf("%s is missing in %s", want, a.raw)
		}
	}
	ready := f.do("GET", "/readyz", nil, arabic)
	if !strings.Contains(ready.raw, "انقطع الاتصال بالكاميرا") {
		t.Errorf("%s", ready.raw)
	}
}
