import type { JSX } from 'preact'
import { Failed, Waiting } from '../parts/states.tsx'
import { Text } from '../parts/text.tsx'
import { useAnswer } from '../use-answer.ts'

/** What was decided about one event, and why. */
export function DecisionView({ id }: { readonly id: string }): JSX.Element {
  const [asking, again] = useAnswer('decision', { id })
  if (asking.state === 'failed') return <Failed error={asking.error} onRetry={again} />
  if (asking.answer === undefined) return <Waiting what="Looking for the decision" />
  const { record } = asking.answer
  return (
    <>
      <h1>Decision</h1>
      <Text text={record.subject ?? record.event ?? ''} />
      <p>
        <Text text={record.reason} />
      </p>
    </>
  )
}
