// Answers questions about the demo owner. It uses only the texts of tool results and no language model.
//   node scripts/run.mjs examples/ask-the-demo/main.ts [--demo <folder>] [question of the demo's storylines …]
// The folder is a data directory into which `pdpp demo` has loaded the demo. It is copied, which is faster than loading.
// Exits with 1 if an answer lacks a key word of the fact.
import { cpSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { demoOwner } from '@pdpp/demo'
import { startAdapter } from '../../tests/adapter/adapter-server.ts'
import { answer } from './reader.ts'

const DEFAULT_QUESTIONS = [
  'How much did Nebula & Sons refund?',
  'What was the root cause of the gull-3 outage?',
  'Where was the lost parcel found?',
  'Who at the wedding is allergic to peanuts, and at which table?',
  'How far did the beam reach in the lamp test?',
]

const { values, positionals } = parseArgs({ options: { demo: { type: 'string' } }, allowPositionals: true })
const { demo } = values
const copy = (dataDir: string) => cpSync(demo!, dataDir, { recursive: true })
const server = await startAdapter('demo', {}, demo === undefined ? undefined : copy)
const client = new Client({ name: 'ask-the-demo', version: '1.0.0' })
try {
  const requestInit = { headers: { authorization: `Bearer ${server.token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
  const questions = positionals.length > 0 ? positionals : DEFAULT_QUESTIONS
  for (const question of questions) if (!(await ask(question))) process.exitCode = 1
} finally {
  await client.close()
  await server.close()
}

async function ask(question: string): Promise<boolean> {
  const fact = demoOwner.storylines.flatMap(({ facts }) => facts).find((one) => one.question === question)
  if (!fact) {
    console.log(`"${question}" is not one of the demo's questions.`)
    return false
  }
  const { passage, calls } = await answer(question, textOf)
  const missing = fact.key_words.filter((word) => !passage.toLowerCase().includes(word.toLowerCase()))
  console.log(`Q  ${question}\n${calls.map((call) => `   ${call}`).join('\n')}\nA  ${passage}`)
  console.log(missing.length === 0 ? '   right\n' : `   wrong: it lacks ${missing.join(', ')}\n`)
  return missing.length === 0
}

async function textOf(tool: string, args: object): Promise<string> {
  const { content } = await client.callTool({ name: tool, arguments: args as Record<string, unknown> })
  const [first] = content as { text?: string }[]
  return first?.text ?? ''
}
