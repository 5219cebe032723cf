import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { connect, oauthServer, tokenRequest } from './oauth-flow.ts'

const TEXT = /^pdpp_([a-z2-7]{8})_[\w-]{43}$/
const hash = (token: string) => createHash('sha256').update(token).digest()
const oldSecret = () => randomBytes(32).toString('base64url')

test('every token names its owner by the same reference, which says nothing', async () => {
  const server = await oauthServer()
  const { tokens } = server.server.context
  const clientId = await server.register()
  const { body } = await connect(server, { clientId })
  const params = { grant_type: 'refresh_token', client_id: clientId, refresh_token: body.refresh_token }
  const refreshed = (await tokenRequest(server, params)).body
  const { accessToken: owner } = await tokens.issueOwner('owner_local')
  const texts = [body, refreshed].flatMap((one) => [one.access_token, one.refresh_token])
  const references = [owner, ...texts].map((text) => TEXT.exec(text)?.[1])
  expect(new Set(references)).toEqual(new Set([references[0]]))
  expect(references[0]).toBeDefined()
  // Another owner has another reference.
  expect(TEXT.exec((await tokens.issueOwner('another')).accessToken)?.[1]).not.toBe(references[0])
})

test('a token with another reference is unknown, with the right secret', async () => {
  const server = await oauthServer()
  const { tokens } = server.server.context
  const { accessToken } = await tokens.issueOwner('owner_local')
  const [, own] = TEXT.exec(accessToken)!
  const other = TEXT.exec((await tokens.issueOwner('another')).accessToken)![1]!
  const read = (token: string) => server.as(token)('GET', '/v1/streams')
  expect((await read(accessToken)).status).toBe(200)
  for (const reference of [other, 'zzzzzzz2', ''])
    expect((await read(accessToken.replace(own!, reference))).body.error.code).toBe('authentication_error')
})

test('tokens of older versions work, and refreshed ones have a reference', async () => {
  const server = await oauthServer()
  const { storage, tokens } = server.server.context
  const clientId = await server.register()
  const { body } = await connect(server, { clientId })
  const { token } = (await tokens.find(body.access_token))!
  // The first looks as if it had a reference.
  const old = [`pdpp_abcdefgh_${oldSecret().slice(9)}`, `pdpp_${oldSecret()}`]
  for (const text of old) {
    await storage.tokens.create({ ...token, hash: hash(text) })
    expect((await server.as(text)('GET', '/v1/streams')).status).toBe(200)
  }
  const oldRefresh = `rt_${oldSecret()}`
  const times = { createdAt: Date.now(), expiresAt: Date.now() + 60_000, rotatedAt: undefined }
  const authorizationId = token.authorizationId!
  await storage.authorizations.createRefreshToken({ hash: hash(oldRefresh), authorizationId, ...times })
  const params = { grant_type: 'refresh_token', client_id: clientId, refresh_token: oldRefresh }
  const [first, again] = [await tokenRequest(server, params), await tokenRequest(server, params)]
  expect([first.body.access_token, first.body.refresh_token]).toEqual(Array(2).fill(expect.stringMatching(TEXT)))
  expect(again.body.refresh_token).toBe(first.body.refresh_token)
})
