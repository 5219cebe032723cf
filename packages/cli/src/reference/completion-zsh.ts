import type { Candidate, Place } from './completion.ts'

const described = (items: readonly Candidate[]): string =>
  items.map(({ word, meaning }) => `'${`${word}:${meaning}`.replaceAll("'", "'\\''")}'`).join(' ')

export function zshCompletion(places: readonly Place[]): string {
  const cases = places
    .map(({ path, words, flags }) => `    '${path}') words_=(${described(words)}); flags_=(${described(flags)}) ;;`)
    .join('\n')
  const valued = [...new Set(places.flatMap((place) => place.valued))].join('|')
  return `#compdef pdpp
# pdpp completion for zsh: source <(pdpp completion zsh), after compinit
_pdpp() {
  local place='' word index
  local -a words_ flags_ places_
  places_=(${places
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join(' ')})
  case "\${words[CURRENT-1]}" in ${valued}) _files; return ;; esac
  for ((index = 2; index < CURRENT; index++)); do
    word="\${place:+$place }\${words[index]}"
    (( \${places_[(Ie)$word]} )) && place="$word"
  done
  case "$place" in
${cases}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe 'flag' flags_
  elif (( \${#words_} )); then _describe 'command' words_
  else _files; fi
}
# From $fpath, zsh runs this file at the first completion. When sourced, it registers the function.
if [[ $funcstack[1] == _pdpp ]]; then _pdpp "$@"; else compdef _pdpp pdpp; fi
`
}
