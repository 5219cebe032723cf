import { describe, expect, it } from 'vitest'
import { candidate } from '../../reading/input-head.ts'
import { memoryInput } from '../../reading/memory-input.fixture.ts'
import { importerBattery, readExport } from '../../run/importer-battery.fixture.ts'
import { slack } from './importer.ts'

const FILES = {
  'Harbour Slack export/harbour-news/2025-06-02.json': JSON.stringify([
    {
      type: 'message',
      user: 'U0000001',
      text: 'Ferry at <https://ferry.example/?a=1&amp;b=2|nine>, <@U0000002> &amp; all of <#C0000001>',
      ts: '1748858400.000100',
      edited: { user: 'U0000001', ts: '1748858460.000000' },
      reactions: [{ name: 'boat', users: ['U0000002', 'U0000009'], count: 2 }],
      thread_ts: '1748858400.000100',
    },
    { type: 'message', user: 'U0000002', text: 'Thanks', ts: '1748858500.000200', thread_ts: '1748858400.000100' },
    {
      type: 'message',
      subtype: 'channel_join',
      user: 'U0000002',
      text: '<@U0000002> has joined the channel',
      ts: '1748858300.000000',
    },
    {
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B0000001',
      username: 'Tides',
      text: '',
      attachments: [{ fallback: 'High water', pretext: 'Today', text: 'High water at 7' }],
      ts: '1748858600.000000',
    },
    {
      type: 'message',
      subtype: 'tombstone',
      user: 'USLACKBOT',
      text: 'This message was deleted.',
      ts: '1748858700.000000',
    },
    {
      type: 'message',
      user: 'U0000001',
      text: '',
      files: [
        {
          id: 'F1',
          name: 'tides.pdf',
          mimetype: 'application/pdf',
          size: 1234,
          url_private: 'https://files.example/tides.pdf',
        },
      ],
      ts: '1748858800.000000',
    },
    { type: 'message', user: 'U0000001', text: 'no time' },
  ]),
  'Harbour Slack export/harbour-news/2025-06-01.json': JSON.stringify([
    { type: 'message', user: 'U0000001', text: 'Good morning', ts: '1748772000.000100' },
  ]),
  'Harbour Slack export/D0000001/2025-06-01.json': JSON.stringify([
    { type: 'message', user: 'U0000002', text: 'Psst', ts: '1748772000.000100' },
  ]),
  'Harbour Slack export/channels.json': JSON.stringify([
    {
      id: 'C0000001',
      name: 'harbour-news',
      members: ['U0000001', 'U0000002'],
      topic: { value: 'Ships' },
      purpose: { value: '' },
    },
  ]),
  'Harbour Slack export/dms.json': JSON.stringify([{ id: 'D0000001', members: ['U0000001', 'U0000002'] }]),
  'Harbour Slack export/users.json': JSON.stringify([
    {
      id: 'U0000001',
      team_id: 'T0000001',
      name: 'ida',
      real_name: 'Ida Moor',
      is_admin: true,
      profile: { real_name: 'Ida Moor', email: 'ida@harbour.example' },
    },
    {
      id: 'U0000002',
      team_id: 'T0000001',
      name: 'bram',
      real_name: 'Bram Tidewell',
      profile: { real_name: 'Bram Tidewell' },
    },
  ]),
  'Harbour Slack export/integration_logs.json': JSON.stringify([{ user_id: 'U0000001', change_type: 'added' }]),
}
const inputs = () => Object.entries(FILES).map(([name, content]) => memoryInput(name, content, 500))

describe('a workspace of Slack', () => {
  it('has people, threads, reactions, edits, bots and files', async () => {
    const { records, plans } = await readExport(slack, inputs())
    expect(plans.map(({ connection }) => connection)).toEqual([
      { id: expect.stringMatching(/^slack-t0000001-/), name: 'Slack: Harbour' },
    ])
    const messages = records.filter(({ stream }) => stream === 'messages').map(({ data }) => data)
    const news = messages.filter((each) => each['conversation'] === 'harbour-news')
    expect(news.map((each) => [each['author'], each['kind'], each['text']])).toEqual([
      ['Ida Moor', 'text', 'Good morning'],
      ['Ida Moor', 'text', 'Ferry at nine (https://ferry.example/?a=1&b=2), @Bram Tidewell & all of #harbour-news'],
      ['Bram Tidewell', 'text', 'Thanks'],
      ['Bram Tidewell', 'system', '@Bram Tidewell has joined the channel'],
      ['Tides', 'text', 'Today\nHigh water at 7'],
      ['USLACKBOT', 'text', 'This message was deleted.'],
      ['Ida Moor', 'media', null],
    ])
    expect(news[1]).toMatchObject({
      id: 'C0000001/1748858400.000100',
      sent_at: '2025-06-02T10:00:00.000100Z',
      edited_at: '2025-06-02T10:01:00Z',
      reactions: ['boat', 'boat'],
      links: ['https://ferry.example/?a=1&b=2'],
    })
    expect(news[2]).toMatchObject({
      reply_to_id: 'C0000001/1748858400.000100',
      thread_id: 'C0000001/1748858400.000100',
    })
    expect(news[5]!['is_deleted']).toBe(true)
    const conversations = records.filter(({ stream }) => stream === 'conversations').map(({ data }) => data)
    expect(conversations.map(({ name, kind, topic }) => [name, kind, topic])).toEqual([
      ['Ida Moor, Bram Tidewell', 'direct', null],
      ['harbour-news', 'channel', 'Ships'],
    ])
    expect(records.find(({ stream }) => stream === 'participants')!.data).toMatchObject({
      name: 'Ida Moor',
      handle: 'ida@harbour.example',
      role: 'admin',
    })
  })

  it('is recognised by one file of a day', async () => {
    const [name, content] = Object.entries(FILES)[1]!
    const { records } = await readExport(slack, [memoryInput(name, content)])
    expect(records[0]!.data).toMatchObject({ conversation: 'harbour-news', author: 'U0000001', text: 'Good morning' })
    expect(await slack.detect(await candidate(memoryInput('users.json', '[{"id":"U1","name":"x"}]')))).toBeUndefined()
  })
})

importerBattery({
  importer: slack,
  files: FILES,
  records: { messages: 8, reactions: 2, attachments: 1, conversations: 2, participants: 6 },
  seen: { messages: 9, reactions: 2, attachments: 1 },
  leftOut: [['file', 'not a part of chats', 1]],
  problems: 1,
})
