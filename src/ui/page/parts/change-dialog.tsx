import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api.ts'
import { makeChange, offered } from '../changes.ts'
import { ask, failureOf, type RequestFailed } from '../fetch.ts'
import { CommandLine } from './copy.tsx'
import { Diff } from './diff.tsx'
import { Failed, Waiting } from './states.tsx'
import { Text } from './text.tsx'
import { TextList } from './text-list.tsx'

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
                {isMaking ? 'Writing …' : 'Write it'}
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
