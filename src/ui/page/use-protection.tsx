import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf, AskedOf, PartOf } from '../api.ts'
import { agentKind, agentTitle, plainText } from './parts/text-parts.ts'
import { changeCount } from './changes.ts'
import { askForParts, failureOf, useAnswer } from './fetch.ts'
import { here, linkTo, project } from './location.ts'
import { protectionOf } from './views/now/protection-state.ts'

export type PageProtection = ReturnType<typeof useProtection>

/** Checks once for all views whether calls are checked: the gate, the agents, and a canary of each enabled agent. */
export function useProtection() {
  const looked = { project: project.started.value }
  const [gate, askGate] = useAnswer('gate', looked)
  const [agents, askAgents] = useAnswer('agents', looked)
  const [turn, checkAgents] = useChecks(
    looked.project,
    agents.answer?.agents.filter((row) => agentKind(row) === 'enabled').map(({ agent }) => agent),
  )
  const again = () => {
    askGate()
    askAgents()
    checkAgents()
  }
  const changes = changeCount.value
  useEffect(() => {
    if (changes > 0) again()
  }, [changes])
  const [approvals, askApprovals] = useAnswer('approvals', {})
  useEffect(() => {
    const timer = setInterval(askApprovals, waitingMs)
    return () => clearInterval(timer)
  }, [])
  const requests = approvals.answer?.requests ?? []
  useWaitingNotices(requests)
  return {
    gate,
    agents,
    turn,
    isBusy: turn.isRunning || agents.state === 'waiting' || gate.state === 'waiting',
    state: protectionOf({ gate: gate.answer, agents: agents.answer?.agents, checks: turn.checks }),
    approvals,
    askApprovals,
    /** The number of calls that wait for a person. */
    waiting: requests.length,
    again,
  }
}

/** Time between two looks for calls that wait, ms: such a call has minutes. */
const waitingMs = 2000

type AgentNames = AskedOf<'checkAgents'>['agents']

/** The results of checking the agents, as far as they have come. */
interface Checks {
  readonly isRunning: boolean
  readonly total: number
  readonly checks: ReadonlyMap<string, PartOf<'checkAgents'>>
}

/**
 * Has agents checked when they are first known, and whenever others are enabled. The second value checks again.
 *
 * @param agents `undefined` until they are known
 */
function useChecks(folder: string, agents: AgentNames | undefined): readonly [Checks, () => void] {
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
        for await (const part of askForParts('checkAgents', { project: folder, agents: names }, stop.signal)) {
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
  }, [folder, key, turn])
  return [state, () => setTurn((before) => before + 1)]
}

type WaitingCalls = NonNullable<AnswerOf<'approvals'>['requests']>

/** Has the browser show a notification for each call that begins to wait, if the person has allowed it. */
function useWaitingNotices(requests: WaitingCalls): void {
  const known = useRef(new Set<string>())
  const ids = requests.map(({ id }) => id).join(' ')
  useEffect(() => {
    const begun = requests.filter(({ id }) => !known.current.has(id))
    known.current = new Set(requests.map(({ id }) => id))
    if (permissionNow() !== 'granted') return
    // On the view of the waiting calls, a person sees them anyway.
    if (here.value.view === 'approvals' && !document.hidden) return
    for (const { id, agent, words } of begun) {
      const what = plainText(words).slice(0, charactersMax)
      const shown = new Notification(`${plainText(agentTitle(agent))} waits for you`, { body: what, tag: id })
      shown.addEventListener('click', () => {
        focus()
        location.hash = linkTo('approvals')
        shown.close()
      })
    }
  }, [ids])
}

/** More than a notification shows. */
const charactersMax = 200

const permissionNow = (): NotificationPermission => ('Notification' in globalThis ? Notification.permission : 'denied')

/** A button with which the person allows these notifications, until the browser has the person's answer. */
export function AllowNotices(): JSX.Element | null {
  const [permission, setPermission] = useState(permissionNow)
  if (permission !== 'default') return null
  return (
    <p>
      <button type="button" onClick={() => void Notification.requestPermission().then(setPermission)}>
        Notify me in this browser
      </button>
    </p>
  )
}
