import type { Place } from './completion.ts'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export function fishCompletion(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, flags, valued }) => {
    const here = `-n "test (__pdpp_place) = ${quoted(path)}"`
    return [
      ...words.map(({ word, meaning }) => `complete -c pdpp ${here} -f -a ${quoted(word)} -d ${quoted(meaning)}`),
      ...flags.map(({ word, meaning }) => {
        const value = valued.includes(word) ? ' -r' : ''
        return `complete -c pdpp ${here} -l ${word.slice(2)}${value} -d ${quoted(meaning)}`
      }),
    ]
  })
  return `# pdpp completion for fish: pdpp completion fish > ~/.config/fish/completions/pdpp.fish
function __pdpp_place
  set -l place ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$place $word")
    if contains -- $next ${places
      .filter(({ path }) => path !== '')
      .map(({ path }) => quoted(path))
      .join(' ')}
      set place $next
    end
  end
  echo $place
end
${lines.join('\n')}
`
}
