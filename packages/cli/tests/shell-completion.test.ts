// Tests completion by asking the shell itself. If a shell is not installed, its tests are skipped and say so.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../src/program.ts'
import { placesOf } from '../src/reference/completion.ts'
import { newPerson, type Person, terminalAvailable } from './command.ts'

const has = (shell: string) => !spawnSync(shell, ['--version']).error
const [fish, zsh] = [has('fish'), has('zsh') && terminalAvailable]
if (!fish) console.warn('No fish here: its completion is not run.')
if (!zsh) console.warn('No zsh, or no terminal, here: its completion is not run.')

const places = placesOf(createProgram())
/** The words that may follow a command and begin with `start`, taken from the definition of the command. */
const after = (path: string, start = '') => {
  const words = places.find((place) => place.path === path)!.words.map(({ word }) => word)
  const found = words.filter((word) => word.startsWith(start)).toSorted()
  expect(found.length).toBeGreaterThan(3)
  return found
}

/** The text before the Tab key, and all words that are then offered. */
const OFFERED: readonly (readonly [string, readonly string[]])[] = [
  ['pdpp re', ['read']],
  ['pdpp read se', ['search']],
  ['pdpp owner grant ', after('owner grant')],
  ['pdpp owner grants ', after('owner grant')],
  ['pdpp read records messages --si', ['--since-last']],
  ['pdpp setup c', after('setup', 'c')],
  ['pdpp completion z', ['zsh']],
  ['pdpp import --declaration ove', ['overrides.json']],
]

async function scriptFor(person: Person, shell: string): Promise<string> {
  const { stdout, code } = await person.run(['completion', shell])
  expect(code).toBe(0)
  writeFileSync(join(person.home, 'overrides.json'), '{}')
  const script = join(person.home, `pdpp.${shell}`)
  writeFileSync(script, stdout)
  return script
}

test.skipIf(!fish)('fish offers commands, flags, choices and files', async () => {
  const person = newPerson()
  const script = await scriptFor(person, 'fish')
  const ask = OFFERED.map(([line]) => `echo '= ${line}'; complete -C '${line}'`)
  const options = { encoding: 'utf8', cwd: person.home, env: { ...process.env, ...person.env } } as const
  const run = spawnSync('fish', ['--no-config', '-c', [`source '${script}'`, ...ask].join('\n')], options)
  expect([run.status, run.stderr]).toEqual([0, ''])
  const answers = run.stdout.split(/^= (.*)\n/m).slice(1)
  for (const [index, [line, words]] of OFFERED.entries()) {
    const offered = answers[index * 2 + 1]!.split('\n').filter((each) => each !== '')
    expect([answers[index * 2], offered.map((each) => each.split('\t')[0]).toSorted()]).toEqual([line, words])
  }
  expect(run.stdout).toContain('search\tfind records by their words')
})

/** Writes down everything that is added to the list of completions. Ctrl-N begins a new line. */
const WATCHED = `
compadd() {
  local -a hits
  if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then builtin compadd -A hits "$@"; print -rl -- $hits >> $HITS; fi
  builtin compadd "$@"
}
begin() { print -r -- "=" >> $HITS; BUFFER= }
zle -N begin; bindkey '^N' begin; bindkey '^I' complete-word
`

describe.skipIf(!zsh)('zsh', () => {
  test.each(['sourced', 'in $fpath'])('%s, offers commands, flags, choices and files', async (way) => {
    const person = newPerson()
    const script = await scriptFor(person, 'zsh')
    const folder = join(person.home, 'functions')
    mkdirSync(folder)
    if (way === 'in $fpath') writeFileSync(join(folder, '_pdpp'), readFileSync(script))
    const start = `fpath=('${folder}' $fpath); autoload -Uz compinit; compinit -D -u\n`
    writeFileSync(join(person.home, '.zshrc'), `${start}${way === 'sourced' ? `source '${script}'\n` : ''}${WATCHED}`)
    const hits = join(person.home, 'hits')
    const typed = OFFERED.map(([line]) => `\u000e${line}\t`).join('')
    const run = spawnSync('script', ['-qec', 'stty cols 200; exec zsh -i', '/dev/null'], {
      encoding: 'utf8',
      cwd: person.home,
      input: `${typed}\u000eexit\n`,
      env: { ...process.env, ...person.env, ZDOTDIR: person.home, HITS: hits, TERM: 'xterm-256color' },
      timeout: 60_000,
    })
    expect([run.status, existsSync(hits)], run.stdout).toEqual([0, true])
    const answers = readFileSync(hits, 'utf8').split(/^=\n/m).slice(1)
    for (const [index, [line, words]] of OFFERED.entries()) {
      const offered = answers[index]!.split('\n').filter((each) => each !== '')
      expect([line, offered.toSorted()]).toEqual([line, words])
    }
  })
})
