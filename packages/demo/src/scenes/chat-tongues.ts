/** The same workshop in other languages. */
export const chatTongues = `
@ general workshop lunch by:imke,bastian to:bastian,imke,jonas
a: [Weiß jemand, wer|Wisst ihr zufällig, wer] den Schlüssel vom [Lager|Bulli|Kompressorraum|Farbenkeller] hat? [Er hängt nicht am Brett.|Ich stehe davor.|]
b: [Bastian, glaube ich.|Der steckt noch.|Seit {n:2-9} Tagen in meiner Jacke, Entschuldigung!|Am Brett, dritter Haken, hinter dem Kalender.]
a: [Gefunden, danke!|Natürlich steckt er noch.|Moin und danke {mood}]
---
@ general lunch by:imke
a: Moin! [Heute gibt es|Ich habe] [Grünkohl|Labskaus|Erbsensuppe|Franzbrötchen|Butterkuchen|Matjes] [in der Küche|mitgebracht|für alle]. [Wer zuerst kommt.|Vegetarisch ist der linke Topf.|Bitte Teller selber spülen.]
b: [Ich komme!|Linker Topf, verstanden.|Imke for president.|Was ist Labskaus, und warum schaut es mich an?]
c?: [Ist noch etwas da?|Das war's. Leer.|Beste Kollegin der Küste.]
---
@ workshop by:imke,bastian to:bastian,imke
a: [Die Lieferung von|Der Fahrer von] {supplier} [steht im Hof|kommt erst {day}|hat nur die halbe Ladung dabei]. [Kann jemand helfen?|Ich brauche zwei starke Leute.|Wer unterschreibt?]
b: [Bin unterwegs.|Mein Rücken sagt nein, meine Hand kann unterschreiben.|Komme, {n:2-6} Minuten.]
a?: [{n2:3-28} Kisten, alle heil.|Eine Kiste ist nass, ich habe Fotos.|Danke!]
---
@ ops-gull firmware by:lev to:tomasz,mira
a: [Коллеги,|Ребята,|Доброе утро!] На станции {site} [1~опять пропала связь|сел аккумулятор|зависла плата]. [Кто дежурит?|Я на берегу, могу съездить.|Погода ужасная.]
b: [I read enough of that to be worried. On it.|Сейчас посмотрю.|Lev, чай в термосе не забудь.]
a: [1~Связь есть. На антенне сидела чайка, {n:2-4} часа.|Заменил аккумулятор, {n2:12-13},{n3:1-9} вольта.|Перезагрузил плату, жду {n4:10-30} минут.]
---
@ random lunch by:lev max:12
a: [Кто-нибудь хочет|Кому дать|Кто будет] [варенье|сушёную рыбу|чай с дымком|пряники] из отпуска? [Лежит на кухне.|Берите, пока не съел сам.]
b: [Yes to whatever that is.|Я! Два!|Is it the smoky tea again? Then three cups.]
---
@ firmware optics by:lin to:mira,tomasz
a: [1~新的电路板到了|样品今天到|备用传感器到了],[一共{n:4-30}个|看起来不错|但是少了{n2:1-3}个]。[1~New boards are here.|Samples come today.|Spare sensors are here.]
b: [谢谢小灯!|Can we test them before {day}?|How many again?]
a: [可以,今天下午开始测试。|我数了两遍。Counted twice.|测试中,results at {clock}.]
---
@ lunch random by:lin
a: [今天谁想吃饺子?|我带了月饼。|冰箱里有绿豆汤。|下午茶时间到了!] [I made too many, as always.|Come before Bastian does.|]
b: [我!|Already standing in the kitchen.|太好吃了 {mood}|Bastian has arrived, hurry.]
---
@ general by:omar to:mira,jonas
a: [صباح الخير يا جماعة|السلام عليكم|مساء النور], [the tender for {site} is in.|{clientperson} says yes to {day}.|we are on the shortlist for {site}!|the ministry wants {n:2-5} more copies.]
b: [ممتاز! {mood}|Well done Omar.|Which form did they want this time?|شكراً يا عمر]
a?: [إن شاء الله we hear by {day2}.|The usual form, in triplicate.|خير إن شاء الله.]
---
@ wickwatch by:priya max:30
a: [नमस्ते सब,|सुप्रभात!] [1~नया डिज़ाइन तैयार है।|केस का नमूना आ गया है।|रंगों पर आपकी राय चाहिए।] [1~New drawings are up.|The sample case is on my desk.|Need opinions on {n:2-4} colours by {day}.]
b: [1~बहुत बढ़िया! The {part} finally fits.|It floats, I hope?|The left one. Always the left one.]
a?: [1~धन्यवाद {mood}|It floats. Tested {n2:2-9} times.|बाएँ वाला ही जीतेगा।]
---
@ cape-lissos by:omar,mira max:26
a: [Καλημέρα από το ακρωτήρι|Χαιρετίσματα από τον Λισσό]! [Eleni sends the morning picture: {weatherwork}.|Ο φαροφύλακας λέει ευχαριστώ.|The keeper says the light is "πολύ καλό".]
b: [Καλημέρα!|Tell him hello from the workshop.|I am learning that one word at a time.]
---
@ optics by:anneke,bastian to:mira
a: 星沢さんから:[「新しいプリズムの写真を送りました」|「来週、試作品を発送します」|「ガラスの温度に気をつけてください」|「研磨は順調です」]。[I think that means good news.|Mira, can you check my reading?|]
b: [そうです、いい知らせです。|Close! It is about {day}.|完璧。Your kana are improving.]
---
@ random lunch by:mira,anneke max:18
a: [Bonjour l'équipe !|Salut !|Coucou !] [1~Quelqu'un va au marché {weekend} ?|Qui a pris mon parapluie ?|Il reste du fromage dans le frigo, et il marche.|J'ai apporté {n:2-9} artichauts. Que fait-on d'un artichaut ?]
b: [1~Moi, pour le fromage.|Je plaide coupable. Il est au sec, lui.|I understood "fromage" and I agree.|On le mange feuille à feuille, avec patience. Comme un plan de {site}.]
---
@ random by:mira
a: ¿[Alguien quiere|Quién quiere|Os apetecen] [turrón|aceitunas|churros|naranjas] [de Cádiz|del viaje|de mi tía]? [Están en la cocina.|Quedan pocas.|]
b: [¡Yo!|¡Sí, por favor!|Claro que sí {mood}|Mira is teaching us well.]
---
@ random by:mira max:4
a: [สวัสดีครับทุกคน|ขอบคุณครับ] — Niran is [visiting the workshop today|dropping off mangoes|here to see the crane]. [He built a bridge bigger than our town.|Be nice to him.|]
b: [สวัสดี! (I practised.)|Mangoes!!|ยินดีต้อนรับครับ]
`
