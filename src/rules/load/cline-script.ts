import { subscribedEvents } from '../../agents/event-names.ts'
import type { Rule } from '../../model/rule.ts'
import type { Disk } from '../../model/disk.ts'
import type { Found } from '../find/found.ts'
import type { Problem } from '../../model/problem.ts'
import type { Draft } from './bind/draft.ts'
import { isOwnLauncher } from './own-launcher.ts'

/** Makes a rule of a Cline hook, if it is enabled. */
export function loadScript({ source, event, file, enabled }: Extract<Found, { kind: 'script' }>, disk: Disk): Draft {
  const id = `${source.id}/${event}`
  const subscribed = subscribedEvents('cline', event)
  const rule: Rule | undefined = subscribed && {
    id,
    source,
    match: {
      spelled: event,
      events: subscribed.events,
      triggers: subscribed.triggers,
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
    untrustedReason: undefined,
  }
  const callsHookgate = enabled && isOwnLauncher({ form: 'script', file }, disk)
  const off = `${id} is switched off: it has no execute bit (\`chmod +x\` switches it on)`
  return {
    source,
    entries: rule === undefined || callsHookgate || !enabled ? [] : [rule],
    claimed: [],
    problems: enabled ? [] : [notExecutable(file)],
    notes: enabled ? [] : [off],
    asking: callsHookgate ? [id] : [],
    disableAllHooks: false,
    places: new Map([[id, { file }]]),
  }
}

/** Warns of a disabled hook. Cline disables hooks this way, but a checkout or a copy can lose the execute bit too. */
function notExecutable(file: string): Problem {
  const message = 'this hook is switched off: it has no execute bit'
  return { severity: 'warning', place: { file }, message, remedy: '`chmod +x` switches it on' }
}
