import { abstains, ask, asks, definePolicy, quoted } from 'hookgate/policy'
import { isKept, isShown, passesWhole, secretsShown } from './shown.ts'

/** Names in a reason: more than a few are only counted. */
const namedMax = 3
const namesOf = (names: readonly string[]) =>
  names.length <= namedMax
    ? names.map(quoted).join(', ')
    : `${names.slice(0, namedMax).map(quoted).join(', ')} and ${names.length - namedMax} more`

const secret = { facts: { secrets: ['GITHUB_TOKEN'] } } as const

export default definePolicy({
  id: 'shown-environment',
  description: 'Asks before all variables are shown where some hold secrets',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['show'] },
  facts: { secrets: { secretVariables: true } },
  decide({ shell, impacts, facts }) {
    const secrets = facts.secrets ?? []
    if (secrets.length === 0) return undefined
    const seen = secretsShown(impacts).find(({ area, thing, names, elsewhere, by }) => {
      const command = shell.commands[by]
      const isOfHere = area === 'environment' && thing === 'secret' && elsewhere === undefined
      if (!isOfHere || names.length > 0 || command === undefined) return false
      const isHandedOn = shell.flows.some(({ from }) => from === by)
      return isHandedOn ? isShown(shell, by, passesWhole) : !isKept(command)
    })
    if (seen === undefined) return undefined
    const at = seen.by
    return ask(
      `\`${shell.commands[at]?.program ?? ''}\` shows the values of all variables, ${namesOf(secrets)} among them: name those that you need`,
      {
        at,
      },
    )
  },
  examples: [
    asks('all of them', 'env', secret),
    abstains('all of them, with no secret among them', 'env', { facts: { secrets: [] } }),
    abstains('all of them, where it is not known which there are', 'env'),
    abstains('all that a program is started with', 'env FOO=1 npm test', secret),
    abstains('one of them', 'printenv PATH', secret),
    asks('all of them, in order', 'env | sort', secret),
    asks('the beginning of them', 'printenv | head -50', secret),
    asks('in a line of code', "node -e 'console.log(process.env)'", secret),
    abstains('one of them, in a line of code', 'node -p process.env.NODE_ENV', secret),
    abstains('their names, in a line of code', "node -p 'Object.keys(process.env)'", secret),
    asks('by a shell', 'export -p', secret),
    asks('by jq', "jq -n '$ENV'", secret),
    abstains('one of them, by jq', "jq -n '$ENV.HOME'", secret),
    asks('of all processes', 'ps auxe', secret),
    abstains('all processes', 'ps aux', secret),
    asks('by fish', "fish -c 'set -x'", secret),
    abstains('an option of a shell', 'set -x', secret),
    abstains('some of them', 'env | grep NODE_', secret),
    abstains('their names', 'env | cut -d= -f1', secret),
    asks('their values', 'env | cut -d= -f2-', secret),
    asks('every line', "env | grep ''", secret),
    abstains('kept', 'env > env.txt', secret),
    asks('kept and then shown', 'env > env.txt; cat env.txt', secret),
    abstains('none', 'env -i sh -c env', secret),
    abstains('those of another machine', 'ssh host env', secret),
    asks('in another root, where they are the same', 'chroot /mnt env', secret),
    asks('one by one', 'for v in $(compgen -e); do echo "$v=${!v}"; done', secret),
    abstains('their names, one by one', 'for v in $(compgen -e); do echo "$v"; done', secret),
    asks('one by one, by a program', 'env | cut -d= -f1 | xargs -n1 printenv', secret),
    asks('with several secrets', 'set', {
      facts: { secrets: ['A_KEY', 'B_KEY', 'C_KEY', 'D_KEY'] },
    }),
  ],
})
