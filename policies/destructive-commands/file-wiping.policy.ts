import { abstains, ask, asks, definePolicy, denies, deny, placedName, type PolicyAnswer } from 'hookgate/policy'
import { aroundOf, nameOf } from './deletions.ts'
import { placeOf } from './places.ts'

export default definePolicy({
  id: 'file-wiping',
  severity: 'high',
  description: 'Refuses to wipe files beyond recovery; asks about those in the workspace',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['prompt'],
  interest: { access: ['wiped'] },
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const { program, paths } = command
      for (const path of paths) {
        if (path.change !== 'wiped') continue
        const place = placeOf(path, around)
        if (place === 'in-temp') continue
        if (place !== 'in-workspace' && place !== 'unknown') {
          return deny(
            `\`${program}\` would wipe ${placedName(nameOf(path), path, command, shell)}, and there may be no backup: let the person do it`,
            { at },
          )
        }
        question ??= ask(
          `\`${program}\` would wipe ${placedName(nameOf(path), path, command, shell)} beyond recovery: use \`rm\`, which is enough for what is not secret`,
          { at },
        )
      }
    }
    return question
  },
  examples: [
    denies('keys', 'shred -u ~/.ssh/id_rsa'),
    abstains('a temporary file', 'shred -u /tmp/key'),
    denies('a file of a home among temporary files', 'shred ~/thesis.tex', { home: '/tmp/agent' }),
    abstains('a temporary file beside such a home', 'shred /tmp/key', { home: '/tmp/agent' }),
    denies('a log of the system', 'shred /var/log/syslog'),
    abstains('reading it', 'cat /var/log/syslog'),
    asks('a file of the workspace', 'shred notes.txt'),
    abstains('help', 'shred --help'),
  ],
})
