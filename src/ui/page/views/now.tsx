import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { here } from '../location.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import type { PageProtection } from '../use-protection.ts'
import { clearFilters, filterIn, Filters, isFiltered, isFoldedBy } from './now/filters.tsx'
import { ProtectionPanel } from './now/protection.tsx'
import { DecisionTable } from './now/table.tsx'
import { type Connection, type DecisionFeed, useDecisionFeed } from './now/use-feed.ts'

/** The first screen: whether agents are checked, and the decisions as they come. */
export function NowView({ protection }: { readonly protection: PageProtection }): JSX.Element {
  const { params } = here.value
  const [isPaused, setPaused] = useState(false)
  const [isReading, setReading] = useState(false)
  const filter = filterIn(params)
  const decisions = useDecisionFeed(filter, isPaused || isReading)
  const number = decisions.feed?.heldNumber ?? 0
  const isWaiting = isPaused || isReading
  useEffect(() => {
    if (!isWaiting && number > 0) decisions.release()
  }, [isWaiting, number])

  function showNew(): void {
    setPaused(false)
    setReading(false)
    decisions.release()
    document.querySelector('.decisions')?.scrollTo({ top: 0 })
  }

  return (
    <div class="now">
      <div class="row top">
        <h1>Now</h1>
        <ConnectionState connection={decisions.connection} isPaused={isPaused} />
        {number > 0 && !isPaused && (
          <button type="button" class="main" onClick={showNew}>
            {number} new
          </button>
        )}
        <button type="button" class={isPaused ? 'main' : ''} onClick={isPaused ? showNew : () => setPaused(true)}>
          {isPaused ? `Resume${number > 0 ? `, ${number} new` : ''}` : 'Pause'}
        </button>
      </div>
      <ProtectionPanel protection={protection} headSeq={decisions.feed?.headSeq ?? 0} />
      <Filters isReady={decisions.feed !== undefined} />
      <ConnectionProblem connection={decisions.connection} />
      <Rows key={JSON.stringify(filter)} decisions={decisions} params={params} onReading={setReading} />
    </div>
  )
}

function Rows({
  decisions: { feed, failed, olderFailed, loadOlder, retry },
  params,
  onReading,
}: {
  readonly decisions: DecisionFeed
  readonly params: Readonly<Record<string, string>>
  readonly onReading: (isReading: boolean) => void
}): JSX.Element {
  if (failed !== undefined) return <Failed error={failed} onRetry={retry} />
  if (feed === undefined) return <Waiting what="Reading the record" />
  const { shown, hasOlder } = feed
  if (shown.length === 0) return isFiltered(params) ? <NothingMatches /> : <NothingRecorded />
  return (
    <>
      <DecisionTable
        decisions={shown}
        isFolded={isFoldedBy(params)}
        isBySession={params['by'] === 'session'}
        hasOlder={hasOlder}
        onEnd={loadOlder}
        onReading={onReading}
      />
      {olderFailed !== undefined && <Failed error={olderFailed} onRetry={loadOlder} />}
    </>
  )
}

const NothingRecorded = () => (
  <Empty what="Nothing is recorded yet.">
    <p>Decisions appear here as soon as an enabled agent makes a call.</p>
  </Empty>
)

const NothingMatches = () => (
  <Empty what="No recorded decision matches these filters.">
    <p>New ones that match appear here.</p>
    <button type="button" onClick={clearFilters}>
      Clear the filters
    </button>
  </Empty>
)

/** Says in a word whether new decisions arrive. */
function ConnectionState({
  connection: { state },
  isPaused,
}: {
  readonly connection: Connection
  readonly isPaused: boolean
}): JSX.Element {
  const shown = state === 'open' && isPaused ? 'paused' : state
  return (
    <span class={`connection ${shown}`} role="status">
      {connectionWords[shown]}
    </span>
  )
}

const connectionWords: Readonly<Record<Connection['state'] | 'paused', string>> = {
  opening: 'Connecting',
  open: 'Live',
  paused: 'Paused',
  broken: 'Reconnecting',
  ended: 'Ended',
}

/** Says why no new decisions arrive. What was read stays in sight. */
function ConnectionProblem({ connection }: { readonly connection: Connection }): JSX.Element | null {
  switch (connection.state) {
    case 'opening':
    case 'open':
      return null
    case 'broken':
      return (
        <div class="notice" role="alert">
          {connection.error.code === 'unreachable' ? (
            <>
              <strong>
                No new decisions arrive: <code>hookgate ui</code> does not answer.
              </strong>{' '}
              This page tries again by itself. If it was stopped, run <code>hookgate ui</code> and open its link; agents
              are gated all the same.
            </>
          ) : (
            <>
              <strong>No new decisions arrive: {connection.error.message}.</strong> This page tries again by itself. To
              do: {connection.error.remedy}.
            </>
          )}
        </div>
      )
    case 'ended':
      return (
        <div class="notice" role="alert">
          <strong>
            No new decisions arrive: another <code>hookgate ui</code> is running now.
          </strong>{' '}
          Press Enter in its terminal, and open the link that it prints.
        </div>
      )
  }
}
