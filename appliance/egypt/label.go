package egypt

import (
	"slices"
	"strings"
	"sync"
)

// Label says what a printed phrase announces, or which document it belongs to.
type Label string

// Labels of all documents of the contract.
const (
	LabelRepublic     Label = "republic"      // title of every document
	LabelIdentityCard Label = "identity_card" // title of the national ID's front
	LabelValidUntil   Label = "valid_until"   // national ID, back
	LabelHusband      Label = "husband"
	LabelInterior     Label = "interior" // ministry: back of licences
	LabelDriving      Label = "driving_license"
	LabelVehicle      Label = "car_license"
	LabelDepartment   Label = "traffic_department"
	LabelUnit         Label = "traffic_unit"
	LabelLicenceType  Label = "license_type"
	LabelIssued       Label = "issued"
	LabelExpires      Label = "expires"
	LabelInspection   Label = "inspection"
	LabelNationality  Label = "nationality"
	LabelName         Label = "name"
	LabelAddress      Label = "address"
	LabelJob          Label = "job"
	LabelPlate        Label = "plate"
	LabelMake         Label = "make"
	LabelModel        Label = "model"
	LabelModelYear    Label = "model_year"
	LabelBody         Label = "body"
	LabelChassis      Label = "chassis"
	LabelMotor        Label = "motor"
	LabelColour       Label = "color"
	LabelFuel         Label = "fuel"
	LabelCylinders    Label = "cylinders"
	LabelVolume       Label = "volume"
	LabelInsurance    Label = "insurance"
	LabelBank         Label = "bank" // that must agree to a sale
	LabelPassengers   Label = "passengers"
	LabelLoad         Label = "load"
	LabelNumber       Label = "national_number"
	LabelCondition    Label = "condition"
	LabelUse          Label = "use"
	LabelRemarks      Label = "remarks"
	LabelVehicleData  Label = "vehicle_data" // title of the back of car licences
	LabelHeading      Label = "heading"      // of a part of a licence
	LabelLatinName    Label = "latin_name"
	LabelLatinNation  Label = "latin_nationality"
	LabelOffice       Label = "office"    // that issued the licence: a traffic department or unit
	LabelRest         Label = "rest_name" // of the holder's name
	LabelSerial       Label = "serial"
	LabelGovernorate  Label = "governorate"
	LabelBlood        Label = "blood"
	LabelBirth        Label = "birth"
	LabelEnglish      Label = "english" // a label in English, as may stand beside the Arabic one
	LabelOther        Label = "other"   // what is no field of the service
)

// Phrase is one wording of a label, out of Phrases.
type Phrase struct {
	Label Label
	Text  string
}

// Phrases lists the wordings of all labels. Those of the national ID and the cue words of licences are from the
// reference; the wordings of car licences are app vocabularies, not transcripts. The caller owns the list.
func Phrases() []Phrase { return slices.Clone(phrases()) }

// PhrasesOf lists the wordings of some labels, in the order of Phrases. The caller owns the list.
func PhrasesOf(labels ...Label) (out []Phrase) {
	for _, p := range phrases() {
		if slices.Contains(labels, p.Label) {
			out = append(out, p)
		}
	}
	return out
}

var phrases = sync.OnceValue(func() (out []Phrase) {
	for _, row := range []struct {
		label Label
		texts string // parted by strokes
	}{
		{LabelRepublic, "جمهورية مصر العربية"},
		{LabelIdentityCard, "بطاقة تحقيق الشخصية|بطاقة تحقيق شخصية|بطاقة شخصية"},
		{LabelValidUntil, "البطاقة سارية حتى|تاريخ انتهاء البطاقة|البطاقة صالحة حتى|سارية حتى|صالحة حتى"},
		{LabelHusband, "اسم الزوج|الزوج|زوجها"},
		{LabelInterior, "وزارة الداخلية|الإدارة العامة للمرور"},
		{LabelDriving, "رخصة قيادة|رخصة القيادة"},
		{LabelVehicle, "رخصة تسيير مركبة|رخصة تسيير سيارة|رخصة تسيير|رخصة سير مركبة|رخصة سير|رخصة سيارة|رخصة مركبة"},
		{LabelVehicleData, "وصف المركبة|المواصفات الفنية|مواصفات السيارة|مواصفات المركبة|بيانات المركبة|بيانات السيارة|بيانات فنية|البيانات الفنية|رخصة تسيير بيانات المركبة"},
		{LabelHeading, "بيانات الرخصة|بيانات الترخيص|بيانات صاحب الرخصة|بيانات حامل الرخصة|بيانات المالك|بيانات السائق|بيانات شخصية|البيانات الشخصية"},
		{LabelDepartment, "إدارة مرور|إدارة عامة لمرور|الإدارة العامة لمرور"},
		{LabelUnit, "وحدة مرور|وحدة تراخيص"},
		{LabelLicenceType, "نوع الرخصة|الدرجة|درجة الرخصة|فئة الرخصة|نوع رخصة القيادة|درجة رخصة القيادة|فئة رخصة القيادة"},
		{LabelUse, "نوع الترخيص|فئة الترخيص|نوع الاستخدام|وجه الاستعمال|الاستعمال|الاستخدام|الترخيص|نوع الاستعمال|غرض الاستعمال|استعمال المركبة|استخدام المركبة|استعمال السيارة|الغرض من الاستعمال|الغرض من الترخيص|نوع التسيير"},
		{LabelIssued, "تاريخ التحرير|تاريخ الإصدار|تاريخ الترخيص|بداية الترخيص|تحريرا في|صدرت في|حررت في|حرر في|صدرت بتاريخ|تاريخ الصرف|تاريخ الصدور|تاريخ صدور الرخصة|تاريخ إصدار الرخصة|صرفت في"},
		{LabelExpires, "نهاية الترخيص|انتهاء الترخيص|تاريخ الانتهاء|الانتهاء|تنتهي في|تاريخ النهاية|نهاية الرخصة|انتهاء الرخصة|سارية لغاية|سارية إلى|تسري حتى|تسري لغاية|تنتهي بتاريخ|تاريخ انتهاء الرخصة|تاريخ انتهاء الترخيص"},
		{LabelInspection, "الفحص حتى|الفحص الفني حتى|الفحص ساري حتى|تاريخ الفحص|موعد الفحص|تاريخ آخر فحص|الفحص الفني|تاريخ الفحص الفني|الفحص الفني بتاريخ|الفحص|آخر فحص|آخر فحص فني|تاريخ آخر فحص فني|تم الفحص في|تم الفحص|موعد آخر فحص|فحص|بتاريخ الفحص|تاريخ المعاينة|فحص فني بتاريخ|تاريخ فحص|فحص في|الفحص في|فحصت يوم|تم فحصها فنيا بتاريخ"},
		{LabelNationality, "الجنسية|جنسية|جنسية المالك|جنسية حامل الرخصة|جنسيته|جنسيتها"},
		{LabelName, "الاسم|اسم|اسم المالك|اسم المرخص له|المالك|مالك المركبة|مالك السيارة|اسم مالك المركبة|اسم مالك السيارة|اسم حامل الرخصة|صاحب الرخصة|الاسم بالكامل|الاسم باللغة العربية|اسم صاحب الرخصة|اسم السائق|المرخص له|اسم صاحب المركبة|اسم صاحب السيارة|صاحب المركبة|صاحب السيارة|اسم الحائز|الاسم الأول للمالك|المالك الحائز|الاسم رباعي|الاسم رباعيا"},
		{LabelLatinName, "الاسم بالإنجليزية|الاسم باللاتينية|الاسم باللغة الإنجليزية|الاسم اللاتيني|الاسم بالحروف اللاتينية|الاسم باللاتيني|الاسم لاتيني|الاسم الإنجليزي|الاسم بالإنجليزي|الاسم إنجليزي"},
		{LabelLatinNation, "الجنسية بالإنجليزية|الجنسية باللاتينية|الجنسية باللغة الإنجليزية|الجنسية لاتيني"},
		{LabelAddress, "العنوان|عنوان|محل الإقامة|الإقامة|محل السكن|عنوان السكن|عنوان المالك|عنوان الإقامة|عنوان محل الإقامة|عنوانه|عنوانها|ومحل الإقامة|والمقيم في|والمقيمة في|العنوان بالكامل|العنوان كاملا|مكان الإقامة|السكن|أسكن في|محل إقامته|محل إقامتها"},
		{LabelJob, "المهنة|الوظيفة|مهنة|وظيفة|المهنة الوظيفة|العمل|الحرفة|مهنة حامل الرخصة|صناعته|صناعتها"},
		{LabelPlate, "رقم اللوحة|رقم اللوحة المعدنية|رقم المركبة|رقم اللوحات|رقم اللوحات المعدنية|لوحات رقم|رقم السيارة|لوحة رقم|اللوحات المعدنية|اللوحة المعدنية|يرخص بتسيير المركبة رقم|أرقام اللوحات|أرقام اللوحة|اللوحة"},
		{LabelMake, "الماركة|ماركة|النوع|الصانع|الشركة المصنعة|ماركة السيارة|ماركة المركبة"},
		{LabelModel, "الطراز|الموديل|موديل|الطراز التجاري|طراز|اسم الطراز|اسم الموديل|طراز المركبة|طراز السيارة"},
		{LabelModelYear, "سنة الصنع|سنة الموديل|موديل سنة|السنة|سنة الإنتاج|عام الصنع|سنة صنع|سنة صنع المركبة|سنة صنع السيارة"},
		{LabelBody, "الجسم|شكل المركبة|شكل السيارة|نوع المركبة|نوع السيارة|شكل الهيكل|نوع الجسم|شكل الجسم|الشكل|نوع الهيكل|الهيكل|هيكلها|شكل|جسم المركبة|جسم السيارة"},
		{LabelChassis, "رقم الشاسيه|شاسيه رقم|الشاسيه|شاسيه|رقم القاعدة|رقم القاعدة الشاسيه|القاعدة الشاسيه|رقم الهيكل|رقم الهيكل الشاسيه"},
		{LabelMotor, "رقم الموتور|موتور رقم|الموتور|رقم المحرك|موتور|وموتور رقم|رقم محرك|محرك|رقم الماكينة|الماكينة"},
		{LabelColour, "اللون|لون|لون المركبة|لون السيارة|اللون الأساسي|ولونها|لونها"},
		{LabelFuel, "الوقود|وقود|وقود المحرك|نوع الوقود|وتعمل بوقود|الوقود المستخدم|نوع الوقود المستخدم"},
		{LabelCylinders, "عدد السلندرات|عدد السلندر|عدد سلندر|السلندرات|عدد الأسطوانات|السلندر|سلندر|وعدد سلندراتها|سلندرات|عدد سلندرات|عدد أسطوانات|أسطوانات"},
		{LabelVolume, "السعة اللترية|سعة المحرك|سعة الموتور|السعة|السعة اللترية سم٣|سعة المحرك سم٣|سعة الموتور سم٣|السعة سم٣|والسعة اللترية|سعة لترية|سعة|سعة المحرك سم مكعب|السعة سم مكعب|السعة اللترية سم مكعب|سعة الموتور سم مكعب|سم مكعب|س.س"},
		{LabelInsurance, "شركة التأمين|بيانات التأمين|التأمين"},
		{LabelBank, "البنك المحظور|حظر بيع لصالح|محظور البيع"},
		{LabelPassengers, "عدد الركاب|عدد ركاب|الركاب"},
		{LabelLoad, "الحمولة|حمولة|الوزن الفارغ|وزن فارغ|الحمولة كجم|الحمولة طن|الوزن|الوزن كجم|الوزن الإجمالي"},
		{LabelNumber, "الرقم القومي|رقم قومي|رقم الرخصة|رقم البطاقة|رقم البطاقة القومي|رقم الرخصة القومي|رقم القيد|الرقم القومي للمرخص له"},
		{LabelCondition, "الشروط|اشتراطات|اشتراطات خاصة|شروط خاصة|الشروط الخاصة|شروط القيادة|قيود القيادة|شروط الترخيص|شروط الرخصة|شروط الاستعمال|شروط|الشروط والقيود|ملاحظات طبية|القيود الطبية|الحالة الطبية|الشروط الطبية"},
		{LabelRemarks, "ملاحظات|ملحوظات|قيود|بيانات أخرى|أخرى|بيانات|ملاحظات الترخيص|ملاحظات الرخصة|ملاحظات أخرى|ملاحظات وقيود|قيود وملاحظات|الملاحظات|القيود|بيانات إضافية|قيود الملكية|ملاحظة|تأشيرات|التأشيرات|ملاحظات خاصة|بيانات خاصة"},
		{LabelOffice, "جهة الإصدار|جهة التحرير|جهة الترخيص|الجهة|وحدة المرور|وحدة الترخيص|إدارة المرور|المرور|الإدارة|الوحدة|وحدة الإصدار|مكتب الإصدار|مكتب الترخيص|مكان الإصدار|صادرة من|صادرة عن"},
		{LabelRest, "تكملة الاسم|باقي الاسم|بقية الاسم|اسم الأب والعائلة|اسم العائلة|اسم الأب|اللقب|الأب والجد والعائلة|اللقب واسم الأب|اللقب والعائلة"},
		{LabelSerial, "مسلسل|رقم مسلسل|الرقم المسلسل"},
		{LabelGovernorate, "المحافظة"},
		{LabelBlood, "فصيلة الدم"},
		{LabelBirth, "تاريخ الميلاد"},
		{LabelOther, "الضريبة السنوية|الضريبة|رقم الملف|الوزن الفارغ كجم|رقم قومي المالك|الرقم القومي للمالك|رقم المالك القومي|تاريخ أول ترخيص|أول ترخيص|عدد المقاعد|عدد المحاور|وزن المركبة|نهاية التأمين|انتهاء التأمين|التأمين حتى|رقم الإيصال|رقم التليفون|رقم النموذج"},
	} {
		for text := range strings.SplitSeq(row.texts, "|") {
			out = append(out, Phrase{row.label, text})
		}
	}
	for text := range strings.SplitSeq(englishLabels, "|") {
		out = append(out, Phrase{LabelEnglish, text})
		if words := strings.Fields(text); len(words) > 1 { // in a line that is read from right to left
			slices.Reverse(words)
			out = append(out, Phrase{LabelEnglish, strings.Join(words, " ")})
		}
	}
	return out
})

// englishLabels are wordings that may stand beside Arabic labels, or alone.
const englishLabels = "Name|Full Name|Owner|Owner Name|Holder|Name Arabic|Name English|Name Latin|Latin Name|Name in English|" +
	"English Name|Rest of Name|Surname|Family Name|Owner Cont|Name Cont|Address|Residence|Home Address|Nationality|" +
	"Occupation|Profession|Job|Issued by|Department|Traffic Dept|Traffic Department|Traffic Unit|Place of Issue|" +
	"Office|Traffic|License Type|Licence Type|Class|License Class|Licence Class|ID No|ID Number|National ID|" +
	"National No|Valid Until|Expiry Date|Date of Expiry|Valid To|Expires|Expiry|Issue Date|Date of Issue|" +
	"Valid From|Issued|Issue|Remarks|Notes|Conditions|Restrictions|Vehicle No|Plate No|Plate Number|License No|" +
	"Licence No|Usage|Use|Brand|Make|Model|Year|Model Year|Vehicle Type|Body|Body Type|Color|Colour|Fuel|Fuel Type|" +
	"Engine CC|CC|Capacity|Capacity CC|Cylinders|Chassis No|Chassis|VIN|Engine No|Engine|Motor No|Inspection Date|" +
	"Test Date|Inspection|Examined|Inspected|Serial|Serial No|Governorate|Blood|Blood Type|Blood Group|" +
	"Date of Birth|English|Passengers|Seats|Insurance|Valid|Country|Egypt|Arab Republic of Egypt|" +
	"Ministry of Interior|Driving License|Driving Licence|Vehicle License|Vehicle Licence|Vehicle Data"
