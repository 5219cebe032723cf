import { expect, it } from 'vitest'
import { memoryInput } from './memory-input.fixture.ts'
import { decodeText, detectEncoding, encodingOf, looksLikeText } from './text-encoding.ts'

it('tells encodings by their mark, their zeros and their bytes', () => {
  expect(detectEncoding(Buffer.from('größe'))).toBe('utf-8')
  expect(detectEncoding(Buffer.from('größe'.repeat(9)).subarray(0, 4))).toBe('utf-8')
  expect(detectEncoding(Buffer.from('gr\u00f6\u00dfe', 'latin1'))).toBe('windows-1252')
  expect(detectEncoding(Buffer.from('\ufeffa', 'utf16le'))).toBe('utf-16le')
  expect(detectEncoding(Buffer.from('id,name\n1,x', 'utf16le'))).toBe('utf-16le')
})

/** The encoding, the bytes in base64, and their text. */
const SAMPLES: [string, string, string][] = [
  [
    'windows-1251',
    'aWQs6Oz/CjEsz/Do4uXyIOjnIMzu8eri+woyLNHv4PHo4e4g5+Ag7+7q8+/q8wozLMfg6uDnIOTu8fLg4uvl7SDi7uLw5ez/Cg==',
    'id,имя\n1,Привет из Москвы\n2,Спасибо за покупку\n3,Заказ доставлен вовремя\n',
  ],
  [
    'koi8-r',
    'aWQsyc3RCjEs8NLJ18XUIMnaIO3P08vX2QoyLPPQwdPJws8g2sEg0M/L1dDL1QozLPrBy8HaIMTP09TB18zFziDXz9fSxc3RCg==',
    'id,имя\n1,Привет из Москвы\n2,Спасибо за покупку\n3,Заказ доставлен вовремя\n',
  ],
  [
    'shift_jis',
    'aWQslryRTwoxLJOMi56Tc4LMk1aLQwoyLIKgguiCqoLGgqSCsoK0gqKC3IK3CjMsko2VtoKqk82Cq4LcgrWCvQo=',
    'id,名前\n1,東京都の天気\n2,ありがとうございます\n3,注文が届きました\n',
  ],
  [
    'euc-jp',
    'aWQszL7BsAoxLMXstf7F1KTOxbe1pAoyLKSipOqkrKTIpKaktKS2pKSk3qS5CjMsw+3KuKSsxs+kraTepLekvwo=',
    'id,名前\n1,東京都の天気\n2,ありがとうございます\n3,注文が届きました\n',
  ],
  [
    'gb18030',
    'aWQsw/vX1goxLLGxvqm1xMzsxvi63LrDCjIs0LvQu8T6tcS5usLyCjMstqm1pdLRvq3LzbTvCg==',
    'id,名字\n1,北京的天气很好\n2,谢谢您的购买\n3,订单已经送达\n',
  ],
  [
    'big5',
    'aWQsplemcgoxLKV4pV+quqTRrvCr3KZuCjIswcLBwrF6qrrByrZSCjMsrXGz5qR3uGewZblGCg==',
    'id,名字\n1,台北的天氣很好\n2,謝謝您的購買\n3,訂單已經送達\n',
  ],
  [
    'euc-kr',
    'aWQswMy4pwoxLLytv+/AxyCzr76+CjIssKi758fVtM+02QozLMHWua7AzCC1tcL4x9+9wLTPtNkK',
    'id,이름\n1,서울의 날씨\n2,감사합니다\n3,주문이 도착했습니다\n',
  ],
  [
    'windows-1250',
    'aWQsbmF6d2EKMSxaYb/zs+YgZ+qcbLkgamGf8QoyLER6aeprdWrqIHphIHphbfN3aWVuaWUKMyyj82SfIGplc3QgcGnqa25hCg==',
    'id,nazwa\n1,Zażółć gęślą jaźń\n2,Dziękuję za zamówienie\n3,Łódź jest piękna\n',
  ],
  [
    'iso-8859-7',
    'aWQs/O3v7OEKMSzK4evn7N3x4SDh8Pwg9OftIMHo3u3hCjIsxfX34fHp8/T+IPDv6/0g4+nhIPTn7SDw4fHh4+Pl69/hCg==',
    'id,όνομα\n1,Καλημέρα από την Αθήνα\n2,Ευχαριστώ πολύ για την παραγγελία\n',
  ],
]

it.each(SAMPLES)('reads %s', async (encoding, base64, text) => {
  const input = memoryInput('names.csv', Buffer.from(base64, 'base64'))
  expect(await encodingOf(input)).toBe(encoding)
  let read = ''
  for await (const piece of decodeText(input, encoding)) read += piece
  expect(read).toBe(text)
})

it.each(['größe', 'Señor Peña', 'Élève à l’école', 'Zoë, José'])('reads %s as windows-1252', (text) => {
  const bytes = Buffer.from(text.replace('’', '\u0092'), 'latin1')
  expect(detectEncoding(Buffer.concat([Buffer.from('id,name\n1,'), bytes]))).toBe('windows-1252')
})

it('never guesses when the text is UTF-8', () => {
  expect(detectEncoding(Buffer.from('id,имя\n1,Привет из Москвы\n'))).toBe('utf-8')
  expect(detectEncoding(Buffer.from('id,名前\n1,東京都の天気\n'))).toBe('utf-8')
})

it('tells text from pictures', () => {
  expect(looksLikeText(Buffer.from('a,b\n1,2'))).toBe(true)
  expect(looksLikeText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 1, 2, 3, 4]))).toBe(false)
})

it('looks for the first letter that tells, however late it comes', async () => {
  const plain = 'id,name\n'.repeat(200_000)
  const late = (encoding: BufferEncoding) =>
    memoryInput('names.csv', Buffer.concat([Buffer.from(plain), Buffer.from('gr\u00f6\u00dfe', encoding)]), 65_536)
  expect(await encodingOf(late('latin1'))).toBe('windows-1252')
  expect(await encodingOf(late('utf8'))).toBe('utf-8')
  expect(await encodingOf(memoryInput('names.csv', plain, 65_536))).toBe('utf-8')
})
