package egypt

// The name dictionary: folded Arabic, =, the Latin spelling usual in Egypt, each entry between two bars. Spellings follow
// ج G, ق K, final ي y, and were put down for this project; the sample of the reference is part of them. A name in several
// lists has one spelling.
const (
	// menNames holds given names of men.
	menNames = "" +
		"|محمد=Mohamed|احمد=Ahmed|محمود=Mahmoud|مصطفي=Mostafa|ابراهيم=Ibrahim|حسن=Hassan|حسين=Hussein|خالد=Khaled|عمر=Omar|" +
		"عمرو=Amr|يوسف=Youssef|علي=Ali|كريم=Karim|طارق=Tarek|هشام=Hesham|شريف=Sherif|جمال=Gamal|اشرف=Ashraf|عادل=Adel|" +
		"ايهاب=Ehab|وايل=Wael|ايمن=Ayman|رضا=Reda|سيد=Sayed|السيد=Elsayed|ياسر=Yasser|فواد=Fouad|جابر=Gaber|اسماعيل=Ismail|" +
		"عماد=Emad|اسامه=Osama|عصام=Essam|رجب=Ragab|معتز=Moataz|رمضان=Ramadan|شعبان=Shaaban|صلاح=Salah|سعيد=Saeed|سعد=Saad|" +
		"سمير=Samir|سامي=Samy|سامح=Sameh|هاني=Hany|رامي=Ramy|حمدي=Hamdy|لطفي=Lotfy|شكري=Shokry|شوقي=Shawky|توفيق=Tawfik|" +
		"فتحي=Fathy|مجدي=Magdy|نبيل=Nabil|نادر=Nader|ناصر=Nasser|نصر=Nasr|ماجد=Maged|ماهر=Maher|مدحت=Medhat|ممدوح=Mamdouh|" +
		"منصور=Mansour|منير=Mounir|موسي=Moussa|عيسي=Eissa|يحيي=Yehia|زكريا=Zakaria|سليمان=Soliman|داود=Dawoud|داوود=Dawoud|" +
		"يعقوب=Yacoub|اسحاق=Ishak|ايوب=Ayoub|يونس=Younes|هارون=Haroun|ادريس=Idris|ادم=Adam|نوح=Nouh|صالح=Saleh|هود=Houd|" +
		"وليد=Walid|وحيد=Wahid|وجيه=Wagih|وجدي=Wagdy|وسيم=Wassim|وسام=Wessam|هيثم=Haitham|هادي=Hady|هلال=Helal|همام=Hammam|" +
		"ياسين=Yassin|يسري=Yousry|يزيد=Yazid|انور=Anwar|انس=Anas|امير=Amir|امين=Amin|امجد=Amgad|اكرم=Akram|ادهم=Adham|" +
		"اسلام=Eslam|اياد=Eyad|الياس=Elias|بلال=Belal|بهاء=Bahaa|بهجت=Bahgat|بدر=Badr|بدوي=Badawy|بشير=Bashir|بسام=Bassam|" +
		"باسم=Bassem|باسل=Bassel|بكر=Bakr|بكري=Bakry|بركات=Barakat|بيومي=Bayoumy|تامر=Tamer|تيسير=Tayseer|تميم=Tamim|" +
		"ثروت=Tharwat|ثابت=Thabet|جاد=Gad|جلال=Galal|جميل=Gamil|جمعه=Gomaa|جوده=Gouda|جعفر=Gaafar|جبر=Gabr|جبريل=Gebril|" +
		"حاتم=Hatem|حازم=Hazem|حامد=Hamed|حمد=Hamad|حماد=Hammad|حماده=Hamada|حمزه=Hamza|حموده=Hamouda|حسام=Hossam|حسني=Hosny|" +
		"حسنين=Hassanein|حسانين=Hassanein|حسان=Hassan|حلمي=Helmy|حنفي=Hanafy|حجازي=Hegazy|حجاج=Haggag|حبيب=Habib|حافظ=Hafez|" +
		"حكيم=Hakim|خلف=Khalaf|خلاف=Khallaf|خليل=Khalil|خليفه=Khalifa|خميس=Khamis|خيري=Khairy|خضر=Khedr|خطاب=Khattab|" +
		"دسوقي=Desouky|درويش=Darwish|دياب=Diab|رافت=Raafat|رووف=Raouf|رايد=Raed|رايف=Raef|رفعت=Refaat|رشاد=Rashad|رشدي=Roshdy|" +
		"رشيد=Rashid|راشد=Rashed|راضي=Rady|راغب=Ragheb|ربيع=Rabie|رزق=Rizk|رياض=Reyad|رفيق=Rafik|رمزي=Ramzy|زكي=Zaki|" +
		"زاهر=Zaher|زايد=Zayed|زياد=Zeyad|زيدان=Zidan|زيد=Zeid|زين=Zein|زغلول=Zaghloul|زهران=Zahran|سالم=Salem|سلامه=Salama|" +
		"سلام=Sallam|سليم=Selim|سلطان=Sultan|سلمان=Salman|سراج=Serag|سرور=Sorour|سعودي=Seoudy|سند=Sanad|سيف=Seif|سمعان=Semaan|" +
		"شاكر=Shaker|شادي=Shady|شاهين=Shahin|شحاته=Shehata|شفيق=Shafik|شلبي=Shalaby|شهاب=Shehab|شهدي=Shohdy|شوكت=Shawkat|" +
		"صابر=Saber|صادق=Sadek|صبحي=Sobhy|صبري=Sabry|صديق=Seddik|صفوت=Safwat|صفوان=Safwan|صقر=Sakr|ضياء=Diaa|ضاحي=Dahy|" +
		"طلعت=Talaat|طه=Taha|طاهر=Taher|طلبه=Tolba|عاطف=Atef|عامر=Amer|عباس=Abbas|عبده=Abdo|عبيد=Ebeid|عثمان=Othman|" +
		"عتمان=Etman|عزت=Ezzat|عز=Ezz|عزمي=Azmy|عزيز=Aziz|عطيه=Attia|عطا=Atta|عفيفي=Afify|علاء=Alaa|علام=Allam|علوان=Alwan|" +
		"علوي=Alawy|عمار=Ammar|عمران=Omran|عنتر=Antar|عواد=Awad|عوض=Awad|عويس=Ewais|عياد=Ayad|عيد=Eid|عارف=Aref|عاصم=Assem|" +
		"عدلي=Adly|عدنان=Adnan|عرفه=Arafa|عرفات=Arafat|عرفان=Erfan|عشري=Ashry|عقيل=Akeel|غريب=Gharib|غانم=Ghanem|غنيم=Ghoneim|" +
		"غالب=Ghaleb|غالي=Ghali|فاروق=Farouk|فارس=Fares|فايز=Fayez|فايق=Faek|فتوح=Fotouh|فراج=Farrag|فرج=Farag|فرحات=Farahat|" +
		"فرغلي=Farghaly|فريد=Farid|فضل=Fadl|فكري=Fekry|فهمي=Fahmy|فهد=Fahd|فهيم=Fahim|فوزي=Fawzy|فيصل=Faisal|قاسم=Kassem|" +
		"قدري=Kadry|قطب=Kotb|قنديل=Kandil|كامل=Kamel|كمال=Kamal|كارم=Karem|كرم=Karam|لوي=Loay|لبيب=Labib|متولي=Metwally|" +
		"مومن=Moamen|مامون=Maamoun|مازن=Mazen|مالك=Malek|مبارك=Mubarak|مبروك=Mabrouk|مجاهد=Megahed|محسن=Mohsen|محروس=Mahrous|" +
		"محفوظ=Mahfouz|محيي=Mohy|محي=Mohy|مختار=Mokhtar|مراد=Mourad|مرسي=Morsy|مروان=Marwan|مرزوق=Marzouk|مرعي=Marey|" +
		"مسعد=Mosaad|مسعود=Massoud|مصباح=Mesbah|معاذ=Moaz|معوض=Moawad|معتصم=Moatasem|مغازي=Moghazy|مفتاح=Moftah|مكرم=Makram|" +
		"مهاب=Mohab|مهدي=Mahdy|مهران=Mahran|مهند=Mohanad|مويد=Moayad|مونس=Moanes|ميسره=Maysara|مدني=Madany|مرتضي=Mortada|" +
		"مصعب=Mosaab|منعم=Moneim|منتصر=Montasser|ناجي=Nagy|ناصف=Nassef|نافع=Nafea|نايل=Nayel|نجيب=Naguib|نجاح=Nagah|" +
		"نجم=Negm|نديم=Nadim|نزار=Nezar|نزيه=Nazih|نسيم=Nassim|نظمي=Nazmy|نعيم=Naeem|نعمان=Noaman|نور=Nour|نوري=Noury|" +
		"نوار=Nawar|هاشم=Hashem|هريدي=Heredy|وفيق=Wafik|وهبه=Wahba|وهبي=Wahby|يسن=Yassin|يس=Yassin|لطيف=Latif|بسيوني=Bassiouny|" +
		"بسطاوي=Bastawy|بهي=Bahy|بلتاجي=Beltagy|تهامي=Tohamy|جاسر=Gasser|حسيب=Hasseb|حفني=Hefny|رفاعي=Refaey|رسلان=Raslan|" +
		"ريحان=Rihan|سويلم=Sweilam|سنوسي=Senoussy|شبل=Shebl|شرقاوي=Sharkawy|شمس=Shams|ضيف=Deif|طنطاوي=Tantawy|عابد=Abed|" +
		"عابدين=Abdeen|عبدون=Abdoun|عجمي=Agamy|عشماوي=Ashmawy|عقل=Akl|عليان=Elian|عليوه=Eleiwa|عماره=Emara|عيسوي=Eissawy|" +
		"فوده=Fouda|فياض=Fayad|قناوي=Kenawy|كيلاني=Kilany|مصيلحي=Meselhy|معروف=Maarouf|مغربي=Maghraby|منجي=Mongy|نبوي=Nabawy|" +
		"نصار=Nassar|نوفل=Nofal|هيكل=Heikal|يماني=Yamany|الامين=Elamin|الامير=Elamir|البدري=Elbadry|الحسن=Elhassan|" +
		"الحسيني=Elhusseiny|الحسين=Elhussein|الدسوقي=Eldesouky|الشحات=Elshahat|العربي=Elaraby|المهدي=Elmahdy|الصاوي=Elsawy|" +
		"البيومي=Elbayoumy|المعتصم=Elmoatasem|المعتز=Elmoataz|الهادي=Elhady|النبوي=Elnabawy|العزب=Elazab|الضوي=Eldawy|" +
		"النوبي=Elnouby|عاشور=Ashour|عجيب=Agib|عزب=Azab|عزام=Azzam|عسران=Asran|غازي=Ghazy|غنام=Ghannam|فاضل=Fadel|فاخر=Fakher|" +
		"فخري=Fakhry|قابيل=Kabil|كحيل=Kehil|كشك=Keshk|لاشين=Lashin|مشالي=Meshaly|مليجي=Meligy|موافي=Mowafy|نافد=Nafed|" +
		"هواري=Hawary|وهدان=Wahdan|"

	// womenNames holds given names of women.
	womenNames = "" +
		"|فاطمه=Fatma|مني=Mona|هبه=Heba|مروه=Marwa|رانيا=Rania|نجوي=Nagwa|ساره=Sarah|نهي=Noha|دعاء=Doaa|شيماء=Shaimaa|" +
		"ايمان=Eman|اسراء=Esraa|مريم=Mariam|سلمي=Salma|زينب=Zeinab|اسماء=Asmaa|جيهان=Gihan|ايه=Aya|نورهان=Nourhan|ياسمين=Yasmin|" +
		"دينا=Dina|هدي=Hoda|سعاد=Soad|عزه=Azza|ليلي=Laila|ناديه=Nadia|سميره=Samira|حنان=Hanan|امل=Amal|اميره=Amira|" +
		"اميمه=Omayma|امنيه=Omnia|امينه=Amina|احلام=Ahlam|اروي=Arwa|امال=Amal|الاء=Alaa|ابتسام=Ebtesam|اجلال=Eglal|" +
		"احسان=Ehsan|اخلاص=Ekhlas|الهام=Elham|انجي=Ingy|انعام=Enaam|انصاف=Ensaf|اعتماد=Etemad|انتصار=Entesar|بثينه=Bothaina|" +
		"بدريه=Badreya|بسمه=Basma|بسنت=Bassant|بشري=Boshra|بهيه=Baheya|تحيه=Taheya|تهاني=Tahany|تغريد=Taghreed|تقي=Toka|" +
		"ثريا=Soraya|ثناء=Thanaa|جميله=Gamila|جني=Gana|جنات=Gannat|حبيبه=Habiba|حسناء=Hasnaa|حكمت=Hekmat|حوريه=Horeya|" +
		"حياه=Hayat|خديجه=Khadiga|خلود=Kholoud|داليا=Dalia|دلال=Dalal|دنيا=Donia|دولت=Dawlat|ذكري=Zekra|راويه=Rawya|" +
		"رباب=Rabab|رجاء=Ragaa|رحاب=Rehab|رحمه=Rahma|رشا=Rasha|رضوي=Radwa|رقيه=Rokaya|رنا=Rana|رندا=Randa|رنيم=Raneem|" +
		"روان=Rawan|روضه=Rawda|ريم=Reem|ريهام=Reham|ريناد=Renad|زهره=Zahra|زهراء=Zahraa|زبيده=Zobaida|ساميه=Samia|سحر=Sahar|" +
		"سلوي=Salwa|سماح=Samah|سميه=Somaya|سناء=Sanaa|سندس=Sondos|سهام=Seham|سهير=Soheir|سهي=Soha|سوزان=Suzan|سوسن=Sawsan|" +
		"سيده=Sayeda|شاديه=Shadia|شروق=Shorouk|شهد=Shahd|شهيره=Shahira|شيرين=Shereen|صباح=Sabah|صفاء=Safaa|صفيه=Safeya|" +
		"ضحي=Doha|عايشه=Aisha|عايده=Aida|عبير=Abeer|عزيزه=Aziza|عفاف=Afaf|علا=Ola|علياء=Aliaa|عواطف=Awatef|غاده=Ghada|" +
		"فاديه=Fadia|فاتن=Faten|فايزه=Fayza|فتحيه=Fatheya|فردوس=Ferdous|فريال=Ferial|فريده=Farida|فكريه=Fekreya|فوزيه=Fawzeya|" +
		"فيروز=Fairouz|قمر=Kamar|كريمه=Karima|كوثر=Kawthar|لبني=Lobna|لطيفه=Latifa|لمياء=Lamiaa|ماجده=Magda|مايسه=Maysa|" +
		"مديحه=Madiha|مرام=Maram|مرفت=Mervat|ميرفت=Mervat|ملك=Malak|منال=Manal|منار=Manar|منه=Menna|مها=Maha|مي=Mai|" +
		"مياده=Mayada|ميار=Mayar|نادين=Nadine|ناهد=Nahed|نبيله=Nabila|نجلاء=Naglaa|نجاه=Nagat|ندي=Nada|نرمين=Nermin|" +
		"نسرين=Nesreen|نسمه=Nesma|نشوي=Nashwa|نعمه=Neama|نعيمه=Naeima|نفيسه=Nafisa|نهال=Nehal|نهله=Nahla|نوال=Nawal|" +
		"نورا=Noura|نيفين=Nevine|نرجس=Narges|هاجر=Hagar|هاله=Hala|هانم=Hanem|هايدي=Heidi|هناء=Hanaa|هند=Hend|هويدا=Howaida|" +
		"هيام=Hayam|وداد=Wedad|ورده=Warda|وفاء=Wafaa|ولاء=Walaa|يارا=Yara|يسرا=Yousra|يمني=Yomna|رغد=Raghad|جودي=Gody|" +
		"لين=Leen|تالا=Tala|حلا=Hala|سما=Sama|فرح=Farah|فجر=Fagr|جوري=Gory|سجي=Saga|ايناس=Enas|روي=Roaa|هدير=Hadeer|" +
		"سمر=Samar|سميحه=Samiha|سكينه=Sekina|شوقيه=Shawkeya|عنايات=Enayat|فهيمه=Fahima|محاسن=Mahasen|خضره=Khadra|خيريه=Khaireya|" +
		"حميده=Hamida|روحيه=Roheya|زكيه=Zakeya|سعديه=Saadeya|صابرين=Sabreen|عليا=Alia|عطيات=Attiat|غاليه=Ghalia|كامله=Kamla|" +
		"لميس=Lamis|لينا=Lina|مشيره=Moshira|منيره=Monira|ميرنا=Mirna|هنيه=Haneya|هنا=Hana|جواهر=Gawaher|اكرام=Ekram|" +
		"انهار=Anhar|ايثار=Ethar|الفت=Olfat|بوسي=Bosy|حفيظه=Hafiza|رسميه=Rasmeya|شربات=Sharbat|صفا=Safa|نعمات=Neamat|" +
		"جهاد=Gehad|وجيده=Wagida|نظله=Nazla|نوسه=Nosa|تهي=Toha|لوجين=Logine|كنزي=Kenzy|ريتاج=Retag|مكه=Makka|كارما=Karma|" +
		"جنا=Gana|تسنيم=Tasneem|سدره=Sedra|مروج=Morouge|اسيل=Aseel|جويريه=Gowayreya|شذي=Shaza|ميسون=Maysoun|اشجان=Ashgan|" +
		"رييسه=Raeesa|حميديه=Hamideya|ايات=Ayat|انغام=Angham|"

	// copticNames holds Christian given names.
	copticNames = "" +
		"|جرجس=Gerges|مينا=Mina|بيشوي=Bishoy|كيرلس=Kyrillos|ابانوب=Abanoub|مرقس=Morkos|مرقص=Morkos|بولس=Boulos|بطرس=Boutros|" +
		"يوحنا=Youhanna|متي=Matta|لوقا=Luka|مايكل=Michael|جورج=George|ميلاد=Milad|ملاك=Malak|شنوده=Shenouda|صموييل=Samuel|" +
		"صليب=Salib|غطاس=Ghattas|فام=Fam|فيليب=Philip|قلاده=Kelada|لمعي=Lamei|مكاريوس=Makarios|ميخاييل=Mikhail|ناشد=Nashed|" +
		"نصحي=Noshy|هدرا=Hedra|وديع=Wadie|يسي=Yassa|انطون=Anton|انطونيوس=Antonious|اسكندر=Iskandar|اسحق=Ishak|اندرو=Andrew|" +
		"بباوي=Bebawy|بخيت=Bekhit|برسوم=Barsoum|بسطا=Basta|تادرس=Tadros|توماس=Thomas|تواضروس=Tawadros|حنا=Hanna|حليم=Halim|" +
		"دانيال=Daniel|دميان=Demian|روماني=Romany|رفاييل=Raphael|روفاييل=Raphael|ساويرس=Sawires|سدراك=Sedrak|عازر=Azer|" +
		"فرنسيس=Francis|لويس=Louis|مقار=Makar|موريس=Maurice|وهيب=Wahib|يونان=Younan|اخنوخ=Akhnoukh|باخوم=Bakhoum|بشاره=Beshara|" +
		"بنيامين=Benjamin|توفيلس=Theophilus|جندي=Gendy|خله=Khella|دوس=Doss|سوريال=Sorial|فانوس=Fanous|فلتس=Feltes|كراس=Karas|" +
		"كاراس=Karas|متري=Metry|منقريوس=Mankarious|نظير=Nazir|وليم=William|ويصا=Wissa|يواقيم=Youakim|بيتر=Peter|توني=Tony|" +
		"مارك=Mark|ديفيد=David|فادي=Fady|مارتن=Martin|كيرو=Kiro|ايليا=Elia|ارميا=Ermia|عبد المسيح=Abdelmessih|عبد الملاك=Abdelmalak|" +
		"عبد الشهيد=Abdelshahid|عبد السيد=Abdelsayed|عبد النور=Abdelnour|واصف=Wassef|بسخرون=Baskharoun|بقطر=Boktor|" +
		"جاب الله=Gaballah|جبراييل=Gabriel|جاد السيد=Gadelsayed|زخاري=Zakhary|صروفيم=Serafim|غبريال=Ghobrial|فرج الله=Faragallah|" +
		"مرجان=Morgan|نخله=Nakhla|اثناسيوس=Athanasius|اغابي=Agapy|باسيلي=Basily|بساده=Bessada|تكلا=Takla|سيداروس=Sidarous|" +
		"شكرالله=Shokrallah|عوض الله=Awadallah|فلوباتير=Philopateer|مرقوريوس=Mercurius|يسطس=Youstos|مارينا=Marina|ماريا=Maria|" +
		"ماريان=Marian|مريان=Marian|ماري=Mary|مادونا=Madonna|ميري=Mary|مونيكا=Monica|كريستين=Christine|كريستينا=Christina|" +
		"كارولين=Caroline|كاترين=Catherine|فيرونيا=Veronia|فيبي=Phoebe|فيولا=Viola|جاكلين=Jacqueline|جانيت=Janet|جورجيت=Georgette|" +
		"جوليا=Julia|جوي=Joy|ايريني=Irini|ايرين=Irene|انجيلا=Angela|اناستاسيا=Anastasia|برباره=Barbara|تريزا=Teresa|" +
		"تاسوني=Tasony|دميانه=Demiana|رفقه=Rifka|روجينا=Rogina|ساندرا=Sandra|سوزانا=Susanna|سيلفيا=Sylvia|شيري=Sherry|" +
		"كلارا=Clara|لوريس=Loris|ليديا=Lydia|مارتينا=Martina|مرثا=Martha|مهراييل=Mahrael|نانسي=Nancy|هيلانه=Helana|" +
		"هيلين=Helen|يوستينا=Youstina|يوانا=Joanna|اوديت=Odette|استير=Esther|ايفون=Yvonne|اليس=Alice|فيفيان=Vivian|" +
		"فلورا=Flora|عفيفه=Afifa|ملكه=Malaka|ايزيس=Isis|لندا=Linda|سيمون=Simone|فيرينا=Verena|ميرا=Mira|سيسيل=Cecile|" +
		"فيكتوريا=Victoria|فيكتور=Victor|البير=Albert|اميل=Emile|ادوارد=Edward|روبير=Robert|ميشيل=Michel|رينيه=Rene|" +
		"جوزيف=Joseph|"

	// familyNames holds family names and names of tribes.
	familyNames = "" +
		"|الشافعي=Elshafey|المصري=Elmasry|البنا=Elbanna|النجار=Elnaggar|الحداد=Elhaddad|الجمال=Elgammal|الخولي=Elkholy|" +
		"العدوي=Eladawy|البدوي=Elbadawy|الشاذلي=Elshazly|الرفاعي=Elrefaey|المنشاوي=Elmenshawy|الطنطاوي=Eltantawy|البحيري=Elbehery|" +
		"الشرقاوي=Elsharkawy|المنوفي=Elmenoufy|الدمياطي=Eldomiaty|القناوي=Elkenawy|السوهاجي=Elsohagy|الاسيوطي=Elassiouty|" +
		"المنياوي=Elmenyawy|الفيومي=Elfayoumy|السويسي=Elsuesy|الدمنهوري=Eldamanhoury|الصعيدي=Elsaeedy|البلتاجي=Elbeltagy|" +
		"العشماوي=Elashmawy|العطار=Elattar|الفقي=Elfeky|القاضي=Elkady|الامام=Elemam|الشيخ=Elsheikh|الخطيب=Elkhatib|" +
		"العجمي=Elagamy|الحلواني=Elhalawany|الصباغ=Elsabbagh|الزيات=Elzayat|اللبان=Ellabban|الجزار=Elgazzar|القصاص=Elkassas|" +
		"الشناوي=Elshenawy|الششتاوي=Elsheshtawy|الجندي=Elgendy|الضبع=Eldabaa|الديب=Eldeeb|الاسد=Elassad|النمر=Elnemr|" +
		"الغزالي=Elghazaly|الجمل=Elgamal|الحصري=Elhosary|البرعي=Elboraey|السباعي=Elsebaey|العريان=Elerian|الاعرج=Elaarag|" +
		"الاسمر=Elasmar|الاشقر=Elashkar|الاحمر=Elahmar|الطويل=Eltaweel|الخياط=Elkhayat|الصواف=Elsawaf|السقا=Elsakka|" +
		"الفيل=Elfeel|العقاد=Elakkad|المازني=Elmazny|البارودي=Elbaroudy|النحاس=Elnahas|البطل=Elbatal|الجوهري=Elgohary|" +
		"الحفناوي=Elhefnawy|الخضري=Elkhodary|الدالي=Eldaly|الرشيدي=Elrashidy|الروبي=Elroubi|السعدني=Elsaadany|السنهوري=Elsanhoury|" +
		"الشربيني=Elsherbiny|الشعراوي=Elshaarawy|الطحان=Eltahan|الطيب=Eltayeb|العباسي=Elabbasy|العدل=Eladl|العيسوي=Eleissawy|" +
		"الغمري=Elghamry|الغنام=Elghannam|الفار=Elfar|الفخراني=Elfakharany|القرشي=Elkorashy|القط=Elkott|القطان=Elkattan|" +
		"الكاشف=Elkashef|الكردي=Elkordy|الكومي=Elkoumy|الليثي=Ellithy|المتولي=Elmetwally|المحلاوي=Elmahallawy|المسلماني=Elmosallamany|" +
		"المغربي=Elmaghraby|المليجي=Elmeligy|الميرغني=Elmerghany|النادي=Elnady|النشار=Elnashar|النقيب=Elnakib|الهلالي=Elhelaly|" +
		"الهواري=Elhawary|الوكيل=Elwakil|اليماني=Elyamany|الباز=Elbaz|الجارحي=Elgarhy|الحبشي=Elhabashy|الدمرداش=Eldemerdash|" +
		"الراعي=Elraey|الشبراوي=Elshabrawy|الشيمي=Elshimy|الصيرفي=Elserafy|العسيلي=Elesseily|الكفراوي=Elkafrawy|الكيلاني=Elkilany|" +
		"المحمدي=Elmohamady|المرشدي=Elmorshedy|الانصاري=Elansary|الالفي=Elalfy|الازهري=Elazhary|بدران=Badran|سرحان=Sarhan|" +
		"شرف=Sharaf|ندا=Nada|شتا=Sheta|زهيري=Zohairy|القليوبي=Elkalyouby|البحراوي=Elbahrawy|الغرباوي=Elgharbawy|العزازي=Elazazy|" +
		"البهنساوي=Elbahnasawy|الزهيري=Elzohairy|السمنودي=Elsamanoudy|الشهاوي=Elshahawy|الشوربجي=Elshorbagy|البسيوني=Elbassiouny|" +
		"العناني=Elanany|الجبالي=Elgebaly|الحناوي=Elhennawy|الحوفي=Elhofy|المعداوي=Elmaadawy|الابياري=Elebiary|الاتربي=Elatreby|" +
		"الدكروري=Eldakroury|السماحي=Elsamahy|الطوخي=Eltoukhy|المرصفي=Elmarsafy|العقيلي=Elekeily|الترابين=Eltarabin|" +
		"السواركه=Elsawarka|العبابده=Elababda|الرميلات=Elremeilat|المساعيد=Elmasaeed|المزينه=Elmozeina|الحويطي=Elhowaity|" +
		"الجهني=Elgohany|العليقات=Eloleikat|البشاري=Elboshary|الهنادي=Elhanady|الفوايد=Elfawayed|الجوابيص=Elgawabees|" +
		"الضعفا=Eldoafa|اولاد=Awlad|بني=Bany|الجعافره=Elgaafra|الاشراف=Elashraf|الحرب=Elharb|البياضيه=Elbayadeya|العيايده=Elayayda|" +
		"المعازه=Elmaaza|الاحيوات=Elahiwat|القرارشه=Elkararsha|الصوالحه=Elsawalha|الجباليه=Elgebaleya|الحويطات=Elhowaitat|"

	// compoundNames holds names of two words that are one, and those whose spelling no rule gives.
	compoundNames = "" +
		"|عبد الله=Abdallah|عبد ربه=Abdrabo|عبد رب النبي=Abdrab Elnaby|ابو بكر=Abobakr|ابو زيد=Abouzeid|ابو النور=Aboelnour|" +
		"ابو المجد=Aboelmagd|ابو العلا=Aboelela|ابو الفتوح=Aboelfotouh|ابو الحسن=Aboelhassan|ابو اليزيد=Aboelyazid|" +
		"ابو السعود=Aboelseoud|ابو العزم=Aboelazm|ابو الوفا=Aboelwafa|ابو العينين=Aboelenein|ابو ضيف=Aboudeif|ابو سريع=Abousrie|" +
		"ابو الفضل=Aboelfadl|ابو المعاطي=Aboelmaaty|صلاح الدين=Salah Eldin|نور الدين=Noureldin|تقي الدين=Taky Eldin|" +
		"علاء الدين=Alaa Eldin|سيف الدين=Seif Eldin|محيي الدين=Mohy Eldin|محي الدين=Mohy Eldin|حسام الدين=Hossam Eldin|" +
		"عز الدين=Ezz Eldin|نصر الله=Nasrallah|فتح الله=Fathallah|عطا الله=Attallah|خلف الله=Khalafallah|جاد الله=Gadallah|" +
		"رزق الله=Rizkallah|حسب الله=Hasaballah|خير الله=Khairallah|كرم الله=Karamallah|ضيف الله=Deifallah|حمد الله=Hamdallah|" +
		"سعد الله=Saadallah|شكر الله=Shokrallah|منه الله=Mennatallah|هبه الله=Hebatallah|ايه الله=Ayatallah|نعمه الله=Neamatallah|" +
		"جاد الرب=Gad Elrab|جاد الحق=Gad Elhak|جاد المولي=Gad Elmawla|فتح الباب=Fath Elbab|عز العرب=Ezz Elarab|زين العابدين=Zein Elabedin|" +
		"سيد الاهل=Sayed Elahl|ست الكل=Set Elkol|نور الهدي=Nour Elhoda|ام كلثوم=Om Kalthoum|ست البنات=Set Elbanat|ام هاشم=Om Hashem|" +
		"المعتز بالله=Elmoataz Bellah|معتز بالله=Moataz Bellah|المعتصم بالله=Elmoatasem Bellah|"

	// stemNames holds what follows عبد ال and similar beginnings.
	stemNames = "" +
		"|رحمن=Rahman|رحيم=Rahim|حميد=Hamid|فتاح=Fattah|غني=Ghany|قادر=Kader|مجيد=Meguid|مقصود=Maksoud|نبي=Naby|وهاب=Wahab|" +
		"باسط=Baset|تواب=Tawab|جواد=Gawad|خالق=Khalek|رازق=Razek|رزاق=Razek|رسول=Rasoul|ستار=Sattar|سميع=Samie|صمد=Samad|" +
		"ظاهر=Zaher|عاطي=Aty|عال=Aal|عليم=Alim|غفار=Ghaffar|معطي=Moaty|موجود=Mawgoud|مولي=Mawla|واحد=Wahed|ودود=Wadoud|" +
		"حي=Hay|حق=Hak|شافي=Shafy|شكور=Shakour|عظيم=Azim|غفور=Ghafour|فضيل=Fadil|قوي=Kawy|مطلب=Motaleb|دايم=Dayem|متعال=Motaal|" +
		"بديع=Badie|بر=Bar|جليل=Galil|باقي=Baky|مهيمن=Mohaymen|وارث=Wareth|لاه=Lah|بنا=Banna|عرب=Arab|دين=Din|مسيح=Messih|" +
		"شهيد=Shahid|بصير=Bassir|خبير=Khabir|سبحان=Sobhan|قيوم=Kayoum|مبدي=Mobdea|مجد=Magd|معز=Moez|منان=Mannan|وكيل=Wakil|"
)
