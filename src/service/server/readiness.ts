import type { Gate } from '../../gate/gate.ts'
import { errorText } from '../../model/errors.ts'

/** A gate's readiness: it decides by loaded rules, and by its bundle where one is configured. */
type Readiness = { readonly ready: true } | { readonly ready: false; readonly why: string }

export interface ReadinessLook {
  look(): Promise<Readiness>
  /** From now on the gate is not ready, since it ends. */
  leave(): void
}

/** Looks whether a gate's rules are loaded and, where a bundle is configured, a verified release of it is in force. */
export function openReadiness(gate: Pick<Gate, 'rulesFor'>): ReadinessLook {
  let isLeaving = false
  return {
    async look() {
      if (isLeaving) return { ready: false, why: 'the gate is stopping' }
      try {
        const { bundle, alarms } = await gate.rulesFor({ workspaceRoots: [] })
        if (bundle !== undefined && bundle.state.release === undefined) {
          const { channel, problem } = bundle.state
          const why = problem === undefined ? '' : `: ${problem}`
          return { ready: false, why: `no verified release of the channel ${channel} is in force${why}` }
        }
        return alarms.length > 0 ? { ready: false, why: alarms.join('; ') } : { ready: true }
      } catch (error) {
        return { ready: false, why: errorText(error) }
      }
    },
    leave() {
      isLeaving = true
    },
  }
}
