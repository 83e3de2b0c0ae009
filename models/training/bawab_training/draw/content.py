"""Invented holders and words: everything that is printed on a synthetic document.

Names are chance combinations of common given names; numbers, dates and addresses are drawn. No
value comes from a document of a living person. Strings are in logical order.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from .mrz_text import check_digit

ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")

# Egyptian given names with the spelling that their bearers use in passports.
MEN = """محمد Mohamed|أحمد Ahmed|محمود Mahmoud|مصطفى Mostafa|إبراهيم Ibrahim|حسن Hassan|حسين Hussein|خالد Khaled
عمر Omar|عمرو Amr|يوسف Youssef|علي Ali|كريم Karim|طارق Tarek|هشام Hesham|شريف Sherif|جمال Gamal|أشرف Ashraf
عادل Adel|إيهاب Ehab|وائل Wael|أيمن Ayman|رضا Reda|سيد Sayed|ياسر Yasser|فؤاد Fouad|جابر Gaber|إسماعيل Ismail
عماد Emad|أسامة Osama|عصام Essam|رجب Ragab|معتز Moataz|عبدالرحمن Abdelrahman|جرجس Gerges|مينا Mina|بيشوي Bishoy
عبدالله Abdallah|عبدالعزيز Abdelaziz|عبدالحميد Abdelhamid|عبدالفتاح Abdelfattah|مجدي Magdy|رمضان Ramadan
شعبان Shaaban|فتحي Fathy|صلاح Salah|نبيل Nabil|سامي Samy|حمدي Hamdy|لطفي Lotfy|شوقي Shawky|توفيق Tawfik
زكريا Zakaria|سليمان Soliman|داود Dawoud|عثمان Osman|بكر Bakr|ماهر Maher|هاني Hany|رامي Ramy|تامر Tamer"""
WOMEN = """فاطمة Fatma|منى Mona|هبة Heba|مروة Marwa|رانيا Rania|نجوى Nagwa|سارة Sara|نهى Noha|دعاء Doaa|شيماء Shaimaa
إيمان Eman|إسراء Esraa|مريم Mariam|سلمى Salma|زينب Zeinab|أسماء Asmaa|جيهان Gihan|آية Aya|نورهان Nourhan
ياسمين Yasmin|دينا Dina|هدى Hoda|سعاد Soad|عزة Azza|ليلى Laila|نادية Nadia|سميرة Samira|حنان Hanan|أمل Amal"""
CITIES = """القاهرة CAIRO|الجيزة GIZA|الإسكندرية ALEXANDRIA|الدقهلية DAKAHLIA|الشرقية SHARQIA|الغربية GHARBIA|المنيا MINYA
أسيوط ASSIUT|سوهاج SOHAG|قنا QENA|الأقصر LUXOR|أسوان ASWAN|الفيوم FAYOUM|بني سويف BENI SUEF|دمياط DAMIETTA
بورسعيد PORT SAID|السويس SUEZ|الإسماعيلية ISMAILIA|البحيرة BEHEIRA|المنوفية MENOFIA|كفر الشيخ KAFR EL SHEIKH"""
JOBS = """مهندس ENGINEER|طبيب PHYSICIAN|محاسب ACCOUNTANT|مدرس TEACHER|محام LAWYER|طالب STUDENT|عامل WORKER|تاجر MERCHANT
ربة منزل HOUSEWIFE|صيدلي PHARMACIST|موظف EMPLOYEE|سائق DRIVER|فني TECHNICIAN|نجار CARPENTER"""
STREETS = "النيل|الجمهورية|النصر|الثورة|الهرم|التحرير|السلام|عمر بن الخطاب|الجيش|البحر|المحطة|المدارس|الزهور|بورسعيد"
OFFICES = """العباسية ABBASIA|الجيزة GIZA|الإسكندرية ALEXANDRIA|طنطا TANTA|المنصورة MANSOURA|أسيوط ASSIUT|مدينة نصر NASR CITY"""
MILITARY = "أدى الخدمة العسكرية|معاف نهائيا|مؤجل|غير مطلوب للتجنيد|لم يحدد موقفه"

GIVEN = """ANNA MARIA ERIK LUCAS SOFIA EMMA OLIVER NOAH MIA LEA JAN PIOTR EWA CARLOS LUCIA JOSE ANA PEDRO JOAO INES LUIGI GIULIA
MARCO CHIARA HANS GRETA KLAUS HEIDI IVAN OLGA DMITRI NATALIA MEHMET AYSE FATIH ELIF RAVI PRIYA ANIL SUNITA WEI LI MIN
HANA KENJI YUKI AKIRA SAKURA KWAME AMA CHIDI NGOZI FATOU MOUSSA AMINATA JOHN MARY PETER SARAH DAVID LAURA PAUL KATE
JEAN-PIERRE ANNE-MARIE MARIE LOUISE THOMAS ALICE HUGO CHLOE NILS ASTRID BJORN SIGRID""".split()
FAMILY = """ERIKSSON VIRTANEN NOVAK KOWALSKI GARCIA FERNANDEZ SILVA SANTOS ROSSI BIANCHI MUELLER SCHMIDT IVANOV PETROVA YILMAZ
DEMIR SHARMA PATEL SINGH CHEN WANG KIM PARK TANAKA SUZUKI MENSAH OKAFOR DIALLO TRAORE SMITH JOHNSON BROWN O'CONNOR
VAN-DER-BERG DUPONT MOREAU LEFEBVRE HANSEN NIELSEN PAPADOPOULOS HORVATH NAGY POPESCU DIMITROV KHAN AHMED RAHMAN
NGUYEN TRAN SANTOS-OLIVEIRA DE-LA-CRUZ HERNANDEZ MARTINEZ GUTIERREZ AL-HASHIMI BEN-DAVID""".split()

# code, English name, name in the own script, the two extra label languages.
COUNTRIES = """DEU|GERMANY|BUNDESREPUBLIK DEUTSCHLAND|de fr;FRA|FRANCE|RÉPUBLIQUE FRANÇAISE|fr en;ITA|ITALY|REPUBBLICA ITALIANA|it fr
ESP|SPAIN|ESPAÑA|es fr;CZE|CZECH REPUBLIC|ČESKÁ REPUBLIKA|cs fr;POL|POLAND|RZECZPOSPOLITA POLSKA|pl fr
SWE|SWEDEN|SVERIGE|sv fr;TUR|TÜRKİYE|TÜRKİYE CUMHURİYETİ|tr fr;GRC|GREECE|ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ|el fr
RUS|RUSSIAN FEDERATION|РОССИЙСКАЯ ФЕДЕРАЦИЯ|ru en;UKR|UKRAINE|УКРАЇНА|ru en;SAU|SAUDI ARABIA|المملكة العربية السعودية|ar en
JOR|JORDAN|المملكة الأردنية الهاشمية|ar en;SDN|SUDAN|جمهورية السودان|ar en;MAR|MOROCCO|المملكة المغربية|ar fr
JPN|JAPAN|日本国|ja en;CHN|CHINA|中华人民共和国|zh en;IND|INDIA|भारत गणराज्य|hi en;GBR|UNITED KINGDOM|UNITED KINGDOM OF GREAT BRITAIN|en fr
USA|UNITED STATES|UNITED STATES OF AMERICA|en fr;BRA|BRAZIL|REPÚBLICA FEDERATIVA DO BRASIL|es fr;UTO|UTOPIA|UTOPIA|en fr
D<<|GERMANY|REISEPASS PASSPORT|de fr;NGA|NIGERIA|FEDERAL REPUBLIC OF NIGERIA|en fr;KEN|KENYA|JAMHURI YA KENYA|en fr"""

# What a field is called, by language; en is always printed.
LABELS = {
    "surname": "en Surname|fr Nom|de Name|es Apellidos|it Cognome|cs Příjmení|pl Nazwisko|sv Efternamn|tr Soyadı|el Επώνυμο|ru Фамилия|ar اللقب|ja 姓|zh 姓|hi उपनाम",
    "given": "en Given names|fr Prénoms|de Vornamen|es Nombre|it Nome|cs Jméno|pl Imiona|sv Förnamn|tr Adı|el Όνομα|ru Имя|ar الاسم|ja 名|zh 名|hi दिया गया नाम",
    "nationality": "en Nationality|fr Nationalité|de Staatsangehörigkeit|es Nacionalidad|it Cittadinanza|cs Státní občanství|pl Obywatelstwo|sv Nationalitet|tr Uyruğu|el Ιθαγένεια|ru Гражданство|ar الجنسية|ja 国籍|zh 国籍|hi राष्ट्रीयता",
    "birth": "en Date of birth|fr Date de naissance|de Geburtsdatum|es Fecha de nacimiento|it Data di nascita|cs Datum narození|pl Data urodzenia|sv Födelsedatum|tr Doğum tarihi|el Ημερομηνία γέννησης|ru Дата рождения|ar تاريخ الميلاد|ja 生年月日|zh 出生日期|hi जन्म तिथि",
    "place": "en Place of birth|fr Lieu de naissance|de Geburtsort|es Lugar de nacimiento|it Luogo di nascita|cs Místo narození|pl Miejsce urodzenia|sv Födelseort|tr Doğum yeri|el Τόπος γέννησης|ru Место рождения|ar محل الميلاد|ja 本籍|zh 出生地点|hi जन्म स्थान",
    "sex": "en Sex|fr Sexe|de Geschlecht|es Sexo|it Sesso|cs Pohlaví|pl Płeć|sv Kön|tr Cinsiyeti|el Φύλο|ru Пол|ar النوع|ja 性別|zh 性别|hi लिंग",
    "issued": "en Date of issue|fr Date de délivrance|de Ausstellungsdatum|es Fecha de expedición|it Data di rilascio|cs Datum vydání|pl Data wydania|sv Utfärdat|tr Veriliş tarihi|el Ημερομηνία έκδοσης|ru Дата выдачи|ar تاريخ الإصدار|ja 発行年月日|zh 签发日期|hi जारी करने की तिथि",
    "expiry": "en Date of expiry|fr Date d'expiration|de Gültig bis|es Fecha de caducidad|it Data di scadenza|cs Platnost do|pl Data ważności|sv Sista giltighetsdag|tr Geçerlilik tarihi|el Ημερομηνία λήξης|ru Действителен до|ar تاريخ الانتهاء|ja 有効期間満了日|zh 有效期至|hi समाप्ति तिथि",
    "authority": "en Authority|fr Autorité|de Behörde|es Autoridad|it Autorità|cs Vydal|pl Organ wydający|sv Myndighet|tr Veren makam|el Αρχή έκδοσης|ru Орган|ar جهة الإصدار|ja 発行官庁|zh 签发机关|hi प्राधिकरण",
    "number": "en Passport No.|fr Passeport No|de Pass-Nr.|es Pasaporte Nº|it Passaporto N.|cs Číslo pasu|pl Nr paszportu|sv Passnr|tr Pasaport No|el Αρ. διαβατηρίου|ru Паспорт №|ar رقم الجواز|ja 旅券番号|zh 护照号|hi पासपोर्ट सं.",
    "personal": "en Personal No.|fr No personnel|de Personenkennzahl|es Nº personal|it N. personale|cs Rodné číslo|pl Nr PESEL|sv Personnr|tr T.C. Kimlik No|el Αρ. ταυτότητας|ru Личный №|ar الرقم الوطني|ja 番号|zh 编号|hi संख्या",
}
T = TypeVar("T")

MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()

# Running text for pages that are no documents, by script.
PROSE = {
    "latin": """the quick report shows that every morning train leaves before seven and nobody asks why the small office opens late
this agreement is made between both parties under section twelve invoice total amount due date customer address phone order number
quantity price discount tax terms conditions apply without notice kitchen garden winter music paper water bridge history market""".split(),
    "arabic": """في هذا الكتاب نقرأ عن تاريخ المدينة القديمة وعن أهلها الذين عاشوا على ضفاف النهر وكانت الأسواق تمتلئ بالناس كل صباح
عقد بيع بين الطرفين الأول والثاني بمبلغ وقدره جنيه مصري فقط لا غير تحريرا شركة الكهرباء فاتورة الاستهلاك الشهري رقم المشترك""".split(),
    "cyrillic": "настоящий договор заключён между сторонами о нижеследующем счёт дата сумма адрес город улица дом зимой поезд уходит утром".split(),
    "greek": "η παρούσα σύμβαση καταρτίζεται μεταξύ των μερών ημερομηνία ποσό διεύθυνση πόλη οδός βιβλίο ιστορία θάλασσα".split(),
    "hebrew": "החוזה הזה נעשה בין הצדדים תאריך סכום כתובת עיר רחוב ספר היסטוריה של העיר העתיקה".split(),
    "devanagari": "यह अनुबंध दोनों पक्षों के बीच किया गया है दिनांक राशि पता शहर सड़क पुस्तक इतिहास".split(),
    "thai": "สัญญานี้ทำขึ้นระหว่างคู่สัญญา วันที่ จำนวนเงิน ที่อยู่ เมือง ถนน หนังสือ ประวัติศาสตร์".split(),
    "cjk": "本合同由双方签订 日期 金额 地址 城市 街道 書籍 歴史 古い町 東京都 新宿区 株式会社 領収書 合計 ありがとう".split(),
    "bengali": "এই চুক্তি উভয় পক্ষের মধ্যে সম্পাদিত তারিখ পরিমাণ ঠিকানা শহর রাস্তা বই ইতিহাস".split(),
}


def table(text: str) -> list[tuple[str, str]]:
    """Split 'a A|b B C' into [('a', 'A'), ('b', 'B C')] at the first change from Arabic to Latin."""
    rows = []
    for item in text.replace("\n", "|").split("|"):
        cut = next(i for i, c in enumerate(item) if c.isascii() and c.isalpha())
        rows.append((item[:cut].strip(), item[cut:].strip()))
    return rows


def pick(rng: np.random.Generator, items: Sequence[T]) -> T:
    """Draw one element of a sequence."""
    return items[int(rng.integers(len(items)))]


def label(name: str, language: str) -> str:
    """Return the label of a field in a language code, or the English one."""
    texts = dict(part.split(" ", 1) for part in LABELS[name].split("|"))
    return texts.get(language, texts["en"])


@dataclass
class Holder:
    """One invented person with everything that a document prints about them."""

    country: str
    surname: str
    given: str
    arabic_name: str
    sex: str
    birth: datetime.date
    issued: datetime.date
    expiry: datetime.date
    number: str
    personal: str
    place: tuple[str, str]
    job: tuple[str, str] = ("", "")
    office: tuple[str, str] = ("", "")
    address: str = ""
    military: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


def _date(rng: np.random.Generator, low: int, high: int) -> datetime.date:
    start = datetime.date(low, 1, 1).toordinal()
    return datetime.date.fromordinal(start + int(rng.integers(0, 365 * (high - low) + 1)))


def years_later(day: datetime.date, years: int) -> datetime.date:
    """The day before the same calendar day some years on, as documents count validity."""
    return datetime.date.fromordinal(day.replace(year=day.year + years, day=min(day.day, 28)).toordinal() - 1)


def egyptian(rng: np.random.Generator) -> Holder:
    """Draw an Egyptian holder: a chain of three to five names, national number, letter and eight digits."""
    sex = "F" if rng.random() < 0.45 else "M"
    men, first = table(MEN), table(WOMEN if sex == "F" else MEN)
    chain = [pick(rng, first)] + [pick(rng, men) for _ in range(int(rng.integers(2, 5)))]
    birth = _date(rng, 1948, 2006)
    issued = _date(rng, 2020, 2026)
    century = "2" if birth.year < 2000 else "3"
    serial = int(rng.integers(0, 1000)) * 10 + int(rng.integers(0, 5)) * 2 + (sex == "M")
    personal = f"{century}{birth:%y%m%d}{int(rng.integers(1, 5)):02d}{serial % 10000:04d}{int(rng.integers(1, 10))}"
    split = 1 if rng.random() < 0.6 else 2
    latin = [name[1].upper() for name in chain]
    house = str(int(rng.integers(1, 140))).translate(ARABIC_DIGITS)
    street = f"{house} شارع {pick(rng, STREETS.split('|'))}"
    place = pick(rng, table(CITIES))
    return Holder(
        "EGY", " ".join(latin[-split:]), " ".join(latin[:-split]), " ".join(name[0] for name in chain), sex, birth,
        issued, years_later(issued, 7), "A" + "".join(str(d) for d in rng.integers(0, 10, 8)), personal, place,
        pick(rng, table(JOBS)), pick(rng, table(OFFICES)), f"{street} {pick(rng, table(CITIES))[0]}",
        pick(rng, MILITARY.split("|")) if sex == "M" else "",
    )


def countries() -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Rows (code, English name, own name, (language, language))."""
    rows = [row.split("|") for row in COUNTRIES.replace("\n", ";").split(";")]
    return [(code, english, own, tuple(languages.split())) for code, english, own, languages in rows]


def foreign(rng: np.random.Generator) -> Holder:
    """Draw a holder of another country; extra carries the country's names and label languages."""
    code, english, own, languages = pick(rng, countries())
    birth, issued = _date(rng, 1945, 2008), _date(rng, 2016, 2026)
    letters = "ABCDEFGHJKLMNPRTUVWXYZ"
    number = "".join(pick(rng, letters) for _ in range(int(rng.integers(0, 3))))
    number += "".join(str(d) for d in rng.integers(0, 10, int(rng.integers(6, 10 - len(number)))))
    personal = "".join(str(d) for d in rng.integers(0, 10, int(rng.integers(6, 13)))) if rng.random() < 0.5 else ""
    given = " ".join(pick(rng, GIVEN) for _ in range(int(rng.integers(1, 4))))
    sex = pick(rng, "MFMFMFMFX")
    return Holder(
        code, pick(rng, FAMILY), given, "", sex, birth, issued, years_later(issued, 10 if rng.random() < 0.7 else 5),
        number, personal, ("", pick(rng, "BERLIN PARIS ROMA MADRID PRAHA WARSZAWA LAGOS OSAKA DELHI LIMA QUITO".split())),
        extra={"english": english, "own": own, "languages": languages},
    )


def written(day: datetime.date, rng: np.random.Generator) -> str:
    """Write a date in one of the habits of passports."""
    month = MONTHS[day.month - 1]
    return pick(rng, [f"{day:%d.%m.%Y}", f"{day:%d/%m/%Y}", f"{day.day:02d} {month} {day.year}", f"{day:%d-%m-%Y}",
                      f"{day:%d %m %Y}", f"{day.day:02d} {month}/{month} {day:%y}"])


def sentence(rng: np.random.Generator, script: str, words: int) -> str:
    """A line of that many words of running text in a script of PROSE, with some numbers."""
    chosen = [pick(rng, PROSE[script]) for _ in range(words)]
    for index in range(words):
        if rng.random() < 0.07:
            chosen[index] = str(int(rng.integers(1, 100000)))
    return " ".join(chosen)


def zone_text(holder: Holder) -> list[str]:
    """The two TD3 lines of a holder, with right check digits."""
    def filled(text: str, width: int) -> str:
        plain = "".join("<" if c in " -" else c for c in text if c.isalnum() or c in " -<")
        return plain[:width].ljust(width, "<")

    name = filled(f"{holder.surname}<<{holder.given}", 39)
    number, personal = filled(holder.number, 9), filled(holder.personal, 14)
    birth, expiry = f"{holder.birth:%y%m%d}", f"{holder.expiry:%y%m%d}"
    checked = [value + check_digit(value) for value in (number, birth, expiry, personal)]
    sex = "<" if holder.sex == "X" else holder.sex
    second = checked[0] + filled(holder.country, 3) + checked[1] + sex + checked[2] + checked[3]
    return ["P<" + filled(holder.country, 3) + name, second + check_digit("".join(checked))]
