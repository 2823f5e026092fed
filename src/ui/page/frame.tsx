import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { keepAgentTitles } from './parts/text-parts.ts'
import { here, linkTo, pageTitle, project, type ViewName, viewNames } from './location.ts'
import { ChangeBar, ChangeDialog } from './parts/change-dialog.tsx'
import { Failed } from './parts/states.tsx'
import { useAnswer } from './fetch.ts'
import { type PageProtection, useProtection } from './use-protection.tsx'
import { ApprovalsView } from './views/approvals.tsx'
import { AgentsView } from './views/agents.tsx'
import { DecisionView } from './views/decision.tsx'
import { HistoryView } from './views/history.tsx'
import { NowView } from './views/now.tsx'
import { protectionWords } from './views/now/protection-state.ts'
import { ReplayView } from './views/replay.tsx'
import { RulesView } from './views/rules.tsx'
import { SessionView } from './views/session.tsx'
import { SessionsView } from './views/sessions.tsx'

/** The page, once it knows what it is about. */
export function Frame(): JSX.Element {
  const [about] = useAnswer('about', {})
  if (about.state === 'failed') {
    return (
      <main class="alone">
        <h1>hookgate</h1>
        <Failed error={about.error} />
      </main>
    )
  }
  if (about.answer === undefined) return <main class="alone" aria-busy="true" />
  project.start(about.answer.cwd)
  keepAgentTitles(about.answer.agentTitles)
  return <OpenFrame version={about.answer.version} />
}

/** The frame of every view: the navigation, and whether agents are checked. */
function OpenFrame({ version }: { readonly version: string }): JSX.Element {
  const protection = useProtection()
  const { view, id } = here.value
  const isFirst = useRef(true)
  useEffect(() => {
    pageTitle.value = titles[view]
    // Readers by screen reader or keyboard continue where the new view begins.
    if (!isFirst.current && document.activeElement?.matches('.filters input') !== true) {
      document.getElementById('content')?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    isFirst.current = false
  }, [view, id])
  const { waiting } = protection
  const title = pageTitle.value
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · hookgate`
  }, [title, waiting])
  const { word, kind } = protectionWords[protection.state.level]
  return (
    <div class="frame">
      <a class="skip" href="#content" onClick={focusContent}>
        Skip to the content
      </a>
      <header class="bar">
        <a class="name" href={linkTo('now')}>
          <img src="/icon.svg" alt="" width="24" height="24" />
          hookgate
        </a>
        <span class={`badge ${kind}`}>{word}</span>
        <nav aria-label="Views">
          {viewNames.map((name) => (
            <a key={name} href={linkTo(name)} aria-current={isCurrent(name, view) ? 'page' : undefined}>
              {titles[name]}
              {name === 'approvals' && waiting > 0 && (
                <span class="badge asked">
                  {waiting}
                  <span class="hidden"> waiting</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <span class="version">{version}</span>
      </header>
      <main id="content" class={`view-${view}`} tabIndex={-1} aria-label={titles[view]}>
        <View protection={protection} />
      </main>
      <ChangeBar />
      <ChangeDialog />
      <Keys />
    </div>
  )
}

const titles: Readonly<Record<ViewName, string>> = {
  now: 'Now',
  approvals: 'Approvals',
  decision: 'Decision',
  sessions: 'Sessions',
  session: 'Session',
  history: 'History',
  rules: 'Rules',
  agents: 'Agents',
  replay: 'Replay',
}

/** One decision is a part of what happens now, and one session of all of them. */
const isCurrent = (name: ViewName, view: ViewName) =>
  name === view || (name === 'now' && view === 'decision') || (name === 'sessions' && view === 'session')

function View({ protection }: { readonly protection: PageProtection }): JSX.Element {
  const { view, id } = here.value
  switch (view) {
    case 'now':
      return <NowView protection={protection} />
    case 'decision':
      return <DecisionView id={id ?? ''} />
    case 'sessions':
      return <SessionsView />
    case 'session':
      return <SessionView session={id ?? ''} />
    case 'approvals':
      return <ApprovalsView protection={protection} />
    case 'history':
      return <HistoryView protection={protection} />
    case 'rules':
      return <RulesView />
    case 'agents':
      return <AgentsView protection={protection} />
    case 'replay':
      return <ReplayView />
  }
}

/** Moves the focus without a change of the address, which names the view. */
function focusContent(event: Event): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** The keys of the page: `/` looks for a decision, `?` shows the keys. */
function Keys(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '/') {
        event.preventDefault()
        void search()
      } else if (event.key === '?') dialog.current?.showModal()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <dialog class="keys" ref={dialog} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl class="facts">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

const keys = [
  ['/', 'look for a command or a reason'],
  ['↑ ↓', 'go through the decisions'],
  ['Enter', 'open one'],
  ['Home End', 'the newest, the oldest'],
  ['?', 'these keys'],
] as const

/** True where a key writes: it belongs to the field then. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog[open]') !== null

/** Moves the focus to the search field of the decisions, once that view is there. */
async function search(): Promise<void> {
  if (here.value.view !== 'now') location.hash = linkTo('now')
  for (let frame = 0; frame < framesToWait; frame += 1) {
    const field = document.querySelector<HTMLInputElement>('.filters input[type=search]')
    if (field !== null) return field.focus()
    // oxlint-disable-next-line no-await-in-loop -- frame by frame, until the view is drawn
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
/** A second, on most screens. */
const framesToWait = 60
