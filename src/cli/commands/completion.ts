import { basename, join } from 'node:path'
import { agentNames } from '../../agents/registry.ts'
import { entryNames } from '../../files/entries.ts'
import { isPolicyName, presetNames, shippedFolder, shippedPacks } from '../../files/policy-files.ts'
import { parseFlags } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { type Command, type CommandGroup, type Invocation, printed, usage } from '../command.ts'

const helpText = `hookgate completion: complete commands, options, agents, packs, rules and ids in your shell

  hookgate completion bash|zsh|fish

Prints the script of that shell. Commands, options, agents, packs and their rules stand in it: print it again after an
update. Only the ids of refusals and sessions are asked of hookgate when you press Tab.

  bash    hookgate completion bash > ~/.local/share/bash-completion/completions/hookgate
  zsh     hookgate completion zsh > a file _hookgate in a folder of your fpath
  fish    hookgate completion fish > ~/.config/fish/completions/hookgate.fish

  hookgate completion bash > hookgate.bash
`

/** Creates the command that completes these. */
export const completionOf = (groups: Readonly<Record<string, CommandGroup>>): Command => ({
  help: helpText,
  async run(invocation) {
    const { positionals } = parseFlags('completion', invocation.argv, {}, true)
    const [first, ...more] = positionals
    if (first === 'ids' && more.length === 0) return printed(lines(await idsHere(invocation)))
    if (first === 'sessions' && more.length === 0) return printed(lines(await sessionsHere(invocation)))
    const shell = shells.find((known) => known === first)
    if (shell === undefined || more.length > 0) throw usage('it needs a shell: bash, zsh or fish', 'completion')
    const words = await wordsByCommand(Object.values(groups))
    switch (shell) {
      case 'bash':
        return printed(bashScript(words))
      case 'zsh':
        return printed(`#compdef hookgate\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`)
      case 'fish':
        return printed(fishScript(words, Object.values(groups)))
    }
  },
})

const shells = ['bash', 'zsh', 'fish'] as const

const lines = (words: readonly string[]) => words.map((word) => `${word}\n`).join('')

/** Returns the ids that `hookgate allow` takes, the newest first. */
async function idsHere({ env }: Invocation): Promise<readonly string[]> {
  const { openRefusals } = await import('../../files/state/refusals.ts')
  return openRefusals(ownPlaces(env).refusals)
    .all()
    .map(({ id }) => id)
}

/** Returns each rule of a shipped pack, as `packs PACK/RULE` takes it. */
const rulesOfPacks = (): readonly string[] =>
  shippedPacks().flatMap((pack) =>
    entryNames(join(shippedFolder, pack))
      .filter(isPolicyName)
      .map((file) => `${pack}/${file.replace(/\.policy\.\w+$/, '')}`),
  )

/** Returns the sessions that `hookgate state` takes, the latest first. */
async function sessionsHere({ env }: Invocation): Promise<readonly string[]> {
  const { openKeptSteps } = await import('../../past/open-past.ts')
  const store = openKeptSteps(ownPlaces(env).past)
  const ids = store?.sessions().map(({ latest }) => latest.session) ?? []
  store?.close()
  return ids
}

/** Words that may follow a command: where an id is one of them, hookgate is asked for those there are. */
interface CommandWords {
  readonly name: string
  readonly words: readonly string[]
  readonly takesId: boolean
  readonly takesSession: boolean
}

/** Collects the words that may follow each command: its options, as its help names them, and what it is about. */
async function wordsByCommand(groups: readonly CommandGroup[]): Promise<readonly CommandWords[]> {
  return Promise.all(
    groups
      .flatMap((group) => Object.entries(group))
      .map(async ([name, { load }]) => {
        const { help } = await load()
        const options = help.match(/(?<=[ [(|`])--[a-z][a-z-]*/g) ?? []
        const actions = [...help.matchAll(new RegExp(`^ +hookgate ${name} ([a-z]+)(?= |$)`, 'gm'))].map(
          ([, one = '']) => one,
        )
        const words = [...options, '--help', ...actions, ...argumentsOf(name)]
        const takesId = ['why', 'allow', 'approvals', 'explain'].includes(name)
        return { name, words: [...new Set(words)], takesId, takesSession: name === 'state' }
      }),
  )
}

/** Returns what a command is about, where that is known beforehand. */
function argumentsOf(command: string): readonly string[] {
  switch (command) {
    case 'enable':
    case 'disable':
    case 'status':
    case 'doctor':
    case 'import':
      return agentNames
    case 'packs':
      return [...presetNames(), ...shippedPacks(), ...rulesOfPacks()]
    case 'completion':
      return shells
    default:
      return []
  }
}

/** Returns the words that may follow an option, whatever the command. */
const valuesByOption = (): Readonly<Record<string, readonly string[]>> => ({
  '--agent': agentNames,
  '--preset': presetNames(),
  '--scope': ['user', 'project'],
  '--via': ['http', 'command'],
  '--rule': rulesOfPacks().map((rule) => basename(rule)),
  '--decision': decisionWords,
})

const decisionWords = ['deny', 'defer', 'ask', 'allow', 'abstain', 'refused', 'denied', 'asked', 'allowed', 'passed', 'ended', 'observed', 'failed'] // prettier-ignore

/** Completes files where there is no word: paths stand behind many commands. */
function bashScript(all: readonly CommandWords[]): string {
  const ids = all.filter(({ takesId }) => takesId).map(({ name }) => name)
  const sessions = all.filter(({ takesSession }) => takesSession).map(({ name }) => name)
  return `_hookgate() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${all.map(({ name }) => name).join(' ')} --help --version'
  else
    case $before in
${Object.entries(valuesByOption())
  .map(([option, values]) => `      ${option}) words='${values.join(' ')}' ;;\n`)
  .join('')}      *)
        case \${COMP_WORDS[1]} in
${all.map(({ name, words }) => `          ${name}) words='${words.join(' ')}' ;;\n`).join('')}        esac
        case \${COMP_WORDS[1]} in
          ${ids.join('|')}) words="$words $(hookgate completion ids 2>/dev/null)" ;;
          ${sessions.join('|')}) words="$words $(hookgate completion sessions 2>/dev/null)" ;;
        esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _hookgate hookgate
`
}

const askedWords = (what: string | undefined) =>
  what === undefined ? '' : ` (hookgate completion ${what} 2>/dev/null)`

function fishScript(all: readonly CommandWords[], groups: readonly CommandGroup[]): string {
  const names = groups.flatMap((group) =>
    Object.entries(group).map(
      ([name, { summary }]) =>
        `complete -c hookgate -n __fish_use_subcommand -f -a ${name} -d '${summary.replaceAll(/[\\']/g, String.raw`\$&`)}'\n`,
    ),
  )
  const words = all.map(
    ({ name, words: known, takesId, takesSession }) =>
      `complete -c hookgate -n '__fish_seen_subcommand_from ${name}' -a '${known.join(' ')}${askedWords(takesId ? 'ids' : takesSession ? 'sessions' : undefined)}'\n`,
  )
  return [...names, ...words].join('')
}
