import { counted, numberText } from './counted.ts'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import {
  actOf,
  changeNews,
  type EndingRules,
  madeChanges,
  makeChange,
  offered,
  readMade,
  undoChange,
} from '../changes.ts'
import { ask, failureOf, type RequestFailed, useAnswer } from '../fetch.ts'
import { CommandLine, Text, TextList } from './text.tsx'
import { Failed, Waiting } from './states.tsx'

/** Shows what a change would do before it is made. There is one, for all views. */
export function ChangeDialog(): JSX.Element | null {
  const offer = offered.value
  const dialog = useRef<HTMLDialogElement>(null)
  const [proposal, setProposal] = useState<AnswerOf<'proposeChange'>>()
  const [error, setError] = useState<RequestFailed>()
  const [isMaking, setMaking] = useState(false)

  useEffect(() => {
    if (offer === undefined) return undefined
    const stop = new AbortController()
    setProposal(undefined)
    setError(undefined)
    setMaking(false)
    dialog.current?.showModal()
    ask('proposeChange', { change: offer.change, project: offer.project }, stop.signal).then(
      (answer) => !stop.signal.aborted && setProposal(answer),
      (cause: unknown) => !stop.signal.aborted && setError(failureOf(cause)),
    )
    return () => stop.abort()
  }, [offer])

  const close = () => dialog.current?.close()
  const make = async (title: string, id: string) => {
    setMaking(true)
    setError(undefined)
    try {
      await makeChange(title, id)
      close()
    } catch (cause) {
      setError(failureOf(cause))
      setMaking(false)
    }
  }

  return (
    <dialog ref={dialog} class="change" aria-labelledby="change-title" onClose={() => (offered.value = undefined)}>
      {offer !== undefined && (
        <>
          <h2 id="change-title">
            <Text text={offer.title} />
          </h2>
          {proposal === undefined && error === undefined && <Waiting what="Looking at what would change" />}
          {offer.ends !== undefined && offer.ends.rules.length > 0 && <Ending ends={offer.ends} />}
          {proposal !== undefined && <Proposed proposal={proposal} />}
          {error !== undefined && <Failed error={error} />}
          <div class="row buttons">
            {proposal !== undefined && !proposal.isNothing && (
              <button
                type="button"
                class="main"
                disabled={isMaking}
                onClick={() => void make(offer.title, proposal.id)}
              >
                {isMaking ? 'Writing …' : actOf(offer.change)}
              </button>
            )}
            <button type="button" onClick={close}>
              {proposal?.isNothing === false ? 'Cancel' : 'Close'}
            </button>
          </div>
        </>
      )}
    </dialog>
  )
}

/** Says which protection a change takes away: "14 rules stop; they refused 22 calls in 30 days". */
function Ending({ ends: { rules, how } }: { readonly ends: EndingRules }): JSX.Element {
  const [{ answer }] = useAnswer('stoppedCalls', { rules: [...rules] })
  const [they, stop] = rules.length === 1 ? ['it', endWords[how].one] : ['they', endWords[how].several]
  return (
    <p class="notice" role="status">
      {rules.length} {stop}
      {answer !== undefined && `; ${they} ${stoppedText(answer)}`}.
    </p>
  )
}

const endWords = {
  stop: { one: 'rule stops', several: 'rules stop' },
  observe: { one: 'rule only observes', several: 'rules only observe' },
} as const

function stoppedText({ refused, asked, days }: AnswerOf<'stoppedCalls'>): string {
  if (refused + asked === 0) return `stopped nothing in ${days} days`
  const questions = asked === 0 ? '' : ` and asked about ${numberText(asked)}`
  return `refused ${counted(refused, 'call')}${questions} in ${days} days`
}

function Proposed({ proposal }: { readonly proposal: AnswerOf<'proposeChange'> }): JSX.Element {
  const { files, notes, byHand, isNothing } = proposal
  return (
    <>
      {isNothing && <p>It is so already: there is nothing to write.</p>}
      {!isNothing && files.length === 0 && <p>No file is changed; hookgate remembers it beside the refusal.</p>}
      {files.map(({ file, diff }) => (
        <Diff key={file} file={file} diff={diff} />
      ))}
      <TextList kind="notes" texts={notes} />
      <div>
        <p class="faint">The same by hand:</p>
        <CommandLine line={byHand} />
      </div>
    </>
  )
}

/** Shows the change of a file as `diff -u` does. */
function Diff({ file, diff }: { readonly file: string; readonly diff: string }): JSX.Element {
  // The first two lines name the file, which stands above.
  const lines = diff.replace(/\n$/, '').split('\n')
  const body = lines.filter((line, index) => index > 1 || !/^(?:---|\+\+\+) /.test(line))
  return (
    <figure class="diff">
      <figcaption>
        <Text text={file} />
      </figcaption>
      <pre tabIndex={0} role="group" aria-label="The change of the file">
        {body.map((line, index) => (
          <span key={index} class={`line ${kindOf(line)}`}>
            <Text text={line === '' ? ' ' : line} />
          </span>
        ))}
      </pre>
    </figure>
  )
}

function kindOf(line: string): string {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'place' : ''
}

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
