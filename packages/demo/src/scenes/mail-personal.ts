/** Private mail. "@" says who may start the scene; Mira answers as `b`. */
export const mailPersonal = `
@ hazel after:2026-04-01
# [Sunday|Quick one|News from the nursery|Mum|{Weekend}]
a: [Hello you,|M.,|Dear aunt,] // [Juniper|The small one] {kidthing}. [I have a witness.|Nobody warned me.|I filmed it, of course with my thumb over the lens.] Otherwise {weather}, and in town {gossip}. // [Are you coming {weekend}?|Call me when the kettle is on.|Dad asks for you.] // H.
b: [Ha!|Oh I miss you all.|Tell her I am proud.] [Here {weather2}.|Here: {dish} again, Caspar is in a phase.|I {mistake}, so we are even.] [I will call on Sunday.|I can come {weekend}, if the ferry goes.|Kiss her feet.] // M.
a?: [Ferry goes. Bring {thing}.|Feet kissed. She kicked.|Sunday then, after the nap, which is at a secret time.]
---
@ rufus
# [Sky report|Clear night|A question from your father|The shed]
a: Dearest Mira, // [clear until two, saw {n:3-9} moons of something|clouds, so I did {hobby} instead|{bird} sat on the telescope|your mother has started {hobby}]. [2~The neighbours are well: {gossip}.|I fixed {thing}, it is nearly the same shape.|How does one make the letters bigger on this machine?] // Your old Dad
b: Dear Dad, // [2~I miss that street.|Is it still {thing}, or is it now something else?|Ctrl and plus.] [Work is busy but kind.|Caspar says hello and asks for the star chart.|We had {dish} and thought of you.] // Love, M.
a?: [2~The street misses you. It said so through your mother.|It is something else now, but proud.|It is enormous now. Thank you.]
---
@ agnes
# [Telephone|{Fest}|Your cousin|Recipe]
a: Dear Mira, // [I tried to ring but you were out|Hazel typed this for me|the recipe you wanted]: {dish}. [A pinch more salt than you think.|Your grandmother used dripping, but I say nothing.|Forty minutes, and do not open the door.] We went to {fest}, {weather}, and {gossip}. // Mum
b: Dear Mum, // [made it tonight, Caspar had three helpings|I will ring on Sunday|the door stayed closed]. [Was it you who hid the good jug, or Dad?|Tell {shop} hello from me.|Do you still have {thing}?] // M.
---
@ caspar
# [Tonight|Shopping|{Thing}|Saturday]
a: [Love,|You,|M.,] // I am at {shop}. [1~They have no {veg}, but a very good cheese.|Do we need {thing}?|I bought {thing}, do not be cross.] [2~Dinner: {dish}?|The plumber comes at {clock}.|The Admiral has been fed, whatever he tells you.] // C.
b: [1~Cheese yes.|No, we have two, one is behind the maps.|Not cross. Slightly cross. What does it cost?] [2~{Dish}, please, and bring lemons.|I am home before {clock} and will hide the accordion from him.|He told me he has not eaten since 2019.] // M.
---
@ chloe max:16
# [Des nouvelles|Petit mot de Bretagne|Le vent|Ton dernier livre]
a: Ma chère Mira, // [1~ici le vent a emporté la moitié de mes draps|j'ai repeint la cuisine en jaune, regret immédiat|le chat des voisins a élu domicile chez moi|j'ai lu ton livre en deux nuits]. [2~Quand viens-tu ?|Comment va l'Amiral ?|J'ai appris à faire des crêpes sans insulter personne.] // Je t'embrasse, // Chloé
b: Ma Chloé, // [1~garde un drap pour moi|le jaune, c'est courageux|ce chat a du goût, adopte-le|je savais que la fin te fâcherait]. [2~Je viens bientôt, promis.|L'Amiral va bien, il te salue de la patte.|Des crêpes sans insultes, quel progrès !] [Ici il pleut en allemand, longuement.|Caspar apprend le mot « bof ».|Ici, tout sent la soupe et la laine.] // Mira
a?: [2~Je note : bientôt. C'est écrit, donc c'est vrai.|Salue-le de ma part, sans familiarité.|J'ai insulté la poêle, une seule fois. Bises à vous trois.]
---
@ beatriz max:9
# [Cosas|¿Cómo estás?|Desde Cádiz|Percebes]
a: ¡Mira! // [hoy he contado {n:300-900} percebes y solo uno me ha mirado mal|mi madre ha aprendido a mandar audios de {n2:4-19} minutos|Niran cocina y yo limpio, así es el amor|el levante no para desde el lunes]. [¿Y tú? ¿Sigues con el acordeón?|Cuéntame de la casa.|Te echo de menos.] // Bea
b: Bea querida, // [sigo con el acordeón, los vecinos también|la casa está llena de libros y de luz|aquí no hay levante, pero hay gaviotas con opiniones]. [Un beso a Niran.|Dile a tu madre que sí a todo.] // Mira
---
@ niran max:8
# [ข่าวจากสะพาน|สวัสดีครับ|A bridge question]
a: สวัสดีครับมิรา // [1~สะพานใหม่เสร็จแล้ว {n:2-5} เดือนก่อนกำหนด|บีอาทริซสบายดี เธอฝากความคิดถึง|ผมลองทำซุปของคุณแล้ว อร่อยมาก] // ([1~The bridge is open, {n:2-5} months early.|Bea sends a hug.|Your soup was a success.]) // นิรันดร์
b: Niran, ขอบคุณค่ะ! [1~Send a picture of the bridge with something for scale, for example Bea.|Hug her back, and tell her {gossip}.|The secret of the soup is to leave it alone. Next: {dish}.] // Mira
---
@ ute max:12
# [The Damp Pages: next time|Which edition?|Wine, chairs, crisps]
a: Dear Damp Ones, // next meeting [as planned|one day later, {reason}|at my place]. [I am on page {n:40-280} and already angry.|Percival, please do not read the last line aloud again.|Somebody left {thing} here last time.] Bring [wine|crisps|your own chair|an open mind]. // Ute
b: I am on page {n2:12-200} [and enjoying it, sorry|and lost|and in love with the dog]. I bring {cake}. // Mira
a?: The dog [has a hard second half|is the best character|dies, no, I am joking].
---
@ percival max:12
# [On prologues|A brief remark|Page {n:9-320}]
a: Dear Mira, // [a brief remark, since we were interrupted by the cheese|I could not sleep and so I counted the commas|forgive the length]: the author of our book uses "suddenly" {n2:12-60} times. [Nothing is sudden the {n2:12-60}th time.|I have made a table.|I say this with affection.] // P. Inkwright
b: Dear Percival, // [please bring the table.|Suddenly, I agree.|I had not noticed and now I can notice nothing else.] // Mira
---
@ gudrun after:2026-04-10
# [Gemeinschaftsarbeit|Wasser|Kompost|Rundbrief Abendbrise]
a: Liebe Gartenfreunde, // [1~Gemeinschaftsarbeit am Samstag um {n:8-10} Uhr, bitte Harke mitbringen|das Wasser wird am {n2:2-28}. abgestellt|im Kompost wurde ein Besteckkasten gefunden|das Sommerfest braucht noch {n3:3-9} Kuchen]. [1~Wer fehlt, zahlt {n4:10-25} Euro in die Kasse.|Bitte vorher gießen.|Der Besitzer melde sich diskret.|Ich habe eine Liste.] // Gudrun Blattlaus
b?: Liebe Frau Blattlaus, // [1~ich komme mit zwei Harken|danke, wir füllen die Tonne|der Besteckkasten ist nicht unserer, aber wir haben einen Verdacht|ich bringe Pflaumenkuchen]. // Mira Tallow, Parzelle 31
---
@ nebelhorn after:2026-03-20
# [Treppenhaus|Heizungsablesung|Der Keller|Post für Sie]
a: Liebe Frau Tallow, // [1~am {n:3-28}. wird die Heizung abgelesen, zwischen 8 und 12 Uhr|im Treppenhaus steht seit Tagen {n2:1-3} Paar Gummistiefel, wissen Sie etwas?|ich habe ein Paket für Sie angenommen, es tickt nicht|der Keller wird am {n:3-28}. gestrichen]. // O. Nebelhorn
b: Liebe Frau Nebelhorn, // [1~wir sind zu Hause|die Stiefel sind Caspars, er schämt sich|danke, ich hole es heute Abend|wir räumen den Keller vorher frei]. // Mira Tallow
---
@ friend
# [Long time|{Fest}?|Are you in {town}?|{Thing}]
a: Hi Mira, // [1~I am in {town} {weekend}, are you around?|do you still have {thing}?|would you come to {fest} with me?|I saw {bird} and thought of you.] [Too long since we talked.|You will not believe it: {gossip}.|Also: {gossip}.] // {a}
b: {a}! // [1~Yes, come by, there is {dish}.|I do, and it has missed you.|With pleasure, if Caspar may come too.|What a lovely surprise.] [I am {feeling} these days.|Work is mostly stairs.|Caspar sends greetings from under a map.] // Mira
a?: [1~Perfect. I bring {cake}.|I will pick it up {weekend}, with {cake}.|Caspar is the best part.|Write soon, I like your letters {mood}]
---
@ friend
# [Favour|A small favour|Could you look at this?]
a: Dear Mira, // [1~could you read my letter to the housing office?|would you feed the fish {weekend}?|can I borrow {thing}?|do you know somebody who repairs clocks?] [1~It is only two pages.|There are {n:2-7} fish, one is called Steve.|I will bring it back this time.|It was my grandfather's and has stopped at {n2:2-11}:{n3:10-50}.] // {a}
b: Of course. [1~Send the letter.|Steve and I will get on.|It is yours until you move house.|Try the man behind {shop}, knock twice.] // M.
a: [1~Letter attached. Be merciless.|Thank you!! Keys are under the third pot.|You are kind. {Proverb}, as my aunt says.|He fixed it, and told me his life.]
---
@ friend
# [1~Tickets for {artist}|Cinema on {day}?|{artist} at {fest}]
a: [1~Two tickets for {artist} on {day}, {eur:12-48} euros each, interested?|"{film}" is on at the old cinema on {day}. Coming?|They play {artist} at {fest}, finally.] [I can pick you up.|Row {n:3-14}, not behind the pillar.|] // {a}
b: [Yes! Count me in.|I have accordion on Tuesdays, any other day yes.|Caspar too, if there is one more.|With you, anything.] // Mira
a?: [Settled, {clock} at the door.|Good, I need somebody who laughs at the right moment.|I will bring {cake} in my pockets.]
---
@ friend
# [1~We moved|New job|I did it|Baby news]
a: Mira, // [1~we have moved to {town}|I have a new job, with a desk and a window|I finally passed the exam|we are expecting, a little one]! I am {feeling}. [Come and see.|You are the third to know.|Details when we meet, they are long.] // {a}
b: [Oh that is wonderful news.|I shouted so loudly that the cat left.|Congratulations!!] [You have earned it.|Third is an honour.|We must celebrate with {cake}.] // M. {mood}
---
@ dentist max:6
# [Ihr Termin am {n:2-28}.|Terminerinnerung]
a: [Sehr geehrte Frau Tallow,|Guten Tag,] // wir erinnern Sie an Ihren Termin am {n:2-28}. um {n2:8-17}:{n3:10-50} Uhr. [Bitte bringen Sie Ihre Karte mit.|Absagen bitte bis zum Vortag.|Bitte nüchtern erscheinen, im medizinischen Sinne.] // {a}
---
@ library max:14
# [1~Library: {n:1-4} items due|Library: your reservation|Overdue, gently]
a: Dear reader, // [1~{n:1-4} items are due on the {n2:4-20}th|the book you reserved is waiting for you|"{film}" (DVD) is overdue by {n3:2-12} days, which is {n3:2-12} times ten cents]. [We close at six.|The book drop is open at night.|The cat on the steps is not ours.] // {a}
---
@ bank max:24
# [1~Your statement for the month|Your electricity|Water meter reading]
a: Dear Ms Tallow, // [1~your statement is ready: {n:14-61} transactions, closing balance {eur:900-5200} euros|your electricity use was {n2:120-260} kWh, {n3:2-18} percent less than last year|please read your water meter by the {n4:5-20}th]. [You need not do anything.|Log in to see the details.|Thank you for your trust.] // {a}
---
@ townhall max:16
# [1~Sperrung der Hafenstraße|Sperrmüll|Wochenmarkt zieht um|Fähre: neuer Fahrplan]
a: Guten Tag, // [1~die Hafenstraße ist vom {n:2-14}. bis {n2:15-28}. gesperrt|Sperrmüll wird am {n:2-14}. abgeholt|der Wochenmarkt zieht für zwei Wochen auf den Kirchplatz|die Fähre fährt ab dem {n:2-14}. nach neuem Fahrplan]. [Wir bitten um Verständnis.|Möwen bitte nicht füttern.|Auskunft erteilt das Bürgerbüro.] // {a}
`
export const senders = {
  friend: [
    'Wilhelmina Toadflax',
    'Bartholomew Crisp',
    'Ines Wolkenbruch',
    'Tobias Mäuseklavier',
    'Giulia Fiordinebbia',
    'Matthis Sonntagskind',
    'Roisin Puddifoot',
    'Leopold Zwieback',
    'Amara Sunweaver',
    'Kasimir Apfelkern',
    'Sigrid Regnbåge',
    'Teodor Hummelflug',
    'Nadia Moonquist',
    'Florian Federleicht',
  ],
  supplierperson: [
    'Hedda Schraubstock',
    'Emil Kupferkessel',
    'Florence Burnishaw',
    'Sven Tampen',
    'Mabel Puttyworth',
    'Gero Lackmus',
    'Quentin Blyth-Bellows',
    'Rosalind Ohmstede',
  ],
}
