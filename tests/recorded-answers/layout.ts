// JSON on many lines, so that a difference can be read.

/**
 * Adds line breaks and spaces between the tokens of compact JSON, and a line break after each `\n` in a text. Removes
 * nothing, so different texts stay different. Undefined if the JSON is not compact.
 */
export function laidOut(json: string): string | undefined {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|\s+/g) ?? []
  if (tokens.some((token) => /^\s/.test(token))) return undefined
  let depth = 0
  // Limits the indentation, because nobody reads very deep levels.
  const line = () => `\n${' '.repeat(Math.min(depth, 20))}`
  return tokens
    .map((token, index) => {
      const opens = '{['.includes(token)
      const closes = '}]'.includes(token)
      const isEmpty = opens
        ? '}]'.includes(tokens[index + 1] ?? '.')
        : closes && '{['.includes(tokens[index - 1] ?? '.')
      if (opens) depth++
      if (closes) depth--
      if (isEmpty) return token
      if (opens || token === ',') return token + line()
      if (closes) return line() + token
      if (token === ':') return ': '
      return token.replace(/\\./g, (pair) => (pair === '\\n' ? `${pair}\n` : pair))
    })
    .join('')
}
