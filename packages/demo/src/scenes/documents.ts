/**
 * Lines of the documents attached to mails, by the beginning of the mail's subject. Slots filled in the mail keep their
 * words, so that an invoice has the number and the sum that the mail mentions.
 */
export const documents: [subject: string, lines: string][] = [
  [
    'Invoice ',
    'Fathom & Wick, Möwenhafen // Invoice {n:1180-1990} // For: {site} // Work: {part}, refitted and tested // Hours: {n7:4-38} // Ferry: included // Total: {eur:400-9000} euros // Payable within 30 days. Please give the invoice number {n:1180-1990}.',
  ],
  [
    '{Part} at',
    'Inspection note // Site: {site} // Part: {part} // Found by: {a} // Height above the gallery: {n7:1-9} m // Photographs: {n8:2-6} // Not touched since.',
  ],
  [
    'Quote request',
    'Request for a price // Site: {site} // Part: {part} // Asked by: {a} // Tower height: {n7:14-42} m // Access: {n8:60-190} steps, no crane // Please state the price without VAT.',
  ],
  [
    'Wickwatch at',
    'Unit: WW-{n:1004-1398} // Site: {site} // Version: {version} // Seen: {bug} // Restarts: {n7:0-4} // Battery: {n8:61-98} percent // Reported by: {a}',
  ],
  [
    'Visit to',
    'Visitors, {site} // Day: {day} // Announced by: {a} // Meeting point: the door of the tower // Helmets wanted: {n7:4-12} // On the gallery at once: no more than six',
  ],
  [
    '{supplier}',
    'Delivery note // From: {supplier} // Goods: {part} // Crates: {n7:1-4} // Weight: {n8:12-190} kg // This way up: yes // Contact: {a}',
  ],
  [
    'Sample ',
    'Data sheet, sample {n:11-96} // Part: {part} // Hardness: {n2:38-92} // Tested in salt fog: not yet // Sent by: {a}',
  ],
  [
    'Order for',
    'Order // Site: {site} // Part: {part} // Pieces: {n7:2-24} // Delivery: to the harbour, not to the tower // Ordered by: Fathom & Wick',
  ],
  ['{Task} for', '{Task}, {site} // {n7:2-30} pages, draft // Concerns: {part} // See: {doc} // Written by: {a}'],
  [
    'Travel to',
    'Booking // To: {site} // For: {n4:2-4} travellers, Fathom & Wick // Boots: required // Booked by: {a} // Change or cancel: by telephone, before the tide',
  ],
  ['Minutes', 'Minutes of {meeting} // Site: {site}: {part} done, {task} open // Next: {room} // Written by: {a}'],
  [
    'Question about',
    'Excerpt of {doc} // Part: {part} // Site: {site} // The old photograph shows the other way round.',
  ],
  [
    'Holiday',
    'Hand-over list // Away: {a} // Open: {task} // Waiting: one signature for {supplier} // In an emergency: {c}',
  ],
  [
    'Test report',
    'Test report {version} // Passed: {n:3-40} // Open: {n2:1-4} // Units: {n3:3-9} // Hours: {n4:24-180} // Worst: {bug} // Tested by: {a}',
  ],
  ['Tender ', 'Tender // Site: {site} // Part: {part} // Decision by: {day} // Annex: {doc} // Prepared by: {a}'],
  [
    'Angebot ',
    'Fathom & Wick, Möwenhafen // Angebot {n:1180-1990} // Für: {site} // Leistung: Instandsetzung der Laterne // Gerüst: enthalten // Gültig bis zum ersten Frost',
  ],
  [
    'Leuchtturm ',
    'Denkmalpflege, Terminblatt // Leuchtturm {site} // Am {n:2-28}. um {n2:9-15} Uhr // Bitte die alten Zeichnungen bereithalten // Ansprechpartner: {a}',
  ],
  ['Phare de', 'Phare de {site} // Compte rendu de chantier // Verre: posé // Peinture: en cours // Rédigé par: {a}'],
  ['Faro de', 'Faro de {site} // Consulta // Linterna: revisión anual // Barco: incluido // Escribe: {a}'],
  ['プリズム', 'プリズム{n:3-24}番 検査票 // 担当: 星沢ゆき // 研磨: 完了 // Hoshinoki Optical'],
  ['Φάρος', 'Φάρος {site} // Έκθεση εβδομάδας // Φως: λειτουργεί // Υπογραφή: Ελένη Θαλασσόπετρα'],
  ['{site}: отчёт', '{site} // Отчёт с объекта // Датчик: проверен // Кабели: завтра // Лев Самоварин'],
  ['مناقصة', 'مناقصة {site} // وثائق المناقصة // أعدها: عمر الفانوس'],
  ['{site} 电路板', '{site} 电路板测试 // 结果: 正常 // 测试人: 林小灯'],
  ['डिज़ाइन', 'डिज़ाइन समीक्षा: {version} // चित्र: {n7:2-9} // प्रिया लालटेनवाला'],
  [
    '[1~Your statement',
    'Sparhafen Bank // Statement // Account of: Mira Tallow // Old balance: {eur:900-4000} euros // New balance: {eur2:900-4000} euros',
  ],
  ['[1~Library', 'Stadtbücherei Möwenhafen // Library card of: Mira Tallow // Items at home: {n7:1-4} // Fees: none'],
  [
    '[Ihr Termin',
    'Zahnarztpraxis Dr. Beisswenger-Bloom // Terminzettel für Mira Tallow // Bitte zehn Minuten früher kommen',
  ],
  [
    '[Recipe?',
    'Recipe // {Dish} // Serves: {n7:2-6} // Time: {n8:20-90} minutes // Salt: less than you think // From: {a}',
  ],
]

/** For all other mails: a page that only names its mail. */
export const ANY_DOCUMENT = 'Enclosure: {subject} // From: {a} // Page 1 of {n7:1-4}'
