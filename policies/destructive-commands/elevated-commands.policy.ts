import { abstains, ask, asks, definePolicy, setOf } from 'hookgate/policy'

const elevating = setOf(['sudo', 'doas', 'pkexec', 'su', 'run0', 'dzdo', 'gsudo', 'runas', 'sudoedit'])

/** Options with which nothing is started. */
const isIdle = (word: string) => /^(?:-[lvkKV]+|-h|--help|--list|--validate|--version|--reset-timestamp)$/.test(word)

export default definePolicy({
  id: 'elevated-commands',
  severity: 'low',
  description: "Asks before anything is done with another user's rights",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: elevating.members },
  params: {
    elevatedPrograms: {
      type: 'strings',
      default: [],
      description: 'programs that `sudo` may start without asking',
    },
  },
  decide({ shell, params }) {
    for (const [at, { program, args }] of shell.commands.entries()) {
      if (!elevating.has(program) || isIdle(args[0]?.value ?? '')) continue
      const started = shell.commands.filter(({ startedBy }) => startedBy === at)
      if (started.length > 0 && started.every((one) => params.elevatedPrograms.includes(one.program))) continue
      const what = started[0]?.program ?? 'a program'
      return ask(`${program} would run ${what} with another user's rights: do it without them if possible`, { at })
    }
    return undefined
  },
  examples: [
    asks('as root', 'sudo ls /root'),
    abstains('as oneself', 'ls /root'),
    asks('as another user', 'su other -c ls'),
    abstains('what is allowed', 'sudo -l'),
    abstains('in a string', 'echo "sudo ls"'),
    abstains('where it is allowed', 'sudo apt-get update', { params: { elevatedPrograms: ['apt-get'] } }),
    asks('something else', 'sudo make install', { params: { elevatedPrograms: ['apt-get'] } }),
  ],
})
