package names

// The name dictionary: folded Arabic, =, the Latin spelling usual in Egypt, and where it is not the folded one = and the
// Arabic spelling; each entry between two bars. Latin spellings follow ج G, ق K, final ي y, and were put down for this
// project; the sample of the reference is part of them. A name in several lists has one spelling.
const (
	// men holds given names of men.
	men = "" +
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
		"طعيمه=Teama=طعيمة|تركي=Turky|دويدار=Dowidar|مدكور=Madkour|هيبه=Heiba=هيبة|يحي=Yehia|" +
		"عزوز=Azouz|مكي=Makky|والي=Waly|مشرف=Moshrif|مظهر=Mazhar|رابح=Rabeh|راجح=Rageh|طايل=Tayel|نصيف=Nassif|وصفي=Wasfy|" +
		"شاهر=Shaher|زهير=Zoheir|زاهي=Zahy|عطوان=Atwan|غنيمي=Ghoneimy|قنصوه=Kansouh|عرابي=Oraby|مقبل=Mokbel|" +
		"مقلد=Mekled|محرم=Moharram|رسمي=Rasmy|صفي=Safy|صفوه=Safwa=صفوة|عنان=Anan|عبود=Abboud|عزازي=Azazy|عقاب=Okab|عمير=Omair|" +
		"عوني=Awny|عيداروس=Edarous|فتح=Fath|فتحالله=Fathallah|فراس=Feras|فرحان=Farhan|فلاح=Falah|فواز=Fawaz|قاسمي=Kasmy|" +
		"قصي=Kosay|قيس=Kais|كرار=Karrar|لطف=Lotf|مبارز=Mobarez|متعب=Moteb|محب=Moheb|مداح=Maddah|" +
		"مدين=Madian|مرتجي=Mortagy|مزروع=Mazrou|مزيد=Mazid|مسيلحي=Meselhy|مطاوع=Metawea|مطر=Matar|مغيث=Moghith|مقدام=Mekdam|" +
		"مكاوي=Mekkawy|مناع=Manaa|منيب=Monib|موافق=Mowafek|ميمون=Maymoun|نايف=Nayef|نبهان=Nabhan|نجدي=Nagdy|نسيب=Nassib|" +
		"نشات=Nashaat=نشأت|نصرالدين=Nasr Eldin|نضير=Nadir|نمر=Nemr|هاجد=Haged|هلالي=Helaly|واثق=Wathek|واصل=Wasel|وجدان=Wegdan|" +
		"ورداني=Wardany|ياقوت=Yakout|يامن=Yamen|يوسفي=Youssefy|ابرار=Abrar=أبرار|احمدي=Ahmady=أحمدي|" +
		"اسعد=Asaad=أسعد|اشعث=Ashaath=أشعث|اكمل=Akmal=أكمل|انيس=Anis=أنيس|اوسم=Awsam=أوسم|ابرام=Ebram=إبرام|اقبال=Ekbal=إقبال|" +
		"امام=Emam=إمام|اياس=Eyas=إياس|بادي=Bady|بديوي=Bedewy|برعي=Boraey|بركه=Baraka|بغدادي=Boghdady|بهلول=Bahloul|" +
		"بهنسي=Bahnasy|تاج=Tag|جاب=Gab|جادو=Gado|جلهوم=Galhoum|جمعان=Gomaan|جودت=Gawdat|جويلي=Geweily|حاكم=Hakem|" +
		"حذيفه=Hozayfa=حذيفة|حربي=Harby|حسيني=Husseiny|حشمت=Heshmat|حفظي=Hefzy|حفيظ=Hafiz|حمود=Hammoud|حميدو=Hamido|" +
		"حمدون=Hamdoun|حنيش=Heneish|حيدر=Haidar|خطيب=Khatib|خلدون=Khaldoun|خلفالله=Khalafallah|خيرت=Khairat|دردير=Dardir|" +
		"دكروني=Dakrouny|ذكي=Zaki|رابع=Rabea|راتب=Rateb|رافع=Rafea|رباح=Rabah|رجايي=Ragaey=رجائي|رستم=Rostom|رشوان=Rashwan|" +
		"رضوان=Radwan|ركابي=Rekaby|زاكي=Zaky|زهدي=Zohdy|ساري=Sary|سامر=Samer|سباعي=Sebaey|سداد=Sadad|سري=Sery|سعدي=Saady|" +
		"سعفان=Saafan|سفيان=Sofian|سكري=Sokkary|سليمي=Selimy|سنبل=Sonbol|سهيل=Soheil|شافعي=Shafey|شاهد=Shahed|شبانه=Shabana|" +
		"شحات=Shahat|شرابي=Sharaby|شعراوي=Shaarawy|شفعي=Shafie|شكيب=Shakib|شوشه=Shousha|شيبه=Shiba|صابح=Sabeh|صالحين=Salheen|" +
		"صلاحالدين=Salah Eldin|صياد=Sayad|ضاهر=Daher|طاحون=Tahoun|طارف=Taref|طالب=Taleb|طلال=Talal|طوسون=Toson|عادلي=Adly|" +
		"عاصي=Assy|عاكف=Akef|عباده=Obada|عبدربه=Abdrabo|عثمانلي=Othmanly|عدوي=Adawy|عريان=Erian|عساف=Assaf|عسكر=Askar|" +
		"عصمت=Esmat|عطيفي=Etefy|عقبه=Okba|عكاشه=Okasha|علاءالدين=Alaa Eldin|عليش=Elish|عناني=Anany|عوف=Ouf|" +
		"غباشي=Ghobashy|غزالي=Ghazaly|غلاب=Ghallab|غندور=Ghandour|فاتح=Fateh|فداء=Fedaa|فرماوي=Farmawy|فضالي=Fadaly|قاضي=Kady|" +
		"قرني=Korany|كاظم=Kazem|كحلاوي=Kahlawy|كشاف=Kashaf|لقمان=Lokman|ماضي=Mady|متبولي=Metbouly|محارب=Mohareb|محسب=Mohseb|" +
		"محمدي=Mohamady|محمدين=Mohamadein|مدثر=Modather|مزمل=Mozamel|مستجير=Mostagir|مسعف=Mosef|مشعل=Meshaal|مطراوي=Matrawy|" +
		"معاويه=Moawya|معين=Moein|مفيد=Mofid|مقبول=Makboul|مكين=Makin|ممتاز=Momtaz|مناف=Manaf|مندور=Mandour|منصف=Monsef|" +
		"منقذ=Monkez|مهني=Mehanny|موفق=Mowafak|نادي=Nady|ناظم=Nazem|نجاتي=Nagaty|نصرت=Nosrat|نورالدين=Noureldin|نوبي=Noby|" +
		"هاشمي=Hashemy|هجرس=Hagras|هواش=Hawash|وايلي=Waely=وائلي|"

	// women holds given names of women.
	women = "" +
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
		"حميديه=Hamideya=حميدية|ايات=Ayat=آيات|انغام=Angham=أنغام|" +
		"حسنيه=Hosneya=حسنية|رودينا=Rodina|تاليا=Talia|شفاء=Shefaa|مهجه=Mohga=مهجة|جليله=Galila=جليلة|رحيمه=Rahima=رحيمة|" +
		"زاهيه=Zahya=زاهية|اسيا=Asia=آسيا|اريج=Areej=أريج|ازهار=Azhar=أزهار|استبرق=Estabrak=إستبرق|اشراق=Eshrak=إشراق|" +
		"افراح=Afrah=أفراح|اماني=Amany=أماني|امنيات=Omniat=أمنيات|اميرات=Amirat=أميرات|انوار=Anwar=أنوار|اهداب=Ahdab=أهداب|" +
		"ايلاف=Elaf=إيلاف|ايلين=Elin=إيلين|باسنت=Bassant|بتول=Batoul|بديعه=Badia=بديعة|براءه=Baraa=براءة|بهيره=Bahira=بهيرة|" +
		"بوران=Boran|بيسان=Bisan|تاليه=Talia|تحفه=Tohfa=تحفة|ترنيم=Tarnim|تسبيح=Tasbih|تقوي=Takwa=تقوى|تماضر=Tomader|" +
		"تولين=Tolin|جازيه=Gazya=جازية|جاسمين=Jasmine|جميلات=Gamilat|جنه=Ganna=جنة|جهان=Gihan|جيداء=Gaidaa|حسيبه=Hasseba=حسيبة|" +
		"حفصه=Hafsa=حفصة|حلاوتهم=Halawthom|حليمه=Halima=حليمة|حمديه=Hamdeya=حمدية|حنين=Haneen|خلديه=Khaldeya=خلدية|" +
		"خوله=Khawla=خولة|دارين=Darin|داليدا=Dalida|دريه=Dorreya=درية|دعد=Daad|ديمه=Dima=ديمة|دينه=Dina=دينة|راندا=Randa|" +
		"رافيه=Rafya=رافية|راما=Rama|رانا=Rana|ربي=Roba=ربى|ربيعه=Rabia=ربيعة|رتيبه=Ratiba=رتيبة|رحيق=Rahik|رزان=Razan|" +
		"رسيل=Raseel|رشيده=Rashida=رشيدة|رفيده=Rofayda=رفيدة|رميساء=Romaysaa|رهف=Rahaf|روفيده=Rofayda=روفيدة|روز=Rose|" +
		"رويه=Roaya=رؤية|ريتا=Rita|ريتال=Retal|ريحانه=Rihana=ريحانة|زهور=Zohour|زمزم=Zamzam|زينات=Zeinat|ساجده=Sagda=ساجدة|" +
		"سارا=Sara|سالمه=Salma=سالمة|سامحه=Samha=سامحة|ساندي=Sandy|سبا=Sabaa=سبأ|سحاب=Sahab|سعده=Saada=سعدة|سعيده=Saida=سعيدة|" +
		"سلسبيل=Salsabil|سماء=Samaa|سماهر=Samaher|سنيه=Saneya=سنية|سهيله=Sohila=سهيلة|سوسو=Soso|سيرين=Sirin|سيلا=Sila|" +
		"شاهيناز=Shahinaz|شادن=Shaden|شريفه=Sherifa=شريفة|شكريه=Shokreya=شكرية|شموع=Shomoua|شهرزاد=Shahrazad|شوشا=Shousha|" +
		"صابره=Sabra=صابرة|صافي=Safy|صافيناز=Safinaz|صبحيه=Sobheya=صبحية|صبريه=Sabreya=صبرية|صدفه=Sodfa=صدفة|طاهره=Tahra=طاهرة|" +
		"عاليه=Alia=عالية|عبله=Abla=عبلة|عطاء=Ataa|عفت=Effat|علويه=Alweya=علوية|عنبره=Anbara=عنبرة|عيشه=Eisha=عيشة|" +
		"غدير=Ghadeer|غصون=Ghosoun|غفران=Ghofran|فاتيما=Fatima|فاديا=Fadia|فايده=Fayda=فايدة|فدوي=Fadwa=فدوى|" +
		"فرحه=Farha=فرحة|فرحانه=Farhana=فرحانة|فضيله=Fadila=فضيلة|فلك=Falak|فهميه=Fahmeya=فهمية|قدريه=Kadreya=قدرية|قطر=Katr|" +
		"كنوز=Konoz|كاريمان=Kariman|كندا=Kenda|كيان=Kayan|لارين=Larin|لجين=Logine|لمار=Lamar|لمي=Lama=لمى|لوليتا=Lolita|" +
		"ليان=Layan|ليليان=Lilian|ماريه=Maria=مارية|ماهيتاب=Mahitab|ماهينور=Mahinour|مايا=Maya|مبروكه=Mabrouka=مبروكة|" +
		"محبوبه=Mahbouba=محبوبة|محضيه=Mahdeya=محضية|مرح=Marah|مرزوقه=Marzouka=مرزوقة|مريهان=Marihan|" +
		"مزنه=Mozna=مزنة|مسك=Mesk|معالي=Maaly|مفيده=Mofida=مفيدة|مكارم=Makarem|ملكات=Malakat|ملوك=Moulouk|منتهي=Montaha=منتهى|" +
		"منيرفا=Minerva|موده=Mawada=مودة|ميس=Mais|ميساء=Maysaa|ناريمان=Nariman|ناعسه=Naesa=ناعسة|نايله=Naela=نائلة|" +
		"نبويه=Nabaweya=نبوية|نجيه=Nageya=نجية|نجيبه=Nageeba=نجيبة|نزهه=Nozha=نزهة|نسيمه=Nassima=نسيمة|" +
		"نعناعه=Nanaa=نعناعة|نغم=Nagham|نور الشمس=Nour Elshams|نوره=Noura=نورة|نوران=Nouran|نيره=Nayera=نيرة|نيللي=Nelly|" +
		"هاديه=Hadya=هادية|هبات=Hebat|هدايا=Hadaya|هدايه=Hedaya=هداية|همت=Hemmat|هنادي=Hanady|هنومه=Hanouma=هنومة|هيبات=Heibat|" +
		"وجيهه=Wagiha=وجيهة|وحيده=Wahida=وحيدة|ورد=Ward|وسيمه=Wassima=وسيمة|وصال=Wesal|وفيقه=Wafika=وفيقة|وهيبه=Wahiba=وهيبة|" +
		"ياره=Yara=يارة|ياسمينا=Yasmina|يقين=Yakeen|يمامه=Yamama=يمامة|"

	// coptic holds Christian given names.
	coptic = "" +
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
		"جوزيف=Joseph|" +
		"بولا=Bola|ابادير=Abadir=أبادير|كستور=Kastor|بافلي=Pavly|كرلس=Kyrillos|ثيودورا=Theodora=ثيؤدورا|كيرستين=Kirsten|" +
		"بسكالا=Paskala|بربارا=Barbara|بشاي=Beshay|بيمن=Pimen|بيبرس=Beibars|تاوضروس=Tawadros|توما=Touma|تيموثاوس=Timothy|" +
		"جاورجيوس=Georgious|جبره=Gabra=جبرة|جوارجي=Gawargy|جوفاني=Giovanni|حزقيال=Hezkial|دوماديوس=Domadious|" +
		"رافاييل=Raphael=رأفائيل|رزيقي=Rezeiky|رفله=Rafla|ساروفيم=Sarophim|سامويل=Samuel|سركيس=Sarkis|سولا=Sola|سيفين=Seifin|" +
		"شاروبيم=Sharobim|صدقي=Sedky|عبدالثالوث=Abdelthalouth|عبدالقدوس=Abdelkoddous|عجايبي=Agaiby|عزرا=Ezra|فكتور=Victor|" +
		"فليمون=Philemon|قزمان=Kozman|قسطنطين=Constantine|كيرياكوس=Kyriakos|لعازر=Lazar|لوندي=Lawendy|لويز=Louis|ماركو=Marco|" +
		"مارون=Maroun|متياس=Matthias|مقاري=Makary|مكسيموس=Maximos|منسي=Mansy|ميخا=Micha|ناثان=Nathan|هرمينا=Hermina|" +
		"هابيل=Habil|ونيس=Wanis|يوانس=Youannes=يوأنس|يوساب=Youssab|يوليوس=Julius|افرونيه=Efronia=إفرونية|" +
		"اليصابات=Elizabeth=إليصابات|انجيل=Ingil=إنجيل|اولجا=Olga=أولجا|باتريشيا=Patricia|بيرلا=Perla|تيريزا=Teresa|جاكي=Jacky|" +
		"جيسيكا=Jessica|جينا=Gina|دولاجي=Dolagy|ديانا=Diana|رومانيه=Romania|ريبيكا=Rebecca|ريموندا=Raymonda|سالي=Sally|" +
		"سيلفانا=Sylvana|صوفيا=Sophia|فبرونيا=Febronia|فيرجينيا=Virginia|كاتي=Katy|كارول=Carol|كلير=Claire|لورا=Laura|" +
		"لوسي=Lucy|ماجي=Maggy|مادلين=Madeleine|مارجريت=Margaret|مارسيل=Marcel|ماريز=Marise|ماريو=Mario|مورا=Mora|ميريام=Miriam|" +
		"هيلانا=Helana|يوليانا=Juliana|"

	// families holds family names and names of tribes.
	families = "" +
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
		"القرارشه=Elkararsha=القرارشة|الصوالحه=Elsawalha=الصوالحة|الجباليه=Elgebaleya=الجبالية|الحويطات=Elhowaitat|" +
		"الدباغ=Eldabbagh|النبراوي=Elnabrawy|الطهطاوي=Eltahtawy|البهنسي=Elbahnasy|الاباصيري=Elabassiry=الأباصيري|" +
		"الابيض=Elabyad=الأبيض|الاسواني=Elaswany=الأسواني|الاسكندراني=Eleskandarany=الإسكندراني|البورسعيدي=Elborsaidy|" +
		"الزقازيقي=Elzakaziky|الجيزاوي=Elgizawy|المنزلاوي=Elmanzalawy|الاسناوي=Elesnawy=الإسناوي|الادفوي=Eledfawy=الإدفوي|" +
		"الاخميمي=Elekhmimy=الأخميمي|الجرجاوي=Elgergawy|القوصي=Elkousy|الدشناوي=Eldeshnawy|البلبيسي=Elbelbeisy|" +
		"الميت غمري=Elmitghamry|الطلخاوي=Eltalkhawy|الفوي=Elfewy|الزفتاوي=Elzeftawy|السنبلاويني=Elsenbellawiny|" +
		"الدكرنسي=Eldekernessy|البلقاسي=Elbelkassy|الشبيني=Elshebiny|الاشموني=Elashmouny=الأشموني|التلاوي=Eltalawy|" +
		"القويسني=Elkewisny|الباجوري=Elbagoury|البسطويسي=Elbastawisy|البلقيني=Elbolkiny|البرلسي=Elborollosy|الحمامصي=Elhamamsy|" +
		"الدرديري=Eldardiry|الزعبلاوي=Elzaabalawy|الرخاوي=Elrakhawy|السرساوي=Elsersawy|السحيمي=Elsehemy|الطوبجي=Eltobgy|" +
		"القصبي=Elkasaby|القللي=Elkolaly|القاياتي=Elkayaty|القلماوي=Elkalamawy|النويهي=Elnowehy|الوراقي=Elwarraky|" +
		"الصفتي=Elsefty|العتر=Eleter|العسال=Elassal|القصير=Elkosayer|الفران=Elfarran|اللقاني=Ellakany|الجعفري=Elgaafary|" +
		"السلامي=Elsalamy|العبادي=Elabbady|المطيري=Elmoteiry|الترابيني=Elterabiny|الفاضلي=Elfadly|البيلي=Elbeily|" +
		"الاعصر=Elaasar=الأعصر|الازهر=Elazhar=الأزهر|العطيفي=Eletefy|العوضي=Elawady|العيوطي=Elayouty|الغريب=Elgharib|" +
		"الغنيمي=Elghoneimy|الفرماوي=Elfarmawy|الفولي=Elfouly|القباني=Elkabbany|القرني=Elkorany|القشلان=Elkashlan|" +
		"القفاص=Elkaffas|القماش=Elkammash|القنديل=Elkandil|القهوجي=Elkahwagy|الكحال=Elkahhal|الكردوسي=Elkardousy|" +
		"الكفافي=Elkafafy|الكلاف=Elkallaf|الكناني=Elkenany|الكواوي=Elkawawy|اللواح=Ellawah|اللبودي=Ellabboudy|المالكي=Elmalky|" +
		"المجدوب=Elmagdoub|المداح=Elmaddah|المراغي=Elmaraghy|المزين=Elmezayen|المسيري=Elmessiry|المصيلحي=Elmeselhy|" +
		"المعصراوي=Elmaasarawy|المكاوي=Elmekkawy|الملاح=Elmallah|المناوي=Elmenawy|المنسي=Elmansy|المهندس=Elmohandes|" +
		"الموجي=Elmogy|الموافي=Elmowafy|الميهي=Elmihy|النجدي=Elnagdy|النشرتي=Elnasharty|النمراوي=Elnemrawy|النواوي=Elnawawy|" +
		"النويري=Elnoweiry|الهجان=Elhaggan|الهنداوي=Elhendawy|الواحي=Elwahy|الورداني=Elwardany|" +
		"الابنودي=Elabnoudy=الأبنودي|البابلي=Elbably|الباجا=Elbaga|البارود=Elbaroud|البتانوني=Elbatanouny|البخاري=Elbokhary|" +
		"البدراوي=Elbadrawy|البراوي=Elbarawy|البربري=Elbarbary|البرديسي=Elbardisy|البشبيشي=Elbeshbishy|البغدادي=Elboghdady|" +
		"البكري=Elbakry|البلاسي=Elbalasy|البلك=Elbolok|البنداري=Elbendary|البنهاوي=Elbanhawy|البهي=Elbahy|البياع=Elbayaa|" +
		"البيطار=Elbitar|التابعي=Eltabey|التاجي=Eltagy|التركي=Elturky|التهامي=Eltohamy|التوني=Eltouny|الجابري=Elgabry|" +
		"الجارم=Elgarem|الجبرتي=Elgabarty|الجداوي=Elgeddawy|الجرف=Elgarf|الجزيري=Elgeziry|الجلاد=Elgallad|الجمسي=Elgamasy|" +
		"الجنايني=Elganayny|الحاوي=Elhawy|الحبيبي=Elhabiby|الحجار=Elhaggar|الحديدي=Elhadidy|الحرايري=Elharayry|" +
		"الحريري=Elhariry|الحسنين=Elhassanein|الحكيم=Elhakim|الحلبي=Elhalaby|الحلو=Elhelw|الحماقي=Elhamaky|الحمامي=Elhamamy|" +
		"الحملاوي=Elhamalawy|الحموي=Elhamawy|الحنفي=Elhanafy|الحوامدي=Elhawamdy|الخراط=Elkharrat|الخشاب=Elkhashab|" +
		"الخطابي=Elkhattaby|الخميسي=Elkhamisy|الخواجه=Elkhawaga=الخواجة|الداوودي=Eldawoudy|الدردير=Eldardir|" +
		"الدرملي=Eldaramally|الدغيدي=Eldegheidy|الدقاق=Eldakkak|الدقن=Eldekn|الدكر=Eldakar|الدنف=Eldanaf|الديربي=Eldeirby|" +
		"الديسطي=Eldesty|الدياسطي=Eldiasty|الدهشان=Eldahshan|الذهبي=Elzahaby|الراجحي=Elraghy|الراوي=Elrawy|الرزاز=Elrazzaz|" +
		"الرحماني=Elrahmany|الرملي=Elramly|الريس=Elrayes|الزاهد=Elzahed|الزامل=Elzamel|الزرقاني=Elzorkany|الزغبي=Elzoghby|" +
		"الزقم=Elzekem|الزمر=Elzomor|الزناتي=Elzanaty|الزند=Elzend|الزيني=Elzeiny|السادات=Elsadat|الساعي=Elsaey|السايس=Elsayes|" +
		"السعيد=Elsaeed|السكري=Elsokkary|السلاموني=Elsalamouny|السلاوي=Elsalawy|السلماوي=Elsalmawy|السمري=Elsamry|" +
		"السمان=Elsamman|السنباطي=Elsonbaty|السنجري=Elsengery|السنوسي=Elsenoussy|السنيطي=Elseneity|السوداني=Elsoudany|" +
		"السويفي=Elsweify|السيسي=Elsisy|السيوفي=Elsioufy|السيوطي=Elsioty|الشاعر=Elshaer|الشال=Elshal|الشامي=Elshamy|" +
		"الشاهد=Elshahed|الشرباصي=Elsharabasy|الشرنوبي=Elsharnouby|الشريف=Elsherif|الشعار=Elshaar|الشعشاعي=Elshaashaey|" +
		"الشلقاني=Elshalakany|الشلبي=Elshalaby|الشماع=Elshammaa|الشنواني=Elshenawany|الشهابي=Elshehaby|الشهيدي=Elshahidy|" +
		"الشوبري=Elshobary|الشويخ=Elshewikh|الشيال=Elshayal|الشيتي=Elshity|الصابر=Elsaber|الصادق=Elsadek|الصالحي=Elsalhy|" +
		"الصباحي=Elsabahy|الصبان=Elsabban|الصردي=Elsardy|الصغير=Elsaghir|الصفطاوي=Elsaftawy|الصناديلي=Elsanadily|" +
		"الصياد=Elsayad|الطاهر=Eltaher|الطباخ=Eltabbakh|الطبلاوي=Eltablawy|الطرابيشي=Eltarabishy|الطماوي=Eltamawy|" +
		"الطناحي=Eltanahy|الطوبي=Eltouby|الظاهر=Elzaher|الظواهري=Elzawahry|العادلي=Eladly|العاصي=Elassy|العايدي=Elaydy|" +
		"العبد=Elabd|العبسي=Elabsy|العتال=Elattal|العدلي=Eladly|العراقي=Eleraky|العرابي=Eloraby|العريشي=Elerishy|العزبي=Elezby|" +
		"العزيزي=Elazizy|العسقلاني=Elaskalany|العسكري=Elaskary|العشري=Elashry|العطوي=Elatwy|العفيفي=Elafify|العقباوي=Elakabawy|" +
		"العلايلي=Elalayly|العليمي=Elelimy|العمده=Elomda=العمدة|العمري=Elomary|العنتبلي=Elantably|العوام=Elawwam|العياط=Elayat|" +
		"الغامدي=Elghamdy|الغباشي=Elghobashy|الغرابلي=Elgharably|الغزاوي=Elghazawy|الغضبان=Elghadban|الغندور=Elghandour|" +
		"الغول=Elghoul|الفاتح=Elfateh|الفارسي=Elfarsy|الفراجي=Elfaragy|الفرغلي=Elfarghaly|الفرا=Elfarra|الفضالي=Elfadaly|" +
		"الفلاح=Elfallah|الفلكي=Elfalaky|الفناجيلي=Elfanagily|الفوال=Elfawal|القادري=Elkadry|القاسمي=Elkasmy|القبيصي=Elkobeisy|" +
		"القدوسي=Elkoddousy|القرموطي=Elkarmouty|القزاز=Elkazzaz|القشيري=Elkosheiry|القصراوي=Elkasrawy|القطب=Elkotb|" +
		"القلا=Elkalla|القليني=Elkalliny|القمري=Elkamary|القناص=Elkannas|القوني=Elkouny|الكاتب=Elkateb|الكرماني=Elkermany|" +
		"الكرداوي=Elkerdawy|الكرنك=Elkarnak|الكريدي=Elkredy|الكسار=Elkassar|الكلاوي=Elkelawy|اللاوندي=Ellawendy|" +
		"اللباد=Ellabbad|اللمعي=Ellamey|اللهيطه=Ellahita=اللهيطة|الماحي=Elmahy|المامون=Elmaamoun=المأمون|المحجوب=Elmahgoub|" +
		"المحروقي=Elmahrouky|المدني=Elmadany|المرسي=Elmorsy|المسيدي=Elmasidy|المشد=Elmeshad|المشرقي=Elmashraky|" +
		"المصرفي=Elmasrafy|المطراوي=Elmatrawy|المعز=Elmoez|المغازي=Elmoghazy|المقدم=Elmokadem|المقريزي=Elmakrizy|المكي=Elmakky|" +
		"المنير=Elmonir|المهداوي=Elmahdawy|المهيري=Elmoheiry|الموسوي=Elmousawy|المويلحي=Elmoweilhy|الناظر=Elnazer|" +
		"الناغي=Elnaghy|النجيلي=Elnegily|النحراوي=Elnahrawy|النساج=Elnassag|النصيري=Elnosseiry|النعماني=Elnoamany|" +
		"النقراشي=Elnokrashy|النقلي=Elnakly|النوام=Elnawam|الهاشمي=Elhashemy|الهرميل=Elharmil|الهضيبي=Elhodeiby|" +
		"الهلباوي=Elhelbawy|الهمشري=Elhamshary|الهندي=Elhendy|الهواش=Elhawash|الوحش=Elwahsh|الوليد=Elwalid|الوليلي=Elwelily|" +
		"اليسيري=Elyosiry|اباظه=Abaza=أباظة|الادهم=Eladham=الأدهم|الاشرف=Elashraf=الأشرف|الانور=Elanwar=الأنور|" +
		"بازرعه=Bazaraa=بازرعة|بدير=Bedir|برايا=Braya|تعلب=Taalab|جعيصه=Goeisa=جعيصة|جمجوم=Gamgoum|حتحوت=Hathout|حجاب=Hegab|" +
		"حشاد=Hashad|حشيش=Hashish|خضير=Khodeir|خفاجي=Khafagy|خفاجه=Khafaga=خفاجة|خليف=Khalif|داغر=Dagher|ربيعي=Rabiey|" +
		"رخا=Rakha|رزه=Roza=رزة|زعتر=Zaatar|زلط=Zalat|سرايا=Saraya|سليط=Seleit|سويدان=Sweidan|شعير=Shaeir|شقير=Shokeir|" +
		"شلتوت=Shaltout|شندي=Shendy|شويل=Sheweil|شومان=Shouman|صبيح=Sobeih|طرطور=Tartour|طعمه=Toma=طعمة|عجلان=Aglan|" +
		"عجوه=Agwa=عجوة|عصفور=Asfour|علوش=Alloush|عنبه=Enaba=عنبة|غراب=Ghorab|لبن=Laban|محرز=Mehrez|مخيمر=Mekheimar|" +
		"مهنا=Mehanna|هنداوي=Hendawy|هنيدي=Heneidy|"

	// compounds holds names of two words that are one, and those whose spelling no rule gives.
	compounds = "" +
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
		"المعتز بالله=Elmoataz Bellah|معتز بالله=Moataz Bellah|المعتصم بالله=Elmoatasem Bellah|" +
		"نصر الدين=Nasr Eldin|شمس الدين=Shams Eldin|جمال الدين=Gamal Eldin|بهاء الدين=Bahaa Eldin|كمال الدين=Kamal Eldin|" +
		"شهاب الدين=Shehab Eldin|ضياء الدين=Diaa Eldin|سراج الدين=Serag Eldin|عماد الدين=Emad Eldin|فخر الدين=Fakhr Eldin|" +
		"بدر الدين=Badr Eldin|زين الدين=Zein Eldin|تاج الدين=Tag Eldin|شرف الدين=Sharaf Eldin|سعد الدين=Saad Eldin|" +
		"نجم الدين=Negm Eldin|مجد الدين=Magd Eldin|خير الدين=Khair Eldin|قطب الدين=Kotb Eldin|محب الدين=Moheb Eldin|" +
		"علم الدين=Alam Eldin|عصام الدين=Essam Eldin|جلال الدين=Galal Eldin|حسن الدين=Hassan Eldin|صدر الدين=Sadr Eldin|" +
		"فضل الله=Fadlallah|عطيه الله=Attiatallah=عطية الله|حب الله=Hoballah|رحمه الله=Rahmatallah=رحمة الله|" +
		"امه الله=Amatallah=أمة الله|ايات الله=Ayatallah=آيات الله|سيف الله=Seifallah|سيف الاسلام=Seif Eleslam=سيف الإسلام|" +
		"سيف النصر=Seif Elnasr|جاد الكريم=Gad Elkarim|جاد المنعم=Gad Elmoneim|فضل المولي=Fadl Elmawla=فضل المولى|" +
		"عبد النبي=Abdelnaby|عز الرجال=Ezz Elregal|ابو الخير=Aboelkheir=أبو الخير|ابو الحمد=Aboelhamd=أبو الحمد|" +
		"ابو السعد=Aboelsaad=أبو السعد|ابو النجا=Aboelnaga=أبو النجا|ابو النصر=Aboelnasr=أبو النصر|" +
		"ابو الغيط=Aboelgheit=أبو الغيط|ابو الروس=Aboelrous=أبو الروس|ابو القاسم=Aboelkassem=أبو القاسم|" +
		"ابو المكارم=Aboelmakarem=أبو المكارم|ابو طالب=Aboutaleb=أبو طالب|ابو شادي=Aboushady=أبو شادي|" +
		"ابو سمره=Abousamra=أبو سمرة|ابو سيف=Abouseif=أبو سيف|ابو عيشه=Aboueisha=أبو عيشة|ابو غازي=Aboughazy=أبو غازي|" +
		"ابو هشيمه=Abouhashima=أبو هشيمة|ابو شعيشع=Aboushaeisha=أبو شعيشع|ابو ليله=Abouleila=أبو ليلة|" +
		"ابو المعارف=Aboelmaaref=أبو المعارف|ابو الدهب=Aboeldahab=أبو الدهب|ابو عمر=Abouomar=أبو عمر|" +
		"ابو خليل=Aboukhalil=أبو خليل|ابو ستيت=Abousteit=أبو ستيت|ابو زهره=Abouzahra=أبو زهرة|ابو علي=Abouali=أبو علي|" +
		"ابو حسين=Abouhussein=أبو حسين|ابو سليمان=Abousoliman=أبو سليمان|ابو اليسر=Aboelyosr=أبو اليسر|" +
		"ام السعد=Om Elsaad=أم السعد|ام الخير=Om Elkheir=أم الخير|ام محمد=Om Mohamed=أم محمد|ام احمد=Om Ahmed=أم أحمد|" +
		"ست الدار=Set Eldar|ست الناس=Set Elnas|ست ابوها=Set Abouha=ست أبوها|نور الايمان=Nour Eleman=نور الإيمان|" +
		"نور العين=Nour Elein|شمس النهار=Shams Elnahar|قمر الزمان=Kamar Elzaman|فاطمه الزهراء=Fatma Elzahraa=فاطمة الزهراء|" +
		"هدي الله=Hodallah=هدى الله|حسب النبي=Hasab Elnaby|"

	// stems holds what follows عبد ال and similar beginnings.
	stems = "" +
		"|رحمن=Rahman|رحيم=Rahim|حميد=Hamid|فتاح=Fattah|غني=Ghany|قادر=Kader|مجيد=Meguid|مقصود=Maksoud|نبي=Naby|وهاب=Wahab|" +
		"باسط=Baset|تواب=Tawab|جواد=Gawad|خالق=Khalek|رازق=Razek|رزاق=Razek|رسول=Rasoul|ستار=Sattar|سميع=Samie|صمد=Samad|" +
		"ظاهر=Zaher|عاطي=Aty|عال=Aal|عليم=Alim|غفار=Ghaffar|معطي=Moaty|موجود=Mawgoud|مولي=Mawla=مولى|واحد=Wahed|ودود=Wadoud|" +
		"حي=Hay|حق=Hak|شافي=Shafy|شكور=Shakour|عظيم=Azim|غفور=Ghafour|فضيل=Fadil|قوي=Kawy|مطلب=Motaleb|دايم=Dayem|متعال=Motaal|" +
		"بديع=Badie|بر=Bar|جليل=Galil|باقي=Baky|مهيمن=Mohaymen|وارث=Wareth|لاه=Lah|بنا=Banna|عرب=Arab|دين=Din|مسيح=Messih|" +
		"شهيد=Shahid|بصير=Bassir|خبير=Khabir|سبحان=Sobhan|قيوم=Kayoum|مبدي=Mobdea=مبدئ|مجد=Magd|منان=Mannan|وكيل=Wakil|" +
		"حليم=Halim|جبار=Gabbar|قهار=Kahhar|رافع=Rafea|معين=Moein|صبور=Sabour|كافي=Kafy|معبود=Maaboud|ولي=Waly|رب=Rab|" +
		"ستير=Sattir|شهاب=Shehab|غيور=Ghayour|نعيم=Naeem|مبين=Mobeen|متجلي=Motagally|مغيث=Moghith|خلاق=Khallak|ماجد=Maged|" +
		"حنان=Hanan|مقتدر=Moktader|مجيب=Megib|عاطف=Atef|فضل=Fadl|رووف=Raouf=رؤوف|"
)
