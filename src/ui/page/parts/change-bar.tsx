import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { changeNews, madeChanges, readMade, undoChange } from '../changes.ts'
import { Failed } from './states.tsx'
import { Text } from './text.tsx'

/** Says what was just changed, and lists the changes of this run: each can be taken back. */
export function ChangeBar(): JSX.Element {
  useEffect(() => {
    // A list that cannot be read yet is read with the next change.
    readMade().catch(() => {})
  }, [])
  const made = madeChanges.value
  return (
    <aside class="changes" aria-label="Changes of this session">
      <div class="news" role="status">
        <News />
      </div>
      {made.length > 0 && (
        <details>
          <summary>Changes of this session ({made.length})</summary>
          <ul>
            {made.map((one) => (
              <li key={one.id} class="row">
                <time dateTime={new Date(one.atMs).toISOString()}>{new Date(one.atMs).toLocaleTimeString()}</time>
                <code>
                  <Text text={one.byHand} charactersMax={300} />
                </code>
                <button type="button" onClick={() => void undoChange(one)}>
                  Undo
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  )
}

function News(): JSX.Element | null {
  const news = changeNews.value
  if (news === undefined) return null
  const close = (
    <button type="button" onClick={() => (changeNews.value = undefined)}>
      Close
    </button>
  )
  switch (news.kind) {
    case 'made':
      return (
        <div class="row toast">
          <span>
            Done: <Text text={news.title} />
          </span>
          <button type="button" class="main" onClick={() => void undoChange(news.made)}>
            Undo
          </button>
          {close}
        </div>
      )
    case 'undone':
      return (
        <div class="row toast">
          <span>
            Taken back: <Text text={news.byHand} charactersMax={300} />
          </span>
          {close}
        </div>
      )
    case 'failed':
      return (
        <div class="toast">
          <Failed error={news.error} />
          {close}
        </div>
      )
  }
}
