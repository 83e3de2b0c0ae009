package egypt

import (
	"strings"
)

// Vocabulary of vehicle licences: common words of the trade, from general knowledge and published vocabularies of
// applications. No transcript of a card was available.

// Fuels lists what vehicles run on.
func Fuels() *Terms { return NewTerms(phrases(fuels)).close() }

// Colours lists colours of vehicles, each alone and in its shades, and pairs of common ones.
func Colours() *Terms {
	all := append(phrases(colours), "متعدد الألوان")
	shades := strings.Fields("فاتح غامق داكن ميتاليك ميتالك معدني لؤلؤي مطفي لامع " +
		"سماوي نيلي زيتي بترولي ناري نبيتي ملكي ثلجي فيروزي كحلي")
	for _, one := range all {
		for _, shade := range shades {
			all = append(all, one+" "+shade)
		}
	}
	common := strings.Fields("أبيض أسود فضي رمادي أحمر أزرق أخضر أصفر بيج")
	for _, one := range common {
		for _, other := range common {
			if one != other {
				all = append(all, one+" في "+other, one+" و"+other, one+"/"+other, one+" × "+other)
			}
		}
	}
	return NewTerms(all).close()
}

// Makes lists makers of vehicles as Egyptians spell them.
func Makes() *Terms { return NewTerms(phrases(makes)).close() }

// Models lists models of vehicles that are common in Egypt, as they are spelled there. There are many more.
func Models() *Terms { return NewTerms(phrases(models)) }

// Bodies lists the kinds of vehicles and of their bodies.
func Bodies() *Terms {
	all := phrases(bodies)
	for _, body := range strings.Fields("سيدان صالون هاتشباك ستيشن كوبيه جيب") { // some name the use or the doors with them
		all = append(all, "ملاكي "+body, "أجرة "+body, body+" 2 باب", body+" 4 باب", body+" 5 باب")
	}
	return NewTerms(all).close()
}
