import type { Entry } from './entries.ts'
import { withoutMarks } from './stamp.ts'

/** A message after removing the texts that WhatsApp writes in place of media. */
export interface Body {
  readonly kind: 'text' | 'media' | 'location' | 'call' | 'poll' | 'system'
  readonly text?: string | undefined
  readonly file?: { readonly name?: string | undefined; readonly kind?: string | undefined } | undefined
  readonly isDeleted?: boolean
  readonly isEdited?: boolean
  readonly detail?: Readonly<Record<string, unknown>> | undefined
}

/** `<attached: 00000012-PHOTO-….jpg>` on iPhones, `IMG-….jpg (file attached)` on Android, in any language. */
const IN_BRACKETS = /<[^<>:：\n]{2,40}[:：]\s?([^<>\n/\\]{1,200}\.\w{1,8})>\s*$/u
const WITH_WORDS = /^([^\n/\\]{1,200}\.\w{1,8}) \([^()\n]{3,50}\)(?:\n|$)/u
const IN_ANGLES = /^<([^<>:\n]{3,60})>(?:\n|$)/u

const OMITTED =
  /media|médi|mídia|medien|medi[ae]?file|medya|медиа|медіа|メディア|多媒體|媒体|미디어|وسائط|मीडिया|מדיה|มีเดีย|multimed|vedlegg/iu
const EDITED =
  /[\s\u200e\u200f]*<[^<>\n]{0,40}(?:edited|bearbeitet|modifi|edit[aeéó]|bewerkt|изменено|відредагован|編集|수정|编辑|編輯|düzenlendi|upraven|edytowan)[^<>\n]{0,40}>$/iu
const DELETED = new RegExp(
  `^(?:${[
    'you deleted this message(?: as admin)?|this message was deleted(?: by admin .{1,90})?',
    '(?:du hast )?diese nachricht(?: wurde)? gelöscht',
    'ce message a été supprimé|vous avez supprimé ce message|message supprimé',
    '(?:se eliminó|eliminaste) este mensaje|este mensaje fue eliminado',
    'questo messaggio è stato eliminato|hai eliminato questo messaggio',
    '(?:esta )?mensagem (?:foi )?(?:apagada|eliminada|excluída)|(?:você )?(?:apagou|eliminou) esta mensagem',
    'dit bericht is verwijderd|(?:u|je) hebt dit bericht verwijderd',
    'данное сообщение удалено|вы удалили данное сообщение|это сообщение удалено|вы удалили это сообщение',
    '(?:це )?повідомлення (?:було )?видалено|ви видалили це повідомлення',
    'tato zpráva byla (?:odstraněna|smazána)|tuto zprávu jste (?:odstranil|smazal)\\/a',
    '(?:ta )?wiadomość została usunięta|usunięto tę wiadomość|usunąłeś tę wiadomość',
    'bu mesaj silindi|bu mesajı sildiniz',
    'pesan ini (?:telah )?dihapus|anda (?:telah )?menghapus pesan ini',
    'このメッセージは?を?削除(?:され|し)ました',
    '(?:메시지를 삭제했습니다|삭제된 메시지입니다|이 메시지는 삭제되었습니다)',
    '(?:此消息已删除|您删除了这条消息|你已刪除此訊息|此訊息已刪除|此訊息已被刪除)',
    'تم حذف هذه الرسالة|أنت حذفت هذه الرسالة|لقد حذَ?فت هذه الرسالة',
    'आपने यह मैसेज डिलीट किया|यह मैसेज डिलीट कर दिया गया है',
    'คุณได้ลบข้อความนี้|ข้อความนี้ถูกลบแล้ว',
    '(?:tin nhắn này đã bị x[oó][aá]|bạn đã x[oó][aá] tin nhắn này)',
    'detta meddelande (?:har )?raderats|du raderade detta meddelande',
    'denne meldingen ble slettet|du slettet denne meldingen|denne besked blev slettet|du slettede denne besked',
    'tämä viesti poistettiin|poistit tämän viestin',
  ].join('|')})[.。]?$`,
  'iu',
)
const MISSED_CALL =
  /^(?:missed |verpasster |llamada .{0,12}perdida|appel .{0,12}manqué|chiamata .{0,12}persa|chamada .{0,12}perdida|gemiste |пропущен|zmeškan)/iu
const CALL =
  /\bcall\b|anruf|\bappel\b|llamada|chiamata|chamada|oproep|звон|дзвін|hovor|通話|통화|通话|مكالمة(?! و)|कॉल(?!्)/iu
/** Max. characters of the words in place of a file: `contact card omitted`. */
const MAX_OWN_WORDS = 40
const PLACE = /https:\/\/(?:maps\.google\.com\/\?q=(-?[\d.]+),(-?[\d.]+)|maps\.apple\.com\/|foursquare\.com\/v\/)/u

/** `Umfrage:` and the question, then a marked line for each option. */
const POLL = /^[\u200e\u200f][^\n]{1,40}[:：][^\n]*\n.*\n[\u200e\u200f]/su

/** `omitted`: texts in angle brackets that occur so often in this file that WhatsApp must have written them. */
export function readBody(entry: Entry, omitted: ReadonlySet<string>): Body {
  const { body, author } = entry
  if (author === undefined) {
    const text = withoutMarks(body).trim()
    return { kind: MISSED_CALL.test(text) ? 'call' : 'system', text }
  }
  // iPhones mark the whole line of a changed message, as they do for media. So these words are removed first.
  const edited = EDITED.exec(body)
  if (!edited) return saidBody(entry, omitted)
  return { ...saidBody({ ...entry, body: body.slice(0, edited.index) }, omitted), isEdited: true }
}

function saidBody(entry: Entry, omitted: ReadonlySet<string>): Body {
  const { body } = entry
  const text = withoutMarks(body).trim()
  const attached = attachedFile(body)
  if (attached) return attached
  const angles = IN_ANGLES.exec(text)
  if (angles && (OMITTED.test(angles[1]!) || omitted.has(angles[1]!)))
    return { kind: 'media', file: {}, text: rest(text, angles[0].length) }
  // Phones write this in place of view-once pictures.
  if (text === 'null') return { kind: 'media', detail: { is_view_once: true } }
  if (DELETED.test(text)) return { kind: 'text', isDeleted: true }
  const place = PLACE.exec(text)
  if (place) return { kind: 'location', text, detail: { place: placeOf(text, place) } }
  if (entry.isMarked && POLL.test(body)) return { kind: 'poll', text }
  if (entry.isMarked && /[\u200e\u200f]/.test(body)) return omittedFile(body, text)
  // WhatsApp itself wrote everything that begins with its mark: calls, notices about the chat. People who write from
  // right to left may begin with the other mark.
  if (entry.stamp.isBracketed && (entry.isRightToLeft ? /^[\u200e\u200f]/ : /^\u200e/).test(body))
    return { kind: CALL.test(text) && text.length < 60 ? 'call' : 'system', text }
  if (MISSED_CALL.test(text) && text.length < 60) return { kind: 'call', text }
  return { kind: 'text', text }
}

/**
 * `Some file.txt ‎document omitted`: the name is before the mark. So is a caption. If neither the start nor the words
 * are known, a person wrote it, for example with the name of somebody in it.
 */
function omittedFile(body: string, text: string): Body {
  const parts = body.split(/[\u200e\u200f]/).map((part) =>
    withoutMarks(part)
      .replace(/[\s•·]+$/, '')
      .trim(),
  )
  const words = parts.at(-1) ?? ''
  const before = parts.find((part) => part !== '') ?? ''
  const kind = kindByWords(words)
  if (before === words) return { kind: 'media', file: { kind }, text: kind === undefined ? words : undefined }
  if (/^[^\n]{1,200}\.\w{1,8}$/u.test(before)) return { kind: 'media', file: { name: before, kind: 'file' } }
  if (kind === undefined || words.length > MAX_OWN_WORDS) return { kind: 'text', text }
  return { kind: 'media', file: { kind }, text: before }
}

function attachedFile(body: string): Body | undefined {
  const text = withoutMarks(body)
  const brackets = IN_BRACKETS.exec(text)
  const words = brackets ? undefined : WITH_WORDS.exec(text)
  const name = (brackets ?? words)?.[1]?.trim()
  if (name === undefined) return
  const caption = brackets ? text.slice(0, brackets.index) : rest(text, words![0].length)
  // iPhones repeat the name of a document before its file.
  const isName = caption !== undefined && name.endsWith(caption.split('•')[0]!.trim())
  return {
    kind: 'media',
    file: { name, kind: kindByName(name) },
    text: isName ? undefined : caption?.trim() || undefined,
  }
}

const rest = (text: string, from: number): string | undefined => text.slice(from).trim() || undefined

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/-PHOTO-|^IMG-/, 'photo'],
  [/-VIDEO-|^VID-/, 'video'],
  [/-AUDIO-|^PTT-|^AUD-/, 'voice'],
  [/-STICKER-|^STK-/, 'sticker'],
  [/-GIF-/, 'animation'],
  [/\.vcf$/i, 'contact'],
]

const kindByName = (name: string): string => BY_NAME.find(([words]) => words.test(name))?.[1] ?? 'file'

const BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/GIF/i, 'animation'],
  [
    /sticker|стикер|стікер|наклейк|スタンプ|ملصق|स्टिकर|สติก|nálepk|pegatina|figurinha|adesivo|autocollant|stiker|nhãn dán/iu,
    'sticker',
  ],
  [/v[ií]d[eé]o|видео|відео|ビデオ|動画|فيديو|वीडियो|วิดีโอ|동영상|视频/iu, 'video'],
  [/audio|аудио|аудіо|音声|صوت|ऑडियो|เสียง|âm thanh|음성|语音/iu, 'voice'],
  [/contact|kontakt|контакт|連絡先|جهة|कॉन्टैक्ट|รายชื่อ|contatto|contacto|liên hệ|vizit/iu, 'contact'],
  [/image|imag|immagin|bild|foto|фото|obráz|изображ|зображ|画像|صور|फ़ोटो|รูป|gambar|hình|사진|图/iu, 'photo'],
]

const kindByWords = (words: string): string | undefined => BY_WORDS.find(([known]) => known.test(words))?.[1]

function placeOf(text: string, { 0: url, 1: latitude, 2: longitude, index }: RegExpExecArray): Record<string, unknown> {
  if (latitude !== undefined) return { latitude: Number(latitude), longitude: Number(longitude) }
  const name = text.slice(0, index).replace(/[:\s]+$/, '')
  return { name: name.replaceAll('\n', ', '), url: /\S+/.exec(text.slice(index))?.[0] ?? url }
}
