import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type PolicyAnswer,
  quoted,
  type ShellFacts,
  unknownPart,
} from 'hookgate/policy'
import { guardPartOf, guards, holdsPrograms } from './guards.ts'
import { changesIn, nameOf, verbOf } from './touched.ts'

/** A command that changes a guard's program wherever it is: its name behind a folder that another command has named. */
function changesWhereItIs({ commands }: ShellFacts, guarding: readonly string[]) {
  for (const [at, { paths }] of commands.entries()) {
    for (const { access, written, from } of paths) {
      if (from === undefined || (access !== 'write' && access !== 'delete')) continue
      const guard = guarding.find((one) => written === `${unknownPart}/${one}`)
      if (guard !== undefined) return { guard, verb: access === 'delete' ? 'delete' : 'change', at: [...from, at] }
    }
  }
  return undefined
}

export default definePolicy({
  id: 'guard-files',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to change the rules, the state and the program that guard the agent',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit', 'mcp', 'other'],
  interest: { access: ['write', 'delete', 'linked'] },
  params: { guards },
  decide({ shell, paths, params }) {
    let question: PolicyAnswer | undefined
    for (const change of changesIn(shell, paths)) {
      const { at } = change
      const found = guardPartOf(change.path, params.guards)
      if (found === undefined) {
        const { access, metadata } = change.path
        if ((access === 'delete' || metadata === true) && holdsPrograms(change.path)) {
          return deny(
            `this would ${verbOf(change)} ${change.named}, which contains programs that guard this agent: name a single program in it`,
            { at },
          )
        }
        continue
      }
      const message = `this would ${verbOf(change)} ${change.named}, a part of ${found.guard}, which guards this agent`
      if (found.part !== 'content') return deny(`${message}: tell the person what you need`, { at })
      question ??= ask(`${message}: have the person change it`, { at })
    }
    const found = changesWhereItIs(shell, params.guards)
    if (found !== undefined)
      return deny(
        `${quoted(shell.commands[found.at.at(-1) ?? 0]?.program ?? '')} would ${found.verb} ${quoted(found.guard)} wherever it is, which guards this agent: leave it alone`,
        { at: found.at },
      )
    // Under another name it could be changed unnoticed.
    const linked = shell.commands
      .flatMap(({ paths: own }, at) => own.map((path) => ({ path, at })))
      .find(({ path }) => path.change === 'linked' && guardPartOf(path, params.guards) !== undefined)
    if (linked !== undefined)
      return deny(`a link to ${nameOf(linked.path)} would let it be changed under another name: leave it alone`, {
        at: linked.at,
      })
    return question
  },
  examples: [
    denies('rules', { tool: 'write', input: { path: '.hookgate/hooks.json' } }),
    abstains('a folder of nearly that name', { tool: 'write', input: { path: 'hookgate/hooks.json' } }),
    denies('rules of the person', { tool: 'edit', input: { path: '/home/u/.config/hookgate/hooks.json' } }),
    abstains('reading them', 'cat ~/.config/hookgate/hooks.json'),
    denies('its program', 'rm ~/.local/bin/hookgate'),
    abstains('another program', 'rm ~/.local/bin/other'),
    denies('what may be run of it', 'chmod -x /usr/local/bin/hookgate'),
    denies('what is where it is', 'rm "$(command -v hookgate)"'),
    denies('what is written there', 'echo exit 0 > "$(which hookgate)"'),
    abstains('where it is', 'which hookgate'),
    abstains('a copy of it', 'cat "$(which hookgate)" > copy'),
    denies('a link', 'ln ~/.config/hookgate/hooks.json a.json'),
    abstains('another link', 'ln -s ../hooks.json a.json'),
    denies('what holds its program', 'mv ~/.local/bin ~/.local/bin.old'),
    abstains('making what is to hold programs', 'mkdir -p ~/.local/bin'),
    denies('another guard', 'echo > ~/.warden/state.json', { params: { guards: ['warden'] } }),
    asks('rules that a project proposes to it', {
      tool: 'write',
      input: { path: '.warden/rules/a' },
      params: { guards: ['warden'] },
    }),
  ],
})
