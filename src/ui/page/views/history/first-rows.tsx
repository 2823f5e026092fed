import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

/** More are not read at a glance. */
const rowsShown = 12

/**
 * A table that shows its first rows, and all of them after a click.
 *
 * @param what what the rows are
 */
export function FirstRows({
  what,
  head,
  rows,
}: {
  readonly what: string
  readonly head: JSX.Element
  readonly rows: readonly JSX.Element[]
}): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  return (
    <>
      <div class="scroll" role="region" aria-label={`Table of ${what}`} tabIndex={0}>
        <table class="cards">
          <thead>{head}</thead>
          <tbody>{isWhole ? rows : rows.slice(0, rowsShown)}</tbody>
        </table>
      </div>
      {rows.length > rowsShown && (
        <div class="row">
          <button type="button" onClick={() => setWhole(!isWhole)}>
            {isWhole ? `Show the first ${rowsShown}` : `Show all ${rows.length} ${what}`}
          </button>
        </div>
      )}
    </>
  )
}
