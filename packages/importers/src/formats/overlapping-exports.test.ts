// People often export a chat again after some months and keep both files in one folder.
import { describe, expect, it } from 'vitest'
import type { Importer } from '../importer.ts'
import { memoryInput } from '../reading/memory-input.fixture.ts'
import { readExport } from '../run/importer-battery.fixture.ts'
import { discord } from './discord/importer.ts'
import { facebook } from './facebook/importer.ts'
import { googleChat } from './google-chat/importer.ts'
import { matrix } from './matrix/importer.ts'
import { signal } from './signal/importer.ts'
import { slack } from './slack/importer.ts'
import { telegram } from './telegram/importer.ts'
import { whatsapp } from './whatsapp/importer.ts'

const LINES = [1, 2, 2, 3].map((day) => `0${day}/06/2025, 09:00 - Ida Moor: Day ${day}`)
const DAYS = [1, 2, 3].map((day) => ({ day, ms: Date.UTC(2025, 5, day, 9) }))

const telegramOf = (days: typeof DAYS) =>
  JSON.stringify({
    personal_information: { user_id: 11, first_name: 'Ida' },
    chats: {
      list: [
        {
          name: 'Club',
          type: 'private_group',
          id: 7,
          messages: days.map(({ day, ms }) => ({
            id: day,
            type: 'message',
            date_unixtime: String(ms / 1000),
            from: 'Ida',
            from_id: 'user11',
            // The newer export contains a message that was changed after the first export.
            text: `Day ${day}${days.length > 2 && day === 1 ? ', changed' : ''}`,
          })),
        },
      ],
    },
  })

const facebookOf = (days: typeof DAYS) =>
  JSON.stringify({
    participants: [{ name: 'Ida' }, { name: 'Bram' }],
    messages: days.flatMap(({ day, ms }) =>
      [1, 2].map(() => ({ sender_name: 'Ida', timestamp_ms: ms, content: `Day ${day}` })),
    ),
    title: 'Bram',
    thread_path: 'inbox/bram_1234567',
  })

const slackOf = (root: string, days: typeof DAYS): Record<string, string> => ({
  [`${root}/users.json`]: '[{"id":"U0000001","team_id":"T0000001","name":"ida"}]',
  [`${root}/channels.json`]: '[{"id":"C0000001","name":"club","members":["U0000001"]}]',
  ...Object.fromEntries(
    days.map(({ day, ms }) => [
      `${root}/club/2025-06-0${day}.json`,
      `[{"type":"message","user":"U0000001","text":"Day ${day}","ts":"${ms / 1000}.000100"}]`,
    ]),
  ),
})

const googleOf = (root: string, days: typeof DAYS): Record<string, string> => ({
  [`${root}/Users/User 1/user_info.json`]: '{"user":{"name":"Ida","email":"ida@harbour.example"}}',
  [`${root}/Groups/Space A/group_info.json`]: '{"name":"Club","members":[]}',
  [`${root}/Groups/Space A/messages.json`]: JSON.stringify({
    messages: days.map(({ day }) => ({
      creator: { name: 'Ida', email: 'ida@harbour.example' },
      created_date: `June ${day}, 2025 at 9:00:00 AM UTC`,
      text: `Day ${day}`,
      message_id: `A/${day}/${day}`,
    })),
  }),
})

const signalOf = (days: typeof DAYS) =>
  [
    { account: { givenName: 'Ida' } },
    { recipient: { id: '1', self: {} } },
    { chat: { id: '10', recipientId: '1' } },
    ...days.map(({ day, ms }) => ({
      chatItem: {
        chatId: '10',
        authorId: '1',
        dateSent: String(ms),
        standardMessage: { text: { body: `Day ${day}` } },
      },
    })),
  ]
    .map((frame) => JSON.stringify(frame))
    .join('\n')

const matrixOf = (days: typeof DAYS) =>
  JSON.stringify({
    room_name: 'Club',
    exported_by: 'Ida',
    messages: days.map(({ day, ms }) => ({
      type: 'm.room.message',
      room_id: '!r:harbour.example',
      sender: '@ida:harbour.example',
      content: { msgtype: 'm.text', body: `Day ${day}` },
      origin_server_ts: ms,
      event_id: `$${day}`,
    })),
  })

const discordOf = (root: string, days: typeof DAYS): Record<string, string> => ({
  [`${root}/Messages/c9/messages.json`]: JSON.stringify(
    days.map(({ day }) => ({
      ID: day,
      Timestamp: `2025-06-0${day} 09:00:00`,
      Contents: `Day ${day}`,
      Attachments: '',
    })),
  ),
  [`${root}/Messages/c9/channel.json`]: '{"id":"9","type":0,"name":"club"}',
  [`${root}/Account/user.json`]: '{"id":"11","username":"ida"}',
})

const older = DAYS.slice(0, 2)

describe('two exports of one chat in one folder', () => {
  it.each<[string, Importer, number, Record<string, string>, Record<string, string>]>([
    [
      'WhatsApp',
      whatsapp,
      4,
      { 'WhatsApp Chat with Club.txt': LINES.slice(0, 3).join('\n') },
      { 'WhatsApp Chat with Club (1).txt': LINES.join('\n') },
    ],
    [
      'Telegram',
      telegram,
      3,
      { '2025-06-02/result.json': telegramOf(older) },
      { '2025-06-03/result.json': telegramOf(DAYS) },
    ],
    [
      'Facebook',
      facebook,
      6,
      { 'facebook-2025-06-02/messages/inbox/bram_1234567/message_1.json': facebookOf(older) },
      { 'facebook-2025-06-03/messages/inbox/bram_1234567/message_1.json': facebookOf(DAYS) },
    ],
    ['Signal', signal, 3, { '1/main.jsonl': signalOf(older) }, { '2/main.jsonl': signalOf(DAYS) }],
    ['Matrix', matrix, 3, { '1.json': matrixOf(older) }, { '2.json': matrixOf(DAYS) }],
    ['Discord', discord, 3, discordOf('1', older), discordOf('2', DAYS)],
    ['Slack', slack, 3, slackOf('first', older), slackOf('second', DAYS)],
    ['Google Chat', googleChat, 3, googleOf('takeout-20250602', older), googleOf('takeout-20250603', DAYS)],
  ])('%s: every message once, as in the newer one alone', async (_, importer, count, first, second) => {
    const inputs = (files: Record<string, string>) =>
      Object.entries(files).map(([name, content]) => memoryInput(name, content))
    const alone = await readExport(importer, inputs(second))
    const both = await readExport(importer, inputs({ ...first, ...second }))
    const plainly = (records: typeof both.records) =>
      records.map(({ stream, key, data }) => JSON.stringify([stream, key, data])).toSorted()
    expect(plainly(both.records)).toEqual(plainly(alone.records))
    expect(both.records.filter(({ stream }) => stream === 'messages')).toHaveLength(count)
    expect(both.plans.map(({ connection }) => connection?.id)).toEqual(
      alone.plans.map(({ connection }) => connection?.id),
    )
    expect(both.coverage.unexplained).toBe(0)
    expect(both.coverage.leftOut.find(({ reason }) => reason === 'the same message again')?.count).toBeGreaterThan(1)
  })
})
