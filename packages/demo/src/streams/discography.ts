import { type Random, random } from '../random.ts'

export interface Track {
  track: string
  artist: string
  album: string
  ms: number
}

/** artist | album | moods it suits | tracks */
const albums = `
The Foghorn Sisters | Harbour Hours | run home | Slow Boats Are Still Boats; Tin Whistle Weather; Leave the Lamp On; Gull Arithmetic; Nobody's Ferry; Eleven Bells
The Foghorn Sisters | Second Warning | run | Brass Lungs; Mind the Gap in the Fog; Keeper's Daughter; All Hands, No Gloves; Long Note
Orchestre du Vieux Bassin | Bal sur la Jetée | home work | Valse des Phares; Java du Brouillard; Polka des Mouettes; La Dernière Écluse; Un Parapluie pour Deux
Los Percebes Lentos | Marea Alta | home | Vals del Levante; Bajo la Lonja; Sal en el Café; El Faro No Contesta; Siesta de Erizo
Kettle & Moth | Small Hours, Large Cups | work | Steam; Draught Under the Door; The Quiet Spoon; Porch Light; Woollen; Half a Candle
Kettle & Moth | Moth & Kettle | work | Flicker; Dust on the Dial; Paper Lamp; Soft Boiled; Wing Study No. 4
Nachtfähre | Letzte Abfahrt 23:10 | work run | Ablegen; Positionslichter; Kaltes Geländer; Motorraum; Ankunft bei Nebel; Rückwärtsgang
Nachtfähre | Tiefgang | run | Schraube; Wasserlinie; Funkspruch; Kielwasser; Notausgang
Hoshi no Heya 星の部屋 | 灯台守の夜 | work home | 霧笛; 小さな岬; 猫とランプ; 十時の船; 波の数え方; おやすみ灯台
The Borrowed Cardigans | Library Voices | home work | Overdue; Reading Room Romance; Pencil Only; Index of Sighs; Shhh; The Dewey Blues
Tante Ilse Trio | Kaffee und Kontrabass | home | Butterkuchen; Ilse Macht Licht; Deckchen; Zweite Tasse; Fernweh im Treppenhaus
Ambrose Fennimore | Études for a Cold Piano | work | Étude in Frost; Étude for Left Mitten; Étude with Radiator; Étude, Unheated; Étude at Dawn
Solvei Rimfrost Ensemble | Winterbees | work | Cluster; Hum; Wax; The Queen Turns Over; First Warm Day
Marimba Weather Service | Outlook | run work | Scattered Showers; High Over Azores; Gale Warning; Good, Occasionally Poor; Rain Later
DJ Leuchtfeuer | Kennung | run | Blitz 5s; Gleichtakt; Sektor Rot; Umlaufend; Nachtpegel; Otter
Ελένη και τα Κύματα | Αλάτι | home | Καΐκι; Μελτέμι; Ο Φάρος; Μικρό Νησί; Καληνύχτα
عود القمر | ليل الميناء | home work | شراع; نجمة البحر; قنديل; موج هادئ
Хор Самовар | Чай до утра | home | Третья чашка; Снег на причале; Баранки; Песня смотрителя
Pudding Parliament | Order, Order | run | Point of Custard; The Right Honourable Trifle; Division Bell; Filibuster; Second Helping
Low Tide Library | Volumes | work | Marginalia; Foxing; Loose Leaf; Ex Libris; Spine; Colophon
Gertrude & the Gasworks | Pilot Light | run home | Blue Flame; Meter Reader; Pressure Drop; Leak; Warm Enough
The Parsnip Revival | Root Music | home | Under Frost; Long Row; Muddy Boots Waltz; Soup Stone; Allotment Girl
Captain Oat | Porridge at Sea | home run | Thick Weather; Stir; Galley Slave; Brown Sugar Moon; Spoon Song
Lumen Quartet | First Order | work | Focal Plane; Catadioptric; Bullseye; Occulting; Eclipse, Long
बारिश की चाय | खिड़की | home | पहली बूँद; अदरक; शाम की बत्ती; छतरी
แสงสุดท้าย | เรือกลับบ้าน | home work | ประภาคาร; ฝนเดือนห้า; คลื่นเล็ก; กลับบ้าน
Wendeltreppe | 31 Flights | run | Erste Stufe; Seitenstechen; Geländer; Oben; Aussicht
Die Möwen sind organisiert | Brötchen | run | Sturzflug; Fischwagen; Revier; Beute; Kein Mitleid
Madame Crépuscule | Bretagne Intérieure | home work | Marée Lente; Les Draps du Vent; Bof; Galette Triste; Phare à Louer
Otterly | River Manners | home | Slide; Holding Hands; Shell; Sleek; Bank Holiday
Copper Dome | Verdigris | work run | Patina; Lightning Rod; Seam; Gilded; Weather Vane
The Understudies | Break a Leg | run | Wings; Prompt; Second Cast; Exit, Bear; Encore Anyway
`

let collection: { track: Track; moods: string[] }[] | undefined

export const discography = (): { track: Track; moods: string[] }[] => {
  collection ??= read(random('music/lengths'))
  return collection
}

const read = (rng: Random) =>
  albums
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [artist, album, moods, tracks] = line.split(' | ')
      return tracks!.split('; ').map((track) => ({
        track: { track, artist: artist!, album: album!, ms: rng.int(96, 412) * 1000 + rng.int(0, 999) },
        moods: moods!.split(' '),
      }))
    })
