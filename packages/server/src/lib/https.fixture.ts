import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { AllowedHosts } from './guarded-fetch.ts'

// For tests on loopback only: a certificate for names that nobody can own, and its key.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEBjQjOxRSqUt6D5A
20F1r9ubPXm6JmLk3zFsaiskOzihRANCAAQKJLsfX2zJTIHfcIwGUTK+qfdy4lfN
R1Xo6GO+BLKBufyNkMQsXqZsZhIFUKyHV9Ax1IoaBJxur7ez5UclmqwD
-----END PRIVATE KEY-----
`
const certificate = `-----BEGIN CERTIFICATE-----
MIIBszCCAVmgAwIBAgIUcowgVrp6cNmS1QVs5BumqvizIn4wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOY2xpZW50LmV4YW1wbGUwIBcNMjYxMTE2MDM0NTQ0WhgPMjEy
NjEwMjMwMzQ1NDRaMBkxFzAVBgNVBAMMDmNsaWVudC5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAECiS7H19syUyB33CMBlEyvqn3cuJXzUdV6OhjvgSy
gbn8jZDELF6mbGYSBVCsh1fQMdSKGgScbq+3s+VHJZqsA6N9MHswHQYDVR0OBBYE
FOQqrrNKTDa/BcnKOibRVolXtyIFMB8GA1UdIwQYMBaAFOQqrrNKTDa/BcnKOibR
VolXtyIFMA8GA1UdEwEB/wQFMAMBAf8wKAYDVR0RBCEwH4IOY2xpZW50LmV4YW1w
bGWCDW90aGVyLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIgeGfUtXltxA2+LZFh
wdAbckMel4/y/zOHIrFHINbDYhoCIQCLE/tMxJgPAw3kpJs8lTGhDc4enVunleOy
IBwbHMTQNQ==
-----END CERTIFICATE-----
`

/** An https server on loopback, and allowed hosts that resolve every name to it. */
export async function httpsServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; port: number; reach: AllowedHosts; requests: string[]; close(): Promise<void> }> {
  const requests: string[] = []
  const server: Server = createServer({ key, cert: certificate }, (request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://client.example:${port}`,
    port,
    requests,
    reach: { resolve: async () => ['127.0.0.1'], isAllowed: (address) => address === '127.0.0.1', ca: certificate },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
