// The tools, resources and prompts that the suite expects of a server under test. The product never offers them.
import { ResourceNotFoundError, Server } from '@modelcontextprotocol/server'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (value: string) => ({ type: 'text', text: value })
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
})

const CONTENT: Record<string, object[]> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_tool_with_progress: [text('Done.')],
  test_error_handling: [text('This tool intentionally returns an error for testing')],
}

const PROMPTS: Record<string, (args: Record<string, string>) => object[]> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    embedded(resourceUri ?? '', 'text/plain', 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, text('Please analyze the image above.')],
}
const ARGUMENTS: Record<string, string[]> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

const RESOURCES: Record<string, object> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PIXEL },
}

export function fixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} } },
  )
  const empty = { type: 'object' as const, properties: {} }
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(CONTENT).map((name) => ({ name, description: `${name} of the suite`, inputSchema: empty })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const progressToken = params._meta?.progressToken
    if (params.name === 'test_tool_with_progress' && progressToken !== undefined) {
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    const content = CONTENT[params.name] ?? [text(`There is no tool ${params.name}.`)]
    const isError = params.name === 'test_error_handling' || !(params.name in CONTENT)
    return { content: content as never, ...(isError ? { isError } : {}) }
  })
  server.setRequestHandler('resources/list', () => ({
    resources: Object.keys(RESOURCES).map((uri) => ({ uri, name: uri, mimeType: 'text/plain' })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
    const found =
      id === undefined
        ? RESOURCES[uri]
        : { mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }
    if (!found) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, ...found } as never] }
  })
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({
      name,
      description: `${name} of the suite`,
      arguments: (ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, description: 'a text', required: true })),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => ({
    messages: (PROMPTS[params.name]?.(params.arguments ?? {}) ?? []).map(
      (content) => ({ role: 'user', content }) as never,
    ),
  }))
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['test one', 'test two'], total: 2, hasMore: false },
  }))
  return server
}
