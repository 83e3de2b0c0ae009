"""Machine readable zone contents: the ICAO 9303 grammar of TD1, TD2, TD3, MRV-A and MRV-B, with
invented holders, and a share of plain random characters.

The random share keeps the recogniser reading ink: a network that saw only well-formed zones would
learn to write them.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<"
BLANK = 0  # class of the CTC blank; the characters are classes 1..37 in ALPHABET's order
CLASSES = len(ALPHABET) + 1

LETTERS = ALPHABET[:26]
DIGITS = ALPHABET[26:36]

# ISO 3166-1 alpha-3, and ICAO 9303-3 section 5's additional codes.
STATES = """
ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR
BHS BIH BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL
COM CPV CRI CUB CUW CXR CYM CYP CZE DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA
FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI
HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN
LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP
MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER
PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV
SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN
TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE
D GBD GBN GBO GBP GBS RKS EUE UNO UNA UNK XBA XIM XCC XCE XCO XEC XES XMP XOM XPO XDC XXA XXB XXC
XXX UTO
""".split()

_GIVEN = """
AHMED MOHAMED MOHAMMED MAHMOUD MOSTAFA ABDELRAHMAN ABDALLAH YOUSSEF IBRAHIM KHALED HASSAN HUSSEIN ALI
OMAR FATMA MARIAM NOUR HABIBA AYA SARA HEBA AMIRA NADIA SALMA YASMIN ZEINAB GAMAL TAREK SHERIF WALEED
MAGDY SAMIR ADEL ESSAM AYMAN HANY GEORGE MINA PETER MARINA CHRISTINE JOHN JAMES MARY ANNA MARIA ERIKA
THOMAS WILLIAM ELIZABETH OLIVIA EMMA LIAM NOAH SOPHIE CLAIRE JEAN PIERRE LUC CHLOE HANS KLAUS PETRA
UWE JUERGEN GIULIA MARCO PAOLO LUCA JOSE CARLOS JUAN MIGUEL LUCIA CARMEN JOAO PEDRO IVAN DMITRI OLGA
NATALIA SERGEI ELENA KRZYSZTOF AGNIESZKA WOJCIECH JAN PAVEL ZDENEK BJOERN INGRID LARS MATTI AINO
YUKI HIROSHI KENJI SAKURA WEI XIAO MING LI JUN FANG MIN JAE HYUN THI VAN NGUYET RAJ PRIYA ANIL SUNITA
KUMAR SINGH OLUWASEUN CHINEDU AMINA KWAME ABEBE TESFAYE JOMO ZANELE THABO MEHMET AYSE FATIH ELIF REZA
SHIRIN DARIUS NAJIB RASHID SULTAN FAISAL NOURA LATIFA QASIM ZAYD XENIA YVONNE QUENTIN URSULA VIKTOR
""".split()

_SURNAMES = """
ELSAYED ABDELAZIZ ABDELFATTAH ELSHAFEI MANSOUR SOLIMAN FARAG SALEM NASR EID FAWZY RAMADAN GERGES
BOUTROS TAWFIK ZAKI KAMEL ELNAGGAR HEGAZY BADAWY METWALLY SMITH JONES WILLIAMS BROWN TAYLOR OBRIEN
MCDONALD MUELLER SCHMIDT MUSTERMANN WEISS SCHWARZENBERGER DUPONT MARTIN BERNARD LEFEVRE ROSSI BIANCHI
FERRARI GARCIA FERNANDEZ RODRIGUEZ GONZALEZ SILVA SANTOS OLIVEIRA IVANOV PETROV SMIRNOVA KUZNETSOV
NOWAK KOWALSKI WISNIEWSKI NOVAK SVOBODA HORVATH NAGY PAPADOPOULOS POPESCU ANDERSSON JOHANSSON HANSEN
NIELSEN VIRTANEN KORHONEN TANAKA SUZUKI WATANABE WANG ZHANG CHEN LIU NGUYEN TRAN PHAM KIM PARK CHOI
PATEL SHARMA KHAN ABDUL RAHMAN OKONKWO ADEYEMI MENSAH TRAORE DIALLO KEITA MWANGI NKOSI YILMAZ DEMIR
KAYA HOSSEINI AHMADI HADDAD KHOURY ALSAUD ALMAKTOUM ALTHANI BENALI BOUZID COHEN LEVI VANDERBERG
DEJONG PEETERS JANSSENS STEFANSDOTTIR GUDMUNDSSON ERIKSSON SPECIMEN XAVIER QUISPE ZAMORA URIBE
""".split()

_ONSETS = "B C D F G H J K L M N P Q R S T V W X Y Z CH SH TH KH GH BR TR ST KW".split() + [""] * 4
_VOWELS = "A E I O U A E I O U AI OU EE IE UO Y".split()
_CODAS = ["", "", "", ""] + "N R S L M T K D H NG CK RT".split()

# O and 0 differ by little more than their height in OCR-B: they are drawn more often.
CONFUSABLE = """
O0 O0 O0QD O0QD I1LT B8R S5 Z2 G6C UV MN PR EF <KX A4 YV 71
""".split()


def check_digit(field: str) -> str:
    """Return the ICAO 9303 check digit of field as one character."""
    total = 0
    for index, sign in enumerate(field):
        if sign == "<":
            value = 0
        elif sign.isdigit():
            value = int(sign)
        else:
            value = ord(sign) - ord("A") + 10
        total += value * (7, 3, 1)[index % 3]
    return str(total % 10)


def _pick(rng: np.random.Generator, items: Sequence[str]) -> str:
    return items[int(rng.integers(len(items)))]


def _digits(rng: np.random.Generator, count: int) -> str:
    return "".join(_pick(rng, DIGITS) for _ in range(count))


def _invented_name(rng: np.random.Generator) -> str:
    syllables = rng.integers(1, 5)
    return "".join(
        _pick(rng, _ONSETS) + _pick(rng, _VOWELS) + _pick(rng, _CODAS) for _ in range(syllables)
    )[: int(rng.integers(3, 15))]


def _name_part(rng: np.random.Generator, known: Sequence[str]) -> str:
    return _pick(rng, known) if rng.random() < 0.5 else _invented_name(rng)


def names(rng: np.random.Generator, width: int) -> str:
    """Return SURNAME<<GIVEN<NAMES, filled or cut to width."""
    surname = "<".join(_name_part(rng, _SURNAMES) for _ in range(1 + (rng.random() < 0.25)))
    count = int(rng.choice([0, 1, 2, 3, 4, 5], p=[0.02, 0.4, 0.3, 0.16, 0.08, 0.04]))
    given = "<".join(_name_part(rng, _GIVEN) for _ in range(count))
    return (f"{surname}<<{given}" if given else surname)[:width].ljust(width, "<")


def _state(rng: np.random.Generator) -> str:
    # Egyptian documents are this product's daily bread; the rest keep it honest.
    return ("EGY" if rng.random() < 0.15 else _pick(rng, STATES)).ljust(3, "<")


def _date(rng: np.random.Generator) -> str:
    month = f"{rng.integers(1, 13):02d}"
    day = f"{rng.integers(1, 32):02d}"
    if rng.random() < 0.02:
        month = day = "<<"
    return f"{rng.integers(0, 100):02d}{month}{day}"


def _document_number(rng: np.random.Generator) -> str:
    shape = rng.random()
    if shape < 0.4:
        number = _pick(rng, LETTERS) + _digits(rng, int(rng.choice([7, 8])))
    elif shape < 0.6:
        number = _pick(rng, LETTERS) + _pick(rng, LETTERS) + _digits(rng, int(rng.choice([6, 7])))
    elif shape < 0.8:
        number = _digits(rng, 9)
    else:
        number = "".join(_pick(rng, LETTERS + DIGITS) for _ in range(int(rng.integers(6, 10))))
    return number.ljust(9, "<")


def _checked(rng: np.random.Generator, field: str) -> str:
    """Return field with its check digit, wrong once in fifty so that no digit follows from others."""
    return field + (_pick(rng, DIGITS) if rng.random() < 0.02 else check_digit(field))


def _optional(rng: np.random.Generator, width: int) -> str:
    shape = rng.random()
    if shape < 0.5:
        return "<" * width
    if shape < 0.75:
        return _digits(rng, int(rng.integers(1, width + 1))).ljust(width, "<")
    signs = LETTERS + DIGITS + "<"
    return "".join(_pick(rng, signs) for _ in range(int(rng.integers(1, width + 1)))).ljust(width, "<")


def _sex(rng: np.random.Generator) -> str:
    return _pick(rng, "MMMFFF<")


def _td3(rng: np.random.Generator) -> list[str]:
    first = "P" + _pick(rng, "<<<<<<NDSPMORT") + _state(rng)
    number = _checked(rng, _document_number(rng))
    birth, expiry = _checked(rng, _date(rng)), _checked(rng, _date(rng))
    optional = _optional(rng, 14)
    optional += "<" if optional.strip("<") == "" and rng.random() < 0.5 else check_digit(optional)
    final = _checked(rng, number + birth + expiry + optional)[-1]
    return [first + names(rng, 39), number + _state(rng) + birth + _sex(rng) + expiry + optional + final]


def _td2(rng: np.random.Generator) -> list[str]:
    first = _pick(rng, "IACP") + _pick(rng, "<<<D") + _state(rng)
    number = _checked(rng, _document_number(rng))
    birth, expiry = _checked(rng, _date(rng)), _checked(rng, _date(rng))
    optional = _optional(rng, 7)
    final = _checked(rng, number + birth + expiry + optional)[-1]
    return [first + names(rng, 31), number + _state(rng) + birth + _sex(rng) + expiry + optional + final]


def _td1(rng: np.random.Generator) -> list[str]:
    number = _checked(rng, _document_number(rng))
    birth, expiry = _checked(rng, _date(rng)), _checked(rng, _date(rng))
    optional_first, optional_second = _optional(rng, 15), _optional(rng, 11)
    final = _checked(rng, number + optional_first + birth + expiry + optional_second)[-1]
    return [
        _pick(rng, "IAC") + _pick(rng, "<<<DRPC") + _state(rng) + number + optional_first,
        birth + _sex(rng) + expiry + _state(rng) + optional_second + final,
        names(rng, 30),
    ]


def _visa(rng: np.random.Generator, width: int) -> list[str]:
    first = "V" + _pick(rng, "<<<CSEBN") + _state(rng)
    number = _checked(rng, _document_number(rng))
    birth, expiry = _checked(rng, _date(rng)), _checked(rng, _date(rng))
    second = number + _state(rng) + birth + _sex(rng) + expiry
    return [first + names(rng, width - 5), second + _optional(rng, width - 28)]


def _random_line(rng: np.random.Generator, width: int) -> str:
    """Return characters without grammar: uniform ones, look-alikes, or runs."""
    kind = rng.random()
    if kind < 0.5:
        return "".join(_pick(rng, ALPHABET) for _ in range(width))
    if kind < 0.85:
        group = _pick(rng, CONFUSABLE) + _pick(rng, CONFUSABLE)
        return "".join(_pick(rng, group) for _ in range(width))
    line = ""
    while len(line) < width:
        line += _pick(rng, ALPHABET) * int(rng.integers(1, 9))
    return line[:width]


def zone(rng: np.random.Generator) -> list[str]:
    """Return the lines of one zone: two of 44 or 36 characters, or three of 30."""
    kind = rng.random()
    if kind < 0.25:
        width, count = ((44, 2), (36, 2), (30, 3))[int(rng.choice(3, p=[0.6, 0.15, 0.25]))]
        return [_random_line(rng, width) for _ in range(count)]
    if kind < 0.65:
        return _td3(rng)
    if kind < 0.80:
        return _td1(rng)
    if kind < 0.90:
        return _td2(rng)
    return _visa(rng, 44 if rng.random() < 0.5 else 36)


def encode(text: str) -> npt.NDArray[np.int64]:
    """Return the CTC classes of text as int64."""
    return np.array([ALPHABET.index(sign) + 1 for sign in text], np.int64)


def decode(classes: Iterable[int]) -> str:
    """Return the text of a sequence of CTC classes after collapsing repeats and dropping blanks."""
    text, previous = [], BLANK
    for value in classes:
        if value != previous and value != BLANK:
            text.append(ALPHABET[value - 1])
        previous = value
    return "".join(text)
