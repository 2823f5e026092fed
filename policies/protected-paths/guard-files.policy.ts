import { ask, definePolicy, deny } from 'hookgate/policy'
import { guardPartOf, guards, holdsPrograms } from './guards.ts'
import { changesIn, nameOf, verbOf } from './touched.ts'

const linkers = new Set(['ln', 'gln', 'link', 'mklink'])

export default definePolicy({
  id: 'guard-files',
  severity: 'critical',
  description: 'Refuses to change the rules, the state and the program of what guards the agent',
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  params: { guards },
  decide({ shell, paths, params }) {
    let question: string | undefined
    for (const change of changesIn(shell, paths)) {
      const found = guardPartOf(change.path, params.guards)
      if (found === undefined) {
        const { access, metadata } = change.path
        if ((access === 'delete' || metadata === true) && holdsPrograms(change.path)) {
          return deny(
            `this would ${verbOf(change)} ${change.named}, where programs that guard this agent are: name one program of it`,
          )
        }
        continue
      }
      const said = `this would ${verbOf(change)} ${change.named}, which is a part of ${found.guard} that guards this agent`
      if (found.part !== 'content') return deny(`${said}: tell the person what you need, and let them decide`)
      question ??= said
    }
    // Under another name it could be changed with nobody noticing.
    const linked = shell.commands
      .filter(({ program }) => linkers.has(program))
      .flatMap((command) => command.paths)
      .find((path) => guardPartOf(path, params.guards) !== undefined)
    if (linked !== undefined)
      return deny(`a link to ${nameOf(linked)} would let it be changed under another name: leave it alone`)
    return question === undefined ? undefined : ask(question)
  },
  examples: [
    { name: 'rules', given: { tool: 'write', input: { path: '.hookgate/hooks.json' } }, want: 'deny' },
    {
      name: 'a folder of nearly that name',
      given: { tool: 'write', input: { path: 'hookgate/hooks.json' } },
      want: 'abstain',
    },
    {
      name: 'rules of the person',
      given: { tool: 'edit', input: { path: '/home/u/.config/hookgate/hooks.json' } },
      want: 'deny',
    },
    { name: 'reading them', given: { input: { command: 'cat ~/.config/hookgate/hooks.json' } }, want: 'abstain' },
    { name: 'its program', given: { input: { command: 'rm ~/.local/bin/hookgate' } }, want: 'deny' },
    { name: 'another program', given: { input: { command: 'rm ~/.local/bin/other' } }, want: 'abstain' },
    { name: 'what may be run of it', given: { input: { command: 'chmod -x /usr/local/bin/hookgate' } }, want: 'deny' },
    { name: 'where it is', given: { input: { command: 'which hookgate' } }, want: 'abstain' },
    { name: 'a link', given: { input: { command: 'ln ~/.config/hookgate/hooks.json a.json' } }, want: 'deny' },
    { name: 'another link', given: { input: { command: 'ln -s ../hooks.json a.json' } }, want: 'abstain' },
    { name: 'what holds its program', given: { input: { command: 'mv ~/.local/bin ~/.local/bin.old' } }, want: 'deny' },
    {
      name: 'making what is to hold programs',
      given: { input: { command: 'mkdir -p ~/.local/bin' } },
      want: 'abstain',
    },
    {
      name: 'another guard',
      given: { input: { command: 'echo > ~/.warden/state.json' }, params: { guards: ['warden'] } },
      want: 'deny',
    },
    {
      name: 'rules that a project proposes to it',
      given: { tool: 'write', input: { path: '.warden/rules/a' }, params: { guards: ['warden'] } },
      want: 'ask',
    },
  ],
})
