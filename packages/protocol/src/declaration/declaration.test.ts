import { describe, expect, test } from 'vitest'
import { fromShippedManifest } from './declaration.ts'
import { checkDeclaration, requireDeclaration } from './declaration-check.ts'

const streams = [
  {
    name: 'entries',
    semantics: 'append_only',
    schema: { type: 'object', properties: { id: { type: 'string', x_pdpp_role: 'primary-title' } }, required: ['id'] },
    primary_key: ['id'],
  },
]

describe('a shipped manifest', () => {
  const manifest = {
    protocol_version: '0.1.0',
    connector_id: 'https://registry.pdpp.org/connectors/journal',
    connector_key: 'journal',
    manifest_uri: 'https://registry.pdpp.org/connectors/journal.json',
    version: '2.3.0',
    display_name: 'Journal',
    runtime_requirements: { bindings: {} },
    capabilities: { proven: true },
    streams: streams.map((stream) => ({ ...stream, coverage_strategy: 'full', required: true })),
  }

  test('equals the form of the specification', () => {
    expect(requireDeclaration(manifest)).toEqual({
      protocol_version: '0.1.0',
      source: { kind: 'connector', id: 'https://registry.pdpp.org/connectors/journal' },
      connector_key: 'journal',
      declaration_version: '2.3.0',
      display: { name: 'Journal' },
      sensitivity: 'standard',
      streams,
    })
  })

  test.each([
    ['https://registry.pdpp.org/connectors/journal', 'journal', 'https://registry.pdpp.org/connectors/journal'],
    ['https://registry.pdpp.org/connectors/journal/', 'journal', 'https://registry.pdpp.org/connectors/journal/'],
    ['https://x.example/defs#journal', 'journal', 'https://x.example/defs#journal'],
    ['urn:example:journal', 'journal', 'urn:example:journal'],
    ['journal', 'journal', 'urn:pdpp:connector:journal'],
  ])('gets its key from connector_id %s alone', (connector_id, key, id) => {
    const { connector_key: _key, ...rest } = manifest
    const declaration = requireDeclaration({ ...rest, connector_id })
    expect([declaration.connector_key, declaration.source.id]).toEqual([key, id])
  })

  test('is named by its key if it has no display name', () => {
    const { display_name: _name, ...rest } = manifest
    expect(requireDeclaration(rest).display.name).toBe('journal')
  })

  test('reports a missing id, key and version', () => {
    const result = checkDeclaration({ streams })
    expect('problems' in result && result.problems.map(({ path }) => path)).toEqual([
      'source.id',
      'connector_key',
      'declaration_version',
      'display.name',
    ])
  })

  test('is not modified', () => {
    const before = structuredClone(manifest)
    fromShippedManifest(manifest)
    expect(manifest).toEqual(before)
  })
})

describe('the form of the specification', () => {
  const declaration = {
    source: { id: 'https://registry.pdpp.org/connectors/journal' },
    declaration_version: '1',
    display: { name: 'Journal' },
    streams,
  }

  test('gets its key from the source, and default values', () => {
    expect(requireDeclaration(declaration)).toEqual({
      protocol_version: '0.1.0',
      source: { kind: 'connector', id: 'https://registry.pdpp.org/connectors/journal' },
      connector_key: 'journal',
      declaration_version: '1',
      display: { name: 'Journal' },
      sensitivity: 'standard',
      streams,
    })
  })

  test('keeps its own key', () => {
    expect(requireDeclaration({ ...declaration, connector_key: 'diary' }).connector_key).toBe('diary')
  })

  test('keeps its schema unchanged', () => {
    expect(requireDeclaration(declaration).streams[0]!.schema).toEqual(streams[0]!.schema)
  })
})

test.each([null, 5, 'journal', [1]])('%j is passed on, so that the check refuses it', (input) => {
  expect(fromShippedManifest(input)).toBe(input)
})
