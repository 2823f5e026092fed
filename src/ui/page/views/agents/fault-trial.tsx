import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnswerOf, AskedOf } from '../../../api.ts'
import { ask, failureOf, type RequestFailed } from '../../fetch.ts'
import { Failed } from '../../parts/states.tsx'
import { Text } from '../../parts/text.tsx'
import { project } from '../../project.ts'

type Faults = AnswerOf<'tryFaults'>
type Trial =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'done'; readonly faults: Faults }
  | { readonly state: 'failed'; readonly error: RequestFailed }

/** Tries what an agent sees when the gate, the rules or the client fail: on demand, since it takes some seconds. */
export function FaultTrial({ agent }: { readonly agent: AskedOf<'tryFaults'>['agent'] }): JSX.Element {
  const [trial, setTrial] = useState<Trial>({ state: 'idle' })
  async function run(): Promise<void> {
    setTrial({ state: 'running' })
    try {
      setTrial({ state: 'done', faults: await ask('tryFaults', { project: project.current.value, agent }) })
    } catch (cause) {
      setTrial({ state: 'failed', error: failureOf(cause) })
    }
  }
  return (
    <>
      <button type="button" disabled={trial.state === 'running'} onClick={() => void run()}>
        {trial.state === 'running' ? 'Testing failure modes …' : 'Test failure modes'}
      </button>
      <div class="trial" role="status">
        {trial.state === 'failed' && <Failed error={trial.error} />}
        {trial.state === 'done' && <FaultTable faults={trial.faults} />}
      </div>
    </>
  )
}

function FaultTable({ faults: { rows } }: { readonly faults: Faults }): JSX.Element {
  if (rows.length === 0) return <p>There is nothing to try: its hooks are not those of hookgate.</p>
  return (
    <div class="scroll">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">It must see</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, what, seen, results }) => (
            <tr key={id}>
              <td>{what}</td>
              <td data-label="It must see">{seen}</td>
              <td data-label="Result">
                {results.map(({ kind, why }, index) => (
                  <span key={index}>
                    <span class={`badge ${kind === 'ok' ? 'allowed' : 'refused'}`}>{resultWords[kind]}</span>{' '}
                    {why !== undefined && <Text text={why} />}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const resultWords: Readonly<Record<Faults['rows'][number]['results'][number]['kind'], string>> = {
  ok: 'as it should be',
  notSafe: 'not safe',
  wrong: 'stopped for another reason',
}
