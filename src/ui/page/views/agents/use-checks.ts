import { useEffect, useState } from 'preact/hooks'
import type { AskedOf, PartOf } from '../../../api.ts'
import { askForParts, failureOf } from '../../fetch.ts'

type AgentNames = AskedOf<'checkAgents'>['agents']

/** The results of checking the agents, as far as they have come. */
export interface Checks {
  readonly isRunning: boolean
  readonly total: number
  readonly checks: ReadonlyMap<string, PartOf<'checkAgents'>>
}

/**
 * Has agents checked when they are first known, and whenever others are enabled. The second value checks again.
 *
 * @param agents `undefined` until they are known
 */
export function useChecks(project: string, agents: AgentNames | undefined): readonly [Checks, () => void] {
  const [state, setState] = useState<Checks>({ isRunning: false, total: 0, checks: new Map() })
  const [turn, setTurn] = useState(0)
  const key = agents?.join()
  useEffect(() => {
    if (agents === undefined) return undefined
    const stop = new AbortController()
    const checks = new Map<string, PartOf<'checkAgents'>>()
    const show = (isRunning: boolean) => {
      if (!stop.signal.aborted) setState({ isRunning, total: agents.length, checks: new Map(checks) })
    }
    async function check(names: AgentNames): Promise<void> {
      show(names.length > 0)
      try {
        if (names.length === 0) return
        for await (const part of askForParts('checkAgents', { project, agents: names }, stop.signal)) {
          checks.set(part.agent, part)
          show(true)
        }
      } catch (cause) {
        const problem = failureOf(cause).message
        for (const agent of names) if (!checks.has(agent)) checks.set(agent, { agent, problem })
      } finally {
        show(false)
      }
    }
    void check(agents)
    return () => stop.abort()
  }, [project, key, turn])
  return [state, () => setTurn((before) => before + 1)]
}
