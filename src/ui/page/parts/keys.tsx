import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { here, linkTo } from '../location.ts'

/** The keys of the page: `/` looks for a decision, `?` shows the keys. */
export function Keys(): JSX.Element {
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
