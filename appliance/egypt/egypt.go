// Package egypt holds what is particular to Egyptian documents: the national number and its decoding under its grammar,
// printed dates, the vocabularies and labels, names and their Latin spelling, addresses, serials, and where lines are
// expected on a card. It knows rules and words, no pictures; everything is computed from its arguments, and nothing reads a
// clock.
//
// # Unconfirmed facts
//
// No specimen has been measured for this project. What follows is taken from public sources that are weak or disagree.
// Each fact stands in one place, so that someone with real cards can correct it and run the tests.
//
//   - Check digit of the number: weights 2 to 7 from the right, 11 less the sum modulo 11 ([CheckDigit]; checkWeight in the
//     decoder). Where that is 10 or 11 the sources disagree, and the digit says nothing. How many numbers obey is a guess:
//     obeys1900, obeys2000.
//   - The codes of governorates are sure, but no code of its own is known for 6th of October and Helwan of 2008 to 2011
//     ([Governorates]). Their shares of births, and the ages of holders, are rounded guesses: governoratePrior, agePrior.
//   - Places on the front, above all those of birth date and serial, which no source gives.
//   - Places on the back, above all the rows of number, expiry and bar code; whether the husband's name stands above or
//     below 0.40 of the height.
//   - That a number stands at the foot of the front and at the top of the back is where it is looked for first; it is found in any row of a card that
//     says what it is. So are portraits on either side, and labels that some cards may have.
//   - The first name stands alone on the first name line, with up to three lines after it.
//   - The last address line is the place, ending in the governorate of residence.
//   - The birth date is printed as YYYY/MM/DD, the release as YYYY/MM, the expiry as YYYY/MM/DD; cards of before 2009 may
//     lack the expiry ([BirthRules], [ReleaseRules], [ExpiryRules]); the card is valid for seven years ([ValidityYears]).
//   - The serial has two letters and seven digits ([IDKeyLetters], [IDKeyDigits]). Other patterns are reported and may be misreadings
//     of this one.
//   - The status row runs sex, religion, marital state from the right; newer cards may leave out religion
//     ([StatusWords], logNoReligion).
//   - Wordings of labels on licences come from apps, not from transcripts (labels.txt of their kinds, package documents); which
//     traffic unit is the first is the service's decision. No layout of a licence is known: values are told by these labels and,
//     without one, by what they say, wherever they stand.
//   - Licences of vehicles are taken for cards of the format ID-1, lying or standing, as driving licences are; pages of passports
//     for ID-3, plates for 350 x 170 mm, those of motorcycles, which no source gives, for 248 x 184 mm (sizes in kinds.json of
//     package appliance). That licences of vehicles have no portrait and may have no colours decides what is examined for fraud (cues
//     there).
//   - Where the portrait of an ID and of a passport stands, for the cue portrait_replaced alone (portrait there; the portrait for a
//     face match is looked for).
//   - The portrait of an ID takes the left third: lines begin at 0.33 of the width, or end before the portrait where it stands on
//     the right (textColumn in package card).
//   - The categories of the bands of plates: tourist, bus and customs rest on weak sources, and of all colours the blue of
//     private ones alone was measured on real plates ([PlateCategory]).
//   - Which governorate a plate's last letter stands for is from two lists that agree (plateEnding behind [Plate.Governorate]); of
//     endings of two letters no source names the governorates, so they stand for none.
//   - Whether a newer generation of cards carries an MRZ is open; none is looked for.
//   - Passports: the national number in positions 29 to 42 of the second MRZ line, and the split of the name, are handled by
//     package mrz and as little confirmed.
//
// # Fitted constants
//
// Judged on the project's own photographs with early networks, to be fitted again when these change: temperature and floor of
// a [Cell] and the weight of a [Wording] (text.WordingWeight). Set by judgement alone: keyTied for serials, nameMisread and firstName for
// [SameName], and the priors listed above. The cards of the networks, models/fraud.md and models/plates.md, list the thresholds of the
// other packages.
package egypt
