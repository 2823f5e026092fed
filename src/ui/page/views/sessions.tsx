import { numberText } from '../parts/counted.ts'
import type { JSX } from 'preact'
import { useAnswer } from '../fetch.ts'
import { linkTo } from '../location.ts'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { agentTitle, folderName } from '../parts/text-parts.ts'
import { Moment, Text } from '../parts/text.tsx'

/** The sessions with the latest decisions. */
export function SessionsView(): JSX.Element {
  const [asking, again] = useAnswer('sessions', {})
  const { answer } = asking
  return (
    <>
      <h1>Sessions</h1>
      {asking.state === 'failed' && <Failed error={asking.error} onRetry={again} />}
      {asking.state === 'waiting' && answer === undefined && <Waiting what="Reading the record" />}
      {answer?.sessions.length === 0 && (
        <Empty what="Nothing is recorded yet.">
          <p>A session appears here with the first call of an enabled agent.</p>
        </Empty>
      )}
      {answer !== undefined && answer.sessions.length > 0 && (
        <div class="card scroll" tabIndex={0} role="region" aria-label="Sessions, the latest first">
          <table class="cards sessions">
            <thead>
              <tr>
                <th scope="col">Session</th>
                <th scope="col">Latest</th>
                <th scope="col">Began</th>
                <th scope="col" class="number">
                  Calls
                </th>
                <th scope="col" class="number">
                  Refused
                </th>
                <th scope="col" class="number">
                  Asked
                </th>
              </tr>
            </thead>
            <tbody>
              {answer.sessions.map(({ agent, session, project, since, latest, decisions, refused, asked }) => (
                <tr key={`${agent} ${session}`}>
                  <th scope="row">
                    <a href={linkTo('session', { id: session, params: { agent } })}>
                      <Text text={agentTitle(agent)} charactersMax={100} />
                      {project !== null && (
                        <>
                          {' in '}
                          <Text text={folderName(project)} charactersMax={200} />
                        </>
                      )}
                    </a>{' '}
                    <span class="faint">
                      <Text text={session.slice(0, idCharacters)} />
                    </span>
                  </th>
                  <td data-label="Latest">
                    <Moment at={latest} />
                  </td>
                  <td data-label="Began">
                    <Moment at={since} />
                  </td>
                  <td class="number" data-label="Calls">
                    {numberText(decisions)}
                  </td>
                  <td class="number" data-label="Refused">
                    {refused}
                  </td>
                  <td class="number" data-label="Asked">
                    {asked}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {answer?.hasMore === true && (
        <p class="faint">
          These are the {answer.sessions.length} sessions with the latest decisions. A decision of an older one, in{' '}
          <a href={linkTo('now')}>Now</a>, leads to its session.
        </p>
      )}
    </>
  )
}

/** Characters of a session's id that tell it from others. */
const idCharacters = 12
