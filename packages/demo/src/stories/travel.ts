/** Two weeks in Japan, 2 to 16 May 2026, half holiday and half prisms. */
export const japan = `
== ai jp-plan 2025-12-28 20:40
Two weeks of lighthouses in Japan
>> user
Caspar and I want to go to Japan from 2 to 16 May. I need one working day at Hoshinoki Optical in Misakiura (they grind prisms for us). He draws maps, I like lighthouses, we both like trains and soup. Golden Week worries me. Sketch a plan.
>> assistant
A plan built around one fixed point, your day at Hoshinoki Optical, with Golden Week (29 April to about 6 May) kept away from the busy lines.

**2 to 5 May: Tokyo, slowly.** Most of the city has left for the country, so this is the best time to be in it. Stay near Ueno. For Caspar: the map room of the national library, closed on Sundays and holidays, so check the 4th and 5th.

**6 to 9 May: Misakiura.** Travel on the 6th, when the holiday traffic runs the other way. The inn by the harbour has eight rooms. Do the working day on Thursday the 7th. The first-order lens in the cape lighthouse is open to visitors in the afternoon.

**10 to 13 May: the islands.** A ferry from Misakiura twice a day, weather permitting. Keep one spare day, because the May swell cancels it about one day in six.

**14 to 16 May: back by the slow line.** Six changes, four kinds of soup.

Rough cost for two without flights: 2,300 to 2,700 euros. Book the inn first, it is the only scarce thing.
>> user
What if the ferry is cancelled on the 10th?
>> assistant
Then take the coast bus to Torinosaki instead. It leaves from the harbour at 9:40, takes two hours and ten minutes, and the cape there has the only octagonal lighthouse in the prefecture. You lose the island, keep the sea, and can try the ferry again on the 11th or 12th. Buy the ferry ticket on the day; advance tickets are refunded only in part.
== mail jp-flight 2026-01-09 21:55 personal airline>mira label:travel
Your booking QX7LHT is confirmed
Dear Mira Tallow,

Thank you for flying with Albatross Air. Booking code QX7LHT, two passengers: Tallow/Mira, Windle/Caspar.

Out: Saturday 2 May 2026, AA 611, Hamburg 11:20 to Tokyo Haneda 06:50 (+1).
Back: Saturday 16 May 2026, AA 612, Tokyo Haneda 10:05 to Hamburg 17:45.

Total paid: EUR 2,372.80 (EUR 1,186.40 per person). One checked bag each.

Albatross Air. Long wings, soft landings.
@@ eticket-QX7LHT.pdf | application/pdf | E-ticket QX7LHT. Tallow/Mira seat 31A, Windle/Caspar seat 31B. Total EUR 2,372.80.
== order jp-flight-order 2026-01-09 21:52 delivered travel
Albatross Air
2 x 1186.40 Return flight Hamburg to Tokyo, 2 to 16 May 2026
== mail jp-inn 2026-01-12 04:30 personal inn>mira label:travel
ご予約ありがとうございます / Your reservation 6–10 May
タロウ・ミラ様

このたびは岬浦旅館をご予約いただき、誠にありがとうございます。五月六日から四泊、二名様、海側の「灯台の間」をご用意いたします。夕食は十八時半からでございます。お一人様一泊二食付き一万四千円です。

猫が一匹おります。名前は「ランプ」です。

Dear Ms Tallow, four nights from 6 May, two persons, the Lighthouse Room on the sea side. Dinner is at 18:30. There is one cat. Her name is Lamp.

岬浦旅館
== mail jp-yuki 2026-02-19 02:15 work yuki>mira label:hoshinoki
五月七日のご来訪について
ミラ様

お世話になっております。星乃木光学の星沢です。五月七日(木)のご来訪、社員一同楽しみにしております。午前十時に岬浦駅までお迎えに上がります。リソス岬のプリズム三枚は、その日に最終研磨をご覧いただける予定です。

お昼は鯵の干物でよろしいでしょうか。

星沢ゆき
== mail jp-yuki-re 2026-02-19 09:40 work mira>yuki re:jp-yuki cc:anneke
星沢さん、ありがとうございます!七日の十時、岬浦駅ですね。鯵の干物、大好きです。

(My teacher checked one comma, the rest is mine. In case it is not clear: yes, ten o'clock at the station, and yes please to the fish.)

Mira
== mail jp-yuki-re2 2026-02-20 01:05 work yuki>mira re:jp-yuki cc:anneke
完璧な日本語です。鯵もきっと喜びます。

星沢
== event jp-flight-out 2026-05-02 11:20 690 with:caspar
Flight AA 611 Hamburg to Haneda | Hamburg Airport
Booking QX7LHT, seats 31A and 31B. Anneke has the cat.
== event jp-hoshinoki 2026-05-07 03:00 420 with:yuki
Day at Hoshinoki Optical (10:00 in Japan) | Misakiura, 星乃木光学
Final polish of the three Cape Lissos prisms. Bring the chip drawings of prisms 9, 14 and 21.
== mail jp-ferry 2026-05-09 23:50 personal inn>mira
船の欠航のお知らせ / No ferry on 10 May
タロウ様

明日五月十日の島行きの船は、波が高いため欠航となりました。鳥ノ崎行きのバスは九時四十分に港から出ます。おにぎりを二つずつ包んでおきますので、お持ちください。

The ferry of 10 May is cancelled because of high waves. The bus to Torinosaki leaves the harbour at 9:40. We will pack two rice balls for each of you.

岬浦旅館
== chat jp-c1 2026-05-10 08:30 random mira
Ferry cancelled, so we took the 9:40 bus to Torinosaki. The octagonal lighthouse is real, it is painted like a barber's pole, and the keeper let Caspar correct his map. 🗾🚌
== chat jp-c2 2026-05-10 08:44 random lin re:jp-c1
八角灯塔!一定要拍照给我看。Photos or it did not happen.
== chat jp-c3 2026-05-11 07:10 optics mira
Yuki-san's verdict on our prisms: 9 and 21 perfect, 14 has a bubble she refuses to sell us. She will regrind it for free and send it with the others on 29 May.
== chat jp-c4 2026-05-11 07:41 optics anneke re:jp-c3
A supplier who refuses to sell you something. Marry her.
== note jp-journal 2026-05-17 19:00 Journal key:Journal/2026/Mai:_日本_100% tags:journal,travel
Mai: 日本 100%
What I want to keep:

1. The keeper at Torinosaki, Mr Umineko, who has polished the same brass rail for 38 years and asked whether German brass is "more stubborn".
2. Lamp, the cat of the inn, who slept on Caspar's map of her own roof.
3. Yuki holding prism 14 to the window until I saw the bubble too. 「気泡はうそをつきません」 — bubbles do not lie.
4. Soup count: 23. Best: the clam one on the slow line, at a station with no exit.
5. We spent 2,514 euros on the ground, inside the estimate for once.
== fact
Q: What is the booking code of the Japan flights and what did they cost?
A: QX7LHT, 2,372.80 euros for two.
K: QX7LHT; 2,372.80
W: mail:jp-flight
== fact
Q: Why did they not take the ferry on 10 May, and what did they do instead?
A: It was cancelled for high waves; they took the 9:40 bus to Torinosaki.
K: cancelled; Torinosaki; 9:40
W: mail:jp-ferry, chat:jp-c1
== fact
Q: Which prism did Yuki Hoshizawa refuse to sell, and why?
A: Prism 14, because it has a bubble; she regrinds it for free.
K: 14; bubble; free
W: chat:jp-c3
== fact
Q: What is the name of the cat at the Misakiura inn?
A: Lamp (ランプ).
K: Lamp; ランプ
W: mail:jp-inn
== fact
Q: How much did the couple spend on the ground in Japan?
A: 2,514 euros, within the estimate of 2,300 to 2,700.
K: 2,514; 2,300 to 2,700
W: note:jp-journal, ai:jp-plan/1
== fact
Q: Which room did the inn reserve, and from when?
A: The Lighthouse Room on the sea side, four nights from 6 May.
K: Lighthouse Room; four nights; 6 May
W: mail:jp-inn
`

/** The Japanese evening course that led up to the trip. */
export const japaneseCourse = `
== mail vhs-confirm 2025-11-04 12:10 personal keiko>mira label:course
Anmeldung bestätigt: Japanisch A1, Kurs J-1107
Liebe Frau Tallow,

Sie sind dabei: Japanisch A1, Kurs J-1107, donnerstags 19:00 bis 20:30 Uhr, Raum 204, ab 13. November. Kursgebühr 168 Euro. Bitte bringen Sie ein Heft mit Kästchen mit.

よろしくお願いします。
Keiko Amanogawa-Petersen
== order vhs-fee 2025-11-05 19:12 delivered education
Volkshochschule Möwenhafen
1 x 168.00 Course fee J-1107, Japanese A1, winter term
== note vhs-words 2025-12-04 21:05 Languages tags:japanese
Japanese: words that stuck
- 灯台 (とうだい, tōdai) lighthouse. First word I asked for.
- 猫舌 (ねこじた, nekojita) "cat tongue", someone who cannot drink hot tea. That is Caspar.
- 木漏れ日 (こもれび, komorebi) light through leaves.
- 積ん読 (つんどく, tsundoku) buying books and not reading them. The whole book club.
- お疲れ様 (おつかれさま) said at the end of work; Keiko says it when we manage the particles.
== mail vhs-homework 2026-01-16 08:20 personal keiko>mira re:vhs-confirm
ミラさん、

宿題をありがとうございました。「私の猫は提督です」は文法的に正しいです。でも、本当ですか。

(Your sentence "my cat is an admiral" is grammatically correct. But is it true?)

天の川
== mail vhs-homework-re 2026-01-16 17:45 personal mira>keiko re:vhs-confirm
先生、本当です。アドミラル・クラムといいます。でも、船はまだありません。
== event vhs-test 2026-04-16 19:00 90 with:keiko
Japanese A1: final test | Volkshochschule, room 204
Listening, particles, one short composition.
== mail vhs-result 2026-04-21 09:00 personal keiko>mira re:vhs-confirm
ミラさん、おめでとうございます!Sie haben 87 von 100 Punkten, die zweitbeste Arbeit im Kurs. Ihr Aufsatz über den Leuchtturm hatte nur einen Fehler: は statt が, wie immer.

良い旅を!
== fact
Q: What score did Mira get in the Japanese test?
A: 87 of 100 points, second best in the course.
K: 87; 100
W: mail:vhs-result
== fact
Q: When and where does the Japanese course take place?
A: Thursdays 19:00 to 20:30 in room 204, course J-1107.
K: donnerstags; 204; J-1107
W: mail:vhs-confirm
== fact
Q: What did the Japanese course cost?
A: 168 euros.
K: 168
W: mail:vhs-confirm, order:vhs-fee
`
