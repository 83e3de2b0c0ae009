// Package egypt holds what is particular to Egyptian documents, beside what its packages number, plate and names do: the words and phrases
// of cards and licences and how typists spell them, addresses, serials of cards, vehicles and engines, and the zone in which documents
// expire. It knows rules and words, no pictures; everything is computed from its arguments, and nothing reads a clock.
//
// # Unconfirmed facts
//
// No specimen has been measured for this project. What follows, here and in these packages, is taken from public sources that are weak
// or disagree. Each fact stands in one place, so that someone with real cards can correct it and run the tests.
//
//   - Places on the front, above all those of birth date and serial, which no source gives.
//   - Places on the back, above all the rows of number, expiry and bar code; whether the husband's name stands above or
//     below 0.40 of the height.
//   - That a number stands at the foot of the front and at the top of the back is where it is looked for first; it is found in any row of a
//     card that says what it is. So are portraits on either side, and labels that some cards may have.
//   - The first name stands alone on the first name line, with up to three lines after it.
//   - The last address line is the place, ending in the governorate of residence.
//   - The serial has two letters and seven digits ([IDKeyLetters], [IDKeyDigits]). Other patterns are reported and may be misreadings
//     of this one.
//   - The status row runs sex, religion, marital state from the right; newer cards may leave out religion
//     ([StatusWords]).
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
//   - Whether a newer generation of cards carries an MRZ is open; none is looked for.
//   - Passports: the national number in positions 29 to 42 of the second MRZ line, and the split of the name, are handled by
//     package mrz and as little confirmed.
//
// # Fitted constants
//
// Judged on the project's own photographs with early networks, to be fitted again when these change: the weight of a [Wording]
// (text.WordingWeight). Set by judgement alone: strayLine and oddSerial for serials. The cards of the networks, models/fraud.md and models/plates.md,
// list the thresholds of the other packages.
package egypt
