import { abstains, ask, asks, definePolicy, denies, deny, setOf, unknownPart } from 'hookgate/policy'
import { assignmentsOf } from './git.ts'

/** Variables by which git runs a program, with what it is there for. */
const running = setOf([
  'GIT_SSH_COMMAND', 'GIT_SSH', 'GIT_PROXY_COMMAND', 'GIT_EXTERNAL_DIFF', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR',
  'GIT_ASKPASS', 'SSH_ASKPASS',
]) // prettier-ignore
const folders = setOf(['GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR', 'GIT_CONFIG', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'])

const harmless =
  /^(?:|ssh|plink|cat|less|more|true|false|echo|:|vim?|nvim|nano|emacs|code|sed|ed|perl|touch|cp|delta|ssh-askpass|gnome-ssh-askpass)$/
const harmful = /(?:proxycommand|localcommand|permitlocalcommand|knownhostscommand)|[;&|`$(]/i

export default definePolicy({
  id: 'git-environment',
  severity: 'high',
  description: 'Refuses to make git run a workspace script through a variable; asks about other programs',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['export declare typeset readonly env setx setenv'], assignments: true },
  decide({ shell }) {
    const assigned = shell.commands.flatMap((command, at) =>
      assignmentsOf(command).map(([name, value]) => ({ name, value, at })),
    )
    for (const { name, value, at } of assigned) {
      const first = /^\S*/.exec(value)?.[0] ?? ''
      const program = first.slice(first.lastIndexOf('/') + 1)
      if (
        running.has(name) &&
        !(harmless.test(program) && (first === program || first.startsWith('/usr/')) && !harmful.test(value))
      ) {
        const message = `${name} makes git run ${first.replaceAll(unknownPart, '…')}`
        return /^(?:\.|\/tmp|\/var\/tmp|\/dev)|[;&|`(]/.test(value)
          ? deny(`${message}, which is not reviewed: unset it`, { at })
          : ask(`${message}: unset it, or let the person set it`, { at })
      }
      if (folders.has(name) && value !== '' && value !== '/dev/null') {
        return ask(`${name} makes git take programs or settings from ${value.replaceAll(unknownPart, '…')}: unset it`, {
          at,
        })
      }
    }
    return undefined
  },
  examples: [
    denies('a script', 'GIT_SSH_COMMAND=./x git fetch'),
    abstains('ssh with a key', "GIT_SSH_COMMAND='ssh -i key' git fetch"),
    denies('for those behind it', 'export GIT_SSH=/tmp/x; git pull'),
    abstains('a variable of another name', 'export SSH_KEY=/tmp/x; git pull'),
    asks('ssh that runs more', "GIT_SSH_COMMAND='ssh -o ProxyCommand=x' git pull"),
    abstains('no editor', 'GIT_EDITOR=true git rebase --continue'),
    asks('other settings', 'GIT_CONFIG_GLOBAL=/tmp/x git status'),
    abstains('no settings', 'GIT_CONFIG_GLOBAL=/dev/null git status'),
  ],
})
