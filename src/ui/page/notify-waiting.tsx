import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../api.ts'
import { agentTitle } from './agents.ts'
import { here, linkTo } from './location.ts'
import { plainText } from './parts/text-parts.ts'

type WaitingCalls = NonNullable<AnswerOf<'approvals'>['requests']>

/** Has the browser show a notification for each call that begins to wait, if the person has allowed it. */
export function useWaitingNotices(requests: WaitingCalls): void {
  const known = useRef(new Set<string>())
  const ids = requests.map(({ id }) => id).join(' ')
  useEffect(() => {
    const begun = requests.filter(({ id }) => !known.current.has(id))
    known.current = new Set(requests.map(({ id }) => id))
    if (permissionNow() !== 'granted') return
    // On the view of the waiting calls, a person sees them anyway.
    if (here.value.view === 'approvals' && !document.hidden) return
    for (const { id, agent, toolName, subject } of begun) {
      const what = plainText(subject === '' ? toolName : subject).slice(0, charactersMax)
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
