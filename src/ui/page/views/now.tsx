import type { JSX } from 'preact'
import { linkTo } from '../location.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Text } from '../parts/text.tsx'
import { useAnswer } from '../use-answer.ts'

/** The decisions as they come. */
export function NowView(): JSX.Element {
  const [asking, again] = useAnswer('decisions', { limit: 100 })
  if (asking.state === 'failed') return <Failed error={asking.error} onRetry={again} />
  if (asking.answer === undefined) return <Waiting what="Reading the record" />
  const { rows } = asking.answer
  return (
    <>
      <h1>Now</h1>
      {rows.length === 0 && <Empty what="Nothing is recorded yet." />}
      <ol>
        {rows.map(({ seq, record }) => (
          <li key={seq}>
            <a href={linkTo('decision', { id: record.id })}>
              <Text text={record.subject ?? record.event ?? record.id} charactersMax={200} />
            </a>
          </li>
        ))}
      </ol>
    </>
  )
}
