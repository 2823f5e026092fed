import { abstains, ask, asks, definePolicy, lineOf, quoted, type ShellCommand } from 'hookgate/policy'

/** Returns the address of a new submodule, or the new address of an existing one. */
function submoduleOf(command: ShellCommand): string | undefined {
  const line = command.elsewhere === true ? undefined : lineOf(command)
  const [verb, first, second] = line?.operands.map(({ value }) => value) ?? []
  if (line?.subcommand === 'submodule' && verb === 'set-url') return second
  return /^sub(?:module|tree)$/.test(line?.subcommand ?? '') && verb === 'add' ? first : undefined
}

export default definePolicy({
  id: 'submodules',
  description: 'Asks before another repository becomes part of this one',
  severity: 'low',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['submodule subtree'], with: ['add set-url'] },
  params: {
    submoduleAddresses: {
      type: 'strings',
      default: [],
      description: 'prefixes of addresses that submodules may come from',
    },
  },
  decide({ shell, params }) {
    for (const [at, command] of shell.commands.entries()) {
      const address = submoduleOf(command)
      if (address === undefined || /^\.{1,2}\//.test(address)) continue
      if (params.submoduleAddresses.some((start) => address.startsWith(start))) continue
      return ask(`this would make ${quoted(address)} a part of this repository: let the person check whose it is`, {
        at,
      })
    }
    return undefined
  },
  examples: [
    asks('added', 'git submodule add https://a.example/b'),
    abstains('brought up to date', 'git submodule update --init'),
    asks('from elsewhere', 'git -C x submodule set-url lib https://a.example/b'),
    abstains('from beside', 'git submodule add ../b'),
    asks('as a folder', 'git subtree add --prefix b https://a.example/b main'),
    abstains('as a folder, pushed', 'git subtree push --prefix b origin b'),
    abstains('allowed', 'git submodule add https://git.corp.example/b', {
      params: { submoduleAddresses: ['https://git.corp.example/'] },
    }),
    abstains('in a commit message', 'git commit -m "git submodule add https://a.example/b"'),
  ],
})
