import { hearing } from '../../model/event-names.ts'
import type { Rule } from '../../model/rule.ts'
import type { Disk } from '../disk.ts'
import type { Found } from '../find/found.ts'
import type { Problem } from '../problem.ts'
import type { Draft } from './draft.ts'
import { isAsked, isOwnLauncher } from './own-launcher.ts'

/** A Cline hook as a rule, if it is switched on. */
export function loadScript({ source, event, file, enabled }: Extract<Found, { kind: 'script' }>, disk: Disk): Draft {
  const id = `${source.id}/${event}`
  const heard = hearing('cline', event)
  const rule: Rule | undefined = heard && {
    id,
    source,
    match: {
      spelled: event,
      events: heard.events,
      triggers: heard.triggers,
      matcher: { kind: 'any' },
      subject: { kind: 'any' },
      condition: undefined,
    },
    handler: {
      kind: 'command',
      dialect: 'cline',
      program: { form: 'script', file },
      env: {},
      plainTextEvents: [],
      async: false,
    },
    onFailure: 'continue',
    timeoutMs: undefined,
    sequence: undefined,
    distrust: undefined,
  }
  const off = whyOff(id, file, enabled, disk)
  const entries = rule === undefined || off !== undefined ? [] : [rule]
  const notes = off === undefined ? [] : [off]
  const problems = enabled ? [] : [notExecutable(file)]
  return { source, entries, claimed: [], problems, notes, disableAllHooks: false, places: new Map([[id, { file }]]) }
}

/** Cline's own switch, but also what a checkout or a copy forgets: nobody should believe in a guard that is off. */
function notExecutable(file: string): Problem {
  const message = 'this hook is switched off: it has no execute bit'
  return { severity: 'warning', place: { file }, message, remedy: '`chmod +x` switches it on' }
}

function whyOff(id: string, file: string, enabled: boolean, disk: Disk): string | undefined {
  if (!enabled) return `${id} is switched off: it has no execute bit (\`chmod +x\` switches it on)`
  return isOwnLauncher({ form: 'script', file }, disk) ? isAsked(id) : undefined
}
