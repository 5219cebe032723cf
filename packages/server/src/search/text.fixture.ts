import fc from 'fast-check'

const PIECES = [
  ...[
    'gull-3',
    'v2.1',
    '3f2a91c0-4711-4abc-9def-0123456789ab',
    '31-8f14e45fceea',
    '?page=31',
    'anna@example.com',
    'https://a.example/b?c=d',
    '1,234.56',
    'Straße',
    'ΟΔΟΣ',
    'é',
    'e\u0301',
    'İ',
  ],
  ...[
    '東京タワー',
    '猫',
    'ﾊﾞﾅﾅ',
    'สวัสดีครับ',
    'والكتاب',
    '한국어',
    'हिन्दी',
    '½',
    'ﷺ',
    '👨‍👩‍👧',
    '🇩🇪',
    '❤️',
    '1️⃣',
    'Ⅷ',
    '𝔘𝔫𝔦',
  ],
  ...[
    '<mark>',
    '</mark>',
    '<MARK >',
    '"',
    '*',
    '-',
    ':',
    '(',
    ')',
    '{c0}',
    'NEAR',
    'AND',
    'OR',
    'NOT',
    '\0',
    '\r\n',
    '\ud800',
  ],
  ...['the', 'harbour', 'ferry', 'lighthouse', 'Lighthouses', 'meeting', ' ', ' ', ' ', '\n'],
]

/** Difficult texts: scripts, operators, marks and broken surrogates, mixed with words that searches look for. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 30 })
  .chain((parts) => fc.constantFrom(' ', '', '-', '"').map((joint) => parts.join(joint)))
