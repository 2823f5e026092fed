import type { JSX } from 'preact'
import type { DecisionRecord } from '../../../../record/record.ts'
import type { ShownFacts, WhyAnswer } from '../../../routes/decisions.ts'
import { RuleLink, Text } from '../../parts/text.tsx'

/** The commands of the call, and those of the call as rules rewrote it. */
export function Commands({
  record,
  why,
}: {
  readonly record: DecisionRecord
  readonly why: WhyAnswer
}): JSX.Element | null {
  const of = (isRewritten: boolean) => why.rules.filter(({ rewritten = false }) => rewritten === isRewritten)
  return (
    <>
      <CallCommands id="commands" isShell={record.tool === 'shell'} why={{ ...why, rules: of(false) }} />
      {why.rewrittenFacts !== undefined && (
        <CallCommands
          id="rewritten-commands"
          isShell={record.rewritten?.tool === 'shell'}
          why={{ ...why, facts: why.rewrittenFacts, rules: of(true) }}
        />
      )}
    </>
  )
}

/** The commands as a tree, each below the one that starts it, or the paths that a call touches. */
function CallCommands({
  id,
  isShell,
  why,
}: {
  readonly id: 'commands' | 'rewritten-commands'
  readonly isShell: boolean
  readonly why: WhyAnswer
}): JSX.Element | null {
  const { facts, factsMissing } = why
  const isEmpty = facts === null || (facts.shell.commands.length === 0 && facts.paths.length === 0)
  if (isEmpty && factsMissing === undefined) return null
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>
        {isShell ? 'Commands' : 'Paths'}
        {id === 'rewritten-commands' && ' of the rewritten call'}
      </h2>
      {facts !== null && isShell && <Shell facts={facts} why={why} />}
      {facts !== null && !isShell && <Paths paths={facts.paths} />}
      {factsMissing !== undefined && (
        <p class="faint">
          <Text text={factsMissing} />
        </p>
      )}
      {facts !== null && <p class="faint">Files, links and branches are as of now.</p>}
    </section>
  )
}

function Shell({ facts: { shell }, why }: { readonly facts: ShownFacts; readonly why: WhyAnswer }): JSX.Element {
  return (
    <>
      <Branch of={undefined} shell={shell} why={why} />
      {shell.flows.length > 0 && (
        <ul class="flows">
          {shell.flows.map((flow, index) => (
            <li key={index}>
              Command {flow.from + 1} → command {flow.to + 1}, by {flow.via}
              {flow.as === 'code' && <strong>, which runs it as code</strong>}
            </li>
          ))}
        </ul>
      )}
      {shell.forkBomb === true && <p>A fork bomb: it keeps starting copies of itself.</p>}
      {shell.uncertain.map((what) => (
        <p key={what}>
          Uncertain: <Text text={what} />
        </p>
      ))}
    </>
  )
}

/** Returns the indices of the commands that one command starts, or of those that none starts. */
const childrenOf = (commands: ShownFacts['shell']['commands'], of: number | undefined): readonly number[] =>
  // A command comes after the one that starts it; one that does not is shown at the top, so that a tree has no loop.
  commands.flatMap(({ startedBy }, index) => {
    const above = startedBy !== undefined && startedBy < index ? startedBy : undefined
    return above === of ? [index] : []
  })

/** The commands that one command starts, or those of the call itself. */
function Branch({
  of,
  shell,
  why,
}: {
  readonly of: number | undefined
  readonly shell: ShownFacts['shell']
  readonly why: WhyAnswer
}): JSX.Element | null {
  const children = childrenOf(shell.commands, of)
  if (children.length === 0) return null
  return (
    <ol class="tree">
      {children.map((index) => (
        <li key={index}>
          <Node index={index} shell={shell} why={why} />
          <Branch of={index} shell={shell} why={why} />
        </li>
      ))}
    </ol>
  )
}

function Node({
  index,
  shell,
  why,
}: {
  readonly index: number
  readonly shell: ShownFacts['shell']
  readonly why: WhyAnswer
}): JSX.Element | null {
  const command = shell.commands[index]
  if (command === undefined) return null
  const speaking = why.rules.filter(({ commands = [] }) => commands.includes(index))
  return (
    <div class={`command ${speaking.some(({ decides }) => decides) ? 'decides' : ''}`}>
      <span class="index">{index + 1}</span>
      <div>
        <Text text={command.text} charactersMax={400} />
        {command.notes.length > 0 && (
          <span class="faint note">
            {' '}
            <Text text={command.notes.join(', ')} />
          </span>
        )}
        {command.impacts.map((said) => (
          <div key={said}>
            It <Text text={said} />
          </div>
        ))}
        {speaking.map(({ ruleId, effect = 'failed', severity }) => (
          <div key={ruleId} class="answered">
            {effectWords[effect] ?? effect} by <RuleLink id={ruleId} />
            {severity !== undefined && `, ${severity}`}
          </div>
        ))}
        <Paths paths={command.paths} />
        {command.network !== undefined && (
          <div class="faint">
            Network, {command.network.direction}:{' '}
            <Text text={command.network.url ?? command.network.host ?? 'a host that the command does not name'} />
          </div>
        )}
        {command.code !== undefined && (
          <div class="faint">
            Runs {command.code.language} code
            {command.code.does.length > 0 && ` that ${command.code.does.join(', ')}`}
          </div>
        )}
        {command.uncertain.map((what) => (
          <div key={what} class="faint">
            Uncertain: <Text text={what} />
          </div>
        ))}
      </div>
    </div>
  )
}

const effectWords: Readonly<Record<string, string>> = {
  deny: 'Refused',
  ask: 'Asked about',
  defer: 'Asked about',
  allow: 'Allowed',
  failed: 'Failed',
}

function Paths({ paths }: { readonly paths: ShownFacts['paths'] }): JSX.Element | null {
  if (paths.length === 0) return null
  return (
    <ul class="paths">
      {paths.slice(0, pathsMax).map((path, index) => (
        <li key={index}>
          <span class="faint">{path.access}</span> <Text text={path.text} charactersMax={400} />
        </li>
      ))}
      {paths.length > pathsMax && <li class="faint">and {paths.length - pathsMax} more</li>}
    </ul>
  )
}

/** More than a person reads. */
const pathsMax = 30
