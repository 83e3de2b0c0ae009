package passport

import (
	"slices"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/mrz"
)

// nations names nationalities as passports print them, after the codes of their states: in English, and in French, German or Spanish where
// the state does. Words that several states share stand with each of them.
const nations = `EGY EGYPTIAN EGYPTIENNE
SAU SAUDI
ARE EMIRATI
KWT KUWAITI
QAT QATARI
BHR BAHRAINI
OMN OMANI
YEM YEMENI
IRQ IRAQI
SYR SYRIAN
LBN LEBANESE LIBANAISE
JOR JORDANIAN
PSE PALESTINIAN
ISR ISRAELI
LBY LIBYAN
TUN TUNISIAN TUNISIENNE
DZA ALGERIAN ALGERIENNE
MAR MOROCCAN MAROCAINE
MRT MAURITANIAN MAURITANIENNE
SDN SUDANESE
SSD SUDANESE
SOM SOMALI
DJI DJIBOUTIAN DJIBOUTIENNE
COM COMORIAN COMORIENNE
TCD CHADIAN TCHADIENNE
NER NIGERIEN NIGERIENNE
NGA NIGERIAN
MLI MALIAN MALIENNE
SEN SENEGALESE SENEGALAISE
GMB GAMBIAN
GIN GUINEAN GUINEENNE
CIV IVORIAN IVOIRIENNE
GHA GHANAIAN
TGO TOGOLESE TOGOLAISE
BEN BENINESE BENINOISE
BFA BURKINABE
CMR CAMEROONIAN CAMEROUNAISE
GAB GABONESE GABONAISE
COG CONGOLESE CONGOLAISE
COD CONGOLESE CONGOLAISE
AGO ANGOLAN
ETH ETHIOPIAN
ERI ERITREAN
KEN KENYAN
UGA UGANDAN
TZA TANZANIAN
RWA RWANDAN
BDI BURUNDIAN
ZMB ZAMBIAN
ZWE ZIMBABWEAN
MOZ MOZAMBICAN
MDG MALAGASY MALGACHE
MUS MAURITIAN
TUR TURKISH
IRN IRANIAN
AFG AFGHAN
PAK PAKISTANI
IND INDIAN
BGD BANGLADESHI
LKA LANKAN
NPL NEPALESE NEPALI
CHN CHINESE
JPN JAPANESE
KOR KOREAN
PRK KOREAN
PHL FILIPINO
IDN INDONESIAN
MYS MALAYSIAN
SGP SINGAPOREAN
THA THAI
VNM VIETNAMESE
KAZ KAZAKHSTANI
UZB UZBEKISTANI
RUS RUSSIAN
UKR UKRAINIAN
BLR BELARUSIAN
POL POLISH POLSKIE
CZE CZECH
SVK SLOVAK
SVN SLOVENIAN
HUN HUNGARIAN
ROU ROMANIAN
BGR BULGARIAN
GRC HELLENIC GREEK
CYP CYPRIOT
ALB ALBANIAN
SRB SERBIAN
HRV CROATIAN
BIH BOSNIAN
MKD MACEDONIAN
ITA ITALIAN ITALIANA
ESP SPANISH ESPANOLA
PRT PORTUGUESE PORTUGUESA
FRA FRENCH FRANCAISE
BEL BELGIAN BELGE
NLD DUTCH NEDERLANDSE
LUX LUXEMBOURGEOISE
D GERMAN DEUTSCH
AUT AUSTRIAN OSTERREICH
CHE SWISS SUISSE
GBR BRITISH
IRL IRISH
SWE SWEDISH
NOR NORWEGIAN
DNK DANISH
FIN FINNISH
ISL ICELANDIC
USA AMERICAN
CAN CANADIAN CANADIENNE
MEX MEXICAN MEXICANA
BRA BRAZILIAN BRASILEIRA
ARG ARGENTINE ARGENTINA
CHL CHILEAN CHILENA
COL COLOMBIAN COLOMBIANA
PER PERUVIAN PERUANA
VEN VENEZUELAN VENEZOLANA
AUS AUSTRALIAN`

// parsedNations are the words of nations by the codes of their states, and the codes, in the order of nations, by the words.
var parsedNations = sync.OnceValues(func() (byCode, byWord map[string][]string) {
	byCode, byWord = map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(nations) {
		words := strings.Fields(line)
		byCode[words[0]] = words[1:]
		for _, word := range words[1:] {
			byWord[word] = append(byWord[word], words[0])
		}
	}
	return byCode, byWord
})

// demonymsOf are the words by which passports of a state print its nationality; nil where none is known.
func demonymsOf(code string) []string {
	byCode, _ := parsedNations()
	return byCode[code]
}

// states are the codes of those whose nationality a printed word names, by its code or as passports print it.
func states(word string) (codes []string) {
	if len(word) == 3 && mrz.KnownState(word) {
		return []string{word}
	}
	_, byWord := parsedNations()
	return byWord[word]
}

// alikeNation is how alike a printed word and that of a nationality are at the least that mean the same.
const alikeNation = 0.8

// sameNation returns how sure a word is that means a state and that a label names as the nationality or that stands alone: the names of
// states hold such words as well.
func sameNation(lines []pageLine, own string) (sure float64) {
	demonyms := demonymsOf(own)
	for _, l := range lines {
		named, words := isNation(l, lines), latinWords(l)
		for _, word := range words {
			alike := slices.ContainsFunc(demonyms, func(w string) bool { return arabic.Likeness(w, word) >= alikeNation })
			means := named && (alike || word == own) || alone(words) && slices.Contains(demonyms, word)
			if counts := l.sure(word); counts >= surePrint && means {
				sure = max(sure, counts)
			}
		}
	}
	return sure
}

// otherNation returns how sure a word is that means another state than the zone's and that its label names as the nationality, or that
// stands alone and means a nationality.
func otherNation(lines []pageLine, own string) (sure float64) {
	if own == "" {
		return 0
	}
	for _, l := range lines {
		named, words := isNation(l, lines), latinWords(l)
		for _, word := range words {
			codes, counts, least := states(word), l.sure(word), surePrint
			if !named {
				least = veryPrint
			}
			if len(codes) > 0 && !slices.Contains(codes, own) && counts >= least && (named || len(word) > 3 && alone(words)) {
				sure = max(sure, counts)
			}
		}
	}
	return sure
}

// isNation reports whether a label names a line as the nationality.
func isNation(l pageLine, lines []pageLine) bool {
	return labelled(l, lines, "NATIONALITY", "NATIONALITE", "CITIZENSHIP")
}

// alone reports whether words are a nationality and no more.
func alone(words []string) bool {
	return len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "CITIZEN" || strings.HasSuffix(w, "CITIZEN") })) == 1
}
