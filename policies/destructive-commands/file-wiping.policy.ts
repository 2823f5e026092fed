import { ask, definePolicy, deny, setOf } from 'hookgate/policy'
import { aroundOf, nameOf } from './deletions.ts'
import { placeOf } from './places.ts'

const wipers = setOf(['shred', 'srm', 'wipe', 'scrub', 'sdelete', 'sdelete64', 'bcwipe'])

export default definePolicy({
  id: 'file-wiping',
  severity: 'high',
  description: 'Refuses to wipe files beyond recovery; asks about those in the workspace',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    let asked: string | undefined
    for (const { program, paths } of shell.commands) {
      if (!wipers.has(program)) continue
      for (const path of paths) {
        if (path.access === 'read') continue
        const place = placeOf(path, around)
        if (place === 'in-temp') continue
        if (place !== 'in-workspace' && place !== 'unknown') {
          return deny(`${program} would wipe ${nameOf(path)}, and there may be no backup: let the person do it`)
        }
        asked ??= `${program} would wipe ${nameOf(path)} beyond recovery: rm is enough for files that are not secret`
      }
    }
    return asked === undefined ? undefined : ask(asked)
  },
  examples: [
    { name: 'keys', given: { input: { command: 'shred -u ~/.ssh/id_rsa' } }, want: 'deny' },
    { name: 'a temporary file', given: { input: { command: 'shred -u /tmp/key' } }, want: 'abstain' },
    {
      name: 'a file of a home among temporary files',
      given: { input: { command: 'shred ~/thesis.tex' }, home: '/tmp/agent' },
      want: 'deny',
    },
    {
      name: 'a temporary file beside such a home',
      given: { input: { command: 'shred /tmp/key' }, home: '/tmp/agent' },
      want: 'abstain',
    },
    { name: 'a log of the system', given: { input: { command: 'shred /var/log/syslog' } }, want: 'deny' },
    { name: 'reading it', given: { input: { command: 'cat /var/log/syslog' } }, want: 'abstain' },
    { name: 'a file of the workspace', given: { input: { command: 'shred notes.txt' } }, want: 'ask' },
    { name: 'help', given: { input: { command: 'shred --help' } }, want: 'abstain' },
  ],
})
