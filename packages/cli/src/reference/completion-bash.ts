import type { Place } from './completion.ts'

/** The script finds the command that the words before the cursor name, and offers its subcommands and flags. */
export function bashCompletion(places: readonly Place[]): string {
  const cases = places
    .map(({ path, words, flags }) => {
      const list = (items: typeof words) => items.map(({ word }) => word).join(' ')
      return `    '${path}') words='${list(words)}' flags='${list(flags)}' ;;`
    })
    .join('\n')
  const valued = [...new Set(places.flatMap((place) => place.valued))].join('|')
  return `# pdpp completion for bash: source <(pdpp completion bash)
_pdpp() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local place='' words='' flags='' word index
  COMPREPLY=()
  case "$previous" in ${valued}) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case " ${places.map(({ path }) => path.replaceAll(' ', '_')).join(' ')} " in
      *" \${place:+\${place// /_}_}$word "*) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${cases}
  esac
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o default -F _pdpp pdpp
`
}
