import { parseResultId } from '@pdpp/protocol'
import { expect, it } from 'vitest'
import { RecordUrls } from './record-url.ts'

const urls = new RecordUrls('https://data.example.org')

it.each(['cm_1', 'a/b', 'a%2Fb', 'a\\b', '["x","y"]', "it's", 'mailto:x?y#z', '北京', 'a b', '<script>', '%'])(
  'leads back to the record %j, through one part of the path',
  (key) => {
    const url = urls.of('chat', 'messages', key)
    expect(url).toMatch(/^https:\/\/data\.example\.org\/r\/[\w.~%!'()*-]+$/)
    expect(JSON.parse(`"${url}"`)).toBe(url)
    const id = decodeURIComponent(new URL(url).pathname.slice('/r/'.length))
    expect(parseResultId(id)).toEqual({ connectionId: 'chat', stream: 'messages', recordKey: key })
  },
)

it('distinguishes connections and streams', () => {
  expect(urls.of('chat', 'messages', 'k')).toBe('https://data.example.org/r/chat%2Fmessages%3Ak')
  expect(urls.of('chat', 'channels', 'k')).toBe('https://data.example.org/r/chat%2Fchannels%3Ak')
  expect(urls.of('mail', 'messages', 'k')).toBe('https://data.example.org/r/mail%2Fmessages%3Ak')
})
