/** Work mail. `a` writes first. Someone outside starts the "@ client" scenes, a colleague the "@ team" scenes. */
export const mailWork = `
@ client
# {Part} at {site}
a: Dear [Ms Tallow|Mira], // [during the last inspection|while cleaning the lantern|on {day}] we noticed that the {part} [rattles when the wind is westerly|has turned green|no longer closes|is warm to the touch|leaks a little in heavy rain]. [Is this something to worry about?|Could somebody look at it before winter?|We have put a bucket under it.] [A picture is attached.|I can send pictures.|] // [Kind regards|With best wishes|Yours sincerely] // {a}
b: Dear {a}, // thank you for writing [so quickly|before touching it|with such a clear description]. [It is rarely urgent|I would not wait too long|That is usually the gasket], but please [do not tighten anything|keep it dry|note the time whenever it happens]. [Lev|Anneke] can be at {site} on {day} with the {tool}. [Does {clock} suit you?|Would you have the key?] // Best wishes // Mira
a: {clock} suits us. [Mind the {n:30-190} steps.|The key is with the keeper.|We will have coffee ready.|The boat leaves at {n2:6-8}:{n3:10-50}, not later.]
b?: Done: the {part} is [refitted|sealed|replaced like for like|as good as we can make it without the crane]. [{n4:2-9} hours, no parts.|The report follows.|Please look at it again after the first storm.] // Mira
---
@ client
# Quote request: {part}, {site}
a: Hello, // [{client} would like|we would like|the committee has asked me to ask for] a price for [restoring|replacing|surveying|documenting] the {part} at {site}. [Our budget is limited to {n:4-38},000 euros.|The grant must be spent by the end of the year.|Two other firms will be asked as well.] // {a}
b: Dear {a}, // thank you. For a firm price we need [{doc} and three photos|a day on site|the height of the gallery door]. As a first figure: between {n2:4-17},{n3:100-900} and {n4:18-39},{n5:100-900} euros, depending on [the putty|access|how much of the bronze is original|the weather window]. [We could start in {n6:3-14} weeks.|Earliest start is after the nesting season.] // Mira Tallow
a: Thank you, that is [in line with what we hoped|more than we hoped, less than we feared|above our limit, but not hopeless]. [1~May we split it over two years?|Could you leave out the painting?|I will take it to the meeting on {day}.] [We know your work from {site2}.|The {part} cannot wait for ever.|]
b?: [1~Two years is fine, glass first, paint later.|Without painting it comes to {n7:9-16},{n8:100-900} euros.|Of course. I am happy to join the meeting by phone.] // Mira
---
@ client after:2026-05-20
# Wickwatch at {site}: {bug}
a: Dear team, // since the update to {version} we see the following: {bug}. [It is not serious, but the keeper laughs at us.|It woke the duty officer twice.|The reports to {client} are affected.] Serial number WW-{n:1004-1398}. // {a}
b: Dear {a}, // that is ours, and I am sorry. The reason is {cause}. [A fix is in {version2}, which reaches you on {day}.|As a workaround, restart the gateway once a day until {day}.|Tomasz has pushed a correction to your unit a moment ago, could you check?] // Mira
a: [Confirmed, it works.|Better, but now {bug2}.|The keeper is disappointed, he liked it.|Thank you for the quick answer!]
b?: [Then we keep the ticket open until {day2}.|Closing the ticket. Tell the keeper we may bring it back on his birthday.|One thing at a time. I have opened a second ticket, {n2:430-690}.] // Mira
---
@ client
# Visit to {site} on {day}
a: Dear Mira, // [a delegation of {n:4-12} people|my deputy|a journalist from the {town} paper|a school class of {n2:14-28}] would like to see {site} on {day}. [1~Is the scaffold safe for visitors?|How many may stand on the gallery at once?|Could somebody from your side explain the lens?] // {a}
b: Dear {a}, // with pleasure. {n3:3-6} people on the gallery at once, helmets for all, and nobody touches the {part}. [1~The scaffold is safe, the weather is not always.|Please no tripods.|Bastian gives the best tours, he was amazed last.] // Mira
a?: [Helmets ordered.|They are very excited, the journalist most of all.|We will bring {cake}.|{n3:3-6} it is.]
---
@ client
# Invoice {n:1180-1990}, {site}
a: Good morning, // we [received|found] invoice {n:1180-1990} over {eur:400-9000} euros. [1~Our order number is missing, could you add it?|Is the ferry included?|It is addressed to my predecessor, who has retired to sea.|We can only pay in two instalments.] // {a}
b: Dear {a}, // [1~corrected copy attached, with the order number.|The ferry is included, the sandwiches are not.|I have changed the name, and wish your predecessor calm water.|Two instalments are fine, {day} and four weeks later.] // Mira // (Imke in copy)
a?: [Paid today.|Approved, payment run is on {day2}.|Thank you, perfect.]
---
@ supplier
# {supplier}: delivery of the {part}
a: Dear customer, // [1~your order {n:20400-29800} leaves our works on {day}|unfortunately the {part} is delayed by {n2:2-5} weeks|the {part} is ready for collection|we can deliver {n3:4-20} of {n4:21-40} pieces now]. [Reason: {cause}.|The carrier will call before.|Please check the crate in the driver's presence.] // {a}, {supplier}
b: Hello {a}, // [1~thank you, we will have the yard free|that is difficult, {site} is booked for next month|good, Lev collects it|please send what you have]. [2~Can it go directly to {site}?|Please mark the crate with "this way up" on all sides, the last one had been creative.|What would express cost?] // Mira
a: [2~Directly to the site is possible for {eur:40-240} euros.|Noted, four arrows, one of them red.|Express: {eur:60-380} euros, arrival {day2}.]
b?: [2~Please do that.|Thank you. Red is appreciated.|Then we wait, but thank you for asking.]
---
@ supplier
# Sample {n:11-96}: {part}
a: Dear Mira, // we enclose sample {n:11-96} of the {part} in [the softer alloy|clear crown glass|the new gasket compound|the darker bronze]. [Hardness {n2:38-92}.|Please do not boil it.|We are curious what you think.] // {a}
b: Dear {a}, // we had it in the salt fog for {n3:100-480} hours. Result: {adjective}. [The edges hold, the colour does not.|No change at all, congratulations.|It smells now.|Anneke asks for half a millimetre more.] // Mira
a?: [Half a millimetre is possible.|We can match the colour to the {site} original.|The smell is known to us.]
---
@ team
# {Task} for {site}
a: Hi Mira, // [here is a first version of {task}|could you read {task} before {day}|{task} is nearly done]. Open points: [who signs|the {part}|access from the sea side|whether we count the keeper as staff]. [I have marked them in yellow.|Page {n:2-14} is still a mess.|] // {a}
b: Thanks {a}. [Read it on the ferry.|Good work.|Two remarks.] [The {part} belongs in {doc}.|Please replace "should be fine" on page {n2:2-14} with a number.|{Client} signs, not we.|Add the tide table, they always ask.] // M.
a?: [Done, version 2 attached.|"Should be fine" is now "{n3:12-60} newton metres".|Tide table added. {weatherwork} on every day we picked.]
c?: One small thing from me: [the photos are from {site2}|the date on the cover is last year's|{supplier} has renamed the product]. Otherwise good.
---
@ team
# Travel to {site}
a: Mira, // for {site} I have [the ferry on {day} at {n:6-9}:{n2:10-55}|a room above the bakery|two seats in the supply boat|the van, if nobody else needs it]. [Back on {day2}.|The room costs {eur:38-96} a night.|Bring boots.] Shall I book? // {a}
b: Yes please, for {n4:2-4} of us. [Two rooms if you can, Lev sings in his sleep.|Take the later boat, the tide is kinder.|Put it on the {site} budget.|And one return for the {part}.] // Mira
a: Booked. [Confirmation {n3:10000-99999}.|They know us, we get the room with the stove.|The {part} travels as hand luggage, do not ask.]
---
@ team
# Minutes: {meeting}, {day}
a: Hello all, // short minutes of {meeting}: // - {site}: {part} done, {task} open ({b}) // - {site2}: waits, {reason} // - Wickwatch {version}: {bug}, being looked at // - {supplier}: new price list, {n:2-12} percent up // - Next time in {room}, {cake} by {c} // {a}
b?: One correction: the {part} is done on the north side only. // Mira
c?: I did not volunteer for {cake}, but I accept.
---
@ team
# Question about the {part}
a: Hi, // [quick question|stupid question|a question I should have asked on {day}]: for the {part} at {site}, do we [1~glue or clamp|paint before or after|number from the left or from the door|keep the old screws]? {Doc} says one thing and the old photograph another. // {a}
b: [Not stupid.|Good question.|Glad you ask before and not after.] [1~Clamp. Glue is for people who never want to come back.|After, always after.|From the door, clockwise, since 18{n:58-99}.|Keep them, in a bag, with a label.] [The photograph is right.|Ask Anneke, she was there.|] // M.
a?: [Thank you! I had already started the other way, only {n2:2-6} screws.|Label printed.|Good, that was my guess.]
---
@ team
# Holiday {n:1-28} to {n2:1-28}, and who does what
a: Dear all, // I am away for [a week|ten days|two weeks] from {day}. [{b} has the {site} file.|The {supplier} order is waiting for one signature.|Nothing should happen. If it does: {c}.] [I will not read mail.|I will read mail, but only in the rain.] // {a}
b?: Enjoy it, {a}. [I have the file.|We will not call unless it burns, and then only once.|Send a card with a lighthouse on it, for the wall.] // Mira
---
@ saoirse
# Test report {version}: {n:3-40} passed, {n2:1-4} open
a: Mira, // {version} on {n3:3-9} units for {n4:24-180} hours. {n:3-40} cases passed, {n2:1-4} open. The ugly one: {bug}. It happens [after a power cut|on the first of the month|when the lid is opened twice|if the station name has an umlaut]. I vote for [waiting|shipping with a note|a day more]. // {a}
b: [A day more.|Wait, please. {Site} can live with {version2} until {day}.|Ship with a note, and the note on page one.] What does Tomasz say about {cause}? // M.
a: He says [it is not {cause}, and looks guilty|yes|"interesting", which worries me]. [Retest on {day2}.|New run started at {clock}.]
---
@ omar
# Tender {site}: decision by {day}
a: Mira, // the tender for {site} asks for [a reference in the same class|insurance up to {n:2-10} million|a local partner|delivery in {n2:10-30} weeks]. I think we [can|could, with {supplier}|should not]. The competition is [one firm from inland|the usual two|nobody, which worries me]. Price idea: {n3:14-96},{n4:100-900} euros. // {a}
b: [1~Let us do it, but with a margin for weather.|I would add {n5:5-15} percent for the stairs, then yes.|No: {reason}, and we would be late on {site2}.] [Can you have the annex by {clock}?|Please do not write "turnkey".] // Mira
a?: [1~Submitted with {n6:6-14} percent for weather. Fingers crossed.|Stairs added, "turnkey" removed, it hurt.|Then I decline politely.]
---
@ german
# Angebot {n:1180-1990}: Rückfrage
a: Guten Tag Frau Tallow, // zu Ihrem Angebot {n:1180-1990} für {site} haben wir eine Frage: [1~Ist das Gerüst enthalten?|Gilt der Preis auch im Winter?|Können Sie die Arbeiten an einem Wochenende ausführen?|Wer trägt die Fähre?] // Mit freundlichen Grüßen // {a}
b: Guten Tag {formal}, // [1~das Gerüst ist enthalten, der Gerüstbauer leider nicht immer|der Preis gilt bis zum ersten Frost|am Wochenende gern, mit {n2:10-30} Prozent Aufschlag|die Fähre tragen wir, im übertragenen Sinne]. [Rufen Sie mich gern an.|Eine neue Fassung liegt bei.] // Mira Tallow
a?: [Vielen Dank, dann bitte so.|Das klären wir in der Sitzung am {n3:2-28}.|Einverstanden, Auftrag folgt.]
---
@ german
# Leuchtturm {site}: Termin Denkmalpflege
a: Sehr geehrte Frau Tallow, // die Denkmalpflege möchte am {n:2-28}. um {n2:9-15} Uhr den Zustand [der Laterne|der Optik|des Geländers|der Kuppel] sehen. [1~Bitte bringen Sie die alten Zeichnungen mit.|Festes Schuhwerk wird empfohlen.|Der Herr Referent hat Höhenangst.] // {a}
b: Guten Tag {formal}, // der {n:2-28}. passt. [1~Die Zeichnungen von 18{n3:62-98} bringe ich mit.|Wir kommen in Stiefeln, zu zweit.|Für den Herrn Referenten gibt es unten Kaffee und eine Kamera.] // Mira Tallow
---
@ french max:14
# Phare de {site} : point d'avancement
a: Bonjour Mira, // [1~pouvez-vous me dire où en sont les travaux ?|le conseil se réunit mardi et voudrait des photos.|la peinture du dôme a-t-elle séché ?|nous avons retrouvé un plan de 18{n:55-99} dans le grenier de la mairie !] // Bien à vous // {a}
b: Bonjour {a}, // [1~tout avance : le verre est posé, il reste {n2:2-9} jours de peinture|voici {n2:4-12} photos, la meilleure est floue mais sincère|elle sèche, à {n3:62-96} % d'humidité elle prend son temps|un plan de 18{n:55-99} ! Surtout ne le pliez pas]. [Je passe jeudi.|Anneke vous appelle demain.] // Mira
a?: [1~Parfait, merci.|Le maire est ravi, surtout de la floue.|Alors nous aussi.|Je ne le plie pas, je le regarde à peine.]
---
@ spanish max:14
# Faro de {site}: consulta
a: Estimada Mira: // [1~¿sería posible adelantar la revisión?|la linterna hace un ruido como de gaviota.|el ayuntamiento pregunta por el presupuesto {n:1180-1990}.|hemos encontrado la llave antigua de la torre.] // Un cordial saludo, // {a}
b: Estimada {a}: // [1~podemos ir el día {n2:3-28}, si el mar quiere|el ruido suele ser el cojinete; si no, es una gaviota|el presupuesto incluye dos visitas y el barco|guarden la llave, ¡es de 18{n3:60-95}!]. // Mira
a?: [1~Perfecto, les esperamos con café y {n4:2-9} vecinos curiosos.|Era una gaviota. Mil gracias.|De acuerdo con el presupuesto.|La llave está en una caja, con algodón.]
---
@ japanese max:16
# プリズム{n:3-24}番について
a: ミラ様 // いつもお世話になっております。プリズム{n:3-24}番の[1~研磨が終わりました|寸法を確認させてください|見積もりをお送りします|発送は来週になります]。[寸法は{n2:80-240}ミリです。|ご都合はいかがでしょうか。|写真を添付いたします。] // 星沢ゆき
b: 星沢さん // ありがとうございます。[1~アネケも喜んでいます。|寸法は{n2:80-240}ミリで正しいです。|{n4:300-900}ユーロで大丈夫です。|来週で大丈夫です。] (For Anneke, in English: [1~polishing of no. {n:3-24} is done|the size of no. {n:3-24} is confirmed|her price for no. {n:3-24} is fine|no. {n:3-24} ships next week].) // ミラ
a?: [承知いたしました。|よろしくお願いいたします。|では、そのように進めます。]
---
@ greek after:2026-05-01 max:14
# Φάρος {site}: ενημέρωση
a: Αγαπητή Μίρα, // [1~το φως λειτουργεί άψογα|ο αέρας έσπασε ένα τζάμι της λυχνίας|χρειαζόμαστε {n:2-9} ανταλλακτικά|ο φαροφύλακας ρωτά για το εγχειρίδιο]. [Θα στείλω φωτογραφίες.|Πότε μπορεί να έρθει ο Λεβ;|] // Ελένη // (In short: [1~all well|one pane broken|spare parts needed|manual wanted].)
b: Dear Eleni, // ευχαριστώ! [1~Wonderful. Lamp hours this week: {n3:60-110}.|Lev can come on {day} with a new pane.|The {n:2-9} parts leave today.|The manual is attached, in Greek at last, {n4:12-48} pages.] // Mira
---
@ russian max:16
# {site}: отчёт с объекта
a: Мира, привет! // [1~Закончил монтаж датчика WW-{n3:1004-1398}.|Заменил аккумуляторы, {n:2-8} штук.|Лодка опоздала, но мы успели.|Краска не сохнет, {n2:88-98} процентов влажности.] [Завтра проверю кабели.|Фото в папке.|Смотритель угостил ухой.] // Лев // (Summary for the file: [1~sensor mounted|batteries changed|boat late, work done|paint not dry].)
b: Lev, спасибо! [File updated.|Dry socks are in the second crate.|Say thank you for the soup.|Come home on {day}.] // M.
---
@ arabic max:16
# مناقصة {site}
a: ميرا، صباح الخير // [1~وصلت وثائق المناقصة|طلبوا تمديد المهلة أسبوعين|العميل موافق على السعر|نحتاج إلى توقيعك على الصفحة {n:3-30}]. [سأتصل بهم اليوم.|الترجمة مرفقة.|] // عمر // (For everyone else: [1~documents are in|deadline moves two weeks|the client accepts|one signature needed].)
b: Shukran Omar! [1~I will read it tonight.|Two weeks help us, {reason}.|Excellent news. {Cake} for everyone.|Signed, page {n:3-30}.] // Mira
---
@ chinese max:14
# {site} 电路板测试结果
a: Mira,你好: // [1~第{n:2-9}批电路板测试完成|传感器温度漂移小于{n2:1-4}%|发现一个焊接问题|备件清单已更新]。[详细数据见附件。|明天继续。|一切正常。] // 小灯 // ([1~Batch tested|Drift measured|One solder fault|Spares list updated], details in the sheet.)
b: 谢谢小灯! [1~Good numbers. Can Tomasz see the raw data?|{n2:1-4} percent is better than I hoped.|Please hold back the faulty one for Saoirse.|Thank you, I will tell {supplier}.] // Mira
---
@ hindi max:14
# डिज़ाइन समीक्षा: {version}
a: प्रिय मीरा, // [नए कवर के चित्र संलग्न हैं।|रंग का नमूना तैयार है।|बटन अब बड़ा है।|परीक्षण में {n:5-12} लोगों ने भाग लिया।] कृपया {day} तक अपनी राय दें। // प्रिया // (Drawings, colours and the bigger button are in the folder.)
b: Thank you Priya! [The big button wins.|I prefer the second colour.|{n2:3-5} of 5 wet thumbs approve.] धन्यवाद // Mira
`
