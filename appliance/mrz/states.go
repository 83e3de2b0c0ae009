package mrz

import "strings"

// stateCodes lists the codes of issuing states and nationalities, each three symbols as printed and a space: ISO 3166-1
// alpha-3 (249 codes), then the codes that Doc 9303 adds.
const stateCodes = "ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS " +
	"BIH BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV " +
	"CRI CUB CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM " +
	"GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN " +
	"IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE " +
	"LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS " +
	"MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK " +
	"PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR " +
	"SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY " +
	"USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE " +
	"D<< EUE GBD GBN GBO GBP GBS RKS UNA UNK UNO UTO XBA XCC XCE XCO XDC XEC XES XIM XMP XOM XPO XXA XXB XXC XXX "

// stateCount is the number of codes in stateCodes.
const stateCount = len(stateCodes) / 4

// stateCode is the i-th known code, three symbols as printed.
func stateCode(i int) string { return stateCodes[4*i : 4*i+3] }

// KnownState reports whether a code stands for a state, an organisation or a status that issues or holds travel documents.
// Germany is known as D, as it is printed, and DEU is its ISO code. UTO is the Utopia of specimens.
func KnownState(code string) bool {
	if code == "" || len(code) > 3 {
		return false
	}
	return strings.Contains(stateCodes, (code + "<<")[:3]+" ")
}
