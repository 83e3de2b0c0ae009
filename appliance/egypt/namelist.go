package egypt

// The name dictionary: folded Arabic, =, the Latin spelling usual in Egypt, and where it is not the folded one = and the
// Arabic spelling; each entry between two bars. Latin spellings follow ج G, ق K, final ي y, and were put down for this
// project; the sample of the reference is part of them. A name in several lists has one spelling.
const (
	// menNames holds given names of men.
	menNames = "" +
		"|محمد=Mohamed|احمد=Ahmed=أحمد|محمود=Mahmoud|مصطفي=Mostafa=مصطفى|ابراهيم=Ibrahim=إبراهيم|حسن=Hassan|حسين=Hussein|" +
		"خالد=Khaled|عمر=Omar|عمرو=Amr|يوسف=Youssef|علي=Ali|كريم=Karim|طارق=Tarek|هشام=Hesham|شريف=Sherif|جمال=Gamal|" +
		"اشرف=Ashraf=أشرف|عادل=Adel|ايهاب=Ehab=إيهاب|وايل=Wael=وائل|ايمن=Ayman=أيمن|رضا=Reda|سيد=Sayed|السيد=Elsayed|" +
		"ياسر=Yasser|فواد=Fouad=فؤاد|جابر=Gaber|اسماعيل=Ismail=إسماعيل|عماد=Emad|اسامه=Osama=أسامة|عصام=Essam|رجب=Ragab|" +
		"معتز=Moataz|رمضان=Ramadan|شعبان=Shaaban|صلاح=Salah|سعيد=Saeed|سعد=Saad|سمير=Samir|سامي=Samy|سامح=Sameh|هاني=Hany|" +
		"رامي=Ramy|حمدي=Hamdy|لطفي=Lotfy|شكري=Shokry|شوقي=Shawky|توفيق=Tawfik|فتحي=Fathy|مجدي=Magdy|نبيل=Nabil|نادر=Nader|" +
		"ناصر=Nasser|نصر=Nasr|ماجد=Maged|ماهر=Maher|مدحت=Medhat|ممدوح=Mamdouh|منصور=Mansour|منير=Mounir|موسي=Moussa=موسى|" +
		"عيسي=Eissa=عيسى|يحيي=Yehia=يحيى|زكريا=Zakaria|سليمان=Soliman|داود=Dawoud|داوود=Dawoud|يعقوب=Yacoub|اسحاق=Ishak=إسحاق|" +
		"ايوب=Ayoub=أيوب|يونس=Younes|هارون=Haroun|ادريس=Idris=إدريس|ادم=Adam=آدم|نوح=Nouh|صالح=Saleh|هود=Houd|وليد=Walid|" +
		"وحيد=Wahid|وجيه=Wagih|وجدي=Wagdy|وسيم=Wassim|وسام=Wessam|هيثم=Haitham|هادي=Hady|هلال=Helal|همام=Hammam|ياسين=Yassin|" +
		"يسري=Yousry|يزيد=Yazid|انور=Anwar=أنور|انس=Anas=أنس|امير=Amir=أمير|امين=Amin=أمين|امجد=Amgad=أمجد|اكرم=Akram=أكرم|" +
		"ادهم=Adham=أدهم|اسلام=Eslam=إسلام|اياد=Eyad=إياد|الياس=Elias=إلياس|بلال=Belal|بهاء=Bahaa|بهجت=Bahgat|بدر=Badr|" +
		"بدوي=Badawy|بشير=Bashir|بسام=Bassam|باسم=Bassem|باسل=Bassel|بكر=Bakr|بكري=Bakry|بركات=Barakat|بيومي=Bayoumy|" +
		"تامر=Tamer|تيسير=Tayseer|تميم=Tamim|ثروت=Tharwat|ثابت=Thabet|جاد=Gad|جلال=Galal|جميل=Gamil|جمعه=Gomaa=جمعة|" +
		"جوده=Gouda=جودة|جعفر=Gaafar|جبر=Gabr|جبريل=Gebril|حاتم=Hatem|حازم=Hazem|حامد=Hamed|حمد=Hamad|حماد=Hammad|حماده=Hamada=حمادة|" +
		"حمزه=Hamza=حمزة|حموده=Hamouda=حمودة|حسام=Hossam|حسني=Hosny|حسنين=Hassanein|حسانين=Hassanein|حسان=Hassan|حلمي=Helmy|" +
		"حنفي=Hanafy|حجازي=Hegazy|حجاج=Haggag|حبيب=Habib|حافظ=Hafez|حكيم=Hakim|خلف=Khalaf|خلاف=Khallaf|خليل=Khalil|" +
		"خليفه=Khalifa=خليفة|خميس=Khamis|خيري=Khairy|خضر=Khedr|خطاب=Khattab|دسوقي=Desouky|درويش=Darwish|دياب=Diab|رافت=Raafat=رأفت|" +
		"رووف=Raouf=رؤوف|رايد=Raed=رائد|رايف=Raef=رائف|رفعت=Refaat|رشاد=Rashad|رشدي=Roshdy|رشيد=Rashid|راشد=Rashed|" +
		"راضي=Rady|راغب=Ragheb|ربيع=Rabie|رزق=Rizk|رياض=Reyad|رفيق=Rafik|رمزي=Ramzy|زكي=Zaki|زاهر=Zaher|زايد=Zayed|" +
		"زياد=Zeyad|زيدان=Zidan|زيد=Zeid|زين=Zein|زغلول=Zaghloul|زهران=Zahran|سالم=Salem|سلامه=Salama=سلامة|سلام=Sallam|" +
		"سليم=Selim|سلطان=Sultan|سلمان=Salman|سراج=Serag|سرور=Sorour|سعودي=Seoudy|سند=Sanad|سيف=Seif|سمعان=Semaan|شاكر=Shaker|" +
		"شادي=Shady|شاهين=Shahin|شحاته=Shehata=شحاتة|شفيق=Shafik|شلبي=Shalaby|شهاب=Shehab|شهدي=Shohdy|شوكت=Shawkat|" +
		"صابر=Saber|صادق=Sadek|صبحي=Sobhy|صبري=Sabry|صديق=Seddik|صفوت=Safwat|صفوان=Safwan|صقر=Sakr|ضياء=Diaa|ضاحي=Dahy|" +
		"طلعت=Talaat|طه=Taha|طاهر=Taher|طلبه=Tolba=طلبة|عاطف=Atef|عامر=Amer|عباس=Abbas|عبده=Abdo|عبيد=Ebeid|عثمان=Othman|" +
		"عتمان=Etman|عزت=Ezzat|عز=Ezz|عزمي=Azmy|عزيز=Aziz|عطيه=Attia=عطية|عطا=Atta|عفيفي=Afify|علاء=Alaa|علام=Allam|" +
		"علوان=Alwan|علوي=Alawy|عمار=Ammar|عمران=Omran|عنتر=Antar|عواد=Awad|عوض=Awad|عويس=Ewais|عياد=Ayad|عيد=Eid|عارف=Aref|" +
		"عاصم=Assem|عدلي=Adly|عدنان=Adnan|عرفه=Arafa=عرفة|عرفات=Arafat|عرفان=Erfan|عشري=Ashry|عقيل=Akeel|غريب=Gharib|" +
		"غانم=Ghanem|غنيم=Ghoneim|غالب=Ghaleb|غالي=Ghali|فاروق=Farouk|فارس=Fares|فايز=Fayez|فايق=Faek=فائق|فتوح=Fotouh|" +
		"فراج=Farrag|فرج=Farag|فرحات=Farahat|فرغلي=Farghaly|فريد=Farid|فضل=Fadl|فكري=Fekry|فهمي=Fahmy|فهد=Fahd|فهيم=Fahim|" +
		"فوزي=Fawzy|فيصل=Faisal|قاسم=Kassem|قدري=Kadry|قطب=Kotb|قنديل=Kandil|كامل=Kamel|كمال=Kamal|كارم=Karem|كرم=Karam|" +
		"لوي=Loay=لؤي|لبيب=Labib|متولي=Metwally|مومن=Moamen=مؤمن|مامون=Maamoun=مأمون|مازن=Mazen|مالك=Malek|مبارك=Mubarak|" +
		"مبروك=Mabrouk|مجاهد=Megahed|محسن=Mohsen|محروس=Mahrous|محفوظ=Mahfouz|محيي=Mohy|محي=Mohy|مختار=Mokhtar|مراد=Mourad|" +
		"مرسي=Morsy|مروان=Marwan|مرزوق=Marzouk|مرعي=Marey|مسعد=Mosaad|مسعود=Massoud|مصباح=Mesbah|معاذ=Moaz|معوض=Moawad|" +
		"معتصم=Moatasem|مغازي=Moghazy|مفتاح=Moftah|مكرم=Makram|مهاب=Mohab|مهدي=Mahdy|مهران=Mahran|مهند=Mohanad|مويد=Moayad=مؤيد|" +
		"مونس=Moanes=مؤنس|ميسره=Maysara=ميسرة|مدني=Madany|مرتضي=Mortada=مرتضى|مصعب=Mosaab|منعم=Moneim|منتصر=Montasser|" +
		"ناجي=Nagy|ناصف=Nassef|نافع=Nafea|نايل=Nayel|نجيب=Naguib|نجاح=Nagah|نجم=Negm|نديم=Nadim|نزار=Nezar|نزيه=Nazih|" +
		"نسيم=Nassim|نظمي=Nazmy|نعيم=Naeem|نعمان=Noaman|نور=Nour|نوري=Noury|نوار=Nawar|هاشم=Hashem|هريدي=Heredy|وفيق=Wafik|" +
		"وهبه=Wahba=وهبة|وهبي=Wahby|يسن=Yassin|يس=Yassin|لطيف=Latif|بسيوني=Bassiouny|بسطاوي=Bastawy|بهي=Bahy|بلتاجي=Beltagy|" +
		"تهامي=Tohamy|جاسر=Gasser|حسيب=Hasseb|حفني=Hefny|رفاعي=Refaey|رسلان=Raslan|ريحان=Rihan|سويلم=Sweilam|سنوسي=Senoussy|" +
		"شبل=Shebl|شرقاوي=Sharkawy|شمس=Shams|ضيف=Deif|طنطاوي=Tantawy|عابد=Abed|عابدين=Abdeen|عبدون=Abdoun|عجمي=Agamy|" +
		"عشماوي=Ashmawy|عقل=Akl|عليان=Elian|عليوه=Eleiwa=عليوة|عماره=Emara=عمارة|عيسوي=Eissawy|فوده=Fouda=فودة|فياض=Fayad|" +
		"قناوي=Kenawy|كيلاني=Kilany|مصيلحي=Meselhy|معروف=Maarouf|مغربي=Maghraby|منجي=Mongy|نبوي=Nabawy|نصار=Nassar|" +
		"نوفل=Nofal|هيكل=Heikal|يماني=Yamany|الامين=Elamin=الأمين|الامير=Elamir=الأمير|البدري=Elbadry|الحسن=Elhassan|" +
		"الحسيني=Elhusseiny|الحسين=Elhussein|الدسوقي=Eldesouky|الشحات=Elshahat|العربي=Elaraby|المهدي=Elmahdy|الصاوي=Elsawy|" +
		"البيومي=Elbayoumy|المعتصم=Elmoatasem|المعتز=Elmoataz|الهادي=Elhady|النبوي=Elnabawy|العزب=Elazab|الضوي=Eldawy|" +
		"النوبي=Elnouby|عاشور=Ashour|عجيب=Agib|عزب=Azab|عزام=Azzam|عسران=Asran|غازي=Ghazy|غنام=Ghannam|فاضل=Fadel|فاخر=Fakher|" +
		"فخري=Fakhry|قابيل=Kabil|كحيل=Kehil|كشك=Keshk|لاشين=Lashin|مشالي=Meshaly|مليجي=Meligy|موافي=Mowafy|نافد=Nafed|" +
		"هواري=Hawary|وهدان=Wahdan|يزن=Yazan|اسر=Asser=آسر|شعيب=Shoaib|فايد=Fayed|عايد=Ayed|عطوه=Atwa=عطوة|دعبس=Daebes|" +
		"مسلم=Mosallam|عويضه=Ewaida=عويضة|كساب=Kassab|لملوم=Lamloum|ظافر=Zafer|طايع=Tayea|مندوه=Mandouh|مغاوري=Meghawry|" +
		"سعداوي=Saadawy|عتريس=Atris|اواب=Awab=أواب|ابي=Obay=أبي|اوس=Aws=أوس|براء=Baraa|لبيد=Labid|محجوب=Mahgoub|معز=Moez|" +
		"نضال=Nedal|يعرب=Yaarob|محارم=Maharem|حمدان=Hamdan|جابري=Gabry=جابرى|سعدون=Saadoun|شعيشع=Shaeisha|صيام=Seyam|" +
		"طعيمه=Teama=طعيمة|تركي=Turky|دويدار=Dowidar|مدكور=Madkour|هيبه=Heiba=هيبة|يحي=Yehia|"

	// womenNames holds given names of women.
	womenNames = "" +
		"|زينه=Zeina=زينة|جومانه=Gomana=جومانة|ريماس=Remas|كاميليا=Camelia|نازلي=Nazly|اسمهان=Asmahan=أسمهان|افنان=Afnan=أفنان|" +
		"شاهنده=Shahenda=شاهندة|مسعده=Mosada=مسعدة|بدور=Bedour|تفيده=Tafida=تفيدة|خلود=Kholoud|رقيه=Rokaya|سوزي=Suzy|" +
		"شوق=Shouk|عنبر=Anbar|فله=Folla=فلة|كريمان=Kariman|لوزه=Loza=لوزة|نورهان=Nourhan|هيفاء=Haifa|وعد=Waad|يسر=Yosr|" +
		"فاطمه=Fatma=فاطمة|مني=Mona=منى|هبه=Heba=هبة|مروه=Marwa=مروة|رانيا=Rania|نجوي=Nagwa=نجوى|ساره=Sarah=سارة|نهي=Noha=نهى|" +
		"دعاء=Doaa|شيماء=Shaimaa|ايمان=Eman=إيمان|اسراء=Esraa=إسراء|مريم=Mariam|سلمي=Salma=سلمى|زينب=Zeinab|اسماء=Asmaa=أسماء|" +
		"جيهان=Gihan|ايه=Aya=آية|ياسمين=Yasmin|دينا=Dina|هدي=Hoda=هدى|سعاد=Soad|عزه=Azza=عزة|ليلي=Laila=ليلى|ناديه=Nadia=نادية|" +
		"سميره=Samira=سميرة|حنان=Hanan|امل=Amal=أمل|اميره=Amira=أميرة|اميمه=Omayma=أميمة|امنيه=Omnia=أمنية|امينه=Amina=أمينة|" +
		"احلام=Ahlam=أحلام|اروي=Arwa=أروى|امال=Amal=آمال|الاء=Alaa=آلاء|ابتسام=Ebtesam|اجلال=Eglal=إجلال|احسان=Ehsan=إحسان|" +
		"اخلاص=Ekhlas=إخلاص|الهام=Elham=إلهام|انجي=Ingy=إنجي|انعام=Enaam=إنعام|انصاف=Ensaf=إنصاف|اعتماد=Etemad|انتصار=Entesar|" +
		"بثينه=Bothaina=بثينة|بدريه=Badreya=بدرية|بسمه=Basma=بسمة|بسنت=Bassant|بشري=Boshra=بشرى|بهيه=Baheya=بهية|تحيه=Taheya=تحية|" +
		"تهاني=Tahany|تغريد=Taghreed|تقي=Toka=تقى|ثريا=Soraya|ثناء=Thanaa|جميله=Gamila=جميلة|جني=Gana=جنى|جنات=Gannat|" +
		"حبيبه=Habiba=حبيبة|حسناء=Hasnaa|حكمت=Hekmat|حوريه=Horeya=حورية|حياه=Hayat=حياة|خديجه=Khadiga=خديجة|داليا=Dalia|" +
		"دلال=Dalal|دنيا=Donia|دولت=Dawlat|ذكري=Zekra=ذكرى|راويه=Rawya=راوية|رباب=Rabab|رجاء=Ragaa|رحاب=Rehab|رحمه=Rahma=رحمة|" +
		"رشا=Rasha|رضوي=Radwa=رضوى|رنا=Rana|رندا=Randa|رنيم=Raneem|روان=Rawan|روضه=Rawda=روضة|ريم=Reem|ريهام=Reham|" +
		"ريناد=Renad|زهره=Zahra=زهرة|زهراء=Zahraa|زبيده=Zobaida=زبيدة|ساميه=Samia=سامية|سحر=Sahar|سلوي=Salwa=سلوى|سماح=Samah|" +
		"سميه=Somaya=سمية|سناء=Sanaa|سندس=Sondos|سهام=Seham|سهير=Soheir|سهي=Soha=سهى|سوزان=Suzan|سوسن=Sawsan|سيده=Sayeda=سيدة|" +
		"شاديه=Shadia=شادية|شروق=Shorouk|شهد=Shahd|شهيره=Shahira=شهيرة|شيرين=Shereen|صباح=Sabah|صفاء=Safaa|صفيه=Safeya=صفية|" +
		"ضحي=Doha=ضحى|عايشه=Aisha=عائشة|عايده=Aida=عايدة|عبير=Abeer|عزيزه=Aziza=عزيزة|عفاف=Afaf|علا=Ola|علياء=Aliaa|" +
		"عواطف=Awatef|غاده=Ghada=غادة|فاديه=Fadia=فادية|فاتن=Faten|فايزه=Fayza=فايزة|فتحيه=Fatheya=فتحية|فردوس=Ferdous|" +
		"فريال=Ferial|فريده=Farida=فريدة|فكريه=Fekreya=فكرية|فوزيه=Fawzeya=فوزية|فيروز=Fairouz|قمر=Kamar|كريمه=Karima=كريمة|" +
		"كوثر=Kawthar|لبني=Lobna=لبنى|لطيفه=Latifa=لطيفة|لمياء=Lamiaa|ماجده=Magda=ماجدة|مايسه=Maysa=مايسة|مديحه=Madiha=مديحة|" +
		"مرام=Maram|مرفت=Mervat|ميرفت=Mervat|ملك=Malak|منال=Manal|منار=Manar|منه=Menna=منة|مها=Maha|مي=Mai|مياده=Mayada=ميادة|" +
		"ميار=Mayar|نادين=Nadine|ناهد=Nahed|نبيله=Nabila=نبيلة|نجلاء=Naglaa|نجاه=Nagat=نجاة|ندي=Nada=ندى|نرمين=Nermin|" +
		"نسرين=Nesreen|نسمه=Nesma=نسمة|نشوي=Nashwa=نشوى|نعمه=Neama=نعمة|نعيمه=Naeima=نعيمة|نفيسه=Nafisa=نفيسة|نهال=Nehal|" +
		"نهله=Nahla=نهلة|نوال=Nawal|نورا=Noura|نيفين=Nevine|نرجس=Narges|هاجر=Hagar|هاله=Hala=هالة|هانم=Hanem|هايدي=Heidi|" +
		"هناء=Hanaa|هند=Hend|هويدا=Howaida|هيام=Hayam|وداد=Wedad|ورده=Warda=وردة|وفاء=Wafaa|ولاء=Walaa|يارا=Yara|يسرا=Yousra|" +
		"يمني=Yomna=يمنى|رغد=Raghad|جودي=Gody|لين=Leen|تالا=Tala|حلا=Hala|سما=Sama|فرح=Farah|فجر=Fagr|جوري=Gory|سجي=Saga=سجى|" +
		"ايناس=Enas=إيناس|روي=Roaa=رؤى|هدير=Hadeer|سمر=Samar|سميحه=Samiha=سميحة|سكينه=Sekina=سكينة|شوقيه=Shawkeya=شوقية|" +
		"عنايات=Enayat|فهيمه=Fahima=فهيمة|محاسن=Mahasen|خضره=Khadra=خضرة|خيريه=Khaireya=خيرية|حميده=Hamida=حميدة|روحيه=Roheya=روحية|" +
		"زكيه=Zakeya=زكية|سعديه=Saadeya=سعدية|صابرين=Sabreen|عليا=Alia|عطيات=Attiat|غاليه=Ghalia=غالية|كامله=Kamla=كاملة|" +
		"لميس=Lamis|لينا=Lina|مشيره=Moshira=مشيرة|منيره=Monira=منيرة|ميرنا=Mirna|هنيه=Haneya=هنية|هنا=Hana|جواهر=Gawaher|" +
		"اكرام=Ekram=إكرام|انهار=Anhar=أنهار|ايثار=Ethar=إيثار|الفت=Olfat=ألفت|بوسي=Bosy|حفيظه=Hafiza=حفيظة|رسميه=Rasmeya=رسمية|" +
		"شربات=Sharbat|صفا=Safa|نعمات=Neamat|جهاد=Gehad|وجيده=Wagida=وجيدة|نظله=Nazla=نظلة|نوسه=Nosa=نوسة|تهي=Toha=تهى|" +
		"لوجين=Logine|كنزي=Kenzy|ريتاج=Retag|مكه=Makka=مكة|كارما=Karma|جنا=Gana|تسنيم=Tasneem|سدره=Sedra=سدرة|مروج=Morouge|" +
		"اسيل=Aseel=أسيل|جويريه=Gowayreya=جويرية|شذي=Shaza=شذى|ميسون=Maysoun|اشجان=Ashgan=أشجان|رييسه=Raeesa=رئيسة|" +
		"حميديه=Hamideya=حميدية|ايات=Ayat=آيات|انغام=Angham=أنغام|"

	// copticNames holds Christian given names.
	copticNames = "" +
		"|جرجس=Gerges|مينا=Mina|بيشوي=Bishoy|كيرلس=Kyrillos|ابانوب=Abanoub=أبانوب|مرقس=Morkos|مرقص=Morkos|بولس=Boulos|" +
		"بطرس=Boutros|يوحنا=Youhanna|متي=Matta=متى|لوقا=Luka|مايكل=Michael|جورج=George|ميلاد=Milad|ملاك=Malak|شنوده=Shenouda=شنودة|" +
		"صموييل=Samuel=صموئيل|صليب=Salib|غطاس=Ghattas|فام=Fam|فيليب=Philip|قلاده=Kelada=قلادة|لمعي=Lamei|مكاريوس=Makarios|" +
		"ميخاييل=Mikhail=ميخائيل|ناشد=Nashed|نصحي=Noshy|هدرا=Hedra|وديع=Wadie|يسي=Yassa=يسى|انطون=Anton=أنطون|انطونيوس=Antonious=أنطونيوس|" +
		"اسكندر=Iskandar=إسكندر|اسحق=Ishak=إسحق|اندرو=Andrew=أندرو|بباوي=Bebawy|بخيت=Bekhit|برسوم=Barsoum|بسطا=Basta|" +
		"تادرس=Tadros|توماس=Thomas|تواضروس=Tawadros|حنا=Hanna|حليم=Halim|دانيال=Daniel|دميان=Demian|روماني=Romany|رفاييل=Raphael=رفائيل|" +
		"روفاييل=Raphael=روفائيل|ساويرس=Sawires|سدراك=Sedrak|عازر=Azer|فرنسيس=Francis|لويس=Louis|مقار=Makar|موريس=Maurice|" +
		"وهيب=Wahib|يونان=Younan|اخنوخ=Akhnoukh=أخنوخ|باخوم=Bakhoum|بشاره=Beshara=بشارة|بنيامين=Benjamin|توفيلس=Theophilus|" +
		"جندي=Gendy|خله=Khella=خلة|دوس=Doss|سوريال=Sorial|فانوس=Fanous|فلتس=Feltes|كراس=Karas|كاراس=Karas|متري=Metry=مترى|" +
		"منقريوس=Mankarious|نظير=Nazir|وليم=William|ويصا=Wissa|يواقيم=Youakim|بيتر=Peter|توني=Tony|مارك=Mark|ديفيد=David|" +
		"فادي=Fady|مارتن=Martin|كيرو=Kiro|ايليا=Elia=إيليا|ارميا=Ermia=أرميا|عبد المسيح=Abdelmessih|عبد الملاك=Abdelmalak|" +
		"عبد الشهيد=Abdelshahid|عبد السيد=Abdelsayed|عبد النور=Abdelnour|واصف=Wassef|بسخرون=Baskharoun|بقطر=Boktor|" +
		"جاب الله=Gaballah|جبراييل=Gabriel=جبرائيل|جاد السيد=Gadelsayed|زخاري=Zakhary|صروفيم=Serafim|غبريال=Ghobrial|" +
		"فرج الله=Faragallah|مرجان=Morgan|نخله=Nakhla=نخلة|اثناسيوس=Athanasius|اغابي=Agapy=أغابي|باسيلي=Basily|بساده=Bessada=بسادة|" +
		"تكلا=Takla|سيداروس=Sidarous|شكرالله=Shokrallah|عوض الله=Awadallah|فلوباتير=Philopateer|مرقوريوس=Mercurius|" +
		"يسطس=Youstos|مارينا=Marina|ماريا=Maria|ماريان=Marian|مريان=Marian|ماري=Mary|مادونا=Madonna|ميري=Mary|مونيكا=Monica|" +
		"كريستين=Christine|كريستينا=Christina|كارولين=Caroline|كاترين=Catherine|فيرونيا=Veronia|فيبي=Phoebe|فيولا=Viola|" +
		"جاكلين=Jacqueline|جانيت=Janet|جورجيت=Georgette|جوليا=Julia|جوي=Joy|ايريني=Irini=إيريني|ايرين=Irene=إيرين|انجيلا=Angela=أنجيلا|" +
		"اناستاسيا=Anastasia=أناستاسيا|برباره=Barbara=بربارة|تريزا=Teresa|تاسوني=Tasony|دميانه=Demiana=دميانة|رفقه=Rifka=رفقة|" +
		"روجينا=Rogina|ساندرا=Sandra|سوزانا=Susanna|سيلفيا=Sylvia|شيري=Sherry|كلارا=Clara|لوريس=Loris|ليديا=Lydia|مارتينا=Martina|" +
		"مرثا=Martha|مهراييل=Mahrael=مهرائيل|نانسي=Nancy|هيلانه=Helana=هيلانة|هيلين=Helen|يوستينا=Youstina|يوانا=Joanna=يوأنا|" +
		"اوديت=Odette=أوديت|استير=Esther=إستير|ايفون=Yvonne=إيفون|اليس=Alice=أليس|فيفيان=Vivian|فلورا=Flora|عفيفه=Afifa=عفيفة|" +
		"ملكه=Malaka=ملكة|ايزيس=Isis=إيزيس|لندا=Linda|سيمون=Simone|فيرينا=Verena|ميرا=Mira|سيسيل=Cecile|فيكتوريا=Victoria|" +
		"فيكتور=Victor|البير=Albert=ألبير|اميل=Emile=إميل|ادوارد=Edward=إدوارد|روبير=Robert|ميشيل=Michel|رينيه=Rene|" +
		"جوزيف=Joseph|"

	// familyNames holds family names and names of tribes.
	familyNames = "" +
		"|الشافعي=Elshafey|المصري=Elmasry|البنا=Elbanna|النجار=Elnaggar|الحداد=Elhaddad|الجمال=Elgammal|الخولي=Elkholy|" +
		"العدوي=Eladawy|البدوي=Elbadawy|الشاذلي=Elshazly|الرفاعي=Elrefaey|المنشاوي=Elmenshawy|الطنطاوي=Eltantawy|البحيري=Elbehery|" +
		"الشرقاوي=Elsharkawy|المنوفي=Elmenoufy|الدمياطي=Eldomiaty|القناوي=Elkenawy|السوهاجي=Elsohagy|الاسيوطي=Elassiouty=الأسيوطي|" +
		"المنياوي=Elmenyawy|الفيومي=Elfayoumy|السويسي=Elsuesy|الدمنهوري=Eldamanhoury|الصعيدي=Elsaeedy|البلتاجي=Elbeltagy|" +
		"العشماوي=Elashmawy|العطار=Elattar|الفقي=Elfeky|القاضي=Elkady|الامام=Elemam=الإمام|الشيخ=Elsheikh|الخطيب=Elkhatib|" +
		"العجمي=Elagamy|الحلواني=Elhalawany|الصباغ=Elsabbagh|الزيات=Elzayat|اللبان=Ellabban|الجزار=Elgazzar|القصاص=Elkassas|" +
		"الشناوي=Elshenawy|الششتاوي=Elsheshtawy|الجندي=Elgendy|الضبع=Eldabaa|الديب=Eldeeb|الاسد=Elassad=الأسد|النمر=Elnemr|" +
		"الغزالي=Elghazaly|الجمل=Elgamal|الحصري=Elhosary|البرعي=Elboraey|السباعي=Elsebaey|العريان=Elerian|الاعرج=Elaarag=الأعرج|" +
		"الاسمر=Elasmar=الأسمر|الاشقر=Elashkar=الأشقر|الاحمر=Elahmar=الأحمر|الطويل=Eltaweel|الخياط=Elkhayat|الصواف=Elsawaf|" +
		"السقا=Elsakka|الفيل=Elfeel|العقاد=Elakkad|المازني=Elmazny|البارودي=Elbaroudy|النحاس=Elnahas|البطل=Elbatal|" +
		"الجوهري=Elgohary|الحفناوي=Elhefnawy|الخضري=Elkhodary|الدالي=Eldaly|الرشيدي=Elrashidy|الروبي=Elroubi|السعدني=Elsaadany|" +
		"السنهوري=Elsanhoury|الشربيني=Elsherbiny|الشعراوي=Elshaarawy|الطحان=Eltahan|الطيب=Eltayeb|العباسي=Elabbasy|" +
		"العدل=Eladl|العيسوي=Eleissawy|الغمري=Elghamry|الغنام=Elghannam|الفار=Elfar|الفخراني=Elfakharany|القرشي=Elkorashy|" +
		"القط=Elkott|القطان=Elkattan|الكاشف=Elkashef|الكردي=Elkordy|الكومي=Elkoumy|الليثي=Ellithy|المتولي=Elmetwally|" +
		"المحلاوي=Elmahallawy|المسلماني=Elmosallamany|المغربي=Elmaghraby|المليجي=Elmeligy|الميرغني=Elmerghany|النادي=Elnady|" +
		"النشار=Elnashar|النقيب=Elnakib|الهلالي=Elhelaly|الهواري=Elhawary|الوكيل=Elwakil|اليماني=Elyamany|الباز=Elbaz|" +
		"الجارحي=Elgarhy|الحبشي=Elhabashy|الدمرداش=Eldemerdash|الراعي=Elraey|الشبراوي=Elshabrawy|الشيمي=Elshimy|الصيرفي=Elserafy|" +
		"العسيلي=Elesseily|الكفراوي=Elkafrawy|الكيلاني=Elkilany|المحمدي=Elmohamady|المرشدي=Elmorshedy|الانصاري=Elansary=الأنصاري|" +
		"الالفي=Elalfy=الألفي|الازهري=Elazhary=الأزهري|بدران=Badran|سرحان=Sarhan|شرف=Sharaf|ندا=Nada|شتا=Sheta|زهيري=Zohairy|" +
		"القليوبي=Elkalyouby|البحراوي=Elbahrawy|الغرباوي=Elgharbawy|العزازي=Elazazy|البهنساوي=Elbahnasawy|الزهيري=Elzohairy|" +
		"السمنودي=Elsamanoudy|الشهاوي=Elshahawy|الشوربجي=Elshorbagy|البسيوني=Elbassiouny|العناني=Elanany|الجبالي=Elgebaly|" +
		"الحناوي=Elhennawy|الحوفي=Elhofy|المعداوي=Elmaadawy|الابياري=Elebiary=الإبياري|الاتربي=Elatreby=الأتربي|الدكروري=Eldakroury|" +
		"السماحي=Elsamahy|الطوخي=Eltoukhy|المرصفي=Elmarsafy|العقيلي=Elekeily|الترابين=Eltarabin|السواركه=Elsawarka=السواركة|" +
		"العبابده=Elababda=العبابدة|الرميلات=Elremeilat|المساعيد=Elmasaeed|المزينه=Elmozeina=المزينة|الحويطي=Elhowaity|" +
		"الجهني=Elgohany|العليقات=Eloleikat|البشاري=Elboshary|الهنادي=Elhanady|الفوايد=Elfawayed|الجوابيص=Elgawabees|" +
		"الضعفا=Eldoafa|اولاد=Awlad=أولاد|بني=Bany|الجعافره=Elgaafra=الجعافرة|الاشراف=Elashraf=الأشراف|الحرب=Elharb|" +
		"البياضيه=Elbayadeya=البياضية|العيايده=Elayayda=العيايدة|المعازه=Elmaaza=المعازة|الاحيوات=Elahiwat=الأحيوات|" +
		"القرارشه=Elkararsha=القرارشة|الصوالحه=Elsawalha=الصوالحة|الجباليه=Elgebaleya=الجبالية|الحويطات=Elhowaitat|"

	// compoundNames holds names of two words that are one, and those whose spelling no rule gives.
	compoundNames = "" +
		"|عبد الله=Abdallah|عبد ربه=Abdrabo|عبد رب النبي=Abdrab Elnaby|ابو بكر=Abobakr=أبو بكر|ابو زيد=Abouzeid=أبو زيد|" +
		"ابو النور=Aboelnour=أبو النور|ابو المجد=Aboelmagd=أبو المجد|ابو العلا=Aboelela=أبو العلا|ابو الفتوح=Aboelfotouh=أبو الفتوح|" +
		"ابو الحسن=Aboelhassan=أبو الحسن|ابو اليزيد=Aboelyazid=أبو اليزيد|ابو السعود=Aboelseoud=أبو السعود|ابو العزم=Aboelazm=أبو العزم|" +
		"ابو الوفا=Aboelwafa=أبو الوفا|ابو العينين=Aboelenein=أبو العينين|ابو ضيف=Aboudeif=أبو ضيف|ابو سريع=Abousrie=أبو سريع|" +
		"ابو الفضل=Aboelfadl=أبو الفضل|ابو المعاطي=Aboelmaaty=أبو المعاطي|صلاح الدين=Salah Eldin|نور الدين=Noureldin|" +
		"تقي الدين=Taky Eldin|علاء الدين=Alaa Eldin|سيف الدين=Seif Eldin|محيي الدين=Mohy Eldin|محي الدين=Mohy Eldin|" +
		"حسام الدين=Hossam Eldin|عز الدين=Ezz Eldin|نصر الله=Nasrallah|فتح الله=Fathallah|عطا الله=Attallah|خلف الله=Khalafallah|" +
		"جاد الله=Gadallah|رزق الله=Rizkallah|حسب الله=Hasaballah|خير الله=Khairallah|كرم الله=Karamallah|ضيف الله=Deifallah|" +
		"حمد الله=Hamdallah|سعد الله=Saadallah|شكر الله=Shokrallah|منه الله=Mennatallah=منة الله|هبه الله=Hebatallah=هبة الله|" +
		"ايه الله=Ayatallah=آية الله|نعمه الله=Neamatallah=نعمة الله|جاد الرب=Gad Elrab|جاد الحق=Gad Elhak|جاد المولي=Gad Elmawla=جاد المولى|" +
		"فتح الباب=Fath Elbab|عز العرب=Ezz Elarab|زين العابدين=Zein Elabedin|سيد الاهل=Sayed Elahl=سيد الأهل|ست الكل=Set Elkol|" +
		"نور الهدي=Nour Elhoda=نور الهدى|ام كلثوم=Om Kalthoum=أم كلثوم|ست البنات=Set Elbanat|ام هاشم=Om Hashem=أم هاشم|" +
		"المعتز بالله=Elmoataz Bellah|معتز بالله=Moataz Bellah|المعتصم بالله=Elmoatasem Bellah|"

	// stemNames holds what follows عبد ال and similar beginnings.
	stemNames = "" +
		"|رحمن=Rahman|رحيم=Rahim|حميد=Hamid|فتاح=Fattah|غني=Ghany|قادر=Kader|مجيد=Meguid|مقصود=Maksoud|نبي=Naby|وهاب=Wahab|" +
		"باسط=Baset|تواب=Tawab|جواد=Gawad|خالق=Khalek|رازق=Razek|رزاق=Razek|رسول=Rasoul|ستار=Sattar|سميع=Samie|صمد=Samad|" +
		"ظاهر=Zaher|عاطي=Aty|عال=Aal|عليم=Alim|غفار=Ghaffar|معطي=Moaty|موجود=Mawgoud|مولي=Mawla=مولى|واحد=Wahed|ودود=Wadoud|" +
		"حي=Hay|حق=Hak|شافي=Shafy|شكور=Shakour|عظيم=Azim|غفور=Ghafour|فضيل=Fadil|قوي=Kawy|مطلب=Motaleb|دايم=Dayem|متعال=Motaal|" +
		"بديع=Badie|بر=Bar|جليل=Galil|باقي=Baky|مهيمن=Mohaymen|وارث=Wareth|لاه=Lah|بنا=Banna|عرب=Arab|دين=Din|مسيح=Messih|" +
		"شهيد=Shahid|بصير=Bassir|خبير=Khabir|سبحان=Sobhan|قيوم=Kayoum|مبدي=Mobdea=مبدئ|مجد=Magd|منان=Mannan|وكيل=Wakil|"
)
